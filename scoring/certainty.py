"""Which doubtful readings can change what counts, and the fewest questions after which it is fixed.

A *reading* settles every doubt. It is plausible where its odds, the product of its choices' odds, are not below a named
share of the best reading's, and the box holds the pieces that it needs. The questions are a smallest set of doubts such
that plausible readings that agree on them agree on what counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

PLAUSIBLE = 0.01
"""A reading this many times less probable than the best is not taken up: less than a recogniser's own rate of error."""
MOST_READINGS = 4096
"""More plausible readings than this are not weighed one by one: then every doubt is asked about."""
MOST_STEPS = 40_000
"""A search of more steps than this is given up: the box's counts then leave too few ways through."""
ROUNDING = 1e-9
"""Odds that are equal but for rounding are equal."""
MOST_SETS = 2_000
"""More sets of questions than this are not tried: then all that is left is asked."""

Choice = str | None
Reading = tuple[int, ...]
"""For each doubt, the index of its choice."""
Pooled = tuple[str, str]
"""(pool, label): what the box holds a limited number of."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """One thing that can be read in several ways.

    `about`: a piece's id, a string's name, or the like. `choices`: best first. `odds`: each choice's probability as a
    share of the best one's. `matters`: for each choice, what the rules see of it: two choices with the same are one.
    `pool`: whose counts the choices use up; None: no limit.
    """

    about: int | str
    choices: tuple[Choice, ...]
    odds: tuple[float, ...]
    matters: tuple[Hashable, ...]
    pool: str | None = None


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


def odds_of(probabilities: Sequence[float]) -> tuple[float, ...]:
    """Return probabilities as shares of the greatest; all 1 where none is above 0."""
    most = max(probabilities, default=0.0)
    return tuple(p / most if most > 0 else 1.0 for p in probabilities)


def weigh(doubts: Sequence[Doubt], limits: Mapping[Pooled, int], outcome: Outcome) -> Verdict:
    """Find the best reading and the questions.

    `limits`: how many of a label the box still holds for the doubts. `outcome`: what counts, by the doubts' choices.
    """
    tree = _Tree(doubts, limits)
    if tree.best_odds < PLAUSIBLE:  # no plausible reading keeps the box's counts: they, not the pieces, are wrong
        tree = _Tree(doubts, {})
    best = tree.chosen(tree.best)
    readings = tree.plausible()
    if readings is None:
        asked = [i for i, classes in enumerate(tree.classes) if len(classes) > 1]
        return Verdict(best, tuple(_asked_alone(doubts, i, best, outcome) for i in asked))
    if len(readings) == 1:
        return Verdict(best, ())
    outcomes = [outcome(tree.chosen(r)) for r in readings]
    questions = smallest_questions(readings, outcomes)
    return Verdict(best, tuple(_asked(tree, i, readings, outcomes) for i in questions))


class _TooManyError(Exception):
    """A search that took more steps, or found more readings, than it may."""


class _Tree:
    """All readings, choices that come to the same merged, cut off where they are not plausible."""

    def __init__(self, doubts: Sequence[Doubt], limits: Mapping[Pooled, int]) -> None:
        self.doubts = doubts
        wanted = Counter((d.pool, c) for d in doubts if d.pool is not None for c in set(d.choices))
        self.limits = {key: n for key, n in limits.items() if wanted[key] > n}
        self.classes = [self._merged(d) for d in doubts]
        self.best_odds = 0.0
        self.best: Reading = ()
        self._steps_taken = 0
        self._used: Counter[Pooled] = Counter()
        with suppress(_TooManyError):
            self._find_best(0, 1.0, ())

    def _merged(self, doubt: Doubt) -> list[tuple[int, float]]:
        """Return (choice, odds), best first, one for each kind of choice that the rules or the counts tell apart."""
        kinds: dict[Hashable, tuple[int, float]] = {}
        for i in sorted(range(len(doubt.choices)), key=lambda i: -doubt.odds[i]):
            if (
                doubt.odds[i] >= PLAUSIBLE**2
            ):  # where the counts rule out the best reading, this may still be near the next
                kinds.setdefault(self.kind(doubt, i), (i, doubt.odds[i]))
        return list(kinds.values())

    def kind(self, doubt: Doubt, choice: int) -> Hashable:
        """Return what tells a choice apart: what the rules see of it and, where the box runs out of it, its label."""
        return doubt.matters[choice], self._scarce(doubt, choice)

    def _scarce(self, doubt: Doubt, choice: int) -> Pooled | None:
        label = doubt.choices[choice]
        key = None if doubt.pool is None or label is None else (doubt.pool, label)
        return key if key in self.limits else None

    def _steps(self, depth: int, odds: float) -> Iterator[tuple[int, float]]:
        """Give the next doubt's choices that the counts allow, best first; each is used up until the next is taken."""
        self._steps_taken += 1
        if self._steps_taken > MOST_STEPS:
            raise _TooManyError
        for choice, share in self.classes[depth]:
            key = self._scarce(self.doubts[depth], choice)
            if key is None:
                yield choice, odds * share
            elif self._used[key] < self.limits[key]:
                self._used[key] += 1
                yield choice, odds * share
                self._used[key] -= 1

    def _find_best(self, depth: int, odds: float, chosen: Reading) -> None:
        """Find the most probable reading: depth first, best choice first, cut off below the best so far."""
        if depth == len(self.doubts):
            self.best_odds, self.best = odds, chosen
            return
        for choice, share in self._steps(depth, odds):
            if share > self.best_odds:
                self._find_best(depth + 1, share, (*chosen, choice))

    def plausible(self) -> list[Reading] | None:
        """Return all plausible readings, the best first; None where there are too many."""
        floor = PLAUSIBLE * self.best_odds * (1 - ROUNDING)
        found: list[Reading] = []
        self._steps_taken, self._used = 0, Counter()
        try:
            self._walk(0, 1.0, (), floor, found)
        except _TooManyError:
            return None
        found.remove(self.best)
        return [self.best, *found]

    def _walk(self, depth: int, odds: float, chosen: Reading, floor: float, found: list[Reading]) -> None:
        """Collect the plausible readings below one node."""
        if depth == len(self.doubts):
            if len(found) == MOST_READINGS:
                raise _TooManyError
            found.append(chosen)
            return
        for choice, share in self._steps(depth, odds):
            if share >= floor:
                self._walk(depth + 1, share, (*chosen, choice), floor, found)

    def chosen(self, reading: Reading) -> tuple[Choice, ...]:
        """Return a reading's choices."""
        return tuple(d.choices[c] for d, c in zip(self.doubts, reading, strict=True))


def smallest_questions(readings: Sequence[Reading], outcomes: Sequence[Hashable]) -> tuple[int, ...]:
    """Return a smallest set of doubts such that readings that agree on them have the same outcome."""
    digits = np.asarray(readings, dtype=np.int64)  # (readings, doubts)
    ids: dict[Hashable, int] = {}
    results = np.asarray([ids.setdefault(o, len(ids)) for o in outcomes], dtype=np.int64)
    if len(ids) == 1:
        return ()
    varied = [i for i in range(digits.shape[1]) if len(np.unique(digits[:, i])) > 1]
    forced = [i for i in varied if not _fixed(digits[:, [j for j in varied if j != i]], results)]
    others = [i for i in varied if i not in forced]
    tried = 0
    for size in range(len(others) + 1):
        for more in combinations(others, size):
            tried += 1
            if tried > MOST_SETS:
                return tuple(varied)
            if _fixed(digits[:, sorted([*forced, *more])], results):
                return tuple(sorted([*forced, *more]))
    raise AssertionError("all doubts settled and the outcome still open")  # pragma: no cover  # readings are distinct


def _fixed(digits: Any, results: Any) -> bool:
    """Say whether rows with the same digits have the same result."""
    rows = np.zeros_like(results)
    for k in range(digits.shape[1]):  # number the rows that are alike so far, one column after another
        rows = np.unique(rows * (int(digits[:, k].max()) + 1) + digits[:, k], return_inverse=True)[1]
    pairs = np.unique(rows * (int(results.max()) + 1) + results)
    return len(pairs) == int(rows.max()) + 1


def _asked(tree: _Tree, i: int, readings: Sequence[Reading], outcomes: Sequence[Hashable]) -> Asked:
    """Return a question with its plausible choices and what is at stake: other doubts as best read, else any way."""
    doubt, best = tree.doubts[i], readings[0]
    kinds = {tree.kind(doubt, reading[i]) for reading in readings}
    least = PLAUSIBLE * tree.best_odds
    shown = [c for c in range(len(doubt.choices)) if doubt.odds[c] >= least and tree.kind(doubt, c) in kinds]
    alone = [
        result
        for reading, result in zip(readings, outcomes, strict=True)
        if reading[:i] == best[:i] and reading[i + 1 :] == best[i + 1 :]
    ]
    stakes = tuple(dict.fromkeys(alone if len(set(alone)) > 1 else outcomes))
    return Asked(doubt, tuple(doubt.choices[c] for c in sorted(shown, key=lambda c: -doubt.odds[c])), stakes)


def _asked_alone(doubts: Sequence[Doubt], i: int, best: tuple[Choice, ...], outcome: Outcome) -> Asked:
    """Return a question where there are too many readings: each choice's outcome with the other doubts as best read."""
    shown = [c for c in range(len(doubts[i].choices)) if doubts[i].odds[c] >= PLAUSIBLE]
    choices = tuple(doubts[i].choices[c] for c in shown)
    return Asked(doubts[i], choices, tuple(dict.fromkeys(outcome((*best[:i], c, *best[i + 1 :])) for c in choices)))
