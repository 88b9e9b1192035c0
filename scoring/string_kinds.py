"""What a turn sees of the enclosed tiles: readings that enclose as many tiles of each kind count the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache, partial

from scoring.doubt_tree import Choice
from scoring.readings import Choices, Picker, picker
from scoring.string_field import Placement, Survey, marks_of
from scoring.table import Piece

COUNT_BITS = 16
"""Room for a count of all tiles of a kind."""


class Kinds:
    """The doubtful tiles of a table, counted by kind: what the rules see of a tile and of the markers on it.

    `at`: where among the choices a piece's label is. `matters`, `mark_matters`: what the rules see of a label.
    """

    def __init__(
        self,
        survey: Survey,
        at: Mapping[int, int],
        matters: Callable[[Choice], Hashable],
        mark_matters: Callable[[Choice], Hashable],
    ) -> None:
        self._survey, self._matters, self._mark_matters = survey, matters, mark_matters
        self._numbers: dict[Hashable, int] = {}
        self._counters: dict[int, tuple[Picker, Callable[[Choices], int]]] = {}
        for tile in survey.tiles:
            upon = [m.id for m in survey.markers if survey.tile_of[m.id] == tile.id]
            ids = [i for i in (tile.id, *upon) if i in at]
            if ids:
                self._counters[tile.id] = picker([at[i] for i in ids]), cache(partial(self._one, tile, ids))

    def _one(self, tile: Piece, ids: Sequence[int], choices: Choices) -> int:
        """Return one of a tile's kind as a count; these pieces, the tile or markers on it, are as they are said."""
        said = dict(zip(ids, choices, strict=True))
        marks = marks_of(self._survey, said).get(tile.id, ())
        kind = self._matters(said.get(tile.id, tile.label)), tuple(map(self._mark_matters, marks))
        return 1 << COUNT_BITS * self._numbers.setdefault(kind, len(self._numbers))

    def counter(self, placed: Placement) -> Callable[[Choices], int]:
        """Return what counts, for a placement, how many of the enclosed doubtful tiles are of each kind."""
        counters = [self._counters[i] for i in placed.enclosed if i in self._counters]
        return lambda choices: sum([count(picked(choices)) for picked, count in counters])
