"""String Safari's table, surveyed: tiles, markers and strings as shapes, and what a definite placement encloses."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

from scoring.edition import Edition, Face, face_of
from scoring.geometry import Band, Margin, band_margin, footprint, tile_margin
from scoring.layout import pose, tile_under
from scoring.table import String, Table

RESEARCH = "research"
FIELD = "field"
VISIBLE_ENOUGH = 0.98
"""An open string of which a smaller share was seen may be closed where it is hidden; a crossing may be the tracer's."""
GUESSED = 0.65
"""A string of which no larger share was seen lies where it was guessed to: nothing of it is certain."""


class Survey:
    """What lies where; nothing here depends on what a tile's label is, so one survey serves all readings of a table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        shaped = [p for p in table.pieces if pose(p) is not None]  # what has no shape is a problem, and lies nowhere
        self.tiles = tuple(p for p in shaped if p.kind == "tile")
        self.markers = tuple(p for p in shaped if p.kind == "marker")
        self.research = _band(table.string(RESEARCH))
        self.field = _band(table.string(FIELD))

    def relabelled(self, labels: Mapping[int, str | None]) -> Survey:
        """Return the same survey with other labels: where things lie is not surveyed again."""
        if not labels:
            return self
        other = copy.copy(self)
        pieces = tuple(replace(p, label=labels[p.id]) if p.id in labels else p for p in self.table.pieces)
        other.table = replace(self.table, pieces=pieces)
        other.tiles = tuple(other.table.piece(t.id) for t in self.tiles)
        other.markers = tuple(other.table.piece(m.id) for m in self.markers)
        return other

    @cached_property
    def shapes(self) -> Mapping[int, Any]:
        """Each tile's footprint."""
        return {tile.id: footprint(tile) for tile in self.tiles}

    @cached_property
    def margins(self) -> Mapping[int, Margin]:
        """Each tile's margin to the research string; empty without one."""
        if self.research is None:
            return {}
        return {t.id: tile_margin(t, self.shapes[t.id], self.research) for t in self.tiles}

    @cached_property
    def held(self) -> frozenset[int]:
        """The tiles whose centre lies inside the research string's centreline."""
        band = self.research
        return frozenset(t.id for t in self.tiles if band is not None and band.holds(t.centre_mm))

    @cached_property
    def edge(self) -> Margin | None:
        """The gap between the research and the field string; None where either is missing."""
        if self.research is None or self.field is None:
            return None
        return band_margin(self.research, self.field)

    @cached_property
    def research_guessed(self) -> bool:
        """Whether where the research string lies is a guess."""
        return self.research is not None and guessed(self.research.string)

    @cached_property
    def field_guessed(self) -> bool:
        """Whether where the field string lies is a guess."""
        return self.field is not None and guessed(self.field.string)

    @cached_property
    def tile_of(self) -> Mapping[int, int | None]:
        """Each marker's tile: the one it is said to stand on, else the one under it, else None."""
        known = set(self.shapes)
        return {m.id: m.on if m.on in known else tile_under(m, self.tiles) for m in self.markers}


def guessed(string: String) -> bool:
    """Say whether too little of a string was seen to tell where it lies."""
    return string.visible <= GUESSED


def _band(string: String | None) -> Band | None:
    """Return a string's band; None where it has no path that can be followed."""
    if string is None or not string.path_mm or not all(map(math.isfinite, chain(*string.path_mm))):
        return None
    return Band(string)


@dataclass(frozen=True, slots=True)
class Placement:
    """The research string's placement, every doubt settled.

    `enclosed`, `touching`: tile ids in the table's order. `lies_on_itself`: one strand on another without a crossing.
    """

    enclosed: tuple[int, ...] = ()
    touching: tuple[int, ...] = ()
    touches_field: bool = False
    laid: bool = False
    closed: bool = False
    crosses_itself: bool = False
    lies_on_itself: bool = False

    @property
    def legal(self) -> bool:
        """Whether the string is closed, touches no tile, and neither crosses nor lies on itself."""
        return self.closed and not (self.touching or self.crosses_itself or self.lies_on_itself)


@dataclass(frozen=True, slots=True)
class Settled:
    """Verdicts that replace what was measured: by tile id, and of the strings.

    `tiles`: "touching", "inside" or "outside". None: as measured; `lies_on_itself` False: nor does it cross itself.
    """

    tiles: Mapping[int, str] = field(default_factory=dict)
    touches_field: bool | None = None
    lies_on_itself: bool | None = None


AS_MEASURED = Settled()


def place(survey: Survey, settled: Settled = AS_MEASURED) -> Placement:
    """Return the placement as measured, but for what is settled."""
    band = survey.research
    if band is None:
        return Placement(touches_field=bool(settled.touches_field))
    touching, enclosed = [], []
    for tile in survey.tiles:
        verdict = settled.tiles.get(tile.id) or _measured(survey, tile.id)
        if verdict == "touching":
            touching.append(tile.id)
        elif verdict == "inside":
            enclosed.append(tile.id)
    measured_edge = survey.edge is not None and survey.edge.contact
    crosses = band.closed and band.crosses_itself and settled.lies_on_itself is not False
    lies = not crosses and band.self_gap.contact
    return Placement(
        enclosed=tuple(enclosed),
        touching=tuple(touching),
        touches_field=measured_edge if settled.touches_field is None else settled.touches_field,
        laid=True,
        closed=band.closed,
        crosses_itself=crosses,
        lies_on_itself=lies if settled.lies_on_itself is None else settled.lies_on_itself,
    )


def _measured(survey: Survey, tile_id: int) -> str:
    if survey.margins[tile_id].contact:
        return "touching"
    return "inside" if tile_id in survey.held else "outside"


@dataclass(frozen=True, slots=True)
class Named:
    """What the tiles and markers are, every doubt settled.

    `faces`: tile id → its face, None where it is not known. `marks`: tile id → the labels of the markers on it.
    """

    faces: Mapping[int, Face | None]
    marks: Mapping[int, tuple[str | None, ...]]

    def is_animal(self, tile_id: int) -> bool:
        """Whether a tile is an animal."""
        face = self.faces[tile_id]
        return face is not None and face.food is not None

    def lands(self, tile_ids: tuple[int, ...], land: str) -> tuple[int, ...]:
        """Return those of the tiles that are this land."""
        return tuple(i for i in tile_ids if (face := self.faces[i]) is not None and face.land == land)

    def others_mark(self, tile_id: int, player: str | None) -> bool:
        """Whether a tile bears a marker of another player."""
        return tile_id in self.marks and any(mark != player for mark in self.marks[tile_id])


def name(survey: Survey, edition: Edition, labels: Mapping[int, str | None] | None = None) -> Named:
    """Return what the tiles and markers are; `labels` overrides what the table says, by piece id (None: no marker)."""
    labels = labels or {}
    return Named({t.id: face_of(edition, labels.get(t.id, t.label)) for t in survey.tiles}, marks_of(survey, labels))


def marks_of(survey: Survey, labels: Mapping[int, str | None]) -> dict[int, tuple[str | None, ...]]:
    """Return the labels of the markers on each tile; `labels` overrides what the table says (None: no marker)."""
    marks: dict[int, tuple[str | None, ...]] = {}
    for marker in survey.markers:
        tile_id = survey.tile_of[marker.id]
        if tile_id is not None and labels.get(marker.id, "") is not None:
            marks[tile_id] = (*marks.get(tile_id, ()), labels.get(marker.id, marker.label))
    return marks
