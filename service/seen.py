"""What was read of one picture: a table in mm, where its pieces lie in the picture, and the deck to judge it by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.edition import Edition
from scoring.foto_moves import moves, snapshot
from scoring.layout import TOWARDS_VIEWER
from scoring.options import OptionError, Options
from scoring.referee import judge
from scoring.sheet import Problem
from scoring.table import Piece, Point, Table
from service.eyes import Answer, Candidates, EyesError
from service.schemas import answer_json, piece_json, string_json


@dataclass(frozen=True)
class TableSeen:
    """A table as it was read. Px are counted from the picture's corner: the middle of its first px is at half a px.

    `corners_px`: each piece's printed face in the picture, by its id, four corners from its top-left on. `paths_px`:
    the strings' centrelines, in the table's order. `near`: the direction on the table to the picture's bottom edge.
    """

    edition: Edition
    table: Table
    corners_px: Mapping[int, tuple[Point, ...]]
    paths_px: tuple[tuple[Point, ...], ...]
    size_px: tuple[int, int]
    near: Point = TOWARDS_VIEWER
    deck: str = field(default="")

    def answer(self, options: Mapping[str, Any]) -> Answer:
        """Judge it under these options. EyesError."""
        try:
            told = Options.parse(options, self.edition)
            judged = judge(self.table, self.edition, told, self.near)
        except OptionError as error:
            raise EyesError(str(error)) from None
        spoken_of = {str(question.piece) for question in judged.questions} | set(told.answers)
        shown = [p for p in self.table.pieces if str(p.id) in spoken_of or not _hardly_there(p)]
        lying = self._json(shown)
        name, unseen = self.deck or self.edition.name, self.table.unseen_mm
        return answer_json(judged, name, lying["pieces"], lying["strings"], lying["image"], unseen)

    def lying(self) -> Answer:
        """Return all pieces, the strings and the picture's size as an answer writes them; nothing is judged."""
        return self._json(self.table.pieces)

    def _json(self, shown: Sequence[Piece]) -> dict[str, Any]:
        pieces = [piece_json(piece, self.corners_px.get(piece.id)) for piece in shown]
        paths = self.paths_px or ((),) * len(self.table.strings)
        strings = [string_json(string, path) for string, path in zip(self.table.strings, paths, strict=True)]
        return {"pieces": pieces, "strings": strings, "image": {"width": self.size_px[0], "height": self.size_px[1]}}

    def same_ring(self, other: TableSeen) -> bool:
        """Whether the ring and its pile show the same animals as another table's."""
        return snapshot(self.table, self.near) == snapshot(other.table, other.near)

    def known_as(self, ids: Mapping[int, int], labels: Mapping[int, Candidates]) -> TableSeen:
        """Return it with each piece's lasting id, and what all readings together say of it."""
        pieces = tuple(_known(piece, ids, labels.get(ids[piece.id], ())) for piece in self.table.pieces)
        corners = {ids[old]: corners for old, corners in self.corners_px.items() if old in ids}
        return replace(self, table=replace(self.table, pieces=pieces), corners_px=corners)


LIKELY = 0.5
"""A marker that is less likely there than that, and of which nothing is asked or said, is none to whoever reads on."""


def _hardly_there(piece: Piece) -> bool:
    """Tell whether a marker is more likely none."""
    return piece.kind == "marker" and piece.probability < LIKELY


SURE = 0.9
"""A ring is compared with the one before only where each of its cards was read with at least this probability."""


def forbidden_moves(before: TableSeen, after: TableSeen, last: TableSeen | None) -> tuple[Problem, ...]:
    """Return what the rules of Kleine Fotosafari forbid in the change between two still tables; none where one may be.

    `last`: the table before the turn before, whose swap must stand.
    """
    cards = [p for seen in (before, after) for p in seen.table.pieces if p.kind == "card"]
    if any(p.label is None or p.probability < SURE for p in cards):
        return ()
    earlier = None if last is None else last.table
    options = Options.parse({}, after.edition)
    found = moves(before.table, after.table, after.edition, options, after.near, earlier)
    return () if found.legal else found.problems


def _known(piece: Piece, ids: Mapping[int, int], known: Candidates) -> Piece:
    """Return a piece under its lasting id; a face that was sure stays, a doubtful one gains from other looks."""
    renamed = replace(piece, id=ids[piece.id], on=ids.get(piece.on) if piece.on is not None else None)
    if not piece.candidates or not known:
        return renamed
    named = tuple((label, chance) for label, chance in known if label is not None)
    return replace(renamed, label=known[0][0], probability=known[0][1], candidates=named)
