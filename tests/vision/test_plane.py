"""The plane from pieces of known size: cameras are recovered, wrong pieces outvoted, heights told apart."""

from __future__ import annotations

import numpy as np
import pytest

from vision.plane import Floats, Plane, fit, lengthwise, rectangles

SIZE = (1280, 720)


def camera(
    tilt_deg: float = 20.0, way_deg: float = 30.0, focal: float = 1.0, distance_mm: float = 900.0, k1: float = 0.0
) -> Plane:
    tilt, way = np.radians(tilt_deg), np.radians(way_deg)
    return Plane(*SIZE, (float(tilt * np.cos(way)), float(tilt * np.sin(way))), distance_mm, focal * SIZE[0], k1)


def cards(n: int, size_mm: tuple[float, float], seed: int) -> Floats:
    """Return n cards' corners (n, 4, 2) mm, scattered and turned at random."""
    rng = np.random.default_rng(seed)
    w, h = size_mm[0] / 2, size_mm[1] / 2
    template = np.array([[-w, h], [w, h], [w, -h], [-w, -h]])
    turns = rng.uniform(0, 2 * np.pi, n)
    c, s = np.cos(turns), np.sin(turns)
    turned = np.stack([np.stack([c, s], -1), np.stack([-s, c], -1)], -2)
    laid: Floats = np.einsum("kj,njl->nkl", template, turned) + rng.uniform(-200, 200, (n, 1, 2))
    return laid


def apart_mm(found: Floats, true: Floats) -> Floats:
    """Return how far points (n, 2) are apart once one frame is turned and moved onto the other."""
    a, b = found @ [1, 1j], true @ [1, 1j]
    a, b = a - a.mean(), b - b.mean()
    turn = np.vdot(a, b)
    apart: Floats = np.abs(a * turn / abs(turn) - b)
    return apart


@pytest.mark.parametrize("tilt_deg", [0.0, 10.0, 25.0, 40.0])
@pytest.mark.parametrize("size_mm", [(63.0, 88.0), (40.0, 40.0)], ids=["cards", "tiles"])
def test_there_and_back_again(tilt_deg: float, size_mm: tuple[float, float]) -> None:
    plane = camera(tilt_deg, k1=0.02)
    mm = cards(5, size_mm, seed=1)
    for height in (0.0, 2.0, 11.0):
        assert np.abs(plane.to_mm(plane.to_px(mm, height), height) - mm).max() < 1e-3


@pytest.mark.parametrize("tilt_deg", [0.0, 12.0, 25.0, 40.0])
@pytest.mark.parametrize(("count", "size_mm"), [(6, (63.0, 88.0)), (25, (40.0, 40.0))], ids=["six-cards", "25-tiles"])
def test_the_camera_is_found_again(tilt_deg: float, count: int, size_mm: tuple[float, float]) -> None:
    true, mm = camera(tilt_deg, focal=0.85), cards(count, size_mm, seed=count)
    px = true.to_px(mm, 2.0)
    found = fit(px, np.tile(size_mm, (count, 1)), SIZE, height_mm=2.0)
    assert found is not None
    assert found.inliers is not None
    assert found.inliers.all()
    assert found.residual_px < 0.1
    assert np.median(apart_mm(found.to_mm(px, 2.0).reshape(-1, 2), mm.reshape(-1, 2))) < 0.35


def test_a_wrong_piece_is_outvoted() -> None:
    mm = cards(12, (63.0, 88.0), seed=4)
    mm[3] = mm[3].mean(0) + (mm[3] - mm[3].mean(0)) * 1.35
    found = fit(camera().to_px(mm), np.tile((63.0, 88.0), (12, 1)), SIZE)
    assert found is not None
    assert found.inliers is not None
    assert found.inliers.tolist() == [k != 3 for k in range(12)]


def test_nothing_to_fit_is_no_plane() -> None:
    assert fit(np.zeros((0, 4, 2)), np.zeros((0, 2)), SIZE) is None


def test_a_thing_above_the_table_is_seen_farther_from_the_camera() -> None:
    plane = camera(30.0)
    spot = np.array([[50.0, 80.0]])
    seen = plane.to_mm(plane.to_px(spot, 1.5), 0.0)
    away = spot - plane.camera_mm[:2]
    assert float(((seen - spot) * away).sum()) > 0
    assert 0.3 < np.linalg.norm(seen - spot) < 1.5


@pytest.mark.parametrize("roll", range(4))
def test_corners_are_rolled_to_fit_their_size(roll: int) -> None:
    mm = cards(1, (63.0, 88.0), seed=9)
    rolled = lengthwise(np.roll(mm, roll, axis=1), np.array([[63.0, 88.0]]))
    side = np.linalg.norm(rolled[0, 1] - rolled[0, 0])
    assert side == pytest.approx(63.0)


def test_rectangles_keep_their_size_and_order() -> None:
    mm = cards(3, (63.0, 88.0), seed=2)
    noisy = mm + np.random.default_rng(0).normal(0, 0.5, mm.shape)
    fitted = rectangles(noisy, np.tile((63.0, 88.0), (3, 1)))
    sides = np.linalg.norm(np.roll(fitted, -1, axis=1) - fitted, axis=-1)
    assert sides == pytest.approx(np.tile((63.0, 88.0), (3, 2)))
    assert np.abs(fitted - mm).max() < 1.5
