"""A shadow's edge taken off a tile: then its face fits, and where no edge runs nothing is taken off."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from decks.deck import find as find_deck
from vision.registration import register
from vision.relit import relit

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

DECK = find_deck("string-safari", "string-safari")
TILE_PX = 130
CORNERS: Floats = np.array([[60, 70], [188, 60], [198, 190], [70, 200]], float)


def table(label: str, left: float) -> Image:
    """A research tile on a cloth; a shadow's edge slants across both, which leaves so much of the light."""
    face = cv2.resize(DECK.research[label][0], (TILE_PX, TILE_PX), interpolation=cv2.INTER_AREA)
    start = np.array([[0, 0], [TILE_PX, 0], [TILE_PX, TILE_PX], [0, TILE_PX]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(start, CORNERS.astype(np.float32))
    picture = np.full((260, 260, 3), (110, 130, 150), np.uint8)
    cv2.warpPerspective(face, warp, (260, 260), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    y, x = np.indices((260, 260))
    shade = np.where(x + 0.4 * y > 185, left, 1.0)
    lit = cv2.GaussianBlur(picture * shade[..., None], (0, 0), 1.0) + np.random.default_rng(4).normal(
        0, 3, (260, 260, 3)
    )
    return np.asarray(lit.clip(0, 255), np.uint8)


def fit(image: Image, corners_px: Floats, label: str) -> float:
    laid = register(image, corners_px, DECK.research[label][0])
    return 0.0 if laid is None else laid.correlation


@pytest.mark.parametrize("label", ["day-2", "all-1-edge", "ape-3"])
def test_a_face_fits_once_the_shadow_is_taken_off(label: str) -> None:
    image = table(label, 0.35)
    lit = relit(image, CORNERS, DECK.research[label][0])
    assert lit is not None
    assert fit(lit.image, lit.corners_px, label) > max(0.93, fit(image, CORNERS, label))


def test_where_no_shadow_falls_nothing_is_taken_off() -> None:
    assert relit(table("day-2", 1.0), CORNERS, DECK.research["day-2"][0]) is None


def test_a_shadow_makes_no_other_face_fit() -> None:
    image = table("all-1-edge", 0.35)
    lit = relit(image, CORNERS, DECK.research["day-2"][0])
    assert lit is None or fit(lit.image, lit.corners_px, "day-2") < 0.8
