"""Two rows of three among cards that lie about: neighbours, then lattices that hold six, five or four of them.

All in units of the card's own size, so that one set of thresholds serves every deck.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from scoring.layout import Pose
from scoring.table import Point

ROWS, COLUMNS = 2, 3
SLOTS = tuple((row, column) for row in range(ROWS) for column in range(COLUMNS))
Slot = tuple[int, int]

FEWEST_CARDS = 4
"""Fewer seen cards than this are no grid: a draw pile, discards and a card in hand may lie like three of one."""
SQUARE = 0.06
"""Cards whose sides differ by less than this share may lie in a grid by either side."""
SLOT_REACH = 0.38
"""How far from its slot a card may lie, in card widths and heights."""
CROOKED_REACH = 0.6
"""How far from the one slot left free a card may lie that is crooked or pushed aside, in card widths and heights."""
OFF, TWIST, SHEAR = 0.08, math.radians(8), 0.06
"""How people lay cards, one standard deviation: off their place in card sides, twisted in radians, columns leaning."""
MOST_COST = 9.0
"""One card laid badly costs no more than three standard deviations: it is bumped, not proof of another layout."""
MOST_SHEAR = 0.25
"""How far the columns may lean against the rows, as the cosine between them."""


@dataclass(frozen=True, slots=True)
class Reach:
    """How far apart neighbours may be: centre to centre in card widths and heights; `turn`: sine of the most twist."""

    least: float
    most_x: float
    most_y: float
    aside: float
    turn: float


CLOSE = Reach(least=0.7, most_x=1.75, most_y=1.6, aside=0.4, turn=0.5)
"""Cards laid as people lay a grid: from overlapping by a third to three quarters of a width apart."""
LOOSE = Reach(least=0.6, most_x=2.7, most_y=2.3, aside=0.6, turn=0.71)
"""Cards strewn widely or crooked, tried on what the close search leaves over."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """Cards in two rows of three: slot → card id. `right`, `down`: one column, one row on, mm. `cost`: crookedness."""

    slots: Mapping[Slot, int]
    right: Point
    down: Point
    origin: Point
    cost: float

    @property
    def ids(self) -> frozenset[int]:
        """The cards it holds."""
        return frozenset(self.slots.values())

    @property
    def centre_mm(self) -> Point:
        """The middle of its six places."""
        return self.place(0.5, 1.0)

    def place(self, row: float, column: float) -> Point:
        """Return where a slot lies."""
        return (
            self.origin[0] + column * self.right[0] + row * self.down[0],
            self.origin[1] + column * self.right[1] + row * self.down[1],
        )


class Edge(NamedTuple):
    """Card b lies one step beside card a: `column`, `row` steps in a's own frame; `turned`: b lies upside down to a."""

    b: int
    column: int
    row: int
    turned: int  # 1 or -1


Graph = Mapping[int, Sequence[Edge]]


def neighbours(cards: Sequence[Pose], width: float, height: float, reach: Reach) -> Graph:
    """Return each card's neighbours in its own rows and columns."""
    graph: dict[int, list[Edge]] = {c.id: [] for c in cards}
    furthest, turn = max(reach.most_x * width, reach.most_y * height), reach.turn
    along = sorted(cards, key=itemgetter(1))
    for i, (a, ax, ay, (ux, uy), _, _) in enumerate(along, 1):
        for b, bx, by, (vx, vy), _, _ in along[i:]:
            dx, dy = bx - ax, by - ay
            if dx > furthest:
                break
            if not -furthest <= dy <= furthest or dx * dx + dy * dy > furthest * furthest:
                continue
            if abs(ux * vy - uy * vx) > turn:
                continue
            turned = 1 if ux * vx + uy * vy > 0 else -1
            ox, oy = ux + turned * vx, uy + turned * vy
            length = math.hypot(ox, oy)
            step = _step((dx * oy - dy * ox) / (length * width), (dx * ox + dy * oy) / (length * height), reach)
            if step is not None:
                column, row = step
                graph[a].append(Edge(b, column, row, turned))
                graph[b].append(Edge(a, -column * turned, -row * turned, turned))
    return graph


def _step(across: float, upward: float, reach: Reach) -> Slot | None:
    """Return the (columns, rows) of a way of so many widths and heights where it leads to a neighbour's place."""
    if abs(upward) < reach.aside:
        return ((1 if across > 0 else -1), 0) if reach.least < abs(across) < reach.most_x else None
    if abs(across) < reach.aside and reach.least < abs(upward) < reach.most_y:
        return 0, (-1 if upward > 0 else 1)
    return None


def components(graph: Graph) -> Iterator[tuple[int, ...]]:
    """Give the connected groups of cards."""
    seen: set[int] = set()
    for start in graph:
        if start not in seen:
            seen.add(start)
            group = [start]
            for card in group:
                for b, _, _, _ in graph[card]:
                    if b not in seen:
                        seen.add(b)
                        group.append(b)
            yield tuple(group)


def walk(group: Sequence[int], graph: Graph) -> dict[Slot, int] | None:
    """Return (row, column) → card for a group that is a lattice as it stands; None where steps contradict."""
    at: dict[int, tuple[int, int, int]] = {group[0]: (0, 0, 1)}
    for card in group:
        row, column, sign = at[card]
        for b, right, down, turned in graph[card]:
            there = (row + sign * down, column + sign * right, sign * turned)
            if at.setdefault(b, there) != there:
                return None
    slots = {(row, column): card for card, (row, column, _) in at.items()}
    if len(slots) != len(group):
        return None
    top, left = min(slots)[0], min([column for _, column in slots])
    return {(row - top, column - left): card for (row, column), card in slots.items()}


def upright(slots: Mapping[Slot, int]) -> dict[Slot, int] | None:
    """Return the slots as two rows of three, turned a quarter where the cards lie on their side; None where neither."""
    rows, columns = max(slots)[0] + 1, max([column for _, column in slots]) + 1
    if rows <= ROWS and columns <= COLUMNS:
        return dict(slots)
    if rows <= COLUMNS and columns <= ROWS:
        return {(columns - 1 - column, row): card for (row, column), card in slots.items()}
    return None


def fit(slots: Mapping[Slot, int], at: Mapping[int, Pose]) -> Lattice | None:
    """Fit a lattice through at least three cards that do not lie in one line, least squares; None where none fits."""
    (mean_r, mean_c), steps, (rr, cc, rc), det = _design(tuple(slots))
    if det < 1e-9:
        return None
    n = len(slots)
    places = [(at[i].x, at[i].y) for i in slots.values()]
    mean_x, mean_y = sum([x for x, _ in places]) / n, sum([y for _, y in places]) / n
    rx = ry = cx = cy = 0.0
    for (r, c), (px, py) in zip(steps, places, strict=True):
        x, y = px - mean_x, py - mean_y
        rx, ry, cx, cy = rx + r * x, ry + r * y, cx + c * x, cy + c * y
    right = (rr * cx - rc * rx) / det, (rr * cy - rc * ry) / det
    down = (cc * rx - rc * cx) / det, (cc * ry - rc * cy) / det
    origin = mean_x - mean_c * right[0] - mean_r * down[0], mean_y - mean_c * right[1] - mean_r * down[1]
    cost = _cost(slots, right, down, origin, at)
    return None if cost is None else Lattice(slots, right, down, origin, cost)


@lru_cache(maxsize=1024)
def _design(slots: tuple[Slot, ...]) -> tuple[Point, tuple[Point, ...], tuple[float, float, float], float]:
    """Return what a fit takes of the slots alone: their mean, their steps from it, the steps' products, and its det."""
    n = len(slots)
    mean_r, mean_c = sum(row for row, _ in slots) / n, sum(column for _, column in slots) / n
    steps = tuple((row - mean_r, column - mean_c) for row, column in slots)
    rr, cc, rc = sum(r * r for r, _ in steps), sum(c * c for _, c in steps), sum(r * c for r, c in steps)
    return (mean_r, mean_c), steps, (rr, cc, rc), rr * cc - rc * rc


def _cost(slots: Mapping[Slot, int], right: Point, down: Point, origin: Point, at: Mapping[int, Pose]) -> float | None:
    """Return how far from a true lattice the cards lie: squared misplacement and twist, and shear; None: no lattice."""
    (rx, ry), (dx, dy), (ox, oy) = right, down, origin
    along, across = math.hypot(rx, ry), math.hypot(dx, dy)
    if along < 1e-9 or across < 1e-9 or ry * dx - rx * dy <= 0:
        return None
    shear = (rx * dx + ry * dy) / (along * across)
    if abs(shear) > MOST_SHEAR:
        return None
    cost = (shear / SHEAR) ** 2
    for (row, column), card in slots.items():
        _, px, py, (ux, uy), width, height = at[card]
        twist = math.asin(min(1.0, abs(ux * rx + uy * ry) / along))
        twist = min(twist, math.pi / 2 - twist)
        off = math.hypot(px - ox - column * rx - row * dx, py - oy - column * ry - row * dy)
        cost += min(MOST_COST, (off / (OFF * min(width, height))) ** 2 + (twist / TWIST) ** 2)
    return cost
