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
from scoring.string_field import Survey, name, place
from scoring.string_final import FinalSheet
from scoring.string_safari import StringSheet, outcome_of
from scoring.table import BACK, Piece, String, Table
from tests.scoring.string_cases import EDITION, WIDTH_MM, box, laid, sixteen_animals_and_the_lands, square, tile

TURN = {"turn": "red", "target": "carnivore:3"}


def judged(table: Table, options: dict[str, Any]) -> Answer:
    """Return the referee's answer."""
    return judge(table, EDITION, Options.parse(options, EDITION))


def rules(table: Table, options: dict[str, Any]) -> list[str]:
    """Return the names of the problems."""
    return [p.rule for p in judged(table, options).problems]


def with_field(table: Table, field: String | None) -> Table:
    """Return a table with another field string."""
    rest = tuple(s for s in table.strings if s.name != "field")
    return replace(table, strings=rest if field is None else (field, *rest))


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


# ---------------------------------------------------------------- Setup

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


# ---------------------------------------------------------------- Final Scoring

MARKED = laid(
    ["lion", "cow"], ["ox", "footprints"], marks={"lion": "red", "cow": "blue", "ox": "green", "footprints": "blue"}
)
FINAL = {"final": True, "players": "red,blue,green"}


def final(table: Table, options: dict[str, Any]) -> tuple[Answer, dict[str, Any]]:
    """Return the answer and the final sheet."""
    answer = judged(table, {**FINAL, **options})
    return answer, dict(answer.sheet.to_json())


def test_final_totals_are_coins_corners_and_marked_animals() -> None:
    answer, sheet = final(
        MARKED, {"coins": ["red=5", "blue=9", "green=6"], "research": {"red": 2, "blue": 1, "green": 0}}
    )
    totals = {player: (s["coins"], s["research"], s["animals"], s["total"]) for player, s in sheet["players"].items()}
    assert totals == {"red": (5, 2, 3, 10), "blue": (9, 1, 1, 11), "green": (6, 0, 1, 7)}
    assert sheet["winners"] == ["blue"]
    assert sheet["tie"] is None
    assert answer.certain
    assert all(s["total"] == sum(line["points"] for line in s["lines"]) for s in sheet["players"].values())


def test_final_a_tie_goes_to_the_player_farthest_from_the_first() -> None:
    _, sheet = final(MARKED, {"coins": ["red=5", "blue=6", "green=7"], "research": ["red=0", "blue=1", "green=0"]})
    assert [s["total"] for s in sheet["players"].values()] == [8, 8, 8]
    assert sheet["winners"] == ["green"]
    assert sheet["tie"] == "tied with red and blue at 8, green is farther from the first player in turn order"


def test_final_children_count_coins_alone_and_share_a_tie() -> None:
    _, sheet = final(MARKED, {"children": True, "coins": ["red=5", "blue=5", "green=4"]})
    assert [s["total"] for s in sheet["players"].values()] == [5, 5, 4]
    assert sheet["winners"] == ["red", "blue"]
    assert sheet["tie"] == "red and blue share the game with 5 points each"


STASH = (
    Piece(0, "coin", "five", ()),
    Piece(1, "coin", "two", ()),
    Piece(2, "research", "carnivore-3", ()),
    Piece(3, "research", "cat-2", ()),
    Piece(4, "card", "stray", ()),
)


def test_final_a_stash_counts_coins_and_corners() -> None:
    options = {"stash": {"red": STASH}, "coins": ["blue=0", "green=0"], "research": ["blue=0", "green=0"]}
    answer, sheet = final(MARKED, options)
    assert sheet["players"]["red"]["coins"] == 7
    assert sheet["players"]["red"]["research"] == 6
    assert answer.certain


def test_final_what_is_typed_stands_above_the_stash() -> None:
    options = {"stash": {"red": STASH}, "coins": ["red=1", "blue=0", "green=0"], "research": ["blue=0", "green=0"]}
    _, sheet = final(MARKED, options)
    assert (sheet["players"]["red"]["coins"], sheet["players"]["red"]["research"]) == (1, 6)


def test_final_an_unknown_part_is_null_and_asked_for() -> None:
    answer, sheet = final(MARKED, {"coins": ["red=5", "blue=6"], "research": ["red=0", "blue=1", "green=2"]})
    assert (sheet["players"]["green"]["coins"], sheet["players"]["green"]["total"]) == (None, None)
    assert sheet["winners"] == []
    assert sheet["tie"] is None
    assert [q.piece for q in answer.questions] == ["coins:green"]
    answered, sheet = final(
        MARKED,
        {
            "coins": ["red=5", "blue=6"],
            "research": ["red=0", "blue=1"],
            "answer": ["coins:green=7", "research:green=9"],
        },
    )
    assert answered.certain
    assert sheet["players"]["green"]["total"] == 17


def test_final_problems() -> None:
    strange = (Piece(0, "coin", "nine", ()), Piece(1, "coin", None, ()))
    answer, _ = final(MARKED, {"players": "red,blue", "stash": {"red": strange, "black": ()}, "coins": ["yellow=1"]})
    assert sorted(p.message for p in answer.problems) == [
        "black has coins or research tiles but is not among the players",
        "green is not among the players",
        "the deck has no coin 'nine', in the stash of red",
        "yellow has coins or research tiles but is not among the players",
    ]


def test_the_pure_score_of_each_kind_of_sheet() -> None:
    turn = string_safari.score(PLAIN, EDITION, Options.parse(TURN, EDITION))
    assert isinstance(turn, StringSheet)
    assert turn.outcome() == (True, (0,), 3)
    end = string_safari.score(MARKED, EDITION, Options.parse(FINAL, EDITION))
    assert isinstance(end, FinalSheet)
    setup = string_safari.score(SETUP, EDITION, Options.parse({"setup": True}, EDITION))
    assert setup.outcome() is None
    assert [p.rule for p in string_safari.problems(MARKED, EDITION, Options.parse(FINAL, EDITION))] == []


# ---------------------------------------------------------------- what holds of every table

_LABELS = st.sampled_from(sorted(EDITION.faces))
_ROWS = st.lists(_LABELS, max_size=6, unique=True)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(_ROWS, _ROWS, st.sampled_from(["all:1", "families:3", "night:2", "carnivore:3"]), st.booleans())
def test_totals_are_the_sums_of_lines_and_outcomes_agree(
    inside: list[str], outside: list[str], target: str, edge: bool
) -> None:
    table = laid(inside, [label for label in outside if label not in inside], edge=edge)
    options = Options.parse({"turn": "red", "target": target, "condition": "edge"}, EDITION)
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
