"""What is read while time is taken: rendered tables with as many pieces, of as many pixels, as are asked for."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from decks.deck import Deck, find
from scoring.table import Piece, Table
from synth.pictures import Pictures
from synth.render import Manner, photograph, picture
from synth.scene import Hand, scene

Image = npt.NDArray[np.uint8]

COLUMNS, ROWS = 3, 2
GAP_MM, APART_MM = 4.0, 30.0
CALM = {"most_tilt_deg": 15.0, "harsh": 0.1, "mess": 0.0}
SEED = 8
STRING_SEED = 302  # a turn in the middle of a game: two strings, tiles, markers


def laid(deck: Deck, count: int, seed: int = SEED) -> Table:
    """Lay cards in grids of 2×3, the grids in about as many rows as columns."""
    hand = Hand(np.random.default_rng(seed), deck)
    width, height = deck.edition.size_mm
    wide = COLUMNS * (width + GAP_MM) + APART_MM
    tall = ROWS * (height + GAP_MM) + APART_MM
    across = math.ceil(math.sqrt(math.ceil(count / (COLUMNS * ROWS)) * 1.3))
    pieces: list[Piece] = []
    for k in range(count):
        block, place = divmod(k, COLUMNS * ROWS)
        x = block % across * wide + place % COLUMNS * (width + GAP_MM)
        y = -(block // across) * tall - place // COLUMNS * (height + GAP_MM)
        pieces.append(hand.lay("card", hand.draw(), (x, y), (width, height), 90.0 + float(hand.rng.normal(0, 1))))
    return Table(tuple(pieces))


def cards(count: int, width_px: int = 1280, height_px: int = 720) -> tuple[Image, Deck]:
    """Photograph so many cards of Paper Safari's built-in deck."""
    deck = find(None, "paper-safari")
    manner = Manner(width_px, height_px, **CALM)
    return photograph(laid(deck, count), deck, SEED, manner, Pictures())[0], deck


def strings(width_px: int = 1280, height_px: int = 720) -> tuple[Image, Deck]:
    """Photograph a turn of String Safari, with both strings."""
    deck = find(None, "string-safari")
    made = scene(STRING_SEED, "string-safari", deck)
    return picture(made, deck, STRING_SEED, Manner(width_px, height_px, **CALM))[0], deck


def resized(image: Image, height_px: int) -> Image:
    """Return the picture at another height, its shape kept."""
    width_px = round(image.shape[1] * height_px / image.shape[0])
    way = cv2.INTER_AREA if height_px < image.shape[0] else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, (width_px, height_px), interpolation=way), np.uint8)
