"""Curls: small rings of its own string that touch a string which was followed straight past them; and loose tails.

In a curl a string crosses itself. A ring of its colour, with table inside, is one, or nobody can say what it is: the
string is led through it, and whether it crosses itself there is asked. Of a tail of its colour, such as a loop drawn
tight makes, nobody can say how the string runs there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.strings.centreline import Line
from vision.strings.ground import Floats, Ground, Image32, Mask
from vision.strings.knots import KNOTTED_VISIBLE, led_through
from vision.strings.nearness import nearest_distance
from vision.strings.strips import EDGE
from vision.strings.tone import about_table, alike, own_tone, tones_within
from vision.strings.traced import TracedString

REACH_WIDTHS = 16.0  # from a string's middle: a curl lies nearer
OWN_WIDTHS = 0.9  # from its middle: what lies nearer is this stretch of it, or its edge
TOUCH_WIDTHS = 0.6  # beyond that a ring's inside begins, where it touches
INSIDE_WIDTHS = (1.2, 12.0)  # across, of a ring's inside: smaller may be grain between strands, larger is no curl
LONGEST = 4.0  # times as long as it is broad is a ring's inside, at most
BARE_SHARE = 0.6
"""Of a ring's inside that must be plain table: between the two edges of another string there is none."""
RING_SHARE = 0.85  # of what lies round a ring's inside, the string itself left out, that must have its colour
BEYOND_WIDTHS, BEYOND_SHARE = (1.5, 2.2), 0.75
"""So far from a ring's inside its cord has ended: so much of what lies there, the string itself left out, must not have
its colour. Cloth of the string's colour has no such end."""
LEAST_CORD = 0.3  # how likely a cord is seen in a ring, at least; twice as likely as within it
TAIL_WIDTHS, TAIL_AREA, TAIL_CORD = 6.0, 4.0, 0.08
"""How far a tail reaches from the string's middle, in widths, how large it is, in squares of them, and how likely it is
a cord, all at least: two strands side by side look little like one."""
ASTRAY_SHARE = 0.5
"""One σ of a curl's place, of how far it leads from where the string was followed: it may be a print, and no string."""
LEAST_RING = 0.4  # of what lies round it that must not be the string followed: else it is a bend's inside


def curled(image: NDArray[np.uint8], ground: Ground, traced: TracedString, others: Sequence[Line] = ()) -> TracedString:
    """Lead a string through the first curl that hangs on it, if there is one; `others`: the other strings."""
    if not traced.closed or len(traced.crossings_px) or len(traced.path_px) < 8:
        return traced
    round_ = _surroundings(image, ground, traced, others)
    ring = next(_rings(round_, traced.width_px), None)
    if ring is None:
        loose = _tailed(round_, traced.width_px)
        return replace(traced, closed=False, visible=min(traced.visible, KNOTTED_VISIBLE)) if loose else traced
    through = led_through(traced, *_through(traced.path_px, ring))
    doubt = ASTRAY_SHARE * nearest_distance(through.path_px, traced.path_px)
    return replace(through, sigma_px=np.hypot(through.sigma_px, doubt))


@dataclass(frozen=True, slots=True)
class _Around:
    """What lies round a string, place by place (h, w) from `low` (x, y) px on.

    `away`: px from its middle; `own`: it itself; `beside`: free table near it; `like`: its colour there; `bare`: about
    the table's; `likely`: how likely a cord, where that is known.
    """

    low: NDArray[np.int64]
    away: NDArray[np.float32]
    own: Mask
    beside: Mask
    like: Mask
    bare: Mask
    likely: Image32 | None


def _surroundings(image: NDArray[np.uint8], ground: Ground, traced: TracedString, others: Sequence[Line]) -> _Around:
    """Look at what lies round a string, but for pieces and the other strings."""
    width, path = traced.width_px, traced.path_px
    low = np.maximum(np.floor(path.min(0) - REACH_WIDTHS * width), 0).astype(int)
    high = np.minimum(np.ceil(path.max(0) + REACH_WIDTHS * width) + 1, image.shape[1::-1]).astype(int)
    size = tuple(high - low)
    away = _away(path - low, size)
    looks, tone = tones_within(image, ground, low, high), own_tone(image, ground, path, traced.seen)
    pieces = ground.at_picture(ground.pieces.astype(np.float32), low, size) > EDGE
    beside = (away >= OWN_WIDTHS * width) & (away < REACH_WIDTHS * width) & ~pieces
    for other in others:
        beside &= _away(other.path_px - low, size) > OWN_WIDTHS * other.width_px
    likely = None if ground.cords is None else ground.at_picture(ground.cords, low, size)
    return _Around(
        low, away, away < OWN_WIDTHS * width, beside, alike(looks, tone) & beside, about_table(looks, tone), likely
    )


def _rings(a: _Around, width: float) -> Iterator[Floats]:
    """Give each ring (n, 2) px of the string's colour, or else of cord, that touches it from beside, small enough for a
    curl.
    """
    for inside in _insides(a.own, a.like, a.beside, a.bare, width):
        if _ends(a, inside, width):
            yield _outline(inside, width) + a.low
    if a.likely is not None:
        for inside in _insides(a.own, (a.likely > LEAST_CORD) & a.beside, a.beside, a.likely < LEAST_CORD / 2, width):
            yield _outline(inside, width) + a.low


def _tailed(a: _Around, width: float) -> bool:
    """Tell whether a tail of the string's colour, that may be cord, hangs on it."""
    if a.likely is None:
        return False
    hanging = (a.like & (a.likely > TAIL_CORD)).astype(np.uint8)
    count, label, stats, _ = cv2.connectedComponentsWithStats(hanging, connectivity=8)
    foot = cv2.dilate(a.own.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    large = [k for k in range(1, count) if stats[k, cv2.CC_STAT_AREA] >= TAIL_AREA * width**2]
    return any(bool((label[foot] == k).any()) and a.away[label == k].max() > TAIL_WIDTHS * width for k in large)


def _away(path: Floats, size: tuple[int, ...]) -> NDArray[np.float32]:
    """How far each place (h, w) of a grid is from a closed path (n, 2) on it."""
    free = np.ones(size[::-1], np.uint8)
    cv2.polylines(free, [np.rint(path * 16).astype(np.int32)], True, 0, 1, cv2.LINE_8, 4)
    return np.asarray(cv2.distanceTransform(free, cv2.DIST_L2, 5), np.float32)


def _insides(own: Mask, like: Mask, open_: Mask, bare: Mask, width: float) -> Iterator[Mask]:
    """Give what lies within each ring (h, w): bare table that string closes in, and that reaches the string's edge."""
    low, high = (np.pi / 4 * (across * width) ** 2 for across in INSIDE_WIDTHS)
    count, label, stats, _ = cv2.connectedComponentsWithStats((open_ & ~like).astype(np.uint8), connectivity=4)
    size = 2 * int(np.ceil(TOUCH_WIDTHS * width)) + 1
    for k in range(1, count):
        if not low <= stats[k, cv2.CC_STAT_AREA] <= high:
            continue
        inside = np.asarray(label == k)
        _, across, _ = cv2.minAreaRect(np.argwhere(inside).astype(np.float32))
        if max(across) > LONGEST * min(across) or bare[inside].mean() < BARE_SHARE:
            continue
        near = cv2.dilate(inside.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        rim = near & ~inside
        beyond = rim & ~own
        touches = bool((cv2.dilate(inside.astype(np.uint8), np.ones((size, size), np.uint8))[own]).any())
        if touches and beyond.sum() >= LEAST_RING * rim.sum() and like[beyond].mean() >= RING_SHARE:
            yield inside


def _ends(a: _Around, inside: Mask, width: float) -> bool:
    """Tell whether the string's colour round a ring's inside (h, w) is as broad as a cord and no broader."""
    far = cv2.distanceTransform((~inside).astype(np.uint8), cv2.DIST_L2, 5) / width
    beyond = (far > BEYOND_WIDTHS[0]) & (far < BEYOND_WIDTHS[1]) & (a.away > 2 * width)
    return not beyond.any() or bool((~a.like[beyond]).mean() >= BEYOND_SHARE)


def _outline(inside: Mask, width: float) -> Floats:
    """The middle (n, 2) of the string round a ring's inside (h, w)."""
    reach = int(np.ceil(0.5 * width))
    grown = cv2.copyMakeBorder(inside.astype(np.uint8), reach, reach, reach, reach, cv2.BORDER_CONSTANT)
    grown = cv2.dilate(grown, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1)))
    found, _ = cv2.findContours(grown, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(max(found, key=len)[:, 0] - reach, np.float64)


def _through(path: Floats, ring: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Go along a path (n, 2), round a ring (m, 2) where it is nearest, and on.

    Returns for each sample which old one it was, or is next to, and the path.
    """
    away = np.hypot(*np.moveaxis(path[:, None] - ring[None], -1, 0))
    k, first = (int(v) for v in np.unravel_index(int(away.argmin()), away.shape))
    round_ = np.roll(ring, -first, 0)
    ahead = path[(k + 2) % len(path)] - path[k - 2]
    if (round_[min(3, len(ring) - 1)] - round_[0]) @ ahead < 0:
        round_ = np.roll(round_[::-1], 1, 0)
    round_ = np.concatenate([round_, round_[:1]])
    order = np.concatenate([np.arange(k + 1), np.full(len(round_), k), np.arange(k + 1, len(path))])
    return order, np.concatenate([path[: k + 1], round_, path[k + 1 :]])
