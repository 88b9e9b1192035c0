"""Whether readings are as sure as they are right: the reliability table and the expected calibration error. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

BINS = 10
SURE = 0.99
"""Readings from here on are taken as they are: 99 of 100 must be right."""


@dataclass(frozen=True)
class Bin:
    """Readings of about one probability: how many, what they said on average, and the share that was right."""

    low: float
    count: int
    said: float
    right: float


@dataclass(frozen=True)
class Reliability:
    """`error`: the expected calibration error, each bin's gap weighed by its count; 0 where there is no reading."""

    bins: tuple[Bin, ...]
    error: float
    sure: int
    sure_right: int


def reliability(said: Sequence[float], right: Sequence[bool]) -> Reliability:
    """Sort readings into ten bins of equal width; empty ones are left out."""
    p, good = np.asarray(said, float), np.asarray(right, bool)
    which = np.minimum((p * BINS).astype(int), BINS - 1)
    bins = tuple(
        Bin(k / BINS, int((which == k).sum()), float(p[which == k].mean()), float(good[which == k].mean()))
        for k in range(BINS)
        if (which == k).any()
    )
    error = sum(b.count * abs(b.said - b.right) for b in bins) / max(len(p), 1)
    sure = p >= SURE
    return Reliability(bins, float(error), int(sure.sum()), int(good[sure].sum()))
