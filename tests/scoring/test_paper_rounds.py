"""Paper Safari from round to round."""

from __future__ import annotations

import pytest

from scoring.notation import parse
from scoring.options import Options
from scoring.paper_rounds import RoundResult, award, game_winners, next_first, round_over, round_result, still_hidden
from scoring.paper_safari import PaperSheet, score
from scoring.sheet import Problem
from tests.scoring.boxes import PAPER

DONE = "seat: fox mouse rabbit / monkey zebra giraffe"
DEARER = "seat: lion mouse rabbit / monkey zebra giraffe"
OPEN = "seat: fox back rabbit / monkey zebra giraffe"


def sheet(*seats: str) -> PaperSheet:
    return score(parse("\n".join(seats), PAPER.size_mm), PAPER, Options())


@pytest.mark.parametrize(
    ("seats", "over", "hidden"),
    [
        pytest.param([], False, (), id="nobody"),
        pytest.param([OPEN, OPEN], False, (), id="nobody's six are face up"),
        pytest.param([DONE, OPEN], True, (1,), id="one player's six are face up: the round ends"),
        pytest.param([DONE, DEARER], True, (), id="all are face up"),
    ],
)
def test_round_ends(seats: list[str], over: bool, hidden: tuple[int, ...]) -> None:
    assert round_over(sheet(*seats)) is over
    assert still_hidden(sheet(*seats)) == hidden


def test_the_winner_takes_a_victory_card_and_starts_the_next_round() -> None:
    result = round_result(sheet(DEARER, DONE), ["ann", "ben"], first="ann")
    assert isinstance(result, RoundResult)
    assert result.winners == ("ben",)
    assert result.next_first == "ben"
    assert [(line.rule, line.points) for line in result.lines] == [("lowest-total", 1)]
    assert award({"ann": 1, "ben": 2}, result.winners) == {"ann": 1, "ben": 3}


@pytest.mark.parametrize(
    ("seats", "players", "rule"),
    [
        pytest.param([DONE, OPEN], ["ann", "ben"], "round-not-over", id="cards face down"),
        pytest.param([DONE], ["ann", "ben"], "players-and-grids", id="a grid too few"),
        pytest.param([], [], "round-not-over", id="nobody"),
    ],
)
def test_a_round_that_cannot_be_closed(seats: list[str], players: list[str], rule: str) -> None:
    result = round_result(sheet(*seats), players, first="ann")
    assert isinstance(result, Problem)
    assert result.rule == rule


@pytest.mark.parametrize(
    ("winners", "first", "want"),
    [
        pytest.param(["cat"], "ann", "cat", id="the winner"),
        pytest.param(["ann", "cat"], "ann", "cat", id="of several, the next in turn after the last first player"),
        pytest.param(["ann", "ben"], "ben", "ann", id="round the table"),
        pytest.param(["ben", "cat"], "nobody", "ben", id="first player not known"),
    ],
)
def test_first_player_of_the_next_round(winners: list[str], first: str, want: str) -> None:
    assert next_first(winners, ["ann", "ben", "cat"], first) == want


@pytest.mark.parametrize(
    ("victories", "winners"),
    [
        pytest.param({}, (), id="nobody"),
        pytest.param({"ann": 2, "ben": 1}, (), id="not yet"),
        pytest.param({"ann": 3, "ben": 2}, ("ann",), id="three victory cards"),
        pytest.param({"ann": 3, "ben": 3, "cat": 1}, ("ann", "ben"), id="a shared round: they share the game"),
    ],
)
def test_game_end(victories: dict[str, int], winners: tuple[str, ...]) -> None:
    assert game_winners(victories) == winners


def test_a_shorter_game() -> None:
    assert game_winners({"ann": 1, "ben": 0}, needed=1) == ("ann",)


def test_the_first_victory_card_of_a_player_not_listed() -> None:
    assert award({}, ["ann"]) == {"ann": 1}
