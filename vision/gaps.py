"""Places where the game expects a card and none was found: the deck's faces are looked for there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scoring import grids, rings
from scoring.edition import Game
from scoring.lattice import COLUMNS
from scoring.layout_doubts import free_places
from scoring.table import Piece, Point
from vision.matching import Matcher
from vision.plane import Plane

Floats = npt.NDArray[np.float64]


def found(matcher: Matcher, plane: Plane, pieces: Sequence[Piece], game: Game, near: Point) -> Floats:
    """Return the corners (n, 4, 2) px of cards that lie in the layout's free places, from their printed top-left."""
    expected = _expected(pieces, game, near, matcher.size_mm)
    if len(expected) == 0:
        return np.zeros((0, 4, 2))
    laid, _ = matcher.searched(plane, plane.to_px(expected, matcher.height_mm))
    corners = [r.corners_px for r in laid if r is not None]
    return matcher.rigid(plane, np.stack(corners)) if corners else np.zeros((0, 4, 2))


def _expected(pieces: Sequence[Piece], game: Game, near: Point, size_mm: tuple[float, float]) -> Floats:
    """Return where cards should lie (n, 4, 2) mm."""
    if game == "paper-safari":
        laid = grids.find(tuple(pieces), near)
        return _cards(
            [(grid.places_mm[row * COLUMNS + column], grid.up) for grid, (row, column) in free_places(laid)], size_mm
        )
    if game == "kleine-fotosafari":  # what nothing names may have been found half beside a card
        return _cards(_ring_gaps([p for p in pieces if p.label is not None], near), size_mm)
    return np.zeros((0, 4, 2))


def _ring_gaps(pieces: Sequence[Piece], near: Point) -> list[tuple[Point, Point]]:
    """Return the middle and printed up of each card that a ring's neighbours leave room for."""
    places = rings.find(tuple(pieces), near=near).places
    known = [k for k, place in enumerate(places) if place.card is not None]
    if len(known) < 3:
        return []
    at = {k: complex(*card.centre_mm) for k in known if (card := places[k].card) is not None}
    middle = sum(at.values()) / len(at)
    gaps: list[tuple[Point, Point]] = []
    for before, after in zip(known, [*known[1:], known[0] + len(places)], strict=True):
        a, b = at[before] - middle, at[after % len(places)] - middle
        turn = float(np.angle(b / a)) % (2 * np.pi)
        for step in range(1, after - before):
            share = step / (after - before)
            way = np.exp(1j * (np.angle(a) + share * turn))
            place = middle + (abs(a) * (1 - share) + abs(b) * share) * way
            gaps.append(((place.real, place.imag), (-way.real, -way.imag)))
    return gaps


def _cards(poses: Sequence[tuple[Point, Point]], size_mm: tuple[float, float]) -> Floats:
    """Return cards of this size (n, 4, 2) mm with these middles and printed ups."""
    w, h = size_mm[0] / 2, size_mm[1] / 2
    out = []
    for (x, y), (ux, uy) in poses:
        right = np.array([uy, -ux])
        up = np.array([ux, uy])
        out.append([np.array([x, y]) + sx * w * right + sy * h * up for sx, sy in ((-1, 1), (1, 1), (1, -1), (-1, -1))])
    return np.array(out).reshape(-1, 4, 2)
