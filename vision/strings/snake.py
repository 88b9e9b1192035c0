"""The best shift of a path across itself: dynamic programming round the loop, then between the steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.strings.ground import Floats
from vision.strings.strips import smoothed

TOGETHER = 2  # samples that share a shift; between them it is told later, to a part of a step
BEND_COST = 0.6  # per px squared of shift between neighbouring samples, per px of their distance


def settle(misfit: Floats, shifts: Floats, spacing_px: float, closed: bool) -> Floats:
    """Choose a shift (n,) for each sample from its misfits (n, k), neighbours alike; round a loop its ends agree."""
    count = len(misfit)
    if count > 4 * TOGETHER:  # neighbours share a shift: half as many steps
        whole = count // TOGETHER * TOGETHER
        pairs = misfit[:whole].reshape(-1, TOGETHER, misfit.shape[1]).sum(1)
        shared = np.repeat(_settled(pairs, shifts, spacing_px * TOGETHER, closed), TOGETHER)
        return np.concatenate([shared, np.repeat(shared[-1:], count - whole)])
    return _settled(misfit, shifts, spacing_px, closed)


def _settled(misfit: Floats, shifts: Floats, spacing_px: float, closed: bool) -> Floats:
    """Choose a shift (n,) for each row."""
    count = len(misfit)
    if closed:  # go round once and a half; the middle has forgotten where it began
        lead = min(count // 2, 150)
        unrolled = np.concatenate([misfit[-lead:], misfit, misfit[:lead]])
        return np.asarray(shifts[_viterbi(unrolled, shifts, spacing_px)[lead : lead + count]])
    return np.asarray(shifts[_viterbi(misfit, shifts, spacing_px)])


def _viterbi(misfit: Floats, shifts: Floats, spacing_px: float) -> NDArray[np.int64]:
    """The cheapest sequence of shift indices (n,), stepping at most two at a time."""
    step = float(shifts[1] - shifts[0])
    count, choices = misfit.shape
    one, two = (BEND_COST * (move * step) ** 2 / spacing_px for move in (1, 2))
    toll = np.array([two, one, 0.0, one, two])[:, None]
    totals = np.full((count, choices + 4), np.inf)
    totals[0, 2:-2] = misfit[0]
    ways = np.lib.stride_tricks.sliding_window_view(totals, choices, axis=1)  # (n, 5, choices): what leads to each
    reached = np.empty((len(toll), choices))
    for way, now, cost in zip(ways[:-1], totals[1:, 2:-2], misfit[1:], strict=True):
        np.add(way, toll, out=reached)
        np.add(np.minimum.reduce(reached), cost, out=now)
    at = int(totals[-1].argmin()) - 2
    chosen = [at]
    for row in totals[-2::-1]:
        left_two, left, here, right, right_two = row[at : at + 5].tolist()
        before = (left_two + two, left + one, here, right + one, right_two + two)
        at += before.index(min(before)) - 2
        chosen.append(at)
    return np.array(chosen[::-1], np.int64)


def between(
    misfit: Floats, shifts: Floats, chosen: Floats, window: float, closed: bool
) -> tuple[Floats, Floats, Floats]:
    """Refine chosen shifts to a part of a step by a parabola through misfits averaged along the path.

    Returns the shifts (n,), the curvature there (n,) per px squared, and the misfit there (n,).
    """
    step = float(shifts[1] - shifts[0])
    soft = smoothed(misfit, window, closed)
    at = np.clip(np.rint((chosen - shifts[0]) / step).astype(int), 1, len(shifts) - 2)
    row = np.arange(len(soft))
    for _ in range(2):  # step down to the averaged minimum next to the chosen one
        around = np.stack([soft[row, at + k] for k in (-1, 0, 1)])
        at = np.clip(at + around.argmin(0) - 1, 1, len(shifts) - 2)
    low, middle, high = (soft[row, at + k] for k in (-1, 0, 1))
    bend = low + high - 2 * middle
    part = np.where(bend > 1e-6, np.clip(0.5 * (low - high) / np.maximum(bend, 1e-6), -0.6, 0.6), 0.0)
    return shifts[at] + part * step, np.maximum(bend, 0) / step**2, middle
