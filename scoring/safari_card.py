"""The Safari card: it counts as much as the card to its left or right, whichever serves its owner best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from types import MappingProxyType
from typing import Literal

Place = tuple[int, int]
"""(row, column) as the player sees the grid, from the top left."""
Side = Literal["left", "right"]

ROWS, COLUMNS = 2, 3
PLACES = tuple((row, column) for row in range(ROWS) for column in range(COLUMNS))
Printed = Mapping[Place, int | None]
"""What the face-up cards bear: a value, or None where they copy a neighbour. Hidden, unknown or missing: left out."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What every card counts as, for one choice of each Safari's neighbour; a Safari without a value is left out."""

    values: Mapping[Place, int]
    sides: Mapping[Place, Side] = field(default_factory=lambda: MappingProxyType({}))
    spared: bool = True  # whether equal negative columns cancel

    def cancels(self, column: int) -> bool:
        """Tell whether a column's two cards have the same value and so make 0."""
        top, bottom = self.values.get((0, column)), self.values.get((1, column))
        return top is not None and top == bottom and (top >= 0 or self.spared)

    @property
    def total(self) -> int:
        """The sum of all that counts."""
        return sum(v for (_, column), v in self.values.items() if not self.cancels(column))

    @property
    def ranks(self) -> tuple[int, ...]:
        """Its values from the highest down: of two equal totals, the greater ranks win a tie."""
        return tuple(sorted(self.values.values(), reverse=True))


def neighbour(place: Place, side: Side) -> Place:
    """Return the place to the left or right in the same row; it may lie outside the grid."""
    return place[0], place[1] + (1 if side == "right" else -1)


def choices(printed: Printed, spared: bool) -> Iterator[Choice]:
    """Give every choice of neighbours; one that goes round in a circle leaves its Safaris without a value."""
    values: dict[Place, int] = {place: v for place, v in printed.items() if v is not None}
    safaris = [place for place in PLACES if place in printed and printed[place] is None]
    sides: tuple[Side, ...] = ("left", "right")
    open_to: list[list[Side | None]] = [[s for s in sides if neighbour(p, s) in printed] or [None] for p in safaris]
    for chosen in product(*open_to):
        to = {place: side for place, side in zip(safaris, chosen, strict=True) if side is not None}
        followed = {place: _follow(place, to, values) for place in safaris}
        found = {place: v for place, v in followed.items() if v is not None}
        yield Choice({**values, **found}, {p: to[p] for p in found}, spared)


def _follow(place: Place, to: Mapping[Place, Side], values: Mapping[Place, int]) -> int | None:
    """Follow a chain of Safaris to a real value; None where it ends or goes round in a circle."""
    for _ in PLACES:
        if place in values:
            return values[place]
        if place not in to:
            return None
        place = neighbour(place, to[place])
    return None


def best(printed: Printed, spared: bool) -> Choice:
    """Return the owner's best choice: every Safari with a value, the lowest total, then the best in a tie."""
    found = list(choices(printed, spared))
    return found[0] if len(found) == 1 else max(found, key=lambda c: (len(c.values), -c.total, c.ranks))
