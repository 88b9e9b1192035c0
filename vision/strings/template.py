"""A string's own mean cross-section by direction, and how well each place of a strip matches it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.ranks import quantile
from vision.strings.ground import Floats, Image32, Mask
from vision.strings.strips import Strip

HARMONICS = 2  # a cross-section changes with direction as its shadow swings round: two harmonics follow that
NOISE_FLOOR = 0.03  # relative brightness; pictures calmer than that are not trusted to stay so
CAP = 9.0  # squared deviations at which a sample counts as hidden or foreign, and no more against
BLURRED_PX = 0.75  # so near to a cord's edge what lies beside it shines in
UNTOLD = 0.8  # of what plain table misfits: what a sample counts that tells nothing
FLANK_WEIGHT = 0.5  # of a sample beside the cord, where tiles and other strings often lie


ROUND: Floats = np.arange(12, dtype=np.float64) * (np.pi / 6)  # directions, all round


@dataclass(frozen=True, slots=True)
class Template:
    """`terms` (1 + 2 harmonics, t, 3): a cross-section's Fourier terms over direction, at `offsets` (t,) px;
    `noise` and `weight` (t, 3), (t,); `core` (t,): plainly on the cord; `table`: how badly plain table fits it, on the
    average over all directions.
    """

    offsets: Floats
    terms: Floats
    noise: Floats
    weight: Floats
    core: Mask
    table: float

    def at(self, angle: Floats) -> Floats:
        """Cross-sections (n, t, 3) in the directions `angle` (n,)."""
        return np.asarray(np.einsum("nh,htc->ntc", _basis(angle), self.terms))


def _basis(angle: Floats) -> Floats:
    columns = [np.ones_like(angle)]
    for k in range(1, HARMONICS + 1):
        columns += [np.cos(k * angle), np.sin(k * angle)]
    return np.stack(columns, 1)


def learn(strip: Strip, open_rows: Mask, width_px: float, half: float) -> Template | None:
    """Fit a template of `half` px to each side to a strip's open rows, robustly; None where too few are open."""
    if open_rows.sum() < 4 * (1 + 2 * HARMONICS):
        return None
    keep = np.abs(strip.offsets) <= half + 1e-6
    rows, basis = strip.ratio[open_rows][:, keep], _basis(strip.angle[open_rows])
    use = np.ones(len(rows), bool)
    for _ in range(3):
        b = basis[use]
        ridge = np.diag([0.01, *[2.0] * (2 * HARMONICS)])
        terms = np.linalg.solve(b.T @ b + ridge, b.T @ rows[use].reshape(int(use.sum()), -1)).reshape(
            basis.shape[1], *rows.shape[1:]
        )
        away = np.abs(rows - np.einsum("nh,htc->ntc", basis, terms)).mean((1, 2))
        use = away <= max(float(quantile(away, 0.85)), 1e-3)
    left = rows[use] - np.einsum("nh,htc->ntc", basis[use], terms)
    offsets = strip.offsets[keep]
    core = np.asarray(np.abs(offsets) <= max(width_px / 2 - BLURRED_PX, BLURRED_PX))
    weight = np.where(np.abs(offsets) <= width_px / 2 + 0.5, 1.0, FLANK_WEIGHT)
    noise = np.maximum(np.sqrt((left**2).mean(0)), NOISE_FLOOR).astype(np.float64)
    weight = weight / weight.sum()
    plain = (((np.einsum("nh,htc->ntc", _basis(ROUND), np.asarray(terms)) - 1) / noise) ** 2).mean(2)
    table = float((np.minimum(plain, CAP) @ weight).mean())
    return Template(offsets, np.asarray(terms, np.float64), noise, weight, core, table)


def misfits(strip: Strip, template: Template, reach: float) -> tuple[Floats, Floats]:
    """Compare each row with the template at shifts up to `reach` px: shifts (k,) and mean capped squared deviations
    (n, k).
    """
    step = strip.offsets[1] - strip.offsets[0]
    half, middle = len(template.offsets) // 2, len(strip.offsets) // 2
    most = min(round(float(reach / step)), middle - half)
    want, rows = _scaled(template.at(strip.angle), template), _channels(strip.ratio)
    result = np.empty((len(strip.path_px), 2 * most + 1))
    for k in range(-most, most + 1):
        part = slice(middle + k - half, middle + k + half + 1)
        result[:, k + most] = _compared(rows[..., part], want, strip.foreign[:, part], template)
    return np.arange(-most, most + 1) * step, result


def bare_misfit(strip: Strip, template: Template) -> Floats:
    """How badly each row fits plain table (n,), in the same measure."""
    middle, half = len(strip.offsets) // 2, len(template.offsets) // 2
    part = slice(middle - half, middle + half + 1)
    plain = _scaled(np.ones((1, *template.noise.shape)), template)
    return _compared(_channels(strip.ratio[:, part]), plain, strip.foreign[:, part], template)


def _channels(rows: Floats) -> Image32:
    """Take cross-sections (n, m, 3) apart, (3, n, m)."""
    return np.ascontiguousarray(np.moveaxis(rows, -1, 0), np.float32)


def _scaled(want: Floats, template: Template) -> Image32:
    """Expected cross-sections (n, t, 3) in deviations of a sample, (3, n, t)."""
    return _channels(want / (np.sqrt(3) * template.noise))


def _compared(rows: Image32, want: Image32, foreign: Mask, template: Template) -> Floats:
    """Mean capped squared deviations (n,) of rows (3, n, t) from what is wanted (3, n or 1, t), scaled; beside the cord
    a piece tells nothing.
    """
    sharp = (1 / (np.sqrt(3) * template.noise)).astype(np.float32)
    away = np.zeros(rows.shape[1:], np.float32)
    for k in range(3):
        off = rows[k] * sharp[:, k]
        off -= want[k]
        off *= off
        away += off
    away = np.minimum(away, np.float32(CAP), out=away)
    if foreign.any():
        away[foreign & ~template.core] = UNTOLD * template.table
    return np.asarray(away @ template.weight)
