"""Where a cord's middle lies in its strip, told by a network that has seen many cords lit: the only file that knows it.

A fitted cross-section is one for the whole string; shadows of near lamps, and tiles close by, pull single stretches
aside. What the network says counts as far as it is surer than the fit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision import weights
from vision.ranks import median
from vision.strings.centreline import SPACING_PX, Line, across
from vision.strings.ground import Floats, Ground
from vision.strings.strips import light_along, normals, resampled, smoothed, strip

ROW_WIDTHS = 0.5  # between a strip's rows
SPAN, COLUMNS, LOOKS = 2.5, 48, 3  # widths to each side, columns, looks a column
USUAL_WIDTH_PX = 4.0
SMOOTH_ROWS = 1.5  # over which normals are smoothed
MOST_WIDTHS = 0.5  # farther off, it is not this cord that the network sees
CALM_WIDTHS = 0.5  # along a cord, over which its line is smoothed: it bends no sharper
TOLD_PX, TOLD_SHARE, MOVED_SHARE = 0.15, 1.9, 0.6
"""One σ of a place: what is left anyway, times what the network states, and of how far it moved the line. On drawn
tables, path-traced ones and those with exact centrelines alike a place is 1.3 to 2 times as far off as is stated."""
WIDTH_SHARE, WIDTH_SURE = 0.05, 3.5  # one σ of a width: of the width, and times what the network states of the middle


@dataclass(frozen=True, slots=True)
class Centred:
    """A line moved towards its cord's middle.

    `beside_px` (n,): by how much each sample moved, along the normals of the line as it was. `sigma_px` (n,): one
    standard deviation of its place there, where it is seen; `width_sigma_px`: of its width.
    """

    line: Line
    beside_px: Floats
    sigma_px: Floats
    width_sigma_px: float


class Finder:
    """Finds the middles of cords in straightened strips."""

    def __init__(self, model: bytes) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # strings are looked at side by side
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def find(self, ratio: Floats, foreign: Floats, angle: Floats, width_px: float) -> tuple[Floats, Floats, float]:
        """Return the middle and one σ of it, both (n,) in widths, of n rows (n, COLUMNS, 3) of brightness over the
        table's, and the true width, in widths; `foreign` (n, COLUMNS): the share on a piece; `angle` (n,): the rows'
        normals, radians.
        """
        colour = ratio.transpose(2, 0, 1) - 1
        grey = np.log(np.maximum(ratio.mean(2), 0.05))
        shown = {
            "strip": np.concatenate([colour, grey[None], foreign[None]])[None].astype(np.float32),
            "angle": angle[None].astype(np.float32),
            "width": np.log([width_px / USUAL_WIDTH_PX]).astype(np.float32),
        }
        middle, log_sigma, log_scale = self._session.run(["middle", "sigma", "scale"], shown)
        sigma = np.exp(np.asarray(log_sigma[0], np.float64))
        return np.asarray(middle[0], np.float64), sigma, float(np.exp(log_scale[0]))


@lru_cache(maxsize=1)
def finder() -> Finder:
    """Load the committed network once; WeightsError where it is not the one that was measured."""
    return Finder(weights.verified("cords"))


def centred(image: NDArray[np.uint8], ground: Ground, line: Line, sigma_px: Floats) -> Centred:
    """Move a line towards its cord's middle, its own one σ (n,) px weighed against the network's.

    It is then as wide as half way between what it was and what the network says.
    """
    path, at = resampled(line.path_px, ROW_WIDTHS * line.width_px, line.closed)
    off, off_sigma, scale = _middles(image, ground, path, line)
    own = np.interp(at, np.arange(len(sigma_px) + 1), np.append(sigma_px, sigma_px[0]))
    moved = np.clip(off, -MOST_WIDTHS * line.width_px, MOST_WIDTHS * line.width_px) * own**2 / (own**2 + off_sigma**2)
    shift, stated = (_at_samples(rows, at, line) for rows in (moved, off_sigma))
    along = across(line)
    calm = _calmed(line.path_px + along * shift[:, None], line)
    found = replace(line, path_px=calm, width_px=line.width_px * (1 + scale) / 2)
    beside = ((calm - line.path_px) * along).sum(1)
    return Centred(found, beside, _told(stated, beside), _width_sigma(line, found, stated))


def _told(stated: Floats, beside: Floats) -> Floats:
    """One standard deviation (n,) px of a place, from what the network states and how far the line moved there."""
    return np.asarray(np.sqrt(TOLD_PX**2 + (TOLD_SHARE * stated) ** 2 + (MOVED_SHARE * beside) ** 2))


def _width_sigma(before: Line, line: Line, stated: Floats) -> float:
    """One standard deviation px of a line's width: the network is as sure of it as of the middle (n,), and may differ
    from what it was before.
    """
    sure = WIDTH_SURE * float(median(stated[line.seen] if line.seen.any() else stated))
    return math.hypot(WIDTH_SHARE * before.width_px, sure, line.width_px - before.width_px)


def _at_samples(rows: Floats, at: Floats, line: Line) -> Floats:
    """Carry what is known at a strip's rows, at places (m,) among a line's samples, to these (n,)."""
    count = len(line.path_px)
    if line.closed:
        rows, at = np.append(rows, rows[0]), np.append(at, count)
    return np.asarray(np.interp(np.arange(count), at, rows))


def _calmed(path_px: Floats, line: Line) -> Floats:
    """Smooth a path (n, 2); what that takes off its bends is smoothed and given back."""
    sigma = CALM_WIDTHS * line.width_px / SPACING_PX
    soft = smoothed(path_px, sigma, line.closed)
    return soft + smoothed(path_px - soft, sigma, line.closed)


def _middles(image: NDArray[np.uint8], ground: Ground, path_px: Floats, line: Line) -> tuple[Floats, Floats, float]:
    """How far (n,) px the middle lies from a path (n, 2), along its normals, one σ of that, and the width in widths."""
    along = normals(path_px, SMOOTH_ROWS, line.closed)
    count = COLUMNS * LOOKS
    offsets = ((np.arange(count) + 0.5) / count * 2 - 1) * SPAN * line.width_px
    looks = strip(image, light_along(ground, path_px), path_px, along, offsets, ground)
    ratio = looks.ratio.reshape(len(path_px), COLUMNS, LOOKS, 3).mean(2)
    foreign = looks.foreign.reshape(len(path_px), COLUMNS, LOOKS).mean(2)
    middle, sigma, scale = finder().find(ratio, foreign, looks.angle, line.width_px)
    return middle * line.width_px, sigma * line.width_px, scale
