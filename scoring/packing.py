"""Which lattices there are among cards that crowd each other: every guess fitted, then the best that share no card."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import product
from operator import itemgetter, or_

from scoring.lattice import FEWEST_CARDS, SLOT_REACH, SLOTS, Edge, Graph, Lattice, fit
from scoring.layout import Pose
from scoring.table import Point

PER_CARD, PER_GRID = 1.0, -2.5
"""What a guess is worth: a point a card, less what a grid must earn to be believed, less how crooked it lies."""
CROOKED = 0.05
"""What a unit of a lattice's cost, in squared standard deviations, takes from its worth."""
SIDEWAYS = 10.0
"""What is added to the cost of a guess that its cards lie on their side."""
RIVAL = 0.6
"""A second choice of grids this near to the best in worth is a doubt."""
MOST_GUESSES = 120
"""Guesses weighed against each other at a time, best first; eight grids side by side make some ninety."""
MOST_STATES = 3_000
"""Where weighing takes more steps than this, what is best card by card is taken; eight grids take some hundred."""
NEAREST = 2
"""So many of a card's neighbours to a side are tried: more lie there only where cards lie in heaps."""

Found = tuple[int | None, ...]
"""The cards that lie in a lattice's slots, row by row; None: no card."""
Reached = tuple[float, float, Point, float, float, int]
"""A card and how far from it a place may be that is its: x, y, printed up, along its width, along its height, id."""
Cells = Mapping[tuple[float, float], Sequence[Reached]]
"""The table in squares, by column and row: the cards that may reach into each. As wide as the furthest card reaches."""
STEPS = tuple((rows, columns) for rows in range(-2, 3) for columns in range(-2, 3) if abs(rows * columns) < 4)
"""All steps down and right from a card that lead to another of its lattice, upright or on its side."""
Window = Callable[[Sequence[int | None]], Found]
"""Picks out a lattice's six slots from what lies at all STEPS from one of its cards."""


def _window(top: int, left: int, sideways: bool) -> tuple[Window, bool, int]:
    """Return the window of a card in this slot, whether it is sideways, and which STEPS it looks at, a bit each.

    Sideways, a column on is a step down, and a row on is a step back from the right.
    """
    steps = [(row - top, column - left) for row, column in SLOTS]
    places = [STEPS.index((columns, -rows) if sideways else (rows, columns)) for rows, columns in steps]
    return itemgetter(*places), sideways, sum(1 << k for k in places)


WINDOWS = tuple(_window(row, column, sideways) for sideways in (False, True) for row, column in SLOTS)


@lru_cache(maxsize=1 << 12)
def _windows(filled: int) -> tuple[tuple[Window, bool], ...]:
    """Return the windows that hold cards enough for a grid where these STEPS, a bit each, lead to a card."""
    return tuple((window, on) for window, on, looks in WINDOWS if (looks & filled).bit_count() >= FEWEST_CARDS)


@dataclass(frozen=True, slots=True)
class Packing:
    """Grids that share no card, what they are worth together, and the second choices."""

    lattices: tuple[Lattice, ...]
    worth: float
    others: tuple[Packing, ...] = ()

    @property
    def ids(self) -> frozenset[int]:
        """The cards that its grids hold."""
        return frozenset(i for g in self.lattices for i in g.ids)

    def differs(self, other: Packing) -> frozenset[int]:
        """Return the cards of grids that the other choice lays out otherwise, not only leaving a card out."""
        mine = [g.ids for g in self.lattices]
        return frozenset(i for g in other.lattices if not any(g.ids <= m for m in mine) for i in g.ids)


def worth(lattice: Lattice) -> float:
    """Return how far a guess is to be believed."""
    return PER_CARD * len(lattice.slots) + PER_GRID - CROOKED * lattice.cost


def guesses(group: Sequence[int], graph: Graph, at: Mapping[int, Pose], square: bool) -> tuple[Lattice, ...]:
    """Return every lattice of four or more cards that a card, one beside it and one above or below it span."""
    best: dict[frozenset[int], Lattice] = {}
    for found, sideways in dict.fromkeys(_grown(group, graph, at)):
        slots = {slot: i for slot, i in zip(SLOTS, found, strict=True) if i is not None}
        ids = frozenset(slots.values())
        lattice = fit(slots, at) if len(ids) == len(slots) else None
        if lattice is None:
            continue
        if sideways and not square:
            lattice = replace(lattice, cost=lattice.cost + SIDEWAYS)
        known = best.get(ids)
        if known is None or lattice.cost < known.cost:
            best[ids] = lattice
    return tuple(sorted(best.values(), key=lambda g: (-worth(g), sorted(g.slots.values())))[:MOST_GUESSES])


def _grown(group: Sequence[int], graph: Graph, at: Mapping[int, Pose]) -> Iterator[tuple[Found, bool]]:
    """Give what lies in the slots of each lattice that could be, and whether the cards lie on their side there."""
    cell_mm = max(_furthest(at[i]) for i in group)
    cells = _cells([at[i] for i in group], cell_mm)
    for card in group:
        for right, down in _bases(at[card], _nearest(at[card], graph[card], at), at):
            there, filled = _beside(at[card], right, down, cells, cell_mm)
            for window, sideways in _windows(filled):
                yield window(there), sideways


def _nearest(card: Pose, edges: Sequence[Edge], at: Mapping[int, Pose]) -> list[Edge]:
    """Return a card's nearest neighbours to each side."""
    if len(edges) <= NEAREST:
        return list(edges)
    ordered = sorted(edges, key=lambda e: (math.dist(at[e.b].centre_mm, card.centre_mm), e.b))
    sides: dict[tuple[int, int], list[Edge]] = {}
    for edge in ordered:
        sides.setdefault((edge.column, edge.row), []).append(edge)
    return [edge for side in sides.values() for edge in side[:NEAREST]]


def _bases(card: Pose, edges: Sequence[Edge], at: Mapping[int, Pose]) -> Iterator[tuple[Point, Point]]:
    """Give (right, down) steps in mm for each pair of neighbours at a corner."""
    for beside in edges:
        for below in edges:
            if beside.column and below.row:
                r, d = at[beside.b], at[below.b]
                right = (r.x - card.x) * beside.column, (r.y - card.y) * beside.column
                yield right, ((d.x - card.x) * below.row, (d.y - card.y) * below.row)


def _beside(card: Pose, right: Point, down: Point, cells: Cells, cell_mm: float) -> tuple[list[int | None], int]:
    """Return for each of STEPS from a card the nearest card that reaches the place there, and which do, a bit each."""
    there: list[int | None] = [None] * len(STEPS)
    filled = 0
    (x, y), (rx, ry), (dx, dy) = card.centre_mm, right, down
    for k, (rows, columns) in enumerate(STEPS):
        px, py = x + rows * dx + columns * rx, y + rows * dy + columns * ry
        here = cells.get((px // cell_mm, py // cell_mm))
        nearest = _nearest_reached(here, px, py) if here else None
        if nearest is not None:
            there[k] = nearest
            filled |= 1 << k
    return there, filled


def _nearest_reached(cards: Sequence[Reached], x: float, y: float) -> int | None:
    """Return the nearest card within SLOT_REACH widths and heights of a place; None where none is."""
    nearest, least = None, (math.inf, 0)
    for px, py, (ux, uy), along, across, card in cards:
        dx, dy = x - px, y - py
        if abs(dx * uy - dy * ux) <= along and abs(dx * ux + dy * uy) <= across:
            far = dx * dx + dy * dy, card
            if far < least:
                nearest, least = card, far
    return nearest


def _cells(cards: Sequence[Pose], cell_mm: float) -> Cells:
    """Return the cards by the squares that they may reach into."""
    cells: dict[tuple[float, float], list[Reached]] = {}
    for p in cards:
        far = _furthest(p)
        columns, rows = ({(v - far) // cell_mm, v // cell_mm, (v + far) // cell_mm} for v in p.centre_mm)
        reached = p.x, p.y, p.up, SLOT_REACH * p.width_mm, SLOT_REACH * p.height_mm, p.id
        for cell in product(columns, rows):
            cells.setdefault(cell, []).append(reached)
    return cells


def _furthest(p: Pose) -> float:
    """Return how far a card reaches in any direction, in mm."""
    return SLOT_REACH * math.hypot(p.width_mm, p.height_mm)


def pack(lattices: Sequence[Lattice]) -> Packing:
    """Choose the lattices that share no card and are together worth most; for each, the best choice without it."""
    ids, worths = [g.ids for g in lattices], [worth(g) for g in lattices]
    bits = [(1 << k, own) for k, own in enumerate(ids)]
    believed = sum(bit for (bit, _), w in zip(bits, worths, strict=True) if w > 0)
    holding = [sum(bit for bit, own in bits if card in own) for card in sorted({c for own in ids for c in own})]
    meeting = [reduce(or_, (at for at in holding if at & bit)) for bit, _ in bits]
    value, chosen = _best(believed, worths, holding, meeting)
    others: list[Packing] = []
    for out in chosen:
        within = sum(bit for bit, own in bits if own <= ids[out])
        rest, second = _best(believed & ~within, worths, holding, meeting)
        others.append(Packing(tuple(lattices[i] for i in second), rest))
    return Packing(tuple(lattices[i] for i in chosen), value, tuple(others))


def _best(
    among: int, worths: Sequence[float], holding: Sequence[int], meeting: Sequence[int]
) -> tuple[float, tuple[int, ...]]:
    """Return the greatest worth of lattices that share no card, and which; exact unless that takes too many steps.

    Sets of lattices are a bit a lattice: `among` which to choose; `holding`: those that hold each card; `meeting`:
    those that share a card with each lattice, itself included.
    """
    memo: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}

    def best(left: int, card: int) -> tuple[float, tuple[int, ...]]:
        if left in memo:
            return memo[left]
        while not left & holding[card]:
            card += 1
        holders = left & holding[card]
        result = best(left & ~holders, card + 1) if len(memo) < MOST_STATES else (0.0, ())
        while holders:
            i = (holders & -holders).bit_length() - 1
            holders &= holders - 1
            value, rest = best(left & ~meeting[i], card + 1)
            result = max(result, (value + worths[i], (*rest, i)))
            if len(memo) >= MOST_STATES:
                break
        memo[left] = result
        return result

    return best(among, 0)
