"""A card that a lamp fades is named by its print; what is none of the deck stays in doubt."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from decks.deck import Deck, Image, find
from vision.fading import compared
from vision.recogniser import Recogniser


@pytest.fixture(scope="module")
def deck() -> Deck:
    return find(None, "kleine-fotosafari")


def faded(face: Image, seed: int, kept: float = 0.25) -> Image:
    """Return a face as a camera sees it from afar, a lamp mirrored over its left side; kept: of its contrast."""
    afar = cv2.resize(face, (56, 56), interpolation=cv2.INTER_AREA).astype(np.float32)
    far = np.linspace(0, 1, 56, dtype=np.float32)[None, :, None]
    lit = kept * afar + 120 + 70 * np.exp(-((far / 0.6) ** 2)) + np.random.default_rng(seed).normal(0, 2, afar.shape)
    return np.asarray(cv2.resize(lit.clip(0, 255).astype(np.uint8), (96, 96)), np.uint8)


def stranger(seed: int) -> Image:
    """Return a face of no deck: blots."""
    spots = cv2.GaussianBlur(np.random.default_rng(seed).uniform(0, 255, (96, 96, 3)), (0, 0), 6)
    return np.asarray(((spots - 127) * 8 + 127).clip(0, 255), np.uint8)


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("label", ["elephant", "giraffe", "lion", "zebra"])
def test_a_doubted_card_in_a_lamp_is_named_and_turned(deck: Deck, label: str, turns: int) -> None:
    even: dict[str | None, float] = dict.fromkeys(("elephant", "giraffe", "lion", "zebra"), 0.9 / 4) | {None: 0.1}
    crop = np.ascontiguousarray(np.rot90(faded(deck.faces[label][0], 1), turns))
    told = compared(crop, even, lambda name, size: Recogniser(deck).picture("faces", name, size))
    assert max(told, key=lambda name: told[name][0]) == label
    assert told[label][0] > 0.99
    assert told[label][1] == turns
    assert sum(chance for chance, _ in told.values()) == pytest.approx(1)


@pytest.mark.parametrize("seed", range(4))
def test_a_strange_card_becomes_no_surer(deck: Deck, seed: int) -> None:
    told = compared(
        stranger(seed),
        {"lion": 0.6, "zebra": 0.2, None: 0.2},
        lambda name, size: Recogniser(deck).picture("faces", name, size),
    )
    assert max(chance for name, (chance, _) in told.items() if name is not None) < 0.6


def test_a_name_hardly_thought_of_is_not_looked_at(deck: Deck) -> None:
    asked: list[str] = []

    def picture(name: str, size_px: tuple[int, int]) -> Image:
        asked.append(name)
        return Recogniser(deck).picture("faces", name, size_px)

    compared(faded(deck.faces["lion"][0], 1), {"lion": 0.9, "zebra": 1e-5, None: 0.1}, picture)
    assert asked == ["lion"]


def test_cards_of_a_table_in_a_lamp_are_named_beyond_doubt(deck: Deck) -> None:
    labels = [name for name in deck.faces if name != "back"]
    crops = [faded(deck.faces[name][0], 1, kept=0.09) for name in labels]
    told = Recogniser(deck).name(crops, turns=4, centres_px=[(60.0 * k, 40.0) for k in range(len(crops))])
    assert [one.label for one in told] == labels
    assert min(one.probability for one in told) > 0.995
    assert [one.quarter_turns for one in told] == [0] * len(crops)
