"""Pieces of one size found exactly without references: a printed frame is never taken for the edge."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision import framing
from vision.plane import Plane

Floats = npt.NDArray[np.float64]
SIZE_MM = (40.0, 40.0)
CAMERA = Plane(width_px=960, height_px=640, tilt_xy=(0.35, 0.1), distance_mm=420.0, focal_px=1000.0)


def rects(count: int) -> Floats:
    """Return tiles (n, 4, 2) mm in rows, each turned a little."""
    rng = np.random.default_rng(3)
    out = []
    for k in range(count):
        a = rng.uniform(-0.1, 0.1)
        corners = np.array([[-20, 20], [20, 20], [20, -20], [-20, -20]], float)
        turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        out.append(corners @ turn + (k % 4 * 56 - 84, 28 - k // 4 * 56))
    return np.array(out)


def picture(tiles: Floats) -> npt.NDArray[np.uint8]:
    """Paint tiles on a table little darker than their border, a strong frame inside, a shadow on one side."""
    rng = np.random.default_rng(4)
    image = np.full((640 * 4, 960 * 4, 3), (95, 105, 115), np.uint8)

    def paint(corners_mm: Floats, colour: tuple[int, int, int]) -> None:
        px = (CAMERA.to_px(corners_mm) + 0.5) * 4 - 0.5
        cv2.fillPoly(image, [np.round(px).astype(np.int32)], colour)

    for tile in tiles:
        middle = tile.mean(axis=0)
        paint(np.add(tile, (1.6, -1.2)), (45, 50, 55))
        paint(tile, (120, 128, 135))
        paint(middle + (tile - middle) * 0.86, rng.integers(60, 255, 3).tolist())
        paint(middle + (tile - middle) * rng.uniform(0.2, 0.5), rng.integers(0, 255, 3).tolist())
    small = cv2.resize(image, (960, 640), interpolation=cv2.INTER_AREA).astype(float)
    return np.asarray(np.clip(cv2.GaussianBlur(small, (0, 0), 0.8) + rng.normal(0, 3, small.shape), 0, 255), np.uint8)


@pytest.mark.parametrize("share", [0.0, 0.03, 0.07], ids=["exact boxes", "good boxes", "rough boxes"])
def test_tiles_are_found_to_a_third_of_a_mm(share: float) -> None:
    true = rects(8)
    rng = np.random.default_rng(5)
    rough = true + rng.normal(0, share * SIZE_MM[0] / 2, (8, 1, 2))
    rough = rough.mean(axis=1, keepdims=True) + (rough - rough.mean(axis=1, keepdims=True)) * rng.normal(
        1, share / 2, (8, 1, 1)
    )
    found = framing.frame(picture(true), CAMERA, CAMERA.to_px(rough), SIZE_MM, 0.0)
    error_mm = np.linalg.norm(CAMERA.to_mm(found.corners_px) - true, axis=-1)
    assert error_mm.max() < 0.35


def test_the_outer_line_is_the_one_that_all_four_sides_have() -> None:
    looks_mm = np.linspace(-4, 4, framing.LOOKS)

    def line(at_mm: float) -> Floats:
        return np.asarray(np.exp(-((looks_mm - at_mm) ** 2) / 0.05), float)

    lines = np.array([line(-2) + line(0.5) + (line(2.5) if side in (1, 2) else 0) for side in range(4)])
    assert framing.outer_mm(lines, looks_mm) == pytest.approx(0.5, abs=0.05)
    assert framing.outer_mm(np.zeros((4, framing.LOOKS)), looks_mm) == 0


def test_a_piece_that_was_drawn_away_is_laid_where_it_has_edges() -> None:
    true = rects(8)
    laid = CAMERA.to_px(true)
    away = true.copy()
    away[3] += 3.0 * (true[3, 0] - true[3, 3]) / 40  # mm, along itself
    found = framing.relaid(picture(true), CAMERA.to_px(away), SIZE_MM, 0.0)
    assert np.linalg.norm(found[3] - laid[3], axis=-1).max() < 1.5
    np.testing.assert_allclose(np.delete(found, 3, axis=0), np.delete(laid, 3, axis=0), atol=1.0)
