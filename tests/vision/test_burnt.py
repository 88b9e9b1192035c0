"""Places that a lamp burns white: told where a tile or a marker may lie there, and only there."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from decks.deck import find as find_deck
from vision import burnt
from vision.plane import Plane

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

DECK = find_deck("string-safari", "string-safari")
PLANE = Plane(640, 480, (0.0, 0.0), 600.0, 900.0)  # 1.5 px a mm, from straight above
TILE_MM, TILE_PX = 40.0, 60
LABELS = ("zebra", "owl", "gorilla", "lion")
MIDDLES = ((-120.0, 80.0), (120.0, 80.0), (120.0, -80.0), (-120.0, -80.0))


def tiles() -> list[Floats]:
    half = TILE_MM / 2
    square = np.array([[-half, half], [half, half], [half, -half], [-half, -half]])
    return [PLANE.to_px(square + np.array(middle)) for middle in MIDDLES]


def table(cloth: int, glare: tuple[float, float, float] | None) -> Image:
    """Four tiles on a cloth of that grey; `glare`: x and y in mm, and how broad it is."""
    picture = np.full((480, 640, 3), cloth, np.float32)
    for label, quad in zip(LABELS, tiles(), strict=True):
        x, y = np.rint(quad[0]).astype(int)
        face = cv2.resize(DECK.faces[label][0], (TILE_PX, TILE_PX), interpolation=cv2.INTER_AREA)
        picture[y : y + TILE_PX, x : x + TILE_PX] = face
    if glare is not None:
        (cx, cy), broad_px = PLANE.to_px(np.array(glare[:2])), glare[2] * 1.5
        y, x = np.indices((480, 640))
        picture += 600 * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * (broad_px / 2) ** 2))[..., None]
    noise = np.random.default_rng(5).normal(0, 4, picture.shape)
    return np.asarray((picture + noise).clip(0, 255), np.uint8)


PLACES = [
    pytest.param(90, None, [], id="no glare"),
    pytest.param(90, (0.0, 0.0, 70.0), [(0.0, 0.0)], id="between the tiles"),
    pytest.param(90, (0.0, 0.0, 14.0), [], id="a gleam, too small for a tile"),
    pytest.param(90, (120.0, 80.0, 30.0), [(120.0, 80.0)], id="on a tile"),
    pytest.param(255, None, [], id="a white table"),
    pytest.param(255, (120.0, 80.0, 30.0), [(120.0, 80.0)], id="on a tile on a white table"),
]


@pytest.mark.parametrize(("cloth", "glare", "places"), PLACES)
def test_burnt_places_are_told_where_something_may_lie(
    cloth: int, glare: tuple[float, float, float] | None, places: list[tuple[float, float]]
) -> None:
    faces: list[Image | None] = [DECK.faces[label][0] for label in LABELS]
    told = burnt.unseen(table(cloth, glare), PLANE, tiles(), faces, TILE_MM)
    assert bool(told) == bool(places)
    for outline, place in zip(told, places, strict=False):  # the first is amidst it
        assert np.linalg.norm(np.mean(outline, axis=0) - place) < TILE_MM / 2


def test_of_a_large_burnt_place_all_is_told() -> None:
    faces: list[Image | None] = [DECK.faces[label][0] for label in LABELS]
    told = burnt.unseen(table(90, (0.0, 0.0, 100.0)), PLANE, tiles(), faces, TILE_MM)
    middles = np.array([np.mean(outline, axis=0) for outline in told])
    assert len(middles) > 4
    assert all(np.linalg.norm(middles - at, axis=1).min() < TILE_MM for at in ((60, 0), (-60, 0)))


def test_no_tiles_tell_of_no_place() -> None:
    assert burnt.unseen(table(90, (0.0, 0.0, 70.0)), PLANE, [], [], TILE_MM) == ()


def test_of_an_unknown_tile_nothing_is_said() -> None:
    picture = table(90, (120.0, 80.0, 30.0))
    assert burnt.unseen(picture, PLANE, tiles(), [None] * len(LABELS), TILE_MM) == ()


def test_where_most_of_the_table_is_burnt_the_rest_of_it_tells_that_it_is_not_white() -> None:
    assert burnt.unseen(table(90, (-100.0, 0.0, 200.0)), PLANE, tiles(), [None] * len(LABELS), TILE_MM)
