"""What is odd among pieces that were cut out of one photograph."""

from __future__ import annotations

import numpy as np

from tests.vision.test_framing import CAMERA, SIZE_MM, picture, rects
from vision import framing, oddones
from vision.oddones import odd


def test_pieces_that_lie_apart_and_are_cut_well_are_not_odd() -> None:
    tiles = rects(8)
    told = odd(picture(tiles), CAMERA.to_px(tiles), SIZE_MM, 0.0)
    assert [(one.unseen, one.none) for one in told] == [(0, False)] * 8


def test_a_piece_that_is_cut_beside_its_edges_is_odd() -> None:
    tiles = rects(8)
    cut = tiles.copy()
    cut[2] += 1.4 * (tiles[2, 0] - tiles[2, 3]) / 40  # mm, along itself
    told = odd(picture(tiles), CAMERA.to_px(cut), SIZE_MM, 0.0)
    assert [k for k, one in enumerate(told) if one.unseen] == [2]


def test_what_lies_upon_another_or_on_bare_table_may_be_no_piece() -> None:
    tiles = rects(8)
    bare, upon = np.add(tiles[:1], (28.0, -26.0)), np.add(tiles[:1], (9.0, 0.0))
    assert odd(picture(tiles), CAMERA.to_px(np.concatenate([tiles, bare])), SIZE_MM, 0.0)[-1].none
    assert odd(picture(tiles), CAMERA.to_px(np.concatenate([tiles, upon])), SIZE_MM, 0.0)[-1].upon


def test_where_nothing_was_cut_nothing_is_odd() -> None:
    assert odd(picture(rects(1)), np.zeros((0, 4, 2)), SIZE_MM, 0.0) == []


def test_where_many_are_cut_beside_their_edges_no_outline_is_sure() -> None:
    tiles = rects(8)
    cut = tiles.copy()
    cut[:4] += 1.4 * (tiles[:4, :1] - tiles[:4, 3:]) / 40  # mm, each along itself
    assert all(one.unseen for one in odd(picture(tiles), CAMERA.to_px(cut), SIZE_MM, 0.0))


def test_a_faint_piece_that_is_cut_askew_is_odd() -> None:
    tiles = rects(8)
    cut, middle = tiles.copy(), tiles[3].mean(axis=0)
    c, s = np.cos(np.radians(14)), np.sin(np.radians(14))
    cut[3] = (tiles[3] - middle) @ np.array([[c, s], [-s, c]]) + middle
    image = picture(tiles)
    seen = framing.at_sides(image, CAMERA.to_px(cut), SIZE_MM, 0.0)
    assert seen is not None
    assert seen.shares[3].min() > oddones.NO_EDGE
    told = odd(image, CAMERA.to_px(cut), SIZE_MM, 0.0)
    assert [k for k, one in enumerate(told) if one.unseen] == [3]
