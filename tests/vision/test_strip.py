"""Photo cards without a face of their own: their animals on one ground, in frames, or as our decks print them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from decks.card_art import photo_card
from decks.deck import Deck, find
from scoring.table import Kind, Piece
from vision import figurefit, overlaid, photocards, strip, uncovered
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


def mirroring(card: Image) -> Image:
    """Return a card in which a lamp is mirrored over its left end: there it is brighter, and of less contrast."""
    far = np.linspace(0, 1, card.shape[1], dtype=np.float32)[None, :, None]
    lit = card + 120 * np.exp(-((far / 0.3) ** 2))
    over = np.maximum(lit - 170, 0)
    return np.asarray(np.minimum(lit, 170) + 85 * (1 - np.exp(-over / 85)), np.float32).astype(np.uint8)


@pytest.mark.parametrize("sequence", SEQUENCES[1:], ids=lambda s: "-".join(s))
@pytest.mark.parametrize("style", STYLES)
def test_a_lamp_that_a_card_mirrors_over_one_end_leaves_no_doubt(
    deck: Deck, styles: tuple[tuple[Figure, ...], ...], style: str, sequence: tuple[str, ...]
) -> None:
    card = mirroring(STYLES[style](deck, sequence))
    afar = cv2.resize(card, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    read = strip.read(np.asarray(cv2.resize(afar, card.shape[1::-1]), np.uint8), styles)
    assert read.candidates[0][0] == sequence
    assert read.candidates[0][1] > 0.97


def way(rests: list[float], beside: float) -> strip.Way:
    """Return a way to read a strip in which the first of two figures leaves so much of each place unexplained."""
    rest = np.array([[one, 2.0] for one in rests], np.float32)
    return strip.Way(0, 0, 0.5, rest, np.zeros((len(rests), 2, 2), np.float32), beside)


@pytest.mark.parametrize(
    ("ways", "animals", "sure"),
    [
        pytest.param([way([0.2] * 3, 0.0), way([0.6] * 5, 0.0)], 3, True, id="nothing beside the figures"),
        pytest.param([way([0.2] * 3, 0.3), way([0.4] * 5, 0.0)], 5, True, id="every other one of five is not three"),
        pytest.param(
            [way([0.2] * 3, 0.3), way([0.9] * 5, 0.0)], 3, False, id="something beside them that none explains"
        ),
    ],
)
def test_what_no_figure_covers_tells_against_a_way(ways: list[strip.Way], animals: int, sure: bool) -> None:
    (sequence, probability), *_ = strip.reading(ways, ["lion", "zebra"]).candidates
    assert len(sequence) == animals
    assert (probability > 0.9) == sure


GROUND = np.full((48, 156, 3), (90, 160, 110), np.float32)


def test_of_as_many_animals_each_way_up_is_compared() -> None:
    """Upside down a strip of symmetrical figures may look right at first sight, and be the last of all its ways."""
    ways = [
        replace(way([left] * animals, 0.0), quarter_turns=turn, style=style)
        for animals, turn, style, left in (
            *((5, 0, style, 0.1 + 0.01 * style) for style in range(2)),
            *((4, turn, style, 0.2 + 0.01 * style) for turn in (0, 2) for style in range(2)),
            *((5, 2, style, 0.5 + 0.01 * style) for style in range(2)),
            *((3, turn, style, 0.8 + 0.01 * style) for turn in (0, 2) for style in range(2)),
        )
    ]
    compared = {(len(one.rest), one.quarter_turns, one.style) for one in strip.likely(ways)}
    assert compared >= {(5, 0, 0), (5, 0, 1)}
    assert {(animals, turn) for animals, turn, _ in compared} == {(n, t) for n in (3, 4, 5) for t in (0, 2)}
    assert len(compared) < len(ways)


def with_animals(*lefts: int) -> npt.NDArray[np.float32]:
    """Return a bare ground with dark squares on it, 24 px broad."""
    bare = GROUND + np.linspace(0, 40, 156, dtype=np.float32)[None, :, None]
    for left in lefts:
        bare[12:36, left : left + 24] = 30
    return bare


@pytest.mark.parametrize(
    ("lefts", "boxes", "share"),
    [
        pytest.param((), (), 0.0, id="a bare strip"),
        pytest.param((10, 60), ((10, 8, 38, 36), (10, 58, 38, 86)), 0.0, id="all covered"),
        pytest.param((10, 60), ((10, 8, 38, 36),), 0.5, id="one of two"),
        pytest.param((10,), ((-5, -9, 90, 400),), 0.0, id="a box beyond the strip"),
    ],
)
def test_what_stands_off_the_ground_beside_the_figures(
    lefts: tuple[int, ...], boxes: tuple[uncovered.Box, ...], share: float
) -> None:
    assert uncovered.share(with_animals(*lefts), boxes) == pytest.approx(share, abs=0.08)


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
    assert overlaid.covered_by(cards, box(0, 0, 100, 50)) == pytest.approx(share, abs=0.01)


def laid(kind: Kind, label: str | None, probability: float) -> Piece:
    return Piece(0, kind, label, (), 0.0, probability)


@pytest.mark.parametrize(
    ("over", "left"),
    [
        pytest.param(laid("card", "lion", 0.99), 1, id="a known card"),
        pytest.param(laid("photo", None, 0.99), 1, id="a photo card that was read"),
        pytest.param(laid("photo", None, 0.3), 2, id="a photo card that was not"),
        pytest.param(laid("card", None, 0.9), 2, id="another unknown one"),
    ],
)
def test_no_unknown_card_lies_on_what_is_known(over: Piece, left: int) -> None:
    unknown = replace(laid("card", None, 0.99), id=1)
    corners = {0: box(0, 0, 60, 60), 1: box(30, 5, 60, 60)}
    assert len(overlaid.apart((over, unknown), corners)[0]) == left
    assert len(overlaid.apart((over, unknown), {**corners, 1: box(50, 0, 60, 60)})[0]) == 2


def card(x: float, y: float, *rests: float) -> photocards.PhotoCard:
    """Return a photo card whose animals leave so much of their places unexplained."""
    quad = box(x, y, 150, 60)
    return photocards.PhotoCard(quad, quad, None, (), replace(strip.UNREAD, rests=rests))


SLAB, SLAB_LIKE_ONE, SHOWN = card(20, 20, 0.6, 0.5, 0.6), card(20, 260, 0.6, 0.4, 0.6), card(330, 180, 0.6, 0.5, 0.6)
READ = replace(SLAB, sequences=((("lion", "zebra", "lion"), 0.98),))


@pytest.mark.parametrize(
    ("found", "left"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([SLAB], [SLAB], id="a slab alone is asked about"),
        pytest.param([SHOWN, SLAB], [SHOWN], id="a slab beside a card"),
        pytest.param([SHOWN, SLAB_LIKE_ONE], [SHOWN, SLAB_LIKE_ONE], id="what shows an animal"),
        pytest.param([SLAB, SLAB], [], id="slabs alone"),
        pytest.param([READ, SLAB], [READ], id="what is read, in the table's colours"),
    ],
)
def test_slabs_of_the_table_are_no_photo_cards(
    found: list[photocards.PhotoCard], left: list[photocards.PhotoCard]
) -> None:
    floor = np.full((480, 640, 3), (120, 130, 140), np.float32)
    floor[:, ::160], floor[::90] = 40, 40
    floor[180:240, 330:480] = (60, 200, 220)
    image = np.asarray((floor + np.random.default_rng(6).normal(0, 3, floor.shape)).clip(0, 255), np.uint8)
    assert photocards.off_table(image, found, []) == left


@pytest.mark.parametrize(
    ("x", "wide", "over"),
    [
        pytest.param(40, 150, True, id="onto the table"),
        pytest.param(40, 200, False, id="over its own end"),
        pytest.param(330, 150, False, id="a card in the table's colours"),
    ],
)
def test_a_photo_card_does_not_go_on_over_the_table(x: int, wide: int, over: bool) -> None:
    table = np.random.default_rng(6).normal(120, 14, (480, 640, 3))
    table[200:260, 40 : 40 + wide] = (230, 232, 228)
    card, grown = (photocards.PhotoCard(quad, quad, None, ()) for quad in (box(x, 200, 150, 60), box(x, 200, 200, 60)))
    image = np.asarray(table.clip(0, 255), np.uint8)
    assert photocards.on_itself(image, card, grown, []) is (card if over else grown)
    assert photocards.on_itself(image, card, card, []) is card
