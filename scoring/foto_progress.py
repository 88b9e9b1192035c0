"""Kleine Fotosafari from photo to photo: which one a player must take next, and who has taken all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from scoring.sheet import Problem

Goal = Mapping[int, int]
"""Animals on a photo → how many such photos are needed, fewest animals first."""

GOAL: Goal = MappingProxyType({3: 3, 4: 2, 5: 1})
"""Three photos of three animals, then two of four, then one of five."""
FOUR_PLAYERS: tuple[Goal, ...] = (GOAL, MappingProxyType({3: 3, 4: 2, 5: 0}))
"""With four players at most one photo of five animals is suggested, or none."""
MOST_PHOTOS: Mapping[int, int] = MappingProxyType({3: 21, 4: 15, 5: 12})
"""The box holds this many photo cards of each kind."""


def suggested_goals(players: int) -> tuple[Goal, ...]:
    """Return the goals that the rulebook suggests for a number of players."""
    return FOUR_PLAYERS if players == 4 else (GOAL,)


def goal_problems(goal: Goal, players: int) -> tuple[Problem, ...]:
    """Each kind of photo is in the box, often enough for all players to take theirs, and one at least is needed."""
    problems = [
        Problem("photo-goal", (), f"{n} photos of {animals} animals each: the box holds {MOST_PHOTOS.get(animals, 0)}")
        for animals, n in goal.items()
        if not 0 <= n * players <= MOST_PHOTOS.get(animals, 0)
    ]
    if not any(goal.values()):
        problems.append(Problem("photo-goal", (), "no photo at all is needed"))
    return tuple(problems)


def level(taken: Sequence[int], goal: Goal = GOAL) -> int | None:
    """Return how many animals a player's next photo shows; None once all are taken. `taken`: animals on each so far."""
    return next((animals for animals, n in sorted(goal.items()) if taken.count(animals) < n), None)


def claim_problem(taken: Sequence[int], animals: int, goal: Goal = GOAL) -> Problem | None:
    """A photo must be of the level that its player has reached; None where it is."""
    due = level(taken, goal)
    if due is None:
        return Problem("all-photos-taken", (), "this player has taken all photos already")
    if animals != due:
        text = f"a photo of {animals} animals, but this player's next photo shows {due}"
        return Problem("photo-of-another-level", (), text)
    return None


def left(taken: Sequence[int], goal: Goal = GOAL) -> dict[int, int]:
    """Return how many photos of each kind a player still has to take."""
    return {animals: max(n - taken.count(animals), 0) for animals, n in sorted(goal.items())}


def winners(taken: Mapping[str, Sequence[int]], goal: Goal = GOAL) -> tuple[str, ...]:
    """The game ends as soon as one player has taken all required photos: that player wins."""
    return tuple(player for player, photos in taken.items() if level(photos, goal) is None)
