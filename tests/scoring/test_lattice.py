"""Lattices fitted to cards, and what is none."""

from __future__ import annotations

import pytest

from scoring import packing
from scoring.lattice import CLOSE, Edge, Slot, fit, neighbours, upright, walk
from scoring.layout import Pose, poses
from scoring.packing import guesses, pack
from tests.scoring.test_grids import SIX, cards


def at(*places: tuple[float, float]) -> dict[int, Pose]:
    return {p.id: p for p in poses(cards(*places))}


WHOLE = {(i // 3, i % 3): i for i in range(6)}
ON_ITS_SIDE = {(c, r): i for (r, c), i in WHOLE.items()}


def test_a_straight_grid_costs_nothing() -> None:
    lattice = fit(WHOLE, at(*SIX))
    assert lattice is not None
    assert lattice.cost == pytest.approx(0)
    assert lattice.right == pytest.approx((70, 0))
    assert lattice.down == pytest.approx((0, -100))
    assert lattice.centre_mm == pytest.approx((70, 50))
    assert lattice.ids == frozenset(range(6))


@pytest.mark.parametrize(
    ("slots", "places"),
    [
        pytest.param({(0, 0): 0, (0, 1): 1, (0, 2): 2}, SIX, id="in one line"),
        pytest.param({(r, 2 - c): i for (r, c), i in WHOLE.items()}, SIX, id="mirrored"),
        pytest.param(WHOLE, [(x + 0.6 * y, y) for x, y in SIX], id="leaning"),
        pytest.param(WHOLE, [(0, 0)] * 6, id="all in one place"),
    ],
)
def test_no_lattice(slots: dict[Slot, int], places: list[tuple[float, float]]) -> None:
    assert fit(slots, at(*places)) is None


def test_walking_a_grid() -> None:
    found = at(*SIX)
    assert walk([*range(6)], neighbours([*found.values()], 60, 90, CLOSE)) == WHOLE


@pytest.mark.parametrize(
    "graph",
    [
        pytest.param(
            {0: [Edge(1, 1, 0, 1), Edge(2, 0, 1, 1)], 1: [Edge(2, 1, 0, 1)], 2: []}, id="two ways to one card"
        ),
        pytest.param({0: [Edge(1, 1, 0, 1), Edge(2, 1, 0, 1)], 1: [], 2: []}, id="two cards in one place"),
    ],
)
def test_walking_steps_that_contradict(graph: dict[int, list[Edge]]) -> None:
    assert walk([0, 1, 2], graph) is None


@pytest.mark.parametrize(
    ("slots", "rows"),
    [
        pytest.param(WHOLE, WHOLE, id="as it should be"),
        pytest.param(
            {(c, r): i for (r, c), i in WHOLE.items()}, {(1 - r, c): i for (r, c), i in WHOLE.items()}, id="on its side"
        ),
        pytest.param({(0, c): c for c in range(4)}, None, id="four in a row"),
    ],
)
def test_upright(slots: dict[Slot, int], rows: dict[Slot, int] | None) -> None:
    assert upright(slots) == rows


def test_packing_that_takes_too_long_still_packs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MOST_STATES", 1)
    found = at(*SIX, *((x + 210, y) for x, y in SIX))
    graph = neighbours([*found.values()], 60, 90, CLOSE)
    chosen = pack(guesses([*found], graph, found, square=False)).lattices
    taken = [i for g in chosen for i in g.ids]
    assert len(taken) == len(set(taken))
