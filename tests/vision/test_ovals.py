"""Discs' own outlines: from a wrongly told camera, and off their middles, they are measured as they are."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision import discs, ovals, rims
from vision.detector import Detections, Kind
from vision.fitting import SURE
from vision.plane import Plane

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

PLACES_MM = np.array([(-60.0, 10.0), (-20.0, -8.0), (25.0, 5.0), (62.0, -12.0)])
RADIUS_MM, HEIGHT_MM = 11.0, 2.0
TABLE, WALL = (60, 90, 70), (120, 120, 120)
COLOURS = ((30, 90, 190), (150, 60, 40), (60, 160, 220), (120, 60, 90))
CAMERA = Plane(1280, 720, (np.radians(28.0), np.radians(-9.0)), 330.0, 1250.0)


def squares(plane: Plane, places_mm: Floats, radius_mm: float = RADIUS_MM) -> Floats:
    """Return the squares (n, 4, 2) px round discs' tops, from the top left on."""
    corners = radius_mm * np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]], float)
    return plane.to_px(places_mm[:, None] + corners, HEIGHT_MM)


def drawn() -> Image:
    """Draw thick discs with a pale round print, finely, and made smaller."""
    turn = np.linspace(0, 2 * np.pi, 240, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    image = np.full((720 * 3, 1280 * 3, 3), TABLE, np.uint8)
    for place, colour in zip(PLACES_MM, COLOURS, strict=True):
        foot, top, print_ = (
            np.rint((CAMERA.to_px(place + radius * ring, height) + 0.5) * 3 - 0.5).astype(np.int32)
            for radius, height in ((RADIUS_MM, 0.0), (RADIUS_MM, HEIGHT_MM), (0.75 * RADIUS_MM, HEIGHT_MM))
        )
        for outline, fill in ((cv2.convexHull(np.concatenate([foot, top])), WALL), (top, colour)):
            cv2.fillPoly(image, [outline], fill)
        cv2.fillPoly(image, [print_], (225, 230, 235))
    return np.asarray(cv2.resize(image, (1280, 720), interpolation=cv2.INTER_AREA), np.uint8)


def worst_off(found: Floats, true: Floats) -> float:
    """Return how far corners are off, at worst, as a share of the discs' breadth."""
    breadth = np.linalg.norm(true[:, 1] - true[:, 0], axis=-1)
    return float((np.linalg.norm(found - true, axis=-1).max(axis=1) / breadth).max())


@pytest.mark.parametrize("off_deg", [0.0, 4.0, -4.0], ids=["right", "too steep", "too flat"])
def test_ovals_mend_a_wrongly_told_camera(off_deg: float) -> None:
    image, true = drawn(), squares(CAMERA, PLACES_MM)
    wrong = Plane(1280, 720, (CAMERA.tilt_xy[0] + np.radians(off_deg), CAMERA.tilt_xy[1]), 330.0, 1250.0)
    view = rims.view_of(wrong, HEIGHT_MM, RADIUS_MM)
    seen = squares(wrong, wrong.to_mm(true.mean(axis=1), HEIGHT_MM))
    outlines = ovals.ovals(image, view, seen)
    assert worst_off(outlines, true) < 0.025
    plane = discs.plane_of(image, outlines, HEIGHT_MM, discs.OVAL_SHARE)
    assert plane is not None
    assert np.degrees(np.abs(np.subtract(plane.tilt_xy, CAMERA.tilt_xy))).max() < 2.0


@pytest.mark.parametrize("off", [(0.0, 0.0), (0.03, -0.02)], ids=["in place", "off its middle"])
def test_circles_are_even_and_exact(off: tuple[float, float]) -> None:
    image, true = drawn(), squares(CAMERA, PLACES_MM)
    view = rims.view_of(CAMERA, HEIGHT_MM, RADIUS_MM)
    rough = squares(CAMERA, PLACES_MM + 2 * RADIUS_MM * np.array(off), 1.02 * RADIUS_MM)
    found, even = ovals.circles(image, view, rough)
    assert worst_off(found, true) < 0.015
    assert even.min() > discs.EVEN


def test_no_disc_stays_where_it_was_thought() -> None:
    blank = np.full((720, 1280, 3), TABLE, np.uint8)
    view, rough = rims.view_of(CAMERA, HEIGHT_MM, RADIUS_MM), squares(CAMERA, PLACES_MM)
    found, even = ovals.circles(blank, view, rough)
    assert np.array_equal(found, rough)
    assert not even.any()
    assert ovals.ovals(blank, view, rough[:0]).shape == (0, 4, 2)


def seen_by_a_detector(true: Floats) -> Detections:
    """Return what a detector would tell of discs: boxes that are a little off."""
    off = np.random.default_rng(3).normal(0, 2.0, (len(true), 1, 2))
    kinds: tuple[Kind, ...] = tuple("disc" for _ in true)
    return Detections((true + off).astype(np.float32), kinds, np.full(len(true), 0.9, np.float32))


def test_discs_are_found_exactly() -> None:
    image, true = drawn(), squares(CAMERA, PLACES_MM)
    found, evidence = discs.apart(image, seen_by_a_detector(true), np.zeros(image.shape[:2]), HEIGHT_MM)
    assert (evidence >= SURE).sum() == len(true)
    order = [int(np.linalg.norm(found.mean(axis=1) - middle, axis=1).argmin()) for middle in true.mean(axis=1)]
    breadth = np.linalg.norm(true[:, 1] - true[:, 0], axis=-1)
    assert (np.linalg.norm(found[order].mean(axis=1) - true.mean(axis=1), axis=1) / breadth).max() < 0.01


def test_what_has_no_plain_outline_is_uneven() -> None:
    rough = np.random.default_rng(4).integers(0, 255, (90, 160, 3))
    image = np.kron(rough, np.ones((8, 8, 1))).astype(np.uint8)
    view = rims.view_of(CAMERA, HEIGHT_MM, RADIUS_MM)
    _, even = ovals.circles(image, view, squares(CAMERA, PLACES_MM))
    assert np.median(even) < discs.OUTLINES
