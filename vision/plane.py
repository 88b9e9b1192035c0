"""The table plane in mm, from the pieces' own known size; heights and parallax.

A pinhole camera looks at the table. Its turn within the plane and its place above it are free (the table's frame is),
so five numbers are left: two of tilt, distance, focal length and one of lens distortion. They are the ones with which
every piece is a rectangle of its known size, by robust least squares over the corners in px.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.pinhole import Cameras, cameras, to_mm, to_px
from vision.ranks import median

Floats = npt.NDArray[np.float64]

FOCAL_PRIOR = 1.0
"""Focal length over the frame's longer side that webcams and phones have: about 53° across."""
FOCAL_SPREAD = 0.30
"""One σ of its logarithm: most webcams and phones lie between 40° and 75° across."""
DISTORTION_SPREAD = 0.03
"""One σ of the radial term k1: today's webcams and phones correct most of it themselves."""
INLIER_SIGMAS = 4.0
"""Corners farther than this from where their piece's size puts them make the piece an outlier."""
FIRST_STEPS, MOST_STEPS = 4, 60
"""From each first guess a few steps; from the best of them the rest."""
DIFFERENCE, LEAST_GAIN, MOST_DAMPINGS = 1e-6, 1e-6, 8
"""Of numeric slopes; a relative gain of the loss after which it is not worth going on; tries a step."""
START_TILT_DEG = 25.0
ONE_ON, ONE_BACK = [3, 0, 1, 2], [1, 2, 3, 0]
"""A quad's corners rolled by one: each in its next one's place, each in its last one's."""


@dataclass(frozen=True)
class Plane:
    """A camera above the table.

    Table frame: x right, y up, z towards the camera, mm; the origin is where the camera's axis meets the table.

    `tilt_xy`: rotation vector (rad) that tilts the camera; `distance_mm` along its axis; `focal_px`; `k1` radial;
    `residual_px`: rms of the inliers' corners; `inliers`: (n,) bool, the pieces that are of their stated size.
    """

    width_px: int
    height_px: int
    tilt_xy: tuple[float, float]
    distance_mm: float
    focal_px: float
    k1: float = 0.0
    residual_px: float = 0.0
    inliers: npt.NDArray[np.bool_] | None = None

    @cached_property
    def _camera(self) -> Cameras:
        row = (*self.tilt_xy, self.distance_mm, self.focal_px, self.k1)
        return cameras(np.array([row], float), (self.width_px, self.height_px))

    @property
    def tilt_deg(self) -> float:
        """How far the camera's axis is from straight down."""
        return float(np.degrees(np.hypot(*self.tilt_xy)))

    @property
    def camera_mm(self) -> Floats:
        """Return where the camera is, (3,) mm."""
        place: Floats = -self._camera.back[0, :, 2] * self.distance_mm
        return place

    def to_px(self, points_mm: npt.ArrayLike, height_mm: float = 0.0) -> Floats:
        """Project table points (…, 2) mm at a height above the table to px (…, 2)."""
        xy = np.asarray(points_mm, float)
        return to_px(self._camera, xy.reshape(1, -1, 2), height_mm).reshape(xy.shape)

    def to_mm(self, points_px: npt.ArrayLike, height_mm: float = 0.0) -> Floats:
        """Find where the rays of image points (…, 2) px meet the level `height_mm`: (…, 2) mm."""
        px = np.asarray(points_px, float)
        return to_mm(self._camera, px.reshape(1, -1, 2), height_mm).reshape(px.shape)

    def px_per_mm(self, points_mm: npt.ArrayLike) -> Floats:
        """Return the local scale at table points (…, 2): px a mm, the mean over both directions."""
        xy = np.asarray(points_mm, float)
        ex = self.to_px(xy + np.array([0.5, 0.0])) - self.to_px(xy - np.array([0.5, 0.0]))
        ey = self.to_px(xy + np.array([0.0, 0.5])) - self.to_px(xy - np.array([0.0, 0.5]))
        area: Floats = np.abs(ex[..., 0] * ey[..., 1] - ex[..., 1] * ey[..., 0])
        return np.sqrt(area)


def rectangles(corners_mm: Floats, sizes_mm: Floats) -> Floats:
    """Fit each quad (n, 4, 2) mm with the rigid rectangle of its size (n, 2), in its corners' order: (n, 4, 2) mm.

    The corners go clockwise as printed: top-left, top-right, bottom-right, bottom-left.
    """
    z = corners_mm[..., 0] + 1j * corners_mm[..., 1]
    mean = z.mean(axis=1, keepdims=True)
    w, h = sizes_mm[:, :1] / 2, sizes_mm[:, 1:] / 2
    template = np.concatenate([-w + 1j * h, w + 1j * h, w - 1j * h, -w - 1j * h], axis=1)
    turn = (np.conj(template) * (z - mean)).sum(axis=1, keepdims=True)
    fitted = mean + template * turn / np.maximum(np.abs(turn), 1e-12)
    return np.stack([fitted.real, fitted.imag], axis=-1)


def lengthwise(corners: Floats, sizes_mm: Floats) -> Floats:
    """Roll each quad's corners (n, 4, 2) by one where its sides fit its size (n, 2) better that way round."""
    return np.where(crosswise(corners, sizes_mm), corners[:, ONE_ON], corners)


def crosswise(corners: Floats, sizes_mm: Floats) -> npt.NDArray[np.bool_]:
    """Tell which quads (n, 4, 2) fit their sizes (n, 2) better with their corners rolled by one: (n, 1, 1)."""
    edge = corners[:, ONE_BACK] - corners
    side = np.sqrt(edge[..., 0] ** 2 + edge[..., 1] ** 2)
    aspect = np.log(np.maximum(side[:, 0] + side[:, 2], 1e-9) / np.maximum(side[:, 1] + side[:, 3], 1e-9))
    want = np.log(sizes_mm[:, 0] / sizes_mm[:, 1])
    rolled: npt.NDArray[np.bool_] = np.abs(-aspect - want) + 1e-9 < np.abs(aspect - want)
    return rolled[:, None, None]


def _plane(params: Floats, size_px: tuple[int, int], unit_mm: float) -> Plane:
    return Plane(
        *size_px,
        tilt_xy=(float(params[0]), float(params[1])),
        distance_mm=float(np.exp(params[2]) * unit_mm),
        focal_px=float(np.exp(params[3]) * max(size_px)),
        k1=float(params[4]),
    )


def _params(plane: Plane, unit_mm: float) -> Floats:
    focal = plane.focal_px / max(plane.width_px, plane.height_px)
    return np.array([*plane.tilt_xy, np.log(plane.distance_mm / unit_mm), np.log(focal), plane.k1])


def fit(
    corners_px: Floats,
    sizes_mm: Floats,
    size_px: tuple[int, int],
    *,
    height_mm: float = 0.0,
    noise_px: npt.ArrayLike = 1.0,
    near: Plane | None = None,
) -> Plane | None:
    """Find the camera for which the quads (n, 4, 2) px are rectangles of sizes (n, 2) mm, `height_mm` above the table.

    `size_px`: the frame's width and height. `noise_px`: one σ of a corner, one value or (n,). `near`: a camera
    already nearly right, from which alone to start. Quads of another size are outvoted (Cauchy loss) and
    marked as outliers.
    None where there is no quad, or no camera for which half of them fit.
    """
    if len(corners_px) == 0:
        return None
    unit = float(median(sizes_mm)) * 10
    noise = np.broadcast_to(np.asarray(noise_px, float), len(corners_px))
    args = (corners_px, sizes_mm, size_px, unit, height_mm, noise)
    starts = _starts(corners_px, sizes_mm, size_px, unit) if near is None else [_params(near, unit)]
    looks, losses = _minimised(np.stack(starts), args, FIRST_STEPS)
    found, _ = _minimised(looks[losses.argmin()][None], args, MOST_STEPS)
    return _judged(_plane(found[0], size_px, unit), corners_px, sizes_mm, height_mm, noise)


def _minimised(starts: Floats, args: tuple[Any, ...], most_steps: int) -> tuple[Floats, Floats]:
    """Minimise the residuals' Cauchy loss from each start (b, 5) by Levenberg-Marquardt on reweighted squares.

    Returns the parameters (b, 5) and the losses (b,). Five parameters and a dozen steps: SciPy's solver does the same,
    but importing it takes half a second of a command that should take two.
    """
    params, damping = starts, np.full(len(starts), 1e-3)
    errors = _residuals(params, *args)
    loss = np.log1p(errors**2).sum(axis=1)
    going = np.ones(len(starts), bool)
    for _ in range(most_steps):
        moved = (params[:, None] + DIFFERENCE * np.eye(params.shape[1])).reshape(-1, params.shape[1])
        slope = (_residuals(moved, *args).reshape(*params.shape, -1) - errors[:, None]) / DIFFERENCE  # (b, 5, r)
        weighted = slope / (1 + errors**2)[:, None]
        normal, down = slope @ np.swapaxes(weighted, 1, 2), -(weighted @ errors[..., None])
        held = np.einsum("bii->bi", normal) + 1e-9
        sought, gain = going.copy(), np.zeros(len(starts))
        for _ in range(MOST_DAMPINGS):
            tried = params + np.linalg.solve(normal + (damping[:, None] * held)[..., None] * np.eye(5), down)[..., 0]
            after = _residuals(tried, *args)
            less = np.log1p(after**2).sum(axis=1)
            found = sought & (less < loss)
            gain[found] = (loss - less)[found]
            params = np.where(found[:, None], tried, params)
            errors = np.where(found[:, None], after, errors)
            loss = np.where(found, less, loss)
            sought &= ~found
            if not sought.any():
                break
            damping = np.where(sought, damping * 5, damping)
        damping = np.maximum(damping / 5, 1e-9)
        going &= ~sought & (gain >= LEAST_GAIN * (loss + 1e-9))
        if not going.any():
            break
    return params, loss


def _starts(corners_px: Floats, sizes_mm: Floats, size_px: tuple[int, int], unit_mm: float) -> list[Floats]:
    """List first guesses: straight down, and tilted to four sides, as far away as the median piece's area says."""
    x, y = corners_px[..., 0], corners_px[..., 1]
    area = 0.5 * np.abs((x * np.roll(y, -1, 1) - np.roll(x, -1, 1) * y).sum(1))
    scale = float(median(np.sqrt(np.maximum(area, 1.0) / sizes_mm.prod(1))))
    away = np.log(FOCAL_PRIOR * max(size_px) / scale / unit_mm)
    tilt = np.radians(START_TILT_DEG)
    tilts = [(0.0, 0.0), (tilt, 0.0), (-tilt, 0.0), (0.0, tilt), (0.0, -tilt)]
    return [np.array([a, b, away, np.log(FOCAL_PRIOR), 0.0]) for a, b in tilts]


def _errors(of: Cameras, corners_px: Floats, sizes_mm: Floats, height_mm: float) -> Floats:
    """Return each corner's distance (b, n, 4, 2) px from where its best rectangle puts it, for each of b cameras."""
    count, n = len(of.back), len(corners_px)
    mm = to_mm(of, corners_px.reshape(1, -1, 2), height_mm).reshape(-1, 4, 2)
    sizes, px = np.tile(sizes_mm, (count, 1)), np.broadcast_to(corners_px, (count, n, 4, 2)).reshape(-1, 4, 2)
    rolled = crosswise(mm, sizes)
    if rolled.any():
        px, mm = np.where(rolled, px[:, ONE_ON], px), np.where(rolled, mm[:, ONE_ON], mm)
    placed = to_px(of, rectangles(mm, sizes).reshape(count, -1, 2), height_mm)
    return placed.reshape(count, n, 4, 2) - px.reshape(count, n, 4, 2)


def _residuals(
    params: Floats,
    corners_px: Floats,
    sizes_mm: Floats,
    size_px: tuple[int, int],
    unit_mm: float,
    height_mm: float,
    noise_px: Floats,
) -> Floats:
    """Return the residuals (b, r) of parameter sets (b, 5)."""
    held = np.clip(params, [-1.2, -1.2, -4, -2, -0.4], [1.2, 1.2, 6, 2, 0.4])
    held[:, 2], held[:, 3] = np.exp(held[:, 2]) * unit_mm, np.exp(held[:, 3]) * max(size_px)
    errors = _errors(cameras(held, size_px), corners_px, sizes_mm, height_mm)
    errors = np.clip(errors / noise_px[:, None, None], -1e4, 1e4)
    prior = [
        (params[:, 3] - np.log(FOCAL_PRIOR)) / FOCAL_SPREAD,
        params[:, 4] / DISTORTION_SPREAD,
        0.05 * params[:, 0],
        0.05 * params[:, 1],
    ]
    return np.concatenate([errors.reshape(len(params), -1), np.stack(prior, axis=1)], axis=1)


def _judged(plane: Plane, corners_px: Floats, sizes_mm: Floats, height_mm: float, noise_px: Floats) -> Plane | None:
    """State the residual and the inliers; None where fewer than half of the quads fit."""
    errors = np.sqrt((_errors(plane._camera, corners_px, sizes_mm, height_mm)[0] ** 2).sum(-1)).max(axis=1)
    inliers = errors < INLIER_SIGMAS * noise_px
    if inliers.mean() < 0.5:
        return None
    rms = float(np.sqrt((errors[inliers] ** 2).mean()))
    return Plane(
        plane.width_px, plane.height_px, plane.tilt_xy, plane.distance_mm, plane.focal_px, plane.k1, rms, inliers
    )
