"""Faces compared patch by patch: the right one is the likest, also where a shadow's edge crosses the reference."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.test_lamplit import CORNERS, FACES, Image, table
from vision.patchwise import likeness


def shaded(face: Image, left: float) -> Image:
    """A reference across which a shadow's edge runs."""
    y, x = np.indices(face.shape[:2]) / face.shape[0]
    dim = 1 - (1 - left) / (1 + np.exp(-(x + 0.6 * y - 0.8) / 0.06))
    return np.asarray(face * dim[..., None], np.uint8)


@pytest.mark.parametrize("left", [1.0, 0.6], ids=["in even light", "shaded"])
@pytest.mark.parametrize("label", ["families-3-edge", "cat-4-edge", "evening-3-rocky"])
def test_the_right_face_is_the_likest_by_far(label: str, left: float) -> None:
    image = table(label, 0.0, 0.8)
    others = [likeness(image, CORNERS, face) for other, face in FACES.items() if other != label]
    right = likeness(image, CORNERS, shaded(FACES[label], left))
    assert right > max(0.85, max(others) + 0.02)


def test_what_is_no_tile_is_like_no_face() -> None:
    noise = np.random.default_rng(1).normal(120, 20, (260, 260, 3))
    assert likeness(np.asarray(noise.clip(0, 255), np.uint8), CORNERS, FACES["day-2"]) < 0.5
