"""Tiles with a player's cube on them, named by the deck's own pictures."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from decks.deck import find
from vision import covered
from vision.recogniser import Recogniser
from vision.verification import Verified

Image = npt.NDArray[np.uint8]

DECK = find("string-safari", "string-safari")
RECOGNISER = Recogniser(DECK)
SIDE_PX = 48  # of a tile in a photograph
CUBE_PX = 12


def seen(label: str, cube_at: tuple[int, int] | None, seed: int) -> Image:
    """A tile in a dim yellow room, blurred and noisy, with a dark red cube where it is told."""
    rng = np.random.default_rng(seed)
    face = cv2.resize(DECK.faces[label][0], (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA).astype(float)
    if cube_at is not None:
        x, y = cube_at
        face[y : y + CUBE_PX, x : x + CUBE_PX] = (30, 40, 190)
        face[y + CUBE_PX - 4 : y + CUBE_PX, x : x + CUBE_PX] = (20, 25, 120)
    lit = cv2.GaussianBlur(face * [0.5, 0.65, 0.75] + 18, (0, 0), 0.9)
    return np.asarray((lit + rng.normal(0, 4, lit.shape)).clip(0, 255), np.uint8)


CASES = [(label, at) for at in ((6, 8), (18, 18), (30, 26)) for label in sorted(DECK.faces)[::5]]


def chances(monkeypatch: pytest.MonkeyPatch | None) -> list[float]:
    """Return how likely each case's own label is said to be; with a monkeypatch, without a look under the cube."""
    if monkeypatch is not None:
        monkeypatch.setattr(covered, "places", lambda *_: {})
    told = RECOGNISER.name([seen(label, at, k) for k, (label, at) in enumerate(CASES)])
    return [dict(naming.candidates)[label] for naming, (label, _) in zip(told, CASES, strict=True)]


def test_a_look_under_the_cube_names_covered_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    under, whole = chances(None), chances(monkeypatch)
    assert min(under) > 0.5, "each is named"
    assert -np.log(under).mean() < 0.7 * -np.log(whole).mean(), "and surer than the face as a whole would be"


def test_tiles_without_a_cube_are_named() -> None:
    crops = [seen(label, None, k) for k, label in enumerate(sorted(DECK.faces))]
    first = [n.label for n in RECOGNISER.name(crops)]
    assert first == sorted(DECK.faces)


@pytest.mark.parametrize(
    ("probability", "outlying", "expected"),
    [
        pytest.param(0.5, 3.0, {0: (7, 9)}, id="doubtful, something lies there"),
        pytest.param(0.999, 3.0, {}, id="named for sure"),
        pytest.param(0.5, 0.2, {}, id="nothing lies there"),
    ],
)
def test_places(probability: float, outlying: float, expected: dict[int, tuple[int, int]]) -> None:
    covers = np.array([[[1, 2], [7, 9]]], np.int64)
    verified = Verified(np.array([[0.1, 0.4]], np.float32), covers, np.full((1, 2), outlying, np.float32))
    found = covered.places(np.array([probability]), verified)
    assert {k: tuple(int(v) for v in place) for k, place in found.items()} == expected


def test_no_crops_have_no_places() -> None:
    none = Verified(np.zeros((0, 6), np.float32), np.zeros((0, 6, 2), np.int64), np.zeros((0, 6), np.float32))
    assert covered.places(np.zeros(0), none) == {}
