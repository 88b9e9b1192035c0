"""What lies on a rendered table: pieces with their faces, and everything else that is no piece."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from synth.textures import Image

Outline = npt.NDArray[np.float64]
"""Corners in table mm, (n, 2)."""
Class = Literal["card", "disc", "marker"]
CLASSES: tuple[Class, ...] = ("card", "disc", "marker")


@dataclass(frozen=True)
class Thing:
    """A flat or blocky thing on the table.

    `outline_mm`: (4, 2) its footprint from its printed top-left on, clockwise seen from above.
    `z_mm`: the height of its underside; `thickness_mm` above that its face lies.
    `face`: BGR or BGRA picture of the face, edge to edge (alpha cuts it out).
    `radius`: of its rounded corners, as a share of its width; 0.5 is a disc.
    `kind`: the detector's class, or None for what is no piece.
    `side`: BGR of its visible sides. `sleeve`: a clear sleeve's margin in mm, 0 for none. `gloss`: 0…1.
    `key`: whatever the caller wants to find it by.
    """

    outline_mm: Outline
    face: npt.NDArray[np.uint8]
    kind: Class | None
    thickness_mm: float = 0.35
    z_mm: float = 0.0
    radius: float = 0.0
    side: tuple[float, float, float] = (200.0, 205.0, 210.0)
    sleeve_mm: float = 0.0
    gloss: float = 0.0
    key: object = None


@dataclass(frozen=True)
class Cord:
    """A string, cable or pen line on the table: a centreline of one width and colour."""

    path_mm: Outline
    width_mm: float
    bgr: tuple[float, float, float]
    closed: bool = False
    twist: float = 0.0  # strength of the twisted strands' light and dark, 0…1
    key: object = None


@dataclass(frozen=True)
class Layout:
    """Things and cords in the order in which they were laid, lowest first."""

    things: tuple[Thing | Cord, ...] = ()
    tabletop: Image | None = None
    texel_mm: float = 1.0  # one pixel of the table top's picture


def rectangle(centre: tuple[float, float], size: tuple[float, float], up_deg: float = 90.0) -> Outline:
    """Return the four corners of a rectangle whose printed top points to `up_deg`, from its top-left, clockwise."""
    up = np.array([np.cos(np.deg2rad(up_deg)), np.sin(np.deg2rad(up_deg))])
    right = np.array([up[1], -up[0]])
    w, h = size[0] / 2, size[1] / 2
    middle = np.asarray(centre, float)
    return np.array(
        [
            middle - right * w + up * h,
            middle + right * w + up * h,
            middle + right * w - up * h,
            middle - right * w - up * h,
        ]
    )
