"""What the rules of String Safari forbid on a table: all of it, each piece named, and never an exception."""

from __future__ import annotations

from collections import Counter

from scoring.edition import Edition
from scoring.geometry import Band, Margin, footprint, gaps_mm, tile_margin
from scoring.options import Options
from scoring.pieces import same_ids, shapeless, too_many, unknown_labels
from scoring.sheet import Problem
from scoring.string_children import placed_tile
from scoring.string_field import VISIBLE_ENOUGH, Named, Placement, Survey
from scoring.table import BACK, Piece

GAME = "string-safari"
MARKERS_EACH = {3: 6, 4: 5, 5: 4}
"""Research markers a player takes, and rounds played, by the number of players."""
MOST_MARKERS = 6
BESIDE = (BACK, None)
"""What may lie outside the field: the draw pile, and what is no tile of the deck, as the open row of research tiles."""
CHILDREN_MARKERS = 4
"""Markers and turns of each player by the children's rules."""


def piece_problems(survey: Survey, edition: Edition) -> tuple[Problem, ...]:
    """List pieces that cannot be: unknown to the deck, more than the box holds, without a shape."""
    tiles, markers = survey.tiles, survey.markers
    others = [p for p in survey.table.pieces if p.kind in ("coin", "research")]
    return (
        *same_ids(survey.table.pieces),
        *shapeless([p for p in survey.table.pieces if p.kind in ("tile", "marker")]),
        *unknown_labels(tiles, edition.faces),
        *unknown_labels(markers, edition.markers),
        *unknown_labels([p for p in others if p.kind == "coin"], edition.coins),
        *unknown_labels([p for p in others if p.kind == "research"], edition.research),
        *too_many(tiles, {label: face.count for label, face in edition.faces.items()}),
        *too_many([p for p in others if p.kind == "research"], {n: r.count for n, r in edition.research.items()}),
    )


def nothing_laid(survey: Survey) -> tuple[Problem, ...]:
    """There is a tile or a string at least."""
    if survey.tiles or survey.research is not None or survey.field is not None:
        return ()
    return (Problem("no-tiles", (), "neither tiles nor strings lie on the table"),)


def string_problems(survey: Survey, placed: Placement) -> tuple[Problem, ...]:
    """List what makes the research string's placement illegal."""
    if not placed.laid:
        return (Problem("string-missing", (), "no research string lies on the table"),)
    found: list[Problem] = []
    if not placed.closed:
        found.append(Problem("string-open", (), "the research string is not a closed loop"))
    if placed.crosses_itself:
        found.append(Problem("string-crosses-itself", (), "the research string crosses itself"))
    if placed.lies_on_itself:
        found.append(Problem("string-lies-on-itself", (), "the research string lies on itself"))
    for i in placed.touching:
        found.append(Problem("string-touches-tile", (i,), f"the research string touches {told(survey, i)}"))
    return tuple(found)


def told(survey: Survey, tile_id: int) -> str:
    """Name a tile in a sentence."""
    label = survey.table.piece(tile_id).label
    return f"tile {tile_id}" if label is None else f"a face-down tile ({tile_id})" if label == BACK else f"the {label}"


def field_problems(survey: Survey) -> tuple[Problem, ...]:
    """List tiles that touch or leave the field, and a field string that is no plain loop; nothing that is in doubt."""
    band = survey.field
    if band is None or survey.field_guessed:
        return ()
    found: list[Problem] = []
    seen = band.string.visible >= VISIBLE_ENOUGH
    if not band.closed and seen:
        found.append(Problem("field-string-open", (), "the field string is not a closed loop"))
    elif band.closed and band.crosses_itself and seen:
        found.append(Problem("field-string-crosses-itself", (), "the field string crosses itself"))
    elif band.closed and not band.crosses_itself and _certain(band.self_gap):
        found.append(Problem("field-string-lies-on-itself", (), "the field string lies on itself"))
    for tile in survey.tiles:
        if _certain(tile_margin(tile, survey.shapes[tile.id], band)):
            text = f"{told(survey, tile.id)} touches the field string"
            found.append(Problem("tile-touches-field-string", (tile.id,), text))
        elif tile.label not in BESIDE and band.closed and not band.holds(tile.centre_mm):
            text = f"{told(survey, tile.id)} does not lie in the field"
            found.append(Problem("tile-outside-field", (tile.id,), text))
    return tuple(found)


def _certain(margin: Margin) -> bool:
    """Whether two things meet beyond doubt."""
    return margin.contact and not margin.doubtful


def spacing_problems(survey: Survey, options: Options) -> tuple[Problem, ...]:
    """List tiles that touch, or that leave less than a finger's breadth between them."""
    finger_mm = float(options.rule(GAME, "finger_breadth_mm"))
    tiles = [t for t in survey.tiles if not (t.label in BESIDE and _off_field(survey.field, t))]
    found: list[Problem] = []
    for i, j, gap in gaps_mm([survey.shapes[t.id] for t in tiles], finger_mm):
        pair = (tiles[i].id, tiles[j].id)
        names = f"{told(survey, pair[0])} and {told(survey, pair[1])}"
        if gap <= 0:
            found.append(Problem("tiles-touch", pair, f"{names} touch"))
        else:
            room = f"{gap:.1f} mm apart, less than a finger's breadth ({finger_mm:g} mm)"
            found.append(Problem("tiles-too-close", pair, f"{names} are {room}"))
    return tuple(found)


def _off_field(band: Band | None, tile: Piece) -> bool:
    """Whether a tile lies outside the field: a face-down one is then of the draw pile, an unknown one no tile."""
    return band is not None and not band.interior.intersects(footprint(tile))


def marker_problems(survey: Survey, named: Named, options: Options) -> tuple[Problem, ...]:
    """List tiles with two markers, lands that take none, and more markers than a player has."""
    found: list[Problem] = []
    for tile_id, marks in named.marks.items():
        face = named.faces[tile_id]
        if len(marks) > 1:
            text = f"{told(survey, tile_id)} bears {len(marks)} markers"
            found.append(Problem("tile-marked-twice", (tile_id,), text))
        if face is not None and face.land not in (None, "footprints"):
            text = f"a marker stands on {face.label}: of the lands only footprints takes one"
            found.append(Problem("marker-on-land", (tile_id,), text))
    return (*found, *_too_many_markers(survey, options))


def _too_many_markers(survey: Survey, options: Options) -> tuple[Problem, ...]:
    most = CHILDREN_MARKERS if options.children else MARKERS_EACH.get(options.player_count or 0, MOST_MARKERS)
    placed = [m for m in survey.markers if survey.tile_of[m.id] is not None]
    seen = Counter(m.label for m in placed if m.label is not None)
    return tuple(
        Problem(
            "too-many-markers",
            tuple(m.id for m in placed if m.label == label),
            f"{n} markers of {label} lie on tiles; a player has {most}",
        )
        for label, n in seen.items()
        if n > most
    )


def children_problems(survey: Survey, placed: Placement, named: Named, options: Options) -> tuple[Problem, ...]:
    """List what the children's rules forbid: land tiles, and a string that leaves out the animal just placed."""
    lands = tuple(i for i, face in named.faces.items() if face is not None and face.land is not None)
    found = [Problem("land-tile-in-children-game", lands, "the children's game has no land tiles")] if lands else []
    if options.placed is not None and placed.laid and placed_tile(placed, named, options.placed) is None:
        ids = tuple(i for i, face in named.faces.items() if face is not None and face.label == options.placed)
        text = f"the string must enclose the animal just placed, the {options.placed}"
        found.append(Problem("placed-not-enclosed", ids, text))
    return tuple(found)
