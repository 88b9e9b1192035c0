"""Composed pictures: what is drawn is where its label says."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from synth.compose import Sun, compose
from synth.masks import rounded, stroke
from synth.things import Cord, Layout, Thing, rectangle
from synth.view import look

DARK = np.full((64, 64, 3), 20, np.uint8)
WHITE = np.full((88, 63, 3), 250, np.uint8)
NO_SUN = Sun(strength=0.0)


def card(centre: tuple[float, float] = (0.0, 0.0), up: float = 90.0, **more: float) -> Thing:
    return Thing(rectangle(centre, (63, 88), up), WHITE, "card", **more)  # type: ignore[arg-type]  # numbers by name


@pytest.mark.parametrize("up", [90.0, 37.0, 200.0])
@pytest.mark.parametrize("tilt", [0.0, 35.0])
def test_a_white_card_fills_its_corners_and_no_more(up: float, tilt: float) -> None:
    view = look(320, 320, px_per_mm=1.6, tilt_deg=tilt, azimuth_deg=20)
    drawn = compose(Layout((card(up=up),), DARK, 10.0), view, NO_SUN)
    bright = (drawn.image[..., 1].astype(float) - 20) / 230
    area = abs(cv2.contourArea(drawn.labels[0].corners_px.astype(np.float32)))
    assert bright.sum() == pytest.approx(area, rel=0.02)
    inside = np.zeros((320, 320), np.uint8)
    cv2.fillConvexPoly(inside, drawn.labels[0].corners_px.round().astype(np.int32), 1)
    assert bright[inside == 0].sum() < 0.02 * area


def test_the_face_is_upright_from_its_first_corner_on() -> None:
    face = WHITE.copy()
    face[:20, :20] = (0, 0, 255)  # red at the printed top-left
    view = look(320, 320, px_per_mm=2.0)
    for up in (90.0, 0.0, 250.0):
        thing = Thing(rectangle((0, 0), (63, 88), up), face, "card")
        drawn = compose(Layout((thing,), DARK, 10.0), view, NO_SUN)
        corner, middle = drawn.labels[0].corners_px[0], drawn.labels[0].corners_px.mean(0)
        x, y = (corner + (middle - corner) * 0.15).round().astype(int)
        assert drawn.image[y, x, 2] > 150
        assert drawn.image[y, x, 1] < 90


def test_what_is_covered_or_out_of_view_is_counted() -> None:
    view = look(320, 320, px_per_mm=2.0)
    cases = {
        "free": ([card()], 1.0),
        "half covered": ([card(), card((31.5, 0.0))], 0.5),
        "half out of view": ([card((80.0, 0.0))], 0.5),
        "out of view": ([card((300.0, 0.0))], 0.0),
    }
    for name, (things, visible) in cases.items():
        drawn = compose(Layout(tuple(things), DARK, 10.0), view, NO_SUN)
        assert drawn.labels[0].visible == pytest.approx(visible, abs=0.03), name


def test_an_empty_layout_is_bare_table() -> None:
    drawn = compose(Layout((), DARK, 10.0), look(160, 120, px_per_mm=1.0), NO_SUN)
    assert drawn.image.shape == (120, 160, 3)
    assert drawn.labels == ()
    assert (drawn.owner == -1).all()


@pytest.mark.parametrize("width_mm", [2.2, 3.4])
def test_a_string_has_its_width_and_lies_on_its_path(width_mm: float) -> None:
    turn = np.linspace(0, 2 * np.pi, 200, endpoint=False)
    path = np.stack([np.cos(turn), np.sin(turn)], 1) * 60
    view = look(640, 640, px_per_mm=4.0)
    drawn = compose(Layout((Cord(path, width_mm, (255.0, 255.0, 255.0), True),), DARK, 10.0), view, NO_SUN)
    lit = (drawn.image[..., 1] > 110).sum()
    length = np.hypot(*np.diff(np.concatenate([drawn.paths_px[0], drawn.paths_px[0][:1]]), axis=0).T).sum()
    assert lit / length == pytest.approx(width_mm * 4.0, rel=0.08)
    seen = np.argwhere(drawn.owner == 0)[:, ::-1]
    gaps = np.hypot(*(seen[:, None] - drawn.paths_px[0][None]).transpose(2, 0, 1)).min(1)
    assert gaps.max() < width_mm * 2 + 2.5


@pytest.mark.parametrize("step_px", [1.0, 2.5, 6.0])
@pytest.mark.parametrize("width_px", [2.5, 4.0])
def test_a_thin_stroke_is_as_wide_however_finely_its_path_is_cut(width_px: float, step_px: float) -> None:
    path = np.array([20.3, 20.8]) + np.arange(0, 101, step_px)[:, None] * np.array([0.8, 0.6])
    mask = stroke((0, 0, 128, 128), path, width_px)
    y, x = np.mgrid[0:128, 0:128]
    along = (x - 20.3) * 0.8 + (y - 20.8) * 0.6
    middle = (along > 20) & (along < 80)
    assert mask[middle].sum() / 255 / 60 == pytest.approx(width_px, abs=0.15)


@pytest.mark.parametrize(("radius", "area"), [(0.0, 1.0), (0.5, np.pi / 4), (0.1, 1 - (4 - np.pi) * 0.01)])
def test_rounding_takes_the_corners_away(radius: float, area: float) -> None:
    outline = rounded(rectangle((0, 0), (10, 10)), radius)
    assert cv2.contourArea(outline.astype(np.float32)) == pytest.approx(100 * area, rel=0.02)


def test_a_cube_shows_its_top_at_its_height() -> None:
    view = look(320, 320, px_per_mm=8.0, tilt_deg=40)
    cube = Thing(rectangle((0, 0), (9, 9)), np.full((8, 8, 3), 255, np.uint8), "marker", thickness_mm=9.0)
    drawn = compose(Layout((cube,), DARK, 10.0), view, NO_SUN)
    np.testing.assert_allclose(drawn.labels[0].corners_px, view.project(rectangle((0, 0), (9, 9)), 9.0))
    assert drawn.labels[0].corners_px[:, 1].mean() < view.project([[0, 0]])[0, 1] - 5
