"""The fewest doubts to settle, so that what counts is fixed in every way to read them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import combinations
from math import prod

MOST_SETS = 2_000
"""More sets of questions than this are not tried: then all that is left is asked."""

Reading = tuple[int, ...]
"""For each doubt, the index of its choice."""


def smallest_questions(readings: Sequence[Reading], outcomes: Sequence[Hashable]) -> tuple[int, ...]:
    """Return a smallest set of doubts such that readings that agree on them have the same outcome."""
    ids = {result: k for k, result in enumerate(dict.fromkeys(outcomes))}
    results = [ids[result] for result in outcomes]
    if len(ids) < 2:
        return ()
    columns = list(zip(*readings, strict=True))  # a doubt's choices, reading by reading
    sizes = [max(column) + 1 for column in columns]
    digits = [[c * prod(sizes[:i]) for c in column] for i, column in enumerate(columns)]
    varied = [i for i, column in enumerate(columns) if len(set(column)) > 1]
    whole = _summed([digits[i] for i in varied])
    forced = [i for i in varied if not _fixed([w - d for w, d in zip(whole, digits[i], strict=True)], results)]
    others = [i for i in varied if i not in forced]
    base = _summed([[0] * len(readings), *(digits[i] for i in forced)])
    tried = 0
    for size in range(len(others) + 1):
        for more in combinations(others, size):
            tried += 1
            if tried > MOST_SETS:
                return tuple(varied)
            if _fixed(_summed([base, *(digits[i] for i in more)]), results):
                return tuple(sorted([*forced, *more]))
    raise AssertionError("all doubts settled and the outcome still open")  # pragma: no cover  # readings are distinct


def _summed(columns: Sequence[Sequence[int]]) -> Sequence[int]:
    """Return one number a reading that tells these columns' digits."""
    return columns[0] if len(columns) == 1 else [sum(digits) for digits in zip(*columns, strict=True)]


def _fixed(numbers: Sequence[int], results: Sequence[int]) -> bool:
    """Say whether readings with the same number have the same result."""
    return len(set(zip(numbers, results, strict=True))) == len(set(numbers))
