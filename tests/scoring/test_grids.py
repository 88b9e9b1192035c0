"""Grids found on tables as people lay them, and those that cannot be told."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from scoring.grids import Grids, find
from scoring.lattice import CLOSE, neighbours
from scoring.layout import poses
from scoring.notation import parse, rectangle
from scoring.packing import Packing, guesses, pack
from scoring.table import Piece, Point, Table
from tests.scoring.paper_tables import Habits, Ids, table, turned

TABLES = 12
"""Random tables a case and number of players."""


def ids_of(laid: Grids) -> list[Ids]:
    return [[None if card is None else card.id for row in grid.rows for card in row] for grid in laid.grids]


def matches(laid: Grids, truth: list[Ids]) -> bool:
    """Tell whether the grids are the true ones, in whichever of two ways round their players sit."""
    found = ids_of(laid)
    return len(found) == len(truth) and all(ids in found or ids[::-1] in found for ids in truth)


def full_ones_are_true(laid: Grids, truth: list[Ids]) -> bool:
    """Tell whether no full grid holds six cards that are not one player's."""
    true = {frozenset(ids) for ids in truth}
    return all(frozenset(c.id for c in g.cards) in true for g in laid.grids if len(g.cards) == 6)


PLAIN = [
    pytest.param(Habits(), id="as people lay cards"),
    pytest.param(Habits(off=0.0, twist_deg=0.0, step_x=(1.0, 1.0), step_y=(1.0, 1.0)), id="touching"),
    pytest.param(Habits(off=0.07, twist_deg=7.0), id="sloppy"),
    pytest.param(Habits(step_x=(1.6, 1.7), step_y=(1.4, 1.5)), id="wide"),
    pytest.param(Habits(upside_down=0.5), id="upside down"),
    pytest.param(Habits(face_up=0.0), id="all face down"),
    pytest.param(Habits(victory_cards=4), id="victory cards about"),
    pytest.param(Habits(messy=4), id="messy discards"),
    pytest.param(Habits(crooked_deg=30.0, step_x=(1.3, 1.4), step_y=(1.15, 1.2)), id="a crooked card each"),
    pytest.param(Habits(hidden=1), id="a hidden card"),
]


@pytest.mark.parametrize("players", range(1, 7))
@pytest.mark.parametrize("habits", PLAIN)
def test_grids_are_found(habits: Habits, players: int) -> None:
    wrong, doubted = [], 0
    for seed in range(TABLES):
        pieces, truth = table(random.Random(seed * 10 + players), players, habits)
        laid = find(pieces.pieces)
        wrong += [] if matches(laid, truth) else [seed]
        doubted += bool(laid.unclear)
    assert not wrong
    assert doubted <= 1


HARD = [
    pytest.param(Habits(off=0.12, twist_deg=8.0), id="very sloppy"),
    pytest.param(Habits(hidden=2), id="two hidden cards"),
    pytest.param(Habits(off=0.07, hidden=1, victory_cards=3, messy=2, crooked_deg=25.0), id="all at once"),
]


@pytest.mark.parametrize("players", range(1, 7))
@pytest.mark.parametrize("habits", HARD)
def test_a_wrong_grid_is_never_full_without_a_doubt(habits: Habits, players: int) -> None:
    for seed in range(TABLES):
        pieces, truth = table(random.Random(seed * 10 + players), players, habits)
        laid = find(pieces.pieces)
        assert laid.unclear or full_ones_are_true(laid, truth), seed


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_most_players_see_their_cards_the_right_way_round(players: int) -> None:
    for seed in range(TABLES):
        pieces, truth = table(random.Random(seed), players, Habits())
        assert sorted(map(str, ids_of(find(pieces.pieces)))) == sorted(map(str, truth))


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_seats_go_clockwise_from_the_viewer(players: int) -> None:
    """The truth is laid clockwise; whoever is nearest the viewer comes first."""
    for seed in range(TABLES):
        pieces, truth = table(random.Random(seed), players, Habits())
        laid = find(pieces.pieces)
        lowest = min(laid.grids, key=lambda g: g.centre_mm[1])
        assert lowest.seat == 0
        order = [truth.index(ids) for ids in ids_of(laid)]
        assert order == [(order[0] + k) % players for k in range(players)]


def cards(*places: Point, size: Point = (60, 90), up: float = 90.0) -> tuple[Piece, ...]:
    return tuple(Piece(i, "card", "fox", rectangle(*at, size, up), up) for i, at in enumerate(places))


SIX = tuple((x, y) for y in (100, 0) for x in (0, 70, 140))


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param((), id="nothing"),
        pytest.param(cards((0, 0)), id="one card"),
        pytest.param(cards(*SIX[:3]), id="a row of three"),
        pytest.param(cards(*SIX[:3], (210, 100), (280, 100), (350, 100)), id="a row of six"),
        pytest.param(cards(*[(0, 0)] * 6), id="a pile of six"),
        pytest.param(cards((0, 0), (300, 0), (0, 300), (300, 300), (150, 600), (900, 0)), id="strewn far"),
        pytest.param(cards((0, 0), (70, 40), (140, 80), (210, 120)), id="a slope"),
    ],
)
def test_no_grid(pieces: tuple[Piece, ...]) -> None:
    laid = find(pieces)
    assert laid.grids == ()
    assert laid.loose == pieces


def test_a_grid_of_unknown_cards_needs_five() -> None:
    unknown = tuple(replace(c, label=None) for c in cards(*SIX))
    assert len(find(unknown[:5]).grids) == 1
    assert find((*unknown[:2], *unknown[3:5])).grids == ()


@pytest.mark.parametrize("up", [0.0, 90.0, 180.0, 270.0, 33.0])
def test_a_grid_turned_in_the_picture(up: float) -> None:
    upright = parse("seat: fox mouse rabbit / monkey zebra giraffe")
    around = tuple(
        replace(p, up_deg=p.up_deg + up, outline_mm=tuple(turned(*c, math.radians(up)) for c in p.outline_mm))
        for p in upright.pieces
    )
    (grid,) = find(around).grids
    rows = [[c.label for c in row if c] for row in grid.rows]
    assert rows == [["fox", "mouse", "rabbit"], ["monkey", "zebra", "giraffe"]]


def test_cards_on_their_side_still_make_rows_of_three() -> None:
    """The three-long axis is the row, however the cards lie in it."""
    sideways = tuple((x, y) for y in (70, 0) for x in (0, 100, 200))
    (grid,) = find(cards(*sideways, up=0.0)).grids
    assert [len([c for c in row if c]) for row in grid.rows] == [3, 3]
    assert {c.id for c in grid.rows[0] if c} in ({0, 1, 2}, {3, 4, 5})


def test_two_grids_edge_to_edge_are_two() -> None:
    beside = cards(*SIX, *((x + 210, y) for x, y in SIX))
    assert sorted(sorted(c.id for c in g.cards) for g in find(beside).grids) == [[*range(6)], [*range(6, 12)]]


def test_piles_in_line_with_a_grid_are_a_doubt() -> None:
    laid = find(cards(*SIX, (210, 100), (210, 0)))
    assert len(laid.grids) == 1
    assert laid.unclear


def test_a_card_of_another_size_is_none_of_the_grid() -> None:
    small = replace(cards((210, 100), size=(20, 30))[0], id=9)
    laid = find((*cards(*SIX), small))
    assert [c.id for c in laid.loose] == [9]
    assert not laid.unclear


@pytest.mark.parametrize(
    ("left_out", "missing"),
    [((1, 4), {(0, 1), (1, 1)}), ((0, 3), {(0, 0), (1, 0)}), ((4,), {(1, 1)}), ((0,), {(0, 0)})],
    ids=["the middle column", "an outer column", "a middle card", "a corner"],
)
def test_missing_cards_leave_their_places(left_out: tuple[int, ...], missing: set[tuple[int, int]]) -> None:
    seen = tuple(c for c in cards(*SIX) if c.id not in left_out)
    (grid,) = find(seen).grids
    empty = {(r, c) for r, row in enumerate(grid.rows) for c, card in enumerate(row) if card is None}
    if left_out == (0, 3):
        assert empty in (missing, {(0, 2), (1, 2)})
    else:
        assert empty == missing


def test_a_card_pushed_aside_is_still_of_its_grid() -> None:
    pushed = (*SIX[:5], (175, -20))
    (grid,) = find(cards(*pushed)).grids
    assert len(grid.cards) == 6


def test_shapeless_cards_are_left_out() -> None:
    bad = Piece(9, "card", "fox", ((0, 0),) * 4)
    laid = find((*cards(*SIX), bad))
    assert len(laid.grids) == 1
    assert laid.loose == (bad,)


def test_many_grids_at_once_are_still_packed_best() -> None:
    """Forty-eight cards edge to edge: eight grids."""
    block = cards(*((70.0 * x, 100.0 * y) for y in range(8) for x in range(6)))
    laid = find(block)
    assert sum(len(g.cards) for g in laid.grids) == 48
    assert len(laid.grids) == 8


def test_packing_prefers_two_whole_grids() -> None:
    both = poses(cards(*SIX, *((x + 210, y) for x, y in SIX)))
    graph = neighbours(both, 60, 90, CLOSE)
    packing = pack(guesses([p.id for p in both], graph, {p.id: p for p in both}, square=False))
    assert sorted(map(len, (g.ids for g in packing.lattices))) == [6, 6]
    assert packing.ids == frozenset(range(12))


def test_nothing_to_pack() -> None:
    assert pack(()) == Packing((), 0.0)


def test_a_table_of_other_things() -> None:
    marker = Piece(0, "marker", "red", rectangle(0, 0, (9, 9), 90))
    assert find(Table((marker,)).pieces) == Grids()
