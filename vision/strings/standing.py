"""Strings that lie as they did while another was laid: they are followed, and only the others are looked for."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.ranks import median
from vision.strings.centreline import Line
from vision.strings.ground import Ground, Mask
from vision.strings.naming import Look, core_colours
from vision.strings.traced import TracedString

Window = tuple[int, int, int, int]
"""Left, top, right, bottom, px."""

BESIDE_WIDTHS = 1.5
"""So far from a string's middle, in its widths, lines are its own: its edge, its shadow."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a picture before its strings are traced: `strings` that lie there, and where the others do.

    `window_px`: the part of it that holds the others; None: anywhere.
    """

    strings: tuple[TracedString, ...] = ()
    window_px: Window | None = None

    def lines(self) -> dict[str, Line]:
        """Return the strings' lines, by name."""
        return {s.name: Line(s.path_px, s.seen, s.closed, s.width_px) for s in self.strings}

    def looks(self, ground: Ground) -> dict[str, Look]:
        """Return how the strings look in this picture, by name."""
        return {s.name: _look(s, ground) for s in self.strings}

    def free(self, ground: Ground) -> Mask | None:
        """Return where lines of others may lie (h, w), at working size; None: anywhere."""
        if self.window_px is None:
            return None
        left, top, right, bottom = (round(side / ground.scale) for side in self.window_px)
        free = np.zeros(ground.bare.shape, np.uint8)
        free[top:bottom, left:right] = 1
        for string in self.strings:
            path = np.rint(ground.to_work(string.path_px)).astype(np.int32)
            broad = max(1, round(2 * BESIDE_WIDTHS * string.width_px / ground.scale))
            cv2.polylines(free, [path], string.closed, 0, broad)
        return np.asarray(free > 0)


def _look(string: TracedString, ground: Ground) -> Look:
    """Return how a string looks where it was seen."""
    places = ground.to_work(string.path_px[string.seen])
    colours = core_colours(ground, places)
    return Look(median(colours, 0), float(median(np.linalg.norm(colours, axis=1))), float(len(places)))


NOTHING = Standing()
"""Of most pictures nothing is known."""
