"""Where cords are seen: by the committed network on drawn cords, and the crests of a map, sub-pixel."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.cords import FIELD_BGR, Cord, Floats, Image, loop, render, top
from vision.strings.cordlines import cords, crests, surveyed
from vision.strings.cordmap import ROUND_PX, STEP_PX, seer, shown
from vision.strings.fragments import fragments
from vision.strings.ground import likely_at, survey

MIDDLE = (240.0, 180.0)


def pictured(kind: str, bgr: tuple[int, int, int], width: float = 5.0) -> tuple[Image, Floats]:
    path = loop(MIDDLE, 110.0)
    return render(top(kind), (Cord(path, bgr, True, width),)), path


@pytest.mark.parametrize("kind", ["plain", "wood"])
@pytest.mark.parametrize("bgr", [FIELD_BGR, (140, 142, 140), (60, 120, 60)], ids=["dark", "gray", "green"])
def test_a_cord_is_seen_where_it_lies_and_hardly_elsewhere(kind: str, bgr: tuple[int, int, int]) -> None:
    image, path = pictured(kind, bgr)
    ground = surveyed(image, ())
    assert (likely_at(ground, path) > 0.6).mean() > 0.85
    beside = np.asarray(MIDDLE) + (path - MIDDLE) * np.array([[0.8]])
    assert (likely_at(ground, beside) < 0.3).mean() > 0.97


def test_a_bare_table_shows_none() -> None:
    image = render(top("plain"), ())
    assert cords(image).mean() < 0.02


def test_only_a_window_is_looked_at() -> None:
    image, path = pictured("plain", FIELD_BGR)
    ground = survey(image)
    whole, part = cords(image), cords(image, (120, 60, 250, 300))
    right = path[path[:, 0] > 300]
    assert (likely_at(replace(ground, cords=part), right) == 0).all()
    left = path[(path[:, 0] < 230) & (path[:, 0] > 140)]
    near = likely_at(replace(ground, cords=whole), left) - likely_at(replace(ground, cords=part), left)
    assert np.abs(near).mean() < 0.1


def test_a_window_beside_the_picture_shows_none() -> None:
    image, _ = pictured("plain", FIELD_BGR)
    assert not cords(image, (1000, 900, 1100, 950)).any()


@pytest.mark.parametrize("size", [(97, 131), (96, 128), (8, 8), (1, 1), (3, 400)], ids=str)
def test_pictures_of_any_size(size: tuple[int, int]) -> None:
    image = np.full((*size, 3), 120, np.uint8)
    rows, columns = shown(image).shape[2:]
    assert rows % ROUND_PX == columns % ROUND_PX == 0
    assert seer().likely(image).shape == tuple(-(-side // STEP_PX) for side in size)


def test_a_larger_picture_is_seen_smaller() -> None:
    image = np.full((200, 300, 3), 120, np.uint8)
    assert seer().likely(image, 2.0).shape == (50, 75)


def test_crests_lie_on_the_middle_of_a_band() -> None:
    image = np.full((240, 320, 3), 128, np.uint8)
    y, x = np.mgrid[0:240, 0:320]
    away = np.hypot(x - 160.3, y - 120.6) - 70.2
    ground = replace(survey(image), cords=np.exp(-0.5 * (away / 1.3) ** 2).astype(np.float32))
    found = crests(ground)
    off = np.hypot(found.points[:, 0] - 160.3, found.points[:, 1] - 120.6) - 70.2
    assert np.abs(off).max() < 0.2
    (run,) = fragments(found)
    assert run.length > 0.98 * 2 * np.pi * 70.2
    half = crests(ground, x < 160)
    assert len(half.points) > 100
    assert half.points[:, 0].max() < 161


def test_where_nothing_was_looked_for_nothing_is_seen() -> None:
    ground = survey(np.full((40, 60, 3), 128, np.uint8))
    assert len(crests(ground).points) == 0
    assert (likely_at(ground, np.zeros((3, 2))) == 0).all()
