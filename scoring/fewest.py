"""The fewest doubts to settle, so that what counts is fixed in every way to read them."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from functools import reduce
from itertools import combinations, islice
from operator import or_

MOST_SETS = 2_000
"""More sets of questions than this are not tried: then all that is left is asked."""

Reading = int
"""One way to settle all doubts, as one number: a field of bits for each doubt, holding which choice it is."""


def varied(readings: Sequence[Reading], fields: Sequence[int]) -> tuple[int, ...]:
    """Return the doubts that the readings do not all settle alike. `fields`: each doubt's bits."""
    differing = reduce(or_, [reading ^ readings[0] for reading in readings])
    return tuple(i for i, field in enumerate(fields) if differing & field)


def smallest_questions(
    readings: Sequence[Reading], outcomes: Sequence[Hashable], fields: Sequence[int], needed: Collection[int] = ()
) -> tuple[int, ...]:
    """Return a smallest set of doubts such that readings that agree on them have the same outcome.

    `fields`: each doubt's bits. `needed`: doubts of which it is known that none can be left out.
    """
    ids: dict[Hashable, int] = {}
    results = [ids.setdefault(result, len(ids)) for result in outcomes]
    if len(ids) < 2:
        return ()
    open_to = varied(readings, fields)
    above = sum(fields).bit_length()
    told = [reading | result << above for reading, result in zip(readings, results, strict=True)]
    whole = sum(fields[i] for i in open_to)
    forced = [i for i in open_to if i in needed or not _fixed(told, whole - fields[i], above)]
    others = [i for i in open_to if i not in forced]
    sets = (more for size in range(len(others) + 1) for more in combinations(others, size))
    pairs: list[int] = []  # how two readings of different outcomes differ: at one of these doubts any set must ask
    for more in islice(sets, MOST_SETS):
        asked = sum(fields[i] for i in (*forced, *more))
        if all(asked & pair for pair in pairs):
            if _fixed(told, asked, above):
                return tuple(sorted([*forced, *more]))
            pairs.append(_pair(told, asked, above))
    return open_to


def _fixed(told: Sequence[int], asked: int, above: int) -> bool:
    """Say whether readings that agree on these bits have the same outcome, told by the bits from `above` on."""
    with_outcome = asked | -1 << above
    return len({each & with_outcome for each in told}) == len({each & asked for each in told})


def _pair(told: Sequence[int], asked: int, above: int) -> int:
    """Return where two readings differ that agree on these bits and not in the outcome."""
    seen: dict[int, int] = {}
    other = next(each for each in told if seen.setdefault(each & asked, each) >> above != each >> above)
    return (seen[other & asked] ^ other) & ~(-1 << above)
