"""The referee, beside the games' own doubts."""

from __future__ import annotations

import pytest

from scoring.edition import Edition
from scoring.notation import parse
from scoring.options import OptionError
from scoring.table import Table
from tests.scoring.boxes import PAPER
from tests.scoring.judging import asked, judged


def test_a_deck_of_no_game_is_refused() -> None:
    edition = Edition(game="any", name="faces alone", size_mm=(60.0, 60.0))
    with pytest.raises(OptionError, match="the deck faces alone is of no game, so there is nothing to score"):
        judged(Table(), {}, edition)


ALL = (*PAPER.faces, "back")
MISSING = [
    pytest.param("seat: fox lion zebra / mouse lion rabbit", [], id="none"),
    pytest.param(
        "seat: fox . zebra / mouse lion rabbit",
        [("seat 0 row 1 column 2", ALL, "the total of seat 0")],
        id="one, where the others lie open",
    ),
    pytest.param(
        "seat: fox . zebra / back lion rabbit\ncard back 600,0\ncard fox 700,0",
        [],
        id="one, where there is no total yet",
    ),
    pytest.param(
        "seat: fox . zebra / mouse lion .",
        [(f"seat 0 row {row} column {column}", ALL, "the total of seat 0") for row, column in ((1, 2), (2, 3))],
        id="two",
    ),
]


@pytest.mark.parametrize(("text", "questions"), MISSING)
def test_a_card_that_is_not_seen_is_asked_for(text: str, questions: list[object]) -> None:
    assert asked(judged(parse(text), {}, PAPER)) == questions


def test_a_card_that_is_said_to_lie_there_counts() -> None:
    table = parse("seat: fox . zebra / mouse lion rabbit")
    answer = judged(table, {"answer": "seat 0 row 1 column 2=lion"}, PAPER)
    assert (answer.certain, answer.problems) == (True, ())
    assert [p["total"] for p in answer.sheet.to_json()["players"]] == [3]


def test_an_answer_as_plain_values() -> None:
    answer = judged(parse("seat: fox . zebra / mouse lion rabbit"), {}, PAPER)
    (question,) = answer.questions
    (problem,) = answer.problems
    assert answer.to_json() == {
        "certain": False,
        "problems": [{"rule": "missing-card", "pieces": list(problem.pieces), "message": problem.message}],
        "questions": [
            {
                "piece": "seat 0 row 1 column 2",
                "choices": list(ALL),
                "changes": "the total of seat 0",
                "message": question.message,
            }
        ],
        "sheet": answer.sheet.to_json(),
    }
