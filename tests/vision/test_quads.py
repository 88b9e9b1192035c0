"""Corners from edges: sub-pixel on clean edges, never the inner frame, a fallback that says so."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision import quads

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
QUAD = np.array([[204.3, 118.7], [391.6, 140.2], [372.9, 398.4], [180.8, 366.1]])
SUPER = 8


def drawn(quad: Floats, table: int = 120, card: int = 225, noise: float = 2.0) -> Image:
    """Draw one quad, its edges anti-aliased by supersampling, on a plain table."""
    big = np.full((520 * SUPER, 560 * SUPER), table, np.uint8)
    cv2.fillConvexPoly(big, np.round(((quad + 0.5) * SUPER - 0.5) * 16).astype(np.int32), card, cv2.LINE_8, 4)
    small = cv2.resize(big, (560, 520), interpolation=cv2.INTER_AREA).astype(float)
    grain = np.random.default_rng(0).normal(0, noise, (520, 560, 3))
    return np.clip(small[..., None] + grain, 0, 255).astype(np.uint8)


def rough(quad: Floats, seed: int, off_px: float = 4.0) -> Floats:
    box = cv2.boxPoints(cv2.minAreaRect(quad.astype(np.float32))).astype(float)
    return box + np.random.default_rng(seed).normal(0, off_px, 2)


def worst(found: Floats, true: Floats) -> float:
    """Return the largest distance of a corner, whichever comes first."""
    return float(min(np.linalg.norm(np.roll(found, k, 0) - true, axis=1).max() for k in range(4)))


@pytest.mark.parametrize("seed", range(6))
def test_clean_edges_give_corners_to_a_tenth_of_a_px(seed: int) -> None:
    found = quads.refine(drawn(QUAD), rough(QUAD, seed)[None])
    assert worst(found.corners_px[0], QUAD) < 0.15
    assert found.seen.all()
    assert found.sigma_px[0] < 0.3


def test_a_side_without_an_edge_is_said_not_to_be_seen() -> None:
    image = drawn(QUAD)
    image[:, 290:] = 225  # the right of the card runs into something of its own colour
    found = quads.refine(image, rough(QUAD, 0)[None])
    assert not found.seen.all()
    assert found.sigma_px[0] >= quads.FALLBACK_SIGMA_PX


def test_no_boxes_no_quads() -> None:
    found = quads.refine(drawn(QUAD), np.zeros((0, 4, 2)))
    assert found.corners_px.shape == (0, 4, 2)
    assert found.sigma_px.shape == (0,)


def test_corners_come_clockwise_from_the_same_first_one() -> None:
    turned = quads.clockwise(QUAD[None, ::-1])
    assert turned[0, 0].tolist() == QUAD[3].tolist()
    assert turned[0, 1].tolist() == QUAD[0].tolist()
