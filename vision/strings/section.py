"""A string's cross-section: a lit cord of some width and the shadow it casts, fitted over all directions and all
strings at once.

A cord's darkest line is not its middle: its shadow, and its own shading, pull it away from the lamp, by up to a pixel.
Seen from all the directions in which a loop runs, that pull is one constant vector, and a part that grows away from a
near lamp's foot; so what is cord and what is shadow can be told apart. Strings in one picture share lamp and lens: a
dark string's plain shadow tells how much of a gray one's is shadow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from vision.ranks import median, quantile
from vision.strings.ground import Floats, Mask

BINS = 12  # directions into which cross-sections are gathered
MIN_BIN = 6  # cross-sections before a direction counts
NOISE = 0.03  # relative brightness: what the model leaves out of a mean cross-section
FIRST_ROUNDS, ROUNDS = 7, 8  # of the fit: from both sides, and from the better one until it has settled
RIDGE = 0.05  # keeps an amplitude that nothing speaks of at rest
DEEPEST, DEEP_SIGMA = 0.45, 0.04  # a shadow takes about that much of a lit table's brightness, and hardly more
TINT_SIGMA = 0.06  # of a shadow's depth between colour channels
START_THROW = 0.35  # widths: where the search for the cast shadow's place begins, and across from there
# widths in blurs: a thinner and bolder cord would look the same, and is unlikelier
LEAST_BLURS, THIN_SIGMA_PX = 2.5, 0.15
FIT_SIGMA, MISFIT_SIGMA, USUAL_MISFIT = 0.03, 0.12, 0.4
"""Log: one standard deviation of a fitted width where it is weighed, and what each misfit over the usual one adds, the
more the farther the two are apart: a fit that holds counts nearly alone."""
SEEN_SIGMA = 0.13  # log: of the width with which a cord is seen (0.10 on path-traced tables, 0.15 on drawn ones)
ALIKE = 0.25  # log: one standard deviation of a cord's width from the others' in the same game
SOFT = 3.0  # standard deviations from which a residual counts as its size, not as its square
DAMPINGS = (0.1, 1.0, 10.0, 100.0)  # of the last step's, tried at once
LEAST_GAIN = 1e-4  # of the cost: less is settled
ERF_RATE = 0.3275911
ERF_TERMS = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
STEP = 1e-4  # of finite differences
RADIUS_PX = 300.0  # from the picture's centre: where a near lamp's part is counted as one

# name, start, least, most, usual, its standard deviation (None: free)
SHARED: tuple[tuple[str, float, float, float, float | None, float], ...] = (
    ("blur_px", 1.0, 0.45, 2.4, 1.0, 0.4),  # of lens, sensor and compression
    ("throw_x", 0.0, -1.5, 1.5, 0.0, 0.35),  # of the cast shadow, widths
    ("throw_y", 0.0, -1.5, 1.5, 0.0, 0.35),
    ("throw_radial", 0.0, -0.8, 0.8, 0.0, 0.15),
    ("soft", 0.25, 0.05, 1.5, None, 1.0),  # blur of the cast shadow, widths
    ("reach", 0.5, 0.15, 2.0, None, 1.0),  # blur of the dark where cord meets table, widths
    ("crown", 0.2, -0.1, 0.8, 0.2, 0.12),  # how much brighter a round cord's middle is than its edges
    ("side", 0.05, -0.1, 0.5, 0.05, 0.07),  # how much brighter its lit side
)
OWN: tuple[tuple[str, float, float, float, float | None, float], ...] = (
    ("width", 1.0, 0.35, 2.5, None, 1.0),  # times the first guess
    ("pull_x", 0.0, -2.0, 2.0, 0.0, 0.7),  # px
    ("pull_y", 0.0, -2.0, 2.0, 0.0, 0.7),
    ("pull_radial", 0.0, -1.5, 1.5, 0.0, 0.3),
)


@dataclass(frozen=True, slots=True)
class Profiles:
    """One string's mean cross-sections: `angle`, `radial`, `count` (k,), `mean` (k, m, 3), at `offsets` (m,) px.

    `radial`: how far along its normal a row lies from the picture's centre, in `RADIUS_PX`.
    """

    angle: Floats
    radial: Floats
    count: Floats
    mean: Floats
    offsets: Floats


@dataclass(frozen=True, slots=True)
class Section:
    """A fitted cross-section: `width_px`, and `pull` (3,: x, y, radial): where the path given lies, less the cord's
    middle, px.
    """

    width_px: float
    pull: Floats
    blur_px: float
    core: Floats
    misfit: float


def radial(path_px: Floats, across: Floats, centre_px: Floats) -> Floats:
    """How far along their normals a path's points (n, 2) lie from the picture's centre, in `RADIUS_PX`."""
    return np.asarray(((path_px - centre_px) * across).sum(1) / RADIUS_PX)


def gathered(angle: Floats, radial_: Floats, rows: Floats, offsets: Floats) -> Profiles:
    """Average cross-sections (n, m, 3) by direction, in the bins with enough of them."""
    slot = np.floor((angle + np.pi) / (2 * np.pi) * BINS).astype(int) % BINS
    kept = [slot == k for k in range(BINS) if (slot == k).sum() >= MIN_BIN]
    angles = [np.arctan2(np.sin(angle[k]).mean(), np.cos(angle[k]).mean()) for k in kept]
    means = np.array([_trimmed(rows[k]) for k in kept]).reshape(-1, len(offsets), 3)
    return Profiles(
        np.array(angles),
        np.array([radial_[k].mean() for k in kept]),
        np.array([float(k.sum()) for k in kept]),
        means,
        offsets,
    )


def _trimmed(rows: Floats) -> Floats:
    """The mean of rows without the fifth farthest from their median."""
    away = np.abs(rows - median(rows, 0)).mean((1, 2))
    return np.asarray(rows[away <= quantile(away, 0.8)].mean(0))


def _erf(x: Floats) -> Floats:
    """The error function to 2e-7 (Abramowitz and Stegun 7.1.26)."""
    t = 1 / (1 + ERF_RATE * np.abs(x))
    series = np.full_like(t, ERF_TERMS[-1])
    for term in ERF_TERMS[-2::-1]:
        series *= t
        series += term
    series *= t
    series *= np.exp(-x * x)
    return np.asarray(np.copysign(1 - series, x))


def _box(offset: Floats, width: Floats, blur: Floats) -> Floats:
    """A unit box of some width, blurred."""
    root = np.sqrt(2) * blur
    return np.asarray((_erf((offset + width / 2) / root) - _erf((offset - width / 2) / root)) / 2)


def _terms(shared: Floats, own: Floats, of: Profiles) -> tuple[Floats, Floats]:
    """For each of b parameter sets: the bare table's part (b, k, m) and what the amplitudes weigh (b, k, m, 3:
    cast, contact, core).
    """
    blur, throw_x, throw_y, throw_r, soft, reach, crown, side = (shared[:, k, None, None] for k in range(len(SHARED)))
    width, pull_x, pull_y, pull_r = (own[:, k, None, None] for k in range(len(OWN)))
    c, s, r = np.cos(of.angle)[None, :, None], np.sin(of.angle)[None, :, None], of.radial[None, :, None]
    at = of.offsets[None, None] + pull_x * c + pull_y * s + pull_r * r
    thrown = throw_x * c + throw_y * s + throw_r * r
    root = np.sqrt(2) * blur
    low, inner_low, inner_high, high = (_erf((at + share * width) / root) for share in (-1 / 2, -1 / 6, 1 / 6, 1 / 2))
    cover = (high - low) / 2
    cast = _box(at - thrown * width, width, np.hypot(soft * width, blur))
    contact = _box(at, width, np.hypot(reach * width, blur))
    lit = -thrown / np.maximum(np.hypot(throw_x, throw_y), 0.2)
    middle = _box(at, width / 2, np.hypot(0.15 * width, blur)) - 0.5 * cover
    ramp = (inner_low + inner_high - low - high) / 2
    cord = cover + crown * middle + side * lit * ramp
    return 1 - cover, np.stack([-cast * (1 - cover), -contact * (1 - cover), cord], -1)


def _unlikely_shadow(amplitudes: Floats) -> Floats:
    """What speaks against shadows (b, 2: cast and contact, 3 channels): shining, being too deep for a lit room,
    being coloured.
    """
    shining = np.minimum(amplitudes, 0) * 50
    deep = np.maximum(amplitudes.sum(1) - DEEPEST, 0) / DEEP_SIGMA
    tint = (amplitudes - amplitudes.mean(2, keepdims=True)) / TINT_SIGMA
    return np.concatenate([shining.reshape(len(amplitudes), -1), deep, tint.reshape(len(amplitudes), -1)], 1)


def _soft(residuals: Floats) -> Floats:
    """Residuals' (…, r) soft L1 loss."""
    return np.asarray(SOFT**2 * (np.sqrt(1 + (residuals / SOFT) ** 2) - 1).sum(-1))


def _step(normal: Floats, down: Floats, free: Mask, damping: float) -> Floats:
    """The damped step of the free parameters (p,); the others rest."""
    step = np.zeros(len(down))
    held = normal[np.ix_(free, free)]
    step[free] = np.linalg.solve(held + damping * np.diag(np.diag(held) + 1e-9), down[free])
    return step


@dataclass(frozen=True, slots=True)
class _Problem:
    """The fit: its strings, their rows' weights, and the parameters' starts, bounds and priors."""

    strings: tuple[Profiles, ...]
    weights: tuple[Floats, ...]
    start: Floats
    low: Floats
    high: Floats
    usual: Floats
    doubt: Floats

    def solve(self, values: Floats, group: int = 1) -> tuple[Floats, Floats]:
        """The best amplitudes for each of b parameter sets (b, p): residuals (b, r) and amplitudes (b, 2 + one a
        string, 3). The first of so many that come together may be like the others in what concerns a string.
        """
        count, base = 2 + len(self.strings), len(SHARED)
        first = np.arange(len(values)) // group * group
        rows, targets = [], []
        for i, (one, weight) in enumerate(zip(self.strings, self.weights, strict=True)):
            mine = np.r_[:base, base + len(OWN) * i : base + len(OWN) * (i + 1)]
            told = values[:, mine]
            other = (told != told[first]).any(1) | (first == np.arange(len(values)))
            place = np.cumsum(other) - 1
            back = np.where(other, place, place[first])  # what moves another string alone leaves this one as it was
            parts = _terms(told[other, :base], told[other, base:], one)
            table, terms = (part[back] for part in parts)
            design = np.zeros((*table.shape, count))
            design[..., :2], design[..., 2 + i] = terms[..., :2], terms[..., 2]
            rows.append((design * weight[..., None]).reshape(len(values), -1, count))
            targets.append(((one.mean - table[..., None]) * weight[..., None]).reshape(len(values), -1, 3))
        design, target = np.concatenate(rows, 1), np.concatenate(targets, 1)
        turned = np.swapaxes(design, 1, 2)
        amplitudes = np.linalg.solve(turned @ design + np.eye(count) * (RIDGE / NOISE) ** 2, turned @ target)
        left = (target - design @ amplitudes).reshape(len(values), -1)
        prior = np.where(np.isfinite(self.usual), (values - np.nan_to_num(self.usual)) / self.doubt, 0.0)
        thin = np.maximum(LEAST_BLURS * values[:, :1] - values[:, base :: len(OWN)], 0) / THIN_SIGMA_PX
        widths = np.log(values[:, base :: len(OWN)])
        unlike = (widths - widths.mean(1, keepdims=True)) / ALIKE
        return np.concatenate([left, prior, thin, unlike, _unlikely_shadow(amplitudes[:, :2])], 1), amplitudes

    def settled(self, starts: Floats, rounds: int) -> tuple[Floats, Floats]:
        """Each start's parameters (b, p) after so many rounds of Levenberg and Marquardt's fit, and what they then cost
        (b,) (soft L1).
        """
        values, damping = np.clip(starts, self.low, self.high), np.full(len(starts), 1e-3)
        errors = self.solve(values)[0]
        costs = _soft(errors)
        going = np.arange(len(starts))
        for _ in range(rounds):
            slopes = self.slopes(values[going])
            tries = np.stack(
                [self._tries(values[k], errors[k], s, damping[k]) for k, s in zip(going, slopes, strict=True)]
            )
            after = self.solve(tries.reshape(-1, tries.shape[2]))[0].reshape(*tries.shape[:2], -1)
            last = costs[going]
            tried = _soft(after)
            best = tried.argmin(1)
            row, better = np.arange(len(going)), tried.min(1) < last
            damping[going] *= np.where(better, np.array(DAMPINGS)[best], DAMPINGS[-1])
            gained = going[better]
            values[gained], errors[gained] = tries[row, best][better], after[row, best][better]
            costs[gained] = tried.min(1)[better]
            going = going[~better | (last - costs[going] >= LEAST_GAIN * costs[going])]
            if not len(going):
                break
        return values, costs

    def _tries(self, values: Floats, errors: Floats, slope: Floats, damping: float) -> Floats:
        """Steps (k, p) from parameters (p,) with these residuals (r,) and slopes (r, p), a damping each."""
        weighted = slope / np.sqrt(1 + (errors / SOFT) ** 2)[:, None]
        normal, down = slope.T @ weighted, -(weighted.T @ errors)
        free = ~(((values <= self.low) & (down < 0)) | ((values >= self.high) & (down > 0)))
        return np.stack(
            [np.clip(values + _step(normal, down, free, damping * k), self.low, self.high) for k in DAMPINGS]
        )

    def slopes(self, values: Floats) -> Floats:
        """The residuals' derivatives (b, r, p) at b parameter sets, all finite differences at once."""
        steps = STEP * np.where(values + STEP > self.high, -1.0, 1.0)
        moved = np.concatenate([values[:, None], values[:, None] + steps[:, None] * np.eye(values.shape[1])], 1)
        found = self.solve(moved.reshape(-1, values.shape[1]), moved.shape[1])[0].reshape(*moved.shape[:2], -1)
        return np.asarray(np.swapaxes((found[:, 1:] - found[:, :1]) / steps[..., None], 1, 2))


def fit(strings: Sequence[Profiles], widths_px: Sequence[float]) -> list[Section]:
    """Fit all strings' cross-sections together, from first guesses of their widths."""
    problem = _problem(strings, widths_px)
    starts = [np.r_[problem.start[:1], [sign * START_THROW] * 2, problem.start[3:]] for sign in (1, -1)]
    tried, costs = problem.settled(np.stack(starts), FIRST_ROUNDS)
    best = problem.settled(tried[costs.argmin()][None], ROUNDS)[0][0]
    residuals, amplitudes = problem.solve(best[None])
    stops = np.cumsum([0, *(one.mean.size for one in strings)])
    misfits = [float(np.sqrt(np.mean(residuals[0, a:b] ** 2))) for a, b in pairwise(stops)]
    own = best[len(SHARED) :].reshape(-1, len(OWN))
    return [
        Section(float(v[0]), v[1:].copy(), float(best[0]), amplitudes[0, 2 + i].copy(), misfits[i])
        for i, v in enumerate(own)
    ]


def weighed(section: Section, seen_px: float) -> Section:
    """Weigh a fit against the width with which the cord is seen: one that misfits tells little."""
    apart = max(abs(float(np.log(section.width_px / seen_px))) - 2 * SEEN_SIGMA, 0.0)
    fit_sigma = FIT_SIGMA + (MISFIT_SIGMA + apart) * max(section.misfit - USUAL_MISFIT, 0.0)
    share = SEEN_SIGMA**2 / (SEEN_SIGMA**2 + fit_sigma**2)
    width = section.width_px**share * seen_px ** (1 - share)
    return replace(section, width_px=width, misfit=section.misfit * share)


def _problem(strings: Sequence[Profiles], widths_px: Sequence[float]) -> _Problem:
    columns = [[row[k] for row in SHARED] for k in range(1, 6)]
    for width in widths_px:
        for k in range(5):
            column = [row[k + 1] for row in OWN]
            if k < 3:
                column[0] = float(column[0] or 0.0) * width
            columns[k] = columns[k] + column
    start, low, high, usual, doubt = (np.array([np.nan if v is None else v for v in c], np.float64) for c in columns)
    weights = tuple(np.sqrt(s.count / s.count.max())[None, :, None] / NOISE for s in strings)
    return _Problem(tuple(strings), weights, start, low, high, usual, doubt)
