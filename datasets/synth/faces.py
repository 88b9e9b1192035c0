"""Random printed faces: whatever may be printed on a piece of cardboard, upright, edge to edge."""

from __future__ import annotations

import string
from collections.abc import Callable

import cv2
import numpy as np

from synth.pictures import Pictures, paste
from synth.textures import Image, Rng, colour, fractal, gradient, mix, pattern, smooth

_FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)


def face(rng: Rng, pictures: Pictures, width: int, height: int) -> Image:
    """Draw one random face."""
    painters: tuple[tuple[Callable[[Rng, Pictures, int, int], Image], float], ...] = (
        (poker, 0.17),
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


def _letters(rng: Rng, least: int, most: int) -> str:
    alphabet = np.array(list(string.ascii_letters + string.digits))
    return "".join(rng.choice(alphabet, rng.integers(least, most + 1)))


def _dark(rng: Rng) -> tuple[float, ...]:
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
    words, tall = _letters(rng, 1, 2).upper(), min(width, height) * rng.uniform(0.09, 0.22)
    ink = _dark(rng) if image.mean() > 110 else (245.0, 245.0, 245.0)
    inset = tall * 0.5 + min(width, height) * rng.uniform(0.04, 0.1)
    both = rng.random() < 0.5
    for turned in (False, True):
        half = image if not turned else np.ascontiguousarray(image[::-1, ::-1])
        write(rng, half, words, (inset, inset), tall, ink)
        if both:
            write(rng, half, words, (width - inset, inset), tall, ink)
        if turned:
            image[:] = half[::-1, ::-1]


def _suit(rng: Rng, pictures: Pictures) -> np.ndarray:
    """Draw a suit-like sign: mostly heart, diamond, spade or club shapes in red or black, else any picture."""
    kind = rng.integers(6)
    if kind >= 4:
        return pictures.draw(rng)
    ink = (25, 20, 20, 255) if kind % 2 else (40, 30, int(rng.integers(170, 235)), 255)
    sign = np.zeros((64, 64, 4), np.uint8)
    sign[..., :3] = ink[:3]
    if kind == 0:  # diamond
        cv2.fillPoly(sign, [np.array([[32, 2], [56, 32], [32, 62], [8, 32]])], ink, cv2.LINE_AA)
    elif kind == 1:  # spade
        cv2.circle(sign, (19, 36), 14, ink, -1, cv2.LINE_AA)
        cv2.circle(sign, (45, 36), 14, ink, -1, cv2.LINE_AA)
        cv2.fillPoly(sign, [np.array([[32, 2], [58, 32], [6, 32]]), np.array([[32, 34], [42, 62], [22, 62]])], ink)
    elif kind == 2:  # heart
        cv2.circle(sign, (19, 21), 15, ink, -1, cv2.LINE_AA)
        cv2.circle(sign, (45, 21), 15, ink, -1, cv2.LINE_AA)
        cv2.fillPoly(sign, [np.array([[5, 26], [59, 26], [32, 62]])], ink, cv2.LINE_AA)
    else:  # club
        for x, y in ((32, 16), (18, 36), (46, 36)):
            cv2.circle(sign, (x, y), 13, ink, -1, cv2.LINE_AA)
        cv2.fillPoly(sign, [np.array([[32, 26], [42, 62], [22, 62]])], ink, cv2.LINE_AA)
    return sign


_PIPS = {  # columns of pips by number, heights 0…1, as on playing cards
    1: ((0.5, 0.5),),
    2: ((0.5, 0.2), (0.5, 0.8)),
    3: ((0.5, 0.2), (0.5, 0.5), (0.5, 0.8)),
    4: ((0.3, 0.2), (0.7, 0.2), (0.3, 0.8), (0.7, 0.8)),
    5: ((0.3, 0.2), (0.7, 0.2), (0.5, 0.5), (0.3, 0.8), (0.7, 0.8)),
    6: ((0.3, 0.2), (0.7, 0.2), (0.3, 0.5), (0.7, 0.5), (0.3, 0.8), (0.7, 0.8)),
    8: ((0.3, 0.2), (0.7, 0.2), (0.5, 0.35), (0.3, 0.5), (0.7, 0.5), (0.5, 0.65), (0.3, 0.8), (0.7, 0.8)),
    9: (*tuple((x, y) for x in (0.3, 0.7) for y in (0.2, 0.4, 0.6, 0.8)), (0.5, 0.5)),
    10: (*tuple((x, y) for x in (0.3, 0.7) for y in (0.2, 0.4, 0.6, 0.8)), (0.5, 0.3), (0.5, 0.7)),
}


def poker(rng: Rng, pictures: Pictures, width: int, height: int) -> Image:
    """Draw a playing card: white, one to ten pips, an index in two corners."""
    image, sign = white(rng, width, height), _suit(rng, pictures)
    pips = _PIPS[int(rng.choice(list(_PIPS)))]
    big = rng.uniform(0.14, 0.22) * width * (1.6 if len(pips) == 1 and rng.random() < 0.6 else 1)
    for x, y in pips:
        paste(image, sign if y <= 0.5 else sign[::-1], (x * width, y * height), (big, big))
    corners(rng, image, likely=0.9)
    small = min(width, height) * rng.uniform(0.08, 0.13)
    for turned in (1, -1):
        place = (small * 0.9, small * 2.6) if turned == 1 else (width - small * 0.9, height - small * 2.6)
        paste(image, sign[::turned], place, (small, small))
    return image


def court(rng: Rng, pictures: Pictures, width: int, height: int) -> Image:
    """Draw a court card: white, an inner frame, a busy picture that is the same upside down."""
    image = white(rng, width, height)
    x, y = round(width * rng.uniform(0.1, 0.2)), round(height * rng.uniform(0.06, 0.13))
    inner = photo(rng, pictures, width - 2 * x, height - 2 * y) if rng.random() < 0.5 else image[y:-y, x:-x].copy()
    tall, wide = inner.shape[:2]
    for _ in range(rng.integers(2, 5)):
        paste(
            inner,
            pictures.draw(rng),
            (rng.uniform(0.2, 0.8) * wide, rng.uniform(0.1, 0.5) * tall),
            (wide * 0.6, tall * 0.4),
        )
    inner[tall - tall // 2 :] = inner[: tall // 2][::-1, ::-1]
    image[y : y + tall, x : x + wide] = inner
    cv2.rectangle(image, (x, y), (x + wide - 1, y + tall - 1), _dark(rng), 1)
    corners(rng, image, likely=1.0)
    return image


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
    write(rng, image, _letters(rng, 5, 11), (width * 0.4, height * 0.065), height * 0.045, pale)
    return image


def _text_block(rng: Rng, width: int, height: int) -> Image:
    block = ground(rng, width, height, pale=rng.random() < 0.8)
    ink = (25.0, 25.0, 25.0) if block.mean() > 110 else (235.0, 235.0, 235.0)
    line = max(4.0, height / rng.integers(3, 8))
    y = line * 0.7
    while y < height - line * 0.3 and rng.random() < 0.95:
        write(rng, block, _letters(rng, 8, 16), (width * rng.uniform(0.45, 0.55), y), line * 0.55, ink)
        y += line
    return block


def tile(rng: Rng, pictures: Pictures, width: int, height: int) -> Image:
    """Draw a game tile: a quiet ground, one picture in the middle, perhaps a value and small signs."""
    image = ground(rng, width, height, pale=rng.random() < 0.45)
    side = min(width, height) * rng.uniform(0.3, 0.85)
    paste(
        image, pictures.draw(rng), (width / 2, height * rng.uniform(0.42, 0.55)), (side, side * rng.uniform(0.8, 1.2))
    )
    image = border(rng, image)
    corners(rng, image, likely=0.5)
    if rng.random() < 0.4:
        for k in range(rng.integers(1, 5)):
            paste(image, pictures.draw(rng), (width * (0.15 + 0.2 * k), height * 0.88), (width * 0.14, width * 0.14))
    if rng.random() < 0.3:
        write(rng, image, _letters(rng, 4, 10), (width / 2, height * 0.9), height * 0.08, _dark(rng))
    return image


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
    count, sign = rng.integers(1, 5), _suit(rng, pictures)
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
