"""String Safari's end in doubt: marked animals, whose marker, what a stash holds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.options import OptionError
from scoring.table import Piece
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
    assert [(q.piece, q.choices) for q in answer.questions] == [
        ("red:1", ("two", "ten")),
        ("red:3", ("one", "two", "five", "ten", "none")),
    ]  # the deck's one all-1 lies there already
    answered = judged(MARKED, {**options, "answer": ["red:1=ten", "red:3=none", "red:4=cat-2"]})
    assert answered.certain
    assert answered.sheet.to_json()["players"]["red"]["total"] == 5 + 10 + 1 + 4 + 3


STASH_REFUSED = [
    pytest.param("red:9=two", "answer red:9=two: no piece '9' lies in the stash of red", id="no such piece"),
    pytest.param("red:1=three", "answer red:1=three: 'three' is none of one, two, five, ten, none", id="no such coin"),
    pytest.param("coins:red=many", "answer coins:red=many: 'many' is not a whole number of 0 or more", id="no number"),
]


@pytest.mark.parametrize(("said", "message"), STASH_REFUSED)
def test_final_answers_refused(said: str, message: str) -> None:
    with pytest.raises(OptionError) as error:
        judged(MARKED, {**FINAL, "stash": {"red": STASH}, "answer": said})
    assert str(error.value) == message
