"""What is known of a string's place on the table: nothing where too little of it was seen, or its way back is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from decks.deck import find
from tests.vision.cords import loop
from tests.vision.test_knots import traced
from vision.plane import Plane
from vision.reader import string_of
from vision.strings.identity import STRAY_SIGMA_MM

PLANE = Plane(480, 360, (0.0, 0.0), 300.0, 600.0)  # 2 px a mm


@pytest.mark.parametrize(
    ("visible", "closed", "doubted"),
    [
        pytest.param(1.0, True, False, id="seen"),
        pytest.param(0.8, True, False, id="seen for the most part"),
        pytest.param(0.6, True, True, id="hardly seen"),
        pytest.param(1.0, False, True, id="its way back lost"),
    ],
)
def test_a_string_of_which_too_little_was_seen_may_lie_anywhere(visible: float, closed: bool, doubted: bool) -> None:
    string = replace(traced(loop((240, 180), 100)), visible=visible, closed=closed)
    found = string_of(string, PLANE, find(None, "string-safari"))
    assert (min(found.sigma_mm) >= STRAY_SIGMA_MM) is doubted
