"""All ways to read a table's doubts, cut off where they are not plausible, or the box holds no such pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from operator import mul

from scoring.fewest import Reading

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
COUNT_BITS = 10
"""A count of MOST_DOUBTS pieces, and a bit that tells that it is more than the box holds."""
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


def odds_of(probabilities: Sequence[float]) -> tuple[float, ...]:
    """Return probabilities as shares of the greatest; all 1 where none is above 0."""
    most = max(probabilities, default=0.0)
    return tuple(p / most if most > 0 else 1.0 for p in probabilities)


_Way = tuple[int, float, Pooled | None]
"""A doubt's choice as the bits of a reading, its odds, and what the box may run out of by it."""


def _counts(ways: Iterable[_Way]) -> bool:
    """Say whether the box may run out of pieces for any of these."""
    return any(key is not None for *_, key in ways)


class _TooManyError(Exception):
    """A search that took more steps than it may."""


def _merged(doubt: Doubt, kinds: Sequence[Hashable]) -> list[tuple[int, float]]:
    """Return (choice, odds), best first, one for each kind of choice.

    What tells nothing apart is as probable as all its choices together; the most probable stands for it.
    """
    found: dict[Hashable, tuple[int, float]] = {}
    for i in sorted(range(len(doubt.choices)), key=lambda i: -doubt.odds[i]):
        first, odds = found.get(kinds[i], (i, 0.0))
        found[kinds[i]] = first, odds + doubt.odds[i]
    merged = sorted(found.values(), key=lambda each: -each[1])
    most = merged[0][1]
    return [(i, odds / most) for i, odds in merged if odds / most >= FAINT]


class Tree:
    """All readings, choices that come to the same merged.

    A reading is one number: each doubt's field of bits, the first doubt's highest, holds which of its `classes` it is.
    """

    def __init__(self, doubts: Sequence[Doubt], limits: Mapping[Pooled, int]) -> None:
        self.doubts = doubts
        wanted = Counter((d.pool, c) for d in doubts if d.pool is not None for c in set(d.choices))
        self.limits = {key: n for key, n in limits.items() if wanted[key] > n}
        self._kinds = [self._told_apart(d) for d in doubts]
        self.classes = [_merged(d, kinds) for d, kinds in zip(doubts, self._kinds, strict=True)]
        widths = [(len(classes) - 1).bit_length() for classes in self.classes]
        self._shifts = [sum(widths) - end for end in accumulate(widths)]
        self.fields = [((1 << width) - 1) << shift for width, shift in zip(widths, self._shifts, strict=True)]
        named = [[d.choices[c] for c, _ in classes] for d, classes in zip(doubts, self.classes, strict=True)]
        self._named = list(zip(named, self.fields, self._shifts, strict=True))
        self._ways = [self._allowed(i) for i in range(len(doubts))]
        self._hardest_first = sorted(self._ways, key=lambda ways: (not _counts(ways), len(ways)))
        most = [max((odds for _, odds, _ in ways), default=0.0) for ways in self._hardest_first]
        self._rest = [prod(most[depth:]) for depth in range(len(most) + 1)]  # no reading's odds from here on are above
        self._steps_taken = 0
        self.best: Reading = 0
        self.best_odds = 1.0
        if self.limits:
            self.best_odds = 0.0
            with suppress(_TooManyError):
                self._find_best(0, 1.0, 0, ())

    def _told_apart(self, doubt: Doubt) -> list[Hashable]:
        """Return what tells its choices apart: what the rules see and, where the box runs out of it, the label."""
        return [(seen, self._scarce(doubt, c)) for c, seen in enumerate(doubt.matters)]

    def members(self, i: int, readings: Iterable[Reading]) -> tuple[Choice, ...]:
        """Return a doubt's choices in these readings, most probable first, with all that come to the same.

        Of these, those that are plausible themselves; where they are only together, all of them.
        """
        doubt, kinds, shown = self.doubts[i], self._kinds[i], []
        for bits in {reading & self.fields[i] for reading in readings}:
            kind = kinds[self.classes[i][bits >> self._shifts[i]][0]]
            alike = [c for c, odds in enumerate(doubt.odds) if odds >= FAINT and kinds[c] == kind]
            shown += [c for c in alike if doubt.odds[c] >= PLAUSIBLE * self.best_odds] or alike
        return tuple(doubt.choices[c] for c in sorted(shown, key=lambda c: (-doubt.odds[c], c)))

    def _scarce(self, doubt: Doubt, choice: int) -> Pooled | None:
        label = doubt.choices[choice]
        key = None if doubt.pool is None or label is None else (doubt.pool, label)
        return key if key in self.limits else None

    def _allowed(self, i: int) -> list[_Way]:
        """Return the ways to settle a doubt, without what the box holds none of."""
        kinds = [(odds, self._scarce(self.doubts[i], choice)) for choice, odds in self.classes[i]]
        ways = [(rank << self._shifts[i], odds, key) for rank, (odds, key) in enumerate(kinds)]
        return [way for way in ways if way[2] is None or self.limits[way[2]] > 0]

    def _allows(self, key: Pooled | None, used: tuple[Pooled, ...]) -> bool:
        """Tell whether the box still holds one, where these are used up."""
        return key is None or used.count(key) < self.limits[key]

    def _reach(self, depth: int, used: tuple[Pooled, ...]) -> float:
        """Return what the odds of the doubts from here on may come to, with what the box still holds."""
        if not used:
            return self._rest[depth]
        left = self._hardest_first[depth:]
        return prod([next((odds for _, odds, key in ways if self._allows(key, used)), 0.0) for ways in left])

    def _find_best(self, depth: int, odds: float, reading: Reading, used: tuple[Pooled, ...]) -> None:
        """Find the most probable reading that is plausible: hardest doubts first, cut off where none is."""
        if depth == len(self.doubts):
            self.best_odds, self.best = odds, reading
            return
        self._steps_taken += 1
        if self._steps_taken > MOST_STEPS:
            raise _TooManyError
        for bits, share, key in self._hardest_first[depth]:
            if self._allows(key, used):
                now = used if key is None else (*used, key)
                within_reach = odds * share * self._reach(depth + 1, now)
                if within_reach > self.best_odds and within_reach >= PLAUSIBLE * (1 - ROUNDING):
                    self._find_best(depth + 1, odds * share, reading | bits, now)

    def chosen(self, reading: Reading) -> tuple[Choice, ...]:
        """Return a reading's choices."""
        return tuple([labels[(reading & field) >> shift] for labels, field, shift in self._named])

    def all_chosen(self, readings: Sequence[Reading]) -> Iterator[tuple[Choice, ...]]:
        """Give each reading's choices; of one doubt or more."""
        return zip(
            *([named[(r & field) >> shift] for r in readings] for named, field, shift in self._named), strict=True
        )

    def plausible(self) -> list[Reading] | None:
        """Return all plausible readings, the best first; None where there are too many."""
        found = self._above(PLAUSIBLE, (), MOST_READINGS)
        return None if found is None else sorted([r for r, _ in found], key=lambda reading: reading != self.best)

    def faint(self, settled: Sequence[int]) -> list[tuple[Reading, float]]:
        """Return readings with their odds that settle these doubts as the best does, down to what counts in no sum.

        Where they are too many, those that differ from the best in one doubt alone.
        """
        found = self._above(FAINT, settled, MOST_FAINT)
        if found is not None:
            return found
        open_to = [i for i in range(len(self.doubts)) if i not in settled]
        return [(self.best, self.best_odds), *(each for i in open_to for each in self.singly(i))]

    def otherwise(self, i: int, reading: Reading) -> list[Reading]:
        """Return the readings with any choice of this doubt, the others as in this one, counts left aside."""
        others = reading & ~self.fields[i]
        return [others | rank << self._shifts[i] for rank in range(len(self.classes[i]))]

    def singly(self, i: int, least: float = 0.0) -> Iterator[tuple[Reading, float]]:
        """Give the readings that differ from the best in this doubt alone, with their odds, counts left aside.

        `least`: leave out choices less probable than this share of the doubt's most probable.
        """
        readings = self.otherwise(i, self.best)
        usual = self.classes[i][readings.index(self.best)][1]
        for reading, (_, odds) in zip(readings, self.classes[i], strict=True):
            if reading != self.best and odds >= least:
                yield reading, self.best_odds * odds / usual

    def _above(self, share: float, settled: Sequence[int], most: int) -> list[tuple[Reading, float]] | None:
        """Return the readings not below a share of the best's odds, in order; None where they are more than `most`."""
        if len(self.doubts) > MOST_DOUBTS:
            return None
        floor = share * self.best_odds * (1 - ROUNDING)
        held = {i: self.best & self.fields[i] for i in settled}
        ways = [[way for way in ways if held.get(i, way[0]) == way[0]] for i, ways in enumerate(self._ways)]
        free = [doubt for doubt in ways if not _counts(doubt)]
        reach = list(accumulate([doubt[0][1] for doubt in reversed(free)], mul, initial=1.0))
        limited = sorted(filter(_counts, ways), key=len)  # the fewest branches first
        counted = _Counted(limited, self.limits, floor / reach.pop(), most)
        try:
            found = counted.readings()
        except _TooManyError:
            return None
        if len(found) > most:
            return None
        for doubt in free:
            cut = floor / reach.pop()  # no odds of the doubts after this one are above `reach`
            found = [(r | bits, o * share) for r, o in found for bits, share, _ in doubt if o * share >= cut]
            if len(found) > most:
                return None
        return sorted(found)


class _Counted:
    """The readings of those doubts that the box may run out of pieces for."""

    def __init__(self, doubts: Sequence[Sequence[_Way]], limits: Mapping[Pooled, int], floor: float, most: int) -> None:
        units = {key: 1 << COUNT_BITS * k for k, key in enumerate(limits)}
        self._ways = [[(bits, odds, 0 if key is None else units[key]) for bits, odds, key in d] for d in doubts]
        self._none_used = sum(((1 << COUNT_BITS - 1) - 1 - limits[key]) * unit for key, unit in units.items())
        self._too_many = sum(unit << COUNT_BITS - 1 for unit in units.values())  # each count's top bit
        self._rest = [prod([ways[0][1] for ways in self._ways[depth:]]) for depth in range(len(doubts) + 1)]
        self._floor, self._most = floor, most
        self._steps_taken = 0
        self._found: list[tuple[Reading, float]] = []

    def readings(self) -> list[tuple[Reading, float]]:
        """Return those not below the floor, with their odds; _TooManyError where they are too many, or the steps."""
        if not self._ways:
            return [(0, 1.0)]
        self._collect(0, 0, 1.0, self._none_used)
        return self._found

    def _collect(self, depth: int, reading: Reading, odds: float, used: int) -> None:
        """Collect the readings below one node, best choices first."""
        self._steps_taken += 1
        if self._steps_taken > MOST_STEPS or len(self._found) > self._most:
            raise _TooManyError
        last, rest = depth + 1 == len(self._ways), self._rest[depth + 1]
        for bits, share, unit in self._ways[depth]:
            if odds * share * rest < self._floor:
                break  # the other choices are less probable
            if used + unit & self._too_many:
                continue
            if last:
                self._found.append((reading | bits, odds * share))
            else:
                self._collect(depth + 1, reading | bits, odds * share, used + unit)
