"""The reliability table: bins, the expected calibration error, and readings at 0.99."""

from __future__ import annotations

import pytest

from measuring.calibration import reliability


@pytest.mark.parametrize(
    ("said", "right", "error", "sure", "sure_right"),
    [
        ([], [], 0.0, 0, 0),
        ([1.0] * 4, [True] * 4, 0.0, 4, 4),
        ([1.0] * 4, [True, True, True, False], 0.25, 4, 3),
        ([0.75] * 4, [True, True, True, False], 0.0, 0, 0),
        ([0.95] * 2 + [0.15] * 2, [True, False, False, False], (2 * 0.45 + 2 * 0.15) / 4, 0, 0),
    ],
    ids=["none", "sure-and-right", "sure-and-wrong", "as-sure-as-right", "two-bins"],
)
def test_the_error_is_the_gap_weighed_by_count(
    said: list[float], right: list[bool], error: float, sure: int, sure_right: int
) -> None:
    found = reliability(said, right)
    assert found.error == pytest.approx(error)
    assert (found.sure, found.sure_right) == (sure, sure_right)
    assert sum(b.count for b in found.bins) == len(said)
