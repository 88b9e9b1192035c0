"""A string that was not seen on a piece is certain to lie there only where its own colour shows."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.cords import RESEARCH_BGR, Cord, Floats, Image, loop, render, top
from vision.strings.centreline import Line
from vision.strings.ground import survey
from vision.strings.outlines import unfounded_px

WIDTH_PX = 5.0
PATH = loop((240.0, 180.0), 90.0, 0.0)
TILE = np.array([[325.0, 155.0], [375.0, 155.0], [375.0, 205.0], [325.0, 205.0]])
COLOURS = {"pale": (215, 225, 230), "green": (90, 190, 110), "dark": (50, 40, 60)}


def photograph(over: bool, bgr: tuple[int, int, int]) -> Image:
    """A string round a table, over a tile or under it."""
    cord = Cord(PATH, RESEARCH_BGR, True, WIDTH_PX)
    image = render(top("plain"), (cord,))
    inside = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(inside, [TILE.astype(np.int32)], 1)
    tile = np.broadcast_to(np.array(bgr, np.uint8), image.shape)
    bare = np.where(inside[..., None] > 0, tile, image)
    if not over:
        return np.asarray(bare, np.uint8)
    table = np.where(inside[..., None] > 0, tile, render(top("plain"), (), noise=0.0)).astype(np.float64)
    return render(table, (cord,))


def doubt(image: Image, seen_on_tile: bool = False, outlines: tuple[Floats, ...] = (TILE,)) -> tuple[Floats, Floats]:
    """What is doubted along the string, and how deep in the tile each sample lies."""
    deep = np.array([cv2.pointPolygonTest(TILE.astype(np.float32), (float(x), float(y)), True) for x, y in PATH])
    line = Line(PATH, (deep < -WIDTH_PX) | seen_on_tile, True, WIDTH_PX)
    return unfounded_px(image, survey(image, list(outlines)), line, list(outlines)), deep


@pytest.mark.parametrize("colour", COLOURS)
def test_a_string_over_a_tile_is_not_doubted(colour: str) -> None:
    found, deep = doubt(photograph(True, COLOURS[colour]))
    assert (found[deep > 3] == 0).mean() > 0.7


@pytest.mark.parametrize("colour", COLOURS)
def test_what_only_may_run_over_a_tile_is_doubted_by_more_than_it_reaches_over_it(colour: str) -> None:
    found, deep = doubt(photograph(False, COLOURS[colour]))
    assert (found[deep > 3] > deep[deep > 3] + WIDTH_PX / 2).all()
    assert (found[deep < -WIDTH_PX] == 0).all()


def test_what_was_seen_there_is_not_doubted_nor_is_anything_without_pieces() -> None:
    image = photograph(False, COLOURS["pale"])
    assert not doubt(image, seen_on_tile=True)[0].any()
    assert not doubt(image, outlines=())[0].any()
