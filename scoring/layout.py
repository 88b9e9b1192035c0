"""How one piece lies: its centre, its printed up and right, its size. What grids, rings and markers are found from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scoring.table import Piece, Point

MARKER_REACH_TILES = 0.25
"""How far beyond a tile's edge, in tile sides, a marker's centre may seem to be that stands on it (it has height)."""

TOWARDS_VIEWER: Point = (0.0, -1.0)
"""Where the picture's bottom edge lies, as a direction on the table, where nothing else is said."""

ODD_SIZE = 1.35
"""A piece this many times larger or smaller than most of the table's cards is none of them."""

PILE_REACH = 0.75
"""Cards whose centres are nearer than this many of their shorter sides lie in one pile."""


class Pose(NamedTuple):
    """Where a piece lies: centre in mm, unit vector of its printed up, width and height in mm."""

    id: int
    x: float
    y: float
    up: Point
    width_mm: float
    height_mm: float

    @property
    def right(self) -> Point:
        """The unit vector of its printed right."""
        return self.up[1], -self.up[0]

    @property
    def centre_mm(self) -> Point:
        """Its centre."""
        return self.x, self.y


def pose(piece: Piece) -> Pose | None:
    """Return how a piece lies, or None where its outline is no finite quadrilateral with an area."""
    if len(piece.outline_mm) != 4:
        return None
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = piece.outline_mm
    area2 = (cx - ax) * (dy - by) - (dx - bx) * (cy - ay)
    turn = math.radians(piece.up_deg)
    if not math.isfinite(area2 + turn) or area2 == 0:
        return None
    width = math.hypot(bx - ax + cx - dx, by - ay + cy - dy) / 2
    height = math.hypot(dx - ax + cx - bx, dy - ay + cy - by) / 2
    x, y = (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4
    return Pose(piece.id, x, y, (math.cos(turn), math.sin(turn)), width, height)


def poses(pieces: Iterable[Piece]) -> tuple[Pose, ...]:
    """Return how each piece lies, those without a usable outline left out."""
    return tuple(p for p in map(pose, pieces) if p is not None)


def alike(cards: tuple[Pose, ...]) -> tuple[Pose, ...]:
    """Leave out what is no card by its size."""
    if not cards:
        return ()
    size = sorted(p.width_mm * p.height_mm for p in cards)[len(cards) // 2]
    return tuple(p for p in cards if size / ODD_SIZE**2 < p.width_mm * p.height_mm < size * ODD_SIZE**2)


def outside_mm(point: Point, tile: Pose) -> float:
    """Return how far a point lies outside a piece's rectangle; 0 within it."""
    dx, dy = point[0] - tile.x, point[1] - tile.y
    along = abs(dx * tile.right[0] + dy * tile.right[1]) - tile.width_mm / 2
    across = abs(dx * tile.up[0] + dy * tile.up[1]) - tile.height_mm / 2
    return math.hypot(max(along, 0.0), max(across, 0.0))


def tile_under(marker: Piece, tiles: Sequence[Piece]) -> int | None:
    """Return the id of the tile a marker stands on, or None where it stands beside them all."""
    at = pose(marker)
    if at is None:
        return None
    reached = [
        (outside_mm(at.centre_mm, tile), math.dist(at.centre_mm, tile.centre_mm), tile.id)
        for tile in poses(tiles)
        if outside_mm(at.centre_mm, tile) <= MARKER_REACH_TILES * min(tile.width_mm, tile.height_mm)
    ]
    return min(reached)[2] if reached else None


def gap_mm(a: Pose, b: Pose) -> float:
    """Return how far apart two pieces' rectangles are; 0 where a corner of one lies on the other."""
    return min(*(outside_mm(c, b) for c in corners_mm(a)), *(outside_mm(c, a) for c in corners_mm(b)))


def corners_mm(at: Pose) -> tuple[Point, ...]:
    """Return a piece's corners: top-left, top-right, bottom-right, bottom-left of its printed face."""
    (rx, ry), (ux, uy) = at.right, at.up
    w, h = at.width_mm / 2, at.height_mm / 2
    return tuple(
        (at.x + x * w * rx + y * h * ux, at.y + x * w * ry + y * h * uy)
        for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))
    )


def piles(cards: Iterable[Pose]) -> list[list[Pose]]:
    """Gather cards that lie on each other, or nearly so, into piles."""
    heaps: list[list[Pose]] = []
    for card in cards:
        reach = PILE_REACH * min(card.width_mm, card.height_mm)
        near = [h for h in heaps if any(math.dist(card.centre_mm, other.centre_mm) < reach for other in h)]
        heaps = [h for h in heaps if h not in near] + [[card, *(c for h in near for c in h)]]
    return heaps
