"""Where a traced line turns sharper than a cord can: there it left the cord, and may run as a smooth curve would."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.strings.centreline import SPACING_PX, Line, away_from
from vision.strings.ground import Floats, Mask
from vision.strings.mending import mended, stretches

SHARP_DEG, WITHIN = 60.0, 0.5
"""A cord does not turn by so much within half its width: drawn and path-traced ones turn by 20° there at most."""
REDRAWN = 2.5
"""So far on each side, in widths, a line is redrawn there."""


def unbent(line: Line) -> Line | None:
    """Redraw a line where it turns too sharply, as a smooth curve from what is seen on both sides; None: nowhere."""
    lost = _lost(line)
    return mended(replace(line, seen=line.seen & ~lost), None) if lost.any() else None


def bent(line: Line) -> int:
    """Count the samples at which a line turns too sharply."""
    return int(_sharp(line).sum())


def doubt_px(line: Line, outlines_px: Sequence[Floats]) -> Floats:
    """Return one standard deviation (n,) of a line's place beside sharp turns: how far off a smooth curve runs.

    Only where it touches an outline there: a frame of the string's colour may have led it astray.
    """
    smooth, doubt = unbent(line), np.zeros(len(line.path_px))
    if smooth is None:
        return doubt
    off = np.linalg.norm(smooth.path_px - line.path_px, axis=1)
    for start, stop in stretches(_lost(line), line.closed):
        index = np.arange(start, stop) % len(off)
        if _touches(line.path_px[index], outlines_px, line.width_px / 2):
            doubt[index] = off[index].max()
    return doubt


def _touches(path_px: Floats, outlines_px: Sequence[Floats], half_px: float) -> bool:
    """Tell whether some of these points (n, 2) lie in one of the outlines, or so near to it."""
    shapes = [np.asarray(outline, np.float32) for outline in outlines_px]
    points = [(float(x), float(y)) for x, y in path_px]
    return any(cv2.pointPolygonTest(shape, point, True) > -half_px for shape in shapes for point in points)


def _lost(line: Line) -> Mask:
    """Which samples (n,) of a line lie so near to a sharp turn that they may be off."""
    sharp = _sharp(line)
    return np.asarray(sharp.any() & (away_from(sharp, line.closed) * SPACING_PX <= REDRAWN * line.width_px), bool)


def _sharp(line: Line) -> Mask:
    """Which samples (n,) of a line a cord could not bend round."""
    reach = max(round(WITHIN * line.width_px / SPACING_PX / 2), 1)
    path = line.path_px
    if len(path) <= 2 * reach:
        return np.zeros(len(path), bool)
    before, after = path - np.roll(path, reach, 0), np.roll(path, -reach, 0) - path
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    turn_deg = np.degrees(np.abs(np.arctan2(cross, (before * after).sum(1))))
    sharp = np.asarray(turn_deg > SHARP_DEG, bool)
    if not line.closed:
        sharp[:reach] = sharp[-reach:] = False
    return sharp
