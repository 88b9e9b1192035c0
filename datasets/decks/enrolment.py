"""Faces cut out of photographs: in reading order, straightened, upright as they lie, colours untouched, margin zero.

Corners are given: whoever finds pieces calls this. Frame: px of the picture, y down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cmp_to_key

import cv2
import numpy as np
import numpy.typing as npt

from decks.picture import Image

Floats = npt.NDArray[np.float64]

LARGEST_PX = 720  # of a cut face's longer side: finer than any table picture
SIDEWAYS_DEG = 55.0  # a piece turned further than this from upright may as well be meant the other way
SQUARE_SHARE = 0.08  # sides that differ by less are those of a square piece
SLANT_RATIO = 1.29  # √(1 / 0.6): halfway between lying upright, seen at a slant of 53°, and lying on its side
NEIGHBOUR = 0.3  # of a piece's width: what lies farther to the right lies beside it
MOST_LEAN = 0.75  # of a width: a neighbour that lies lower by more, for each width to the right, begins another row
SAME_ROW = 0.5  # of a piece's height: how far a neighbour in the row may lie above or below


@dataclass(frozen=True)
class Cutting:
    """A face cut out. `corners_px`: (4, 2), clockwise from its own top-left; `turned_deg`: from upright, clockwise."""

    image: Image
    corners_px: Floats
    turned_deg: float


def cuttings(image: Image, corners_px: npt.ArrayLike, size_mm: tuple[float, float]) -> tuple[Cutting, ...]:
    """Cut pieces of one size out of a picture, in reading order.

    `corners_px`: (n, 4, 2), each round the piece, from any corner on. Rows are found by the pieces' own sides, so that
    they may run askew.
    """
    quads = [upright(quad, size_mm) for quad in np.asarray(corners_px, float).reshape(-1, 4, 2)]
    order = [index for row in rows(quads) for index in row]
    return tuple(Cutting(straightened(image, quads[i], size_mm), quads[i], turned_deg(quads[i])) for i in order)


def upright(corners_px: npt.ArrayLike, size_mm: tuple[float, float]) -> Floats:
    """Return the corners (4, 2) clockwise from the piece's top-left on: its top is the side nearest the picture's top.

    An oblong piece that plainly lies on its side has its top on the left or the right, as `size_mm` says.
    """
    quad = np.asarray(corners_px, float).reshape(4, 2)
    side = np.roll(quad, -1, axis=0) - quad
    if float(np.sum(quad[:, 0] * np.roll(quad[:, 1], -1) - np.roll(quad[:, 0], -1) * quad[:, 1])) < 0:
        quad, side = quad[::-1], (np.roll(quad[::-1], -1, axis=0) - quad[::-1])
    length = np.hypot(side[:, 0], side[:, 1])
    turned = [abs(turned_deg(np.roll(quad, -k, axis=0))) for k in range(4)]
    nearest = sorted(range(4), key=lambda k: turned[k])
    best = nearest[0] if _fits(length, nearest[0], size_mm) else nearest[1]
    return np.roll(quad, -best, axis=0)


def turned_deg(quad: Floats) -> float:
    """Return how far an upright piece's top is turned from the picture's, clockwise, -180 to 180."""
    up = (quad[0] + quad[1] - quad[2] - quad[3]) / 2
    return math.degrees(math.atan2(up[0], -up[1]))


def sideways(cutting: Cutting) -> bool:
    """Return whether a piece lies so far turned that its top is a guess."""
    return abs(cutting.turned_deg) > SIDEWAYS_DEG


def rows(quads: list[Floats]) -> list[list[int]]:
    """Return the pieces' indices row by row, top to bottom, each left to right; `quads` (4, 2) each, upright."""
    count = len(quads)
    if count == 0:
        return []
    across, down = _offsets(quads)
    down = down - _lean(across, down) * across
    row_of = list(range(count))
    for i in range(count):
        right = [j for j in range(count) if across[i, j] > NEIGHBOUR and abs(down[i, j]) < SAME_ROW]
        if right:
            j = min(right, key=lambda k: float(across[i, k]))
            row_of = [row_of[i] if r == row_of[j] else r for r in row_of]
    found = [[i for i in range(count) if row_of[i] == r] for r in dict.fromkeys(row_of)]

    def leftmost(i: int, j: int) -> int:
        return -1 if across[i, j] > 0 else 1

    def topmost(row: list[int], other: list[int]) -> int:
        """Compare two rows by the pieces that lie nearest above each other."""
        i, j = min(((i, j) for i in row for j in other), key=lambda pair: abs(float(across[pair[0], pair[1]])))
        return -1 if down[i, j] > 0 else 1

    return sorted((sorted(row, key=cmp_to_key(leftmost)) for row in found), key=cmp_to_key(topmost))


def straightened(image: Image, quad: Floats, size_mm: tuple[float, float]) -> Image:
    """Return the face within `quad` (4, 2), edge to edge, of the piece's own shape, as finely as it was seen."""
    edges = [float(np.hypot(*(quad[(k + 1) % 4] - quad[k]))) for k in range(4)]
    fine = max(edges[0] / size_mm[0], edges[2] / size_mm[0], edges[1] / size_mm[1], edges[3] / size_mm[1])
    fine = min(fine, LARGEST_PX / max(size_mm))
    width, height = max(round(fine * size_mm[0]), 8), max(round(fine * size_mm[1]), 8)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    transform = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), target)
    face = cv2.warpPerspective(
        image, transform, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(face, np.uint8)


def numbered(image: Image, found: tuple[Cutting, ...]) -> Image:
    """Return the picture with each piece outlined and numbered in reading order, a bar along its top."""
    picture = image.copy()
    thick = max(round(max(image.shape[:2]) / 500), 1)
    for number, cutting in enumerate(found, 1):
        quad = np.round(cutting.corners_px).astype(np.int32)
        cv2.polylines(picture, [quad], True, (255, 0, 255), thick, cv2.LINE_AA)
        cv2.line(picture, quad[0].tolist(), quad[1].tolist(), (0, 255, 255), 3 * thick, cv2.LINE_AA)
        x, y = np.round(cutting.corners_px.mean(axis=0)).astype(int).tolist()
        for colour, weight in (((0, 0, 0), 7 * thick), ((255, 255, 255), 2 * thick)):
            at = (x - 11 * thick * len(str(number)), y + 9 * thick)
            cv2.putText(picture, str(number), at, cv2.FONT_HERSHEY_SIMPLEX, thick, colour, weight, cv2.LINE_AA)
    return picture


def _fits(length_px: Floats, first: int, size_mm: tuple[float, float]) -> bool:
    """Return whether the side that starts at corner `first` can be the piece's top, by the sides' lengths.

    A camera that looks at a slant shortens what runs away from it: a piece counts as broad only where it is broader
    than a slant alone can make it.
    """
    width_mm, height_mm = size_mm
    if abs(width_mm - height_mm) < SQUARE_SHARE * max(size_mm):
        return True
    across = length_px[first] + length_px[(first + 2) % 4]
    along = length_px[(first + 1) % 4] + length_px[(first + 3) % 4]
    return bool((across < SLANT_RATIO * along) == (width_mm < height_mm))


def _offsets(quads: list[Floats]) -> tuple[Floats, Floats]:
    """Return how far each piece lies to the right of and below each other, in widths and heights (n, n).

    Each is seen from both pieces and averaged: what one's own turn adds, the other's takes away.
    """
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], np.float32)
    middles = np.array([[_middle(quad)] for quad in quads], np.float64)
    seen = np.zeros((len(quads), len(quads), 2))
    for i, quad in enumerate(quads):
        frame = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), square)
        seen[i] = cv2.perspectiveTransform(middles, frame)[:, 0]
    both = (seen - seen.transpose(1, 0, 2)) / 2
    return both[..., 0], both[..., 1]


def _lean(across: Floats, down: Floats) -> float:
    """Return how much rows fall for each width to the right, as most pieces' nearest neighbours tell (n, n)."""
    leans = []
    for right, below in zip(across, down, strict=True):
        beside = np.flatnonzero((right > NEIGHBOUR) & (abs(below) < MOST_LEAN * right))
        if len(beside):
            nearest = beside[np.hypot(right[beside], below[beside]).argmin()]
            leans.append(float(below[nearest] / right[nearest]))
    return float(np.median(leans)) if leans else 0.0


def _middle(quad: Floats) -> Floats:
    """Return where the diagonals meet, the piece's true centre in perspective."""
    (a, b, c, d), ones = quad, np.ones(1)
    first = np.cross(np.concatenate([a, ones]), np.concatenate([c, ones]))
    second = np.cross(np.concatenate([b, ones]), np.concatenate([d, ones]))
    x, y, w = np.cross(first, second)
    return np.array([x / w, y / w]) if abs(w) > 1e-9 else quad.mean(axis=0)
