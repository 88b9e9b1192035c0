"""Train the network that finds a cord's middle: python -m training.cords --minutes 60 --out runs/cords.

It learns from strips that are drawn as it goes; none is seen twice. What it learns is kept every 100 steps, and
`--resume` goes on from there. At the end it is exported; landing it is a step of its own (`python -m training.landing
cords`), after margins were measured.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu

from training.cordstrips import ROWS, Strips, strips
from training.descent import chosen, descend, loaded, options
from vision.strings.middles import COLUMNS

CHANNELS, FEATURES, WAVES, DECIDING = 24, 64, 16, 96
LEARNING_RATE, BATCH = 1.6e-3, 24
TAILS = 4.0  # degrees of freedom of the errors: a few rows are hidden or are another cord's
WIDTH_WEIGHT = 0.5
HELD_BACK_SEED, HELD_BACK = 7, 96


class Cords(nn.Module):  # type: ignore[misc]  # torch is untyped here
    """Strips of one cord → where its middle lies, row by row, with one σ of that; and the log of its scale, with σ.

    Each row is read by itself and with its neighbours; what all rows round the loop have in common is read by the
    direction in which they lie, as two harmonics of it: so a lamp's side is told from a cord's.
    """

    def __init__(self) -> None:
        super().__init__()
        c, f = CHANNELS, FEATURES
        self.looks = nn.ModuleList(
            [nn.Conv2d(5, c, 3, 1, 1), nn.Conv2d(c, c, 3, (1, 2), 1), nn.Conv2d(c, c, 3, (1, 2), 1)]
        )
        self.row = nn.Linear(c * (COLUMNS // 4), f)
        self.beside = nn.Conv1d(f, f, 5, padding=2, padding_mode="circular")
        self.value, self.gate = nn.Linear(f, f), nn.Linear(f, f)
        self.common, self.told = nn.Linear(f * 5 + 1, DECIDING), nn.Linear(DECIDING, 5 * WAVES)
        self.middle = nn.Sequential(nn.Linear(f + WAVES + 1, DECIDING), nn.GELU(), nn.Linear(DECIDING, 2))
        self.scale = nn.Sequential(nn.Linear(DECIDING, DECIDING // 2), nn.GELU(), nn.Linear(DECIDING // 2, 2))

    def forward(self, strip: Tensor, angle: Tensor, width: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """(n, 5, rows, columns), (n, rows), (n,) → middle and log σ (n, rows), log scale and log σ (n,)."""
        x = strip
        for look in self.looks:
            x = gelu(look(x))
        n, c, rows, m = x.shape
        row = gelu(self.row(x.permute(0, 2, 1, 3).reshape(n, rows, c * m)))
        row = row + gelu(self.beside(row.transpose(1, 2))).transpose(1, 2)
        waves = torch.stack([angle * 0 + 1, angle.cos(), angle.sin(), (2 * angle).cos(), (2 * angle).sin()], -1)
        shared = torch.einsum("nrf,nrh->nhf", self.value(row) * torch.sigmoid(self.gate(row)), waves) / rows
        common = gelu(self.common(torch.cat([shared.reshape(n, -1), width[:, None]], 1)))
        by_row = torch.einsum("nhf,nrh->nrf", self.told(common).view(n, 5, WAVES), waves)
        middle = self.middle(torch.cat([row, by_row, width[:, None, None].expand(n, rows, 1)], -1))
        scale = self.scale(common)
        return middle[..., 0], middle[..., 1], scale[:, 0], scale[:, 1]


@dataclass(frozen=True)
class Errors:
    """How far off held-back strips are found, in widths: the middle one, as given; and the share within 2 σ."""

    middle: float
    given: float
    within: float

    def __str__(self) -> str:
        return f"middle off by {self.middle:.3f} widths (as given {self.given:.3f}), {self.within:.3f} within 2 sigma"


def shown(drawn: Strips) -> tuple[Tensor, Tensor, Tensor]:
    """Return what the network is shown of strips: colour, the log of grey, what lies on pieces; angles; widths."""
    grey = torch.log((drawn.ratio.mean(1, keepdim=True) + 1).clamp(min=0.05))
    return torch.cat([drawn.ratio, grey, drawn.foreign[:, None]], 1), drawn.angle, drawn.width


def unlikely(error: Tensor, log_sigma: Tensor) -> Tensor:
    """Return how unlikely errors are, given the log of their σ (Student's t)."""
    log_sigma = log_sigma.clamp(-5, 2)
    return log_sigma + (TAILS + 1) / 2 * torch.log1p((error / torch.exp(log_sigma)) ** 2 / TAILS)


def loss(network: Cords, drawn: Strips) -> Tensor:
    """Return how badly a network tells drawn strips."""
    middle, middle_sigma, scale, scale_sigma = network(*shown(drawn))
    wide = unlikely(scale - drawn.scale, scale_sigma).mean()
    return unlikely(middle - drawn.middle, middle_sigma).mean() + WIDTH_WEIGHT * wide


def judged(network: Cords, count: int = HELD_BACK) -> Errors:
    """Judge a network by strips that no training draws."""
    drawn = strips(torch.Generator().manual_seed(HELD_BACK_SEED), count)
    with torch.no_grad():
        middle, log_sigma, _, _ = network(*shown(drawn))
    off = middle - drawn.middle
    within = (off.abs() < 2 * torch.exp(log_sigma)).float().mean()
    return Errors(float(off.abs().median()), float(drawn.middle.abs().median()), float(within))


def train(minutes: float, out: Path, seed: int = 0, resume: Path | None = None, rate: float = LEARNING_RATE) -> Cords:
    """Train for so long, as `descend` does."""
    rng = torch.Generator().manual_seed(1000 + seed)
    network = load(resume) if resume else Cords()
    return descend(network, lambda now: loss(now, strips(rng, BATCH)), judged, minutes, out, rate)


def load(path: Path) -> Cords:
    """Read a checkpoint."""
    return loaded(Cords(), path)


def export(network: Cords, path: Path) -> None:
    """Write a network as ONNX, for strips of any length."""
    example = torch.zeros(1, 5, ROWS, COLUMNS), torch.zeros(1, ROWS), torch.zeros(1)
    names = {"input_names": ["strip", "angle", "width"], "output_names": ["middle", "sigma", "scale", "scale_sigma"]}
    rows = {"strip": {2: "rows"}, "angle": {1: "rows"}, "middle": {1: "rows"}, "sigma": {1: "rows"}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch would rather export another way
        torch.onnx.export(network.eval(), example, str(path), dynamic_axes=rows, dynamo=False, **names)


def main(arguments: list[str] | None = None) -> None:
    """Train, judge, export."""
    a = chosen(options(__doc__, "runs/cords", LEARNING_RATE), arguments)
    network = train(a.minutes, a.out, a.seed, a.resume, a.rate) if a.minutes > 0 else load(a.resume)
    a.out.mkdir(parents=True, exist_ok=True)
    export(network, a.out / "cords.onnx")
    print(judged(network))


if __name__ == "__main__":
    main()
