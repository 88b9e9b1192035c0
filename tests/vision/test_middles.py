"""The network that finds a cord's middle: it is not led aside by a shadow, and counts only as far as it is surer."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.cords import Cord, Floats, distance, loop, render, top
from vision.strings.centreline import Line, across, spaced
from vision.strings.ground import survey
from vision.strings.middles import COLUMNS, SPAN, centred, finder

CENTRE, RADIUS = (240.0, 180.0), 110.0


def _line(path: Floats, aside_px: Floats | float, width_px: float = 5.0) -> Line:
    """A line that follows a path (n, 2), but so far aside of it."""
    line = spaced(path, np.ones(len(path), bool), True, width_px)
    aside = np.broadcast_to(np.asarray(aside_px, float), len(line.seen))
    return Line(line.path_px + across(line) * aside[:, None], line.seen, True, width_px)


@pytest.mark.parametrize("kind", ["plain", "wood", "speckle"])
@pytest.mark.parametrize("bgr", [(38, 50, 66), (140, 142, 140), (60, 60, 170)], ids=["brown", "gray", "red"])
def test_a_line_off_its_cord_is_brought_nearer(kind: str, bgr: tuple[int, int, int]) -> None:
    path = loop(CENTRE, RADIUS, seed=3)
    image = render(top(kind), (Cord(path, bgr, shadow_px=(2.5, 1.5)),), seed=1)
    line = _line(path, 1.2)
    found = centred(image, survey(image, ()), line, np.full(len(line.seen), 1.0))
    before, after = distance(line.path_px, path), distance(found.line.path_px, path)
    assert after.mean() < 0.5 * before.mean()
    assert np.allclose(found.beside_px, ((found.line.path_px - line.path_px) * across(line)).sum(1))


def test_a_line_that_is_sure_of_itself_stays() -> None:
    path = loop(CENTRE, RADIUS, seed=3)
    image = render(top("plain"), (Cord(path),), seed=1)
    line = _line(path, 1.2)
    moved = centred(image, survey(image, ()), line, np.full(len(line.seen), 1e-3)).line
    assert np.abs(moved.path_px - line.path_px).max() < 0.3


FAINT_BGR = (150, 152, 160)  # hardly another colour than the plain top's


def _told(bgr: tuple[int, int, int], aside_px: float) -> tuple[float, float]:
    """How sure a cord's place is, seen from so far aside, and its width: the usual σ of both, px."""
    path = loop(CENTRE, RADIUS, seed=3)
    image = render(top("plain"), (Cord(path, bgr, shadow_px=(2.5, 1.5)),), seed=1, noise=5.0)
    line = _line(path, aside_px)
    found = centred(image, survey(image, ()), line, np.full(len(line.seen), 0.3))
    return float(np.median(found.sigma_px)), found.width_sigma_px


def test_a_faint_cord_is_told_less_surely_than_a_dark_one() -> None:
    (dark, dark_width), (faint, faint_width) = _told((38, 50, 66), 0.0), _told(FAINT_BGR, 0.0)
    assert faint > 1.5 * dark
    assert faint_width > 1.2 * dark_width


def test_where_network_and_fit_differ_the_place_is_doubted() -> None:
    agreed, apart = _told((38, 50, 66), 0.0)[0], _told((38, 50, 66), 1.2)[0]
    assert apart > 1.3 * agreed


def test_where_there_is_no_cord_the_network_is_unsure() -> None:
    rows = np.ones((200, COLUMNS, 3))
    angle = np.linspace(0, 2 * np.pi, 200)
    band = np.abs(np.linspace(-SPAN, SPAN, COLUMNS)) < 0.5
    with_cord = np.where(band[None, :, None], 0.4, rows)
    _, blank, _ = finder().find(rows, np.zeros((200, COLUMNS)), angle, 5.0)
    middle, sure, width = finder().find(with_cord, np.zeros((200, COLUMNS)), angle, 5.0)
    assert np.median(blank) > 3 * np.median(sure)
    assert np.abs(middle).max() < 0.1
    assert width == pytest.approx(1, abs=0.2)


@pytest.mark.parametrize("rows", [9, 64, 700])
def test_strips_of_any_length_are_read(rows: int) -> None:
    middle, sigma, width = finder().find(np.ones((rows, COLUMNS, 3)), np.zeros((rows, COLUMNS)), np.zeros(rows), 4.0)
    assert middle.shape == sigma.shape == (rows,)
    assert (sigma > 0).all()
    assert width > 0


def test_an_open_line_is_centred_too() -> None:
    path = loop(CENTRE, RADIUS, seed=3)[:300]
    image = render(top("plain"), (Cord(path, closed=False),), seed=1)
    line = spaced(path, np.ones(len(path), bool), False, 5.0)
    aside = Line(line.path_px + 1.2 * across(line), line.seen, False, 5.0)
    moved = centred(image, survey(image, ()), aside, np.ones(len(aside.seen))).line
    inner = slice(20, -20)
    near = distance(moved.path_px[inner], path, closed=False).mean()
    assert near < 0.5 * distance(aside.path_px[inner], path, closed=False).mean()
