"""String Safari's set-up, checked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scoring.options import Options
from scoring.referee import judge
from scoring.sheet import Answer
from scoring.table import BACK, Piece, Table
from tests.scoring.string_cases import EDITION, sixteen_animals_and_the_lands, square, tile, with_field


def judged(table: Table, options: dict[str, Any]) -> Answer:
    """Return the referee's answer."""
    return judge(table, EDITION, Options.parse(options, EDITION))


SETUP = sixteen_animals_and_the_lands()
_ROW = tuple(Piece(200 + i, "research", "cat-2" if i < 2 else "all-1", square(-300.0, 60.0 * i)) for i in range(4))
SETUPS = [
    pytest.param(SETUP, {"players": 3}, [], id="as the rulebook says"),
    pytest.param(SETUP, {"players": 2}, ["player-count"], id="two players"),
    pytest.param(with_field(SETUP, None), {"players": 4}, ["field-string-missing"], id="no field string"),
    pytest.param(replace(SETUP, pieces=SETUP.pieces[1:]), {}, ["animal-count"], id="fifteen animals"),
    pytest.param(replace(SETUP, pieces=SETUP.pieces[:22]), {}, ["land-count"], id="a rocky area too few"),
    pytest.param(
        replace(SETUP, pieces=(*SETUP.pieces, *_ROW)),
        {},
        ["more-than-the-box-holds", "research-row"],
        id="four in the row",
    ),
    pytest.param(
        replace(SETUP, pieces=(*SETUP.pieces, Piece(99, "marker", "red", square(0.0, 0.0, 9.0)))),
        {},
        ["marker-at-setup"],
        id="a marker already",
    ),
    pytest.param(
        replace(SETUP, pieces=(*SETUP.pieces, tile(98, BACK, 360.0, 300.0))),
        {},
        ["tile-face-down"],
        id="a tile face down",
    ),
    pytest.param(
        replace(SETUP, pieces=(*SETUP.pieces[:16], *_ROW[1:3])),
        {"children": True, "players": 2},
        ["research-in-children-game"],
        id="children with research tiles",
    ),
    pytest.param(SETUP, {"children": True}, ["land-tile-in-children-game"], id="children with lands"),
    pytest.param(replace(SETUP, pieces=SETUP.pieces[:16]), {"children": True}, [], id="children, as the rulebook says"),
]


@pytest.mark.parametrize(("table", "options", "problems"), SETUPS)
def test_the_set_up(table: Table, options: dict[str, Any], problems: list[str]) -> None:
    answer = judged(table, {"setup": True, **options})
    assert [p.rule for p in answer.problems] == problems
    assert answer.certain


NUMBERS = [
    pytest.param({"players": 3}, 6, id="3 players"),
    pytest.param({"players": 4}, 5, id="4 players"),
    pytest.param({"players": "red,blue,green,black,yellow"}, 4, id="5 players"),
    pytest.param({"players": 9}, None, id="9 players"),
    pytest.param({}, None, id="nobody knows"),
    pytest.param({"children": True, "players": 2}, 4, id="children"),
]


@pytest.mark.parametrize(("options", "each"), NUMBERS)
def test_markers_and_rounds(options: dict[str, Any], each: int | None) -> None:
    setup = judged(SETUP, {"setup": True, **options}).sheet.to_json()["setup"]
    assert (setup["markers_each"], setup["rounds"]) == (each, each)
