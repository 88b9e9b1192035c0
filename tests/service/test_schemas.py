"""Tables as JSON: what is not as the contract writes it is status 2 and one line, never a traceback."""

from __future__ import annotations

import json
import math

import pytest

from scoring.table import Point
from service.schemas import piece_from
from tests.service.tallying import broken, string_table, tallied, with_string

UNUSABLE = [
    pytest.param("", "holds no table", id="nothing"),
    pytest.param("{", "line 1: no JSON: ", id="broken JSON"),
    pytest.param(json.dumps(string_table()) + '\n\n{"pieces": [}', "line 3: no JSON: ", id="broken, third line"),
    pytest.param("[" * 100_000, "line 1: no JSON that can be read: ", id="nested too deep"),
    pytest.param("9" * 5000, "line 1: no JSON that can be read: ", id="a number of 5,000 digits"),
    pytest.param("[1]", "line 1: expected a table, an object with pieces and strings, got list", id="a list"),
    pytest.param("{}", "line 1: expected a table: there are neither pieces nor strings", id="an empty object"),
    pytest.param('{"pieces": []}', "line 1: say which game: --game, or a key game, one of ", id="no game"),
    pytest.param('{"game": "chess", "pieces": []}', "line 1: game 'chess' is none of paper-safari, ", id="chess"),
    pytest.param(
        '{"game": ["a"], "pieces": []}', "line 1: game ['a'] is none of paper-safari, ", id="a list for a game"
    ),
    pytest.param(
        '{"game": "paper-safari", "deck": "none", "pieces": []}', 'line 1: there is no deck "none"', id="no deck"
    ),
    pytest.param(
        '{"game": "paper-safari", "deck": 7, "pieces": []}',
        "line 1: deck: expected a name or folder, got 7",
        id="deck 7",
    ),
    pytest.param(
        '{"game": "paper-safari", "deck": "string-safari", "pieces": []}', "line 1: the deck ", id="another's deck"
    ),
    pytest.param('{"game": "paper-safari", "pieces": 7}', "line 1: pieces: expected a list, got 7", id="pieces 7"),
    pytest.param(
        '{"game": "paper-safari", "pieces": [7]}', "line 1: pieces[0]: expected an object, got 7", id="piece 7"
    ),
    pytest.param(
        '{"game": "paper-safari", "pieces": [], "options": [1]}',
        "line 1: options: expected names and values",
        id="options 1",
    ),
    pytest.param(
        '{"game": "paper-safari", "pieces": [], "options": {"turn": "red"}}',
        "line 1: turn is an option of string-safari",
        id="a turn in Paper Safari",
    ),
    pytest.param(
        '{"game": "string-safari", "pieces": [], "options": {"stash": 7}}',
        "line 1: stash: expected an object, got 7",
        id="stash 7",
    ),
    pytest.param(broken(id="a"), "line 1: pieces[0].id: expected a whole number, got 'a'", id="id a"),
    pytest.param(broken(id=True), "line 1: pieces[0].id: expected a whole number, got True", id="id true"),
    pytest.param(broken(id=1), "line 1: pieces: the id 1 is borne by more than one", id="one id for two"),
    pytest.param(broken(kind="dice"), "line 1: pieces[0].kind: expected one of card, tile, photo, ", id="dice"),
    pytest.param(
        broken(kind=[]), "line 1: pieces[0].kind: expected one of card, tile, photo, ", id="a list for a kind"
    ),
    pytest.param(broken(label=7), "line 1: pieces[0].label: expected text or null, got 7", id="label 7"),
    pytest.param(
        broken(outline_mm=None), "line 1: pieces[0].outline_mm: missing; expected the piece's corners", id="no outline"
    ),
    pytest.param(
        broken(outline_mm=[[0, 0], [1]]),
        "line 1: pieces[0].outline_mm: expected points, [[x, y], …], got ",
        id="half a point",
    ),
    pytest.param(
        broken(outline_mm=[[0, math.nan]] * 4), "line 1: pieces[0].outline_mm[0]: expected two finite numbers", id="NaN"
    ),
    pytest.param(
        broken(outline_mm=[[0, 1e300]] * 4),
        "line 1: pieces[0].outline_mm[0]: expected two finite numbers",
        id="far away",
    ),
    pytest.param(
        broken(outline_mm=[["0", 1]] * 4),
        "line 1: pieces[0].outline_mm[0]: expected two finite numbers",
        id="text for a number",
    ),
    pytest.param(broken(up_deg="up"), "line 1: pieces[0].up_deg: expected an angle in degrees, got 'up'", id="up up"),
    pytest.param(
        broken(probability=2), "line 1: pieces[0].probability: expected a number from 0 to 1, got 2", id="probability 2"
    ),
    pytest.param(
        broken(candidates=[["lion"]]),
        "line 1: pieces[0].candidates[0]: expected [label, probability], got ['lion']",
        id="half a candidate",
    ),
    pytest.param(
        broken(candidates=[["lion", "a"]]),
        "line 1: pieces[0].candidates[0]: expected a number from 0 to 1, got 'a'",
        id="candidate a",
    ),
    pytest.param(broken(on="x"), "line 1: pieces[0].on: expected a whole number, got 'x'", id="on x"),
    pytest.param(
        broken(sequence="x"), "line 1: pieces[0].sequence: expected a list of labels, got 'x'", id="sequence x"
    ),
    pytest.param(
        broken(sequence_candidates=[["x"]]),
        "line 1: pieces[0].sequence_candidates[0]: expected [labels, ",
        id="half a sequence",
    ),
    pytest.param(
        broken(sequence_candidates=[[["x"], 7]]),
        "line 1: pieces[0].sequence_candidates[0]: expected a number",
        id="sequence 7",
    ),
    pytest.param(
        broken(sigma_mm=-1), "line 1: pieces[0].sigma_mm: expected a length in mm of 0 or more, got -1", id="sigma -1"
    ),
    pytest.param(
        broken(corner_radius_mm="r"), "line 1: pieces[0].corner_radius_mm: expected a length in mm", id="radius r"
    ),
    pytest.param(with_string(name=7), "line 1: strings[0].name: expected text, got 7", id="name 7"),
    pytest.param(
        with_string(closed="yes"), "line 1: strings[0].closed: expected true or false, got 'yes'", id="closed yes"
    ),
    pytest.param(with_string(path_mm=[1]), "line 1: strings[0].path_mm: expected points", id="path 1"),
    pytest.param(
        with_string(width_mm=None),
        "line 1: strings[0].width_mm: expected a length in mm of 0 or more, got None",
        id="no width",
    ),
    pytest.param(
        with_string(sigma_mm=[1.0]),
        "line 1: strings[0].sigma_mm: expected 4 numbers, one a point of the path, got 1",
        id="one sigma",
    ),
    pytest.param(
        with_string(visible="x" * 50),
        "line 1: strings[0].visible: expected a number from 0 to 1, got 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxx…",
        id="visible x",
    ),
]


@pytest.mark.parametrize(("text", "message"), UNUSABLE)
def test_what_cannot_be_used_is_status_2_and_one_line(text: str, message: str) -> None:
    code, _, err = tallied(text)
    assert code == 2
    assert err.startswith(f"tally: {message}") or f": {message}" in err
    assert err.count("\n") == 1


OUTLINES = [
    pytest.param([], (), id="none: a coin may come without"),
    pytest.param([[0, 0], [1, 2]], ((0.0, 0.0), (1.0, 2.0)), id="whole numbers"),
    pytest.param([[0.5, -1.0], [1.0, 2.5]], ((0.5, -1.0), (1.0, 2.5)), id="decimals"),
    pytest.param([[0.5, 3], [4, 2.5], [7, 8]], ((0.5, 3.0), (4.0, 2.5), (7.0, 8.0)), id="both"),
]


@pytest.mark.parametrize(("given", "outline_mm"), OUTLINES)
def test_a_place_is_of_decimals_however_it_was_written(given: list[list[float]], outline_mm: tuple[Point, ...]) -> None:
    read = piece_from({"id": 1, "kind": "coin", "outline_mm": given}, "pieces[0]").outline_mm
    assert read == outline_mm
    assert {type(number) for point in read for number in point} <= {float}
