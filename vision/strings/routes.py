"""Routes: the way between two points of a string that keeps to what looks like it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.ranks import median
from vision.strings.ground import Floats, Image32

MARGIN_PX, MARGIN_SHARE = 9, 0.35  # how far round the straight way a route may swing: work px, and share of its length
RIM = 2  # places: the longest move
ROUNDING = 1e-9  # of a cost: less is no gain
STEPS = (
    (0, 1, 1.0),
    (1, 0, 1.0),
    (1, 1, 1.4142),
    (1, -1, 1.4142),
    (1, 2, 2.2361),
    (2, 1, 2.2361),
    (1, -2, 2.2361),
    (2, -1, 2.2361),
)

MOVES = tuple((sign * dy, sign * dx, k) for k, (dy, dx, _) in enumerate(STEPS) for sign in (1, -1))
"""The steps both ways: rows, columns, which step."""
OFFSETS = np.array([(dy, dx) for dy, dx, _ in MOVES])
KINDS, HALVES = np.array([[k] for *_, k in MOVES]), np.array([[STEPS[k][2] / 2] for *_, k in MOVES])
TOGETHER = 2.0  # of a px' usual cost: places that differ by no more go on at once


def route(cost: Image32, start: Floats, stop: Floats) -> Floats:
    """Return the cheapest path (n, 2), from `start` to `stop`, both included as given.

    `cost`: a px (h, w), or in each direction of `STEPS` (8, h, w).
    """
    height, width = cost.shape[-2:]
    margin = MARGIN_PX + MARGIN_SHARE * float(np.hypot(*(stop - start)))
    low = np.maximum(np.floor(np.minimum(start, stop) - margin), 0).astype(int)
    high = np.minimum(np.ceil(np.maximum(start, stop) + margin), (width - 1, height - 1)).astype(int)
    patch = np.asarray(cost[..., low[1] : high[1] + 1, low[0] : high[0] + 1], np.float64)
    rows, columns = patch.shape[-2:]
    if min(rows, columns) < 3:
        return np.stack([start, stop])
    inner = [(np.clip(np.rint(p) - low, 0, (columns - 1, rows - 1))).astype(int) for p in (start, stop)]
    (x, y), target = (tuple(int(v) for v in p) for p in inner)
    before = _came_from(np.broadcast_to(patch, (len(STEPS), rows, columns)), (y, x), (target[1], target[0]))
    nodes = [(target[1], target[0])]
    while nodes[-1] != (y, x) and before[nodes[-1]] >= 0:
        dy, dx, _ = MOVES[int(before[nodes[-1]])]
        nodes.append((nodes[-1][0] - dy, nodes[-1][1] - dx))
    points = np.array(nodes[::-1], np.float64)[:, ::-1] + low
    points[0], points[-1] = start, stop
    return points if len(points) > 1 else np.stack([start, stop])


def _came_from(patch: NDArray[np.float64], source: tuple[int, int], target: tuple[int, int]) -> NDArray[np.int64]:
    """By which move each place (h, w) of a patch (8, h, w) is reached most cheaply from `source`; -1: by none.

    A move costs the mean of both ends' cost that way times its length. What was reached more cheaply than before goes
    on from there, the cheapest first; places from where no way to `target` could cost less than the best one known, at
    first the straight one, are left alone.
    """
    costs = np.pad(patch, ((0, 0), (RIM, RIM), (RIM, RIM)), constant_values=np.inf)
    rows, width = costs.shape[1:]
    flat = costs.reshape(len(STEPS), -1)
    start, goal = ((row + RIM) * width + column + RIM for row, column in (source, target))
    away = np.hypot(np.arange(rows)[:, None] - target[0] - RIM, np.arange(width) - target[1] - RIM).reshape(-1)
    ahead = float(patch.min()) * away  # no way on costs less
    least = _straight(patch, source, target) * (1 + ROUNDING) + ROUNDING
    together = TOGETHER * float(median(patch))
    total, before = np.full(flat.shape[1], np.inf), np.full(flat.shape[1], -1, np.int64)
    waiting = np.zeros(len(total), bool)
    total[start], active = 0.0, np.array([start])
    while len(active):
        there = active + (OFFSETS @ (width, 1))[:, None]  # (moves, active)
        reached = total[active] + (flat[KINDS, active] + flat[KINDS, there]) * HALVES
        better = (reached < total[there] - ROUNDING) & (reached + ahead[there] < min(least, total[goal]))
        move, _ = np.nonzero(better)
        there, reached = there[better], reached[better]
        np.minimum.at(total, there, reached)
        first = reached == total[there]
        before[there[first]] = move[first]
        waiting[active] = False
        waiting[there] = True
        left = np.flatnonzero(waiting)
        active = left[total[left] <= total[left].min(initial=np.inf) + together]
    return before.reshape(-1, width)[RIM:-RIM, RIM:-RIM]


def _straight(patch: NDArray[np.float64], source: tuple[int, int], target: tuple[int, int]) -> float:
    """What the straight way costs, from place to place."""
    count = max(abs(target[0] - source[0]), abs(target[1] - source[1]), 1)
    rows, columns = (np.rint(np.linspace(a, b, count + 1)).astype(int) for a, b in zip(source, target, strict=True))
    dy, dx = np.diff(rows), np.diff(columns)
    step = np.select([dy == 0, dx == 0, dy == dx], [0, 1, 2], 3)
    ends = patch[step, rows[:-1], columns[:-1]] + patch[step, rows[1:], columns[1:]]
    return float((ends * np.array([long for *_, long in STEPS])[step] / 2).sum())
