"""How pieces of one box may lie: grids, rings, rows, fans, scattered, piled. Poses are x, y in mm and up in degrees."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from synth.textures import Rng

Poses = list[tuple[float, float, float]]
Arrangement = Callable[[Rng, int, float, float, float], Poses]
"""From count, the pieces' width and height, and the breadth of table in view, all in mm."""


def grid(rng: Rng, count: int, width_mm: float, height_mm: float, field_mm: float) -> Poses:
    rows = int(rng.integers(1, max(2, int(np.sqrt(count)) + 2)))
    columns = max(1, round(count / rows))
    gap = width_mm * float(rng.choice([0.0, 0.01, 0.05, 0.15, 0.4]))
    jitter, turn = gap * 0.25, float(rng.choice([0, 1, 4]))
    return [
        (
            (c - (columns - 1) / 2) * (width_mm + gap) + rng.normal(0, jitter),
            (r - (rows - 1) / 2) * (height_mm + gap) + rng.normal(0, jitter),
            90 + rng.normal(0, turn) + (180 if rng.random() < 0.1 else 0),
        )
        for r in range(rows)
        for c in range(columns)
    ]


def ring(rng: Rng, count: int, width_mm: float, height_mm: float, field_mm: float) -> Poses:
    count = max(4, count)
    radius = count * np.hypot(width_mm, height_mm) * rng.uniform(0.16, 0.26)
    squash, start = rng.uniform(0.75, 1), rng.uniform(0, 360)
    poses = []
    for k in range(count):
        turn = np.deg2rad(start + k * 360 / count)
        up = start + k * 360 / count + rng.normal(0, 5)
        poses.append((radius * np.cos(turn), radius * squash * np.sin(turn), up))
    if rng.random() < 0.5:
        poses.append((0.0, 0.0, float(rng.uniform(0, 360))))
    return poses


def row(rng: Rng, count: int, width_mm: float, height_mm: float, field_mm: float) -> Poses:
    count = min(count, 9)
    step = width_mm * rng.uniform(0.4, 1.5)
    turn = rng.choice([0, 2, 8])
    return [
        ((k - (count - 1) / 2) * step, rng.normal(0, 0.03) * height_mm, 90 + rng.normal(0, turn)) for k in range(count)
    ]


def fan(rng: Rng, count: int, width_mm: float, height_mm: float, field_mm: float) -> Poses:
    count = int(np.clip(count, 2, 7))
    step, radius = rng.uniform(6, 26), height_mm * rng.uniform(0.5, 1.6)
    poses = []
    for k in range(count):
        up = 90 - (k - (count - 1) / 2) * step
        poses.append((radius * np.cos(np.deg2rad(up)), radius * (np.sin(np.deg2rad(up)) - 1), up))
    return poses


def scatter(rng: Rng, count: int, width_mm: float, height_mm: float, field_mm: float) -> Poses:
    spread = min(field_mm * 0.8, width_mm * np.sqrt(count) * rng.uniform(0.9, 3.5))
    keep = np.hypot(width_mm, height_mm) * (rng.uniform(0.75, 1.0) if rng.random() < 0.85 else 0.3)
    poses: Poses = []
    for _ in range(count * 8):
        x, y = rng.uniform(-0.5, 0.5, 2) * spread
        if len(poses) < count and all(np.hypot(x - a, y - b) > keep for a, b, _ in poses):
            poses.append((float(x), float(y), float(rng.uniform(0, 360))))
    return poses


def pile(rng: Rng, count: int, width_mm: float, height_mm: float, field_mm: float) -> Poses:
    untidy = width_mm * rng.choice([0.01, 0.04, 0.2])
    return [
        (rng.normal(0, untidy), rng.normal(0, untidy), 90 + rng.normal(0, rng.choice([1, 6, 40])))
        for _ in range(min(count, 8))
    ]


ARRANGEMENTS: tuple[tuple[Arrangement, float], ...] = (
    (grid, 0.24),
    (ring, 0.12),
    (row, 0.14),
    (fan, 0.16),
    (scatter, 0.26),
    (pile, 0.08),
)
"""Each with how often it is drawn."""
