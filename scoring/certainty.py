"""Which doubtful readings can change what counts, and the fewest questions after which it is fixed.

A *reading* settles every doubt. It is plausible where its odds, the product of its choices' odds, are not below a named
share of the best reading's, and the box holds the pieces that it needs. The questions are a smallest set of doubts such
that plausible readings that agree on them agree on what counts. Readings less probable than that are left out only as
long as all of them that would change what counts are together improbable; else the doubts they come from are asked too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from math import prod

from scoring.fewest import Reading, smallest_questions

PLAUSIBLE = 0.01
"""A reading this many times less probable than the best is not taken up: less than a recogniser's own rate of error."""
NEGLECTED = 0.02
"""What is not taken up may change what counts with this probability, all of it together: one table in fifty."""
FAINT = PLAUSIBLE * NEGLECTED / 10
"""A reading this many times less probable than the best is in no sum: a thousand such make no NEGLECTED."""
MOST_READINGS = 4096
"""More plausible readings than this are not weighed one by one: then every doubt is asked about."""
MOST_FAINT = 1024
"""More less probable readings than this are not summed: then those that differ in one doubt alone stand for all."""
MOST_DOUBTS = 300
"""More doubts than this, which no box has pieces for, are not combined; nor are the box's counts then kept."""
MOST_STEPS = 40_000
"""A search of more steps than this is given up: the box's counts then leave too few ways through."""
ROUNDING = 1e-9
"""Odds that are equal but for rounding are equal."""

Choice = str | None
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
Weighed = tuple[Reading, float, Hashable]
"""A reading, its odds, and what counts in it."""


def odds_of(probabilities: Sequence[float]) -> tuple[float, ...]:
    """Return probabilities as shares of the greatest; all 1 where none is above 0."""
    most = max(probabilities, default=0.0)
    return tuple(p / most if most > 0 else 1.0 for p in probabilities)


def weigh(doubts: Sequence[Doubt], limits: Mapping[Pooled, int], outcome: Outcome) -> Verdict:
    """Find the best reading and the questions.

    `limits`: how many of a label the box still holds for the doubts. `outcome`: what counts, by the doubts' choices.
    """
    outcome = cache(outcome)  # readings come up again among the less probable ones
    tree = _Tree(doubts, limits if len(doubts) <= MOST_DOUBTS else {})
    if tree.best_odds < PLAUSIBLE:  # no plausible reading keeps the box's counts: they, not the pieces, are wrong
        tree = _Tree(doubts, {})
    best = tree.chosen(tree.best)
    readings = tree.plausible()
    if readings is None:
        asked = [i for i, classes in enumerate(tree.classes) if sum(odds >= PLAUSIBLE for _, odds in classes) > 1]
        return Verdict(best, tuple(_asked_alone(tree, i, outcome) for i in asked))
    weighed = [(r, odds, outcome(tree.chosen(r))) for r, odds in readings]
    fewest = smallest_questions([r for r, *_ in weighed], [result for *_, result in weighed])
    questions = {i: _asked(tree, i, weighed) for i in fewest}
    questions |= _of_the_faint(tree, fewest, weighed[0], outcome)
    return Verdict(best, tuple(questions[i] for i in sorted(questions)))


_Way = tuple[int, float, Pooled | None]
"""A doubt's choice, its odds, and what the box may run out of by it."""
_Node = tuple[Reading, float, tuple[Pooled, ...]]
"""The first doubts' choices, their odds, and what of the box's scarce pieces they use up."""


class _TooManyError(Exception):
    """A search that took more steps than it may."""


class _Tree:
    """All readings, choices that come to the same merged, cut off where they are not plausible."""

    def __init__(self, doubts: Sequence[Doubt], limits: Mapping[Pooled, int]) -> None:
        self.doubts = doubts
        wanted = Counter((d.pool, c) for d in doubts if d.pool is not None for c in set(d.choices))
        self.limits = {key: n for key, n in limits.items() if wanted[key] > n}
        self.classes = [self._merged(d) for d in doubts]
        self._ways = [self._allowed(d, classes) for d, classes in zip(doubts, self.classes, strict=True)]
        most = [max((odds for _, odds, _ in ways), default=0.0) for ways in self._ways]
        self._rest = [prod(most[depth:]) for depth in range(len(most) + 1)]  # no reading's odds from here on are above
        self._steps_taken = 0
        self.best_odds = 1.0
        self.best: Reading = tuple([classes[0][0] for classes in self.classes])
        if self.limits:
            self.best_odds, self.best = 0.0, ()
            with suppress(_TooManyError):
                self._find_best(0, 1.0, (), ())

    def _merged(self, doubt: Doubt) -> list[tuple[int, float]]:
        """Return (choice, odds), best first, one for each kind of choice that the rules or the counts tell apart.

        What tells nothing apart is as probable as all its choices together; the most probable stands for it.
        """
        kinds: dict[Hashable, tuple[int, float]] = {}
        for i in sorted(range(len(doubt.choices)), key=lambda i: -doubt.odds[i]):
            first, odds = kinds.get(self.kind(doubt, i), (i, 0.0))
            kinds[self.kind(doubt, i)] = first, odds + doubt.odds[i]
        merged = sorted(kinds.values(), key=lambda each: -each[1])
        most = merged[0][1]
        return [(i, odds / most) for i, odds in merged if odds / most >= FAINT]

    def kind(self, doubt: Doubt, choice: int) -> Hashable:
        """Return what tells a choice apart: what the rules see of it and, where the box runs out of it, its label."""
        return doubt.matters[choice], self._scarce(doubt, choice)

    def members(self, doubt: Doubt, kind: Hashable) -> list[int]:
        """Return the choices of a kind that are plausible themselves; where they are only together, all of them."""
        alike = [c for c, odds in enumerate(doubt.odds) if odds >= FAINT and self.kind(doubt, c) == kind]
        return [c for c in alike if doubt.odds[c] >= PLAUSIBLE * self.best_odds] or alike

    def _scarce(self, doubt: Doubt, choice: int) -> Pooled | None:
        label = doubt.choices[choice]
        key = None if doubt.pool is None or label is None else (doubt.pool, label)
        return key if key in self.limits else None

    def _allowed(self, doubt: Doubt, classes: Sequence[tuple[int, float]]) -> list[_Way]:
        """Return (choice, odds, what the box may run out of by it), without what the box holds none of."""
        ways = [(choice, odds, self._scarce(doubt, choice)) for choice, odds in classes]
        return [way for way in ways if way[2] is None or self.limits[way[2]] > 0]

    def _allows(self, key: Pooled | None, used: tuple[Pooled, ...]) -> bool:
        """Tell whether the box still holds one, where these are used up."""
        return key is None or used.count(key) < self.limits[key]

    def _reach(self, depth: int, used: tuple[Pooled, ...]) -> float:
        """Return what the odds of the doubts from here on may come to, with what the box still holds."""
        if not used:
            return self._rest[depth]
        best = [next((odds for _, odds, key in ways if self._allows(key, used)), 0.0) for ways in self._ways[depth:]]
        return prod(best)

    def _find_best(self, depth: int, odds: float, chosen: Reading, used: tuple[Pooled, ...]) -> None:
        """Find the most probable reading that is plausible: depth first, best choice first, cut off where none is."""
        if depth == len(self.doubts):
            self.best_odds, self.best = odds, chosen
            return
        self._steps_taken += 1
        if self._steps_taken > MOST_STEPS:
            raise _TooManyError
        for choice, share, key in self._ways[depth]:
            if self._allows(key, used):
                now = used if key is None else (*used, key)
                within_reach = odds * share * self._reach(depth + 1, now)
                if within_reach > self.best_odds and within_reach >= PLAUSIBLE * (1 - ROUNDING):
                    self._find_best(depth + 1, odds * share, (*chosen, choice), now)

    def plausible(self) -> list[tuple[Reading, float]] | None:
        """Return all plausible readings with their odds, the best first; None where there are too many."""
        found = self._above(PLAUSIBLE, {}, MOST_READINGS)
        if found is None:
            return None
        return sorted(found, key=lambda each: each[0] != self.best)

    def faint(self, settled: Sequence[int]) -> list[tuple[Reading, float]]:
        """Return readings with their odds that settle these doubts as the best does, down to what counts in no sum.

        Where they are too many, those that differ from the best in one doubt alone.
        """
        found = self._above(FAINT, {i: self.best[i] for i in settled}, MOST_FAINT)
        return [(self.best, self.best_odds), *self._singly(settled)] if found is None else found

    def _singly(self, settled: Sequence[int]) -> Iterator[tuple[Reading, float]]:
        for i, classes in enumerate(self.classes):
            usual = dict(classes)[self.best[i]]
            for choice, odds in classes:
                if i not in settled and choice != self.best[i]:
                    yield (*self.best[:i], choice, *self.best[i + 1 :]), self.best_odds * odds / usual

    def _above(self, share: float, only: Mapping[int, int], most: int) -> list[tuple[Reading, float]] | None:
        """Return the readings not below a share of the best's odds; None where they are more than `most`."""
        if len(self.doubts) > MOST_DOUBTS:
            return None
        found: list[tuple[Reading, float]] = []
        floor = share * self.best_odds * (1 - ROUNDING)
        ways = [[way for way in ways if only.get(i, way[0]) == way[0]] for i, ways in enumerate(self._ways)]
        self._steps_taken = 0
        try:
            self._collect(((), 1.0, ()), ways, floor, most, found)
        except _TooManyError:
            return None
        return found if len(found) <= most else None

    def _collect(
        self,
        node: _Node,
        open_to: Sequence[Sequence[_Way]],
        floor: float,
        most: int,
        found: list[tuple[Reading, float]],
    ) -> None:
        """Collect the readings below one node, best choices first."""
        chosen, odds, used = node
        depth = len(chosen)
        if depth == len(open_to):
            found.append((chosen, odds))
            return
        self._steps_taken += 1
        if self._steps_taken > MOST_STEPS or len(found) > most:
            raise _TooManyError
        rest = self._rest[depth + 1]
        for choice, share, key in open_to[depth]:
            further = odds * share
            if further * rest < floor:
                break  # the other choices are less probable
            if key is None:
                self._collect(((*chosen, choice), further, used), open_to, floor, most, found)
            elif used.count(key) < self.limits[key]:
                self._collect(((*chosen, choice), further, (*used, key)), open_to, floor, most, found)

    def chosen(self, reading: Reading) -> tuple[Choice, ...]:
        """Return a reading's choices."""
        return tuple([d.choices[c] for d, c in zip(self.doubts, reading, strict=True)])


def _asked(tree: _Tree, i: int, weighed: Sequence[Weighed]) -> Asked:
    """Return a question with the choices of these readings and what is at stake: others as best read, else any way."""
    doubt, best = tree.doubts[i], weighed[0][0]
    results = {reading: result for reading, _, result in weighed}
    kinds = {tree.kind(doubt, choice) for choice in {reading[i] for reading in results}}
    shown = [c for kind in kinds for c in tree.members(doubt, kind)]
    ways = [best, *((*best[:i], c, *best[i + 1 :]) for c, _ in tree.classes[i])]
    alone = dict.fromkeys([results[way] for way in ways if way in results])
    stakes = tuple(alone if len(alone) > 1 else dict.fromkeys(results.values()))
    return Asked(doubt, tuple(doubt.choices[c] for c in sorted(shown, key=lambda c: (-doubt.odds[c], c))), stakes)


def _of_the_faint(tree: _Tree, asked: Sequence[int], best: Weighed, outcome: Outcome) -> dict[int, Asked]:
    """Ask further, most telling first, until what is left out changes what counts with no more than NEGLECTED."""
    faint = [(r, odds, outcome(tree.chosen(r))) for r, odds in tree.faint(asked)]
    more: dict[int, Asked] = {}
    while True:
        changing = [each for each in faint if each[2] != best[2]]
        if sum(odds for _, odds, _ in changing) <= NEGLECTED * sum(odds for _, odds, _ in faint):
            return more
        told = [sum(odds for r, odds, _ in changing if r[i] != usual) for i, usual in enumerate(best[0])]
        i = told.index(max(told))
        more[i] = _asked(tree, i, [best, *(each for each in changing if each[0][i] != best[0][i])])
        faint = [each for each in faint if each[0][i] == best[0][i]]


def _asked_alone(tree: _Tree, i: int, outcome: Outcome) -> Asked:
    """Return a question where there are too many readings: each choice's outcome with the other doubts as best read."""
    readings = [(*tree.best[:i], c, *tree.best[i + 1 :]) for c, odds in tree.classes[i] if odds >= PLAUSIBLE]
    return _asked(tree, i, [(r, 1.0, outcome(tree.chosen(r))) for r in (tree.best, *readings)])
