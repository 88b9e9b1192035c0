"""Bad tables of Paper Safari: all that is wrong is listed, and nothing raises."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.notation import parse
from scoring.options import Options
from scoring.paper_safari import problems, score
from scoring.table import Piece, Table
from tests.scoring.boxes import PAPER

GRID = "seat: fox mouse rabbit / monkey zebra giraffe"
STREWN = "card lion -300,300\ncard lion 300,300\ncard fox 0,500\ncard back 300,600"
HALF = "card lion -80,400\ncard fox 0,400\ncard lion 80,400"
EIGHT = "\n".join(f"card back {x},{y}" for y in (0, 96) for x in (0, 72, 144, 216))
BAD = [
    pytest.param(GRID, set(), id="nothing wrong"),
    pytest.param(f"{GRID}\ncard lion 0,190 id 3", {"same-id"}, id="an id twice"),
    pytest.param(f"{GRID}\ncard lion corners nan,0 1,1 2,2 3,3", {"bad-outline"}, id="nan"),
    pytest.param(f"{GRID}\ncard lion corners 0,0 1,1", {"bad-outline"}, id="two corners"),
    pytest.param(f"{GRID}\ncard unicorn 0,300", {"unknown-label"}, id="not of this box"),
    pytest.param(f"{GRID}\ncard lion 5,-140", {"seventh-card", "grid-unclear"}, id="a card on the grid"),
    pytest.param(f"{GRID}\n{STREWN}", {"card-in-no-grid"}, id="strewn"),
    pytest.param(f"{GRID}\ncard lion -300,300\ncard lion -302,302\ncard back 300,300", set(), id="two piles"),
    pytest.param(f"{GRID}\n{HALF}", {"card-in-no-grid"}, id="half of another grid"),
    pytest.param(
        f"{GRID}\ncard lion -300,300\ncard fox 0,500\ncard back 300,300", set(), id="two piles and a drawn card"
    ),
    pytest.param("card lion 0,0\ncard fox 500,0", {"no-grid"}, id="no grid"),
    pytest.param(
        "card lion 0,0\ncard fox 500,0\ncard fox 560,90", {"no-grid", "card-in-no-grid"}, id="three cards and no grid"
    ),
    pytest.param(EIGHT, {"grid-unclear"}, id="eight in line"),
    pytest.param("seat: fox ? zebra / monkey . giraffe", {"unread-card", "missing-card"}, id="unread and missing"),
    pytest.param(
        "seat: fox lion back / monkey . giraffe", {"grid-unclear", "missing-card"}, id="a draw pile in a grid's place?"
    ),
]


@pytest.mark.parametrize(("text", "rules"), BAD)
def test_bad_tables_are_problems(text: str, rules: set[str]) -> None:
    found = problems(parse(text, PAPER.size_mm), PAPER, Options())
    assert {p.rule for p in found} == rules
    assert all(p.message for p in found)


def test_an_edition_with_two_discard_piles() -> None:
    table = parse(f"{GRID}\n{STREWN}", PAPER.size_mm)
    assert problems(table, PAPER, Options(house={"discard_piles": 2})) == ()


def test_eight_in_line_names_the_cards_in_doubt() -> None:
    (problem,) = problems(parse(EIGHT, PAPER.size_mm), PAPER, Options())
    assert set(problem.pieces) <= set(range(8))
    assert len(problem.pieces) >= 6


numbers = st.floats(-300, 300) | st.sampled_from([float("nan"), float("inf"), 1e300, 0.0])
pieces = st.builds(
    Piece,
    id=st.integers(0, 9),
    kind=st.sampled_from(["card", "tile", "photo", "coin", "marker", "research"]),
    label=st.sampled_from([None, "fox", "lion", "safari", "back", "unicorn", ""]),
    outline_mm=st.lists(st.tuples(numbers, numbers), max_size=5).map(tuple)
    | st.tuples(st.floats(-300, 300), st.floats(-300, 300)).map(
        lambda at: tuple((at[0] + x, at[1] + y) for x, y in ((0, 88), (63, 88), (63, 0), (0, 0)))
    ),
    up_deg=numbers,
)


@given(st.lists(pieces, max_size=14).map(tuple))
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])  # a busy machine
def test_nothing_raises(found: tuple[Piece, ...]) -> None:
    table = Table(found)
    problems(table, PAPER, Options())
    assert score(table, PAPER, Options()).to_json()["players"] is not None
