"""Rings: which loop of cord is the field string and which the research string, whatever their colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.string_field import FIELD, RESEARCH
from vision.strings.casting import Rough
from vision.strings.ground import Ground, survey
from vision.strings.nearness import nearest_distance
from vision.strings.rings import lies_in, ringed

Points = NDArray[np.float64]

TILES = [(x, y) for x in (230, 300, 370) for y in (170, 240, 310)]
SIDE = 16.0
ROUND, SMALL, PRINT = 130.0, 34.0, 6.0
MIDDLE = (300.0, 240.0)


def circle(centre: tuple[float, float], radius: float, start: float = 0.0, stop: float = 1.0) -> Points:
    """Draw a part of a circle, about a point a px."""
    turn = 2 * np.pi * np.linspace(start, stop, round(2 * np.pi * radius * (stop - start)), endpoint=False)
    return np.stack([centre[0] + radius * np.cos(turn), centre[1] + radius * np.sin(turn)], 1)


FIELD_RING, RESEARCH_RING = circle(MIDDLE, ROUND), circle((300, 170), SMALL)


def ground(*cords: tuple[Points, float], tiles_at: Sequence[tuple[int, int]] = TILES) -> Ground:
    """A plain table with tiles, nine of them, on which cords are seen, so likely each."""
    tiles = [np.array(at) + SIDE * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) for at in tiles_at]
    image = np.full((480, 640, 3), 150, np.uint8)
    seen = np.zeros((480, 640), np.float32)
    for path, likely in cords:
        drawn = np.zeros_like(seen)
        cv2.polylines(drawn, [np.rint(path * 16).astype(np.int32)], False, likely, 3, cv2.LINE_8, 4)
        seen = np.maximum(seen, drawn)
    return replace(survey(image, tiles), cords=np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.7), np.float32))


def rough(path: Points, closed: bool = True) -> Rough:
    return Rough(path, np.ones(len(path), bool), closed, False, float(len(path)))


def same(path: Points, true: Points) -> bool:
    """Tell whether two paths run the same way."""
    return bool(nearest_distance(path, true).max() < 4 and nearest_distance(true, path).max() < 4)


HALVES = {FIELD: rough(circle(MIDDLE, ROUND, 0.02, 0.5), False), RESEARCH: rough(circle(MIDDLE, ROUND, 0.52, 1), False)}
LED = np.concatenate([circle(MIDDLE, ROUND, -0.25, 0.748), circle((300, 146), SMALL, -0.25, 0.74)])
"""Round the field, and through a loop that touches it."""


@pytest.mark.parametrize(
    ("cords", "told", "field", "research"),
    [
        pytest.param([(FIELD_RING, 1.0), (RESEARCH_RING, 1.0)], {}, FIELD_RING, RESEARCH_RING, id="no colour told"),
        pytest.param(
            [(FIELD_RING, 1.0), (RESEARCH_RING, 0.5)], HALVES, FIELD_RING, RESEARCH_RING, id="two halves of one ring"
        ),
        pytest.param(
            [(FIELD_RING, 1.0), (RESEARCH_RING, 0.5)],
            {RESEARCH: rough(FIELD_RING)},
            FIELD_RING,
            RESEARCH_RING,
            id="round all tiles: the field",
        ),
        pytest.param(
            [(FIELD_RING, 1.0), (RESEARCH_RING, 1.0)],
            {RESEARCH: rough(FIELD_RING), FIELD: rough(RESEARCH_RING)},
            FIELD_RING,
            RESEARCH_RING,
            id="colours the wrong way round",
        ),
        pytest.param([(LED, 1.0)], {FIELD: rough(LED)}, FIELD_RING, circle((300, 146), SMALL), id="led through a loop"),
        pytest.param(
            [(LED, 1.0), (FIELD_RING, 1.0)],
            {FIELD: rough(FIELD_RING)},
            FIELD_RING,
            circle((300, 146), SMALL),
            id="a loop whose line runs into the field's",
        ),
        pytest.param([(FIELD_RING, 1.0)], {FIELD: rough(FIELD_RING)}, FIELD_RING, None, id="nothing in the field"),
        pytest.param(
            [(FIELD_RING, 1.0), (circle((300, 240), PRINT), 1.0)],
            {FIELD: rough(FIELD_RING)},
            FIELD_RING,
            None,
            id="a print on a tile is no string",
        ),
        pytest.param(
            [(FIELD_RING, 1.0), (circle((520, 90), SMALL), 1.0)],
            {FIELD: rough(FIELD_RING), RESEARCH: rough(circle((520, 90), SMALL), False)},
            FIELD_RING,
            None,
            id="what lies outside is none",
        ),
        pytest.param([], {}, None, None, id="an empty table"),
    ],
)
def test_the_field_lies_round_the_tiles_and_the_research_string_in_it(
    cords: list[tuple[Points, float]], told: dict[str, Rough], field: Points | None, research: Points | None
) -> None:
    found = ringed(ground(*cords), told, {}, None)
    for name, true in ((FIELD, field), (RESEARCH, research)):
        assert (name in found) == (true is not None), name
        assert true is None or same(found[name].path_px, true), name


def test_what_colours_told_for_certain_stays() -> None:
    told = {FIELD: rough(FIELD_RING), RESEARCH: rough(RESEARCH_RING)}
    assert ringed(ground((FIELD_RING, 1.0), (RESEARCH_RING, 1.0)), told, {}, None) == told


def test_without_tiles_colours_alone_tell() -> None:
    told = {RESEARCH: rough(FIELD_RING), FIELD: rough(RESEARCH_RING)}
    assert ringed(ground((FIELD_RING, 1.0), (RESEARCH_RING, 1.0), tiles_at=()), told, {}, None) == told


def test_a_string_that_lies_there_is_not_told_anew() -> None:
    cords = ground((FIELD_RING, 1.0), (RESEARCH_RING, 0.6))
    found = ringed(cords, {}, {FIELD: FIELD_RING}, None)
    assert found.keys() == {RESEARCH}
    assert same(found[RESEARCH].path_px, RESEARCH_RING)


def test_a_faint_ring_leaves_room_for_plain_lines() -> None:
    found = ringed(ground((FIELD_RING, 1.0), (RESEARCH_RING, 0.45)), {}, {}, None)[RESEARCH]
    assert not found.firm


@pytest.mark.parametrize(
    ("path", "may"),
    [
        pytest.param(RESEARCH_RING, True, id="within"),
        pytest.param(circle((430, 240), SMALL), True, id="half over the field string"),
        pytest.param(circle((520, 90), SMALL), False, id="outside"),
        pytest.param(circle(MIDDLE, ROUND - 4), False, id="as large"),
        pytest.param(circle((300, 240), PRINT), False, id="on a tile"),
    ],
)
def test_a_research_string_lies_in_the_field(path: Points, may: bool) -> None:
    assert lies_in(ground(), rough(path), rough(FIELD_RING)) == may
