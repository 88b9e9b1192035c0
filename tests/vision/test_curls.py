"""A ring of its own colour that touches a string is a curl, through which it leads; what only looks so is none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.cords import FIELD_BGR, RESEARCH_BGR, Cord, Floats, distance, render, top
from tests.vision.test_knots import WIDTH_PX, traced
from vision.strings.cordlines import surveyed
from vision.strings.curls import curled
from vision.strings.ground import survey
from vision.strings.strips import resampled

OUTLINE = np.array([[120.0, 120.0], [360.0, 120.0], [390.0, 190.0], [360.0, 260.0], [120.0, 260.0], [90.0, 190.0]])
FOOT = np.array([240.0, 120.0])


def outline() -> Floats:
    path, _ = resampled(OUTLINE, 1.5, True)
    return path


def ring(radius: float, gap: float = 0.0, *, below: bool = False) -> Floats:
    """A circle whose middle line comes within `gap` px of the outline's upper side, above or below it."""
    t = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    middle = FOOT + np.array([0.0, (radius + gap) * (1 if below else -1)])
    return np.asarray(middle + radius * np.stack([np.cos(t), np.sin(t)], 1))


def bow(width: float, height: float) -> Floats:
    """A ring that is as flat as a hem."""
    t = np.linspace(0, 2 * np.pi, 80, endpoint=False)
    return np.asarray(FOOT + np.array([0.0, -height]) + np.stack([width * np.cos(t), height * np.sin(t)], 1))


CURLS = [
    pytest.param(Cord(ring(13.0), RESEARCH_BGR, True, WIDTH_PX), True, id="a curl outside"),
    pytest.param(Cord(ring(11.0, below=True), RESEARCH_BGR, True, WIDTH_PX), True, id="a curl inside"),
    pytest.param(Cord(ring(20.0), RESEARCH_BGR, True, WIDTH_PX), True, id="a wide curl"),
    pytest.param(None, False, id="none"),
    pytest.param(Cord(ring(13.0, 9.0), RESEARCH_BGR, True, WIDTH_PX), False, id="a ring beside it"),
    pytest.param(Cord(ring(13.0), FIELD_BGR, True, WIDTH_PX), False, id="a ring of another colour"),
    pytest.param(Cord(ring(13.0)[:50], RESEARCH_BGR, False, WIDTH_PX), False, id="a hook that is open"),
    pytest.param(Cord(ring(60.0), RESEARCH_BGR, True, WIDTH_PX), False, id="as large as another loop"),
    pytest.param(Cord(bow(60.0, 6.0), RESEARCH_BGR, True, WIDTH_PX), False, id="a long slit"),
    pytest.param(Cord(ring(30.0, 3.0), RESEARCH_BGR, True, 5 * WIDTH_PX), False, id="a blot with a hole"),
]


@pytest.mark.parametrize("turned", [0, 300], ids=["", "begun elsewhere"])
@pytest.mark.parametrize(("other", "is_curl"), CURLS)
def test_a_ring_of_its_own_string_is_a_curl(other: Cord | None, is_curl: bool, turned: int) -> None:
    path = np.roll(outline(), -turned, axis=0)
    image = render(top("plain"), (Cord(path, RESEARCH_BGR, True, WIDTH_PX), *([other] if other else [])))
    found = curled(image, survey(image), traced(path))
    if not is_curl:
        assert found.path_px is path
        return
    assert len(found.crossings_px) >= 1
    assert np.hypot(*(found.crossings_px - FOOT).T).min() < 3 * WIDTH_PX
    assert found.visible < 0.98  # so that it is asked about
    assert len(found.path_px) == len(found.sigma_px) == len(found.seen) == len(found.widths_px)
    assert np.hypot(*(np.roll(found.path_px, -1, 0) - found.path_px).T).max() < 2 * WIDTH_PX  # one way on
    aside = distance(found.path_px, path)
    assert np.all(2 * found.sigma_px >= aside - 0.01)  # the curl may be a print
    assert np.allclose(found.sigma_px[aside < 0.01], traced(path).sigma_px[0], atol=0.01)


@pytest.mark.parametrize("change", [{"closed": False}, {"crossings_px": FOOT[None]}], ids=["open", "crossed already"])
def test_an_open_or_crossed_string_is_left_as_it_is(change: dict[str, object]) -> None:
    path = outline()
    image = render(
        top("plain"), (Cord(path, RESEARCH_BGR, True, WIDTH_PX), Cord(ring(13.0), RESEARCH_BGR, True, WIDTH_PX))
    )
    string = replace(traced(path), **change)  # type: ignore[arg-type]  # fields by name
    assert curled(image, survey(image), string) is string


def tail(length: float, *, apart: float = 0.0) -> Floats:
    """Two strands that lie side by side, from the outline's upper side upwards, or from so far above it."""
    t = np.linspace(0, 1, 30)[:, None]
    return np.asarray(FOOT + np.array([[0.0, -apart]]) + t * np.array([[0.0, -length]]))


TAILS = [
    pytest.param(Cord(tail(55.0), RESEARCH_BGR, False, 1.8 * WIDTH_PX), True, id="a loop drawn tight"),
    pytest.param(Cord(tail(12.0), RESEARCH_BGR, False, 1.8 * WIDTH_PX), False, id="a bulge"),
    pytest.param(Cord(tail(55.0), FIELD_BGR, False, 1.8 * WIDTH_PX), False, id="another string's"),
    pytest.param(Cord(tail(55.0, apart=16.0), RESEARCH_BGR, False, 1.8 * WIDTH_PX), False, id="a cord beside it"),
]


@pytest.mark.parametrize(("other", "loose"), TAILS)
def test_a_tail_of_its_own_string_leaves_its_way_open(other: Cord, loose: bool) -> None:
    path = outline()
    image = render(top("plain"), (Cord(path, RESEARCH_BGR, True, WIDTH_PX), other))
    found = curled(image, surveyed(image, ()), traced(path))
    assert found.closed is not loose
    assert (found.visible < 0.98) is loose  # so that it is asked about
    assert found.path_px is path
