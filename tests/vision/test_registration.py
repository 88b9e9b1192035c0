"""A face laid onto its reference: exact under any light, refused where it is another face."""

from __future__ import annotations

import time

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from decks.deck import find
from vision import registration
from vision.registration import Way, grid, lay, register

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]


def face(label: str) -> Image:
    return find(None, "string-safari").faces[label][0]


def shown(reference: Image, quad: Floats, gain: float, haze: float, seed: int) -> Image:
    """Paste a face into a noisy grey picture at a quad, under some light."""
    h, w = reference.shape[:2]
    corners = np.array([[-0.5, -0.5], [w - 0.5, -0.5], [w - 0.5, h - 0.5], [-0.5, h - 0.5]], np.float32)
    warp = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
    soft = cv2.GaussianBlur(reference, (0, 0), 0.5 * w / np.linalg.norm(quad[1] - quad[0]))
    image = cv2.warpPerspective(soft, warp, (240, 200), borderValue=(110, 118, 105)).astype(float)
    image = image * gain + haze + np.random.default_rng(seed).normal(0, 3, image.shape)
    return np.clip(image, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("gain", "haze"), [(1.0, 0.0), (0.4, 5.0), (0.7, 60.0)], ids=["day", "dark", "haze"])
@pytest.mark.parametrize("seed", range(3))
def test_a_face_is_laid_on_to_a_fraction_of_a_px(gain: float, haze: float, seed: int) -> None:
    label = sorted(find(None, "string-safari").faces)[5 + seed]
    quad = np.array([[80.4, 60.2], [141.7, 70.9], [130.3, 133.6], [68.1, 121.8]])
    image = shown(face(label), quad, gain, haze, seed)
    start = quad.mean(0) + (quad - quad.mean(0)) * 1.03 + [1.5, -1.2]
    found = register(image, start, face(label))
    assert found is not None
    assert found.correlation > 0.9
    assert np.linalg.norm(found.corners_px - quad, axis=1).max() < 0.6


@pytest.mark.parametrize("blur_px", [0.8, 1.1, 1.6], ids=["sharp", "usual", "blurred"])
def test_a_face_keeps_its_size_in_a_blurred_picture(blur_px: float) -> None:
    quad = np.array([[80.4, 60.2], [124.7, 70.9], [114.3, 115.6], [70.1, 104.8]])
    outset = []
    for label in sorted(find(None, "string-safari").faces)[:12]:
        image = np.asarray(cv2.GaussianBlur(shown(face(label), quad, 0.8, 5.0, 0), (0, 0), blur_px), np.uint8)
        found = register(image, quad, face(label))
        assert found is not None
        away = np.linalg.norm(found.corners_px - quad.mean(0), axis=1) - np.linalg.norm(quad - quad.mean(0), axis=1)
        outset.append(away.mean())
    assert abs(float(np.median(outset))) < 0.25


def test_a_bare_table_is_no_face() -> None:
    image = np.clip(np.random.default_rng(0).normal(120, 3, (200, 240, 3)), 0, 255).astype(np.uint8)
    square = np.array([[80.0, 60.0], [140.0, 60.0], [140.0, 120.0], [80.0, 120.0]])
    assert register(image, square, face("bushes")) is None


@pytest.mark.parametrize("times", [40, 1e6], ids=["larger than the picture", "near the horizon"])
def test_no_face_is_as_large_as_that_and_no_time_is_spent_on_it(times: float) -> None:
    quad = np.array([[80.4, 60.2], [141.7, 70.9], [130.3, 133.6], [68.1, 121.8]])
    image = shown(face("lion"), quad, 1.0, 0.0, 1)
    started = time.process_time()
    assert register(image, quad.mean(0) + (quad - quad.mean(0)) * times, face("lion")) is None
    assert time.process_time() - started < 2


@pytest.mark.parametrize("way", ["rough", "rigid", "settled"])
def test_faces_that_are_laid_on_together_lie_where_each_does_alone(way: Way) -> None:
    quads = np.array([[[40.0, 40], [100, 44], [96, 104], [36, 100]], [[140.0, 90], [200, 90], [200, 150], [140, 150]]])
    labels = ["lion", "zebra"]
    image = shown(face(labels[0]), quads[0], 1.0, 0.0, 0)
    other = shown(face(labels[1]), quads[1], 1.0, 0.0, 1)
    image[:, 120:] = other[:, 120:]
    faces = [registration.face(cv2.resize(face(label), grid((1.0, 1.0))).astype(np.uint8)) for label in labels]
    together = lay(image, quads + 1.5, faces, way)
    for k, one in enumerate(together):
        (alone,) = lay(image, quads[k : k + 1] + 1.5, faces[k : k + 1], way)
        assert one is not None
        assert alone is not None
        assert np.abs(one.corners_px - alone.corners_px).max() < 0.05
        assert np.linalg.norm(one.corners_px - quads[k], axis=1).max() < 0.6


def test_no_faces_are_laid_on_nowhere() -> None:
    assert lay(np.zeros((20, 20, 3), np.uint8), np.zeros((0, 4, 2)), []) == []
