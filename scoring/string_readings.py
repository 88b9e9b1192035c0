"""String Safari, read in several ways: a turn's labels, touches, string contact and closing, as doubts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property

from scoring.answers import LOOPS, TOUCHES, Answered
from scoring.certainty import Asked, Choice, Doubt, Pooled, odds_of
from scoring.edition import Edition, face_of
from scoring.geometry import DOUBT_SIGMAS, Margin
from scoring.readings import Choices, chances, either, label_doubt, limits_left, picker, points_at_stake, sure, words
from scoring.sheet import Question
from scoring.string_field import (
    FIELD,
    RESEARCH,
    VISIBLE_ENOUGH,
    Named,
    Placement,
    Settled,
    Survey,
    marks_of,
    name,
    place,
)
from scoring.string_kinds import Kinds
from scoring.string_problems import told
from scoring.string_safari import StringSheet, outcome_of, sheet_of
from scoring.string_turn import NEEDS, matches
from scoring.table import Piece

Key = tuple[str, int]
"""What a doubt settles: ("label", piece id), ("touch", tile id), or ("edge" | "self" | "closed", 0)."""


class StringReadings:
    """A turn's table with all its doubts: each can be settled on its own."""

    def __init__(self, answered: Answered, edition: Edition) -> None:
        self.edition = edition
        self.options = answered.options
        self.answered = answered
        self.survey, self.gap = _closed_if_hidden(answered)
        self._placed = cache(self._place)
        self._as_read = name(self.survey, edition)
        self._marks = frozenset(m.id for m in self.survey.markers)
        found = dict(self._doubts())
        found |= dict(self._rivals(found))
        self.keys = tuple(found)
        self._placing = picker([k for k, (kind, _) in enumerate(self.keys) if kind != "label"])
        self._labels = {i: k for k, (kind, i) in enumerate(self.keys) if kind == "label"}
        self._kinds = Kinds(self.survey, self._labels, self._matters, self._mark_matters)
        self._told = cache(self._telling)
        self.doubts = tuple(found.values())
        self.limits: Mapping[Pooled, int] = limits_left(
            self.survey.tiles,
            {label: face.count for label, face in edition.faces.items()},
            "faces",
            set(self._labels),
        )

    def _doubts(self) -> Iterator[tuple[Key, Doubt]]:
        for tile in self.survey.tiles:
            if self._near(tile) and tile.id not in self.answered.tiles:
                yield ("touch", tile.id), self._touch(tile, self.survey.margins[tile.id])
            if self._may_be_enclosed(tile) and tile.id not in self.answered.known:
                yield from self._named(tile)
        for marker in self.survey.markers:
            if marker.id not in self.answered.known and self.survey.tile_of[marker.id] is not None:
                doubt = label_doubt(marker, self.edition.markers, self._mark_matters, None)
                if doubt is not None:
                    yield ("label", marker.id), doubt
        yield from self._of_strings()

    def _near(self, tile: Piece) -> bool:
        """Tell whether the string may touch a tile and may as well not, however improbable the one is.

        What nothing names may be no tile at all.
        """
        margin = self.survey.margins.get(tile.id)
        return margin is not None and (margin.weighed or self._mistraced or (tile.label is None and margin.contact))

    def _on_either_side(self, tile: Piece) -> bool:
        """Tell whether a tile may lie inside the string and outside it."""
        band = self.survey.research
        if band is None or not self._near(tile):
            return False
        sigma_mm = self.survey.margins[tile.id].sigma_mm
        return self._mistraced or band.side_mm(tile.centre_mm) < DOUBT_SIGMAS * sigma_mm

    def _may_be_enclosed(self, tile: Piece) -> bool:
        verdict = self.answered.tiles.get(tile.id)
        if verdict is None:
            return tile.id in self.survey.held or self._on_either_side(tile)
        return verdict == "inside" or (verdict == "clear" and tile.id in self.survey.held)

    @cached_property
    def _foods(self) -> frozenset[str]:
        """What the lands that may be enclosed want eaten: of no other food does it matter which it is."""
        tiles = [t for t in self.survey.tiles if self._may_be_enclosed(t)]
        labels = {label for t in tiles for label in chances(t, tuple(self.edition.faces))}
        lands = {face.land for label in labels if (face := face_of(self.edition, label)) is not None}
        return frozenset(food for land, food in NEEDS.items() if land in lands)

    def _named(self, tile: Piece) -> Iterator[tuple[Key, Doubt]]:
        doubt = label_doubt(tile, tuple(self.edition.faces), self._matters, "faces")
        if doubt is not None:
            yield ("label", tile.id), doubt

    def _rivals(self, found: Mapping[Key, Doubt]) -> Iterator[tuple[Key, Doubt]]:
        """Give the doubts of tiles elsewhere that may be what these are: of them only what the box holds counts."""
        about = {label for doubt in found.values() if doubt.pool for label in doubt.choices}
        left = [t for t in self.survey.tiles if t.label and t.id not in self.answered.known and not sure(t)]
        left = [t for t in left if ("label", t.id) not in found]
        while about and (near := [t for t in left if not about.isdisjoint(label for label, _ in t.candidates)]):
            left = [t for t in left if t not in near]
            about.update(label for t in near for label, _ in t.candidates)
            listed = [[label for label, _ in t.candidates if label in self.edition.faces] for t in near]
            doubts = [label_doubt(t, labels, lambda _: None, "faces") for t, labels in zip(near, listed, strict=True)]
            yield from ((("label", t.id), d) for t, d in zip(near, doubts, strict=True) if d is not None)

    def _touch(self, tile: Piece, margin: Margin) -> Doubt:
        """A tile near the string touches it or is clear of it; where the string is hidden, on either side."""
        contact = min(margin.contact_probability, 1.0 if tile.label is not None else 0.5)
        clear = 1 - contact
        if self._mistraced:
            anywhere: tuple[Choice, ...] = ("inside", "outside", "touching")
            return Doubt(tile.id, anywhere, (1.0, 1.0, 1.0), anywhere)
        if self._on_either_side(tile):
            sides: tuple[Choice, ...] = ("touching", "inside", "outside")
            return Doubt(tile.id, sides, odds_of((contact, clear, clear)), sides)
        choices: tuple[Choice, ...] = ("touching", "clear")
        return Doubt(tile.id, choices, odds_of((contact, clear)), choices)

    def _of_strings(self) -> Iterator[tuple[Key, Doubt]]:
        touch: tuple[Choice, ...] = ("touching", "clear")
        said = self.answered.strings
        edge, band = self.survey.edge, self.survey.research
        unseen = edge is None or self.survey.field_guessed
        if edge is not None and edge.weighed and not unseen and not said.get(FIELD):
            yield ("edge", 0), _contact(FIELD, touch, edge)
        if unseen and band is not None and self.options.condition == "edge" and not said.get(FIELD):
            yield ("edge", 0), Doubt(FIELD, touch[::-1], (1.0, 1.0), touch[::-1])  # where the field ends is not known
        plain = band is not None and band.closed and not band.crosses_itself
        told_already = said.get(RESEARCH, frozenset()) & {"touching", "clear"}
        if band is not None and plain and band.self_gap.weighed and not told_already:
            yield ("self", 0), _contact(RESEARCH, touch, band.self_gap)
        if band is not None and band.crosses_itself and band.string.visible < VISIBLE_ENOUGH and not told_already:
            yield ("self", 0), Doubt(RESEARCH, touch, (1.0, 1.0), touch)
        if self.gap:
            loop: tuple[Choice, ...] = ("closed", "open")
            yield ("closed", 0), Doubt(RESEARCH, loop, (1.0, 1.0), loop)

    @property
    def _mistraced(self) -> bool:
        """Whether the research string was traced across itself, and a player says that it does not lie so."""
        band = self.survey.research
        said = self.answered.strings.get(RESEARCH, frozenset())
        return band is not None and band.crosses_itself and "clear" in said

    def _matters(self, label: Choice) -> Hashable:
        """Return what a turn sees of an enclosed tile."""
        face = face_of(self.edition, label)
        if face is None:
            return None
        if self.options.placed is not None:
            return (
                face.food,
                face.family,
                face.activity,
                label if label in (self.options.placed, self.options.marker) else None,
                face.points,
            )
        target = self.options.target
        if target is None:
            return "tile"  # without a turn, what is enclosed is what counts
        counts = face.food is not None and matches(face, target.category)
        family = face.family if target.category == "families" else None
        return counts, family, face.food if face.food in self._foods else None, face.land

    def _mark_matters(self, label: Choice) -> Hashable:
        return None if label is None else label == self.options.turn

    def _read(self, choices: tuple[Choice, ...]) -> tuple[Placement, Named]:
        return self._placement(choices), self._named_so({i: choices[k] for i, k in self._labels.items()})

    def _placement(self, choices: tuple[Choice, ...]) -> Placement:
        """Return what the string encloses and touches: the labels have no part in it."""
        return self._placed(self._placing(choices))

    def _place(self, choices: tuple[Choice, ...]) -> Placement:
        by_key = dict(zip([key for key in self.keys if key[0] != "label"], choices, strict=True))
        tiles = {i: self._side(i, verdict) for i, verdict in self.answered.tiles.items()}
        tiles |= {i: self._side(i, choice) for (kind, i), choice in by_key.items() if kind == "touch" and choice}
        edge, lies = self._string_word("edge", FIELD, by_key), self._string_word("self", RESEARCH, by_key)
        placed = place(self.survey, Settled(tiles, edge, lies))
        if by_key.get(("closed", 0)) == "open" or "open" in self.answered.strings.get(RESEARCH, ()):
            return replace(placed, closed=False, enclosed=())
        return placed

    def _named_so(self, labels: Mapping[int, Choice]) -> Named:
        """Return what the tiles and markers are, from one survey of them for all readings."""
        if not labels:
            return self._as_read
        faces = {i: face_of(self.edition, c) for i, c in labels.items() if i not in self._marks}
        if len(faces) == len(labels):
            return Named({**self._as_read.faces, **faces}, self._as_read.marks)
        return Named({**self._as_read.faces, **faces}, marks_of(self.survey, labels))

    def _side(self, tile_id: int, verdict: str) -> str:
        if verdict == "clear":
            return "inside" if tile_id in self.survey.held else "outside"
        return verdict

    def _string_word(self, kind: str, string: str, by_key: Mapping[Key, Choice]) -> bool | None:
        """Say whether a string touches another, or itself; None: as measured."""
        said = self.answered.strings.get(string, frozenset()) & {"touching", "clear"}
        word = by_key.get((kind, 0)) or next(iter(said), None)
        return None if word is None else word == "touching"

    def sheet(self, choices: tuple[Choice, ...]) -> StringSheet:
        """Return the sheet where the doubts are settled so."""
        placed, named = self._read(choices)
        return sheet_of(self.survey, placed, named, self.options)

    def outcome(self, choices: tuple[Choice, ...]) -> Hashable:
        """Return what counts where the doubts are settled so."""
        count, known = self._told(self._placing(choices))
        counted = count(choices)
        if counted not in known:
            known[counted] = outcome_of(*self._read(choices), self.options)
        return known[counted]

    def _telling(self, placing: Choices) -> tuple[Callable[[Choices], int], dict[int, Hashable]]:
        """Return how to count a placement's tiles, and what counts by how many are of each kind, as far as known."""
        placed = self._placed(placing)
        return self._kinds.counter(placed if placed.legal else Placement()), {}  # illegal, it hangs on no tile

    def read(self, choices: tuple[Choice, ...]) -> tuple[Survey, Placement, Named]:
        """Return the survey, the placement and the labels where the doubts are settled so."""
        by_key = zip(self.keys, choices, strict=True)
        return self.survey.relabelled({i: c for (kind, i), c in by_key if kind == "label"}), *self._read(choices)

    def question(self, asked: Asked) -> Question:
        """Put a doubt into words."""
        kind, i = self.keys[self.doubts.index(asked.doubt)]
        stakes = self._stakes(asked)
        choices = words(asked.choices)
        if kind != "label":
            choices = tuple(word for word in (*TOUCHES, *LOOPS) if word in choices)
        return Question(asked.doubt.about, choices, stakes, f"{self._asks(kind, i, choices)} At stake: {stakes}.")

    def _stakes(self, asked: Asked) -> str:
        results = [o for o in asked.outcomes if isinstance(o, tuple)]
        if self.options.turn is not None or self.options.placed is not None:
            points = [o[2] for o in results]
            if len(set(points)) > 1:
                return points_at_stake(points)
            return "what is enclosed"
        return (
            either("legal" if o[0] else "illegal" for o in results)
            if len({o[0] for o in results}) > 1
            else "what is enclosed"
        )

    def _asks(self, kind: str, i: int, choices: tuple[str, ...]) -> str:
        if kind == "touch":
            return f"Is the string touching {told(self.survey, i)}? Look from straight above, hands away."
        if kind == "edge":
            return "Is the research string touching the field string? Look from straight above."
        if kind == "self":
            return "Does the research string lie on itself or cross itself?"
        if kind == "closed":
            return "Is the research string closed where it is hidden? Move the hand, or look from straight above."
        piece = self.survey.table.piece(i)
        if piece.kind == "marker":
            return f"Whose marker is this: {either(choices)}?"
        return f"Which tile is this: {either(choices)}?" if len(choices) <= 5 else "Which tile is this?"


def _contact(about: str, choices: tuple[Choice, ...], margin: Margin) -> Doubt:
    contact = margin.contact_probability
    return Doubt(about, choices, odds_of((contact, 1 - contact)), choices)


def _closed_if_hidden(answered: Answered) -> tuple[Survey, bool]:
    """Return the survey and whether the research string's closing is in doubt: open, but not wholly seen.

    Where it is, or is said to be closed, the survey is of the string with its ends joined.
    """
    table = answered.table
    research = table.string(RESEARCH)
    said = answered.strings.get(RESEARCH, frozenset())
    hidden = research is not None and not research.closed and research.visible < VISIBLE_ENOUGH
    if research is None or not (hidden or "closed" in said):
        return Survey(table), False
    strings = tuple(replace(s, closed=True) if s is research else s for s in table.strings)
    return Survey(replace(table, strings=strings)), hidden and not said & {"closed", "open"}
