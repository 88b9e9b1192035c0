"""The places of a grid that no card fills plainly: taken by a loose card that lies near, or left free."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from scoring.lattice import COLUMNS, CROOKED_REACH, ROWS, SLOTS, SQUARE, Lattice
from scoring.layout import Pose


def completed(found: Sequence[Lattice], cards: Sequence[Pose], at: Mapping[int, Pose]) -> list[Lattice]:
    """Take into a grid's free places the loose cards that lie there, crooked or pushed aside."""
    taken = {i for g in found for i in g.slots.values()}
    result: list[Lattice] = []
    for lattice in found:
        if len(lattice.slots) == len(SLOTS):
            result.append(lattice)
            continue
        ways = [_filled(shifted, [p for p in cards if p.id not in taken]) for shifted in _shifts(lattice, at)]
        best = max(ways, key=lambda g: len(g.slots))
        taken |= best.ids
        result.append(best)
    return result


def _shifts(lattice: Lattice, at: Mapping[int, Pose]) -> list[Lattice]:
    """Return the ways to read a grid that shows two columns side by side: the third lies right, left or between."""
    columns = sorted({column for _, column in lattice.slots})
    if len(columns) != COLUMNS - 1 or columns[1] - columns[0] > 1:
        return [lattice]
    first = _moved(lattice, -columns[0])
    (rx, ry), cards = lattice.right, [at[i] for i in lattice.ids]
    apart = {(row, 2 * column): i for (row, column), i in first.slots.items()}
    between = replace(first, slots=apart, right=(rx / 2, ry / 2))
    ways = [first, _moved(first, 1)]
    if math.hypot(rx, ry) / 2 >= min(p.width_mm for p in cards):
        ways.insert(0, between)
    if all(abs(p.width_mm - p.height_mm) < SQUARE * p.width_mm for p in cards):
        ways += [_turned(first), _moved(_turned(first), 1)]
    return ways


def _moved(lattice: Lattice, by: int) -> Lattice:
    """Return a lattice whose columns are counted from `by` places further left."""
    slots = {(row, column + by): i for (row, column), i in lattice.slots.items()}
    return replace(lattice, slots=slots, origin=lattice.place(0, -by))


def _turned(lattice: Lattice) -> Lattice:
    """Return two columns as two rows: a quarter turn."""
    slots = {(ROWS - 1 - column, row): i for (row, column), i in lattice.slots.items()}
    right, (dx, dy) = lattice.down, lattice.right
    return replace(lattice, slots=slots, right=right, down=(-dx, -dy), origin=lattice.place(0, ROWS - 1))


def _filled(lattice: Lattice, loose: Sequence[Pose]) -> Lattice:
    """Put into free places the loose cards nearest to them."""
    slots = dict(lattice.slots)
    for slot in SLOTS:
        if slot in slots:
            continue
        x, y = lattice.place(*slot)
        near = [(math.hypot(p.x - x, p.y - y), p.id) for p in loose if p.id not in slots.values()]
        if near and min(near)[0] < CROOKED_REACH * math.hypot(*lattice.right):
            slots[slot] = min(near)[1]
    return replace(lattice, slots=slots)
