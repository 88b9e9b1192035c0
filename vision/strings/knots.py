"""Where a string crosses or lies on itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.strings.centreline import SPACING_PX
from vision.strings.ground import Floats, Ground
from vision.strings.nearness import Ints, pairs_within
from vision.strings.strips import on_pieces
from vision.strings.tone import alike, own_tone, tones
from vision.strings.traced import TracedString

APART_WIDTHS = 4.0  # along the string, in widths: nearer points are neighbours, not a meeting
TOUCH_WIDTHS = 0.8  # between centrelines: nearer than that the cord lies on itself
NECK_WIDTHS = 6.0  # between centrelines: a loop's neck is narrower
BULGE = 2.0  # times as long as its neck is wide is a loop, at least: more than half round
BESIDE_WIDTHS = 0.75  # from a centreline: farther off lies what is no longer that stretch of string
MOST_CROSSINGS = 6  # a true crossing is told as one to four; a string with more may have been followed to and fro
FILLED = 0.8  # share of a neck that must look like string
KNOTTED_VISIBLE = 0.9  # what a knot leaves of a string's being seen: it is asked about


def crossings(path: Floats, width: float, closed: bool) -> Floats:
    """Places (m, 2) where a path meets itself, one a meeting."""
    if len(path) < 8:
        return np.zeros((0, 2))
    ring = np.concatenate([path, path[:1]]) if closed else path
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(ring, axis=0).T))])
    pairs = pairs_within(path, max(TOUCH_WIDTHS * width, 1.0))
    if len(pairs) == 0:
        return np.zeros((0, 2))
    met = pairs[_apart(along, pairs, closed) > APART_WIDTHS * width]
    places = (path[met[:, 0]] + path[met[:, 1]]) / 2
    found: list[Floats] = []
    for place in places:
        if all(np.hypot(*(place - other)) > 3 * width for other in found):
            found.append(place)
    return np.array(found).reshape(-1, 2)


def knotted(image: NDArray[np.uint8], ground: Ground, traced: TracedString) -> TracedString:
    """Lead a string that was followed round a small loop through the crossing at the loop's neck, if string lies there.

    The way round passes by the neck; what lies in it is the string's crossing. That it does is then asked. So it is
    where the string seems to lie along itself: more often than not it was followed to and fro.
    """
    if len(traced.crossings_px) > MOST_CROSSINGS:
        return replace(traced, visible=min(traced.visible, KNOTTED_VISIBLE))
    found = _neck(image, ground, traced)
    if found is None:
        return traced
    return led_through(traced, *_crossed(traced.path_px, *found))


def led_through(traced: TracedString, order: Ints, path: Floats) -> TracedString:
    """Lead a string along a path (n, 2) on which it crosses itself, which is then asked about; `order` (n,): which old
    sample each new one was, or is next to.
    """
    return replace(
        traced,
        path_px=path,
        widths_px=traced.widths_px[order],
        sigma_px=traced.sigma_px[order],
        seen=traced.seen[order],
        visible=min(traced.visible, KNOTTED_VISIBLE),
        crossings_px=crossings(path, traced.width_px, traced.closed),
        memory=None,
    )


def _apart(along: NDArray[np.floating[Any]], pairs: Ints, closed: bool) -> Floats:
    """How far apart (m,) points are along a path, the shorter way round; `along` (n + 1,) or (n,) its length so far."""
    apart = np.abs(along[pairs[:, 0]] - along[pairs[:, 1]])
    return np.minimum(apart, along[-1] - apart) if closed else np.asarray(apart)


def _neck(image: NDArray[np.uint8], ground: Ground, traced: TracedString) -> tuple[int, int] | None:
    """Where (i, j) a loop's neck is that looks like string: the two samples on its sides, the loop from i on to j."""
    path, width = traced.path_px, traced.width_px
    if not traced.closed or len(traced.crossings_px) or len(path) < 8:
        return None
    pairs = pairs_within(path, NECK_WIDTHS * width)
    along = np.arange(len(path) + 1) * SPACING_PX
    across = np.hypot(*(path[pairs[:, 0]] - path[pairs[:, 1]]).T)
    round_ = _apart(along, pairs, traced.closed)
    necks = pairs[(across > 2 * (BESIDE_WIDTHS + TOUCH_WIDTHS / 2) * width) & (round_ > BULGE * across)]
    if len(necks) == 0:
        return None
    own = own_tone(image, ground, path, traced.seen)
    across = np.hypot(*(path[necks[:, 0]] - path[necks[:, 1]]).T)
    for i, j in necks[np.argsort(across, kind="stable")].tolist():
        if _filled(image, ground, path[[i, j]], width, own):
            return (i, j) if j - i <= len(path) // 2 else (j, i)
    return None


def _filled(image: NDArray[np.uint8], ground: Ground, ends_px: Floats, width: float, own: Floats) -> bool:
    """Whether what lies between two stretches of string (2, 2) px looks like string itself."""
    length = float(np.hypot(*(ends_px[1] - ends_px[0])))
    inner = np.arange(BESIDE_WIDTHS * width, length - BESIDE_WIDTHS * width + 1e-9, 1.0) / length
    at = ends_px[0] + inner[:, None] * (ends_px[1] - ends_px[0])
    like = alike(tones(image, ground, at), own) & ~on_pieces(ground, at[None])[0]
    return len(like) > 0 and bool(like.mean() >= FILLED)


def _crossed(path: Floats, start: int, stop: int) -> tuple[Ints, Floats]:
    """Go through the neck, back round the loop from `stop` to `start`, and through the neck again.

    Returns for each sample which old one it was, or is next to, and the path (n, 2).
    """
    count = len(path)
    around = np.arange(start, stop + 1 if start < stop else stop + count + 1) % count
    rest = np.arange(around[-1] + 1, around[-1] + 1 + count - len(around)) % count
    ends = path[[start, stop]]
    inner = np.linspace(0, 1, max(round(float(np.hypot(*(ends[1] - ends[0]))) / SPACING_PX), 2) + 1)[1:-1]
    through = ends[0] + inner[:, None] * (ends[1] - ends[0])
    near = np.where(inner < 0.5, start, stop)
    order = np.concatenate([[start], near, around[::-1], near, [stop], rest])
    placed = [path[[start]], through, path[around[::-1]], through, path[[stop]], path[rest]]
    return order, np.concatenate(placed)
