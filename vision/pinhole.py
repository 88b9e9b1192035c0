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
    back = of.back
    cam = points_mm @ back[:, :2] + height_mm * back[:, 2:]
    flat = cam[..., :2] / (cam[..., 2:] + of.distance_mm)
    flat = flat * (1.0 + of.k1 * (flat[..., :1] ** 2 + flat[..., 1:] ** 2))
    placed: Floats = flat * of.focal_px + of.middle_px
    return placed


def to_mm(of: Cameras, points_px: Floats, height_mm: float) -> Floats:
    """Find where the rays of image points, (b, p, 2) px or (1, p, 2) for all, meet a level: (b, p, 2) mm."""
    bent = (points_px - of.middle_px) / of.focal_px
    flat = bent
    for _ in range(4):  # the inverse of a small radial term, by fixed point
        flat = bent / (1.0 + of.k1 * (flat[..., :1] ** 2 + flat[..., 1:] ** 2))
    rays = flat @ np.swapaxes(of.back[..., :2], 1, 2) + of.back[:, None, :, 2]
    start = of.back[:, None, :, 2] * of.distance_mm
    steps = (height_mm + start[..., 2:]) / rays[..., 2:]
    found: Floats = (rays * steps - start)[..., :2]
    return found
