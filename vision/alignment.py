"""Faces aligned with pictures of them, to a fraction of a px, all faces of a table at once.

What small moves do to a face is told by the face, so it is worked out once; a step then only looks at the picture
(inverse compositional alignment, Baker and Matthews 2004). The light's gain and offset are left out of it as by
enhanced correlation (ECC, Evangelidis and Psarakis 2008), and no step is kept that makes the two less alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Greys = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Move = Literal["rigid", "similar", "free"]

MOST_STEPS = 12
LEAST_GAIN = 1e-5
"""Of the correlation, and below it no step is worth the next one."""
LEAST_STEP_PX = 0.02
FIRST_DAMPING, LEAST_DAMPING, DAMPED, EASED = 1e-2, 1e-6, 10.0, 5.0
"""Of the slopes' own power: at first, at least, and how it changes after steps that did not help and that did."""
FARTHEST_STEP = 0.08
"""Of a face's shorter side: one step moves no corner farther."""
LEAST_CONTRAST = 1e-3
"""Of the face's own: a picture with less, or with the opposite, does not show it."""
SMOOTHING_PX = 3
"""Both are smoothed this widely before the rim is cut off; smoothed after it, faces shrink by 1%."""


@dataclass(frozen=True)
class _Slopes:
    """What small moves do to n faces, in coordinates over the face (`unit`: (3, 3), of px).

    rows: (n, 1 + k, px), each face without its mean, then what each of k moves does to it, but for what is only light;
    stiffness: (n, k, k), the moves' products; power: (n,) the face's own; basis: (k, 3, 3), the moves.
    """

    rows: Greys
    stiffness: Floats
    power: Floats
    basis: Floats
    unit: Floats


def smoothed(grey: Greys) -> Greys:
    """Smooth a grey picture (h, w) as both are before they are compared."""
    return np.asarray(cv2.GaussianBlur(grey, (SMOOTHING_PX, SMOOTHING_PX), 0), np.float32)


def aligned(seen: Greys, faces: Greys, maps: Floats, move: Move, inset_px: int) -> tuple[Floats, Floats]:
    """Align faces (n, h, w) with pictures (n, H, W), both `smoothed`; `inset_px` of a face's rim counts for nothing.

    maps: (n, 3, 3), from a face's px to its picture's, to start from. Returns such maps and the correlations (n,).
    """
    slopes = _slopes(faces, move, inset_px)
    cut = np.array([[1.0, 0, inset_px], [0, 1, inset_px], [0, 0, 1]])
    core = faces.shape[1] - 2 * inset_px, faces.shape[2] - 2 * inset_px
    to_unit = np.linalg.inv(slopes.unit)
    tried = best = maps @ cut @ to_unit  # from coordinates over the face
    n, k = len(faces), len(slopes.basis)
    alike, gain, pull, damping = np.full(n, -2.0), np.zeros(n), np.zeros((n, k)), np.full(n, FIRST_DAMPING)
    going = np.ones(n, bool)
    for _ in range(MOST_STEPS):
        products, power = _looked(seen, tried @ slopes.unit, slopes.rows, core, going)
        now = products[:, 0] / np.sqrt(slopes.power * power + 1e-9)
        better = going & (now > alike)
        going = going & ~(better & (now - alike < LEAST_GAIN))
        best = np.where(better[:, None, None], tried, best)
        alike, gain = np.where(better, now, alike), np.where(better, products[:, 0] / slopes.power, gain)
        pull = np.where(better[:, None], products[:, 1:], pull)
        damping = np.where(better, np.maximum(damping / EASED, LEAST_DAMPING), damping * DAMPED)
        going = going & (gain > LEAST_CONTRAST)
        if not going.any():
            break
        step, moved_px = _step(slopes, pull, gain, damping, core)
        tried = best @ np.linalg.inv(step)
        going = going & (moved_px > LEAST_STEP_PX)
    return best @ slopes.unit @ np.linalg.inv(cut), np.where(gain > LEAST_CONTRAST, alike, -1.0)


def _looked(seen: Greys, maps: Floats, rows: Greys, core: tuple[int, int], which: Flags) -> tuple[Floats, Floats]:
    """Multiply what faces' maps (n, 3, 3) show, of `which`, with rows: (n, 1 + k); and the power of what they show."""
    height, width = core
    products, power = np.zeros(rows.shape[:2]), np.ones(len(rows))
    for k in np.flatnonzero(which):
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        shown = cv2.warpPerspective(seen[k], maps[k], (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        products[k] = rows[k] @ shown.reshape(-1)
        power[k] = float(cv2.meanStdDev(shown)[1][0, 0]) ** 2 * shown.size
    return products, power


def _step(slopes: _Slopes, pull: Floats, gain: Floats, damping: Floats, core: tuple[int, int]) -> tuple[Floats, Floats]:
    """Return each face's next move (n, 3, 3), in coordinates over it, and how far it takes a corner (n,) px."""
    held = np.einsum("nkk->nk", slopes.stiffness) + 1e-9
    normal = slopes.stiffness + (damping[:, None] * held)[..., None] * np.eye(held.shape[1])
    wanted = np.linalg.solve(normal, pull[..., None])[..., 0] / np.maximum(gain, LEAST_CONTRAST)[:, None]
    scale = slopes.unit[0, 0]
    corners = np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]) * [*(np.array(core)[::-1] * scale / 2), 1]
    moved = np.abs(np.einsum("nk,kij,cj->nci", wanted, slopes.basis, corners)).max(axis=(1, 2)) / scale
    short = np.minimum(1.0, FARTHEST_STEP * min(core) / np.maximum(moved, 1e-9))
    step = np.eye(3) + np.einsum("nk,kij->nij", wanted * short[:, None], slopes.basis)
    if len(slopes.basis) == len(_basis("rigid")):
        step[:, :2, :2] /= np.hypot(step[:, :1, :1], step[:, :1, 1:2])  # a turn without growth
    return step, moved * short


def _slopes(faces: Greys, move: Move, inset_px: int) -> _Slopes:
    """Work out what small moves do to faces (n, h, w), each about its middle."""
    n, height, width = faces.shape
    i, rows, columns = inset_px, height - 2 * inset_px, width - 2 * inset_px
    along = (faces[:, i:-i, i + 1 : i + 1 + columns] - faces[:, i:-i, i - 1 : i - 1 + columns]).reshape(n, -1)
    down = (faces[:, i + 1 : i + 1 + rows, i:-i] - faces[:, i - 1 : i - 1 + rows, i:-i]).reshape(n, -1)
    scale, across, upright = _moves(move, rows, columns)
    table = np.empty((n, 1 + len(across), rows * columns), np.float32)
    table[:, 0] = faces[:, i:-i, i:-i].reshape(n, -1)
    np.multiply(along[:, None], across / (2 * scale), out=table[:, 1:])
    table[:, 1:] += down[:, None] * (upright / (2 * scale))
    table -= table.mean(axis=2, keepdims=True)
    products = table @ table[:, :1].transpose(0, 2, 1)  # (n, 1 + k, 1) with the face itself
    power = np.maximum(products[:, 0, 0], 1e-3)
    table[:, 1:] -= products[:, 1:] / power[:, None, None] * table[:, :1]
    stiffness = (table[:, 1:] @ table[:, 1:].transpose(0, 2, 1)).astype(np.float64)
    unit = np.array([[scale, 0, -scale * (columns - 1) / 2], [0, scale, -scale * (rows - 1) / 2], [0, 0, 1]])
    return _Slopes(table, stiffness, power.astype(np.float64), _basis(move), unit)


@cache
def _moves(move: Move, rows: int, columns: int) -> tuple[float, Greys, Greys]:
    """Return a px in coordinates over a face, and how far each move takes each px, (k, px) along and down."""
    scale = 2 / max(rows, columns)
    y, x = (axis.reshape(-1) * scale for axis in np.mgrid[0:rows, 0:columns].astype(np.float64))
    x, y = x - x.mean(), y - y.mean()
    taken = _basis(move) @ np.stack([x, y, np.ones_like(x)])  # (k, 3, px)
    along, down = taken[:, 0] - x * taken[:, 2], taken[:, 1] - y * taken[:, 2]
    return scale, along.astype(np.float32), down.astype(np.float32)


@cache
def _basis(move: Move) -> Floats:
    """Return the small moves (k, 3, 3) of a kind: shifts and a turn; growth as well; any that keep lines straight."""
    one = np.eye(9).reshape(3, 3, 3, 3)  # one[i, j]: a single 1 at i, j
    if move == "free":
        return np.stack([one[i, j] for i in range(3) for j in range(3)][:8])
    shifts = [one[0, 2], one[1, 2], one[1, 0] - one[0, 1]]
    return np.stack(shifts if move == "rigid" else [*shifts, one[0, 0] + one[1, 1]])
