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


def squares(side_mm: float, step_mm: float, tall: float = 1.0) -> Floats:
    """Return the squares (6, 4, 2) mm of six pieces in two rows, or rectangles so much taller."""
    places = np.array([(x * step_mm, y * step_mm) for y in (0.5, -0.5) for x in (-1, 0, 1)])
    return places[:, None] + side_mm / 2 * np.array([[-1, tall], [1, tall], [1, -tall], [-1, -tall]], float)


def filled(image: Image, shapes_mm: Floats, grey: int, heights_mm: tuple[float, ...] = (HEIGHT_MM,)) -> None:
    """Fill pieces' outlines (n, 4, 2) mm in a picture twice as fine as the camera's (in place): all their heights."""
    for shape in shapes_mm:
        px = np.concatenate([(CAMERA.to_px(shape, height) + 0.5) * 2 - 0.5 for height in heights_mm])
        cv2.fillConvexPoly(image, cv2.convexHull(np.rint(px).astype(np.int32)), (grey, grey, grey))


def walled() -> Image:
    """Draw bright thick pieces on a dark table, their walls hardly darker than their faces."""
    image = np.full((720 * 2, 1280 * 2, 3), DARK, np.uint8)
    filled(image, squares(SIDE_MM, 54.0), LIGHT - 12, (HEIGHT_MM, 0.0))
    filled(image, squares(SIDE_MM, 54.0), LIGHT)
    filled(image, squares(0.7 * SIDE_MM, 54.0), DARK)
    return seen(image, 2.0)


def shaded() -> Image:
    """Draw bright pieces without frames, as large as frames are elsewhere, each in the soft shadow of its own edge."""
    image = np.full((720 * 2, 1280 * 2, 3), DARK + 30, np.uint8)
    side_mm = (1 - 2 * FRAME) * SIDE_MM
    filled(image, squares(side_mm, 54.0), DARK)
    soft = image.astype(np.float32)
    image = np.asarray((cv2.GaussianBlur(soft, (0, 0), 8) + cv2.GaussianBlur(soft, (0, 0), 16)) / 2, np.uint8)
    filled(image, squares(side_mm, 54.0), LIGHT)
    return seen(image, 2.0)


def drawn(step_mm: float, edge: int, tall: float = 1.0) -> Image:
    """Draw dark-framed pieces on a dark table that is `edge` grey levels lighter than their frames, and grainy.

    `tall`: of the print within the frames.
    """
    image = np.full((720 * 2, 1280 * 2, 3), DARK + edge, np.uint8)
    filled(image, squares(SIDE_MM, step_mm), DARK)
    filled(image, squares((1 - 2 * FRAME) * SIDE_MM, step_mm, tall), LIGHT)
    return seen(image)


def seen(image: Image, grain_levels: float = 4.0) -> Image:
    """Return a picture twice as fine as the camera sees it, grainy."""
    small = cv2.resize(image, (1280, 720), interpolation=cv2.INTER_AREA)
    grain = np.random.default_rng(2).normal(0, grain_levels, small.shape)
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


def test_frames_may_be_broader_at_top_and_foot_than_beside() -> None:
    tall, size = 0.9, (SIDE_MM, SIDE_MM)
    frames = CAMERA.to_px(squares((1 - 2 * FRAME) * SIDE_MM, 54.0, tall), HEIGHT_MM)
    found = levelled(drawn(54.0, 8, tall), outermost(drawn(54.0, 8, tall), Pieces(frames, size, HEIGHT_MM)), size, 2.0)
    true = CAMERA.to_px(squares(SIDE_MM, 54.0), HEIGHT_MM)
    breadth = np.linalg.norm(true[:, 1] - true[:, 0], axis=-1, keepdims=True)
    assert (np.linalg.norm(found - true, axis=-1) / breadth).max() < 0.025


def test_a_shadow_that_fades_away_is_no_frame() -> None:
    true = CAMERA.to_px(squares((1 - 2 * FRAME) * SIDE_MM, 54.0), HEIGHT_MM)
    found = outermost(shaded(), Pieces(true, (SIDE_MM, SIDE_MM), HEIGHT_MM))
    np.testing.assert_allclose(found, true)


@pytest.mark.parametrize("off_deg", [0.0, 3.0, -3.0], ids=["level", "too steep", "too flat"])
def test_sides_tell_how_the_table_lies(off_deg: float) -> None:
    true = CAMERA.to_px(squares(SIDE_MM, 54.0), HEIGHT_MM)
    wrong = Plane(1280, 720, (CAMERA.tilt_xy[0] + np.radians(off_deg), CAMERA.tilt_xy[1]), 480.0, 1250.0)
    size = (SIDE_MM, SIDE_MM)
    rects = wrong.to_px(rectangles(wrong.to_mm(true, HEIGHT_MM), np.full((6, 2), SIDE_MM)), HEIGHT_MM)
    found = levelled(walled(), rects, size, HEIGHT_MM)
    breadth = np.linalg.norm(true[:, 1] - true[:, 0], axis=-1, keepdims=True)
    assert (np.linalg.norm(found - true, axis=-1) / breadth).max() < 0.015


def test_a_walls_foot_is_not_the_faces_edge() -> None:
    true = CAMERA.to_px(squares(SIDE_MM, 54.0), HEIGHT_MM)
    foot = CAMERA.to_px(squares(SIDE_MM, 54.0), 0.0)
    assert np.linalg.norm(foot - true, axis=-1).max() > 2.0
    found = levelled(walled(), true, (SIDE_MM, SIDE_MM), HEIGHT_MM)
    assert np.linalg.norm(found - true, axis=-1).max() < 0.7


def test_on_blotches_of_the_table_pieces_are_not_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    true = CAMERA.to_px(squares(SIDE_MM, 70.0), HEIGHT_MM)
    blots = cv2.GaussianBlur(np.random.default_rng(3).normal(0, 1, (720 * 2, 1280 * 2)), (0, 0), 12)
    image = np.repeat(np.where(blots > 0, DARK, LIGHT)[..., None], 3, axis=2).astype(np.uint8)
    filled(image, squares(SIDE_MM, 70.0), 2 * DARK)
    lines = iter([np.full(2, 0.18 * SIDE_MM), None])
    monkeypatch.setattr("vision.outermost._beyond", lambda *_: next(lines))
    np.testing.assert_allclose(outermost(seen(image), Pieces(true, (SIDE_MM, SIDE_MM), HEIGHT_MM)), true)
