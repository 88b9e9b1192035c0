"""Kleine Fotosafari from photo to photo, as a state that events change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from scoring.events import GameEvent, GameStarted, PhotoTaken
from scoring.foto_progress import GOAL, Goal, claim_problem, goal_problems, left, level, winners
from scoring.sheet import Problem


@dataclass(frozen=True, slots=True)
class FotoState:
    """A game of Kleine Fotosafari. `taken`: how many animals each photo shows that a player has taken, in order."""

    players: tuple[str, ...]
    goal: Goal
    taken: Mapping[str, tuple[int, ...]]

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has taken all photos; nobody while the game goes on."""
        return winners(self.taken, self.goal)

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values; `next`: how many animals each player's next photo shows; `left`: still to take."""
        return {
            "players": list(self.players),
            "goal": {str(animals): n for animals, n in self.goal.items()},
            "taken": {player: list(photos) for player, photos in self.taken.items()},
            "next": {player: level(photos, self.goal) for player, photos in self.taken.items()},
            "left": {p: {str(a): n for a, n in left(photos, self.goal).items()} for p, photos in self.taken.items()},
            "winners": list(self.winners),
        }


def start(event: GameStarted) -> FotoState | Problem:
    """Begin a game: nobody has a photo."""
    goal: Goal = MappingProxyType(dict(event.goal)) if event.goal else GOAL
    wrong = goal_problems(goal, len(event.players))
    return wrong[0] if wrong else FotoState(event.players, goal, MappingProxyType(dict.fromkeys(event.players, ())))


def step(state: FotoState, event: GameEvent) -> FotoState | Problem:
    """Take one event into the state; a Problem where the rules forbid it. A wrong claim changes nothing."""
    if not isinstance(event, PhotoTaken):
        return Problem("event-of-another-game", (), f"{type(event).__name__} is no event of Kleine Fotosafari")
    if state.winners:
        return Problem("game-over", (), f"the game is over: {' and '.join(state.winners)} won")
    if event.player not in state.players:
        return Problem("stranger", (), f"{event.player} is not among the players")
    taken = state.taken[event.player]
    wrong = claim_problem(taken, len(event.sequence), state.goal)
    if wrong is not None or not event.right:
        return wrong or state
    return replace(state, taken=MappingProxyType({**state.taken, event.player: (*taken, len(event.sequence))}))
