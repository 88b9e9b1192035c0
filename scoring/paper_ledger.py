"""Paper Safari from round to round, as a state that events change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from scoring.events import GameEvent, GameStarted, RoundScored
from scoring.paper_rounds import VICTORY_CARDS, award, game_winners, next_first
from scoring.sheet import Problem


@dataclass(frozen=True, slots=True)
class PaperState:
    """A game of Paper Safari. `first`: who starts the round that is played; `rounds`: how many are scored.

    `needed`: how many victory cards win.
    """

    players: tuple[str, ...]
    first: str
    victories: Mapping[str, int]
    rounds: int = 0
    needed: int = VICTORY_CARDS

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has won the game; none while it goes on."""
        return game_winners(self.victories, self.needed)

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "players": list(self.players),
            "first": self.first,
            "victories": dict(self.victories),
            "rounds": self.rounds,
            "needed": self.needed,
            "winners": list(self.winners),
        }


def start(event: GameStarted) -> PaperState | Problem:
    """Begin a game: nobody has a victory card."""
    first = event.first or event.players[0]
    if first not in event.players:
        return Problem("stranger", (), f"{first} is not among the players")
    if event.victory_cards < 1:
        return Problem("victory-cards", (), f"{event.victory_cards} victory cards win nothing")
    none = MappingProxyType(dict.fromkeys(event.players, 0))
    return PaperState(event.players, first, none, needed=event.victory_cards)


def step(state: PaperState, event: GameEvent) -> PaperState | Problem:
    """Take one event into the state; a Problem where the rules forbid it."""
    if not isinstance(event, RoundScored):
        return Problem("event-of-another-game", (), f"{type(event).__name__} is no event of Paper Safari")
    if state.winners:
        return Problem("game-over", (), f"the game is over: {' and '.join(state.winners)} won")
    if set(event.totals) != set(state.players):
        return Problem("players-and-totals", (), "every player has a total, and nobody else")
    low = min(event.totals.values())
    if not event.winners or any(event.totals.get(w) != low for w in event.winners):
        return Problem("lowest-total-wins", (), f"the round goes to the lowest total, {low}")
    victories = MappingProxyType(award(state.victories, event.winners))
    first = next_first(event.winners, state.players, state.first)
    return replace(state, first=first, victories=victories, rounds=state.rounds + 1)
