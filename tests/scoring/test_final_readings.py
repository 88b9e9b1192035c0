"""String Safari's end in doubt: marked animals, whose marker, what a stash holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scoring.options import OptionError
from scoring.table import Piece, Table
from tests.scoring.judging import asked, doubt, judged
from tests.scoring.string_cases import laid, tile

MARKED = laid(["lion", "cow"], ["ox"], marks={"lion": "red", "cow": "blue", "ox": "green"})
FINAL = {"final": True, "players": "red,blue,green", "research": ["red=0", "blue=0", "green=0"]}
COINS = ["red=5", "blue=5", "green=6"]


def test_final_a_marked_animal_in_doubt() -> None:
    table = doubt(MARKED, 0, ("lion", 0.6), ("boar", 0.4))
    answer = judged(table, {**FINAL, "coins": COINS})
    assert asked(answer) == [(0, ("lion", "boar"), "8 or 6 points of red and who wins")]
    assert judged(table, {**FINAL, "coins": COINS, "answer": "0=boar"}).sheet.to_json()["winners"] == ["green"]
    assert judged(doubt(MARKED, 0, ("lion", 0.6), ("tiger", 0.4)), {**FINAL, "coins": COINS}).certain


def test_final_whose_marker_it_is() -> None:
    answer = judged(doubt(MARKED, 100, ("red", 0.6), ("blue", 0.4)), {**FINAL, "coins": COINS})
    assert asked(answer) == [(100, ("red", "blue"), "8 or 5 points of red and 6 or 9 points of blue and who wins")]
    answer = judged(doubt(MARKED, 102, label=None), {**FINAL, "coins": COINS})
    assert [q.piece for q in answer.questions] == [102]


MARKERS = [
    pytest.param((("red", 0.6), ("yellow", 0.4)), (), 8, id="yellow does not play, so it is red's"),
    pytest.param((("yellow", 0.9995), ("red", 0.0005)), ("yellow", "red"), 5, id="surely of one who does not play"),
    pytest.param((("red", 0.9),), ("red", "none"), 8, id="what the colours leave is no marker"),
    pytest.param((("red", 1.0),), (), 8, id="red's, whatever else it might be"),
]


@pytest.mark.parametrize(("candidates", "choices", "points"), MARKERS)
def test_final_of_whom_a_marker_can_be(
    candidates: tuple[tuple[str, float], ...], choices: tuple[str, ...], points: int
) -> None:
    answer = judged(doubt(MARKED, 100, *candidates), {**FINAL, "coins": COINS})
    assert [(q.piece, q.choices) for q in answer.questions] == ([(100, choices)] if choices else [])
    assert answer.sheet.to_json()["players"]["red"]["total"] == points


def test_final_a_coin_that_may_lie_below_another_is_asked_and_not_counted() -> None:
    below = Piece(1, "coin", None, (), probability=0.5, candidates=(("one", 0.25), ("two", 0.25)))
    answer = judged(MARKED, {**NO_COINS, "stash": {"red": (Piece(0, "coin", "five", ()), below)}})
    assert [(q.piece, q.choices) for q in answer.questions] == [("coins:red", ())]
    assert "1 × five, 5 points in coins" in answer.questions[0].message
    assert answer.sheet.to_json()["players"]["red"]["coins"] == 5
    settled = judged(
        MARKED, {**NO_COINS, "stash": {"red": (Piece(0, "coin", "five", ()), below)}, "answer": "coins:red=7"}
    )
    assert (settled.certain, settled.sheet.to_json()["players"]["red"]["coins"]) == (True, 7)


def test_final_several_doubtful_coins_of_a_stash_are_one_question() -> None:
    doubtful = tuple(
        Piece(k, "coin", "one", (), probability=0.6, candidates=(("one", 0.6), ("two", 0.4))) for k in range(3)
    )
    tile_in_doubt = Piece(7, "research", "cat-2", (), probability=0.6, candidates=(("cat-2", 0.6), ("all-1", 0.4)))
    stash = (*doubtful, Piece(3, "coin", "five", ()), tile_in_doubt)
    answer = judged(MARKED, {**NO_COINS, "research": ["blue=0", "green=0"], "stash": {"red": stash}})
    assert [q.piece for q in answer.questions] == ["coins:red", "red:7", "stashes"]
    assert "1 × five, 3 × one, 8 points in coins" in answer.questions[0].message


READ = Piece(0, "coin", "five", (), probability=0.999, candidates=(("five", 0.999), ("one", 0.001)))
NONE_TYPED = {**FINAL, "coins": {"blue": 0, "green": 0}, "research": {"blue": 0, "green": 0}}
CONFIRMED = [
    pytest.param((READ,), {}, ["stashes"], (5, 0), id="asked, and counted as read until then"),
    pytest.param((READ,), {"answer": "stashes=as counted"}, [], (5, 0), id="all of it was read"),
    pytest.param(
        (READ,),
        {"answer": "stashes=otherwise"},
        ["coins:red", "research:red", "animals:red"],
        (None, None),
        id="not all",
    ),
    pytest.param(
        (READ,),
        {"answer": ["stashes=otherwise", "coins:red=9", "research:red=3", "animals:red=2"]},
        [],
        (9, 3),
        id="told",
    ),
    pytest.param(
        (replace(READ, candidates=(), probability=1.0),), {}, [], (5, 0), id="told to begin with: no photograph"
    ),
    pytest.param((), {}, [], (0, 0), id="nothing, told"),
]


@pytest.mark.parametrize(("stash", "told", "questions", "parts"), CONFIRMED)
def test_final_whether_all_of_the_photographed_stashes_was_read_is_asked_once(
    stash: tuple[Piece, ...], told: dict[str, Any], questions: list[str], parts: tuple[int | None, int | None]
) -> None:
    answer = judged(MARKED, {**NONE_TYPED, "stash": {"red": stash}, **told})
    red = answer.sheet.to_json()["players"]["red"]
    assert [q.piece for q in answer.questions] == questions
    assert (red["coins"], red["research"]) == parts


def test_final_a_photograph_without_a_coin_is_asked_about_as_the_others() -> None:
    answer = judged(
        MARKED, {**FINAL, "coins": {"green": 0}, "research": {"green": 0}, "stash": {"red": (READ,), "blue": ()}}
    )
    (question,) = answer.questions
    assert question.changes == "the total of red and the total of blue"
    assert "red: 1 × five, 5 points in coins, 1 animal with 3; blue: 0 points in coins" in question.message


def test_final_an_unmarked_tile_is_nobodys_business() -> None:
    table = replace(MARKED, pieces=(*MARKED.pieces, tile(50, None, 60.0, 100.0)))
    assert judged(table, {**FINAL, "coins": COINS}).certain


STASH = (
    Piece(0, "coin", "five", ()),
    Piece(1, "coin", "two", (), probability=0.6, candidates=(("two", 0.6), ("ten", 0.4))),
    Piece(2, "research", "all-1", ()),
    Piece(3, "coin", None, ()),
    Piece(4, "research", "cat-2", (), probability=0.6, candidates=(("cat-2", 0.6), ("all-1", 0.4))),
    Piece(5, "marker", "red", ()),
)


def test_final_a_stash_in_doubt() -> None:
    options = {**FINAL, "research": ["blue=0", "green=0"], "coins": ["blue=0", "green=0"], "stash": {"red": STASH}}
    answer = judged(MARKED, options)
    assert [q.piece for q in answer.questions] == ["coins:red", "stashes"]  # the deck's one all-1 lies there
    answered = judged(MARKED, {**options, "answer": ["red:1=ten", "red:3=none", "red:4=cat-2"]})
    assert answered.certain
    assert answered.sheet.to_json()["players"]["red"]["total"] == 5 + 10 + 1 + 4 + 3


RED = {**FINAL, "coins": ["red=1", "blue=0", "green=0"]}
NO_COINS = {**FINAL, "coins": ["blue=0", "green=0"]}
UNREAD = [
    pytest.param(doubt(MARKED, 0, label="unicorn"), RED, "animals", 0, {"0": "lion"}, 4, id="a tile of no deck"),
    pytest.param(doubt(MARKED, 0, label="back"), RED, "animals", 0, {"0": "none"}, 1, id="a tile face down"),
    pytest.param(doubt(MARKED, 0, label=None), RED, "animals", 0, {"0": "back"}, 1, id="a tile that stays face down"),
    pytest.param(doubt(MARKED, 100, label=None), RED, "animals", 100, {"100": "none"}, 1, id="no marker at all"),
    pytest.param(MARKED, {**NO_COINS, "stash": {"red": (Piece(1, "coin", "seven", ()),)}}, "coins", "red:1",
                 {"red:1": "two"}, 5, id="a coin of no deck"),
    pytest.param(MARKED, {**NO_COINS, "stash": {"red": (Piece(1, "coin", None, ()),)}}, "coins", "red:1",
                 {"red:1": "none"}, 3, id="no coin at all"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "options", "part", "about", "answer", "total"), UNREAD)
def test_final_a_part_that_is_not_known_is_null_and_a_question(
    table: Table, options: dict[str, Any], part: str, about: int | str, answer: dict[str, str], total: int
) -> None:
    open_answer = judged(table, options)
    red = open_answer.sheet.to_json()["players"]["red"]
    assert [q.piece for q in open_answer.questions] == [about]
    assert (red[part], red["total"]) == (None, None)
    settled = judged(table, {**options, "answer": answer})
    assert settled.certain
    assert settled.sheet.to_json()["players"]["red"]["total"] == total


STASH_REFUSED = [
    pytest.param("red:9=two", "answer red:9=two: no piece '9' lies in the stash of red", id="no such piece"),
    pytest.param("red:1=three", "answer red:1=three: 'three' is none of one, two, five, ten, none", id="no such coin"),
    pytest.param(
        "stashes=maybe", "answer stashes=maybe: 'maybe' is none of as counted, otherwise", id="neither yes nor no"
    ),
    pytest.param("coins:red=many", "answer coins:red=many: 'many' is not a whole number of 0 or more", id="no number"),
]


@pytest.mark.parametrize(("said", "message"), STASH_REFUSED)
def test_final_answers_refused(said: str, message: str) -> None:
    with pytest.raises(OptionError) as error:
        judged(MARKED, {**FINAL, "stash": {"red": STASH}, "answer": said})
    assert str(error.value) == message
