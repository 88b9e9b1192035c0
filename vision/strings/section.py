"""A string's cross-section: a lit cord of some width and the shadow it casts, fitted over all directions and all strings at once.

A cord's darkest line is not its middle: its shadow, and its own shading, pull it away from the lamp, by up to a pixel. Seen from all
the directions in which a loop runs, that pull is one constant vector, and what is cord and what is shadow can be told apart. Strings
in one picture share lamp and lens, so a dark string's plain shadow tells how much of a gray one's is shadow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares
from scipy.special import erf

from vision.strings.ground import Floats

BINS = 12  # directions into which cross-sections are gathered
MIN_BIN = 6  # cross-sections before a direction counts
NOISE = 0.012  # of a bin's mean, relative brightness: what the model leaves out
PULL_SIGMA_PX = 0.7
CROWN = (0.25, 0.15)  # how much brighter a round cord's middle is than its edges, and how sure that is
SIDE_SIGMA = 0.15  # how much brighter its lit side
THROW_SIGMA = 0.7  # widths that a shadow is thrown
BLUR_PX = (0.45, 1.0, 2.4)  # least, usual, most standard blur of lens, sensor and compression
RIDGE = 0.02  # keeps an amplitude that nothing speaks of at rest

SHARED = 7  # blur, throw x and y, soft, reach, crown, side; then each string's own width, pull x and y


@dataclass(frozen=True, slots=True)
class Profiles:
    """One string's mean cross-sections: `angle` (k,), `mean` (k, m, 3), `count` (k,), at `offsets` (m,) px."""

    angle: Floats
    mean: Floats
    count: Floats
    offsets: Floats


@dataclass(frozen=True, slots=True)
class Section:
    """A fitted cross-section: `width_px`, and `pull` (2,): where the path given lies, less the cord's middle, px."""

    width_px: float
    pull: Floats
    blur_px: float
    core: Floats
    misfit: float


def gathered(angle: Floats, rows: Floats, offsets: Floats) -> Profiles:
    """Average cross-sections (n, m, 3) by direction, in the bins with enough of them."""
    slot = np.floor((angle + np.pi) / (2 * np.pi) * BINS).astype(int) % BINS
    kept = [k for k in range(BINS) if (slot == k).sum() >= MIN_BIN]
    angles = [np.arctan2(np.sin(angle[slot == k]).mean(), np.cos(angle[slot == k]).mean()) for k in kept]
    means = [_trimmed(rows[slot == k]) for k in kept]
    counts = [float((slot == k).sum()) for k in kept]
    return Profiles(np.array(angles), np.array(means).reshape(-1, len(offsets), 3), np.array(counts), offsets)


def _trimmed(rows: Floats) -> Floats:
    """The mean of rows without the fifth farthest from their median."""
    away = np.abs(rows - np.median(rows, 0)).mean((1, 2))
    return np.asarray(rows[away <= np.quantile(away, 0.8)].mean(0))


def _box(offset: Floats, width: float, blur: float) -> Floats:
    """A unit box of some width, blurred."""
    root = np.sqrt(2) * blur
    return np.asarray((erf((offset + width / 2) / root) - erf((offset - width / 2) / root)) / 2)


def _ramp(offset: Floats, width: float, blur: float) -> Floats:
    """A box whose height runs from -1 to 1 across it, blurred: two steps are near enough."""
    return _box(offset - width / 3, width / 3, blur) - _box(offset + width / 3, width / 3, blur)


def _terms(shared: Floats, own: Floats, of: Profiles) -> tuple[Floats, Floats]:
    """The bare table's part (k, m) and what the amplitudes weigh (k, m, 3: cast, contact, core)."""
    blur, throw_x, throw_y, soft, reach, crown, side = shared
    width, pull_x, pull_y = own
    c, s = np.cos(of.angle)[:, None], np.sin(of.angle)[:, None]
    at = of.offsets[None] + pull_x * c + pull_y * s
    thrown = throw_x * c + throw_y * s
    cover = _box(at, width, blur)
    cast = _box(at - thrown * width, width, float(np.hypot(soft * width, blur)))
    contact = _box(at, width, float(np.hypot(reach * width, blur)))
    lit = -thrown / max(float(np.hypot(throw_x, throw_y)), 0.2)
    middle = _box(at, width / 2, float(np.hypot(0.15 * width, blur))) - 0.5 * cover
    cord = cover + crown * middle + side * lit * _ramp(at, width, blur)
    return 1 - cover, np.stack([-cast * (1 - cover), -contact * (1 - cover), cord], -1)


def fit(strings: Sequence[Profiles], widths_px: Sequence[float]) -> list[Section]:
    """Fit all strings' cross-sections together, from first guesses of their widths."""
    weights = [np.sqrt(s.count / s.count.max())[:, None] / NOISE for s in strings]
    start = np.array([BLUR_PX[1], 0.0, 0.0, 0.25, 0.5, 0.2, 0.1, *(v for w in widths_px for v in (w, 0.0, 0.0))])
    low = np.array([BLUR_PX[0], -2, -2, 0.05, 0.15, -0.2, -0.3, *(v for w in widths_px for v in (0.35 * w, -2.0, -2.0))])
    high = np.array([BLUR_PX[2], 2, 2, 1.5, 2.0, 1.0, 0.8, *(v for w in widths_px for v in (2.5 * w, 2.0, 2.0))])

    def residual(values: Floats) -> Floats:
        return _solve(values, strings, weights)[0]

    found = [
        least_squares(residual, np.clip(_from(start, guess), low + 1e-6, high - 1e-6), bounds=(low, high), loss="soft_l1", f_scale=3.0, max_nfev=20)
        for guess in ((0.35, 0.35), (-0.35, -0.35))
    ]
    best = min(found, key=lambda f: f.cost).x
    _, amplitudes, misfits = _solve(best, strings, weights)
    return [
        Section(float(best[SHARED + 3 * i]), best[SHARED + 1 + 3 * i : SHARED + 3 + 3 * i].copy(), float(best[0]), amplitudes[2 + i].copy(), misfits[i])
        for i in range(len(strings))
    ]


def _from(start: Floats, throw: tuple[float, float]) -> Floats:
    first = start.copy()
    first[1:3] = throw
    return first


def _solve(values: Floats, strings: Sequence[Profiles], weights: Sequence[Floats]) -> tuple[Floats, Floats, list[float]]:
    """The best amplitudes for given shapes: residuals, amplitudes (2 + one a string, 3), and each string's misfit."""
    count = 2 + len(strings)
    rows, targets = [], []
    for i, (one, weight) in enumerate(zip(strings, weights, strict=True)):
        table, terms = _terms(values[:SHARED], values[SHARED + 3 * i : SHARED + 3 + 3 * i], one)
        design = np.zeros((*table.shape, count))
        design[..., :2], design[..., 2 + i] = terms[..., :2], terms[..., 2]
        rows.append((design * weight[..., None]).reshape(-1, count))
        targets.append(((one.mean - table[..., None]) * weight[..., None]).reshape(-1, 3))
    design, target = np.concatenate(rows), np.concatenate(targets)
    amplitudes = np.linalg.solve(design.T @ design + np.eye(count) * (RIDGE / NOISE) ** 2, design.T @ target)
    left = target - design @ amplitudes
    edges = np.cumsum([0, *(len(r) for r in rows)])
    misfits = [float(np.sqrt((left[a:b] ** 2).mean())) for a, b in zip(edges[:-1], edges[1:], strict=True)]
    prior = np.concatenate([values[1:3] / THROW_SIGMA, *(values[SHARED + 1 + 3 * i : SHARED + 3 + 3 * i] / PULL_SIGMA_PX for i in range(len(strings)))])
    dark = np.minimum(amplitudes[:2], 0).ravel() * 20  # a shadow does not shine
    return np.concatenate([left.ravel(), prior, dark, [(values[0] - BLUR_PX[1]) / 0.4, (values[5] - CROWN[0]) / CROWN[1], values[6] / SIDE_SIGMA]]), amplitudes, misfits
