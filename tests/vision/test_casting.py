"""From lines to rough strings: what goes straight on where a string turns is its own, or another's that crosses it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.cords import RESEARCH_BGR, Cord, Floats, render, top
from vision.strings.casting import cast
from vision.strings.centreline import Line, aligned
from vision.strings.doubts import founded, half_seen, unhidden
from vision.strings.fragments import Fragment
from vision.strings.ground import survey
from vision.strings.naming import Look
from vision.strings.tone import plainly_table

COLOURS = {"field": "dark brown", "research": "gray"}


def run(points: Floats) -> Fragment:
    return Fragment(points, np.full(len(points), 14.0), np.ones(len(points)), False)


@pytest.mark.parametrize("whose", ["its own", "another's"])
def test_what_goes_straight_on_where_a_string_turns_may_be_another(whose: str, monkeypatch: pytest.MonkeyPatch) -> None:
    corners = np.array([(150, 100), (300, 100), (300, 250), (150, 250), (150, 100)], np.float64)
    t = np.linspace(0, 4, 600, endpoint=False)
    square = np.stack([np.interp(t, range(5), corners[:, k]) for k in (0, 1)], 1)
    on = np.stack([np.linspace(303, 380, 78), np.full(78, 100.0)], 1)  # from a corner on
    like = np.zeros((360, 480), np.float32)
    for points in (square, on):
        cv2.polylines(like, [np.rint(points).astype(np.int32)], False, 1, 3)
    mine = {"field": [run(square)], "research": [run(on)] if whose == "another's" else []}
    for name, value in {"clusters": [], "named": {}, "members": mine, "likeness": like}.items():
        monkeypatch.setattr(f"vision.strings.casting.{name}", lambda *_, value=value, **__: value)
    look = Look(np.zeros(3), 1.0, 1.0)
    monkeypatch.setattr("vision.strings.casting.clicked_looks", lambda *_: dict.fromkeys(COLOURS, look))
    ground = survey(np.full((360, 480, 3), 150, np.uint8))
    assert cast(ground, [], COLOURS, {}, {})["field"].loose == (whose == "its own")


@pytest.mark.parametrize("hint", [0.15, 0.0], ids=["faintly", "nowhere"])
def test_between_its_ends_a_string_runs_where_a_cord_is_faintly_seen(
    hint: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    corners = np.array([(150, 100), (300, 100), (300, 250), (150, 250), (150, 100)], np.float64)
    t = np.linspace(0, 4, 600, endpoint=False)
    square = np.stack([np.interp(t, range(5), corners[:, k]) for k in (0, 1)], 1)
    away = np.hypot(*(square - corners[2]).T)
    runs = [run(square[(away > 40) & half]) for half in (t < 2, t > 2)]
    like = np.zeros((360, 480), np.float32)
    cv2.polylines(like, [np.rint(corners).astype(np.int32)], False, 1, 5)
    cords = 0.9 * like
    cords[215:265, 265:315] *= hint / 0.9
    values = {"clusters": [], "named": {}, "members": {"field": runs, "research": []}, "likeness": like}
    for name, value in values.items():
        monkeypatch.setattr(f"vision.strings.casting.{name}", lambda *_, value=value, **__: value)
    look = Look(np.zeros(3), 1.0, 1.0)
    monkeypatch.setattr("vision.strings.casting.clicked_looks", lambda *_: dict.fromkeys(COLOURS, look))
    ground = survey(render(top("plain"), (Cord(square, RESEARCH_BGR, shadow_px=(0.0, 0.0)),)))
    ground = replace(ground, bare=like == 0)
    path = cast(ground, [], COLOURS, {}, {}, cords)["field"].path_px
    assert bool(np.hypot(*(path - corners[2]).T).min() < 7) is (hint > 0)


@pytest.mark.parametrize("beside_px", [7.0, -7.0], ids=["outside", "inside"])
def test_of_two_like_lines_that_one_is_the_string_where_a_cord_is_seen(beside_px: float) -> None:
    centre, radius = np.array([240.0, 180.0]), 110.0
    turn = np.linspace(0, 2 * np.pi, 500, endpoint=False)
    way = np.stack([np.cos(turn), np.sin(turn)], 1)
    doubtful = turn < 0.8
    other = Cord(centre + (radius + beside_px) * way[doubtful], RESEARCH_BGR, False, shadow_px=(0.0, 0.0))
    image = render(top("plain"), (Cord(centre + radius * way, RESEARCH_BGR, shadow_px=(0.0, 0.0)), other))
    ground = survey(image)
    rows, columns = np.mgrid[0 : ground.bare.shape[0], 0 : ground.bare.shape[1]]
    x, y = ground.to_picture(np.stack([columns, rows], -1).reshape(-1, 2).astype(np.float64)).T
    off = (np.hypot(x - centre[0], y - centre[1]) - radius).reshape(ground.bare.shape)
    ground = replace(ground, cords=np.exp(-((off / 3) ** 2)).astype(np.float32))
    start = centre + np.where(doubtful, radius + 0.6 * beside_px, radius)[:, None] * way
    found = aligned(image, ground, Line(start, np.ones(len(start), bool), True, 5.0), ~doubtful, 6.0)
    assert found is not None
    away = np.hypot(*(found[0].path_px - centre).T) - radius
    assert np.median(np.abs(away[doubtful])) < 1.5


TURN = np.linspace(0, 2 * np.pi, 500, endpoint=False)


def circle() -> Floats:
    return np.asarray(np.array([240.0, 180.0]) + 110 * np.stack([np.cos(TURN), np.sin(TURN)], 1))


@pytest.mark.parametrize(
    ("likely", "misfit", "bare", "half"),
    [
        pytest.param(0.5, 1.0, True, True, id="may be cord, looks like none"),
        pytest.param(0.5, 0.3, True, False, id="looks like the string"),
        pytest.param(0.95, 1.0, True, False, id="surely cord"),
        pytest.param(0.05, 1.0, True, False, id="no cord: hidden, or a plain gap"),
        pytest.param(0.5, 1.0, False, False, id="something lies there"),
    ],
)
def test_where_a_cord_is_half_seen(likely: float, misfit: float, bare: bool, half: bool) -> None:
    path = circle()
    image = render(top("plain"), (Cord(path, RESEARCH_BGR),))
    line = Line(path, np.ones(500, bool), True, 5.0)
    ground = survey(image)
    found = aligned(image, ground, line, np.ones(500, bool), 3.0)
    assert found is not None
    stretch = TURN < 0.5
    cords = np.full(ground.bare.shape, likely, np.float32)
    ground = replace(ground, cords=cords, bare=np.full_like(ground.bare, bare))
    placed = replace(found[1], misfit=np.where(stretch, misfit, 0.1))
    assert (half_seen(ground, line, placed) == (stretch & half)).all()


@pytest.mark.parametrize(
    ("seen", "bare", "doubted"),
    [
        pytest.param(False, True, True, id="not seen on bare table"),
        pytest.param(False, False, False, id="not seen where something lies"),
        pytest.param(True, True, False, id="seen"),
    ],
)
def test_a_string_that_nothing_hides_must_be_seen(seen: bool, bare: bool, doubted: bool) -> None:
    path, stretch = circle(), TURN < 0.5
    ground = survey(render(top("plain"), (Cord(path, RESEARCH_BGR),)))
    ground = replace(ground, bare=np.full_like(ground.bare, bare))
    line = Line(path, ~stretch | seen, True, 5.0)
    assert (unhidden(ground, line) == (stretch & doubted)).all()


@pytest.mark.parametrize("uneven", [6.0, 60.0], ids=["a colour of its own", "one of the table's colours"])
@pytest.mark.parametrize("opened", [True, False], ids=["a gap", "whole"])
def test_where_the_tables_colour_shows_and_not_the_strings(uneven: float, opened: bool) -> None:
    bgr, path, gap = (60, 60, 150), circle(), (TURN < 0.6) & opened
    table = np.random.default_rng(3).normal((100, 105, 150), uneven, (360, 480, 3)).clip(0, 255)
    image = render(np.asarray(table, np.uint8), (Cord(path[~gap], bgr, not opened, shadow_px=(0.0, 0.0)),))
    ground = survey(image)
    shown = plainly_table(image, ground, path, ~gap)
    distinct = uneven < 10
    inside = (TURN > 0.1) & (TURN < 0.5)
    assert shown[inside].all() == (opened and distinct)
    assert not shown[~gap & (TURN > 0.7) & (TURN < 6.2)].any()


@pytest.mark.parametrize("table", [True, False], ids=["the table's colour", "any colour"])
def test_over_a_gap_the_network_is_not_believed(table: bool) -> None:
    path, gap = circle(), TURN < 0.6
    image = render(top("plain"), (Cord(path, RESEARCH_BGR),))
    ground, line = survey(image), Line(path, ~gap, True, 5.0)
    found = aligned(image, ground, line, np.ones(500, bool), 3.0)
    assert found is not None
    placed = replace(found[1], bare=np.zeros(500, bool))
    ground = replace(ground, cords=np.full(ground.bare.shape, 0.8, np.float32))
    told, _, _ = founded(ground, line, placed, [], gap & table)
    assert (told.seen == ~(gap & table)).all()


NOWHERE = np.zeros(1, bool)


@pytest.mark.parametrize(("misfit", "seen"), [(0.3, True), (0.7, False)], ids=["the string's look", "none of its look"])
def test_a_pieces_border_that_seems_cord_is_no_string(misfit: float, seen: bool) -> None:
    corners = np.array([(150, 100), (300, 100), (300, 250), (150, 250), (150, 100)], np.float64)
    t = np.linspace(0, 4, 400, endpoint=False)
    path = np.stack([np.interp(t, range(5), corners[:, k]) for k in (0, 1)], 1)
    image = render(top("plain"), (Cord(path, RESEARCH_BGR),))
    ground, line = survey(image), Line(path, np.ones(400, bool), True, 5.0)
    found = aligned(image, ground, line, np.ones(400, bool), 3.0)
    assert found is not None
    piece = np.array([[170.0, 101], [280, 101], [280, 140], [170, 140]])
    beside = (path[:, 1] == 100) & (path[:, 0] > 180) & (path[:, 0] < 270)
    ground = replace(ground, cords=np.full(ground.bare.shape, 0.7, np.float32))
    placed = replace(found[1], misfit=np.where(beside, misfit, 0.1), bare=np.zeros(400, bool))
    told, sure, _ = founded(ground, replace(line, seen=~beside), placed, [piece], NOWHERE)
    assert (told.seen[beside] == seen).all()
    assert (sure[beside] == seen).all()
    assert told.seen[~beside].all()


@pytest.mark.parametrize(("widths", "seen"), [(1.2, False), (4.0, True)], ids=["chance", "a string"])
def test_a_little_that_is_seen_between_unseen_stretches_is_chance(widths: float, seen: bool) -> None:
    turn = np.linspace(0, 2 * np.pi, 460, endpoint=False)  # about one every 1.5 px
    path = np.array([240.0, 180.0]) + 110 * np.stack([np.cos(turn), np.sin(turn)], 1)
    image = render(top("plain"), (Cord(path, RESEARCH_BGR),))
    line = Line(path, np.ones(460, bool), True, 5.0)
    found = aligned(image, survey(image), line, np.ones(460, bool), 3.0)
    assert found is not None
    island = np.abs(np.arange(460) - 60) < widths * line.width_px / 1.5 / 2
    hidden = (np.abs(np.arange(460) - 60) < 30) & ~island
    told, _, _ = founded(survey(image), replace(line, seen=~hidden), found[1], [], NOWHERE)
    assert (told.seen[island] == seen).all()
    assert not told.seen[hidden].any()
    assert told.seen[100:].all()
