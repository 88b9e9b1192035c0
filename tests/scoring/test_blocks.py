"""Whole grids in line, read at once: the same grids as where every guess is weighed."""

from __future__ import annotations

import random

import pytest

from scoring.blocks import at_once
from scoring.grids import find
from scoring.lattice import CLOSE, components, neighbours
from scoring.layout import poses
from scoring.packing import guesses, pack
from scoring.table import Piece
from tests.scoring.test_grids import cards

Place = tuple[float, float]


def _laid(places: list[Place], crooked: float = 0.0, seed: int = 0) -> tuple[Piece, ...]:
    rng = random.Random(seed)
    return cards(*((x + rng.gauss(0, crooked), y + rng.gauss(0, crooked)) for x, y in places))


def _grids(across: int, down: int, gap: float = 0.0) -> list[Place]:
    """Return the places of grids beside and below each other, a gap between them."""
    return [
        (column * 70.0 + column // 3 * gap, -row * 100.0 - row // 2 * gap)
        for row in range(2 * down)
        for column in range(3 * across)
    ]


def _at_once(pieces: tuple[Piece, ...]) -> set[frozenset[int]] | None:
    at = {p.id: p for p in poses(pieces)}
    graph = neighbours([*at.values()], 60, 90, CLOSE)
    (group,) = components(graph)
    found = at_once(group, graph, at)
    return None if found is None else {g.ids for g in found}


@pytest.mark.parametrize(
    ("across", "down", "gap"),
    [pytest.param(*given, id="{} by {}, {} mm apart".format(*given))
     for given in ((1, 1, 0), (2, 1, 0), (2, 1, 25), (3, 1, 20), (4, 1, 10), (1, 2, 0), (1, 2, 35), (1, 3, 20))],
)  # fmt: skip
@pytest.mark.parametrize("seed", range(4))
def test_grids_in_line_are_those_that_weighing_finds(across: int, down: int, gap: float, seed: int) -> None:
    pieces = _laid(_grids(across, down, gap), 2.0, seed)
    at = {p.id: p for p in poses(pieces)}
    graph = neighbours([*at.values()], 60, 90, CLOSE)
    (group,) = components(graph)
    weighed = pack(guesses(group, graph, at, square=False))
    assert _at_once(pieces) == {g.ids for g in weighed.lattices}
    assert find(pieces).unclear == ()


@pytest.mark.parametrize(
    "places",
    [
        pytest.param([(c * 70.0, -r * 100.0) for r in range(3) for c in range(4)], id="three rows of four"),
        pytest.param([(c * 70.0, -r * 100.0) for r in range(6) for c in range(2)], id="six rows of two"),
        pytest.param(_grids(5, 1), id="five grids"),
        pytest.param(_grids(2, 2), id="two by two"),
        pytest.param([*_grids(2, 1)[:-1], (-70.0, 0.0)], id="one card further left"),
        pytest.param([(x + 0.5 * y * (x > 175), y) for x, y in _grids(2, 1)], id="one of them leaning too far"),
        pytest.param(_grids(2, 1)[:-1], id="eleven cards"),
        pytest.param([(x - 0.2 * y, 0.64 * y) for x, y in _grids(2, 1)], id="both leaning too far"),
        pytest.param([(x, y * (1.3 if x == 140 else 1.0) + (x % 140) * 0.2) for x, y in _grids(2, 1)], id="crooked"),
    ],
)
def test_what_must_be_weighed(places: list[Place]) -> None:
    assert _at_once(_laid(places)) is None


def test_grids_with_later_cards_come_first() -> None:
    at = {p.id: p for p in poses(_laid(_grids(1, 2)))}
    graph = neighbours([*at.values()], 60, 90, CLOSE)
    found = at_once([*at], graph, at)
    assert found is not None
    assert [min(g.ids) for g in found] == [6, 0]
