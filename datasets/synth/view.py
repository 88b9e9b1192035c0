"""A camera over a table: from mm on the table to px in the picture, lens included."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class View:
    """A pinhole camera with one radial lens term, looking at the plane z = 0 from z > 0.

    `matrix`: (3, 4), from homogeneous table mm (x right, y up, z towards the camera) to px without the lens.
    `lens`: at radius r (1 = half the picture's diagonal) a point moves outwards by `lens`·r² of it; negative: barrel.
    """

    matrix: Array
    width: int
    height: int
    lens: float = 0.0

    def straight(self, points_mm: npt.ArrayLike, z_mm: float = 0.0) -> Array:
        """Project (n, 2) points at one height to (n, 2) px before the lens."""
        xy = np.asarray(points_mm, float).reshape(-1, 2)
        homogeneous = np.concatenate([xy, np.full((len(xy), 1), z_mm), np.ones((len(xy), 1))], 1) @ self.matrix.T
        return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:], float)

    def project(self, points_mm: npt.ArrayLike, z_mm: float = 0.0) -> Array:
        """Project (n, 2) points at one height to (n, 2) px of the finished picture."""
        return self.bend(self.straight(points_mm, z_mm))

    def plane(self, z_mm: float = 0.0) -> Array:
        """Return the homography (3, 3) from the table plane at this height, mm, to px before the lens."""
        return np.stack([self.matrix[:, 0], self.matrix[:, 1], self.matrix[:, 2] * z_mm + self.matrix[:, 3]], 1)

    def px_per_mm(self, point_mm: tuple[float, float], z_mm: float = 0.0) -> float:
        """Return the mean scale at a point."""
        x, y = point_mm
        p = self.straight([[x, y], [x + 1, y], [x, y + 1]], z_mm)
        a, b = p[1] - p[0], p[2] - p[0]
        return float(np.sqrt(abs(a[0] * b[1] - a[1] * b[0])))

    def bend(self, points_px: Array) -> Array:
        """Move points as the lens does."""
        if self.lens == 0:
            return points_px
        centre = np.array([(self.width - 1) / 2, (self.height - 1) / 2])
        offset = (points_px - centre) / np.hypot(*centre)
        r2 = np.minimum((offset**2).sum(1, keepdims=True), 2.25)  # far outside, the cubic would fold back
        return np.asarray(centre + offset * (1 + self.lens * r2) * np.hypot(*centre), float)

    def through_lens(self, image: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """Resample a picture drawn without the lens as the lens shows it."""
        if self.lens == 0:
            return image
        x, y = np.meshgrid(np.arange(self.width, dtype=np.float32), np.arange(self.height, dtype=np.float32))
        cx, cy = np.float32((self.width - 1) / 2), np.float32((self.height - 1) / 2)
        norm = np.float32(np.hypot(cx, cy))
        u, v = (x - cx) / norm, (y - cy) / norm
        bent = u * u + v * v
        straight = np.ones_like(bent)
        for _ in range(4):  # invert r' = r (1 + k r²): contracts for |k| < 0.15
            straight = 1 / (1 + np.float32(self.lens) * bent * straight * straight)
        flags = cv2.INTER_LINEAR
        seen = cv2.remap(
            image, cx + u * straight * norm, cy + v * straight * norm, flags, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(seen, np.uint8)


def look(
    width: int,
    height: int,
    *,
    px_per_mm: float,
    tilt_deg: float = 0.0,
    azimuth_deg: float = 0.0,
    roll_deg: float = 0.0,
    focal: float = 1.1,
    aim_mm: tuple[float, float] = (0.0, 0.0),
    lens: float = 0.0,
) -> View:
    """Place a camera that sees `aim_mm` in the middle of the picture at the given scale.

    `tilt_deg`: 0 looks straight down; more, and the picture's bottom edge is the nearer one. `azimuth_deg`: from which
    side. `focal`: in picture widths.
    """
    focal_px = focal * max(width, height)
    distance = focal_px / px_per_mm
    turn, tilt, roll = np.deg2rad([azimuth_deg, -tilt_deg, roll_deg])
    about_z = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    down = np.diag([1.0, -1.0, -1.0])  # camera x right, y down, z away from it
    about_x = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    about_axis = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    rotation = about_axis @ about_x @ down @ about_z
    shift = np.array([0, 0, distance]) - rotation @ np.array([*aim_mm, 0.0])
    intrinsic = np.array([[focal_px, 0, (width - 1) / 2], [0, focal_px, (height - 1) / 2], [0, 0, 1]])
    return View(intrinsic @ np.column_stack([rotation, shift]), width, height, lens)
