"""Pinhole cameras above a table, many at once: points in mm to px and back, through a little lens distortion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

FACING = np.diag([1.0, -1.0, -1.0])
"""From the table's axes to those of a camera that looks straight down."""


@dataclass(frozen=True)
class Cameras:
    """Cameras, one a row: `back` (b, 3, 3) turns rays to the table's frame; the others broadcast over points."""

    back: Floats
    distance_mm: Floats  # (b, 1, 1)
    focal_px: Floats  # (b, 1, 1)
    k1: Floats  # (b, 1, 1)
    middle_px: Floats  # (2,)


def cameras(rows: Floats, size_px: tuple[int, int]) -> Cameras:
    """Set up cameras from rows (b, 5): tilt x, y (rad), distance mm, focal length px, k1."""
    distance, focal, k1 = (rows[:, k, None, None] for k in (2, 3, 4))
    middle = np.array([size_px[0] / 2 - 0.5, size_px[1] / 2 - 0.5])
    return Cameras(FACING @ np.swapaxes(_rotations(rows[:, :2]), 1, 2), distance, focal, k1, middle)


def _rotations(tilts: Floats) -> Floats:
    """Return the rotation matrices (b, 3, 3) of the rotation vectors (a, b, 0) rad, rows (b, 2)."""
    angle = np.hypot(tilts[:, 0], tilts[:, 1])
    x, y = (tilts / np.maximum(angle, 1e-12)[:, None]).T
    cross = np.zeros((len(tilts), 3, 3))
    cross[:, 0, 2], cross[:, 1, 2], cross[:, 2, 0], cross[:, 2, 1] = y, -x, -y, x
    sine, rest = np.sin(angle)[:, None, None], (1 - np.cos(angle))[:, None, None]
    return np.asarray(np.eye(3) + sine * cross + rest * (cross @ cross))


def to_px(of: Cameras, points_mm: Floats, height_mm: float) -> Floats:
    """Project table points (b, p, 2) mm, each row by its camera, to px."""
    x, y = points_mm[..., 0], points_mm[..., 1]  # apart: NumPy's loops are slow over pairs
    across, down, away = (
        x * of.back[:, 0, None, k] + y * of.back[:, 1, None, k] + height_mm * of.back[:, 2, None, k] for k in range(3)
    )
    away = away + of.distance_mm[..., 0]
    across, down = across / away, down / away
    bend = (1.0 + of.k1[..., 0] * (across**2 + down**2)) * of.focal_px[..., 0]
    return _paired(across * bend + of.middle_px[0], down * bend + of.middle_px[1])


def to_mm(of: Cameras, points_px: Floats, height_mm: float) -> Floats:
    """Find where the rays of image points, (b, p, 2) px or (1, p, 2) for all, meet a level: (b, p, 2) mm."""
    bent_x, bent_y = ((points_px[..., k] - of.middle_px[k]) / of.focal_px[..., 0] for k in range(2))
    straight: Floats | float = 1.0
    for _ in range(4):  # the inverse of a small radial term, by fixed point
        x, y = bent_x / straight, bent_y / straight
        straight = 1.0 + of.k1[..., 0] * (x**2 + y**2)
    x, y = bent_x / straight, bent_y / straight
    ray_x, ray_y, ray_z = (
        x * of.back[:, k, None, 0] + y * of.back[:, k, None, 1] + of.back[:, k, None, 2] for k in range(3)
    )
    start = of.back[:, :, 2] * of.distance_mm[..., 0]
    steps = (height_mm + start[:, 2:]) / ray_z
    return _paired(ray_x * steps - start[:, :1], ray_y * steps - start[:, 1:2])


def _paired(x: Floats, y: Floats) -> Floats:
    """Return coordinates (b, p) as points (b, p, 2)."""
    points = np.empty((*x.shape, 2))
    points[..., 0], points[..., 1] = x, y
    return points
