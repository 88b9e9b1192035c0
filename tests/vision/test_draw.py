"""Overlays: names and strings that show on any table, and a sheet that stays whole within its column."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vision.draw import CASING, STRING, annotated

WOOD = (40, 60, 110)
SQUARE = [[200.0, 150.0], [260.0, 150.0], [260.0, 210.0], [200.0, 210.0]]


def answer(**given: Any) -> dict[str, Any]:
    return {"game": "string-safari", "pieces": [], "strings": [], "questions": [], "certain": True, **given}


def piece(label: str | None, corners: list[list[float]]) -> dict[str, Any]:
    return {"id": 0, "kind": "tile", "label": label, "corners_px": corners}


def table(colour: tuple[int, int, int] = WOOD) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.full((480, 640, 3), colour, np.uint8)


@pytest.mark.parametrize("name", ["field", "research"])
@pytest.mark.parametrize("colour", [WOOD, (240, 240, 240), (20, 20, 20), *STRING.values()], ids=str)
def test_a_string_shows_on_a_table_of_any_colour(name: str, colour: tuple[int, int, int]) -> None:
    string = {"name": name, "closed": True, "path_px": [[100.0, 100.0], [500.0, 100.0], [500.0, 400.0]]}
    drawn = annotated(table(colour), answer(strings=[string]), [])[80:120, 300].astype(int)
    assert np.abs(drawn - np.array(colour)).max() > 100


@pytest.mark.parametrize("label", ["lion", None], ids=["named", "unknown"])
@pytest.mark.parametrize("shift", [(0, 0), (-200, -150), (370, 260)], ids=["middle", "corner", "far corner"])
def test_a_name_stands_on_a_dark_plate_within_the_picture(label: str | None, shift: tuple[int, int]) -> None:
    corners = (np.array(SQUARE) + shift).tolist()
    drawn = annotated(table((240, 240, 240)), answer(pieces=[piece(label, corners)]), [])[:, :640]
    plate = np.argwhere((drawn == CASING).all(2))
    assert len(plate) > 60
    x, y = np.mean(corners, axis=0)[0], np.max(corners, axis=0)[1]
    assert np.abs(plate.mean(0) - (y, x)).max() < 30


@pytest.mark.parametrize("count", [0, 1, 40])
@pytest.mark.parametrize("strong", ["", "  "], ids=["strong", "indented"])
def test_the_sheet_stays_within_its_column(count: int, strong: str) -> None:
    words = [f"{strong}a line of some length that goes on and on, over the edge and on: {k}" for k in range(count)]
    column = annotated(table(), answer(), words)[:, 640:]
    dark = np.argwhere(column.max(2) < 128)
    assert len(dark) > 100  # the game's name at least
    assert dark[:, 1].max() < column.shape[1] - 4
    other = annotated(table(), answer(certain=False), words)[:, 640:]
    assert (other != column).any()  # the last line is there to be read


def test_nothing_changes_in_the_picture_that_was_given() -> None:
    image = table()
    annotated(image, answer(pieces=[piece("lion", SQUARE)]), ["a line"])
    assert (image == WOOD).all()
