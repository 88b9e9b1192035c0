"""Medians and quantiles are NumPy's, to the last digit, without what NumPy loads for them."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import numpy.typing as npt
import pytest

from vision.ranks import median, quantile

SHAPES = pytest.mark.parametrize(
    ("shape", "axis"),
    [
        pytest.param((1,), None, id="one"),
        pytest.param((7,), None, id="odd"),
        pytest.param((8,), None, id="even"),
        pytest.param((5, 6), 0, id="columns"),
        pytest.param((5, 6), 1, id="rows"),
        pytest.param((4, 7, 3), 1, id="middle axis"),
        pytest.param((4, 4), None, id="all of a table"),
    ],
)


@SHAPES
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_median_is_numpys(shape: tuple[int, ...], axis: int | None, kind: type) -> None:
    values: npt.NDArray[np.floating] = np.random.default_rng(1).random(shape).astype(kind)
    assert np.array_equal(median(values, axis), np.median(values, axis))


@SHAPES
@pytest.mark.parametrize("share", [0.0, 0.1, 0.6, 0.99, 1.0])
def test_quantile_is_numpys(shape: tuple[int, ...], axis: int | None, share: float) -> None:
    values = np.random.default_rng(2).random(shape)
    assert quantile(values, share, axis) == pytest.approx(np.quantile(values, share, axis=axis), rel=1e-12)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param([3, 1, 2], 2.0, id="a list"),
        pytest.param(np.array([255, 255, 254, 255], np.uint8), 255.0, id="bytes do not overflow"),
    ],
)
def test_whole_numbers_have_a_median(values: object, expected: float) -> None:
    assert median(values) == expected  # type: ignore[arg-type]  # any list of numbers


def test_nothing_has_no_median() -> None:
    assert np.isnan(median([]))


def test_an_axis_may_stay() -> None:
    assert median(np.ones((2, 3)), axis=1, keepdims=True).shape == (2, 1)


def test_masked_arrays_are_not_loaded() -> None:
    asked = (
        "import sys; from vision.ranks import median, quantile; median([1.0, 2.0]); quantile([1.0, 2.0], 0.5); "
        "sys.exit('numpy.ma' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0
