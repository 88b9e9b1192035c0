"""Pieces of one size, laid apart, found exactly without any reference: by the border that they have in common.

A printed frame, the edge itself, a thick tile's wall and its shadow are all straight lines. The frame is on all four
sides and has the edge outside it; wall and shadow are on some sides only. So all pieces are first laid onto the border
lines they share, whatever those are, and the edge is then the outermost line that all four sides have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision import plane as planes
from vision.plane import Plane
from vision.ranks import median, quantile

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

SAMPLES = 36  # looks along a side
INSET = 0.14  # of a side, left out at each end: rounded corners
LOOKS = 121  # looks across a side, from inside to outside
ROUNDS_OF_REACH = ((0.24, 7.0), (0.16, 5.0), (0.16, 4.0), (0.08, 3.0))
"""How far it is looked, as a share of the shorter side, and how soft (looks) the common border is at first."""
TURNS = np.tan(np.radians(np.linspace(-4, 4, 17)))
LAST_SOFT = 1.5  # looks: the border that pieces are compared with is sharpened to this
ROUNDS = 5
EDGE_NOISE = 3.0  # an edge this many times the usual unevenness counts half of a perfect one
LIKELY_SLIDE = 25.0  # looks: one σ of how far a piece is off where it was thought to be
FARTHER = 0.3  # of the shorter side: how far it is looked for a piece that may lie elsewhere than it was thought to
NEARBY = 0.1  # likewise, where it is only to be told whether they have an edge
EDGE, NEAR = 0.5, 4
"""A side has an edge from so much of a perfect one on, within so many looks."""
PLAIN, CROOKED = 0.9, 2
"""A piece is laid elsewhere where each of its sides has so much of an edge, and where it is hardly turned."""
CREST = 9  # looks: of edges nearer than this only the strongest counts
OUTER_SHARE = 0.45  # a line on all four sides counts from this share of the best on
FLOOR_RATIO = 2.0  # and from this many times what bare table gives


@dataclass(frozen=True)
class Border:
    """What pieces have along their sides.

    `votes`: (n, 4, TURNS, LOOKS), 0 to 1, how much of an edge there is; `looks_mm`: (LOOKS,), outwards from where the
    side was thought to be; `steps`: (n, 4, LOOKS, 3), by how much the colour changes a look, straight along the side.
    """

    votes: Floats
    looks_mm: Floats
    steps: Floats


@dataclass(frozen=True)
class Framing:
    """Exact corners (n, 4, 2) px, and how sharp the border is that they share: of two, the sharper is the better."""

    corners_px: Floats
    sharpness: float


def frame(
    image: Image,
    plane: Plane,
    corners_px: Floats,
    size_mm: tuple[float, float],
    height_mm: float,
    rounds: Sequence[tuple[float, float]] = ROUNDS_OF_REACH,
) -> Framing:
    """Find exact corners for rough ones (n, 4, 2) px of pieces of one size, in their order."""
    sizes = np.broadcast_to(np.asarray(size_mm, float), (len(corners_px), 2))
    corners = planes.lengthwise(corners_px, sizes)
    sharpness = 0.0
    for reach, soft in rounds:
        rects = planes.rectangles(plane.to_mm(corners, height_mm), sizes)
        border = look(image, plane, rects, height_mm, reach * min(size_mm))
        rects, lines = _aligned(border, rects, soft)
        grown = planes.rectangles(rects, sizes + 2 * outer_mm(lines, border.looks_mm))
        corners = plane.to_px(grown, height_mm)
        plane = planes.fit(corners, sizes, (image.shape[1], image.shape[0]), height_mm=height_mm, noise_px=1.0) or plane
        sharpness = float((softened(lines, LAST_SOFT).min(axis=0) ** 2).sum() * reach)
    rigid = planes.rectangles(plane.to_mm(corners, height_mm), sizes)
    return Framing(plane.to_px(rigid, height_mm), sharpness)


def relaid(image: Image, corners_px: Floats, size_mm: tuple[float, float], height_mm: float) -> Floats:
    """Lay pieces (n, 4, 2) px elsewhere that have an edge there on sides where they have none: no guess is kept.

    A line of the table that runs into a piece's side may have drawn it away from where it lies.
    """
    seen = at_sides(image, corners_px, size_mm, height_mm, FARTHER)
    if seen is None or median(seen.shares) < EDGE:
        return corners_px
    border, level = seen.border, len(TURNS) // 2
    common = softened(border.votes[:, :, level].mean(axis=(0, 1))[None], LAST_SOFT)[0]
    turns, slides = np.full(len(corners_px), level), np.zeros((len(corners_px), 2), int)
    for k in np.flatnonzero(seen.shares.min(axis=1) < EDGE):
        turn, slide = _farther(border.votes[k], common)
        there = [_at(border.votes[k, side, turn], out) for side, out in enumerate((slide[1], slide[0], *-slide[::-1]))]
        if min(there) > PLAIN and abs(turn - level) <= CROOKED:
            turns[k], slides[k] = turn, slide
    elsewhere = np.asarray((turns != level) | slides.any(axis=1))
    moved = seen.plane.to_px(_moved(border, seen.rects_mm, turns, slides), height_mm)
    return np.where(elsewhere[:, None, None], moved, seen.corners_px)


@dataclass(frozen=True)
class Sides:
    """How much of an edge pieces have at their sides: `shares` (n, 4), 0 to 1; and what was looked at for that."""

    shares: Floats
    corners_px: Floats
    rects_mm: Floats
    plane: Plane
    border: Border


def at_sides(
    image: Image, corners_px: Floats, size_mm: tuple[float, float], height_mm: float, reach: float = NEARBY
) -> Sides | None:
    """Tell how much of an edge pieces (n, 4, 2) px of one size have where their sides lie; None: on no one plane.

    `reach`: how far beside them it is looked, as a share of the shorter side: a stronger line there weakens an edge.
    """
    sizes = np.broadcast_to(np.asarray(size_mm, float), (len(corners_px), 2))
    corners = planes.lengthwise(corners_px, sizes)
    plane = planes.fit(corners, sizes, (image.shape[1], image.shape[0]), height_mm=height_mm)
    if plane is None:
        return None
    rects = planes.rectangles(plane.to_mm(corners, height_mm), sizes)
    border = look(image, plane, rects, height_mm, reach * min(size_mm))
    level = len(TURNS) // 2
    near = border.votes[:, :, level - 2 : level + 3].max(axis=2)
    shares = np.array([[_at(side, 0) for side in piece] for piece in near], float)
    return Sides(shares.reshape(-1, 4), corners, rects, plane, border)


def _at(votes: Floats, out: int) -> float:
    """Return the strongest vote (LOOKS,) near a place, so many looks outwards."""
    middle = LOOKS // 2 + out
    return float(votes[max(middle - NEAR, 0) : middle + NEAR + 1].max(initial=0.0))


def _farther(votes: Floats, common: Floats) -> tuple[int, Floats]:
    """Return the turn and the slide that lay one piece's votes onto the common border, as `_best`, from far off."""
    match = _correlated(votes, common)
    across, along = match[1] + match[3][:, ::-1], match[0] + match[2][:, ::-1]
    turn = int(np.argmax(across.max(axis=1) + along.max(axis=1)))
    reach = match.shape[-1] // 2
    return turn, np.array([across[turn].argmax() - reach, along[turn].argmax() - reach])


def look(image: Image, plane: Plane, rects_mm: Floats, height_mm: float, reach_mm: float) -> Border:
    """Look across every side of the rectangles (n, 4, 2) mm, `reach_mm` inwards and outwards."""
    looks_mm = np.linspace(-reach_mm, reach_mm, LOOKS)
    along = np.linspace(INSET, 1 - INSET, SAMPLES)
    start, stop = rects_mm, np.roll(rects_mm, -1, axis=1)
    side = stop - start
    length = np.linalg.norm(side, axis=-1, keepdims=True)
    outward = np.stack([-side[..., 1], side[..., 0]], axis=-1) / length  # clockwise corners, y up: left of the way
    points = start[:, :, None] + side[:, :, None] * along[:, None]  # (n, 4, S, 2)
    places = points[:, :, :, None] + outward[:, :, None, None] * looks_mm[:, None]  # (n, 4, S, L, 2)
    px = plane.to_px(places, height_mm).astype(np.float32)
    flat = px.reshape(-1, LOOKS, 2)
    seen = cv2.remap(image, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colours = seen.reshape(*px.shape[:-1], 3).astype(np.float64)  # (n, 4, S, L, 3)
    step_mm = looks_mm[1] - looks_mm[0]
    votes = np.stack([_edges(colours, along, length[..., 0], turn / step_mm) for turn in TURNS], axis=2)
    half = max(EDGE_NOISE * float(quantile(votes, 0.3)), 0.15)
    crest = cv2.dilate(votes.reshape(-1, LOOKS), np.ones((1, 2 * CREST + 1))).reshape(votes.shape)
    crest = crest.max(axis=2, keepdims=True)  # over all turns: an edge seen crooked is a weaker one
    peaked = ((votes / np.maximum(crest, 1e-9)) ** 2) ** 2  # an edge's foot is no edge
    steps = _steps(colours, along, length[..., 0], 0.0)
    return Border(peaked * votes**2 / (votes**2 + half**2), looks_mm, steps)


def outer_mm(lines: Floats, looks_mm: Floats) -> float:
    """Return where the outermost line lies that all four sides have: lines (4, LOOKS), outwards from the sides."""
    every = softened(lines, 1.5).min(axis=0)
    floor = float(quantile(every, 0.25))
    least = max(OUTER_SHARE * float(every.max()), FLOOR_RATIO * floor)
    peak = (every[1:-1] > every[:-2]) & (every[1:-1] >= every[2:]) & (every[1:-1] >= least)
    if not peak.any():
        return 0.0
    k = int(np.flatnonzero(peak).max()) + 1
    left, middle, right = every[k - 1 : k + 2]
    bend = left - 2 * middle + right
    part = 0.5 * (left - right) / bend if bend < 0 else 0.0
    return float(looks_mm[k] + part * (looks_mm[1] - looks_mm[0]))


def _edges(colours: Floats, along: Floats, length_mm: Floats, turn: float) -> Floats:
    """Return the size of the colour step across each side (n, 4, L), along a line that is crooked by `turn`."""
    return np.asarray(np.sqrt((_steps(colours, along, length_mm, turn) ** 2).sum(axis=-1)), float)


def _steps(colours: Floats, along: Floats, length_mm: Floats, turn: float) -> Floats:
    """Return the colour step across each side (n, 4, L, 3), meant along a line that is crooked by `turn` looks a mm."""
    n, sides, _, looks, _ = colours.shape
    shift = np.rint(turn * (along - 0.5) * length_mm[..., None]).astype(int)  # (n, 4, S)
    index = np.clip(np.arange(looks) + shift[..., None], 0, looks - 1)
    straight = np.take_along_axis(colours, index[..., None], axis=3).mean(axis=2)  # (n, 4, L, 3)
    smooth = softened(np.moveaxis(straight, -1, 0).reshape(3 * n * sides, looks), 1.0)
    return np.moveaxis(np.gradient(smooth, axis=1).reshape(3, n, sides, looks), 0, -1)


def _aligned(border: Border, rects_mm: Floats, first_soft: float) -> tuple[Floats, Floats]:
    """Turn and slide each rectangle onto the border that all share; return them and that border's lines (4, LOOKS)."""
    n = len(rects_mm)
    turns, slides = np.full(n, len(TURNS) // 2), np.zeros((n, 2), int)
    for soft in np.geomspace(first_soft, LAST_SOFT, ROUNDS):
        common = softened(_laid(border, turns, slides).mean(axis=(0, 1))[None], float(soft))[0]
        for i in range(n):
            turns[i], slides[i] = _best(border.votes[i], common)
    lines = np.asarray(_laid(border, turns, slides).mean(axis=0), float)
    return _moved(border, rects_mm, turns, slides), lines


def _moved(border: Border, rects_mm: Floats, turns: npt.NDArray[np.int64], slides: npt.NDArray[np.int64]) -> Floats:
    """Turn rectangles (n, 4, 2) mm, and slide them so many looks to the right and up."""
    step_mm = float(border.looks_mm[1] - border.looks_mm[0])
    shifted = []
    for rect, turn, slide in zip(rects_mm, turns, slides, strict=True):
        right, up = rect[1] - rect[0], rect[0] - rect[3]
        right, up = right / np.linalg.norm(right), up / np.linalg.norm(up)
        middle = rect.mean(axis=0)
        angle = float(np.arctan(TURNS[turn]))
        c, s = np.cos(angle), np.sin(angle)
        spun = (rect - middle) @ np.array([[c, s], [-s, c]]) + middle
        shifted.append(spun + (right * slide[0] + up * slide[1]) * step_mm)
    return np.array(shifted)


def _best(votes: Floats, common: Floats) -> tuple[int, Floats]:
    """Return the turn and the slide (right, up; in looks) that lay one piece's votes onto the common border."""
    match = _correlated(votes, common)  # (4, TURNS, slides): top, right, foot, left, each slid outwards
    reach = match.shape[-1] // 2
    likely = np.exp(-0.5 * (np.arange(-reach, reach + 1) / LIKELY_SLIDE) ** 2)
    match = (match - match.min()) * likely
    across = match[1] + match[3][:, ::-1]
    along = match[0] + match[2][:, ::-1]
    turn = int(np.argmax(across.max(axis=1) + along.max(axis=1)))
    return turn, np.array([across[turn].argmax() - reach, along[turn].argmax() - reach])


def _correlated(votes: Floats, common: Floats) -> Floats:
    """Correlate each side's votes with the common border for slides up to a third: (4, TURNS, 2·reach + 1)."""
    reach = LOOKS // 3
    padded = np.pad(votes, ((0, 0), (0, 0), (reach, reach)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, LOOKS, axis=2)
    return np.asarray(windows @ (common - common.mean()), float)


def _laid(border: Border, turns: npt.NDArray[np.int64], slides: npt.NDArray[np.int64]) -> Floats:
    """Return the votes (n, 4, LOOKS) of each piece as turned and slid."""
    out = np.zeros((len(turns), 4, LOOKS))
    grid = np.arange(LOOKS)
    for i, (turn, (right, up)) in enumerate(zip(turns, slides, strict=True)):
        for side, slide in enumerate((up, right, -up, -right)):
            index = grid + slide
            inside = (index >= 0) & (index < LOOKS)
            out[i, side, inside] = border.votes[i, side, turn, index[inside]]
    return out


def softened(rows: Floats, sigma: float) -> Floats:
    """Blur rows (n, LOOKS) along themselves."""
    return np.asarray(
        cv2.GaussianBlur(rows, (0, 1), sigmaX=sigma, sigmaY=0.001, borderType=cv2.BORDER_REPLICATE), float
    )
