"""Kinks: small loops in which a string lies over itself, which the shortest way round would pass by; and loose ends.

What has a string's own colour and hangs on its path is string: where it leads back to the same place it is a kink, else
nobody can say how the string runs there.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.strings.fragments import Fragment
from vision.strings.ground import Floats, Ground, Mask

LEAST_PX = 14.0  # work px of run: less is a stain beside the string
REACH_PX = 6.0  # work px from the path to a kink's ends, where the strands cover each other
CHAIN_PX = 5.0  # work px between the ends of two runs of one kink
FOOT_SHARE, FOOT_PX = 0.4, 8.0  # along the path between a kink's feet: share of its own length, and at least
OFF_PX = 3.0  # work px from the path, half of it at least: less is the string again, or its shadow
BOLD_SHARE = 0.6  # of the string's usual contrast: grain is fainter
RIM_PX = 4  # work px round a piece, where its own outline and shadow look like string


def kinked(ground: Ground, path: Floats, seen: Mask, runs: Sequence[Fragment]) -> tuple[Floats, Mask, bool]:
    """Lead a path (n, 2) through its kinks; tell as well whether other string hangs on it."""
    size = 2 * RIM_PX + 1
    rim = cv2.dilate(ground.wide.astype(np.uint8), np.ones((size, size), np.uint8)) > 0
    loose = False
    usual = float(np.median(np.concatenate([run.contrast for run in runs]))) if runs else 0.0
    bold = [run for run in runs if not run.closed and np.median(run.contrast) > BOLD_SHARE * usual]
    for points in _chained([run.points for run in bold if _beside(run.points, path)]):
        at = np.rint(points).astype(int)
        clear = ~rim[at[:, 1].clip(0, rim.shape[0] - 1), at[:, 0].clip(0, rim.shape[1] - 1)]
        if float(np.hypot(*np.diff(points, axis=0).T)[clear[1:]].sum()) < LEAST_PX:
            continue
        ends = np.linalg.norm(path[None] - points[[0, -1]][:, None], axis=2)
        if ends.min() > REACH_PX:
            continue
        first, last = (int(k) for k in ends.argmin(1))
        length = float(np.hypot(*np.diff(points, axis=0).T).sum())
        if ends.min(1).max() > REACH_PX or abs(first - last) > max(FOOT_SHARE * length, FOOT_PX):
            loose = True
        else:
            path, seen = _through(path, seen, points, (first, last))
    return path, seen, loose


def _beside(points: Floats, path: Floats) -> bool:
    """Whether a run (n, 2) lies off a path (m, 2)."""
    return bool(np.median(np.linalg.norm(points[:, None] - path[None], axis=2).min(1)) >= OFF_PX)


def _chained(runs: Sequence[Floats]) -> list[Floats]:
    """Join runs that meet at their ends, the longest first."""
    left = sorted(runs, key=len)
    chains = []
    while left:
        chain = left.pop()
        while (joint := _joint(chain, left)) is not None:
            k, chain = joint
            left.pop(k)
        chains.append(chain)
    return chains


def _joint(chain: Floats, runs: Sequence[Floats]) -> tuple[int, Floats] | None:
    """The first run that goes on from one of a chain's ends, by index, and the chain with it."""
    for k, run in enumerate(runs):
        for one, other in ((chain, run), (chain, run[::-1]), (run, chain), (run[::-1], chain)):
            if np.hypot(*(other[0] - one[-1])) < CHAIN_PX:
                return k, np.concatenate([one, other])
    return None


def _through(path: Floats, seen: Mask, kink: Floats, feet: tuple[int, int]) -> tuple[Floats, Mask]:
    """Lead a path through a kink that has its feet at these samples, the way round that turns less on entering."""
    low, high = min(feet), max(feet)
    ahead = path[min(high + 4, len(path) - 1)] - path[max(low - 4, 0)]
    step = kink[min(4, len(kink) - 1)] - kink[0]
    back = kink[-min(5, len(kink))] - kink[-1]
    kink = kink if step @ ahead >= back @ ahead else kink[::-1]
    shown = np.ones(len(kink), bool)
    return np.concatenate([path[:low], kink, path[high:]]), np.concatenate([seen[:low], shown, seen[high:]])
