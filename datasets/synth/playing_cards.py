"""Random playing cards: pips, court cards, pictures of whole cards."""

from __future__ import annotations

import cv2
import numpy as np

from synth.ink import corners, dark, white
from synth.photos import photo
from synth.pictures import Cutout, Pictures, paste
from synth.textures import Image, Rng


def suit(rng: Rng, pictures: Pictures) -> Cutout:
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


def whole_card(rng: Rng, pictures: Pictures, width: int, height: int) -> Image:
    """Draw a playing card from a picture of one, or a drawn one where there is none."""
    card = pictures.playing_card(rng) if height >= width else None
    if card is None:
        return poker(rng, pictures, width, height)
    image = white(rng, width, height)
    grown = rng.uniform(1.0, 1.04)
    paste(image, card, (width / 2, height / 2), (width * grown, height * grown))
    return image


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
    image, sign = white(rng, width, height), suit(rng, pictures)
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
    cv2.rectangle(image, (x, y), (x + wide - 1, y + tall - 1), dark(rng), 1)
    corners(rng, image, likely=1.0)
    return image
