"""Charts are well-formed, hold every point inside the frame, and say that there is nothing where there is nothing."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from measuring.charts import HEIGHT, WIDTH, Axis, Points, chart


@pytest.mark.parametrize(
    ("points", "log"),
    [
        ([(5, 580.0), (100, 5880.0)], False),
        ([(10, 0.3), (100_000, 3200.0)], True),
        ([(1, 2.0)], True),
        ([(1, 0.0), (2, 0.0)], False),
    ],
    ids=["linear", "log", "one-point", "all-zero"],
)
def test_every_point_lies_in_the_frame(points: Points, log: bool) -> None:
    drawn = ElementTree.fromstring(chart("a < b", "pieces", "ms", {"ours & theirs": points}, log=log))
    marks = [e for e in drawn if e.tag == "circle"]
    assert len(marks) == len(points) + 1  # and one in the key
    assert all(0 <= float(m.attrib["cx"]) <= WIDTH and 0 <= float(m.attrib["cy"]) <= HEIGHT for m in marks)


def test_no_point_is_said_in_words() -> None:
    assert "no figures" in chart("empty", "x", "y", {"none": []})


def test_shares_have_their_diagonal() -> None:
    path = re.search(
        r'<path d="([^"]+)" class="ideal"', chart("c", "said", "right", {"bins": [(0.9, 1.0)]}, shares=True)
    )
    assert path is not None
    (x0, y0), (x1, y1) = (map(float, pair.split()) for pair in path[1].removeprefix("M").split("L"))
    assert x0 < x1
    assert y0 > y1


@pytest.mark.parametrize(("values", "log", "ticks"), [([0, 10], False, [0, 5, 10]), ([1, 90], True, [1, 10, 100])])
def test_ticks_are_round(values: list[float], log: bool, ticks: list[float]) -> None:
    assert Axis(values, 0, 100, log).ticks() == pytest.approx(ticks)
