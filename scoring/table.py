"""A table as the rules see it: pieces and strings in millimetres, seen from above.

Frame: x right, y up, in mm; origin and turn are free, never mirrored. Values are frozen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Point = tuple[float, float]
"""A place on the table, (x, y) in mm."""

Kind = Literal["card", "tile", "photo", "coin", "marker", "research"]

BACK = "back"
"""The label of a piece that lies face down."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One physical thing that lies on the table.

    `outline_mm`: its footprint, four corners from its printed top-left on: top-left, top-right, bottom-right,
    bottom-left, as one sees them on the printed face (so clockwise seen from above).
    `up_deg`: where its printed top points, counter-clockwise from +x.
    `label`: a face of the deck, `"back"`, a marker's label, or None where it is not known.
    `candidates`: (label, probability) pairs, best first; empty means that `label` is certain.
    `sigma_mm`: one standard deviation of where its outline lies.
    """

    id: int
    kind: Kind
    label: str | None
    outline_mm: tuple[Point, ...]
    up_deg: float = 90.0
    probability: float = 1.0
    candidates: tuple[tuple[str, float], ...] = ()
    on: int | None = None  # a marker: the id of the tile it stands on
    sequence: tuple[str, ...] | None = None  # a photo card: its animals, left to right
    sequence_candidates: tuple[tuple[tuple[str, ...], float], ...] = ()  # other readings of it, best first
    sigma_mm: float = 0.0
    corner_radius_mm: float | None = None  # how round its corners are; None: not known

    @property
    def centre_mm(self) -> Point:
        """The mean of the outline's corners."""
        n = len(self.outline_mm)
        return sum(p[0] for p in self.outline_mm) / n, sum(p[1] for p in self.outline_mm) / n


@dataclass(frozen=True, slots=True)
class String:
    """A physical string: its centreline and width.

    `path_mm`: the centreline; where `closed`, its last point is joined to its first (not repeated).
    `sigma_mm`: one standard deviation of the near edge's place, one value a point of the path; empty means 0.
    `visible`: the share of its length that was seen; the rest was bridged.
    """

    name: str
    closed: bool
    path_mm: tuple[Point, ...]
    width_mm: float
    visible: float = 1.0
    sigma_mm: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """All that lies on one table.

    `unseen_mm`: outlines of places where more may lie that cannot be seen: a lamp burns the picture white there.
    """

    pieces: tuple[Piece, ...] = ()
    strings: tuple[String, ...] = ()
    unseen_mm: tuple[tuple[Point, ...], ...] = ()

    def piece(self, piece_id: int) -> Piece:
        """Return the piece with this id; KeyError where there is none."""
        for piece in self.pieces:
            if piece.id == piece_id:
                return piece
        raise KeyError(piece_id)

    def string(self, name: str) -> String | None:
        """Return the first string of this name, or None."""
        return next((s for s in self.strings if s.name == name), None)
