"""String Safari beyond the turn: problems, the set-up, the end, and what holds of every table."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import string_safari
from scoring.options import Options
from scoring.referee import judge
from scoring.sheet import Answer
from scoring.string_children import ChildrenRules, children_lines
from scoring.string_field import Survey, name, place
from scoring.string_final import FinalSheet
from scoring.string_safari import StringSheet, outcome_of
from scoring.table import BACK, Piece, String, Table
from tests.scoring.string_cases import (
    EDITION,
    WIDTH_MM,
    box,
    laid,
    sixteen_animals_and_the_lands,
    square,
    tile,
    with_field,
)

TURN = {"turn": "red", "target": "carnivore:3"}


def judged(table: Table, options: dict[str, Any]) -> Answer:
    """Return the referee's answer."""
    return judge(table, EDITION, Options.parse(options, EDITION))


def rules(table: Table, options: dict[str, Any]) -> list[str]:
    """Return the names of the problems."""
    return [p.rule for p in judged(table, options).problems]


PLAIN = laid(["lion"], ["cow"])
EIGHT = ((-400.0, -400.0), (500.0, 500.0), (500.0, -400.0), (-400.0, 500.0))
HAIRPIN = ((-400.0, -400.0), (500.0, -400.0), (500.0, 500.0), (0.0, -398.0), (-400.0, 500.0))

TABLES = [
    pytest.param(PLAIN, [], id="nothing is wrong"),
    pytest.param(Table(), ["string-missing", "no-tiles"], id="an empty table"),
    pytest.param(laid(["lion"], string=False), ["string-missing"], id="no research string"),
    pytest.param(
        Table(PLAIN.pieces, (PLAIN.strings[0], replace(PLAIN.strings[1], closed=False))), ["string-open"], id="open"
    ),
    pytest.param(
        Table(PLAIN.pieces, (String("research", True, tuple((x + 600, y) for x, y in EIGHT), WIDTH_MM),)),
        ["string-crosses-itself"],
        id="a research string that crosses itself",
    ),
    pytest.param(
        Table(PLAIN.pieces[:1], (String("research", True, HAIRPIN, WIDTH_MM),)),
        ["string-lies-on-itself"],
        id="a research string that lies on itself",
    ),
    pytest.param(
        with_field(PLAIN, String("field", False, box(-100, -150, 300, 200), WIDTH_MM)),
        ["field-string-open"],
        id="field open",
    ),
    pytest.param(
        with_field(laid(["lion"]), String("field", True, tuple((x - 900, y) for x, y in EIGHT), WIDTH_MM)),
        ["field-string-crosses-itself", "tile-outside-field"],
        id="field crosses itself",
    ),
    pytest.param(
        with_field(Table((), PLAIN.strings), String("field", True, HAIRPIN, WIDTH_MM)),
        ["field-string-lies-on-itself"],
        id="field lies on itself",
    ),
    pytest.param(
        with_field(PLAIN, String("field", True, box(-60, -60, 60, 60), WIDTH_MM)),
        ["tile-outside-field"],
        id="a tile outside",
    ),
    pytest.param(
        Table((*PLAIN.pieces, tile(8, None, -300.0, 0.0), tile(9, None, -310.0, 0.0)), PLAIN.strings),
        [],
        id="an open row beside the field",
    ),
    pytest.param(
        with_field(PLAIN, String("field", True, box(-60, -60, 60, 100), WIDTH_MM)),
        ["tile-touches-field-string"],
        id="a tile under the field string",
    ),
    pytest.param(
        Table((*PLAIN.pieces, tile(8, "ox", 50.0, 100.0)), PLAIN.strings),
        ["tiles-too-close"],
        id="less than a finger apart",
    ),
    pytest.param(Table((*PLAIN.pieces, tile(8, "ox", 30.0, 100.0)), PLAIN.strings), ["tiles-touch"], id="tiles touch"),
    pytest.param(
        Table((*PLAIN.pieces, tile(8, BACK, -300.0, 0.0), tile(9, BACK, -310.0, 0.0)), PLAIN.strings),
        [],
        id="the draw pile beside the field",
    ),
    pytest.param(
        Table((*PLAIN.pieces, tile(8, "cow", 80.0, 100.0)), PLAIN.strings), ["more-than-the-box-holds"], id="two cows"
    ),
    pytest.param(
        Table((*PLAIN.pieces, tile(8, "unicorn", 80.0, 100.0)), PLAIN.strings), ["unknown-label"], id="a unicorn"
    ),
    pytest.param(
        Table((*PLAIN.pieces, Piece(8, "tile", "ox", ((math.nan, 0.0),) * 4)), PLAIN.strings), ["bad-outline"], id="NaN"
    ),
    pytest.param(
        Table(PLAIN.pieces, (PLAIN.strings[0], replace(PLAIN.strings[1], path_mm=((math.inf, 0.0),)))),
        ["string-missing"],
        id="a path that leads nowhere",
    ),
    pytest.param(
        Table((*PLAIN.pieces, Piece(8, "marker", "purple", square(0.0, 0.0, 9.0))), PLAIN.strings),
        ["unknown-label"],
        id="a marker of no player",
    ),
    pytest.param(
        Table((*PLAIN.pieces, Piece(8, "coin", "three", ()), Piece(9, "research", "none-1", ())), PLAIN.strings),
        ["unknown-label", "unknown-label"],
        id="a coin and a research tile of no deck",
    ),
    pytest.param(
        laid(
            ["lion", "hyena", "ox", "cow", "fox", "dog", "bat"],
            marks=dict.fromkeys(["lion", "hyena", "ox", "cow", "fox", "dog", "bat"], "red"),
        ),
        ["too-many-markers"],
        id="seven markers of one player",
    ),
]


@pytest.mark.parametrize(("table", "problems"), TABLES)
def test_what_is_wrong_with_a_table(table: Table, problems: list[str]) -> None:
    assert rules(table, TURN) == problems
    assert [p.rule for p in string_safari.problems(table, EDITION, Options.parse(TURN, EDITION))] == problems


def test_a_finger_may_be_broader_by_house_rule() -> None:
    assert rules(laid(["lion", "ox"]), {**TURN, "option": "finger_breadth_mm=30"}) == ["tiles-too-close"]


def test_without_a_turn_the_sheet_says_what_is_enclosed() -> None:
    sheet = judged(PLAIN, {}).sheet.to_json()
    assert sheet["turn"] is None
    assert (sheet["enclosed"], sheet["touching"], sheet["legal"], sheet["touches_field"]) == ([0], [], True, False)
    assert sheet["margins_mm"] == {"0": pytest.approx(13.5), "1": pytest.approx(43.5)}
    assert sheet["margins_sigma_mm"] == {"0": 0.0, "1": 0.0}
    assert sheet["field_margin_mm"] == pytest.approx(62.0)


def test_a_marker_without_a_tile_named_stands_on_the_tile_under_it() -> None:
    marker = Piece(9, "marker", "blue", square(5.0, 5.0, 9.0))
    turn = judged(Table((*PLAIN.pieces, marker), PLAIN.strings), TURN).sheet.to_json()["turn"]
    assert [line["rule"] for line in turn["lines"]] == ["others-marker"]


MARKED = laid(["lion", "cow"], ["ox"], marks={"lion": "red", "cow": "blue", "ox": "green"})
FINAL = {"final": True, "players": "red,blue,green"}
SETUP = sixteen_animals_and_the_lands()


def test_the_pure_score_of_each_kind_of_sheet() -> None:
    turn = string_safari.score(PLAIN, EDITION, Options.parse(TURN, EDITION))
    assert isinstance(turn, StringSheet)
    assert turn.outcome() == (True, (0,), 3)
    end = string_safari.score(MARKED, EDITION, Options.parse(FINAL, EDITION))
    assert isinstance(end, FinalSheet)
    touching = string_safari.score(laid(["lion"], [], ["ox"]), EDITION, Options.parse(TURN, EDITION))
    assert touching.outcome() == (False, None, None)
    setup = string_safari.score(SETUP, EDITION, Options.parse({"setup": True}, EDITION))
    assert setup.outcome() is None
    survey = Survey(SETUP)
    assert outcome_of(place(survey), name(survey, EDITION), Options.parse({"setup": True}, EDITION)) is None
    assert [p.rule for p in string_safari.problems(MARKED, EDITION, Options.parse(FINAL, EDITION))] == []


def test_children_lines_need_the_animal_just_placed() -> None:
    survey = Survey(laid(["cow"]))
    rules = ChildrenRules("lion")
    assert children_lines(place(survey), name(survey, EDITION), rules) == ()


def test_a_marker_beside_the_tiles_marks_none() -> None:
    beside = Piece(9, "marker", "red", square(300.0, 0.0, 9.0))
    assert name(Survey(replace(PLAIN, pieces=(*PLAIN.pieces, beside))), EDITION).marks == {}


def test_a_table_without_the_piece_asked_for() -> None:
    with pytest.raises(KeyError):
        PLAIN.piece(99)


# ---------------------------------------------------------------- what holds of every table

_LABELS = st.sampled_from(sorted(EDITION.faces))
_ROWS = st.lists(_LABELS, max_size=6, unique=True)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    _ROWS,
    _ROWS,
    st.sampled_from(["all:1", "families:3", "night:2", "carnivore:3"]),
    st.booleans(),
    st.dictionaries(_LABELS, st.sampled_from(["red", "blue"]), max_size=3),
    st.booleans(),
)
def test_totals_are_the_sums_of_lines_and_outcomes_agree(
    inside: list[str], outside: list[str], target: str, edge: bool, marks: dict[str, str], marked_count: bool
) -> None:
    marks = {label: player for label, player in marks.items() if label in inside}
    table = laid(inside, [label for label in outside if label not in inside], edge=edge, marks=marks)
    house = {"marked_animals_count_for_land": marked_count}
    options = Options.parse({"turn": "red", "target": target, "condition": "edge", "option": house}, EDITION)
    sheet = string_safari.score(table, EDITION, options)
    assert isinstance(sheet, StringSheet)
    assert sheet.turn is not None
    assert sheet.turn.points == sum(line.points for line in sheet.turn.lines or ())
    survey = Survey(table)
    named = name(survey, EDITION)
    assert sheet.outcome() == outcome_of(place(survey), named, options)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(_ROWS, _LABELS)
def test_a_tile_moved_wholly_inside_never_lowers_the_points_under_all(inside: list[str], more: str) -> None:
    options = {"turn": "red", "target": "all:1"}
    inside = [label for label in inside if label != more]
    before = judged(laid(inside, [more]), options).sheet.to_json()["turn"]["points"]
    after = judged(laid([*inside, more]), options).sheet.to_json()["turn"]["points"]
    assert after >= before


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.floats(0, math.tau), st.floats(-500, 500), st.floats(-500, 500), st.booleans())
def test_turning_and_moving_a_table_changes_nothing(turn: float, dx: float, dy: float, edge: bool) -> None:
    table = laid(["lion", "bushes"], ["cow"], edge=edge)

    def moved(points: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
        c, s = math.cos(turn), math.sin(turn)
        return tuple((c * x - s * y + dx, s * x + c * y + dy) for x, y in points)

    other = Table(
        tuple(replace(p, outline_mm=moved(p.outline_mm)) for p in table.pieces),
        tuple(replace(string, path_mm=moved(string.path_mm)) for string in table.strings),
    )
    first, second = judged(table, TURN).sheet.to_json(), judged(other, TURN).sheet.to_json()
    assert second["turn"] == first["turn"]
    assert second["margins_mm"] == pytest.approx(first["margins_mm"], abs=0.002)
