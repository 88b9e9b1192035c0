"""Rivals: another place beside a string's line where it fits as well; then nobody can say which it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.strings.centreline import FINE_PX, SPACING_PX, Line, cut
from vision.strings.ground import Floats, Ground, likely_at
from vision.strings.strips import Strip, smoothed
from vision.strings.template import Template, misfits

REACH_WIDTHS, LEAST_REACH_PX = 3.0, 8.0  # how far to each side a rival is looked for
APART_WIDTHS = 0.8  # nearer places are the same one
ALONG_WIDTHS = 3.0  # of string over which both are compared
AS_WELL = 0.12  # of what plain table misfits: a rival may fit that much worse
CORD_SHARE = 0.5  # as likely as the line is a cord: a rival is at least that
EVERY = 3  # samples of the line


def rivals_px(image: NDArray[np.uint8], ground: Ground, line: Line, template: Template) -> Floats:
    """How far from a line (n,) a place lies that fits the string as well as the line does; 0 where none does."""
    count, width = len(line.path_px), line.width_px
    reach = max(REACH_WIDTHS * width, LEAST_REACH_PX)
    strip = cut(image, ground, line, float(template.offsets[-1]) + reach + FINE_PX)
    rows = np.arange(0, count, EVERY)
    some = Strip(line.path_px[rows], strip.across[rows], strip.offsets, strip.ratio[rows], strip.foreign[rows])
    shifts, misfit = misfits(some, template, reach)
    soft = smoothed(misfit, max(ALONG_WIDTHS * width / SPACING_PX / EVERY / 2, 1.0), line.closed)
    beside = np.abs(shifts) > APART_WIDTHS * width
    here = soft[:, ~beside].min(1)
    as_well = soft[:, beside] < (here + AS_WELL * template.table)[:, None]
    if ground.cords is not None:  # where a cord is seen here and none there, there is no rival
        there = some.path_px[:, None] + some.across[:, None] * shifts[beside][None, :, None]
        as_well &= likely_at(ground, there) > CORD_SHARE * likely_at(ground, some.path_px)[:, None]
    away = np.where(as_well, np.abs(shifts[beside]), 0.0).max(1)
    near = np.minimum(np.rint(np.arange(count) / EVERY).astype(int), len(rows) - 1)
    return np.asarray(away[near])
