"""Strings on rendered tables: found, measured, and never guessed."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from scoring.string_field import VISIBLE_ENOUGH
from vision.strings import TracedString, follow, trace
from vision.strings.centreline import Line
from vision.strings.ground import Floats, survey
from vision.strings.rivals import rivals_px

_spec = importlib.util.spec_from_file_location("string_cords", Path(__file__).with_name("cords.py"))
assert _spec is not None
assert _spec.loader is not None
cords = importlib.util.module_from_spec(_spec)
sys.modules["string_cords"] = cords
_spec.loader.exec_module(cords)

COLOURS = {"field": "dark brown", "research": "gray"}
FIELD = cords.loop((225, 180), 125, seed=3)
RESEARCH = cords.loop((275, 185), 62, seed=5)


def traced(image: np.ndarray, **given: object) -> dict[str, TracedString]:
    return {string.name: string for string in trace(image, given.pop("colours", COLOURS), **given)}  # type: ignore[arg-type]  # rows of a table


@pytest.mark.parametrize("kind", ["plain", "wood", "cloth", "speckle"])
def test_two_strings_are_found_to_a_fraction_of_a_pixel(kind: str) -> None:
    image = cords.render(cords.top(kind), (cords.Cord(FIELD), cords.Cord(RESEARCH, cords.RESEARCH_BGR)))
    found = traced(image)
    assert sorted(found) == ["field", "research"]
    for name, truth in (("field", FIELD), ("research", RESEARCH)):
        string = found[name]
        away = cords.distance(string.path_px, truth)
        assert string.closed
        assert len(string.crossings_px) == 0
        assert np.median(away[string.seen]) < 0.3
        assert np.percentile(away[string.seen], 95) < 0.8
        assert string.width_px == pytest.approx(5.0, abs=1.0)
        assert np.mean(away < 2 * string.sigma_px) > 0.9


def inked(image: Floats, path_px: Floats, bgr: tuple[int, int, int], width_px: float | None) -> Floats:
    """Draw a closed path (n, 2) smoothly onto a picture: a line of this width, or filled."""
    ink = np.zeros((2 * image.shape[0], 2 * image.shape[1]), np.uint8)
    at = [np.round(path_px * 32 + 8).astype(np.int32)]
    if width_px is None:
        cv2.fillPoly(ink, at, 255, cv2.LINE_AA, 4)
    else:
        cv2.polylines(ink, at, True, 255, round(2 * width_px), cv2.LINE_AA, 4)
    share = cv2.resize(ink, image.shape[1::-1], interpolation=cv2.INTER_AREA)[..., None] / 255
    return image * (1 - share) + np.array(bgr) * share


def test_a_thin_string_close_to_two_tiles_is_found() -> None:
    rng = np.random.default_rng(7)
    image = np.full((720, 1280, 3), (104, 100, 101), np.float64)
    tiles = [np.array([[x, 300.0], [x + 46, 300], [x + 46, 346], [x, 346]]) for x in (500.0, 590.0)]
    loop = np.array([[495.0, 295], [641, 295], [641, 351], [495, 351]])
    for path, bgr, width_px in ((loop, (140, 137, 138), 2.5), *((tile, (180, 90, 70), None) for tile in tiles)):
        image = inked(image, path, bgr, width_px)
    noisy = (cv2.GaussianBlur(image, (0, 0), 0.6) + rng.normal(0, 1.5, image.shape)).clip(0, 255).astype(np.uint8)
    found = traced(noisy, colours={"research": "gray"}, hidden_px=tiles)
    away = cords.distance(found["research"].path_px, loop)
    assert found["research"].closed
    assert np.median(away) < 0.4


def test_strings_that_cross_each_other_do_not_cross_themselves() -> None:
    research = cords.loop((345, 180), 70, seed=5)
    image = cords.render(cords.top("plain"), (cords.Cord(FIELD), cords.Cord(research, cords.RESEARCH_BGR)))
    found = traced(image)
    for name, truth in (("field", FIELD), ("research", research)):
        assert found[name].closed
        assert len(found[name].crossings_px) == 0
        assert cords.distance(found[name].path_px, truth).max() < 4.0


def test_a_self_crossing_is_reported_where_it_is() -> None:
    image = cords.render(cords.top("plain"), (cords.Cord(cords.eight((240, 180), 100)),))
    string = traced(image, colours={"field": "dark brown"})["field"]
    assert string.closed
    assert len(string.crossings_px) == 1
    assert np.hypot(*(string.crossings_px[0] - (240, 180))) < 8


@pytest.mark.parametrize("missing", [40, 90], ids=["short gap", "long gap"])
def test_an_open_string_is_reported_open(missing: int) -> None:
    image = cords.render(cords.top("plain"), (cords.Cord(FIELD[: len(FIELD) - missing], closed=False),))
    string = traced(image, colours={"field": "dark brown"})["field"]
    assert not string.closed
    assert len(string.gaps) == 1


@pytest.mark.parametrize("beside_px", [None, 6.0], ids=["on the bare table", "beside a tile"])
def test_a_gap_of_four_widths_is_asked_about(beside_px: float | None) -> None:
    tile = (
        [] if beside_px is None else [np.array([[330.0, 145], [330, 195], [FIELD[-5, 0] - beside_px, 195], [380, 145]])]
    )
    image = cords.render(cords.top("plain"), (cords.Cord(FIELD[:-10], closed=False),))
    for corners in tile:
        cv2.fillPoly(image, [np.rint(corners).astype(np.int32)], (60, 160, 220))
    string = traced(image, colours={"field": "dark brown"}, hidden_px=tile)["field"]
    assert not string.closed
    assert string.visible < VISIBLE_ENOUGH


@pytest.mark.parametrize("kind", ["plain", "wood", "cloth", "speckle"])
def test_nothing_is_found_where_nothing_lies(kind: str) -> None:
    image = cords.render(cords.top(kind), ())
    assert not any(string.closed for string in trace(image, COLOURS))


def test_a_string_that_is_not_there_is_left_out() -> None:
    image = cords.render(cords.top("plain"), (cords.Cord(FIELD),))
    assert [s.name for s in trace(image, COLOURS) if s.closed] == ["field"]


def test_no_colours_no_strings() -> None:
    assert trace(cords.render(cords.top("plain"), ()), {}) == ()


def hand(image: np.ndarray) -> np.ndarray:
    """Lay an arm over the left of the picture."""
    covered = image.copy()
    cv2.line(covered, (0, 150), (130, 190), (120, 150, 205), 46, cv2.LINE_AA)
    return covered


def test_a_hand_hides_a_string_and_is_bridged_with_doubt() -> None:
    string = traced(hand(cords.render(cords.top("plain"), (cords.Cord(FIELD),))), colours={"field": "dark brown"})[
        "field"
    ]
    away = cords.distance(string.path_px, FIELD)
    assert string.closed
    assert string.visible < 0.97
    assert away.max() < 8
    assert np.mean(away < 2 * string.sigma_px) > 0.9
    assert string.sigma_px[~string.seen].max() > 4 * np.median(string.sigma_px[string.seen])


def test_pieces_beside_a_string_do_not_draw_it_away() -> None:
    image = cords.render(cords.top("plain"), (cords.Cord(FIELD),))
    x, y = FIELD[np.argmax(FIELD[:, 0])]
    tile = np.array([[x - 48, y - 20], [x - 5, y - 20], [x - 5, y + 22], [x - 48, y + 22]])
    cv2.fillConvexPoly(image, np.rint(tile).astype(np.int32), (200, 90, 60))
    string = traced(image, colours={"field": "dark brown"}, hidden_px=[tile])["field"]
    assert string.closed
    assert cords.distance(string.path_px, FIELD).max() < 1.5


@pytest.mark.parametrize("light", [0.5, 0.75, 1.2], ids=["dim", "soft", "bright"])
def test_light_does_not_matter(light: float) -> None:
    image = cords.render(
        cords.top("plain") * light,
        tuple(
            cords.Cord(c.path_px, tuple(int(v * light) for v in c.bgr))
            for c in (cords.Cord(FIELD), cords.Cord(RESEARCH, cords.RESEARCH_BGR))
        ),
    )
    found = traced(image)
    assert all(found[name].closed for name in COLOURS)
    assert np.median(cords.distance(found["research"].path_px, RESEARCH)) < 0.4


@pytest.mark.parametrize("beside_px", [0.0, 4.0], ids=["on it", "just beside it"])
def test_clicks_teach_a_colour_that_has_no_fitting_name(beside_px: float) -> None:
    image = cords.render(cords.top("plain"), (cords.Cord(FIELD, (150, 60, 160)),))
    clicks = {"field": [tuple(FIELD[k] + (beside_px, 0)) for k in (0, 120, 300)]}
    string = traced(image, colours={"field": "yellow"}, samples=clicks)["field"]
    assert string.closed
    assert np.median(cords.distance(string.path_px, FIELD)) < 0.4


def test_of_two_strings_of_one_colour_the_clicked_one_is_traced() -> None:
    image = cords.render(cords.top("plain"), (cords.Cord(FIELD), cords.Cord(RESEARCH, cords.Cord(FIELD).bgr)))
    string = traced(image, colours={"research": "gray"}, samples={"research": [tuple(RESEARCH[40])]})["research"]
    assert string.closed
    assert np.median(cords.distance(string.path_px, RESEARCH)) < 0.4


@pytest.mark.parametrize(
    ("shift", "kept"), [((0, 0), True), ((1.5, -1.0), True), ((40, 0), False)], ids=["still", "nudged", "moved away"]
)
def test_following(shift: tuple[float, float], kept: bool) -> None:
    first = cords.render(cords.top("cloth"), (cords.Cord(FIELD),))
    second = cords.render(cords.top("cloth"), (cords.Cord(FIELD + shift),), seed=1)
    string = follow(traced(first, colours={"field": "dark brown"})["field"], second)
    assert (string is not None) == kept
    if string is not None:
        assert np.median(cords.distance(string.path_px, FIELD + shift)) < 0.3


@pytest.mark.parametrize("light", [0.8, 1.15], ids=["dimmer", "brighter"])
def test_following_a_thin_dark_string_through_a_nudge_and_other_light(light: float) -> None:
    thin, nudged = cords.Cord(FIELD, width_px=3.0), FIELD + np.array([1.0, 1.0])
    string = traced(cords.render(cords.top("plain"), (thin,)), colours={"field": "dark brown"})["field"]
    moved = cords.render(cords.top("plain"), (cords.Cord(nudged, width_px=3.0),), seed=1).astype(float)
    after = follow(string, np.clip(moved * light, 0, 255).astype(np.uint8))
    assert after is not None
    assert np.median(cords.distance(after.path_px, nudged)) < 0.3


def test_following_gives_up_on_a_lifted_string() -> None:
    first = cords.render(cords.top("plain"), (cords.Cord(FIELD),))
    assert follow(traced(first, colours={"field": "dark brown"})["field"], cords.render(cords.top("plain"), ())) is None


def test_nothing_that_was_not_seen_is_followed() -> None:
    image = cords.render(cords.top("plain"), (cords.Cord(FIELD),))
    string = traced(image, colours={"field": "dark brown"})["field"]
    assert follow(replace(string, seen=np.zeros_like(string.seen)), image) is None


@pytest.mark.parametrize("gap", [4, 8], ids=["near", "nearer than two widths"])
def test_a_string_does_not_jump_onto_a_border_of_its_colour(gap: int) -> None:
    image = cords.render(cords.top("wood"), (cords.Cord(RESEARCH, cords.RESEARCH_BGR),))
    x, y = RESEARCH[np.argmax(RESEARCH[:, 0])]
    left = x + 2.5 + gap
    tile = np.array([[left, y - 25], [left + 48, y - 25], [left + 48, y + 25], [left, y + 25]])
    cv2.fillConvexPoly(image, np.rint(tile).astype(np.int32), cords.RESEARCH_BGR)
    face = tile + 5 * np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
    cv2.fillConvexPoly(image, np.rint(face).astype(np.int32), (90, 200, 220))
    string = traced(image, colours={"research": "gray"}, hidden_px=[tile])["research"]
    away = cords.distance(string.path_px, RESEARCH)
    assert string.closed
    assert np.all(away < np.maximum(1.2, 2 * string.sigma_px))


def test_a_place_that_fits_as_well_is_a_doubt() -> None:
    inner, outer = cords.loop((240, 180), 100, wobble=0), cords.loop((240, 180), 110, wobble=0)
    alone, beside = (
        cords.render(cords.top("plain"), tuple(cords.Cord(path, cords.RESEARCH_BGR) for path in paths))
        for paths in ((inner,), (inner, outer))
    )
    string = traced(alone, colours={"research": "gray"})["research"]
    line = Line(string.path_px, string.seen, True, string.width_px)
    assert string.memory is not None
    assert not rivals_px(alone, survey(alone), line, string.memory.template).any()
    assert np.median(rivals_px(beside, survey(beside), line, string.memory.template)) > 5


def curled(path: np.ndarray, at: int, radius: float) -> np.ndarray:
    """Put a small loop into a path, outside it, as a cord that turns once over itself."""
    way = path[at + 1] - path[at - 1]
    way /= np.hypot(*way)
    out = np.array([way[1], -way[0]])
    turn = np.linspace(0, 2 * np.pi, 60)[:, None]
    curl = path[at] + radius * (np.sin(turn) * way + (1 - np.cos(turn)) * out)
    return np.concatenate([path[:at], curl, path[at + 1 :]])


@pytest.mark.parametrize("radius", [16, 20, 26], ids=["small", "larger", "large"])
def test_a_curl_is_not_passed_by(radius: float) -> None:
    image = cords.render(cords.top("plain"), (cords.Cord(curled(RESEARCH, 60, radius), cords.RESEARCH_BGR),))
    string = traced(image, colours={"research": "gray"})["research"]
    assert not string.closed or len(string.crossings_px) > 0


@pytest.mark.parametrize("clutter", ["joints", "frame"])
def test_lines_of_a_strings_colour_that_do_not_run_round_are_not_it(clutter: str) -> None:
    table = cords.top("plain")
    if clutter == "joints":
        for y in (60, 150, 240, 330):
            cv2.line(table, (0, y), (479, y + 12), (52, 62, 74), 4, cv2.LINE_AA)
    else:
        cv2.rectangle(table, (-20, 20), (420, 352), (52, 62, 74), 4, cv2.LINE_AA)
    image = cords.render(table, (cords.Cord(FIELD), cords.Cord(RESEARCH, cords.RESEARCH_BGR)))
    x, y = RESEARCH.mean(0)
    tile = np.array([[x - 12, y - 12], [x + 12, y - 12], [x + 12, y + 12], [x - 12, y + 12]])
    cv2.fillConvexPoly(image, np.rint(tile).astype(np.int32), (60, 200, 230))
    string = traced(image, hidden_px=[tile])["research"]
    assert string.closed
    assert cords.distance(string.path_px, RESEARCH).max() < 4
