"""Paper Safari in doubt: which cards are asked for, and what is at stake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scoring.edition import Edition, Face
from scoring.sheet import Answer
from scoring.table import BACK, Piece, Table
from tests.scoring.judging import SLACK, asked, doubt, judged, timed

PAPER = Edition(
    game="paper-safari",
    name="test",
    size_mm=(63.0, 88.0),
    faces={
        **{label: Face(label, 4, value=v) for label, v in {"fox": -2, "ant": 0, "bee": 1, "cat": 3, "dog": 4}.items()},
        "elk": Face("elk", 4, value=10),
        "tarzan": Face("tarzan", 4, value=10),
        "safari": Face("safari", 2, copies_neighbour=True),
    },
)


def card(i: int, label: str | None, x: float, y: float) -> Piece:
    """Return a card that lies upright."""
    corners = ((x - 31.5, y + 44), (x + 31.5, y + 44), (x + 31.5, y - 44), (x - 31.5, y - 44))
    return Piece(i, "card", label, corners)


def grids(*hands: Sequence[str | None]) -> Table:
    """Return hands of six cards each, in two rows, beside one another; ids from 0 on."""
    pieces = [
        card(6 * h + k, label, 300.0 * h + 70.0 * (k % 3), -95.0 * (k // 3))
        for h, hand in enumerate(hands)
        for k, label in enumerate(hand)
    ]
    return Table(tuple(pieces))


MINE: list[str | None] = ["fox", "ant", "bee", "cat", "dog", "elk"]
HAND: list[str | None] = ["bee", "dog", "cat", "ant", "bee", "fox"]


def totals(answer: Answer) -> list[int | None]:
    """Return the players' totals, the leftmost grid first."""
    players = answer.sheet.to_json()["players"]
    return [
        p["total"] for p in sorted(players, key=lambda p: min(i for row in p["pieces"] for i in row if i is not None))
    ]


def test_paper_without_doubt() -> None:
    answer = judged(grids(MINE, HAND), {}, PAPER)
    assert (answer.certain, totals(answer), answer.problems) == (True, [16, 7], ())


def test_paper_asks_where_a_total_changes() -> None:
    answer = judged(doubt(grids(MINE), 2, ("bee", 0.7), ("cat", 0.3)), {}, PAPER)
    assert asked(answer) == [(2, ("bee", "cat"), "16 or 18 points at seat 0")]
    assert totals(judged(doubt(grids(MINE), 2, ("bee", 0.7), ("cat", 0.3)), {"answer": "2=cat"}, PAPER)) == [18]
    assert judged(doubt(grids(MINE), 5, ("elk", 0.7), ("tarzan", 0.3)), {}, PAPER).certain


def test_paper_asks_where_the_winner_changes() -> None:
    answer = judged(doubt(grids(MINE, MINE), 2, ("bee", 0.7), ("fox", 0.3)), {}, PAPER)
    (question,) = answer.questions
    assert question.changes.endswith(" and who wins")


def test_paper_a_card_that_is_not_known() -> None:
    answer = judged(doubt(grids(MINE), 2, label=None), {}, PAPER)
    (question,) = answer.questions
    assert question.choices == (*PAPER.faces, "none")
    assert question.changes == "5 to 19 points or no total at seat 0 and who wins"
    assert "Which card is this? " in question.message
    assert judged(doubt(grids(MINE), 2, label=None), {"answer": "2=bee"}, PAPER).certain
    hidden = judged(doubt(grids([*MINE[:5], BACK]), 2, ("bee", 0.5), ("cat", 0.5)), {}, PAPER)
    assert hidden.questions[0].changes == "6 or 8 points that lie open at seat 0"


def test_paper_a_loose_card_is_nobodys_business() -> None:
    table = replace(grids(MINE), pieces=(*grids(MINE).pieces, card(50, None, 500.0, 500.0)))
    assert judged(table, {}, PAPER).certain


def test_paper_the_box_holds_four() -> None:
    table = grids(["fox", "fox", "fox", "fox", "dog", "bee"])
    answer = judged(doubt(table, 4, ("fox", 0.6), ("dog", 0.4)), {}, PAPER)
    assert answer.certain
    assert answer.sheet.to_json()["players"][0]["grid"][1][1] == "dog"


def test_paper_thirty_cards_with_ten_in_doubt_in_time() -> None:
    hands: list[list[str | None]] = [["fox", "ant", "bee", "cat", "dog", "elk"] for _ in range(5)]
    edition = replace(PAPER, faces={k: replace(f, count=9) for k, f in PAPER.faces.items()})
    table = grids(*hands)
    for h in range(5):
        table = doubt(doubt(table, 6 * h, ("fox", 0.5), ("tarzan", 0.5)), 6 * h + 4, ("dog", 0.5), ("safari", 0.5))
    answer, spent = timed(table, {}, edition)
    assert spent < 0.05 * SLACK
    assert len(answer.questions) == 10


def test_paper_cards_that_can_be_laid_out_in_two_ways() -> None:
    piles = (card(50, "bee", 210.0, 0.0), card(51, "cat", 210.0, -95.0))
    table = replace(grids(MINE), pieces=(*grids(MINE).pieces, *piles))
    (question,) = judged(table, {}, PAPER).questions
    assert (question.choices, question.changes) == (("as read", "otherwise"), "which cards are whose")
    assert judged(table, {"answer": f"{question.piece}=as read"}, PAPER).certain
    assert not judged(table, {"answer": f"{question.piece}=otherwise"}, PAPER).certain
