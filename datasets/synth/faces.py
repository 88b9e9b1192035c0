"""Random printed faces: whatever may be printed on a piece of cardboard, upright, edge to edge."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from synth.ink import border, corners, dark, ground, letters, white, write
from synth.photos import photo
from synth.pictures import Pictures, paste
from synth.playing_cards import court, poker, suit, whole_card
from synth.textures import Image, Rng, colour, fractal, mix, pattern


def face(rng: Rng, pictures: Pictures, width: int, height: int) -> Image:
    """Draw one random face."""
    painters: tuple[tuple[Callable[[Rng, Pictures, int, int], Image], float], ...] = (
        (poker, 0.16),
        (whole_card, 0.05),
        (court, 0.10),
        (framed, 0.16),
        (tile, 0.24),
        (photo, 0.08),
        (back, 0.09),
        (symbols, 0.07),
        (text_card, 0.05),
        (plain, 0.04),
    )
    if max(width, height) > 2.2 * min(width, height) and rng.random() < 0.7:
        return strip(rng, pictures, width, height)
    weights = np.array([w for _, w in painters])
    painter = painters[rng.choice(len(painters), p=weights / weights.sum())][0]
    return painter(rng, pictures, width, height)


def framed(rng: Rng, pictures: Pictures, width: int, height: int) -> Image:
    """Draw a collector's card: a border, a coloured frame, a picture, a box of text."""
    edge = ((16, 16, 16), (240, 240, 240), tuple(colour(rng).tolist()))[rng.choice(3, p=[0.6, 0.2, 0.2])]
    image = np.full((height, width, 3), edge, np.float32).astype(np.uint8)
    b = max(1, round(width * rng.uniform(0.02, 0.07)))
    body = mix(fractal(rng, width - 2 * b, height - 2 * b, 20), colour(rng), colour(rng))
    image[b : b + body.shape[0], b : b + body.shape[1]] = body
    x0, x1 = round(width * rng.uniform(0.08, 0.13)), round(width * rng.uniform(0.87, 0.92))
    y0, y1, y2 = round(height * 0.1), round(height * rng.uniform(0.45, 0.62)), round(height * rng.uniform(0.86, 0.94))
    art = photo(rng, pictures, x1 - x0, y1 - y0)
    image[y0:y1, x0:x1] = art
    gap = round(height * rng.uniform(0.03, 0.07))
    if y2 - y1 - gap > 6:
        image[y1 + gap : y2, x0:x1] = _text_block(rng, x1 - x0, y2 - y1 - gap)
    pale = (235.0, 235.0, 235.0) if body.mean() < 130 else (20.0, 20.0, 20.0)
    write(rng, image, letters(rng, 5, 11), (width * 0.4, height * 0.065), height * 0.045, pale)
    return image


def _text_block(rng: Rng, width: int, height: int) -> Image:
    block = ground(rng, width, height, pale=rng.random() < 0.8)
    ink = (25.0, 25.0, 25.0) if block.mean() > 110 else (235.0, 235.0, 235.0)
    line = max(4.0, height / rng.integers(3, 8))
    y = line * 0.7
    while y < height - line * 0.3 and rng.random() < 0.95:
        write(rng, block, letters(rng, 8, 16), (width * rng.uniform(0.45, 0.55), y), line * 0.55, ink)
        y += line
    return block


def tile(rng: Rng, pictures: Pictures, width: int, height: int) -> Image:
    """Draw a game tile: a quiet ground, one picture in the middle, perhaps a value and small signs."""
    image = ground(rng, width, height, pale=rng.random() < 0.45)
    side = min(width, height) * rng.uniform(0.3, 0.85)
    if rng.random() < 0.2:  # a round print is no coin
        centre, radius = (width // 2, round(height * 0.48)), round(side * 0.5)
        cv2.circle(image, centre, radius, colour(rng).tolist(), -1, cv2.LINE_AA)
        cv2.circle(image, centre, radius, colour(rng, value=(0, 0.6)).tolist(), int(rng.integers(1, 4)), cv2.LINE_AA)
        side *= 0.7
    paste(
        image, pictures.draw(rng), (width / 2, height * rng.uniform(0.42, 0.55)), (side, side * rng.uniform(0.8, 1.2))
    )
    image = border(rng, image)
    corners(rng, image, likely=0.5)
    if rng.random() < 0.4:
        for k in range(rng.integers(1, 5)):
            paste(image, pictures.draw(rng), (width * (0.15 + 0.2 * k), height * 0.88), (width * 0.14, width * 0.14))
    if rng.random() < 0.3:
        write(rng, image, letters(rng, 4, 10), (width / 2, height * 0.9), height * 0.08, dark(rng))
    return image


def back(rng: Rng, pictures: Pictures, width: int, height: int) -> Image:
    """Draw a card's back: a regular pattern, perhaps a medallion."""
    first, second = colour(rng, saturation=(0.1, 1)), colour(rng)
    image = mix(pattern(rng, width, height), first, second if rng.random() < 0.6 else first * 0.6)
    if rng.random() < 0.4:
        side = min(width, height) * rng.uniform(0.3, 0.7)
        paste(image, pictures.draw(rng), (width / 2, height / 2), (side, side))
    return border(rng, image)


def symbols(rng: Rng, pictures: Pictures, width: int, height: int) -> Image:
    """Draw one to four equal signs on a white or quiet ground."""
    image = white(rng, width, height) if rng.random() < 0.6 else ground(rng, width, height, pale=True)
    count, sign = rng.integers(1, 5), suit(rng, pictures)
    for k in range(count):
        along = (k + 1) / (count + 1)
        place = (width * along, height / 2) if width > height else (width / 2, height * along)
        wide, tall = (0.18, 0.55) if width > height else (0.55, 0.18)
        paste(image, sign, place, (width * wide, height * tall))
    return border(rng, image) if rng.random() < 0.4 else image


def text_card(rng: Rng, pictures: Pictures, width: int, height: int) -> Image:
    """Draw a card of words, perhaps with a small picture."""
    image = _text_block(rng, width, height)
    if rng.random() < 0.5:
        paste(image, pictures.draw(rng), (width / 2, height * 0.3), (width * 0.5, height * 0.35))
    return border(rng, image)


def plain(rng: Rng, pictures: Pictures, width: int, height: int) -> Image:
    """Draw a face of hardly more than its ground: a blank card or a bare back."""
    image = white(rng, width, height) if rng.random() < 0.3 else ground(rng, width, height)
    if rng.random() < 0.5:
        corners(rng, image, likely=1.0)
    return border(rng, image)


def strip(rng: Rng, pictures: Pictures, width: int, height: int) -> Image:
    """Draw a strip of several tiles side by side, along its longer side."""
    count = int(rng.integers(3, 6))
    cell = max(width, height) // count
    ground_image = ground(rng, width, height, pale=rng.random() < 0.6)
    same = rng.random() < 0.6
    for k in range(count):
        if not same:
            part = tile(rng, pictures, cell, height) if width > height else tile(rng, pictures, width, cell)
            at = (
                (slice(None), slice(k * cell, (k + 1) * cell))
                if width > height
                else (slice(k * cell, (k + 1) * cell), slice(None))
            )
            ground_image[at] = part
        else:
            side = min(width, height) * rng.uniform(0.5, 0.85)
            place = ((k + 0.5) * cell, height / 2) if width > height else (width / 2, (k + 0.5) * cell)
            paste(ground_image, pictures.draw(rng), place, (side, side))
    return border(rng, ground_image)
