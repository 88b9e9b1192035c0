"""Where a string crosses or lies on itself."""

from __future__ import annotations

import numpy as np

from vision.strings.ground import Floats
from vision.strings.nearness import pairs_within

APART_WIDTHS = 4.0  # along the string, in widths: nearer points are neighbours, not a meeting
TOUCH_WIDTHS = 0.8  # between centrelines: nearer than that the cord lies on itself


def crossings(path: Floats, width: float, closed: bool) -> Floats:
    """Places (m, 2) where a path meets itself, one a meeting."""
    if len(path) < 8:
        return np.zeros((0, 2))
    ring = np.concatenate([path, path[:1]]) if closed else path
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(ring, axis=0).T))])
    pairs = pairs_within(path, max(TOUCH_WIDTHS * width, 1.0))
    if len(pairs) == 0:
        return np.zeros((0, 2))
    apart = np.abs(along[pairs[:, 0]] - along[pairs[:, 1]])
    if closed:
        apart = np.minimum(apart, along[-1] - apart)
    met = pairs[apart > APART_WIDTHS * width]
    places = (path[met[:, 0]] + path[met[:, 1]]) / 2
    found: list[Floats] = []
    for place in places:
        if all(np.hypot(*(place - other)) > 3 * width for other in found):
            found.append(place)
    return np.array(found).reshape(-1, 2)
