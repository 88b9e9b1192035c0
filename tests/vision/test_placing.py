"""Pieces among things that look like pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from decks.deck import Deck, find
from vision.matching import Laid, Matcher
from vision.placing import place
from vision.recogniser import Naming, Recogniser
from vision.registration import Registration, Way

WIDTH, HEIGHT = 960, 640
CARD_PX = (84, 117)
SLAB_PX = 150
Floats = npt.NDArray[np.float64]


@lru_cache(maxsize=1)
def held() -> tuple[Deck, Recogniser]:
    deck = find(None, "paper-safari")
    return deck, Recogniser(deck)


def box(x: int, y: int, width: int, height: int) -> list[list[float]]:
    return [[x, y], [x + width - 1, y], [x + width - 1, y + height - 1], [x, y + height - 1]]


def on_slabs(labels: list[str]) -> tuple[npt.NDArray[np.uint8], Floats, Floats]:
    """Draw a tiled floor seen from above with cards on it: the picture, the boxes (n, 4, 2) px of both."""
    deck, _ = held()
    image = np.full((HEIGHT, WIDTH, 3), 150, np.uint8)
    slabs = [box(x, y, SLAB_PX, SLAB_PX) for x in range(5, WIDTH, SLAB_PX) for y in range(5, HEIGHT, SLAB_PX)]
    for slab in slabs:
        cv2.polylines(image, [np.array(slab, np.int32)], True, (90, 90, 90), 4)
    cards = [box(230 + 130 * k, 240, *CARD_PX) for k in range(len(labels))]
    for label, card in zip(labels, cards, strict=True):
        (x, y), face = card[0], cv2.resize(deck.faces[label][0], CARD_PX, interpolation=cv2.INTER_AREA)
        image[int(y) : int(y) + CARD_PX[1], int(x) : int(x) + CARD_PX[0]] = face
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8), np.array(cards, float), np.array(slabs, float)


class Overlaid(Matcher):
    """On an even ground any face correlates with the shading now and then: here, with every slab."""

    def laid(self, quads_px: Floats, namings: Sequence[Naming], way: Way = "rough") -> Laid:
        found = super().laid(quads_px, namings, way)
        return [r or Registration(quad, 0.8) for r, quad in zip(found, quads_px, strict=True)]


def test_a_floor_of_slabs_does_not_outvote_the_cards_that_lie_on_it() -> None:
    deck, recogniser = held()
    labels = ["lion", "fox", "zebra", "back"]
    image, cards, slabs = on_slabs(labels)
    matcher = Overlaid(image, deck.edition.size_mm, deck.thickness_mm, recogniser, deck.faces)
    placed = place(matcher, np.concatenate([slabs, cards]), np.full(len(slabs) + len(cards), 0.8))
    told = {piece.naming.label: piece.corners_px for piece in placed.pieces if piece.naming.label is not None}
    assert sorted(told) == sorted(labels)
    for label, card in zip(labels, cards, strict=True):
        assert np.abs(told[label].mean(0) - card.mean(0)).max() < 1.0


class Mistaken(Matcher):
    """A lion in a rough box passes for a fox, and a fox is laid onto it well enough, a little beside."""

    def named(
        self, quads_px: Floats, *, thorough: bool = True, known: Mapping[int, Naming] | None = None
    ) -> tuple[list[Naming], Floats]:
        namings, rolled = super().named(quads_px, thorough=thorough, known=known)
        fox = Naming((("fox", 0.9), ("lion", 0.1)), 0, 0.0, 1.0)
        rough = quads_px[:, 0, 0] % 1 == ROUGH
        return [fox if odd and n.label == "lion" else n for odd, n in zip(rough, namings, strict=True)], rolled

    def laid(self, quads_px: Floats, namings: Sequence[Naming], way: Way = "rough") -> Laid:
        beside = Registration(np.array(box(230, 240, *CARD_PX), float) + 4.0, 0.8)
        found = super().laid(quads_px, namings, way)
        return [beside if n.label == "fox" else r for n, r in zip(namings, found, strict=True)]


ROUGH = 0.25  # of a px: where a rough box's left edge lies


def test_a_face_laid_on_as_another_is_laid_on_anew() -> None:
    deck, recogniser = held()
    image, cards, _ = on_slabs(["lion", "zebra", "elephant", "back"])
    matcher = Mistaken(image, deck.edition.size_mm, deck.thickness_mm, recogniser, deck.faces)
    placed = {p.naming.label: p.corners_px for p in place(matcher, cards + ROUGH, np.full(4, 0.9)).pieces}
    assert np.abs(placed["lion"] - cards[0]).max() < 1.5


class Unlaid(Matcher):
    """No lion can be laid on: a hand may hide half of it."""

    def laid(self, quads_px: Floats, namings: Sequence[Naming], way: Way = "rough") -> Laid:
        found = super().laid(quads_px, namings, way)
        return [None if n.label == "lion" else r for n, r in zip(namings, found, strict=True)]


def test_a_face_that_cannot_be_laid_on_is_named_with_doubt_however_sure_it_looks() -> None:
    deck, recogniser = held()
    image, cards, _ = on_slabs(["lion", "zebra", "elephant", "back"])
    boxes, middle = cards.copy(), cards[0].mean(0)
    boxes[0] = middle + 1.24 * (cards[0] - middle)  # of another size, but a piece may well lie there
    matcher = Unlaid(image, deck.edition.size_mm, deck.thickness_mm, recogniser, deck.faces)
    pieces = place(matcher, boxes, np.full(4, 0.9)).pieces
    chances = [dict(p.naming.candidates) for p in pieces if np.abs(p.corners_px.mean(0) - middle).max() < 9]
    assert len(chances) == 1
    assert 0.4 < chances[0]["lion"] <= 0.5 <= chances[0][None]
