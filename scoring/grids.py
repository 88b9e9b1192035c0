"""Paper Safari's grids on the table: which six cards are whose, as their player sees them, seat by seat."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from scoring.blocks import at_once
from scoring.free_places import completed
from scoring.lattice import (
    CLOSE,
    COLUMNS,
    FEWEST_CARDS,
    LOOSE,
    ROWS,
    SLOTS,
    SQUARE,
    Lattice,
    Reach,
    components,
    neighbours,
)
from scoring.layout import TOWARDS_VIEWER, Pose, alike, piles, poses
from scoring.packing import RIVAL, Packing, guesses, pack
from scoring.table import BACK, Piece, Point

OUTWARD, BESIDE_PILES, NEARER = 2.0, 0.5, 0.25
"""What speaks for a player's side: that it is away from the other players, or from the piles; the
viewer's side. Upright faces speak as 1."""
PILES = 2
"""A draw pile and a discard pile lie beside the grids."""
MOST_CROOKED = 45.0
"""A grid that costs more than this, in squared standard deviations (six cards make some 12), is a doubt."""

Row = tuple[Piece | None, Piece | None, Piece | None]


@dataclass(frozen=True, slots=True)
class Grid:
    """One player's cards as that player sees them, top row first.

    `up`: away from the player, a unit vector. `places_mm`: where the six places lie, row by row, also those left free.
    """

    seat: int
    rows: tuple[Row, Row]
    centre_mm: Point
    up: Point
    places_mm: tuple[Point, ...] = ()

    @property
    def cards(self) -> tuple[Piece, ...]:
        """Its cards, row by row."""
        return tuple(c for row in self.rows for c in row if c is not None)


@dataclass(frozen=True, slots=True)
class Grids:
    """All grids by seat, and the cards in none. `unclear`: cards that a nearly as good reading lays out otherwise.

    `at`: how each card lies that has a shape.
    """

    grids: tuple[Grid, ...] = ()
    loose: tuple[Piece, ...] = ()
    unclear: tuple[Piece, ...] = ()
    at: Mapping[int, Pose] = field(default_factory=lambda: MappingProxyType({}))


@lru_cache(maxsize=16)
def find(pieces: tuple[Piece, ...], near: Point = TOWARDS_VIEWER) -> Grids:
    """Lay out a table's cards as grids. `near`: the direction on the table to the picture's bottom edge."""
    cards = {p.id: p for p in pieces if p.kind == "card"}
    at = {p.id: p for p in poses(cards.values())}
    faces = frozenset(i for i, c in cards.items() if c.label != BACK)
    named = frozenset(i for i, c in cards.items() if c.label is not None)
    lattices, unclear = _lattices(alike(tuple(at.values())), faces, named)
    grids = tuple(
        Grid(
            seat,
            (_row(lattice, 0, cards), _row(lattice, 1, cards)),
            lattice.centre_mm,
            _unit(lattice.down, -1.0),
            tuple(lattice.place(*slot) for slot in SLOTS),
        )
        for seat, lattice in enumerate(_seated(lattices, near))
    )
    placed = {c.id for g in grids for c in g.cards}
    loose = tuple(c for c in cards.values() if c.id not in placed)
    return Grids(grids, loose, tuple(cards[i] for i in sorted(unclear)), MappingProxyType(at))


def _row(lattice: Lattice, row: int, cards: Mapping[int, Piece]) -> Row:
    a, b, c = (lattice.slots.get((row, column)) for column in range(COLUMNS))
    return (
        None if a is None else cards[a],
        None if b is None else cards[b],
        None if c is None else cards[c],
    )


def _unit(v: Point, sign: float = 1.0) -> Point:
    length = math.hypot(*v)
    return sign * v[0] / length, sign * v[1] / length


def _median(values: Sequence[float]) -> float:
    return sorted(values)[len(values) // 2]


@lru_cache(maxsize=64)
def _lattices(
    cards: tuple[Pose, ...], faces: frozenset[int], named: frozenset[int]
) -> tuple[tuple[Lattice, ...], frozenset[int]]:
    """Return the grids, each with its player's side down, and the cards of a nearly as good second choice."""
    at = {p.id: p for p in cards}
    packings: list[Packing] = []
    for reach in (CLOSE, LOOSE):
        taken = {i for p in packings for i in p.ids}
        left = [p for p in cards if p.id not in taken]
        if len(left) < FEWEST_CARDS:
            break
        packings += _search(left, at, reach)
    seen = [g for p in packings for g in p.lattices if len(g.slots) > FEWEST_CARDS or g.ids <= named]
    found = completed(seen, cards, at)
    unclear = _doubts(packings, named, at, faces) | _ill_fitting(seen, found, named, at, faces)
    unclear |= _of_a_pile(found, named, faces)
    middle = _middle(found, cards)
    return tuple(_facing(g, at, faces, middle, len(found)) for g in found), unclear


def _search(cards: Sequence[Pose], at: Mapping[int, Pose], reach: Reach) -> list[Packing]:
    """Return the grids among these cards, group by group of neighbours."""
    width, height = _median([p.width_mm for p in cards]), _median([p.height_mm for p in cards])
    square = abs(width - height) < SQUARE * max(width, height)
    graph = neighbours(cards, width, height, reach)
    packings: list[Packing] = []
    for group in components(graph):
        if len(group) >= FEWEST_CARDS:
            plain = at_once(group, graph, at)
            packings.append(pack(guesses(group, graph, at, square)) if plain is None else Packing(plain, 0.0))
    return packings


def _doubts(
    packings: Sequence[Packing], named: frozenset[int], at: Mapping[int, Pose], faces: frozenset[int]
) -> frozenset[int]:
    """Return the cards that a second choice lays out otherwise, where it and the piles it leaves are nearly as good."""
    if not any(packing.others for packing in packings):
        return frozenset()
    loose = named - {i for p in packings for i in p.ids}
    usual = _odd(loose, at, faces)
    doubtful: set[int] = set()
    for packing in packings:
        for other in packing.others:
            left = (loose | (packing.ids & named)) - other.ids
            if packing.worth - usual - other.worth + _odd(left, at, faces) < RIVAL:
                doubtful |= packing.differs(other)
    return frozenset(doubtful)


def _ill_fitting(
    seen: Sequence[Lattice],
    found: Sequence[Lattice],
    named: frozenset[int],
    at: Mapping[int, Pose],
    faces: frozenset[int],
) -> frozenset[int]:
    """Return the cards of full grids that lie too crooked to be sure, or took in a card that may be of a pile."""
    grown = {g.ids for b, g in zip(seen, found, strict=True) if len(b.slots) < len(g.slots) == len(SLOTS)}
    short = bool(grown) and _odd(named - {i for g in found for i in g.ids}, at, faces) > 0
    full = [g for g in found if len(g.slots) == len(SLOTS)]
    return frozenset(i for g in full if g.cost > MOST_CROOKED or (short and g.ids in grown) for i in g.ids)


def _of_a_pile(found: Sequence[Lattice], named: frozenset[int], faces: frozenset[int]) -> frozenset[int]:
    """Return the cards of short grids, one of them face down: it may be the draw pile where none lies elsewhere."""
    if named - faces - {i for g in found for i in g.ids}:
        return frozenset()
    short = [g.ids for g in found if len(g.slots) < len(SLOTS)]
    return frozenset(i for ids in short if ids & faces and ids - faces for i in ids)


def _odd(loose: Iterable[int], at: Mapping[int, Pose], faces: frozenset[int]) -> float:
    """Return how odd it is that these cards lie in no grid: none, or a draw pile and discards, are usual."""
    heaps = piles(at[i] for i in loose if i in at)
    if len(heaps) == PILES:
        return 0.0 if len({any(p.id in faces for p in heap) for heap in heaps}) == PILES else 0.4
    return 0.3 * len(heaps) if len(heaps) < PILES else 0.4 + 0.1 * (len(heaps) - PILES - 1)


def _middle(found: Sequence[Lattice], cards: Sequence[Pose]) -> Point | None:
    """Return the middle that players sit around: of their grids, or of the piles beside a single one."""
    taken = {i for g in found for i in g.slots.values()}
    around = [g.centre_mm for g in found] if len(found) > 1 else [p.centre_mm for p in cards if p.id not in taken]
    return (sum(x for x, _ in around) / len(around), sum(y for _, y in around) / len(around)) if around else None


def _facing(
    lattice: Lattice, at: Mapping[int, Pose], faces: frozenset[int], middle: Point | None, around: int
) -> Lattice:
    """Turn a grid so that `down` points to its player: outward from the middle, with most printed faces upright."""
    down = _unit(lattice.down)
    shown = [at[i].up for i in lattice.slots.values() if i in faces]
    speaks = -sum(u[0] * down[0] + u[1] * down[1] for u in shown) / max(1, len(shown))
    speaks += NEARER * (down[0] * TOWARDS_VIEWER[0] + down[1] * TOWARDS_VIEWER[1])
    if middle is not None:
        outward = OUTWARD if around > 1 else BESIDE_PILES
        out = lattice.centre_mm[0] - middle[0], lattice.centre_mm[1] - middle[1]
        far = max(math.hypot(*out), math.hypot(*lattice.down))
        speaks += outward * (out[0] * down[0] + out[1] * down[1]) / far
    if speaks >= 0:
        return lattice
    slots = {(ROWS - 1 - row, COLUMNS - 1 - column): card for (row, column), card in lattice.slots.items()}
    (rx, ry), (dx, dy) = lattice.right, lattice.down
    return Lattice(slots, (-rx, -ry), (-dx, -dy), lattice.place(ROWS - 1, COLUMNS - 1), lattice.cost)


def _seated(lattices: Sequence[Lattice], near: Point) -> list[Lattice]:
    """Order grids by seat: the one nearest the viewer first, then clockwise seen from above."""
    if not lattices:
        return []
    first = max(lattices, key=lambda g: g.centre_mm[0] * near[0] + g.centre_mm[1] * near[1])
    mx = sum(g.centre_mm[0] for g in lattices) / len(lattices)
    my = sum(g.centre_mm[1] for g in lattices) / len(lattices)

    def bearing(g: Lattice) -> float:
        return math.atan2(g.centre_mm[1] - my, g.centre_mm[0] - mx)

    start = bearing(first)
    return sorted(lattices, key=lambda g: (g is not first, (start - bearing(g)) % math.tau))
