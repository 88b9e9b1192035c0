"""A string that was followed round a small loop crosses itself if string lies in the loop's neck, and only then."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.cords import RESEARCH_BGR, Cord, Floats, render, top
from vision.strings.ground import survey
from vision.strings.knots import knotted
from vision.strings.strips import resampled
from vision.strings.traced import TracedString

WIDTH_PX, NECK = 5.0, np.radians(38.0)
MIDDLE, RADIUS = np.array([240.0, 90.0]), 15.0


def bulged() -> Floats:
    """A rounded outline whose upper side goes round three quarters of a small circle."""
    t = np.linspace(np.pi / 2 + NECK, 5 * np.pi / 2 - NECK, 60)
    circle = MIDDLE + RADIUS * np.stack([np.cos(t), np.sin(t)], 1)
    foot = circle[0][1] + 3
    outline = np.array([[370, foot], [390, 160], [370, 260], [110, 260], [90, 160], [110, foot]])
    path, _ = resampled(np.concatenate([circle, outline]), 1.5, True)
    return path


def traced(path: Floats) -> TracedString:
    n = len(path)
    return TracedString(
        name="research",
        closed=True,
        path_px=path,
        widths_px=np.full(n, WIDTH_PX),
        sigma_px=np.full(n, 0.3),
        seen=np.ones(n, bool),
        width_px=WIDTH_PX,
        width_sigma_px=0.2,
        visible=1.0,
        gaps=(),
        crossings_px=np.zeros((0, 2)),
    )


def neck(path: Floats) -> Floats:
    """What lies between the circle's ends: the string's own crossing."""
    low = path[(np.abs(path[:, 0] - MIDDLE[0]) < RADIUS) & (np.abs(path[:, 1] - MIDDLE[1]) < RADIUS + 2)]
    left, right = (low[low[:, 0] * side == (low[:, 0] * side)[low[:, 1] > MIDDLE[1] + 9].max()][0] for side in (-1, 1))
    return np.linspace(left, right, 20)


@pytest.mark.parametrize(("places", "asked"), [(1, False), (5, False), (12, True)])
def test_a_string_that_lies_along_itself_may_have_been_followed_to_and_fro(places: int, asked: bool) -> None:
    path = bulged()
    string = replace(traced(path), crossings_px=path[:: len(path) // places][:places])
    image = render(top("plain"), (Cord(path, RESEARCH_BGR, True, WIDTH_PX),))
    assert (knotted(image, survey(image), string).visible < 0.98) is asked


@pytest.mark.parametrize("turned", [0, 40, 300], ids=["", "begun on the loop", "begun elsewhere"])
@pytest.mark.parametrize("filled", [True, False], ids=["knot", "bulge"])
def test_a_loop_is_a_crossing_where_its_neck_is_string(filled: bool, turned: int) -> None:
    path = np.roll(bulged(), -turned, axis=0)
    cords = [Cord(path, RESEARCH_BGR, True, WIDTH_PX)]
    if filled:
        cords.append(Cord(neck(bulged()), RESEARCH_BGR, False, WIDTH_PX))
    image = render(top("plain"), tuple(cords))
    found = knotted(image, survey(image), traced(path))
    if not filled:
        assert found.path_px is path
        assert found.visible == 1.0
        return
    assert len(found.crossings_px) >= 1
    assert np.hypot(*(found.crossings_px - neck(path).mean(0)).T).min() < 2 * WIDTH_PX
    assert found.visible < 0.98  # so that it is asked about
    assert len(found.path_px) == len(found.sigma_px) == len(found.seen) == len(found.widths_px)
    steps = np.hypot(*(np.roll(found.path_px, -1, 0) - found.path_px).T)
    assert steps.max() < 3.0  # one way on, without a jump
