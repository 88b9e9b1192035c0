"""Photo cards without a face of their own: their animals on one ground, in frames, or as our decks print them."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from decks.card_art import photo_card
from decks.deck import Deck, find
from vision import figurefit, photocards, strip
from vision.figurefit import Figure

Image = npt.NDArray[np.uint8]
HIGH = 96
SEQUENCES = [("lion", "zebra", "lion"), ("elephant", "giraffe", "giraffe", "zebra"), ("zebra", "lion") * 2 + ("lion",)]


@pytest.fixture(scope="module")
def deck() -> Deck:
    return find(None, "kleine-fotosafari")


@pytest.fixture(scope="module")
def styles(deck: Deck) -> tuple[tuple[Figure, ...], ...]:
    return figurefit.figures(deck.faces)


def pasted(deck: Deck, sequence: tuple[str, ...], paper: tuple[int, int, int], *, cut: bool) -> Image:
    """Draw the animals side by side on paper (BGR): cut out, or their whole faces."""
    make, side = (figurefit.cut_out if cut else figurefit.whole), 60
    card = np.full((HIGH, 84 * len(sequence) + 12, 3), paper, np.float32)
    for place, label in enumerate(sequence):
        figure = make(label, deck.faces[label][0])
        scale = side / max(figure.cover.shape)
        size = tuple(round(x * scale) for x in figure.cover.shape[::-1])
        picture, cover = (cv2.resize(p, size, interpolation=cv2.INTER_AREA) for p in (figure.picture, figure.cover))
        left, top = 48 + 84 * place - size[0] // 2, (HIGH - size[1]) // 2
        there = card[top : top + size[1], left : left + size[0]]
        there += cover[..., None] * (picture - there)
    return card.astype(np.uint8)


def printed(deck: Deck, sequence: tuple[str, ...]) -> Image:
    """Draw the card that comes out of `deck print`."""
    card = photo_card(sequence, 4.0)
    wide = round(card.shape[1] * HIGH / card.shape[0])
    return np.asarray(cv2.resize(card, (wide, HIGH), interpolation=cv2.INTER_AREA), np.uint8)


STYLES: dict[str, Callable[[Deck, tuple[str, ...]], Image]] = {
    "on one ground": lambda deck, sequence: pasted(deck, sequence, (70, 160, 90), cut=True),
    "in frames": lambda deck, sequence: pasted(deck, sequence, (235, 240, 240), cut=False),
    "as printed": printed,
}


def seen(card: Image, turned: bool, seed: int) -> Image:
    """Return a card as a camera sees it from afar: 36 px high, dim, with noise; upside down if `turned`."""
    small = cv2.resize(card, None, fx=36 / HIGH, fy=36 / HIGH, interpolation=cv2.INTER_AREA) * 0.7
    noisy = small + np.random.default_rng(seed).normal(0, 4, small.shape)
    back = cv2.resize(np.clip(noisy, 0, 255).astype(np.uint8), card.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.rot90(back, 2) if turned else back, np.uint8)


@pytest.mark.parametrize("turned", [False, True], ids=["upright", "upside down"])
@pytest.mark.parametrize("sequence", SEQUENCES, ids=lambda s: "-".join(s))
@pytest.mark.parametrize("style", STYLES)
def test_a_photo_card_is_read_however_it_is_drawn(
    deck: Deck, styles: tuple[tuple[Figure, ...], ...], style: str, sequence: tuple[str, ...], turned: bool
) -> None:
    read = strip.read(seen(STYLES[style](deck, sequence), turned, 1), styles)
    assert read.candidates[0][0] == sequence
    assert read.candidates[0][1] > 0.6
    assert read.quarter_turns == (2 if turned else 0)


@pytest.mark.parametrize("styles", [(), ((), ())], ids=["no kinds", "no figures"])
def test_without_figures_nothing_is_read(styles: tuple[tuple[Figure, ...], ...]) -> None:
    assert strip.read(np.full((HIGH, 3 * HIGH, 3), 128, np.uint8), styles) == strip.UNREAD


def box(x: float, y: float, wide: float, high: float) -> npt.NDArray[np.float64]:
    return np.array([[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]], float)


@pytest.mark.parametrize(
    ("cards", "share"),
    [
        pytest.param([], 0.0, id="no cards"),
        pytest.param([box(0, 0, 50, 50), box(50, 0, 50, 50)], 1.0, id="two cards that touch"),
        pytest.param([box(-25, 0, 50, 50)], 0.25, id="a card that reaches below it"),
        pytest.param([box(200, 200, 50, 50)], 0.0, id="a card elsewhere"),
    ],
)
def test_how_much_of_a_box_known_cards_cover(cards: list[npt.NDArray[np.float64]], share: float) -> None:
    assert photocards.covered_by(cards, box(0, 0, 100, 50)) == pytest.approx(share, abs=0.01)
