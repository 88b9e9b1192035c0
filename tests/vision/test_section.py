"""How wide a cord is: as its cross-section is fitted, and as it is seen."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.cords import loop
from vision.strings.centreline import Line, rough_width, seen_width
from vision.strings.ground import Ground, survey
from vision.strings.section import Section, weighed

MIDDLE = (240.0, 180.0)


def line(width: float = 4.0) -> Line:
    path = loop(MIDDLE, 110.0)
    return Line(path, np.ones(len(path), bool), True, width)


def ground(width: float, likely: float = 1.0) -> Ground:
    """A table on which a cord of some width is seen along the line, so likely."""
    plain = survey(np.full((360, 480, 3), 150, np.uint8))
    rows, columns = np.mgrid[0:360, 0:480].astype(np.float64)
    path = line().path_px
    off = np.min([np.hypot(columns - x, rows - y) for x, y in path[::2]], axis=0)
    return replace(plain, cords=(likely * np.clip(width / 2 - off + 0.5, 0, 1)).astype(np.float32))


@pytest.mark.parametrize("width", [3.0, 4.0, 6.0], ids="{} px".format)
def test_a_cord_is_as_wide_as_it_is_likely_across_it(width: float) -> None:
    found = seen_width(ground(width), line(), np.ones(500, bool))
    assert found == pytest.approx(width, abs=0.6)


@pytest.mark.parametrize(
    ("seen", "clear"),
    [
        pytest.param(ground(4.0, 0.4), np.ones(500, bool), id="faint"),
        pytest.param(ground(4.0), np.zeros(500, bool), id="nowhere clear"),
        pytest.param(ground(20.0), np.ones(500, bool), id="broader than what is looked at"),
        pytest.param(survey(np.full((360, 480, 3), 150, np.uint8)), np.ones(500, bool), id="not looked for"),
    ],
)
def test_what_is_hardly_seen_tells_no_width(seen: Ground, clear: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> None:
    assert seen_width(seen, line(), clear) is None


@pytest.mark.parametrize(
    ("seen", "least", "most"),
    [
        pytest.param(ground(4.0), 3.4, 4.6, id="a cord is seen"),
        pytest.param(survey(np.full((360, 480, 3), 150, np.uint8)), 10.0, 24.0, id="none is looked for"),
    ],
)
def test_a_first_width_is_the_seen_cords_and_not_that_of_the_dark_round_it(
    seen: Ground, least: float, most: float
) -> None:
    image = np.full((360, 480, 3), 150, np.uint8)
    for width, grey in ((16, 60), (4, 90)):
        cv2.polylines(image, [np.rint(line().path_px).astype(np.int32)], True, (grey,) * 3, width)
    assert least < rough_width(image, seen, line(), ()) < most


@pytest.mark.parametrize(
    ("fitted", "misfit", "least", "most"),
    [
        pytest.param(4.0, 0.3, 4.0, 4.0, id="both agree"),
        pytest.param(4.4, 0.3, 4.2, 4.4, id="a good fit counts for more"),
        pytest.param(1.2, 4.0, 3.6, 4.0, id="a bad fit hardly counts"),
        pytest.param(12.0, 1.6, 4.0, 4.2, id="nor does one that is far too wide"),
    ],
)
def test_a_fit_is_weighed_against_what_is_seen(fitted: float, misfit: float, least: float, most: float) -> None:
    found = weighed(Section(fitted, np.zeros(3), 1.0, np.zeros(3), misfit), 4.0)
    assert least <= round(found.width_px, 6) <= most
    assert found.misfit <= misfit
