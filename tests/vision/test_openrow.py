"""Research tiles beside a field: told from its tiles by their own faces, and from nothing else."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from decks.deck import Deck, find
from vision.matching import Matcher
from vision.openrow import among
from vision.placing import Placed
from vision.recogniser import Naming, Recogniser

SIDE_PX = 96
DOUBT = Naming((("bongo", 0.5), (None, 0.5)), 0, 0.0, 1.0)
SURE = Naming((("bongo", 1.0),), 0, 0.0, 1.0)


@pytest.fixture(scope="module")
def eyes() -> tuple[Deck, Recogniser]:
    deck = find(None, "string-safari")
    return deck, Recogniser(deck)


@pytest.mark.parametrize(
    ("naming", "told"), [(DOUBT, {0: "cat-3", 2: "dog-4-edge"}), (SURE, {})], ids=["doubtful", "surely of the field"]
)
def test_research_tiles_are_told_from_the_fields(
    eyes: tuple[Deck, Recogniser], naming: Naming, told: dict[int, str]
) -> None:
    deck, recogniser = eyes
    shown = (deck.research["cat-3"], deck.faces["bongo"], deck.research["dog-4-edge"])
    image = np.full((240, 480, 3), 110, np.uint8)
    placed = []
    for k, (face, *_) in enumerate(shown):
        x, y = 40 + 140 * k, 60
        image[y : y + SIDE_PX, x : x + SIDE_PX] = cv2.resize(face, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
        low, high = np.array([x, y]) - 0.5, np.array([x, y]) + SIDE_PX - 0.5
        corners = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
        placed.append(Placed(corners, corners, naming, 0.5))
    matcher = Matcher(image, deck.edition.size_mm, deck.thickness_mm, recogniser, deck.faces)
    assert {k: one.label for k, one in among(matcher, deck, placed).items()} == told
    assert among(matcher, deck, []) == {}
