"""Edges that blur and shadows shift alike are brought back to the size of the faces in them."""

from __future__ import annotations

import numpy as np
import pytest

from vision.levelling import resized
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
