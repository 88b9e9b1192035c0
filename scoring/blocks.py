"""Groups of cards that are grids as they stand: one, or whole grids in line that can be told apart in one way only.

Everything else is weighed guess by guess, which takes ten times as long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.lattice import COLUMNS, ROWS, SLOTS, Graph, Lattice, Slot, fit, upright, walk
from scoring.layout import Pose

MOST_ABREAST = 4
"""More grids in one block than this are weighed."""
MOST_CROOKED = 6.0
"""How much a grid of a block may cost, on average: as neatly laid as this, no other grids among its cards come near.

Other windows on two grids hold ten of the twelve cards at most, so they are worth 2 less; two grids that cost this are
worth 0.6 less than straight ones, and which cards then lie about tells less than what is left.
"""


def at_once(group: Sequence[int], graph: Graph, at: Mapping[int, Pose]) -> tuple[Lattice, ...] | None:
    """Return a group's grids where its steps agree on them; None where they must be weighed."""
    size = len(SLOTS)
    if len(group) in (size - 1, size):
        walked = walk(group, graph)
        slots = None if walked is None else upright(walked)
        lattice = None if slots is None else fit(slots, at)
        return None if lattice is None else (lattice,)
    if len(group) % size or len(group) > MOST_ABREAST * size:
        return None
    walked = walk(group, graph)
    return None if walked is None else _in_line(walked, at)


def _in_line(slots: Mapping[Slot, int], at: Mapping[int, Pose]) -> tuple[Lattice, ...] | None:
    """Return the grids of a full rectangle that is one grid broad, or one high; None where it is none, or crooked.

    Those with later cards come first, as where they are weighed: which of two is seat 0 may hang on it.
    """
    rows, columns = max(row for row, _ in slots) + 1, max(column for _, column in slots) + 1
    if rows * columns != len(slots) or (rows != ROWS and columns != COLUMNS):
        return None
    corners = [(top, left) for top in range(0, rows, ROWS) for left in range(0, columns, COLUMNS)]
    found: list[Lattice] = []
    for top, left in corners:
        lattice = fit({(row, column): slots[top + row, left + column] for row, column in SLOTS}, at)
        if lattice is None:
            return None
        found.append(lattice)
    found.sort(key=lambda g: -min(g.ids))
    return tuple(found) if sum(g.cost for g in found) <= MOST_CROOKED * len(found) else None
