"""Tiles that a lamp washes out: the face that they bear fits once its light is taken off, and no other does."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from decks.deck import find as find_deck
from vision.comparing import LAMPLIT
from vision.lamplit import fits
from vision.registration import register

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

DECK = find_deck("string-safari", "string-safari")
FACES = {label: pictures[0] for label, pictures in DECK.research.items()}
TILE_PX = 130
CORNERS: Floats = np.array([[60, 70], [188, 60], [198, 190], [70, 200]], float)


def table(label: str, light: float, gain: float, turn: int = 0) -> Image:
    """A research tile on a cloth, faded to `gain` of its contrast; a lamp's light on a corner, so many grey levels."""
    face = cv2.resize(FACES[label], (TILE_PX, TILE_PX), interpolation=cv2.INTER_AREA)
    start = np.array([[0, 0], [TILE_PX, 0], [TILE_PX, TILE_PX], [0, TILE_PX]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(start, np.roll(CORNERS, -turn, axis=0).astype(np.float32))
    picture = np.full((260, 260, 3), (110, 130, 150), np.uint8)
    cv2.warpPerspective(face, warp, (260, 260), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    y, x = np.indices((260, 260))
    haze = light * np.exp(-((x - 180) ** 2 + (y - 90) ** 2) / (2 * 70**2))
    lit = cv2.GaussianBlur(picture * gain + haze[..., None], (0, 0), 1.0)
    return np.asarray((lit + np.random.default_rng(4).normal(0, 3, lit.shape)).clip(0, 255), np.uint8)


@pytest.mark.parametrize("turn", [0, 2])
@pytest.mark.parametrize("label", ["all-1-edge", "carnivore-3-rocky", "evening-3"])
def test_the_right_face_fits_and_no_other(label: str, turn: int) -> None:
    image = table(label, 190.0, 0.6, turn)
    plain = register(image, np.roll(CORNERS, -turn, axis=0), FACES[label])
    assert plain is None or plain.correlation < LAMPLIT
    found = fits(image, CORNERS + np.array([3.0, -2.0]), FACES)
    best = max(found, key=lambda one: found[one].correlation)
    assert best == label
    assert found[best].correlation > LAMPLIT
    assert all(one.correlation < found[best].correlation - 0.01 for other, one in found.items() if other != label)


@pytest.mark.parametrize(
    "colours",
    [
        pytest.param([(110, 130, 150)], id="bare cloth"),
        pytest.param([(200, 200, 205), (110, 60, 120)], id="a cloth's squares"),
        pytest.param([(255, 255, 255)], id="burnt white"),
    ],
)
def test_no_face_fits_what_is_no_tile(colours: Sequence[tuple[int, int, int]]) -> None:
    y, x = np.indices((260, 260))
    image = np.array(colours, float)[(x // 64 + y // 64) % len(colours)]
    image += np.random.default_rng(4).normal(0, 3, image.shape)
    found = fits(np.asarray(image.clip(0, 255), np.uint8), CORNERS, FACES)
    assert all(one.correlation < LAMPLIT for one in found.values())
