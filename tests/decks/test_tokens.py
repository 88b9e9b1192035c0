"""Players' markers to print: a shape each, wide enough to be read by, all on one page."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from decks import tokens
from decks.colour import parse
from decks.deck import builtin_names, find
from decks.pdf import Document
from decks.printing import EDGE_MM, PAPERS_MM

PX_PER_MM = 10


def drawn(shape: str, px: int | None = None) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Draw a shape as a mask, 24 mm wide; or `px` wide."""
    mask = np.zeros((24 * PX_PER_MM, 24 * PX_PER_MM), np.uint8)
    points = (np.array(tokens.SHAPES[shape]) + 12) * PX_PER_MM
    cv2.fillPoly(mask, [points.round().astype(np.int32)], 255)
    return mask if px is None else np.asarray(cv2.resize(mask, (px, px), interpolation=cv2.INTER_AREA), np.uint8)


@pytest.mark.parametrize("shape", tokens.SHAPES)
def test_a_marker_has_room_for_the_patch_that_is_read(shape: str) -> None:
    inside = cv2.distanceTransform(drawn(shape), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    assert 2 * inside.max() / PX_PER_MM >= tokens.PATCH_MM


@pytest.mark.parametrize("shape", tokens.SHAPES)
@pytest.mark.parametrize("turn_deg", range(0, 90, 15))
def test_no_shape_looks_like_another_at_30_px_however_it_lies(shape: str, turn_deg: int) -> None:
    turn = cv2.getRotationMatrix2D((14.5, 14.5), turn_deg, 1.0)
    own = cv2.warpAffine(drawn(shape, 30), turn, (30, 30))
    for other in tokens.SHAPES.keys() - {shape}:
        apart = np.abs(own.astype(float) - drawn(other, 30)).mean() / own.mean()
        assert apart > 0.15, other


@pytest.mark.parametrize("deck", [n for n in builtin_names() if n.startswith("string")])
def test_players_of_a_deck_have_each_a_shape(deck: str) -> None:
    given = tokens.shapes(find(deck, "any").marker_colours)
    assert len(set(given.values())) == len(given) == 5


@pytest.mark.parametrize("count", [0, 1, 5, 7])
def test_from_the_sixth_player_on_shapes_come_again(count: int) -> None:
    given = list(tokens.shapes({f"player {k}": "red" for k in range(count)}).values())
    assert given == (list(tokens.SHAPES) * 2)[:count]


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_the_sheet_holds_all_within_the_page_in_the_players_colours(paper: str) -> None:
    width_mm, _ = PAPERS_MM[paper]
    page = Document("markers").page(*PAPERS_MM[paper])
    tokens.sheet(page, {"red": "#c22a20", "blue": "#2a4fc2"})
    content = page.content().decode("latin-1")
    for name in ("#c22a20", "#2a4fc2"):
        blue, green, red = parse(name)
        assert content.count(f"{red / 255:.3f} {green / 255:.3f} {blue / 255:.3f} rg") == tokens.EACH
    rightmost = max(x for shape in tokens.SHAPES.values() for x, _ in shape)
    assert tokens.LEFT_MM + (tokens.EACH - 1) * tokens.STEP_MM + rightmost < width_mm - EDGE_MM
