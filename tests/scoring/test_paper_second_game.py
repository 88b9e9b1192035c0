"""Random games of Paper Safari, round by round to the last victory card, scored a second time by plain code."""

from __future__ import annotations

import random

import pytest

from scoring.events import Event, GameStarted, RoundScored
from scoring.ledger import replay
from scoring.notation import parse
from scoring.options import Options
from scoring.paper_ledger import PaperState
from scoring.paper_rounds import RoundResult, round_result
from scoring.paper_safari import score
from scoring.sheet import Problem
from scoring.table import BACK
from tests.scoring.boxes import PAPER, VALUES
from tests.scoring.test_paper_second_scorer import Six, _counted, _winners

NAMES = ("ann", "ben", "cem", "dee", "eva")
GAMES = 40


def _hands(rng: random.Random, players: int) -> list[Six]:
    """Few kinds of cards, so that players tie; now and then one lies face down."""
    kinds = [*rng.sample(sorted(VALUES), rng.choice([1, 2, 4])), "safari"]
    hands = [[rng.choice(kinds) for _ in range(6)] for _ in range(players)]
    if rng.random() < 0.2:
        hands[rng.randrange(players)][rng.randrange(6)] = BACK
    if rng.random() < 0.3:
        hands[-1] = list(hands[0])
    return hands


def _closed(hands: list[Six], players: tuple[str, ...], first: str) -> RoundResult | Problem:
    seats = [f"seat: {' '.join(hand[:3])} / {' '.join(hand[3:])}" for hand in hands]
    return round_result(score(parse("\n".join(seats), PAPER.size_mm), PAPER, Options()), players, first)


def _game(seed: int) -> tuple[list[Event], dict[str, int], str, int]:
    """Play a game: its events and, counted here, the victory cards, who would start next, and the rounds shared."""
    rng = random.Random(seed)
    players = NAMES[: rng.randint(2, 5)]
    first = rng.choice(players)
    events: list[Event] = [GameStarted("paper-safari", players, first)]
    cards, shared = dict.fromkeys(players, 0), 0
    while max(cards.values()) < 3:
        hands = _hands(rng, len(players))
        result = _closed(hands, players, first)
        if any(BACK in hand for hand in hands):
            assert isinstance(result, Problem)
            continue
        won = [players[k] for k in sorted(_winners(hands, [_counted(hand, True) for hand in hands]))]
        turns = [players[(players.index(first) + k) % len(players)] for k in range(1, len(players) + 1)]
        for player in won:
            cards[player] += 1
        first, shared = next(p for p in turns if p in won), shared + (len(won) > 1)
        assert isinstance(result, RoundResult)
        assert (result.winners, result.next_first, len(result.lines)) == (tuple(won), first, len(won))
        totals = {p: _counted(hand, True)[0] for p, hand in zip(players, hands, strict=True)}
        events.append(RoundScored(totals, result.winners))
    return events, cards, first, shared


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_second_count_of_a_game_agrees(seed: int) -> None:
    events, cards, first, _ = _game(seed)
    ledger = replay(events)
    assert not isinstance(ledger, Problem)
    state = ledger.state
    assert isinstance(state, PaperState)
    assert (dict(state.victories), state.first, state.rounds) == (cards, first, len(events) - 1)
    assert state.winners == tuple(p for p, n in cards.items() if n == 3)
    assert all(not s.winners for s in ledger.states[:-1] if isinstance(s, PaperState))


def test_random_games_are_of_all_kinds() -> None:
    games = [_game(seed) for seed in range(GAMES)]
    assert {min(shared, 1) for *_, shared in games} == {0, 1}
    assert {sum(n == 3 for n in cards.values()) for _, cards, _, _ in games} >= {1, 2}
