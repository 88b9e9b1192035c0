"""Research tiles beside a field: told from its tiles by their own faces, and from nothing else."""

from __future__ import annotations

from dataclasses import replace

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
NONE = Naming(((None, 0.9), ("bongo", 0.1)), 0, 0.0, 1.0)
SURE = Naming((("bongo", 1.0),), 0, 0.0, 1.0)


@pytest.fixture(scope="module")
def eyes() -> tuple[Deck, Recogniser]:
    deck = find(None, "string-safari")
    return deck, Recogniser(deck)


@pytest.mark.parametrize(
    ("namings", "told"),
    [
        pytest.param((DOUBT, DOUBT, DOUBT), {0: "cat-3", 2: "dog-4-edge"}, id="doubtful"),
        pytest.param((SURE, SURE, SURE), {}, id="surely of the field"),
        pytest.param((DOUBT, SURE, SURE), {0: "cat-3"}, id="surely of the field and far from the row"),
        pytest.param((SURE, DOUBT, NONE), {2: "dog-4-edge"}, id="none of the field's"),
    ],
)
def test_research_tiles_are_told_from_the_fields(
    eyes: tuple[Deck, Recogniser], namings: tuple[Naming, ...], told: dict[int, str]
) -> None:
    deck, recogniser = eyes
    matcher, placed = laid(deck, recogniser, (40, 220, 400), namings)
    assert {k: one.label for k, one in among(matcher, deck, placed).items()} == told
    assert among(matcher, deck, []) == {}


def test_the_row_lies_together(eyes: tuple[Deck, Recogniser]) -> None:
    matcher, placed = laid(*eyes, (40, 300, 160), (DOUBT, SURE, SURE))
    assert {k: one.label for k, one in among(matcher, eyes[0], placed).items()} == {0: "cat-3", 2: "dog-4-edge"}


def test_of_two_faces_that_are_alike_the_one_that_explains_more_is_it(eyes: tuple[Deck, Recogniser]) -> None:
    alike = eyes[0].research["cat-3"][0].copy()
    third = alike.shape[0] // 3
    alike[-third:, -third:] = 128 + alike[-third:, -third:] // 2
    deck = replace(eyes[0], faces={**eyes[0].faces, "bongo": (alike,)})
    matcher, placed = laid(deck, Recogniser(deck), (40, 220, 400), (DOUBT, SURE, SURE))
    as_field = matcher.laid(placed[0].corners_px[None], [DOUBT])[0]
    assert as_field is not None
    assert as_field.correlation > 0.94  # by so little does it correlate less
    assert {k: one.label for k, one in among(matcher, deck, placed).items()} == {0: "cat-3"}


def laid(
    deck: Deck, recogniser: Recogniser, xs: tuple[int, ...], namings: tuple[Naming, ...]
) -> tuple[Matcher, list[Placed]]:
    """Return a picture of a research tile, a field's tile and a research tile at these places, and what was placed."""
    shown = (deck.research["cat-3"], deck.faces["bongo"], deck.research["dog-4-edge"])
    image = np.full((240, 540, 3), 110, np.uint8)
    placed = []
    for x, (face, *_), naming in zip(xs, shown, namings, strict=True):
        y = 60
        image[y : y + SIDE_PX, x : x + SIDE_PX] = cv2.resize(face, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
        low, high = np.array([x, y]) - 0.5, np.array([x, y]) + SIDE_PX - 0.5
        corners = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
        placed.append(Placed(corners, corners, naming, 0.5))
    return Matcher(image, deck.edition.size_mm, deck.thickness_mm, recogniser, deck.faces), placed
