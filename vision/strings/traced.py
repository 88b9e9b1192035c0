"""What tracing gives: one string's centreline in the picture, with what was seen of it and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.strings.template import Template

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Memory:
    """What following a string needs of the picture it was traced in: its cross-section, the table's log colour (n, 3)
    along it, and how far (n,) px the path lies beside where the cross-section fits.
    """

    template: Template
    light: Floats
    beside: Floats


@dataclass(frozen=True, slots=True)
class TracedString:
    """One string in a picture. Where `closed`, the last point is joined to the first (not repeated).

    `path_px` (n, 2): the centreline. `widths_px` (n,): the cord's width there; `width_px`: its median.
    `sigma_px` (n,): one standard deviation of the centreline, across it; `width_sigma_px`: of the width.
    `seen` (n,): seen, not bridged; `visible`: the seen share of its length.
    `closed` is False, and `gaps` is empty, where the way back is hidden or cannot be told: a doubt, not an open string.
    `gaps`: (start, stop) indices of stretches where the table plainly shows where string should be, or, where `closed`,
    where a cord is half seen on bare table: it may be open there, and is asked about. An open
    string's last gap runs from its last point to its first. `crossings_px` (m, 2): where it crosses or lies on itself.
    """

    name: str
    closed: bool
    path_px: Floats
    widths_px: Floats
    sigma_px: Floats
    seen: NDArray[np.bool_]
    width_px: float
    width_sigma_px: float
    visible: float
    gaps: tuple[tuple[int, int], ...]
    crossings_px: Floats
    memory: Memory | None = field(default=None, repr=False, compare=False)
