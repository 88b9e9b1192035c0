"""Straightened strings that were never photographed: lit cords on lit tables, drawn from what light does to a cord.

Lengths are in the cord's own widths but where px are named. A strip runs along a cord, `ROWS` rows half a width apart;
its `COLUMNS` columns run across it, `SPAN` widths to each side. All round a loop the lamps stay where they are and
the strip turns, so the shadow moves from one side to the other: from that a network can tell it from the cord.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from training.cordcamera import blurred, chance, encoded, linear, photographed, uniform, wavy
from vision.strings.middles import COLUMNS, ROW_WIDTHS, SPAN, USUAL_WIDTH_PX

ROWS, FINE = 64, 2
LAMPS = 3
RADIUS = 0.5
GREY, NEAR, BROWN, DARK = 0.3, 0.2, 0.2, 0.22
"""Shares of cords that are grey, of nearly the table's colour, and brown; and, of all of these, very dark."""

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Strips:
    """What a network sees of n strips, and what is true of them.

    `ratio`: (n, 3, rows, columns), brightness over the bare table's, less 1; `foreign`: (n, rows, columns), the share
    that lies on a piece; `angle`: (n, rows) of the normals; `width`: (n,), log of the supposed width over the usual.
    True, in supposed widths: `middle` (n, rows), where the cord's middle lies; `scale` (n,): log of true over supposed.
    """

    ratio: Tensor
    foreign: Tensor
    angle: Tensor
    width: Tensor
    middle: Tensor
    scale: Tensor


@dataclass(frozen=True)
class _Laid:
    """How cords lie under the camera: `angle`, `beside` (n, rows): the line followed, less the middle; `supposed` (n,):
    supposed width over true; `at`: (n, rows, fine columns) across, from the middle; `tilt`: of the view, (n, rows, 1);
    `high`: the middle above the table, (n, rows, 1).
    """

    angle: Tensor
    beside: Tensor
    supposed: Tensor
    at: Tensor
    tilt: Tensor
    high: Tensor

    @property
    def on(self) -> Tensor:
        """Where the cord itself is seen (n, rows, fine columns)."""
        return self.at.abs() < RADIUS

    @property
    def ground(self) -> Tensor:
        """Where on the table one would look, were it not for the cord (n, rows, fine columns)."""
        return self.at / torch.cos(self.tilt) - self.high * torch.tan(self.tilt)

    @property
    def normal(self) -> tuple[Tensor, Tensor]:
        """The cord's own normal, across and upwards."""
        turn = (self.at / RADIUS).clamp(-1, 1)
        front = torch.sqrt(1 - turn**2)
        across = turn * torch.cos(self.tilt) + front * torch.sin(self.tilt)
        return across, front * torch.cos(self.tilt) - turn * torch.sin(self.tilt)


def strips(rng: torch.Generator, count: int) -> Strips:
    """Draw strips; the same generator gives the same ones."""
    laid, width_px = _laid(rng, count), torch.exp(uniform(rng, (count,), np.log(2.2), np.log(13.0)))
    cord, table = _lit(rng, laid)
    cloth, ink = _colours(rng, count)
    ground = cloth[:, :, None, None] * table[:, None] * _texture(rng, count)
    ground, foreign = _tiles(rng, laid, ground)
    image = torch.where(laid.on[:, None], ink[:, :, None, None] * (cord * _twisted(rng, laid))[:, None], ground)
    image = _hands(rng, _others(rng, laid, image))
    ratio = photographed(rng, image, cloth, width_px * laid.supposed, 2 * SPAN / (COLUMNS * FINE), ROW_WIDTHS)
    by_column = (count, -1, ROWS, COLUMNS, FINE)
    return Strips(
        ratio.view(by_column).mean(-1) - 1,
        foreign.float().view(by_column).mean(-1)[:, 0],
        laid.angle,
        torch.log(width_px * laid.supposed / USUAL_WIDTH_PX),
        -laid.beside / laid.supposed[:, None],
        -torch.log(laid.supposed),
    )


def _laid(rng: torch.Generator, n: int) -> _Laid:
    """Lay loops that turn once and waver, and lines that shadows pull aside and that waver too."""
    supposed = torch.exp(torch.randn(n, generator=rng) * 0.11).clamp(0.65, 1.5)
    once = 2 * np.pi * torch.arange(ROWS)[None] / ROWS * torch.where(chance(rng, n, 0.5), 1.0, -1.0)[:, None]
    angle = once + uniform(rng, (n, 1), 0, 2 * np.pi)
    angle = angle + wavy(rng, n, ROWS, uniform(rng, (n,), 3, 14), uniform(rng, (n,), 0, 1))
    pull = uniform(rng, (n, 1), 0, 0.45) * chance(rng, n, 0.85)[:, None]
    beside = pull * torch.cos(angle - uniform(rng, (n, 1), 0, 2 * np.pi))
    beside = beside + wavy(rng, n, ROWS, uniform(rng, (n,), 0.8, 8), uniform(rng, (n,), 0, 0.18))
    across = (torch.arange(COLUMNS * FINE) + 0.5) / (COLUMNS * FINE) * 2 * SPAN - SPAN
    steep = torch.tan(uniform(rng, (n, 1), 0, 0.7) * chance(rng, n, 0.8)[:, None])
    tilt = torch.atan(steep * torch.cos(angle - uniform(rng, (n, 1), 0, 2 * np.pi)))
    lifted = (wavy(rng, n, ROWS, uniform(rng, (n,), 4, 10), torch.ones(n)) - 1).clamp(min=0)
    lifted = lifted * (uniform(rng, (n,), 0, 1.5) * chance(rng, n, 0.3))[:, None]
    at = across[None, None] * supposed[:, None, None] + beside[..., None]
    return _Laid(angle, beside, supposed, at, tilt[..., None], RADIUS + lifted[..., None])


def _lit(rng: torch.Generator, laid: _Laid) -> tuple[Tensor, Tensor]:
    """Light cord and table (n, rows, fine columns) by the sky and some lamps."""
    n, ground, high = len(laid.angle), laid.ground, laid.high
    across, up = laid.normal
    sky = uniform(rng, (n, 1, 1), 0.15, 0.9)
    shares = torch.rand(n, LAMPS, generator=rng) ** 2 * torch.tensor([1.0, 0.6, 0.3])
    shares = shares / shares.sum(1, keepdim=True) * (1 - sky[..., 0])
    seen_at, half = torch.atan2(-ground, high), torch.asin((RADIUS / torch.hypot(ground, high)).clamp(max=1))
    ends = [torch.sin((seen_at + side * half).clamp(-np.pi / 2, np.pi / 2)) for side in (1, -1)]
    table = sky * (1 - (ends[0] - ends[1]) / 2 * uniform(rng, (n, 1, 1), 0.6, 1))
    bounced = uniform(rng, (n, 1, 1), 0.1, 0.6) * (1 - up) / 2
    cord = sky * ((1 + up) / 2 + bounced) * uniform(rng, (n, 1, 1), 0.7, 1.1)
    for k in range(LAMPS):
        sky_part, cord_part = _lamp(rng, laid, ground, across, up, shares[:, k, None, None])
        table, cord = table + sky_part, cord + cord_part
    return cord, table


def _lamp(
    rng: torch.Generator, laid: _Laid, ground: Tensor, across: Tensor, up: Tensor, share: Tensor
) -> tuple[Tensor, Tensor]:
    """Return what one lamp adds to table and cord: in its shadow nothing, with an edge as soft as the lamp is large."""
    n = len(ground)
    steep = uniform(rng, (n, 1, 1), 0.35, 1.45)
    from_side = uniform(rng, (n, 1), 0, 2 * np.pi) + wavy(
        rng, n, ROWS, torch.full((n,), 20.0), uniform(rng, (n,), 0, 0.15)
    )
    sideways, down = torch.cos(laid.angle - from_side)[..., None] * torch.cos(steep), torch.sin(steep)
    soft = uniform(rng, (n, 1, 1), 0.02, 0.5)
    weight, length = share / down.clamp(min=0.35), torch.hypot(sideways, down)
    passes = (ground * down + laid.high * sideways).abs() / length
    away = (laid.high * down - ground * sideways) / length
    shaded = torch.sigmoid((RADIUS - passes) / (soft * away.abs().clamp(min=0.2) * 0.5 + 0.01)) * (away > 0)
    facing, knee = sideways * across + down * up, soft * 0.5 + 0.03
    gloss = uniform(rng, (n, 1, 1), 0, 0.5) * chance(rng, n, 0.4)[:, None, None]
    lit = knee * torch.nn.functional.softplus(facing / knee)
    lit = lit + gloss * torch.exp(-(((facing.clamp(min=0) - 1) / 0.12) ** 2))
    return weight * down * (1 - shaded), weight * lit


def _colours(rng: torch.Generator, n: int) -> tuple[Tensor, Tensor]:
    """Draw table and cord colours (n, 3), linear: cords of any colour, and many that are hard to tell from shadow."""
    cloth = linear(uniform(rng, (n, 3), 0.12, 0.95) * 0.5 + uniform(rng, (n, 1), 0.06, 0.95) * 0.5)
    ink = linear(torch.rand(n, 3, generator=rng) * 0.9 + 0.03)
    kind = torch.rand(n, 1, generator=rng)
    grey = uniform(rng, (n, 1), 0.08, 0.8) * (1 + 0.08 * torch.randn(n, 3, generator=rng))
    near = encoded(cloth) * torch.exp(0.25 * torch.randn(n, 1, generator=rng))
    near = near * (1 + 0.08 * torch.randn(n, 3, generator=rng))
    brown = uniform(rng, (n, 1), 0.1, 0.7) * torch.tensor([0.45, 0.65, 1.0])
    brown = brown * (1 + 0.1 * torch.randn(n, 3, generator=rng))
    start = 0.0
    for share, colour in ((GREY, grey), (NEAR, near), (BROWN, brown)):
        ink = torch.where((kind >= start) & (kind < start + share), linear(colour.clamp(0.02, 0.98)), ink)
        start += share
    dark = torch.exp(uniform(rng, (n, 1), np.log(0.004), np.log(0.06)))
    dark = (dark * torch.exp(0.5 * torch.randn(n, 3, generator=rng))).clamp(max=1)
    return cloth, torch.where(chance(rng, n, DARK)[:, None], dark, ink)


def _twisted(rng: torch.Generator, laid: _Laid) -> Tensor:
    """Return how strands and fibres shade a cord (n, rows, fine columns)."""
    n = len(laid.angle)
    turn = (laid.at / RADIUS).clamp(-1, 1)
    pitch, lean = uniform(rng, (n, 1, 1), 0.5, 2), uniform(rng, (n, 1, 1), -1.2, 1.2)
    depth = (uniform(rng, (n,), 0, 0.5) * chance(rng, n, 0.7))[:, None, None]
    along = torch.arange(ROWS)[None, :, None] * ROW_WIDTHS
    phase = 2 * np.pi * ((along + lean * turn) / pitch + torch.rand(n, 1, 1, generator=rng))
    fibres = 1 + uniform(rng, (n, 1, 1), 0, 0.12) * torch.randn(laid.at.shape, generator=rng)
    return (1 + depth * (torch.cos(phase) - 0.3 * torch.cos(2 * phase))) * fibres


def _texture(rng: torch.Generator, n: int) -> Tensor:
    """Return how a table top's own pattern varies (n, 1, rows, fine columns), about 1."""
    pattern = torch.randn(n, 1, ROWS, COLUMNS * FINE, generator=rng)
    pattern = blurred(blurred(pattern, uniform(rng, (n,), 0.5, 6), 2), uniform(rng, (n,), 1.3, 17), 3)
    pattern = pattern / pattern.std((2, 3), keepdim=True).clamp(min=1e-6)
    return 1 + pattern * (uniform(rng, (n,), 0, 0.15) * chance(rng, n, 0.7))[:, None, None, None]


def _along(rng: torch.Generator, n: int) -> Tensor:
    """Return how far each row is (n, rows) from one drawn at random, round the loop."""
    start = uniform(rng, (n, 1), 0, ROWS)
    return (torch.arange(ROWS)[None] - start + ROWS / 2) % ROWS - ROWS / 2


def _tiles(rng: torch.Generator, laid: _Laid, ground: Tensor) -> tuple[Tensor, Tensor]:
    """Lay tiles beside and under cords, with walls, borders and shadows; and tell where tiles are thought to lie."""
    foreign = torch.zeros(laid.at.shape, dtype=torch.bool)
    for _ in range(3):
        ground, told = _tile(rng, laid, ground)
        foreign = foreign | told
    return ground, foreign


def _tile(rng: torch.Generator, laid: _Laid, ground: Tensor) -> tuple[Tensor, Tensor]:
    n = len(laid.at)
    along, side = _along(rng, n), torch.where(chance(rng, n, 0.5), 1.0, -1.0)[:, None, None]
    rows = ((along.abs() < uniform(rng, (n, 1), 3, 11)) & chance(rng, n, 0.6)[:, None])[..., None]
    gap = torch.exp(uniform(rng, (n, 1), np.log(0.25), np.log(3.0)))
    gap = gap * torch.where(chance(rng, n, 0.12), -1.0, 1.0)[:, None]  # the others lie under the cord
    rim = RADIUS + gap + uniform(rng, (n, 1), -0.06, 0.06) * along + uniform(rng, (n, 1), 0, 0.012) * along**2
    within, shade = laid.at * side - rim[..., None], laid.ground * side - rim[..., None]
    depth, reach = uniform(rng, (n, 1, 1), 0, 0.6), uniform(rng, (n, 1, 1), 0.1, 1.5)
    ground = ground * (1 - depth * torch.exp(shade.clamp(max=0) / reach) * rows)[:, None]
    wall = (uniform(rng, (n,), 0, 0.5) * chance(rng, n, 0.5))[:, None, None]
    walled = (within <= 0) & (within > -wall) & rows
    ground = torch.where(walled[:, None], ground * uniform(rng, (n, 1, 1, 1), 0.2, 0.9), ground)
    ground = torch.where(((within > 0) & rows)[:, None], _face(rng, within), ground)
    wrong = wavy(rng, n, ROWS, torch.full((n,), 20.0), uniform(rng, (n,), 0, 0.1))
    wrong = wrong + 0.1 * torch.randn(n, 1, generator=rng)
    return ground, (within + wrong[..., None] > -0.05) & rows


def _face(rng: torch.Generator, within: Tensor) -> Tensor:
    """Return a tile's colours (n, 3, rows, fine columns): a border, and a picture within."""
    n = len(within)
    border, inner = (linear(torch.rand(n, 3, generator=rng))[:, :, None, None] for _ in range(2))
    width = torch.exp(uniform(rng, (n, 1, 1), np.log(0.2), np.log(3.0)))
    picture = torch.randn(n, 1, *within.shape[1:], generator=rng)
    picture = blurred(blurred(picture, torch.full((n,), 1.5), 2), torch.full((n,), 5.3), 3)
    inside = (within >= width)[:, None]
    return (torch.where(inside, inner, border) * (1 + 1.2 * picture * inside)).clamp(min=0)


def _others(rng: torch.Generator, laid: _Laid, image: Tensor) -> Tensor:
    """Lay other cords across, over or under, or close beside."""
    n = len(laid.at)
    for _ in range(2):
        along = _along(rng, n) * ROW_WIDTHS
        near = chance(rng, n, 0.45)[:, None, None] & (along.abs() < 5)[..., None]
        lean = torch.tan(uniform(rng, (n, 1), -1.35, 1.35))
        middle = lean * along + uniform(rng, (n, 1), -3, 3) * chance(rng, n, 0.3)[:, None]
        half = uniform(rng, (n, 1, 1), 0.3, 0.8) * torch.sqrt(1 + lean**2)[..., None]
        off = (laid.at - middle[..., None]).abs()
        over = chance(rng, n, 0.5)[:, None, None] | ~laid.on
        shadow = torch.exp(-(off - half).clamp(min=0) / 0.4) * uniform(rng, (n, 1, 1), 0, 0.5) * near
        round_ = 1 - 0.5 * (off / half).clamp(max=1) ** 2
        colour = linear(torch.rand(n, 3, generator=rng))[:, :, None, None]
        image = image * (1 - shadow * over)[:, None]
        image = torch.where(((off < half) & near & over)[:, None], colour * round_[:, None], image)
    return image


def _hands(rng: torch.Generator, image: Tensor) -> Tensor:
    """Hide some rows."""
    n = len(image)
    rows = (_along(rng, n).abs() < uniform(rng, (n, 1), 2, 9)) & chance(rng, n, 0.25)[:, None]
    skin = linear(torch.rand(n, 3, generator=rng))[:, :, None, None]
    skin = skin * (1 + 0.2 * torch.randn(n, 1, ROWS, 1, generator=rng))
    return torch.where(rows[:, None, :, None], skin, image)
