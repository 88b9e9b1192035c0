"""Players' cubes on tiles, found by what the tile does not show and by the deck's colours."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from decks.deck import find as find_deck
from vision import markers

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

DECK = find_deck("string-safari", "string-safari")
COLOURS = {"red": "#c22a20", "blue": "#2a4fc2", "yellow": "#e8c020", "green": "#2f9a3f", "black": "#202020"}
BGR = {label: tuple(int(colour[i : i + 2], 16) for i in (5, 3, 1)) for label, colour in COLOURS.items()}
TILE_PX = 60
CORNERS: Floats = np.array([[50, 40], [110, 44], [106, 104], [46, 100]], float)
LAMPS = {"daylight": (1.0, 1.0, 1.0), "a yellow bulb": (0.55, 0.8, 0.95), "a dim room": (0.45, 0.45, 0.45)}


def tile(label: str, cube: str | None, lamp: str) -> Image:
    """A tile on a grey cloth; where told, with a cube of 9 of its 40 mm on it."""
    face = cv2.resize(DECK.faces[label][0], (TILE_PX, TILE_PX), interpolation=cv2.INTER_AREA)
    if cube is not None:
        side = round(TILE_PX * 9 / 40)
        face[22 : 22 + side, 30 : 30 + side] = BGR[cube]
    start = np.array([[0, 0], [TILE_PX, 0], [TILE_PX, TILE_PX], [0, TILE_PX]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(start, CORNERS.astype(np.float32))
    picture = np.full((150, 160, 3), 120, np.uint8)
    cv2.warpPerspective(face, warp, (160, 150), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    soft = cv2.GaussianBlur(picture.astype(float) * LAMPS[lamp], (0, 0), 0.7)
    return np.asarray((soft + np.random.default_rng(3).normal(0, 3, soft.shape)).clip(0, 255), np.uint8)


def found(label: str, cube: str | None, lamp: str) -> list[markers.Marker]:
    return markers.find(tile(label, cube, lamp), [CORNERS], [DECK.faces[label][0]], 40.0, COLOURS)[0]


@pytest.mark.parametrize("lamp", LAMPS)
@pytest.mark.parametrize("cube", COLOURS)
def test_a_cube_is_found_by_its_colour(cube: str, lamp: str) -> None:
    (marker,) = found("lion" if cube == "black" else "zebra", cube, lamp)  # a cube that the print matches is not seen
    (label, probability), *_ = marker.candidates
    assert label == cube
    assert 0.5 < probability <= 1
    assert marker.tile == 0
    middle = cv2.perspectiveTransform(np.array([[[36.5, 28.5]]]), _placing())[0, 0]
    assert np.linalg.norm(marker.corners_px.mean(axis=0) - middle) < 3


def _placing() -> Floats:
    start = np.array([[0, 0], [TILE_PX, 0], [TILE_PX, TILE_PX], [0, TILE_PX]], np.float32) - 0.5
    return np.asarray(cv2.getPerspectiveTransform(start, CORNERS.astype(np.float32)), float)


@pytest.mark.parametrize("lamp", LAMPS)
@pytest.mark.parametrize("label", sorted(DECK.faces)[::7])
def test_no_cube_is_found_for_sure_where_none_stands(label: str, lamp: str) -> None:
    assert all(sum(p for _, p in marker.candidates) < 0.9 for marker in found(label, None, lamp))


def test_no_tiles_and_no_colours() -> None:
    assert markers.find(tile("zebra", "red", "daylight"), [], [], 40.0, COLOURS) == ([], None)
    assert markers.find(tile("zebra", "red", "daylight"), [CORNERS], [DECK.faces["zebra"][0]], 40.0, {}) == ([], None)


PHOTOGRAPHED = {"in the dark": (0.45, 10.0), "in the sun": (1.2, 25.0), "under a lamp": (0.8, 5.0)}
SOME = ("zebra", "lion", "leopard", "gorilla", "fox", "owl")


@pytest.mark.parametrize("lamp", LAMPS)
@pytest.mark.parametrize("taken", PHOTOGRAPHED)
def test_references_photographed_in_other_lights_do_not_change_a_cubes_colour(taken: str, lamp: str) -> None:
    (gain, haze), cubes = PHOTOGRAPHED[taken], ["red", "blue", "yellow", "green", None, None]
    image = np.hstack([tile(label, cube, lamp) for label, cube in zip(SOME, cubes, strict=True)])
    faces = [np.asarray((DECK.faces[label][0] * gain + haze).clip(0, 255), np.uint8) for label in SOME]
    places = [CORNERS + np.array([160.0 * k, 0.0]) for k in range(len(SOME))]
    seen, light = markers.find(image, places, faces, 40.0, COLOURS)
    assert [(m.tile, m.candidates[0][0]) for m in seen] == list(enumerate(cubes[:4]))
    (again,), _ = markers.find(image, places[:1], faces[:1], 40.0, COLOURS, light)  # as where one tile has changed
    assert again.candidates == seen[0].candidates


def with_black(share: float, cube: str | None) -> tuple[Image, Image]:
    """A face with a black square as broad as that share of it, and its tile on a cloth, perhaps with a cube on it."""
    face = np.full((200, 200, 3), (90, 190, 225), np.uint8)
    face[:40], face[:, :20] = (40, 90, 160), (240, 240, 240)
    half = round(100 * share)
    face[110 - half : 110 + half, 110 - half : 110 + half] = BGR["black"]
    laid = face.copy()
    if cube is not None:
        laid[88:133, 88:133] = BGR[cube]
    picture = np.full((150, 160, 3), 120, np.uint8)
    picture[40 : 40 + TILE_PX, 50 : 50 + TILE_PX] = cv2.resize(laid, (TILE_PX,) * 2, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(picture.astype(float), (0, 0), 0.7) + np.random.default_rng(3).normal(0, 3, picture.shape)
    return face, np.asarray(soft.clip(0, 255), np.uint8)


@pytest.mark.parametrize(
    ("share", "cube", "told"),
    [
        pytest.param(0.6, None, True, id="a black print as large as several cubes"),
        pytest.param(0.6, "black", True, id="a black cube on it"),
        pytest.param(0.15, None, False, id="a black print smaller than a cube"),
        pytest.param(0.0, None, False, id="no black print"),
    ],
)
def test_where_a_cube_would_not_show_one_may_stand(share: float, cube: str | None, told: bool) -> None:
    face, picture = with_black(share, cube)
    quad: Floats = np.array([[50, 40], [110, 40], [110, 100], [50, 100]], float) - 0.5
    found, _ = markers.find(picture, [quad], [face], 40.0, COLOURS)
    assert [label for marker in found for label, _ in marker.candidates] == (["black"] if told else [])
    assert all(0.002 < p < 0.2 for marker in found for _, p in marker.candidates)
    assert all(np.linalg.norm(marker.corners_px.mean(axis=0) - (82.5, 72.5)) < 8 for marker in found)


def test_a_cube_of_another_colour_is_seen_on_a_black_print() -> None:
    face, picture = with_black(0.6, "red")
    quad: Floats = np.array([[50, 40], [110, 40], [110, 100], [50, 100]], float) - 0.5
    (marker,), _ = markers.find(picture, [quad], [face], 40.0, COLOURS)
    assert marker.candidates[0][0] == "red"
    assert marker.candidates[0][1] > 0.9
