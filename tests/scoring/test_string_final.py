"""String Safari's final scoring: coins, corners, marked animals, ties, what is not known."""

from __future__ import annotations

from typing import Any

from scoring.options import Options
from scoring.referee import judge
from scoring.sheet import Answer
from scoring.table import Piece, Table
from tests.scoring.string_cases import EDITION, laid


def judged(table: Table, options: dict[str, Any]) -> Answer:
    """Return the referee's answer."""
    return judge(table, EDITION, Options.parse(options, EDITION))


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
