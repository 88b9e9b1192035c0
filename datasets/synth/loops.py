"""Closed strings on a table: wobbly fields, loops drawn tight around tiles, and loops that break the rules."""

from __future__ import annotations

import numpy as np
from shapely.geometry import MultiPoint

from synth.textures import Rng
from synth.things import Outline

STEP_MM = 2.0  # between points of a path


def resampled(path: Outline, step_mm: float = STEP_MM) -> Outline:
    """Return a closed path with evenly spaced points."""
    whole = np.concatenate([path, path[:1]])
    lengths = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(whole, axis=0).T))])
    at = np.linspace(0, lengths[-1], max(8, round(lengths[-1] / step_mm)), endpoint=False)
    return np.stack([np.interp(at, lengths, whole[:, 0]), np.interp(at, lengths, whole[:, 1])], 1)


def smoothed(path: Outline, sigma_mm: float) -> Outline:
    """Round a closed path's corners, as a string does."""
    path = resampled(path)
    sigma = sigma_mm / STEP_MM
    frequency = np.fft.fftfreq(len(path))
    gain = np.exp(-2 * (np.pi * frequency * sigma) ** 2)
    return np.asarray(np.fft.ifft(np.fft.fft(path, axis=0) * gain[:, None], axis=0).real, float)


def wobbly(rng: Rng, radius_mm: float, centre: tuple[float, float], wobble: float = 0.12) -> Outline:
    """Lay a loop that is roughly round."""
    turn = np.linspace(0, 2 * np.pi, 400, endpoint=False)
    radius = np.full_like(turn, radius_mm)
    for k in range(2, 7):
        radius *= 1 + rng.normal(0, wobble / k) * np.cos(k * turn + rng.uniform(0, 2 * np.pi))
    return resampled(np.stack([np.cos(turn), np.sin(turn)], 1) * radius[:, None] + centre)


def around(corners: list[Outline], clear_mm: float) -> Outline:
    """Draw a loop around all these outlines, `clear_mm` from the nearest, its corners round."""
    hull = MultiPoint(np.concatenate(corners)).convex_hull.buffer(clear_mm, quad_segs=16)
    return resampled(np.asarray(hull.exterior.coords)[:-1])


def crossed(path: Outline, tightness: float = 0.35) -> Outline:
    """Turn a loop into one that crosses itself once, near its end."""
    centre = path.mean(0)
    count = len(path)
    share = np.clip((np.arange(count) / count - 0.8) / 0.12, 0, 1)[:, None]
    mirror = centre + (path - centre) * -tightness
    blended = path * (1 - np.sin(share * np.pi) ** 2) + mirror * np.sin(share * np.pi) ** 2
    return smoothed(blended, 5)


def looped(path: Outline, rng: Rng, size_mm: float) -> Outline:
    """Add a small curl, in which the string crosses itself."""
    k = int(rng.integers(len(path)))
    path = np.roll(path, -k, 0)
    along = path[1] - path[0]
    along /= max(float(np.hypot(*along)), 1e-9)
    normal = np.array([-along[1], along[0]])
    turn = np.linspace(0, 2 * np.pi, 50)
    curl = path[0] + np.outer(np.sin(turn), along) * size_mm + np.outer(1 - np.cos(turn), normal) * size_mm
    return smoothed(np.concatenate([curl, path[1:]]), 2.5)


def opened(path: Outline, rng: Rng, gap_mm: float) -> Outline:
    """Cut a piece out of a loop: an open path, from one end to the other."""
    path = resampled(np.roll(path, int(rng.integers(len(path))), 0))
    keep = len(path) - max(2, round(gap_mm / STEP_MM))
    return path[: max(8, keep)]
