"""The parts of string tracing that stand alone: nearness, routes, and which string is which."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.string_field import GUESSED
from scoring.table import Piece, String, Table
from vision.strings.centreline import SPACING_PX, Line
from vision.strings.identity import identified
from vision.strings.nearness import nearest_distance, pairs_within
from vision.strings.outlines import along_outlines, kept_to_outlines
from vision.strings.routes import STEPS, route


@pytest.mark.parametrize("count", [0, 1, 2, 60, 400])
def test_pairs_within_are_all_near_pairs(count: int) -> None:
    points = np.random.default_rng(count).random((count, 2)) * 100
    away = np.linalg.norm(points[:, None] - points[None], axis=2)
    expected = [(i, j) for i in range(count) for j in range(i + 1, count) if away[i, j] <= 7]
    assert pairs_within(points, 7.0).tolist() == [list(pair) for pair in expected]


@pytest.mark.parametrize("count", [1, 5, 300])
def test_nearest_distance_is_to_the_nearest(count: int) -> None:
    rng = np.random.default_rng(count)
    points, others = rng.random((50, 2)) * 900, rng.random((count, 2)) * 900
    expected = np.linalg.norm(points[:, None] - others[None], axis=2).min(1)
    assert np.allclose(nearest_distance(points, others), expected, atol=0.02)


def test_nothing_is_near_nothing() -> None:
    assert np.isinf(nearest_distance(np.zeros((2, 2)), np.zeros((0, 2)))).all()


@pytest.mark.parametrize("where", ["left", "right"])
def test_a_route_goes_round_a_wall_through_its_gap(where: str) -> None:
    cost = np.full((40, 40), 0.1, np.float32)
    cost[18:22] = 50.0
    cost[18:22, slice(2, 6) if where == "left" else slice(34, 38)] = 0.1
    way = route(cost, np.array([20.0, 5.0]), np.array([20.0, 34.0]))
    crossing = way[(way[:, 1] > 18) & (way[:, 1] < 21), 0]
    assert (crossing < 8).all() if where == "left" else (crossing > 32).all()
    assert way[0].tolist() == [20.0, 5.0]
    assert way[-1].tolist() == [20.0, 34.0]


def test_a_route_without_obstacles_is_as_short_as_its_steps_allow() -> None:
    way = route(np.ones((len(STEPS), 30, 30), np.float32), np.array([3.0, 3.0]), np.array([25.0, 14.0]))
    assert np.hypot(*np.diff(way, axis=0).T).sum() == pytest.approx(np.hypot(22, 11), rel=0.01)


def ring(name: str, centre: tuple[float, float], radius: float, visible: float = 1.0) -> String:
    t = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    path = tuple((float(centre[0] + radius * np.cos(a)), float(centre[1] + radius * np.sin(a))) for a in t)
    return String(name, True, path, 3.0, visible, (0.3,) * 60)


TILES = tuple(
    Piece(k, "tile", "lion", tuple((100 * k + x, y) for x, y in ((-20, 20), (20, 20), (20, -20), (-20, -20))), 90.0)
    for k in range(4)
)
FIELD, WIDE = ring("field", (150, 0), 300), ring("research", (150, 0), 280)
ONE, NONE = ring("research", (0, 0), 45), ring("research", (0, 300), 30)


@pytest.mark.parametrize(
    ("strings", "trusted"),
    [
        pytest.param((FIELD, ONE), True, id="round one tile of four"),
        pytest.param((ONE,), True, id="round one, and no field string"),
        pytest.param((WIDE,), False, id="round all, and no field string round them"),
        pytest.param((ring("field", (150, 0), 300, 0.4), WIDE), False, id="round all, the field string a guess"),
        pytest.param((FIELD, WIDE), True, id="round all, within the field string"),
        pytest.param((FIELD, NONE), False, id="round nothing"),
        pytest.param((ring("field", (0, 0), 45), WIDE), False, id="round more than the field string"),
    ],
)
def test_a_loop_that_may_be_another_thing_is_a_guess(strings: tuple[String, ...], trusted: bool) -> None:
    (told,) = [s for s in identified(strings, TILES) if s.name == "research"]
    assert (told.visible > GUESSED) == trusted
    assert Table(TILES, strings).string("research") == told or not trusted


TILE = np.array([[20.0, 20.0], [80.0, 20.0], [80.0, 80.0], [20.0, 80.0]])


@pytest.mark.parametrize(
    ("bow_px", "kept"),
    [pytest.param(0.0, True, id="straight along it"), pytest.param(2.5, False, id="a bow over its edge")],
)
def test_only_what_keeps_its_distance_may_be_an_outline(bow_px: float, kept: bool) -> None:
    x = np.arange(22.0, 78.0, SPACING_PX)
    y = 20.0 + bow_px * np.sin((x - 22) / 56 * np.pi) + np.random.default_rng(3).normal(0, 0.2, len(x))
    line = Line(np.column_stack([x, y]), np.ones(len(x), bool), False, 4.0)
    assert along_outlines(line, [TILE])[3:-3].all()
    assert kept_to_outlines(line, [TILE])[3:-3].all() == kept


def test_what_runs_along_an_outline_for_less_than_its_own_width_is_not_it() -> None:
    x = np.arange(-20.0, 20.0, SPACING_PX)
    y = 10.0 - np.abs(x) * 0.9
    y[np.abs(x) < 2] = y.max()  # past a piece's corner
    line = Line(np.column_stack([x + 50, y + 10.0]), np.ones(len(x), bool), False, 5.0)
    assert along_outlines(line, [TILE]).any()
    assert not kept_to_outlines(line, [TILE]).any()


def test_nothing_runs_along_no_outline() -> None:
    line = Line(np.array([[0.0, 0.0], [4.0, 0.0]]), np.ones(2, bool), False, 4.0)
    assert not along_outlines(line, []).any()
    assert not kept_to_outlines(line, []).any()


def test_no_strings_are_no_strings() -> None:
    assert identified((), TILES) == ()
