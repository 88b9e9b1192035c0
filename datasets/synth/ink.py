"""Grounds, letters and borders: what printed faces are made of."""

from __future__ import annotations

import string

import cv2
import numpy as np

from synth.textures import Image, Rng, colour, fractal, gradient, mix

_FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)


def ground(rng: Rng, width: int, height: int, *, pale: bool = False) -> Image:
    """Draw a face's ground: flat, ramp or mottled."""
    value = (0.75, 1.0) if pale else (0.15, 1.0)
    saturation = (0.0, 0.35) if pale else (0.0, 0.9)
    first = colour(rng, value=value, saturation=saturation)
    kind = rng.random()
    if kind < 0.45:
        return np.full((height, width, 3), first, np.float32).astype(np.uint8)
    second = colour(rng, value=value, saturation=saturation)
    field = gradient(rng, width, height) if kind < 0.85 else fractal(rng, width, height, rng.uniform(2, 9))
    return mix(field, first, first * 0.4 + second * 0.6)


def white(rng: Rng, width: int, height: int) -> Image:
    """Draw a nearly white ground, as playing cards have."""
    shade = rng.uniform(225, 255) - rng.uniform(0, 14, 3) * np.array([1, 0.5, 0.2])
    return np.full((height, width, 3), shade, np.float32).astype(np.uint8)


def write(
    rng: Rng, image: Image, words: str, centre: tuple[float, float], height_px: float, ink: tuple[float, ...]
) -> None:
    """Write words into a picture that is being drawn (in place), centred."""
    font = _FONTS[rng.integers(len(_FONTS))]
    scale = height_px / 22
    thick = max(1, round(scale * rng.uniform(1, 3)))
    (w, h), _ = cv2.getTextSize(words, font, scale, thick)
    place = round(centre[0] - w / 2), round(centre[1] + h / 2)
    cv2.putText(image, words, place, font, scale, ink, thick, cv2.LINE_AA)


def letters(rng: Rng, least: int, most: int) -> str:
    alphabet = np.array(list(string.ascii_letters + string.digits))
    return "".join(rng.choice(alphabet, rng.integers(least, most + 1)))


def dark(rng: Rng) -> tuple[float, ...]:
    inks = ((20, 20, 20), (30, 20, 190), tuple(colour(rng, value=(0.0, 0.6)).tolist()))
    return tuple(float(v) for v in inks[rng.integers(3)])


def border(rng: Rng, image: Image) -> Image:
    """Return the face with a border of one colour around it, or none."""
    if rng.random() < 0.35:
        return image
    height, width = image.shape[:2]
    thick = max(1, round(min(width, height) * rng.uniform(0.015, 0.09)))
    ink = ((245, 245, 245), (18, 18, 18), tuple(colour(rng).tolist()))[rng.integers(3)]
    framed_face = image.copy()
    cv2.rectangle(framed_face, (0, 0), (width - 1, height - 1), ink, 2 * thick - 1)
    if rng.random() < 0.25:
        cv2.rectangle(framed_face, (thick, thick), (width - 1 - thick, height - 1 - thick), colour(rng).tolist(), 1)
    return framed_face


def corners(rng: Rng, image: Image, *, likely: float) -> None:
    """Write values into the corners (in place), those of the lower half upside down."""
    if rng.random() > likely:
        return
    height, width = image.shape[:2]
    words, tall = letters(rng, 1, 2).upper(), min(width, height) * rng.uniform(0.09, 0.22)
    ink = dark(rng) if image.mean() > 110 else (245.0, 245.0, 245.0)
    inset = tall * 0.5 + min(width, height) * rng.uniform(0.04, 0.1)
    both = rng.random() < 0.5
    for turned in (False, True):
        half = image if not turned else np.ascontiguousarray(image[::-1, ::-1])
        write(rng, half, words, (inset, inset), tall, ink)
        if both:
            write(rng, half, words, (width - inset, inset), tall, ink)
        if turned:
            image[:] = half[::-1, ::-1]
