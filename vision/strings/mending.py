"""Unseen stretches of a settled line: drawn anew from their seen ends, and small tangles cut out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.strings.centreline import SPACING_PX, Line, Placed
from vision.strings.ground import Floats, Mask
from vision.strings.nearness import pairs_within

TANGENT_WIDTHS = 2.5  # of seen string before a bridge that tell its direction
SUPPORT = 0.25  # share of the cap by which the way followed must fit better than plain blankness to be kept
TANGLE_WIDTHS = 4.0  # a loop shorter than this is no crossing: no cord bends so


def mended(line: Line, placed: Placed | None) -> Line:
    """Redraw a line's unseen stretches as smooth curves between their seen ends, but where the way followed is well
    supported.
    """
    if line.seen.all() or line.seen.sum() < 8:
        return line
    path = line.path_px.copy()
    back = max(round(TANGENT_WIDTHS * line.width_px / SPACING_PX), 4)
    for start, stop in stretches(~line.seen, line.closed):
        if not line.closed and (start == 0 or stop == len(path)):
            continue
        index = np.arange(start, stop) % len(path)
        if placed is not None and _supported(placed.misfit[index], placed.blank[index]):
            continue
        path[index] = _curve(line.path_px, line.seen, start - 1, stop, back, line.closed)
    return replace(line, path_px=path)


def _supported(misfit: Floats, blank: Floats) -> bool:
    """Whether a stretch fits the string clearly better than what lies around it does."""
    return float(np.mean(blank - misfit)) > SUPPORT


def _curve(path: Floats, seen: Mask, before: int, after: int, back: int, closed: bool) -> Floats:
    """A smooth curve from sample `before` to sample `after` (either may pass the loop's start), its inner points."""
    count = len(path)
    a, b = path[before % count], path[after % count]
    leaving, arriving = _heading(path, seen, before, -1, back, closed), -_heading(path, seen, after, 1, back, closed)
    pull = float(np.hypot(*(b - a)))
    t = np.linspace(0, 1, after - before + 1)[1:-1, None]
    return np.asarray(
        (2 * t**3 - 3 * t**2 + 1) * a
        + (t**3 - 2 * t**2 + t) * pull * leaving
        + (3 * t**2 - 2 * t**3) * b
        + (t**3 - t**2) * pull * arriving
    )


def _heading(path: Floats, seen: Mask, at: int, step: int, back: int, closed: bool) -> Floats:
    """The unit direction from the seen samples behind `at` (going away from the bridge by `step`) towards it."""
    count = len(path)
    index = [at]
    while len(index) < back:
        following = index[-1] + step
        if (not closed and not 0 <= following < count) or not seen[following % count]:
            break
        index.append(following)
    points = path[np.array(index) % count]
    if len(points) < 3:
        points = path[(at + step * np.arange(4)) % count]
    order = -np.arange(len(points), dtype=np.float64)
    order -= order.mean()
    slope = order @ (points - points.mean(0))
    return np.asarray(slope / max(float(np.hypot(*slope)), 1e-9))


def stretches(marked: Mask, closed: bool) -> list[tuple[int, int]]:
    """Runs (start, stop) of marked samples; round a loop `stop` may pass its end."""
    count = len(marked)
    turn = int(np.argmin(marked)) if closed else 0
    rolled = np.concatenate([[False], np.roll(marked, -turn), [False]])
    edges = np.flatnonzero(np.diff(rolled.astype(int)))
    return (
        [(int(a) + turn, int(b) + turn) for a, b in zip(edges[::2], edges[1::2], strict=True)]
        if not marked.all()
        else [(0, count)]
    )


def untangled(line: Line) -> Line:
    """Cut out loops too small for a cord, such as joints leave where two runs overlap."""
    count = len(line.path_px)
    following = np.roll(line.path_px, -1, 0)
    middle = (line.path_px + following) / 2
    longest = float(np.hypot(*(following - line.path_px)[: count - (not line.closed)].T).max())
    pairs = pairs_within(middle, min(longest, 4 * SPACING_PX) + SPACING_PX)
    apart = pairs[:, 1] - pairs[:, 0]
    around = np.minimum(apart, count - apart) if line.closed else apart
    near = pairs[(around > 1) & (around * SPACING_PX < TANGLE_WIDTHS * line.width_px)]
    crossed = near[
        _cross(line.path_px[near[:, 0]], following[near[:, 0]], line.path_px[near[:, 1]], following[near[:, 1]])
    ]
    drop = np.zeros(count, bool)
    for i, j in crossed.tolist():
        if j - i <= count // 2:
            drop[i + 1 : j + 1] = True
        else:
            drop[j + 1 :] = True
            drop[: i + 1] = True
    if not drop.any():
        return line
    keep = ~drop
    return replace(line, path_px=line.path_px[keep], seen=line.seen[keep])


def _cross(a: Floats, b: Floats, c: Floats, d: Floats) -> Mask:
    """Whether segments a-b and c-d (n, 2 each) cross."""

    def side(p: Floats, q: Floats, r: Floats) -> Floats:
        return np.asarray((q[:, 0] - p[:, 0]) * (r[:, 1] - p[:, 1]) - (q[:, 1] - p[:, 1]) * (r[:, 0] - p[:, 0]))

    return np.asarray((side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0))
