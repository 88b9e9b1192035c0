"""Retracing: the hidden-looking stretches of a string looked for again, at full size, by its own learnt cross-section.

A rough path is drawn at half size by colour and lines alone. Where it was not seen to be right, the way is looked for
anew: over the picture itself, in eight directions, each place costs what the string's cross-section misfits there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.strings.centreline import SPACING_PX, Line
from vision.strings.ground import LOG_OFFSET, Floats, Ground, Image32, Mask, likely_at
from vision.strings.mending import stretches
from vision.strings.outlines import RIM_PX, RIM_TURN
from vision.strings.routes import STEPS, route
from vision.strings.strips import EDGE, resampled, smoothed
from vision.strings.template import CAP, UNTOLD, Template
from vision.threads import each

BACK_WIDTHS = 1.0  # a stretch is looked for again from this far within what was seen on both sides
ISLAND_WIDTHS = 4.0  # what was seen for less than that between two such stretches may be another thing
LEAST_WIDTHS = 1.5  # a shorter stretch lies between its ends whatever it does
MARGIN_WIDTHS, MARGIN_SHARE = 4.0, 0.3  # how far round a stretch is looked: widths, and share of its length
FINE_WIDTH_PX = 4.0  # a wider string is looked for at a smaller size, where it is that wide
# costs a px, in what plain table misfits the string:
LENGTH_COST = 0.06  # of any way: the shorter of two that fit alike
HIDDEN_COST = 0.6  # at most, where a hand may hide the string
CROSSED_COST = 0.85  # at most, under another string, which two seldom share for long
FOREIGN_COST = 1.3  # at most, elsewhere
RIM_COST = 0.4  # more along a piece's own outline, which may look like string
CORD_SHARE = 0.4  # of all that, what counts whether a cord is seen there, whatever its colour
LEAST_TABLE = 0.5  # squared deviations: a string that fits its table better than that cannot be looked for
NEW_SHARE = 0.8  # of the old way's cost a px: a new way that does not fit clearly better is not taken


@dataclass(frozen=True, slots=True)
class Window:
    """A part of the picture: `cost` (8, h, w) a px in each of the routes' directions; `origin_px` and `step_px` of its
    grid.
    """

    cost: Image32
    origin_px: Floats
    step_px: float

    def to_grid(self, points_px: Floats) -> Floats:
        """Carry picture points (n, 2) to the grid."""
        return (points_px - self.origin_px) / self.step_px

    def cost_of(self, path: Floats) -> float:
        """What a path (n, 2) on the grid costs a px."""
        step, middle = np.diff(path, axis=0), (path[1:] + path[:-1]) / 2
        long = np.hypot(step[:, 0], step[:, 1])
        turn = np.abs(step @ _normals().T) / np.maximum(long, 1e-9)[:, None]
        at = np.rint(middle).astype(int)
        rows, columns = at[:, 1].clip(0, self.cost.shape[1] - 1), at[:, 0].clip(0, self.cost.shape[2] - 1)
        return float((self.cost[turn.argmin(1), rows, columns] * long).sum() / max(long.sum(), 1e-9))


def retraced(
    image: NDArray[np.uint8],
    ground: Ground,
    line: Line,
    template: Template,
    outlines_px: Sequence[Floats],
    others: Sequence[Line],
) -> Line:
    """Look again for a line's unseen stretches.

    `outlines_px`: polygons (n, 2) whose edges may look like string; `others`: strings that may lie over it.
    """
    if line.seen.all() or line.seen.sum() < 8:
        return line
    back = round(BACK_WIDTHS * line.width_px / SPACING_PX)
    found = _unseen(line)
    if not found:
        return line
    turn = found[0][0] - back if line.closed else 0
    path, seen = np.roll(line.path_px, -turn, 0), np.roll(line.seen, -turn)
    parts: list[tuple[Floats, Mask]] = []
    at = 0
    for start, stop in found:
        a, b = max(start - turn - back, at), min(stop - turn + back, len(path) - 1)
        if b - a >= 2:
            way = _way(image, ground, line, path[a : b + 1], template, outlines_px, others)
            parts += [(path[at:a], seen[at:a]), (way, np.zeros(len(way), bool))]
            at = b + 1
    parts.append((path[at:], seen[at:]))
    seen = np.concatenate([flags for _, flags in parts])
    path, places = resampled(np.concatenate([points for points, _ in parts]), SPACING_PX, line.closed)
    return replace(line, path_px=path, seen=seen[np.rint(places).astype(int) % len(seen)])


def _unseen(line: Line) -> list[tuple[int, int]]:
    """The stretches (start, stop) worth looking for again: long enough, and between two seen ends."""
    least, island = LEAST_WIDTHS * line.width_px / SPACING_PX, ISLAND_WIDTHS * line.width_px / SPACING_PX
    seen = line.seen.copy()
    for start, stop in stretches(seen, line.closed):
        if stop - start < island:
            seen[np.arange(start, stop) % len(seen)] = False
    if not seen.any():
        return []
    found = [s for s in stretches(~seen, line.closed) if s[1] - s[0] >= least]
    return found if line.closed else [s for s in found if s[0] > 0 and s[1] < len(line.seen)]


def _way(
    image: NDArray[np.uint8],
    ground: Ground,
    line: Line,
    old: Floats,
    template: Template,
    outlines_px: Sequence[Floats],
    others: Sequence[Line],
) -> Floats:
    """The cheapest way (n, 2) from the first to the last point of a stretch (m, 2)."""
    window = _window(image, ground, line, old, template, outlines_px, others)
    ends = window.to_grid(old[[0, -1]])
    way = route(window.cost, ends[0], ends[1])
    new = way * window.step_px + window.origin_px
    new[0], new[-1] = old[0], old[-1]
    if window.cost_of(way) > NEW_SHARE * window.cost_of(window.to_grid(old)):
        return old
    return _calmed(resampled(new, SPACING_PX, False)[0])


def _calmed(path: Floats) -> Floats:
    """Take a route's steps out of it, its ends kept."""
    soft = smoothed(path, 1.5, False)
    soft[0], soft[-1] = path[0], path[-1]
    return soft


def _window(
    image: NDArray[np.uint8],
    ground: Ground,
    line: Line,
    old: Floats,
    template: Template,
    outlines_px: Sequence[Floats],
    others: Sequence[Line],
) -> Window:
    """Cost the surroundings of a stretch."""
    step = max(line.width_px / FINE_WIDTH_PX, 1.0)
    margin = MARGIN_WIDTHS * line.width_px + MARGIN_SHARE * float(np.hypot(*(old[-1] - old[0])))
    low = np.maximum(np.floor(old.min(0) - margin), 0)
    high = np.minimum(np.ceil(old.max(0) + margin), (image.shape[1] - 1, image.shape[0] - 1))
    size = tuple(int(v) for v in np.floor((high - low) / step) + 1)
    reach = float(template.offsets[-1])
    patch, base = _patch(image, ground, low, high, reach)
    y, x = np.mgrid[0 : size[1], 0 : size[0]]
    grid = np.stack([x, y], -1) * step + low
    covered = _sampled(ground.wide & ~ground.pieces, ground, grid)  # what lies on a piece shows
    crossed = _bands(size, low, step, others)
    most = np.where(covered, HIDDEN_COST, np.where(crossed, CROSSED_COST, FOREIGN_COST))
    cost = np.stack(each(lambda normal: _misfit(patch, base - low, step, size, normal, template), _normals()))
    extra = _rims(size, low, step, line.width_px, outlines_px) + np.float32(LENGTH_COST)
    cost = np.minimum(cost, most)
    if ground.cords is not None:  # what is hidden nobody sees
        unlikely = FOREIGN_COST * (1 - likely_at(ground, grid))
        cost = np.where(covered, cost, (1 - CORD_SHARE) * cost + CORD_SHARE * unlikely)
    return Window(np.asarray(cost + extra, np.float32), low, step)


def _sampled(mask: Mask, ground: Ground, at_px: Floats) -> Mask:
    """A working mask at picture points (h, w, 2)."""
    at = np.rint(ground.to_work(at_px)).astype(int)
    return np.asarray(mask[at[..., 1].clip(0, mask.shape[0] - 1), at[..., 0].clip(0, mask.shape[1] - 1)])


def _bands(size: Sequence[int], low: Floats, step: float, others: Sequence[Line]) -> Mask:
    """Where the other strings lie (h, w)."""
    canvas = np.zeros((size[1], size[0]), np.uint8)
    for other in others:
        points = np.rint((other.path_px - low) / step * 16).astype(np.int32)
        cv2.polylines(canvas, [points], other.closed, 1, max(round(other.width_px / step), 1), cv2.LINE_8, 4)
    return np.asarray(canvas > 0)


def _normals() -> Floats:
    """The normals (8, 2) of the routes' directions."""
    way = np.array([(dx, dy) for dy, dx, _ in STEPS], np.float64)
    way /= np.hypot(way[:, 0], way[:, 1])[:, None]
    return np.stack([-way[:, 1], way[:, 0]], 1)


def _patch(image: NDArray[np.uint8], ground: Ground, low: Floats, high: Floats, reach: float) -> tuple[Image32, Floats]:
    """The picture over the table's light from `low` to `high` and `reach` px round it, with what pieces cover there.

    Returns (h, w, 4), and where it begins.
    """
    a = np.maximum(np.floor(low - reach - 1), 0).astype(int)
    b = np.minimum(np.ceil(high + reach + 2), (image.shape[1], image.shape[0])).astype(int)
    part = image[a[1] : b[1], a[0] : b[0]].astype(np.float32) + np.float32(LOG_OFFSET)
    maps = ground.light, ground.pieces.astype(np.float32)
    light, pieces = (ground.at_picture(one, a, part.shape[1::-1]) for one in maps)
    return np.dstack([part / np.exp(light), pieces]), a.astype(np.float64)


def _warped(image: Image32, carry: Floats, size: Sequence[int]) -> Image32:
    """A picture at the places to which `carry` (2, 3) takes a grid of `size` (w, h)."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(image, carry, tuple(size), flags=flags, borderMode=cv2.BORDER_REPLICATE))


def _misfit(
    patch: Image32, base: Floats, step: float, size: Sequence[int], normal: Floats, template: Template
) -> Image32:
    """How badly each grid place fits the string with this normal (h, w); plain table: 1."""
    want = template.at(np.array([np.arctan2(normal[1], normal[0])]))[0]
    sharp = 1 / (template.noise * np.sqrt(3))
    total, weight = np.zeros((size[1], size[0]), np.float32), 0.0
    for k in range(0, len(template.offsets), max(round(step / (template.offsets[1] - template.offsets[0])), 2)):
        shift = template.offsets[k] * normal - base
        at = cv2.split(_warped(patch, np.array([[step, 0, shift[0]], [0, step, shift[1]]]), size))
        away = np.zeros_like(total)
        for c in range(3):
            off = at[c] * np.float32(sharp[k, c])
            off -= np.float32(want[k, c] * sharp[k, c])
            off *= off
            away += off
        if not template.core[k]:
            away[at[3] > EDGE] = UNTOLD * template.table
        np.minimum(away, np.float32(CAP), out=away)
        away *= np.float32(template.weight[k])
        total += away
        weight += template.weight[k]
    return np.asarray(np.minimum(total / np.float32(weight * max(template.table, LEAST_TABLE)), FOREIGN_COST))


def _rims(size: tuple[int, ...], low: Floats, step: float, width_px: float, outlines_px: Sequence[Floats]) -> Image32:
    """What running along pieces' outlines costs more (8, h, w)."""
    extra = np.zeros((len(STEPS), size[1], size[0]), np.float32)
    normals = _normals()
    thick = max(round((width_px + 2 * RIM_PX) / step), 1)
    for polygon in outlines_px:
        corners = (np.asarray(polygon, np.float64) - low) / step
        if (corners.max(0) < -thick).any() or (corners.min(0) > np.array(size[:2]) + thick).any():
            continue
        for a, b in zip(corners, np.roll(corners, -1, 0), strict=True):
            along = (b - a) / max(float(np.hypot(*(b - a))), 1e-9)
            parallel = np.sqrt(np.maximum(1 - (normals @ along) ** 2, 0)) > RIM_TURN
            canvas = np.zeros((size[1], size[0]), np.uint8)
            ends = np.rint(np.stack([a, b]) * 16).astype(int).tolist()
            cv2.line(canvas, ends[0], ends[1], 1, thick, cv2.LINE_8, 4)
            extra[parallel] = np.maximum(extra[parallel], canvas * np.float32(RIM_COST))
    return extra
