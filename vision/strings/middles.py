"""Where a cord's middle lies in its strip, told by a network that has seen many cords lit: the only file that knows it.

A fitted cross-section is one for the whole string; shadows of near lamps, and tiles close by, pull single stretches
aside. What the network says counts as far as it is surer than the fit.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision import weights
from vision.strings.centreline import SPACING_PX, Line, across
from vision.strings.ground import Floats, Ground
from vision.strings.strips import light_along, normals, resampled, smoothed, strip

ROW_WIDTHS = 0.5  # between a strip's rows
SPAN, COLUMNS, LOOKS = 2.5, 48, 3  # widths to each side, columns, looks a column
USUAL_WIDTH_PX = 4.0
SMOOTH_ROWS = 1.5  # over which normals are smoothed
MOST_WIDTHS = 0.5  # farther off, it is not this cord that the network sees
CALM_WIDTHS = 0.5  # along a cord, over which its line is smoothed: it bends no sharper


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


def centred(image: NDArray[np.uint8], ground: Ground, line: Line, sigma_px: Floats) -> tuple[Line, Floats]:
    """Move a line towards its cord's middle, its own one σ (n,) px weighed against the network's.

    Returns it, as wide as half way between what it was and what the network says, and by how much each sample moved
    along the line's normals (n,) px.
    """
    path, at = resampled(line.path_px, ROW_WIDTHS * line.width_px, line.closed)
    off, off_sigma, scale = _middles(image, ground, path, line)
    own = np.interp(at, np.arange(len(sigma_px) + 1), np.append(sigma_px, sigma_px[0]))
    moved = np.clip(off, -MOST_WIDTHS * line.width_px, MOST_WIDTHS * line.width_px) * own**2 / (own**2 + off_sigma**2)
    place = np.append(at, len(line.path_px)) if line.closed else at
    shift = np.interp(np.arange(len(line.path_px)), place, np.append(moved, moved[0]) if line.closed else moved)
    along = across(line)
    calm = _calmed(line.path_px + along * shift[:, None], line)
    moved_line = replace(line, path_px=calm, width_px=line.width_px * (1 + scale) / 2)
    return moved_line, np.asarray(((calm - line.path_px) * along).sum(1))


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
