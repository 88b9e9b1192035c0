"""A faint edge beyond a strong printed frame: all pieces have it alike, and a neighbour's edge is none."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.fitting import levelled
from vision.outermost import Pieces, outermost
from vision.plane import Plane, rectangles

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

SIDE_MM, HEIGHT_MM, FRAME = 36.0, 2.0, 0.08
DARK, LIGHT = 38, 190
CAMERA = Plane(1280, 720, (np.radians(20.0), np.radians(5.0)), 480.0, 1250.0)


def squares(side_mm: float, step_mm: float) -> Floats:
    """Return the squares (6, 4, 2) mm of six pieces in two rows."""
    places = np.array([(x * step_mm, y * step_mm) for y in (0.5, -0.5) for x in (-1, 0, 1)])
    return places[:, None] + side_mm / 2 * np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]], float)


def drawn(step_mm: float, edge: int) -> Image:
    """Draw dark-framed pieces on a dark table that is `edge` grey levels lighter than their frames, and grainy."""
    image = np.full((720 * 2, 1280 * 2, 3), DARK + edge, np.uint8)
    for share, grey in ((1.0, DARK), (1 - 2 * FRAME, LIGHT)):
        for square in squares(share * SIDE_MM, step_mm):
            px = np.rint((CAMERA.to_px(square, HEIGHT_MM) + 0.5) * 2 - 0.5).astype(np.int32)
            cv2.fillPoly(image, [px], (grey, grey, grey))
    small = cv2.resize(image, (1280, 720), interpolation=cv2.INTER_AREA)
    grain = np.random.default_rng(2).normal(0, 4.0, small.shape)
    return np.asarray(np.clip(cv2.GaussianBlur(small, (0, 0), 0.8) + grain, 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("step_mm", "edge", "side"),
    [(54.0, 8, 1.0), (37.0, 8, 1.0), (54.0, 0, 1 - 2 * FRAME), (36.0, 0, 1 - 2 * FRAME)],
    ids=["faint edge", "side by side", "no edge to be seen", "only a neighbour's"],
)
def test_pieces_reach_to_the_line_beyond_their_frames(step_mm: float, edge: int, side: float) -> None:
    frames = CAMERA.to_px(squares((1 - 2 * FRAME) * SIDE_MM, step_mm), HEIGHT_MM)
    found = outermost(drawn(step_mm, edge), Pieces(frames, (SIDE_MM, SIDE_MM), HEIGHT_MM))
    true = CAMERA.to_px(squares(side * SIDE_MM, step_mm), HEIGHT_MM)
    breadth = np.linalg.norm(true[:, 1] - true[:, 0], axis=-1, keepdims=True)
    assert (np.linalg.norm(found - true, axis=-1) / breadth).max() < 0.025


@pytest.mark.parametrize("off_deg", [0.0, 3.0, -3.0], ids=["level", "too steep", "too flat"])
def test_sides_tell_how_the_table_lies(off_deg: float) -> None:
    true = CAMERA.to_px(squares(SIDE_MM, 54.0), HEIGHT_MM)
    wrong = Plane(1280, 720, (CAMERA.tilt_xy[0] + np.radians(off_deg), CAMERA.tilt_xy[1]), 480.0, 1250.0)
    size = (SIDE_MM, SIDE_MM)
    rects = wrong.to_px(rectangles(wrong.to_mm(true, HEIGHT_MM), np.full((6, 2), SIDE_MM)), HEIGHT_MM)
    found = levelled(drawn(54.0, 90), rects, size, HEIGHT_MM)
    breadth = np.linalg.norm(true[:, 1] - true[:, 0], axis=-1, keepdims=True)
    assert (np.linalg.norm(found - true, axis=-1) / breadth).max() < 0.01
