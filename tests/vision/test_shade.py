"""A shadow's edge across a tile: it is told from a cube, and cubes beside it are still found."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from decks.deck import find as find_deck
from vision import markers, shade

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

DECK = find_deck("string-safari", "string-safari")
SIDE_PX, TILE_PX = 100, 72
PAD_PX = (SIDE_PX - TILE_PX) // 2
CUBE_PX = 16
COLOURS = {"red": "#c22a20", "blue": "#2a4fc2", "yellow": "#e8c020", "green": "#2f9a3f", "black": "#202020"}
CLOTHS = {"grey": (120, 120, 120), "brown": (60, 90, 140)}
EDGES = {"a corner in the shade": (40, 105), "half in the shade": (75, 95), "a corner in the light": (-60, -45)}
"""Direction (deg) of the shade and how far along it the shade begins, px."""
CORNERS: Floats = np.array([[14, 14], [86, 14], [86, 86], [14, 86]], float) - 0.5


def shaded(label: str, cube: str | None, cloth: str, edge: str | None, soft_px: float = 1.5) -> Image:
    """A tile on a cloth, beyond an edge with a quarter of the light; where told, with a cube near its middle."""
    picture = np.full((SIDE_PX, SIDE_PX, 3), CLOTHS[cloth], float)
    face = cv2.resize(DECK.faces[label][0], (TILE_PX, TILE_PX), interpolation=cv2.INTER_AREA)
    picture[PAD_PX:-PAD_PX, PAD_PX:-PAD_PX] = face
    if cube is not None:
        bgr = tuple(int(COLOURS[cube][i : i + 2], 16) for i in (5, 3, 1))
        picture[40 : 40 + CUBE_PX, 36 : 36 + CUBE_PX] = bgr
    if edge is not None:
        turn, start = np.radians(EDGES[edge][0]), EDGES[edge][1]
        y, x = np.indices((SIDE_PX, SIDE_PX))
        light = np.where(x * np.cos(turn) + y * np.sin(turn) > start, 0.25, 1.0)
        picture = picture * cv2.GaussianBlur(light, (0, 0), soft_px)[..., None]
    noisy = picture + np.random.default_rng(7).normal(0, 2, picture.shape)
    return np.asarray(cv2.GaussianBlur(noisy.clip(0, 255), (0, 0), 0.6), np.uint8)


def found(picture: Image, label: str) -> list[markers.Marker]:
    return markers.find(picture, [CORNERS], [DECK.faces[label][0]], 40.0, COLOURS)[0]


@pytest.mark.parametrize("soft_px", [0.7, 3.0])
@pytest.mark.parametrize("cloth", CLOTHS)
@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("label", ["zebra", "owl", "gorilla"])
def test_a_shadow_is_no_cube(label: str, edge: str, cloth: str, soft_px: float) -> None:
    assert found(shaded(label, None, cloth, edge, soft_px), label) == []


@pytest.mark.parametrize("cube", COLOURS)
@pytest.mark.parametrize("edge", EDGES)
def test_a_cube_is_found_in_the_shade_and_beside_it(edge: str, cube: str) -> None:
    (marker,) = found(shaded("zebra", cube, "grey", edge), "zebra")
    label, probability = marker.candidates[0]
    assert (label, probability > 0.5) == (cube, True)


@pytest.mark.parametrize("edge", [None, *EDGES])
def test_the_edge_lies_where_it_was_drawn(edge: str | None) -> None:
    picture, nowhere = shaded("owl", None, "grey", edge), np.zeros((SIDE_PX, SIDE_PX), bool)
    bare = shaded("owl", None, "grey", None)[PAD_PX:-PAD_PX, PAD_PX:-PAD_PX].astype(float)
    seen = shade.edge(picture, bare, nowhere)
    if edge is None or seen is None:
        assert (seen, edge) == (None, None)
        return
    turn, start = np.radians(EDGES[edge][0]), EDGES[edge][1]
    assert float(seen.normal @ [np.cos(turn), np.sin(turn)]) > 0.95
    assert abs(seen.offset_px - start) < 6
    assert seen.left(picture.shape).min() < 0.5


@pytest.mark.parametrize("value", [0, 255])
def test_a_picture_of_one_colour_has_no_edge(value: int) -> None:
    plain = np.full((SIDE_PX, SIDE_PX, 3), value, np.uint8)
    assert shade.edge(plain, np.full((TILE_PX, TILE_PX, 3), value, float), np.zeros((SIDE_PX, SIDE_PX), bool)) is None


@pytest.mark.parametrize("cube", COLOURS)
@pytest.mark.parametrize("edge", EDGES)
def test_a_pattern_of_the_table_hides_no_cube(edge: str, cube: str) -> None:
    """A dark field of the cloth goes on below the tile, as a shadow does not."""
    picture, dark = shaded("zebra", cube, "grey", None), shaded("zebra", cube, "grey", edge)
    dark[PAD_PX:-PAD_PX, PAD_PX:-PAD_PX] = picture[PAD_PX:-PAD_PX, PAD_PX:-PAD_PX]
    (marker,) = found(dark, "zebra")
    label, probability = marker.candidates[0]
    assert (label, probability > 0.5) == (cube, True)
