"""The rendered camera: where points on the table are seen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from synth.view import View, look

VIEWS = [
    pytest.param(look(640, 480, px_per_mm=1.5), id="straight down"),
    pytest.param(look(640, 480, px_per_mm=1.5, tilt_deg=40, azimuth_deg=25, roll_deg=-5), id="tilted"),
    pytest.param(
        look(480, 640, px_per_mm=3.0, tilt_deg=20, aim_mm=(120.0, -60.0), lens=-0.05), id="aimed, barrel lens"
    ),
]


@pytest.mark.parametrize("view", VIEWS)
def test_a_point_by_plane_is_the_point_by_projection(view: View) -> None:
    points = np.array([[0.0, 0.0], [50, 20], [-30, 60]])
    for z in (0.0, 9.0):
        by_plane = np.concatenate([points, np.ones((3, 1))], 1) @ view.plane(z).T
        np.testing.assert_allclose(view.straight(points, z), by_plane[:, :2] / by_plane[:, 2:], atol=1e-9)


def test_straight_down_is_not_mirrored_and_has_the_scale() -> None:
    view = look(640, 480, px_per_mm=2.0)
    origin, right, up = view.project([[0, 0], [10, 0], [0, 10]])
    np.testing.assert_allclose(origin, [319.5, 239.5], atol=1e-9)
    np.testing.assert_allclose(right - origin, [20, 0], atol=1e-9)
    np.testing.assert_allclose(up - origin, [0, -20], atol=1e-9)


def test_what_is_high_is_seen_farther_from_the_foot_of_the_camera() -> None:
    view = look(640, 480, px_per_mm=2.0)
    low, high = view.project([[100, 0]], 0.0)[0], view.project([[100, 0]], 20.0)[0]
    assert high[0] > low[0]


@pytest.mark.parametrize("lens", [-0.08, -0.02, 0.04])
def test_the_picture_bends_as_the_labels_do(lens: float) -> None:
    view = look(401, 301, px_per_mm=1.0, lens=lens)
    for x, y in ((150.0, 100.0), (-120.0, 60.0), (0.0, 0.0)):
        image = np.zeros((301, 401, 3), np.uint8)
        at = view.straight([[x, y]])[0]
        cv2.circle(image, (round(at[0]), round(at[1])), 4, (255, 255, 255), -1)
        bent = view.through_lens(image)[..., 0].astype(float)
        ys, xs = np.mgrid[:301, :401]
        middle = np.array([(xs * bent).sum(), (ys * bent).sum()]) / bent.sum()
        np.testing.assert_allclose(middle, view.project([[x, y]])[0], atol=0.6)  # the circle's middle was rounded
