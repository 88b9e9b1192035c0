"""Kleine Fotosafari's photos: 3-2-1, and other goals."""

from __future__ import annotations

import pytest

from scoring.foto_progress import GOAL, Goal, claim_problem, goal_problems, left, level, suggested_goals, winners


@pytest.mark.parametrize(
    ("taken", "due"),
    [
        pytest.param([], 3, id="players start with photos of 3"),
        pytest.param([3, 3], 3, id="a third one"),
        pytest.param([3, 3, 3], 4, id="then of 4"),
        pytest.param([3, 3, 3, 4], 4, id="a second one"),
        pytest.param([3, 3, 3, 4, 4], 5, id="then of 5"),
        pytest.param([3, 3, 3, 4, 4, 5], None, id="all taken"),
    ],
)
def test_level(taken: list[int], due: int | None) -> None:
    assert level(taken) == due


@pytest.mark.parametrize(
    ("taken", "animals", "rule"),
    [
        pytest.param([], 3, None, id="of its level"),
        pytest.param([], 4, "photo-of-another-level", id="too soon"),
        pytest.param([3, 3, 3], 3, "photo-of-another-level", id="too late"),
        pytest.param([3, 3, 3, 4, 4, 5], 5, "all-photos-taken", id="after the end"),
    ],
)
def test_a_photo_must_be_of_its_players_level(taken: list[int], animals: int, rule: str | None) -> None:
    problem = claim_problem(taken, animals)
    assert (problem and problem.rule) == rule


def test_left() -> None:
    assert left([3, 3]) == {3: 1, 4: 2, 5: 1}
    assert left([3, 3, 3, 4]) == {3: 0, 4: 1, 5: 1}


@pytest.mark.parametrize(
    ("taken", "goal", "won"),
    [
        pytest.param({}, GOAL, (), id="nobody"),
        pytest.param({"ann": [3, 3, 3, 4, 4], "ben": []}, GOAL, (), id="not yet"),
        pytest.param({"ann": [3, 3, 3, 4, 4, 5], "ben": []}, GOAL, ("ann",), id="all required photos"),
        pytest.param({"ann": [3, 3, 3, 4, 4], "ben": []}, {3: 3, 4: 2, 5: 0}, ("ann",), id="none of five"),
        pytest.param({"ann": [3], "ben": []}, {3: 1}, ("ann",), id="a short game"),
    ],
)
def test_game_end(taken: dict[str, list[int]], goal: Goal, won: tuple[str, ...]) -> None:
    assert winners(taken, goal) == won


def test_suggestion_for_four() -> None:
    assert [goal[5] for goal in suggested_goals(4)] == [1, 0]
    assert suggested_goals(3) == (GOAL,)


@pytest.mark.parametrize(
    ("goal", "players", "wrong"),
    [
        pytest.param(GOAL, 4, 0, id="the rulebook's"),
        pytest.param({}, 2, 1, id="none"),
        pytest.param({3: 0, 4: 0, 5: 0}, 2, 1, id="none needed"),
        pytest.param({3: -1, 4: 1}, 2, 1, id="fewer than none"),
        pytest.param({6: 1}, 2, 1, id="no such photos"),
        pytest.param({3: 11}, 2, 1, id="more than the box holds"),
    ],
)
def test_goals_that_cannot_be(goal: Goal, players: int, wrong: int) -> None:
    assert len(goal_problems(goal, players)) == wrong
