"""No cord bends as sharply as a line that was led astray; beside a piece's outline such a bend is doubt."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from vision.strings.bends import bent, doubt_px, unbent
from vision.strings.centreline import SPACING_PX, Line

Floats = npt.NDArray[np.float64]
WIDTH_PX = 4.5
TILE = np.array([[160.0, 40.0], [240.0, 40.0], [240.0, 95.0], [160.0, 95.0]])
AWAY = TILE + np.array([300.0, 0.0])


def ring(radius_px: float = 100.0, dent_px: float = 0.0) -> Line:
    """A round loop, one sample of it moved inwards."""
    count = round(2 * np.pi * radius_px / SPACING_PX)
    turn = np.arange(count) * 2 * np.pi / count
    radius = np.full(count, radius_px)
    radius[count // 4] -= dent_px
    path = np.array([200.0, 0.0]) + radius[:, None] * np.stack([np.cos(turn), np.sin(turn)], 1)
    return Line(path, np.ones(count, bool), True, WIDTH_PX)


@pytest.mark.parametrize("radius_px", [WIDTH_PX, 30.0, 100.0], ids=["as tight as a cord goes", "tight", "wide"])
def test_a_cord_is_not_bent(radius_px: float) -> None:
    line = ring(radius_px)
    assert bent(line) == 0
    assert unbent(line) is None
    assert not doubt_px(line, [TILE]).any()


@pytest.mark.parametrize("dent_px", [3.0, 6.0], ids=["a width's part", "more than a width"])
def test_a_dent_is_redrawn_and_doubted_as_far_as_it_goes(dent_px: float) -> None:
    line = ring(dent_px=dent_px)
    smooth = unbent(line)
    assert bent(line) > 0
    assert smooth is not None
    assert np.abs(np.linalg.norm(smooth.path_px - (200, 0), axis=1) - 100).max() < 1.0
    doubt = doubt_px(line, [TILE])
    middle = len(doubt) // 4
    assert doubt[middle - 4 : middle + 5] == pytest.approx(dent_px, abs=1.0)
    assert not doubt[2 * middle :].any()


def test_a_dent_away_from_all_pieces_is_no_doubt_of_them() -> None:
    assert not doubt_px(ring(dent_px=6.0), [AWAY]).any()
    assert not doubt_px(ring(dent_px=6.0), []).any()
