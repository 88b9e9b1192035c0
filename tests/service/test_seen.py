"""What was seen, as it is answered: what is hardly there is left out, and px count from the picture's corner."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from decks.deck import find
from scoring.table import Kind, Table
from service.reading import seen_of
from service.seen import TableSeen
from tests.service.conftest import string_table
from vision.reader import Reading
from vision.tracking import Tracker

TILES = {"lion": (100.0, 100.0), "zebra": (300.0, 100.0), "giraffe": (100.0, 300.0)}
DECK = find(None, "string-safari")
EDITION = DECK.edition


@pytest.mark.parametrize(
    ("kind", "probability", "options", "listed"),
    [
        pytest.param("marker", 0.9, {}, True, id="a marker"),
        pytest.param("marker", 0.2, {}, False, id="hardly a marker"),
        pytest.param("marker", 0.2, {"answer": "3=red"}, True, id="hardly one, but said to be one"),
        pytest.param("marker", 0.2, {"final": True, "players": "red,blue"}, True, id="hardly one, but asked about"),
        pytest.param("tile", 0.2, {}, True, id="a doubtful tile"),
    ],
)
def test_a_marker_that_is_hardly_there_is_left_out(
    kind: Kind, probability: float, options: dict[str, Any], listed: bool
) -> None:
    table = string_table(TILES, (200.0, 200.0, 50.0), {"lion": "red"})
    doubtful = replace(
        table.pieces[-1], kind=kind, label="red" if kind == "marker" else "fox", probability=probability,
        candidates=(("red" if kind == "marker" else "fox", probability),),
    )  # fmt: skip
    table = replace(table, pieces=(*table.pieces[:-1], doubtful))
    answer = TableSeen(EDITION, table, {}, (), (640, 480)).answer(options)
    assert (doubtful.id in {piece["id"] for piece in answer["pieces"]}) == listed


def test_what_is_hardly_there_is_known_again_too() -> None:
    table = string_table(TILES, (200.0, 200.0, 50.0), {"lion": "red"})
    hardly = replace(table.pieces[-1], probability=0.2, candidates=(("red", 0.2),))
    corners = {piece.id: piece.outline_mm for piece in table.pieces}
    seen = TableSeen(EDITION, replace(table, pieces=(*table.pieces[:-1], hardly)), corners, (), (640, 480))
    assert hardly.id not in {piece["id"] for piece in seen.answer({})["pieces"]}
    ids = Tracker().update(seen.lying()["pieces"])
    assert set(ids) == {piece.id for piece in table.pieces}
    assert len(seen.known_as(ids, {}).table.pieces) == len(table.pieces)


def test_px_are_counted_from_the_pictures_corner() -> None:
    table = string_table(TILES, None)
    corners = {piece.id: np.array([[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]]) for piece in table.pieces}
    paths = {string.name: np.array([[-0.5, 2.0]]) for string in table.strings}
    seen = seen_of(Reading(Table(table.pieces, table.strings), corners, paths, (0.0, -1.0), None, (640, 480), 3), DECK)
    assert seen.corners_px[0] == ((0.5, 0.5), (9.5, 0.5), (9.5, 9.5), (0.5, 9.5))
    assert seen.paths_px[0] == ((0.0, 2.5),)
