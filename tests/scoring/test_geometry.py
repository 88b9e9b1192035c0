"""Bands and tiles: margins, their doubt, strings that cross or lie on themselves."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from scoring.geometry import CORNER_RADIUS_MM, DOUBT_SIGMAS, Band, Margin, band_margin, footprint, gaps_mm, tile_margin
from scoring.table import Piece, Point, String
from tests.scoring.string_cases import box, square, tile

LOOP = String("research", True, box(-100.0, -100.0, 100.0, 100.0), 3.0)


def noisy(string: String, sigma_mm: float) -> String:
    """Return a string whose every point has this doubt."""
    return replace(string, sigma_mm=(sigma_mm,) * len(string.path_mm))


def margin(piece: Piece, string: String = LOOP) -> Margin:
    """Return a tile's margin."""
    return tile_margin(piece, footprint(piece), Band(string))


MARGINS = [
    pytest.param(0.0, 78.5, False, id="in the middle"),
    pytest.param(78.0, 0.5, False, id="half a millimetre clear, inside"),
    pytest.param(78.5, 0.0, True, id="just meeting: contact"),
    pytest.param(79.0, -0.5, True, id="half a millimetre into the band"),
    pytest.param(100.0, -1.5, True, id="the string runs through it: half the width"),
    pytest.param(122.0, 0.5, False, id="half a millimetre clear, outside"),
]


@pytest.mark.parametrize(("x", "mm", "contact"), MARGINS)
def test_margin_of_a_tile(x: float, mm: float, contact: bool) -> None:
    found = margin(tile(0, "lion", x, 0.0))
    assert found.mm == pytest.approx(mm)
    assert found.contact is contact
    assert not found.doubtful
    assert found.contact_probability == float(contact)


def test_a_round_corner_is_farther_away_than_a_sharp_one() -> None:
    turned = Piece(0, "tile", "lion", square(68.0, 0.0, turn_deg=45.0))
    gain = 2.0 * (math.sqrt(2) - 1)
    assert margin(replace(turned, corner_radius_mm=2.0)).mm == pytest.approx(margin(turned).mm + gain, abs=1e-6)
    assert margin(replace(turned, corner_radius_mm=100.0)).mm == pytest.approx(margin(turned).mm)


def test_a_measured_corner_may_be_round_or_sharp() -> None:
    turned = Piece(0, "tile", "lion", square(68.0, 0.0, turn_deg=45.0))
    measured = margin(replace(turned, sigma_mm=0.01))
    gain = CORNER_RADIUS_MM * (math.sqrt(2) - 1)
    assert measured.mm == pytest.approx(margin(turned).mm + gain / 2, abs=1e-6)
    assert measured.sigma_mm == pytest.approx(math.hypot(0.01, gain / 2 / math.sqrt(3)), rel=1e-6)


DOUBTS = [
    pytest.param(78.0, 0.1, False, id="five sigmas clear"),
    pytest.param(78.0, 0.3, True, id="not two sigmas clear"),
    pytest.param(79.0, 0.3, True, id="not two sigmas in contact"),
    pytest.param(79.0, 0.1, False, id="five sigmas in contact"),
    pytest.param(0.0, 0.1, False, id="far away"),
]


WEIGHED = [
    pytest.param(78.0, 0.1, False, id="five sigmas clear"),
    pytest.param(78.0, 0.16, True, id="three sigmas clear"),
    pytest.param(79.0, 0.16, True, id="three sigmas in contact"),
    pytest.param(79.0, 0.1, False, id="five sigmas in contact"),
]


@pytest.mark.parametrize(("x", "sigma_mm", "weighed"), WEIGHED)
def test_what_is_weighed_at_all(x: float, sigma_mm: float, weighed: bool) -> None:
    found = margin(tile(0, "lion", x, 0.0), noisy(LOOP, sigma_mm))
    assert found.weighed is weighed
    assert not found.doubtful


@pytest.mark.parametrize(("x", "sigma_mm", "doubtful"), DOUBTS)
def test_doubt_under_two_sigmas(x: float, sigma_mm: float, doubtful: bool) -> None:
    found = margin(tile(0, "lion", x, 0.0), noisy(LOOP, sigma_mm))
    assert found.doubtful is doubtful
    assert found.sigma_mm == pytest.approx(sigma_mm)


@pytest.mark.parametrize(
    ("x", "doubtful"),
    [pytest.param(100.0, False, id="right across it"), pytest.param(119.0, True, id="a millimetre inside its edge")],
)
def test_contact_is_the_surer_the_deeper_a_string_runs_over_a_tile(x: float, doubtful: bool) -> None:
    found = margin(tile(0, "lion", x, 0.0), noisy(LOOP, 1.5))
    assert found.mm == pytest.approx(-1.5)
    assert found.contact
    assert found.doubtful is doubtful


def test_a_tiles_own_doubt_adds_up_with_the_strings() -> None:
    found = margin(replace(tile(0, "lion", 78.0, 0.0), sigma_mm=0.3, corner_radius_mm=0.0), noisy(LOOP, 0.4))
    assert found.sigma_mm == pytest.approx(0.5)
    assert found.sigmas == pytest.approx(0.5 / 0.5)


def test_a_bridged_arc_farther_off_puts_a_clear_tile_in_doubt() -> None:
    bridged = tuple(8.0 if x < -99.0 else 0.05 for x, _ in LOOP.path_mm)
    found = margin(tile(0, "lion", -66.0, 0.0), replace(LOOP, sigma_mm=bridged))
    assert found.mm == pytest.approx(12.5)
    assert found.doubtful


def test_sure_contact_elsewhere_outweighs_a_doubtful_arc() -> None:
    wide = Piece(0, "tile", "lion", ((-101.0, 5.0), (101.5, 5.0), (101.5, -5.0), (-101.0, -5.0)))
    bridged = tuple(8.0 if x < -99.0 else 0.05 for x, _ in LOOP.path_mm)
    assert not margin(wide, replace(LOOP, sigma_mm=bridged)).doubtful


def test_one_sigma_for_a_whole_path_and_zero_where_seen() -> None:
    assert margin(tile(0, "lion", 78.0, 0.0), replace(LOOP, sigma_mm=(0.3,))).doubtful
    half = tuple(0.3 if x < 0 else 0.0 for x, _ in LOOP.path_mm)
    assert not margin(tile(0, "lion", 78.0, 0.0), replace(LOOP, sigma_mm=half)).doubtful
    assert not margin(tile(0, "lion", 79.0, 0.0), replace(LOOP, sigma_mm=half)).doubtful


def test_contact_probability_is_that_of_the_normal_distribution() -> None:
    assert Margin(0.5, 0.25, DOUBT_SIGMAS).contact_probability == pytest.approx(0.02275, abs=1e-5)


FIGURE_EIGHT = ((0.0, 0.0), (100.0, 100.0), (100.0, 0.0), (0.0, 100.0))
HAIRPIN: tuple[Point, ...] = ((0.0, 0.0), (100.0, 0.0), (100.0, 50.0), (50.0, 2.0), (0.0, 50.0))
SHAPES = [
    pytest.param(box(-50, -50, 50, 50), False, False, id="a plain loop"),
    pytest.param(FIGURE_EIGHT, True, False, id="a figure of eight"),
    pytest.param(HAIRPIN, False, True, id="a strand that lies on another"),
    pytest.param(((0.0, 0.0), (3.0, 0.0), (3.0, 3.0)), False, False, id="a loop too small to have strands"),
]


@pytest.mark.parametrize(("path", "crosses", "lies"), SHAPES)
def test_crossing_and_lying_on_itself(path: tuple[Point, ...], crosses: bool, lies: bool) -> None:
    band = Band(String("research", True, path, 3.0))
    assert band.crosses_itself is crosses
    if not crosses:
        assert band.self_gap.contact is lies


def test_how_near_strands_come_may_be_in_doubt() -> None:
    path: tuple[Point, ...] = tuple((x, 3.3 if (x, y) == (50.0, 2.0) else y) for x, y in HAIRPIN)
    gap = Band(noisy(String("research", True, path, 3.0), 0.3)).self_gap
    assert gap.doubtful
    assert not Band(String("research", True, path, 3.0)).self_gap.contact


def test_an_open_string_may_lie_on_itself_too() -> None:
    path = ((0.0, 0.0), (100.0, 0.0), (100.0, 50.0), (50.0, 2.0))
    assert Band(String("research", False, path, 3.0)).self_gap.contact


INTERIORS = [
    pytest.param(String("s", True, FIGURE_EIGHT, 3.0), (90.0, 50.0), True, id="either eye of a figure of eight"),
    pytest.param(String("s", True, FIGURE_EIGHT, 3.0), (50.0, 90.0), False, id="beside it"),
    pytest.param(String("s", False, box(0, 0, 9, 9), 3.0), (5.0, 5.0), False, id="an open string holds nothing"),
    pytest.param(String("s", True, ((0.0, 0.0), (9.0, 0.0)), 3.0), (5.0, 0.0), False, id="two points hold nothing"),
    pytest.param(String("s", True, ((1.0, 1.0),), 3.0), (1.0, 1.0), False, id="one point holds nothing"),
    pytest.param(String("s", True, (*box(0, 0, 9, 9), *box(0, 0, 9, 9)), 3.0), (5.0, 5.0), True, id="a double loop"),
]


@pytest.mark.parametrize(("string", "point", "inside"), INTERIORS)
def test_what_a_string_holds(string: String, point: Point, inside: bool) -> None:
    assert Band(string).holds(point) is inside


OTHER = String("field", True, box(-300.0, -300.0, 300.0, 300.0), 3.0)


def edge(string: String, other: String = OTHER) -> Margin:
    """Return the gap between two strings."""
    return band_margin(Band(string), Band(other))


def shifted(string: String, dx: float) -> String:
    """Return a string moved to the right."""
    return replace(string, path_mm=tuple((x + dx, y) for x, y in string.path_mm))


EDGES = [
    pytest.param(0.0, 0.0, 197.0, False, id="far apart"),
    pytest.param(197.0, 0.0, 0.0, False, id="meeting"),
    pytest.param(196.0, 0.6, 1.0, True, id="not two sigmas apart"),
    pytest.param(198.0, 0.6, -1.0, True, id="not two sigmas in contact"),
    pytest.param(196.0, 0.1, 1.0, False, id="many sigmas apart"),
    pytest.param(198.0, 0.1, -1.0, False, id="many sigmas in contact"),
    pytest.param(250.0, 2.0, -3.0, False, id="crossing for certain"),
    pytest.param(200.5, 2.0, -3.0, True, id="crossing, but by less than the doubt"),
]


@pytest.mark.parametrize(("dx", "sigma_mm", "mm", "doubtful"), EDGES)
def test_the_gap_between_two_strings(dx: float, sigma_mm: float, mm: float, doubtful: bool) -> None:
    string = shifted(LOOP, dx)
    found = edge(noisy(string, sigma_mm) if sigma_mm else string)
    assert found.mm == pytest.approx(mm)
    assert found.contact is (mm <= 0)
    assert found.doubtful is doubtful


def test_crossing_an_open_string_is_contact() -> None:
    line = String("field", False, ((0.0, -300.0), (0.0, 300.0)), 3.0)
    assert edge(noisy(LOOP, 0.2), line).contact


GAPS = [
    pytest.param([], [], id="none"),
    pytest.param([0.0], [], id="one"),
    pytest.param([0.0, 54.9, 200.0], [(0, 1, 14.9)], id="nearer than a finger"),
    pytest.param([0.0, 55.0], [], id="just a finger apart"),
    pytest.param([0.0, 30.0], [(0, 1, 0.0)], id="on each other"),
]


@pytest.mark.parametrize(("xs", "pairs"), GAPS)
def test_gaps(xs: list[float], pairs: list[tuple[int, int, float]]) -> None:
    found = gaps_mm([footprint(tile(i, "lion", x, 0.0)) for i, x in enumerate(xs)], 15.0)
    assert [(i, j) for i, j, _ in found] == [(i, j) for i, j, _ in pairs]
    assert [gap for *_, gap in found] == pytest.approx([gap for *_, gap in pairs])


def test_a_footprint_with_crossed_corners_is_its_hull() -> None:
    bow_tie = Piece(0, "tile", "lion", ((0.0, 0.0), (10.0, 10.0), (10.0, 0.0), (0.0, 10.0)))
    assert footprint(bow_tie).area == pytest.approx(100.0)
