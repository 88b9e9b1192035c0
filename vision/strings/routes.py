"""Routes: the way between two points of a string that keeps to what looks like it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import dijkstra

from vision.strings.ground import Floats, Image32

MARGIN_PX, MARGIN_SHARE = 9, 0.35  # how far round the straight way a route may swing: work px, and share of its length
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
    graph = _grid(np.broadcast_to(patch, (len(STEPS), rows, columns)))
    inner = [(np.clip(np.rint(p) - low, 0, (columns - 1, rows - 1))).astype(int) for p in (start, stop)]
    source, target = (int(y * columns + x) for x, y in inner)
    _, before = dijkstra(graph, directed=False, indices=np.array(source), return_predecessors=True)
    path = [target]
    while path[-1] != source and before[path[-1]] >= 0:
        path.append(int(before[path[-1]]))
    nodes = np.array(path[::-1])
    points = np.stack([nodes % columns, nodes // columns], 1).astype(np.float64) + low
    points[0], points[-1] = start, stop
    return points if len(points) > 1 else np.stack([start, stop])


def _grid(patch: NDArray[np.float64]) -> csr_array[np.float64]:
    """The patch (8, h, w) as a graph: neighbours within a knight's move, the mean cost that way times the distance."""
    rows, columns = patch.shape[1:]
    number = np.arange(rows * columns).reshape(rows, columns)
    one, other, weight = [], [], []
    for part, (dy, dx, length) in zip(patch, STEPS, strict=True):
        a = (slice(0, rows - dy), slice(max(-dx, 0), columns - max(dx, 0)))
        b = (slice(dy, rows), slice(max(dx, 0), columns + min(dx, 0)))
        one.append(number[a].ravel())
        other.append(number[b].ravel())
        weight.append(((part[a] + part[b]) * (length / 2)).ravel())
    size = rows * columns
    return coo_array((np.concatenate(weight), (np.concatenate(one), np.concatenate(other))), shape=(size, size)).tocsr()
