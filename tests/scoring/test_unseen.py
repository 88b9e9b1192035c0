"""Places of a picture in which nothing can be seen: asked about where something may lie there that counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scoring.answers import UNSEEN
from scoring.notation import parse
from scoring.options import OptionError
from scoring.table import Point, Table
from tests.scoring.boxes import FOTO
from tests.scoring.judging import judged
from tests.scoring.string_cases import laid

TABLE = laid(["lion", "cow"], ["ox"], marks={"lion": "red", "cow": "blue"})
FINAL = {"final": True, "players": "red,blue", "research": ["red=0", "blue=0"], "coins": ["red=5", "blue=5"]}
TURN = {"turn": "red", "target": "all:1"}
TOTALS = "the total of red and the total of blue"


def hidden(x: float, y: float, side: float = 40.0) -> tuple[Point, ...]:
    return ((x, y), (x + side, y), (x + side, y - side), (x, y - side))


def within(table: Table) -> Point:
    """A place amidst the research string."""
    path = next(s for s in table.strings if s.name == "research").path_mm
    return sum(p[0] for p in path) / len(path), sum(p[1] for p in path) / len(path)


CASES = [
    pytest.param(FINAL, (), [], id="all is seen"),
    pytest.param(FINAL, (hidden(*within(TABLE)),), [TOTALS], id="the end: a part of the field"),
    pytest.param(FINAL, (hidden(900, 0),), [], id="the end: outside the field"),
    pytest.param(FINAL, (hidden(900, 0), hidden(190, 0)), [TOTALS], id="the end: outside, and on the field's string"),
    pytest.param({**FINAL, "answer": "unseen=nothing"}, (hidden(0, 0),), [], id="the end: nothing lies there"),
    pytest.param(TURN, (hidden(*within(TABLE)),), ["what is enclosed"], id="a turn: inside the string"),
    pytest.param(TURN, (hidden(100, 150),), [], id="a turn: outside the string"),
    pytest.param({**TURN, "answer": "unseen=nothing"}, (hidden(*within(TABLE)),), [], id="a turn: nothing lies there"),
    pytest.param(
        {**TURN, "answer": "unseen=something"}, (hidden(*within(TABLE)),), ["what is enclosed"], id="a turn: something"
    ),
    pytest.param({"setup": True, "players": 2}, (hidden(*within(TABLE)),), [], id="a set-up counts what it sees"),
]


@pytest.mark.parametrize(("options", "places", "changes"), CASES)
def test_what_cannot_be_seen_is_asked_about_where_it_may_count(
    options: dict[str, Any], places: tuple[tuple[Point, ...], ...], changes: list[str]
) -> None:
    table = replace(TABLE, unseen_mm=places)
    assert [q.changes for q in judged(table, options).questions if q.piece == UNSEEN] == changes


RING = parse("ring: " + "elephant " * 7 + "zebra " * 5, FOTO.size_mm)
CLAIM = parse("ring: " + "elephant " * 7 + "zebra " * 5 + "\nphoto: lion zebra", FOTO.size_mm)
LOWEST = min(p.outline_mm[k][1] for p in RING.pieces for k in range(4))
PHOTO_CASES = [
    pytest.param(RING, hidden(-20, LOWEST - 10), {}, 1, id="beside the ring"),
    pytest.param(RING, hidden(-20, 20), {}, 0, id="within the ring"),
    pytest.param(RING, hidden(-20, LOWEST - 200), {}, 0, id="far from the ring"),
    pytest.param(CLAIM, hidden(-20, LOWEST - 10), {}, 0, id="a photo card is seen"),
    pytest.param(RING, hidden(-20, LOWEST - 10), {"answer": "unseen=nothing"}, 0, id="nothing lies there"),
    pytest.param(replace(RING, pieces=()), hidden(0, 0), {}, 0, id="no ring"),
]


@pytest.mark.parametrize(("table", "place", "options", "asked"), PHOTO_CASES)
def test_a_photo_card_that_cannot_be_seen_is_asked_about(
    table: Table, place: tuple[Point, ...], options: dict[str, Any], asked: int
) -> None:
    answer = judged(replace(table, unseen_mm=(place,)), options, FOTO)
    assert [q.changes for q in answer.questions if q.piece == UNSEEN] == ["whether a photo is right"] * asked


def test_where_something_lies_unseen_each_players_animals_are_asked() -> None:
    table = replace(TABLE, unseen_mm=(hidden(0, 0),))
    answer = judged(table, {**FINAL, "answer": "unseen=something"})
    assert [q.piece for q in answer.questions] == ["animals:red", "animals:blue"]
    told = judged(table, {**FINAL, "answer": ["unseen=something", "animals:red=4", "animals:blue=1"]})
    assert told.certain
    assert {p: one["total"] for p, one in told.sheet.to_json()["players"].items()} == {"red": 9, "blue": 6}


def test_no_total_that_is_told_is_asked_for() -> None:
    table = replace(TABLE, unseen_mm=(hidden(0, 0),))
    told = ["animals:red=4", "animals:blue=1"]
    assert judged(table, {**FINAL, "answer": told}).certain


def test_an_answer_to_it_that_cannot_be() -> None:
    with pytest.raises(OptionError, match="nothing, something"):
        judged(TABLE, {**FINAL, "answer": "unseen=perhaps"})
