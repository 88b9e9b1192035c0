"""Medians and quantiles by partition alone: NumPy's own look for masked arrays, whose loading takes 50 ms a command."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def median(values: npt.ArrayLike, axis: int | None = None, keepdims: bool = False) -> Any:
    """Return the median along an axis, of all without one; nan where there is nothing. No value may be nan."""
    lanes = _lanes(values, axis)
    count = lanes.shape[-1]
    if count == 0:
        found = np.full(lanes.shape[:-1], np.nan)
    else:
        low, high = (count - 1) // 2, count // 2
        ranked = np.partition(lanes, (low, high) if low < high else high, axis=-1)
        found = ranked[..., high] if low == high else (ranked[..., low] + ranked[..., high]) / 2
    return np.expand_dims(found, axis) if keepdims and axis is not None else found[()]


def quantile(values: npt.ArrayLike, share: float, axis: int | None = None) -> Any:
    """Return what that share of the values along an axis, of all without one, is below, linear between two of them.

    IndexError where there is nothing. No value may be nan.
    """
    lanes = _lanes(values, axis)
    at = share * (lanes.shape[-1] - 1)
    low = int(at)
    high = min(low + 1, lanes.shape[-1] - 1)
    ranked = np.partition(lanes, (low, high) if low < high else high, axis=-1)
    return (ranked[..., low] + (ranked[..., high] - ranked[..., low]) * lanes.dtype.type(at - low))[()]


def _lanes(values: npt.ArrayLike, axis: int | None) -> npt.NDArray[Any]:
    """Return what is ranked along the last axis, as floats."""
    array = np.asarray(values)
    lanes = array.reshape(-1) if axis is None else np.moveaxis(array, axis, -1)
    return lanes if lanes.dtype.kind == "f" else lanes.astype(np.float64)
