"""String Safari, one turn: the condition, the target's points, the lands' bonuses, each with its reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scoring.edition import ACTIVITIES, FAMILIES, FOODS, Face
from scoring.options import Target
from scoring.sheet import Line
from scoring.string_field import Named, Placement

BONUS = {"bushes": 2, "grasslands": 2, "forest": 2, "water-hole": 2, "footprints": 1}
"""What an enclosed land earns."""
NEEDS = {"bushes": "carnivore", "grasslands": "herbivore", "forest": "omnivore"}
"""The animal that must be enclosed with a land to earn its bonus."""
_ACTIVE = {"night": "at night", "day": "by day", "evening": "in the evening"}


@dataclass(frozen=True, slots=True)
class TurnRules:
    """What a turn is scored by: the player, the research tile's target and condition, and one house rule."""

    player: str | None
    target: Target
    condition: str | None = None
    marked_animals_count_for_land: bool = True


def matches(face: Face, category: str) -> bool:
    """Say whether an animal is of a category; every animal is of "all" and of "families"."""
    if category in ("all", "families"):
        return face.food is not None
    return category in (face.food, face.family, face.activity)


def described(face: Face, category: str) -> str:
    """Say in words why an animal is of a category."""
    if category in FOODS:
        return f"{face.label} is {'an' if category == 'omnivore' else 'a'} {category}"
    if category in FAMILIES:
        return f"{face.label} is of the {category} family"
    if category in ACTIVITIES:
        return f"{face.label} is active {_ACTIVE[category]}"
    return f"{face.label} is an animal"


def turn_lines(placed: Placement, named: Named, rules: TurnRules) -> tuple[Line, ...]:
    """Return a legal placement's lines; their points add up to the turn's."""
    unmet = unmet_condition(placed, named, rules.condition)
    if unmet is not None:
        return (unmet,)
    target, marked = _target_lines(placed, named, rules), _marked_lines(placed, named, rules)
    return (*target, *marked, *_land_lines(placed, named, rules))


def turn_points(placed: Placement, named: Named, rules: TurnRules) -> int:
    """Return what a legal placement's lines add up to, without them: thousands of readings are told apart by it."""
    if unmet_condition(placed, named, rules.condition) is not None:
        return 0
    animals = scoring_animals(placed, named, rules.player)
    category = rules.target.category
    families = {face.family for _, face in animals}
    counted = len(families) if category == "families" else sum([matches(face, category) for _, face in animals])
    lands = [land for _, land in _lands(placed, named, rules)]
    bonus = sum([BONUS[land] for land in lands if _earned(land, placed, named, rules) is not None])
    return rules.target.points * counted + bonus


def unmet_condition(placed: Placement, named: Named, condition: str | None) -> Line | None:
    """Return the line that says that a condition is not met; None where it is, or where there is none."""
    if condition == "rocky" and not named.lands(placed.enclosed, "rocky-area"):
        return Line("condition-rocky", 0, (), "no rocky area is enclosed, so the turn scores nothing")
    if condition == "edge" and not placed.touches_field:
        return Line("condition-edge", 0, (), "the string does not touch the field string, so the turn scores nothing")
    return None


def scoring_animals(placed: Placement, named: Named, player: str | None) -> tuple[tuple[int, Face], ...]:
    """Return the enclosed animals that give points to a player: those without another player's marker."""
    return tuple(
        (i, face)
        for i in placed.enclosed
        if (face := named.faces[i]) is not None and face.food is not None and not named.others_mark(i, player)
    )


def _target_lines(placed: Placement, named: Named, rules: TurnRules) -> Iterator[Line]:
    """Points for the enclosed animals of the research tile's target."""
    each, category = rules.target.points, rules.target.category
    animals = scoring_animals(placed, named, rules.player)
    if category == "families":
        families: dict[str | None, list[tuple[int, Face]]] = {}
        for i, face in animals:
            families.setdefault(face.family, []).append((i, face))
        for family, members in families.items():
            who = ", ".join([face.label for _, face in members])
            yield Line("target-families", each, tuple([i for i, _ in members]), f"the {family} family: {who}")
        return
    for i, face in animals:
        if matches(face, category):
            yield Line("target", each, (i,), described(face, category))


def _marked_lines(placed: Placement, named: Named, rules: TurnRules) -> Iterator[Line]:
    """Say of each enclosed tile with another player's marker that it gives nothing."""
    for i in placed.enclosed if named.marks else ():
        face = named.faces[i]
        if face is not None and named.others_mark(i, rules.player):
            owners = sorted({str(m) for m in named.marks[i] if m != rules.player})
            yield Line("others-marker", 0, (i,), f"{face.label} bears a marker of {' and '.join(owners)}: no points")


def _lands(placed: Placement, named: Named, rules: TurnRules) -> list[tuple[int, str]]:
    """Return the enclosed lands that may earn a bonus: those without another player's marker."""
    return [
        (i, face.land)
        for i in placed.enclosed
        if (face := named.faces[i]) is not None and face.land in BONUS and not named.others_mark(i, rules.player)
    ]


def _earned(land: str, placed: Placement, named: Named, rules: TurnRules) -> tuple[int, ...] | None:
    """Return the enclosed animal that earns a land's bonus, none where it takes none; None where it is not earned."""
    food = NEEDS.get(land)
    if food is None:
        return ()
    for i in placed.enclosed:
        face = named.faces[i]
        if face is None or face.food != food:
            continue
        if rules.marked_animals_count_for_land or not named.others_mark(i, rules.player):
            return (i,)
    return None


def _land_lines(placed: Placement, named: Named, rules: TurnRules) -> Iterator[Line]:
    """Bonuses of the enclosed lands."""
    enclosed = _lands(placed, named, rules)
    for land, bonus in BONUS.items() if enclosed else ():
        for i, own in enclosed:
            if own == land:
                yield _land_line(i, land, bonus, _earned(land, placed, named, rules), named)


def _land_line(i: int, land: str, bonus: int, by: tuple[int, ...] | None, named: Named) -> Line:
    if by is None:
        return Line(land, 0, (i,), f"{land} is enclosed, but no {NEEDS[land]} that counts for it: no bonus")
    faces = [face for animal in by if (face := named.faces[animal]) is not None]
    return Line(
        land, bonus, (i, *by), ", and ".join([f"{land} is enclosed", *(described(f, NEEDS[land]) for f in faces)])
    )


def markable(placed: Placement, named: Named) -> tuple[int, ...]:
    """Return the enclosed tiles on which a marker may be placed: unmarked animals, and Footprints."""
    footprints = named.lands(placed.enclosed, "footprints")
    return tuple(i for i in placed.enclosed if not named.marks.get(i) and (named.is_animal(i) or i in footprints))
