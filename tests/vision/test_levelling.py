"""Edges that blur and shadows shift alike are brought back to the size of the faces in them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from decks.deck import find
from vision import plane as planes
from vision.levelling import refitted, resized
from vision.matching import Matcher
from vision.recogniser import Recogniser
from vision.registration import Registration
from vision.silhouettes import shifted

SQUARE = np.array([[0.0, 0.0], [40.0, 2.0], [38.0, 42.0], [-2.0, 40.0]])
FACES = SQUARE + np.arange(9)[:, None, None] * np.array([60.0, 10.0])


@pytest.mark.parametrize("beyond_px", [0.4, 0.0, -0.3], ids=["shadows", "right", "pale rims"])
def test_edges_take_the_faces_size_and_keep_their_place(beyond_px: float) -> None:
    aside = np.array([0.3, -0.2])  # what only the edges tell
    edges = np.stack([shifted(quad + aside, np.full(4, beyond_px)) for quad in FACES])
    brought = resized(edges, FACES, np.ones(len(FACES), bool))
    assert np.abs(brought - FACES - aside).max() < 0.15 * abs(beyond_px) + 1e-9


def test_one_face_is_believed_half_and_none_not_at_all() -> None:
    edges = np.stack([shifted(quad, np.full(4, 0.4)) for quad in FACES])
    half = resized(edges[:1], FACES[:1], np.ones(1, bool))
    assert np.abs(half[0] - shifted(FACES[0], np.full(4, 0.2))).max() < 1e-9
    assert resized(edges, FACES, np.zeros(len(FACES), bool)) is edges


@pytest.mark.parametrize("askew_px", [0.0, 6.0], ids=["laid on", "laid on askew"])
def test_a_face_that_was_laid_on_askew_tells_less_than_its_edges(askew_px: float) -> None:
    image = np.full((480, 640, 3), 90, np.uint8)
    quads_px = SQUARE + np.array([[[60 + 170 * (k % 3), 60 + 130 * (k // 3)]] for k in range(9)])
    for quad in quads_px:
        cv2.fillPoly(image, [np.rint((quad + 0.5) * 16 - 8).astype(np.int32)], (200, 220, 210), cv2.LINE_AA, 4)
    laid_px = quads_px.copy()
    laid_px[4, 2:] += [[askew_px, 0.0], [-askew_px, 0.0]]
    sizes = np.full((9, 2), 40.0)
    plane = planes.fit(quads_px, sizes, (640, 480), height_mm=0.0, noise_px=np.ones(9))
    assert plane is not None
    matcher = Matcher(image, (40.0, 40.0), 0.0, Recogniser(find(None, "string-safari")), {})
    laid: list[Registration | None] = [Registration(quad, 0.8) for quad in laid_px]
    _, final, sigma = refitted(matcher, plane, laid_px, laid)
    assert np.abs(final[4] - quads_px[4]).max() < 0.45
    assert bool(sigma[4] > 2 * np.median(sigma)) is bool(askew_px)
    assert sigma[4] < 0.8
