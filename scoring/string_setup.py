"""String Safari's set-up, checked: what lies in the field, and how many of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from scoring.edition import Edition
from scoring.options import Options
from scoring.sheet import Problem
from scoring.string_field import Named, Survey
from scoring.string_problems import CHILDREN_MARKERS, MARKERS_EACH
from scoring.table import BACK

ANIMALS_IN_FIELD = 16
RESEARCH_ROW = 5


def setup_json(options: Options) -> dict[str, Any]:
    """Return what each player takes and how long the game is; null where the number of players is not known."""
    each = markers_each(options)
    return {"players": options.player_count, "markers_each": each, "rounds": each}


def markers_each(options: Options) -> int | None:
    """Return the markers that each player takes, which is also the number of rounds."""
    if options.children:
        return CHILDREN_MARKERS
    return MARKERS_EACH.get(options.player_count) if options.player_count is not None else None


def setup_problems(survey: Survey, named: Named, edition: Edition, options: Options) -> tuple[Problem, ...]:
    """List what a set-up lacks or has too much of."""
    return (
        *_player_count(options),
        *_field_string(survey),
        *_face_down(survey),
        *_animals(named),
        *_lands(named, edition, options),
        *_row(survey, options),
        *_markers(survey),
    )


def _player_count(options: Options) -> Iterator[Problem]:
    """Three to five play."""
    n = options.player_count
    if n is not None and not options.children and n not in MARKERS_EACH:
        yield Problem("player-count", (), f"String Safari is for 3 to 5 players, not {n}")


def _field_string(survey: Survey) -> Iterator[Problem]:
    """The field string is spread out on the table."""
    if survey.field is None:
        yield Problem("field-string-missing", (), "no field string lies on the table")


def _face_down(survey: Survey) -> Iterator[Problem]:
    """Tiles in the field lie face up; the draw pile lies outside it."""
    for tile in survey.tiles:
        if tile.label == BACK and survey.field is not None and survey.field.holds(tile.centre_mm):
            yield Problem("tile-face-down", (tile.id,), f"tile {tile.id} lies face down in the field")


def _animals(named: Named) -> Iterator[Problem]:
    """Sixteen animal tiles lie in the field."""
    animals = tuple(i for i in named.faces if named.is_animal(i))
    if len(animals) != ANIMALS_IN_FIELD:
        yield Problem("animal-count", animals, f"{len(animals)} animal tiles lie in the field, not {ANIMALS_IN_FIELD}")


def _lands(named: Named, edition: Edition, options: Options) -> Iterator[Problem]:
    """All land tiles of the box lie in the field; by the children's rules, none."""
    if options.children:
        return  # a land tile there is a problem at any time of the children's game
    seen = Counter(face.label for face in named.faces.values() if face is not None and face.land is not None)
    for label, face in edition.faces.items():
        if face.land is not None and seen[label] < face.count:
            yield Problem("land-count", (), f"{seen[label]} {label} in the field, the game has {face.count}")


def _row(survey: Survey, options: Options) -> Iterator[Problem]:
    """Five research tiles lie open in a row outside the field; where none is in view they are not judged."""
    row = tuple(p.id for p in survey.table.pieces if p.kind == "research" and p.label != BACK)
    if options.children and row:
        yield Problem("research-in-children-game", row, "the children's game has no research tiles")
    elif row and len(row) != RESEARCH_ROW:
        yield Problem("research-row", row, f"{len(row)} research tiles lie open, not {RESEARCH_ROW}")


def _markers(survey: Survey) -> Iterator[Problem]:
    """No marker stands on a tile before the game begins."""
    early = tuple(m.id for m in survey.markers if survey.tile_of[m.id] is not None)
    if early:
        yield Problem("marker-at-setup", early, f"{len(early)} markers stand on tiles before the game begins")
