"""Following: the string of the last frame found again in the next, without tracing anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.ranks import median
from vision.strings.centreline import FINE_PX, SPACING_PX, Line, across
from vision.strings.ground import Floats
from vision.strings.knots import crossings
from vision.strings.snake import between, settle
from vision.strings.strips import Strip, every, smoothed, strip
from vision.strings.template import CAP, misfits
from vision.strings.traced import Memory, TracedString

REACH_WIDTHS = 1.5  # how far a string may move between frames, in its widths
KEPT = 0.85  # of what was seen that must be seen again
EVERY = 2  # samples: what lies between moves as its neighbours do
STILL_MISFIT = 0.55  # share of the cap
GAINS = (0.6, 1.6)  # of a frame's brightness over the last one's; more is another light


def follow(previous: TracedString, image: NDArray[np.uint8]) -> TracedString | None:
    """Refine a string of the last frame in the next BGR frame; None where it has moved or changed too much: trace
    anew.
    """
    memory = previous.memory
    if memory is None or len(previous.path_px) != len(memory.light) or not previous.seen.any():
        return None
    line = Line(previous.path_px, previous.seen, previous.closed, previous.width_px)
    reach = max(REACH_WIDTHS * line.width_px, 3.0)
    along = across(line)
    fine, least = _moved(image, line, along, memory, reach)
    again = least < STILL_MISFIT * CAP
    if again[line.seen].mean() < KEPT or np.abs(fine[line.seen]).max(initial=0.0) > reach - FINE_PX:
        return None
    seen = line.seen & again
    shift = smoothed(
        np.where(seen, fine, np.interp(np.arange(len(seen)), np.flatnonzero(seen), fine[seen]))[:, None],
        float(EVERY),
        line.closed,
    )
    path = line.path_px + along * shift
    met = crossings(path, line.width_px, line.closed)
    if len(met) != len(previous.crossings_px):
        return None
    sigma = np.hypot(previous.sigma_px, np.where(seen, 0.0, np.abs(shift[:, 0])))
    return replace(previous, path_px=path, seen=seen, visible=float(seen.mean()), sigma_px=sigma, crossings_px=met)


def _moved(image: NDArray[np.uint8], line: Line, along: Floats, memory: Memory, reach: float) -> tuple[Floats, Floats]:
    """How far each sample has moved across (n,), and how badly it then fits (n,)."""
    some = slice(None, None, EVERY)
    aligned = line.path_px - along * memory.beside[:, None]
    few = replace(line, path_px=aligned[some], seen=line.seen[some])
    reach_px = float(memory.template.offsets[-1]) + reach + FINE_PX
    cut = strip(image, memory.light[some], few.path_px, along[some], every(FINE_PX, reach_px))
    shifts, misfit = misfits(_levelled(cut, few), memory.template, reach)
    chosen = settle(misfit / CAP * 4, shifts, EVERY * SPACING_PX, line.closed)
    window = max(0.9 * line.width_px / SPACING_PX / 2 / EVERY, 1.0)
    fine, _, least = between(misfit, shifts, chosen, window, line.closed)
    return np.repeat(fine, EVERY)[: len(line.seen)], np.repeat(least, EVERY)[: len(line.seen)]


def _levelled(strip_: Strip, line: Line) -> Strip:
    """Take out what the whole frame's brightness and tint have changed by, told by the table beside the string."""
    rows = line.seen if line.seen.any() else np.ones(len(line.seen), bool)
    gain = median(strip_.ratio[rows][:, [0, 1, 2, -3, -2, -1]].reshape(-1, 3), axis=0)
    return replace(strip_, ratio=strip_.ratio / np.clip(gain, *GAINS))
