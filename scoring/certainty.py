"""Which doubtful readings can change what counts, and the fewest questions after which it is fixed.

A *reading* settles every doubt. It is plausible where its odds, the product of its choices' odds, are not below a named
share of the best reading's, and the box holds the pieces that it needs. The questions are a smallest set of doubts such
that plausible readings that agree on them agree on what counts. Readings less probable than that are left out only as
long as all of them that would change what counts are together improbable; else the doubts they come from are asked too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scoring.doubt_tree import (
    FAINT,
    MOST_DOUBTS,
    NEGLECTED,
    PLAUSIBLE,
    Choice,
    Doubt,
    Pooled,
    Tree,
    odds_of,
)
from scoring.fewest import Reading, smallest_questions, varied

__all__ = ["FAINT", "PLAUSIBLE", "Asked", "Choice", "Doubt", "Outcome", "Pooled", "Verdict", "odds_of", "weigh"]

SOME_READINGS = 64
"""As many readings, from the best on, mostly show of each doubt that it tells: then the others need no look."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A doubt to ask about: its plausible choices, and the outcomes among which they decide."""

    doubt: Doubt
    choices: tuple[Choice, ...]
    outcomes: tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The best reading's choices, doubt by doubt, and what to ask."""

    best: tuple[Choice, ...]
    asked: tuple[Asked, ...]


Outcome = Callable[[tuple[Choice, ...]], Hashable]


def weigh(doubts: Sequence[Doubt], limits: Mapping[Pooled, int], outcome: Outcome) -> Verdict:
    """Find the best reading and the questions.

    `limits`: how many of a label the box still holds for the doubts. `outcome`: what counts, by the doubts' choices.
    """
    tree = Tree(doubts, limits if len(doubts) <= MOST_DOUBTS else {})
    if tree.best_odds < PLAUSIBLE:  # no plausible reading keeps the box's counts: they, not the pieces, are wrong
        tree = Tree(doubts, {})
    outcomes = _Outcomes(tree, outcome)
    readings = tree.plausible()
    if readings is None:
        questions = dict(_each_alone(tree, outcomes))
    else:
        questions = {i: _asked(tree, i, readings, outcomes) for i in _fewest(tree, readings, outcomes)}
        questions |= _of_the_faint(tree, tuple(questions), outcomes)
    return Verdict(tree.chosen(tree.best), tuple(questions[i] for i in sorted(questions)))


class _Outcomes(dict[Reading, Hashable]):
    """What counts in each reading, worked out when it is asked for, and once."""

    def __init__(self, tree: Tree, outcome: Outcome) -> None:
        super().__init__()
        self._tree, self._outcome = tree, outcome

    def __missing__(self, reading: Reading) -> Hashable:
        self[reading] = found = self._outcome(self._tree.chosen(reading))
        return found

    def of(self, readings: Sequence[Reading]) -> list[Hashable]:
        """Return the outcomes of readings, thousands at a time."""
        new = [r for r in readings if r not in self]
        self.update(zip(new, map(self._outcome, self._tree.all_chosen(new)), strict=True))
        return [self[r] for r in readings]


def _fewest(tree: Tree, readings: Sequence[Reading], outcomes: _Outcomes) -> tuple[int, ...]:
    """Return the fewest doubts to ask about, without what counts in every reading where a few tell as much."""
    open_to, there = varied(readings, tree.fields), frozenset(readings)
    some = readings[:: len(readings) // SOME_READINGS + 1]
    telling = [i for i in open_to if any(_tells(tree, i, reading, there, outcomes) for reading in some)]
    if len(telling) == len(open_to):
        return open_to
    return smallest_questions(readings, outcomes.of(readings), tree.fields, telling)


def _tells(tree: Tree, i: int, reading: Reading, there: Collection[Reading], outcomes: _Outcomes) -> bool:
    """Say whether another choice of a doubt, all others as in this reading, changes what counts."""
    return any(outcomes[other] != outcomes[reading] for other in tree.otherwise(i, reading) if other in there)


def _asked(tree: Tree, i: int, readings: Sequence[Reading], outcomes: _Outcomes) -> Asked:
    """Return a question with the choices of these readings and what is at stake: others as best read, else any way."""
    there = {tree.best, *readings}
    alone = dict.fromkeys([outcomes[r] for r in (tree.best, *(r for r, _ in tree.singly(i))) if r in there])
    stakes = tuple(alone if len(alone) > 1 else dict.fromkeys(outcomes.of([tree.best, *readings])))
    return Asked(tree.doubts[i], tree.members(i, there), stakes)


def _of_the_faint(tree: Tree, asked: Sequence[int], outcomes: _Outcomes) -> dict[int, Asked]:
    """Ask further, most telling first, until what is left out changes what counts with no more than NEGLECTED."""
    faint, best = tree.faint(asked), tree.best
    more: dict[int, Asked] = {}
    while True:
        changing = [(r, odds) for r, odds in faint if outcomes[r] != outcomes[best]]
        if sum(odds for _, odds in changing) <= NEGLECTED * sum(odds for _, odds in faint):
            return more
        told = [sum(odds for r, odds in changing if (r ^ best) & field) for field in tree.fields]
        i = told.index(max(told))
        more[i] = _asked(tree, i, [r for r, _ in changing if (r ^ best) & tree.fields[i]], outcomes)
        faint = [(r, odds) for r, odds in faint if not (r ^ best) & tree.fields[i]]


def _each_alone(tree: Tree, outcomes: _Outcomes) -> Iterator[tuple[int, Asked]]:
    """Ask of every doubt, where there are too many readings: each choice's outcome with the others as best read."""
    for i, classes in enumerate(tree.classes):
        if sum(odds >= PLAUSIBLE for _, odds in classes) > 1:
            yield i, _asked(tree, i, [r for r, _ in tree.singly(i, PLAUSIBLE)], outcomes)
