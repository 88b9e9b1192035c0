"""Which lattices there are among cards that crowd each other: every guess fitted, then the best that share no card."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

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
    cards = [at[i] for i in group]
    for card in group:
        for right, down, sideways in _bases(at[card], _nearest(at[card], graph[card], at), at):
            for row, column in SLOTS:
                lattice = _grow(at[card], right, down, (row, column), cards, at)
                if lattice is None:
                    continue
                if sideways and not square:
                    lattice = replace(lattice, cost=lattice.cost + SIDEWAYS)
                known = best.get(lattice.ids)
                if known is None or lattice.cost < known.cost:
                    best[lattice.ids] = lattice
    return tuple(sorted(best.values(), key=lambda g: (-worth(g), sorted(g.ids)))[:MOST_GUESSES])


def _nearest(card: Pose, edges: Sequence[Edge], at: Mapping[int, Pose]) -> list[Edge]:
    """Return a card's nearest neighbours to each side."""
    if len(edges) <= NEAREST:
        return list(edges)
    ordered = sorted(edges, key=lambda e: (math.dist(at[e.b].centre_mm, card.centre_mm), e.b))
    sides: dict[tuple[int, int], list[Edge]] = {}
    for edge in ordered:
        sides.setdefault((edge.column, edge.row), []).append(edge)
    return [edge for side in sides.values() for edge in side[:NEAREST]]


def _bases(card: Pose, edges: Sequence[Edge], at: Mapping[int, Pose]) -> Iterator[tuple[Point, Point, bool]]:
    """Give (right, down, sideways) steps in mm for each pair of neighbours at a corner."""
    for beside in edges:
        for below in edges:
            if beside.column and below.row:
                r, d = at[beside.b], at[below.b]
                right = (r.x - card.x) * beside.column, (r.y - card.y) * beside.column
                down = (d.x - card.x) * below.row, (d.y - card.y) * below.row
                yield right, down, False
                yield down, (-right[0], -right[1]), True


def _grow(
    card: Pose, right: Point, down: Point, slot: tuple[int, int], cards: Sequence[Pose], at: Mapping[int, Pose]
) -> Lattice | None:
    """Fit the lattice that has a card in this slot and these steps to all cards that lie in its slots."""
    ox, oy = card.x - slot[1] * right[0] - slot[0] * down[0], card.y - slot[1] * right[1] - slot[0] * down[1]
    slots: dict[tuple[int, int], int] = {}
    for row, column in SLOTS:
        x, y = ox + column * right[0] + row * down[0], oy + column * right[1] + row * down[1]
        near = [((p.x - x) ** 2 + (p.y - y) ** 2, p.id) for p in cards if _reaches(p, x, y, SLOT_REACH)]
        if near:
            slots[row, column] = min(near)[1]
    if len(slots) < FEWEST_CARDS or len(set(slots.values())) < len(slots):
        return None
    return fit(slots, at)


def _reaches(p: Pose, x: float, y: float, reach: float) -> bool:
    """Tell whether a card lies within `reach` widths and heights of a place."""
    dx, dy = x - p.x, y - p.y
    across, upward = dx * p.up[1] - dy * p.up[0], dx * p.up[0] + dy * p.up[1]
    return abs(across) <= reach * p.width_mm and abs(upward) <= reach * p.height_mm


def pack(lattices: Sequence[Lattice]) -> Packing:
    """Choose the lattices that share no card and are together worth most; for each, the best choice without it."""
    worths = [worth(g) for g in lattices]
    value, chosen = _best(lattices, worths)
    others: list[Packing] = []
    for out in chosen:
        rest, second = _best(
            lattices, [0.0 if g.ids <= lattices[out].ids else w for g, w in zip(lattices, worths, strict=True)]
        )
        others.append(Packing(tuple(lattices[i] for i in second), rest))
    return Packing(tuple(lattices[i] for i in chosen), value, tuple(others))


def _best(lattices: Sequence[Lattice], worths: Sequence[float]) -> tuple[float, tuple[int, ...]]:
    """Return the greatest worth of lattices that share no card, and which; exact unless that takes too many steps."""
    bit = {card: 1 << n for n, card in enumerate(sorted({c for g in lattices for c in g.ids}))}
    masks = [sum(bit[c] for c in g.ids) for g in lattices]
    memo: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}

    def best(free: int) -> tuple[float, tuple[int, ...]]:
        if free in memo:
            return memo[free]
        low = free & -free
        result = best(free ^ low) if len(memo) < MOST_STATES else (0.0, ())
        for i, mask in enumerate(masks):
            if mask & low and mask & free == mask and worths[i] > 0:
                value, rest = best(free ^ mask)
                result = max(result, (value + worths[i], (*rest, i)))
                if len(memo) >= MOST_STATES:
                    break
        memo[free] = result
        return result

    return best((1 << len(bit)) - 1)
