"""Something like a photograph, from noise and pictures."""

from __future__ import annotations

import numpy as np

from synth.pictures import Pictures, paste
from synth.textures import Image, Rng, colour, fractal, mix, smooth


def photo(rng: Rng, pictures: Pictures, width: int, height: int) -> Image:
    """Draw something like a photograph: mottled colours, large shapes, pictures on them."""
    image = mix(fractal(rng, width, height, rng.uniform(2, 12), octaves=5), colour(rng), colour(rng))
    if rng.random() < 0.5:
        mask = (smooth(rng, width, height, rng.uniform(2, 5)) > rng.uniform(0.3, 0.7)).astype(np.float32)
        other = mix(fractal(rng, width, height, rng.uniform(4, 30)), colour(rng), colour(rng))
        image = (image + (other.astype(np.float32) - image) * mask[..., None]).astype(np.uint8)
    for _ in range(rng.integers(0, 4)):
        size = min(width, height) * rng.uniform(0.2, 0.9)
        paste(image, pictures.draw(rng), (rng.uniform(0.1, 0.9) * width, rng.uniform(0.1, 0.9) * height), (size, size))
    return image
