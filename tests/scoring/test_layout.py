"""How pieces lie: poses, distances, piles, markers on tiles."""

from __future__ import annotations

import math

import pytest

from scoring.layout import Pose, corners_mm, gap_mm, outside_mm, piles, pose, poses, tile_under
from scoring.notation import rectangle
from scoring.table import Piece, Point


def card(x: float, y: float, up: float = 90.0, size: Point = (60, 90), piece_id: int = 0) -> Piece:
    return Piece(piece_id, "card", "fox", rectangle(x, y, size, up), up)


def lying(x: float, y: float, up: float = 90.0, size: Point = (60, 90)) -> Pose:
    found = pose(card(x, y, up, size))
    assert found is not None
    return found


@pytest.mark.parametrize("up", [0.0, 90.0, 135.0, -400.0])
def test_a_pose_is_where_its_piece_lies(up: float) -> None:
    at = lying(10, 20, up)
    assert at.centre_mm == pytest.approx((10, 20))
    assert (at.width_mm, at.height_mm) == pytest.approx((60, 90))
    assert math.degrees(math.atan2(at.up[1], at.up[0])) % 360 == pytest.approx(up % 360)
    assert at.right == pytest.approx((at.up[1], -at.up[0]))
    assert sum(corners_mm(at), ()) == pytest.approx(sum(card(10, 20, up).outline_mm, ()))


@pytest.mark.parametrize(
    "outline",
    [
        pytest.param((), id="empty"),
        pytest.param(((0, 0), (1, 0), (1, 1)), id="three corners"),
        pytest.param(((0, 0), (1, 0), (2, 0), (3, 0)), id="no area"),
        pytest.param(((0, 0), (1, 0), (math.nan, 1), (0, 1)), id="nan"),
        pytest.param(((0, 0), (1, 0), (math.inf, 1), (0, 1)), id="infinite"),
    ],
)
def test_no_pose_without_a_shape(outline: tuple[Point, ...]) -> None:
    assert pose(Piece(0, "card", None, outline)) is None
    assert poses([Piece(0, "card", None, outline), card(0, 0)]) == (lying(0, 0),)


def test_no_pose_without_a_direction() -> None:
    assert pose(Piece(0, "card", None, card(0, 0).outline_mm, math.nan)) is None


@pytest.mark.parametrize(
    ("point", "away"),
    [((0, 0), 0), ((30, 45), 0), ((40, 0), 10), ((0, -50), 5), ((33, 49), 5)],
    ids=["middle", "corner", "right", "below", "beyond a corner"],
)
def test_outside(point: Point, away: float) -> None:
    assert outside_mm(point, lying(0, 0)) == pytest.approx(away)


@pytest.mark.parametrize(
    ("other", "gap"),
    [(lying(70, 0), 10), (lying(50, 0), 0), (lying(0, 200), 110), (lying(95, 0, 0.0), 20)],
    ids=["beside", "overlapping", "above", "on its side"],
)
def test_gap(other: Pose, gap: float) -> None:
    assert gap_mm(lying(0, 0), other) == pytest.approx(gap)


def test_piles_are_cards_on_each_other() -> None:
    cards = [lying(0, 0), lying(5, 3), lying(70, 0), lying(75, 0, 80), lying(300, 0)]
    assert sorted(len(pile) for pile in piles(cards)) == [1, 2, 2]
    assert piles([]) == []


def test_a_card_between_two_joins_them_to_one_pile() -> None:
    assert len(piles([lying(0, 0), lying(60, 0), lying(30, 0)])) == 1


@pytest.mark.parametrize(
    ("at", "tile"),
    [((0, 0), 1), ((24, 0), 1), ((36, 0), 2), ((60, 0), 2), ((100, 0), None)],
    ids=["in the middle", "over the edge", "over the other's edge", "on the other", "beside them all"],
)
def test_the_tile_under_a_marker(at: Point, tile: int | None) -> None:
    tiles = [card(0, 0, size=(40, 40), piece_id=1), card(60, 0, size=(40, 40), piece_id=2)]
    marker = Piece(9, "marker", "red", rectangle(*at, (9, 9), 30), 30)
    assert tile_under(marker, tiles) == tile


def test_a_marker_without_a_shape_stands_nowhere() -> None:
    assert tile_under(Piece(9, "marker", "red", ()), [card(0, 0)]) is None
