"""String Safari by the children's rules: traits in common with the animal just placed, and the animal marked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scoring.sheet import Line
from scoring.string_field import Named, Placement

TRAITS = ("food", "family", "activity")


@dataclass(frozen=True, slots=True)
class ChildrenRules:
    """What a children's turn is scored by: the animal placed, and the animal to mark.

    `laid_by`: the player whose marker may lie on that animal already, just laid; None: none does.
    """

    placed: str
    marker: str | None = None
    laid_by: str | None = None


def placed_tile(placed: Placement, named: Named, label: str) -> int | None:
    """Return the enclosed tile of the animal just placed; None where it is not enclosed."""
    return next((i for i in placed.enclosed if (face := named.faces[i]) is not None and face.label == label), None)


def children_lines(placed: Placement, named: Named, rules: ChildrenRules) -> tuple[Line, ...]:
    """Return a legal placement's lines: for each trait, a point for each enclosed animal that shares it."""
    tile = placed_tile(placed, named, rules.placed)
    if tile is None:
        return ()
    return (*_trait_lines(placed, named, tile), *_marker_lines(placed, named, rules))


def _trait_lines(placed: Placement, named: Named, tile: int) -> Iterator[Line]:
    own = named.faces[tile]
    assert own is not None  # it was found by its label
    for trait in TRAITS:
        wanted = getattr(own, trait)
        alike = [
            (i, f.label) for i in placed.enclosed if (f := named.faces[i]) and f.food and getattr(f, trait) == wanted
        ]
        who = ", ".join(label for _, label in alike)
        ids = tuple(i for i, _ in alike)
        yield Line(f"trait-{trait}", len(ids), ids, f"{trait} {wanted}, like {own.label}: {who}")


def _marker_lines(placed: Placement, named: Named, rules: ChildrenRules) -> Iterator[Line]:
    """Points of the animal that the player's marker goes on."""
    if rules.marker is None:
        return
    alike = [i for i in placed.enclosed if (f := named.faces[i]) is not None and f.label == rules.marker]
    just_laid = (rules.laid_by,) if rules.laid_by is not None else ()
    free = [i for i in alike if named.marks.get(i, ()) in ((), just_laid)]
    if free and (face := named.faces[free[0]]) is not None:
        yield Line("marked-animal", face.points or 0, (free[0],), f"{face.label} gets a marker")
    elif alike:
        yield Line("already-marked", 0, (alike[0],), f"{rules.marker} bears a marker already and cannot get another")
    else:
        yield Line("marker-not-enclosed", 0, (), f"{rules.marker} is not enclosed, so it gets no marker")
