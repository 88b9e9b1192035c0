"""Light, colour and a camera for strips that are drawn by the batch; what they share with chance."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from vision.strings.ground import LOG_OFFSET

GREY = (0.114, 0.587, 0.299)  # of blue, green, red


def uniform(rng: torch.Generator, shape: tuple[int, ...], low: Any, high: Any) -> Tensor:
    """Draw evenly between two bounds."""
    return torch.rand(shape, generator=rng) * float(high - low) + float(low)


def chance(rng: torch.Generator, n: int, share: float) -> Tensor:
    """Draw which of n things happen."""
    return torch.rand(n, generator=rng) < share


def wavy(rng: torch.Generator, n: int, rows: int, scale: Tensor, size: Tensor) -> Tensor:
    """Draw n smooth rings (n, rows) that waver over `scale` (n,) rows by `size` (n,)."""
    noise = torch.fft.rfft(torch.randn(n, rows, generator=rng), dim=1)
    pitch = torch.fft.rfftfreq(rows)[None]
    ring = torch.fft.irfft(noise * torch.exp(-2 * (torch.pi * pitch * scale[:, None]) ** 2), rows, dim=1)
    ring = ring - ring.mean(1, keepdim=True)
    return ring / (ring.std(1, keepdim=True) + 1e-9) * size[:, None]


def linear(colour: Tensor) -> Tensor:
    """Decode sRGB, 0…1."""
    return torch.where(colour <= 0.04045, colour / 12.92, ((colour.clamp(min=0) + 0.055) / 1.055) ** 2.4)


def encoded(light: Tensor) -> Tensor:
    """Encode light as sRGB, 0…1."""
    light = light.clamp(min=0)
    return torch.where(light <= 0.0031308, 12.92 * light, 1.055 * light.clamp(min=1e-6) ** (1 / 2.4) - 0.055)


def blurred(images: Tensor, sigma: Tensor, dim: int) -> Tensor:
    """Blur images (n, c, rows, columns) by `sigma` (n,) samples along the rows (2: round) or the columns (3)."""
    count = images.shape[dim]
    padded = torch.cat([images, images.flip(3)], 3) if dim == 3 else images
    pitch = torch.fft.rfftfreq(padded.shape[dim])[None]
    share = torch.exp(-2 * (torch.pi * pitch * sigma[:, None]) ** 2)
    share = share[:, None, None, :] if dim == 3 else share[:, None, :, None]
    soft = torch.fft.irfft(torch.fft.rfft(padded, dim=dim) * share, padded.shape[dim], dim=dim)
    return soft[..., :count] if dim == 3 else soft


def photographed(
    rng: torch.Generator, light: Tensor, table: Tensor, width_px: Tensor, column: float, row: float
) -> Tensor:
    """Photograph strips (n, 3, rows, columns) of light; returns brightness over that of the bare `table` (n, 3).

    `width_px`: (n,), of what `column` and `row` are shares.
    """
    n, wide = len(light), (-1, 1, 1, 1)
    per_column, per_row = 1 / (column * width_px), 1 / (row * width_px)

    def soft(image: Tensor, sigma_px: Tensor) -> Tensor:
        return blurred(blurred(image, sigma_px * per_column, 3), sigma_px * per_row, 2)

    gain = uniform(rng, (n, 1, 1, 1), 0.35, 1.3) * torch.exp(0.12 * torch.randn(n, 3, 1, 1, generator=rng))
    haze = (uniform(rng, (n,), 0, 0.06) * chance(rng, n, 0.3)).view(wide)
    sigma_px, early = uniform(rng, (n,), 0.35, 1.7), torch.rand(n, generator=rng)
    image = encoded(soft(light * gain, sigma_px * torch.sqrt(early)) + haze).clamp(0, 1)
    image = soft(image, sigma_px * torch.sqrt(1 - early))
    sharpened = image + 0.6 * (image - soft(image, torch.full((n,), 0.8)))
    image = torch.where(chance(rng, n, 0.2).view(wide), sharpened, image)
    grey = (image * torch.tensor(GREY)[None, :, None, None]).sum(1, keepdim=True)
    image = grey + soft(image - grey, uniform(rng, (n,), 0, 1.6))  # colours are kept more coarsely
    grain = torch.randn(image.shape, generator=rng) * 0.5 + torch.randn(grey.shape, generator=rng)
    grain = blurred(grain, 0.45 * per_column, 3)
    grain = grain / grain.std((1, 2, 3), keepdim=True).clamp(min=1e-6)
    level = torch.exp(uniform(rng, (n,), -5.8, -3.0)) / torch.sqrt((1 / per_row).clamp(min=0.6))
    image = image + grain * level.view(wide)
    bare = encoded(table[:, :, None, None] * gain + haze) * (1 + 0.03 * torch.randn(n, 3, 1, 1, generator=rng))
    return ((image * 255 + LOG_OFFSET) / (bare.clamp(min=0.04) * 255 + LOG_OFFSET)).clamp(0, 4)
