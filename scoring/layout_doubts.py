"""What only a person can tell of a layout: the card in a place where none is seen, and which photo is the claim."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from scoring import grids, rings
from scoring.answers import CLAIMS
from scoring.grids import Grid, Grids
from scoring.lattice import COLUMNS, SLOTS, Slot
from scoring.layout import TOWARDS_VIEWER, Pose, corners_mm
from scoring.options import OptionError, Options
from scoring.rings import Ring
from scoring.sheet import Question
from scoring.table import BACK, Piece, Point, Table

PLACE = re.compile(r"seat (\d+) row ([12]) column ([123])")
"""How a place without a card is called in a question and its answer."""


def place_name(seat: int, slot: Slot) -> str:
    """Return what a place is called, as its player sees it: "seat 0 row 1 column 3"."""
    return f"seat {seat} row {slot[0] + 1} column {slot[1] + 1}"


def free_places(laid: Grids) -> tuple[tuple[Grid, Slot], ...]:
    """Return every place of a grid where no card is seen."""
    return tuple((grid, slot) for grid in laid.grids for slot in SLOTS if grid.rows[slot[0]][slot[1]] is None)


def missing_card_questions(laid: Grids, labels: Sequence[str]) -> tuple[Question, ...]:
    """Ask for each card that is not seen where the others lie open: a player has six, so one is hidden, or was missed.

    Where a card lies face down there is no total yet, whatever the missing one is.
    """
    return tuple(
        Question(
            place_name(grid.seat, slot),
            (*labels, BACK),
            f"the total of seat {grid.seat}",
            f"No card is seen at {place_name(grid.seat, slot)}. Which lies there? Or take another picture.",
        )
        for grid, slot in free_places(laid)
        if all(card.label != BACK for card in grid.cards)
    )


def with_card(table: Table, laid: Grids, place: str, label: str) -> Table | None:
    """Return the table with the card that is said to lie in a free place; None where there is no such place."""
    named = {place_name(grid.seat, slot): (grid, slot) for grid, slot in free_places(laid)}
    if PLACE.fullmatch(place) is None or place not in named:
        return None
    grid, slot = named[place]
    own = [laid.at[c.id] for c in grid.cards]
    width, height = sum(p.width_mm for p in own) / len(own), sum(p.height_mm for p in own) / len(own)
    up = grid.up if width_runs_along_the_row(own[0], grid) else (-grid.up[1], grid.up[0])
    number = max(p.id for p in table.pieces) + 1
    pose = Pose(number, *grid.places_mm[slot[0] * COLUMNS + slot[1]], up, width, height)
    card = Piece(number, "card", label, corners_mm(pose), math.degrees(math.atan2(up[1], up[0])))
    return replace(table, pieces=(*table.pieces, card))


def width_runs_along_the_row(card: Pose, grid: Grid) -> bool:
    """Tell whether a card stands upright, or upside down, in its grid; not on its side."""
    return abs(card.up[0] * grid.up[0] + card.up[1] * grid.up[1]) > math.sqrt(0.5)


def claim_questions(ring: Ring, claimed: int | None = None) -> tuple[Question, ...]:
    """Ask which photo card is claimed where several lie beside the ring, or the only one seen lies far off.

    `claimed`: the one that is said to be. A table that was not measured by a camera is taken as it is told.
    """
    measured = any(card.sigma_mm > 0 for card in ring.cards)
    if len(ring.claims) > 1:
        text = "More than one photo card lies beside the ring. Is this the one that is claimed?"
    elif measured and any(p.id != claimed and rings.lies_far(p, ring.cards) for p in ring.claims):
        text = "This photo card lies far from the ring, and no other is seen. Is this the one that is claimed?"
    else:
        return ()
    return tuple(Question(photo.id, CLAIMS, "which photo is judged", text) for photo in ring.claims)


def with_claim(table: Table, ring: Ring, photo: int, answer: str) -> Table:
    """Return the table without the photo cards that are said not to be claimed."""
    others = {photo} if answer == CLAIMS[1] else {p.id for p in ring.claims} - {photo}
    return replace(table, pieces=tuple(p for p in table.pieces if p.id not in others))


def settled(table: Table, options: Options, near: Point = TOWARDS_VIEWER) -> tuple[Table, Options]:
    """Return the table with the answers on its layout applied, and the options with the others left, and the claim.

    OptionError for a place that has its card, or is none.
    """
    left = dict(options.answers)
    for about, said in options.answers.items():
        photo = next((p for p in table.pieces if p.kind == "photo" and str(p.id) == about), None)
        if PLACE.fullmatch(about):
            found = with_card(table, grids.find(table.pieces, near), about, said)
            if found is None:
                raise OptionError(f"answer {about}={said}: there is no such place without a card")
            table = found
        elif photo is not None and said in CLAIMS:
            table = with_claim(table, rings.find(table.pieces, near=near), photo.id, said)
        else:
            continue
        if said != CLAIMS[0]:
            del left[about]
    return table, options if len(left) == len(options.answers) else replace(options, answers=left)
