"""Kinks: small loops in which a string lies over itself, which the shortest way round would pass by; and loose ends.

What has a string's own colour and hangs on its path is string: where it leads back to the same place it is a kink, else
nobody can say how the string runs there.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.ranks import median
from vision.strings.fragments import Fragment
from vision.strings.ground import Floats, Ground, Image32, Mask
from vision.strings.nearness import nearest_distance
from vision.strings.strips import smoothed

LEAST_PX = 14.0  # work px of run: less is a stain beside the string
REACH_PX = 6.0  # work px from the path to a kink's ends, where the strands cover each other
CHAIN_PX = 5.0  # work px between the ends of two runs of one kink
FOOT_SHARE, FOOT_PX = 0.4, 8.0  # along the path between a kink's feet: share of its own length, and at least
OFF_PX = 3.0  # work px from the path, half of it at least: less is the string again, or its shadow
BOLD_SHARE = 0.6  # of the string's usual contrast: grain is fainter
BACK = 7  # points of a path, about one a px, that tell where it heads
AHEAD_PX = np.arange(4.0, 10.0)  # work px straight on: past a cord's own edge
APART_PX = 4.0  # work px from there to the path: less is a bend
LIKE = 0.45  # of the string's colour, all the way
RIM_PX = 4  # work px round a piece, where its own outline and shadow look like string


def kinked(ground: Ground, path: Floats, seen: Mask, runs: Sequence[Fragment]) -> tuple[Floats, Mask, bool]:
    """Lead a path (n, 2) through its kinks; tell as well whether other string hangs on it."""
    rim = _rims(ground)
    loose = False
    usual = float(median(np.concatenate([run.contrast for run in runs]))) if runs else 0.0
    bold = [run for run in runs if not run.closed and median(run.contrast) > BOLD_SHARE * usual]
    for points in _chained(_beside([run.points for run in bold], path)):
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


def turns_off(ground: Ground, like: Image32, path: Floats, seen: Mask) -> bool:
    """Whether a closed path (n, 2) somewhere turns off, and what looks like string (h, w) goes straight on."""
    soft = smoothed(path, 1.0, True)
    rim = _rims(ground)
    calm = like * ~rim
    at = np.rint(path).astype(int)
    seen = seen & ~rim[at[:, 1].clip(0, rim.shape[0] - 1), at[:, 0].clip(0, rim.shape[1] - 1)]
    return any(bool(_goes_on(calm, way, shown).any()) for way, shown in ((soft, seen), (soft[::-1], seen[::-1])))


def _goes_on(like: Image32, path: Floats, seen: Mask) -> Mask:
    """At which points of a closed path (n, 2) string goes straight on, but the path does not."""
    way = path - np.roll(path, BACK, 0)
    way /= np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)[:, None]
    ahead = path[:, None] + way[:, None] * AHEAD_PX[None, :, None]
    at = np.rint(ahead).astype(int)
    shape = like.shape
    there = like[at[..., 1].clip(0, shape[0] - 1), at[..., 0].clip(0, shape[1] - 1)].min(1) > LIKE
    later = np.stack([np.roll(path, -k, 0) for k in range(2 * int(AHEAD_PX[-1]))], 1)
    apart = np.linalg.norm(later - ahead[:, -2:-1], axis=2).min(1) > APART_PX
    shown = np.all([np.roll(seen, k) for k in range(-BACK, BACK + 1)], axis=0)
    return np.asarray(there & apart & shown)


def _rims(ground: Ground) -> Mask:
    """Pieces, and what lies so near to them that it may be their outline or shadow (h, w)."""
    size = 2 * RIM_PX + 1
    return np.asarray(cv2.dilate(ground.wide.astype(np.uint8), np.ones((size, size), np.uint8)) > 0)


def _beside(runs: Sequence[Floats], path: Floats) -> list[Floats]:
    """Those runs (n, 2) that lie off a path (m, 2)."""
    if not runs:
        return []
    away = np.split(nearest_distance(np.concatenate(runs), path), np.cumsum([len(run) for run in runs])[:-1])
    return [run for run, far in zip(runs, away, strict=True) if median(far) >= OFF_PX]


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
    if not runs:
        return None
    ends = np.array([(run[0], run[-1]) for run in runs])  # (k, 2 ends, 2)
    after, before = ends - chain[-1], ends[:, ::-1] - chain[0]
    away = np.concatenate([after, before], 1)  # the run behind the chain, either way round, or before it
    met = np.hypot(away[..., 0], away[..., 1]) < CHAIN_PX
    if not met.any():
        return None
    k = int(met.any(1).argmax())
    run = runs[k] if met[k].argmax() in (0, 2) else runs[k][::-1]
    return k, np.concatenate([chain, run] if met[k].argmax() < 2 else [run, chain])


def _through(path: Floats, seen: Mask, kink: Floats, feet: tuple[int, int]) -> tuple[Floats, Mask]:
    """Lead a path through a kink that has its feet at these samples, the way round that turns less on entering."""
    low, high = min(feet), max(feet)
    ahead = path[min(high + 4, len(path) - 1)] - path[max(low - 4, 0)]
    step = kink[min(4, len(kink) - 1)] - kink[0]
    back = kink[-min(5, len(kink))] - kink[-1]
    kink = kink if step @ ahead >= back @ ahead else kink[::-1]
    shown = np.ones(len(kink), bool)
    return np.concatenate([path[:low], kink, path[high:]]), np.concatenate([seen[:low], shown, seen[high:]])
