"""Routes: the way between two points of a string that keeps to what looks like it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
    on from there, until nothing gains on the way to `target`; places farther off than that are left alone.
    """
    costs = np.pad(patch, ((0, 0), (RIM, RIM), (RIM, RIM)), constant_values=np.inf)
    width = costs.shape[2]
    flat = costs.reshape(len(STEPS), -1)
    start, goal = ((row + RIM) * width + column + RIM for row, column in (source, target))
    total, before = np.full(flat.shape[1], np.inf), np.full(flat.shape[1], -1, np.int64)
    total[start] = 0.0
    active = np.array([start])
    while len(active):
        gained = np.zeros(len(total), bool)
        for move, (dy, dx, k) in enumerate(MOVES):
            there = active + (dy * width + dx)
            reached = total[active] + (flat[k, active] + flat[k, there]) * (STEPS[k][2] / 2)
            better = reached < np.minimum(total[there], total[goal]) - ROUNDING
            total[there[better]], before[there[better]] = reached[better], move
            gained[there[better]] = True
        active = np.flatnonzero(gained)
    return before.reshape(-1, width)[RIM:-RIM, RIM:-RIM]
