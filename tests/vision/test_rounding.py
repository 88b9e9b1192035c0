"""How round tiles are cut, measured on drawn ones."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from scoring.table import Piece
from vision.rounding import Rounding, rounding

SIDE_MM, PX_PER_MM, FINE = 40.0, 1.3, 8
Floats = npt.NDArray[np.float64]


def tiles(radius_mm: float, count: int) -> tuple[npt.NDArray[np.uint8], list[Floats]]:
    """Draw tiles with a blue frame, turned, blurred and noisy: the picture, and their corners (4, 2) px."""
    rng = np.random.default_rng(5)
    size = (90 * count, 100)
    image = np.full((size[1] * FINE, size[0] * FINE, 3), 120, np.uint8)
    corners = []
    for k in range(count):
        turn = cv2.getRotationMatrix2D((0, 0), float(rng.uniform(0, 90)), PX_PER_MM)
        turn[:, 2] = 45 + 90 * k, 50
        for colour, inset in (((150, 90, 60), 0.0), ((90, 200, 190), 3.0)):
            reach = SIDE_MM / 2 - inset - max(radius_mm - inset, 0.01)
            square = np.array([[-reach, -reach], [reach, -reach], [reach, reach], [-reach, reach]])
            px = (square @ turn[:, :2].T + turn[:, 2]) * FINE
            thick = round(2 * max(radius_mm - inset, 0.01) * PX_PER_MM * FINE)
            cv2.fillPoly(image, [px.round().astype(np.int32)], colour)
            cv2.polylines(image, [px.round().astype(np.int32)], True, colour, max(thick, 1))
        half = SIDE_MM / 2
        outline = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        corners.append(np.asarray(outline @ turn[:, :2].T + turn[:, 2] - 0.5, np.float64))
    small = cv2.GaussianBlur(cv2.resize(image, size, interpolation=cv2.INTER_AREA), (0, 0), 0.7)
    noisy = small + rng.normal(0, 2.0, small.shape)
    return noisy.clip(0, 255).astype(np.uint8), corners


@pytest.mark.parametrize("radius_mm", [0.0, 1.0, 2.0, 3.0])
def test_the_radius_is_measured_within_two_sigma(radius_mm: float) -> None:
    image, corners = tiles(radius_mm, 6)
    found = rounding(image, corners, SIDE_MM)
    assert found is not None
    assert abs(found.radius_mm - radius_mm) < 2 * found.sigma_mm
    assert found.sigma_mm < 0.5


@pytest.mark.parametrize(
    ("count", "side_mm"),
    [
        pytest.param(0, SIDE_MM, id="no tiles"),
        pytest.param(2, SIDE_MM, id="too few tiles"),
        pytest.param(6, 20.0, id="tiles too small"),
    ],
)
def test_too_little_tells_nothing(count: int, side_mm: float) -> None:
    image, corners = tiles(1.0, max(count, 1))
    assert rounding(image, corners[:count], side_mm) is None


def test_tiles_that_are_washed_out_say_nothing_and_break_nothing() -> None:
    image, corners = tiles(1.0, 6)
    one, other = (
        rounding(image, corners, SIDE_MM),
        rounding(image, [*corners, np.full((4, 2), -500.0) + corners[0]], SIDE_MM),
    )
    assert one is not None
    assert other is not None
    assert other.radius_mm == pytest.approx(one.radius_mm, abs=0.3)


def test_a_plain_picture_shows_no_edges() -> None:
    image, corners = tiles(1.0, 6)
    assert rounding(np.full_like(image, 90), corners, SIDE_MM) is None


def test_a_tile_bears_its_cut_and_its_doubt() -> None:
    tile = Piece(1, "tile", "lion", ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)), sigma_mm=0.3)
    cut = Rounding(2.0, 1.0).of(tile)
    assert cut.corner_radius_mm == 2.0
    assert cut.sigma_mm == pytest.approx(np.hypot(0.3, np.sqrt(2) - 1))
