"""Random fields and patterns, from noise alone."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""BGR, uint8, (height, width, 3)."""
Field = npt.NDArray[np.float32]
"""One value a pixel, float32, (height, width)."""
Rng = np.random.Generator


def smooth(rng: Rng, width: int, height: int, cells: float, *, stretch: float = 1.0) -> Field:
    """Draw smooth noise in 0…1 with about `cells` cells over the larger side, `stretch` times longer in x."""
    across = max(2, round(cells * width / max(width, height) / stretch))
    down = max(2, round(cells * height / max(width, height)))
    grid = rng.random((min(down, height), min(across, width)), dtype=np.float32)
    field = cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(field, 0, 1), np.float32)


def fractal(rng: Rng, width: int, height: int, cells: float, *, octaves: int = 4, stretch: float = 1.0) -> Field:
    """Add noise of ever finer cells, each octave half as strong; 0…1."""
    total = np.zeros((height, width), np.float32)
    weight = 0.0
    for octave in range(octaves):
        if cells * 2**octave > 2 * max(width, height):
            break
        total += smooth(rng, width, height, cells * 2**octave, stretch=stretch) * 0.5**octave
        weight += 0.5**octave
    return total / max(weight, 1e-6)


def colour(rng: Rng, *, value: tuple[float, float] = (0.1, 1.0), saturation: tuple[float, float] = (0.0, 0.9)) -> Field:
    """Draw a colour, BGR 0…255 as float32 (3,), with HSV value and saturation in these ranges, seldom vivid."""
    low, high = saturation
    hsv = np.array([[[rng.uniform(0, 360), low + (high - low) * rng.random() ** 1.6, rng.uniform(*value)]]], np.float32)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0] * 255, np.float32)


def mix(field: Field, low: npt.ArrayLike, high: npt.ArrayLike) -> Image:
    """Colour a field: 0 is `low`, 1 is `high`; BGR 0…255."""
    a, b = np.asarray(low, np.float32), np.asarray(high, np.float32)
    return np.clip(a + field[..., None] * (b - a), 0, 255).astype(np.uint8)


def gradient(rng: Rng, width: int, height: int) -> Field:
    """Draw a straight ramp 0…1 in a random direction."""
    turn = rng.uniform(0, 2 * np.pi)
    x = np.linspace(-0.5, 0.5, width, dtype=np.float32) * np.float32(np.cos(turn))
    y = np.linspace(-0.5, 0.5, height, dtype=np.float32) * np.float32(np.sin(turn))
    ramp = x[None, :] + y[:, None]
    return np.asarray((ramp - ramp.min()) / max(float(np.ptp(ramp)), 1e-6), np.float32)


def pattern(rng: Rng, width: int, height: int) -> Field:
    """Draw a regular pattern 0…1 (stripes, lattice, dots, waves), as on the backs of cards."""
    period = rng.uniform(0.04, 0.25) * min(width, height)
    turn = rng.choice([0, np.pi / 4, rng.uniform(0, np.pi)])
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    u = (x * np.cos(turn) + y * np.sin(turn)) * np.float32(2 * np.pi / period)
    v = (y * np.cos(turn) - x * np.sin(turn)) * np.float32(2 * np.pi / period)
    kind = rng.integers(5)
    if kind == 0:
        field = np.sin(u)
    elif kind == 1:
        field = np.maximum(np.sin(u), np.sin(v))
    elif kind == 2:
        field = np.sin(u) * np.sin(v)
    elif kind == 3:
        field = np.sin(u + np.sin(v) * 2)
    else:
        field = np.cos(np.hypot(x - width / 2, y - height / 2) * np.float32(2 * np.pi / period))
    sharp = rng.uniform(0.5, 6)
    return np.asarray(np.clip(field * sharp * 0.5 + 0.5, 0, 1), np.float32)
