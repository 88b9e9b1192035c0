"""What is wrong with a table of Paper Safari: all of it, and never an exception."""

from __future__ import annotations

import math

from scoring.edition import Edition
from scoring.grids import Grid, Grids, find
from scoring.lattice import SLOTS
from scoring.layout import TOWARDS_VIEWER, piles
from scoring.options import Options
from scoring.pieces import same_ids, shapeless, too_many, unknown_labels
from scoring.sheet import Problem
from scoring.table import BACK, Point, Table

GAME = "paper-safari"
ON_A_CARD = 0.75
"""A card whose centre is nearer to another's than this many of its shorter sides lies on it."""
IN_HAND = 1
"""A drawn card may lie about."""


def problems(table: Table, edition: Edition, options: Options, near: Point = TOWARDS_VIEWER) -> tuple[Problem, ...]:
    """List everything that is wrong with a table."""
    cards = tuple(p for p in table.pieces if p.kind == "card")
    laid = find(table.pieces, near)
    return (
        *same_ids(table.pieces),
        *shapeless([p for p in table.pieces if p.id not in laid.at]),
        *unknown_labels(cards, edition.faces),
        *too_many(cards, {label: face.count for label, face in edition.faces.items()}),
        *no_grid(laid),
        *unclear_grids(laid),
        *(p for grid in laid.grids for p in (*missing_cards(grid), *unread_cards(grid), *seventh_cards(grid, laid))),
        *strewn_cards(laid, int(options.rule(GAME, "discard_piles"))),
    )


def no_grid(laid: Grids) -> tuple[Problem, ...]:
    """Each player's cards lie in two rows of three."""
    if laid.grids:
        return ()
    return (Problem("no-grid", tuple(c.id for c in laid.loose), "no cards lie in two rows of three"),)


def unclear_grids(laid: Grids) -> tuple[Problem, ...]:
    """It is plain which six cards are one player's."""
    if not laid.unclear:
        return ()
    ids = tuple(c.id for c in laid.unclear)
    return (Problem("grid-unclear", ids, "these cards can be read as two rows of three in more than one way"),)


def missing_cards(grid: Grid) -> tuple[Problem, ...]:
    """A grid has six cards."""
    missing = [f"row {r + 1}, column {c + 1}" for r, c in SLOTS if grid.rows[r][c] is None]
    if not missing:
        return ()
    ids = tuple(card.id for card in grid.cards)
    return (Problem("missing-card", ids, f"seat {grid.seat}: no card is seen at {' and '.join(missing)}"),)


def unread_cards(grid: Grid) -> tuple[Problem, ...]:
    """Every card of a grid is known or face down."""
    return tuple(
        Problem("unread-card", (c.id,), f"seat {grid.seat}: card {c.id} is not known")
        for c in grid.cards
        if c.label is None
    )


def seventh_cards(grid: Grid, laid: Grids) -> tuple[Problem, ...]:
    """No further card lies on or among a grid's six."""
    own = [(o.x, o.y, ON_A_CARD * min(o.width_mm, o.height_mm)) for o in (laid.at[c.id] for c in grid.cards)]
    about = [laid.at[c.id] for c in laid.loose if c.id in laid.at]
    return tuple(
        Problem("seventh-card", (p.id,), f"seat {grid.seat}: card {p.id} lies on the grid, which has its cards already")
        for p in about
        if any(math.hypot(p.x - x, p.y - y) < reach for x, y, reach in own)
    )


def strewn_cards(laid: Grids, discard_piles: int) -> tuple[Problem, ...]:
    """Cards in no grid lie in the draw pile, the discard pile or are just drawn."""
    loose = [c for c in laid.loose if c.label is not None]
    heaps = piles(laid.at[c.id] for c in loose if c.id in laid.at)
    open_heaps = piles(laid.at[c.id] for c in loose if c.id in laid.at and c.label != BACK)
    few = len(heaps) <= 1 + discard_piles + IN_HAND and len(open_heaps) <= discard_piles + IN_HAND
    if few:
        return ()
    ids = tuple(c.id for c in loose)
    return (Problem("card-in-no-grid", ids, f"{len(heaps)} cards or piles lie in no grid: is a grid hidden in part?"),)
