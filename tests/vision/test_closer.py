"""Places that may hold several pieces are looked at closer, each once, and what is found there lies in the picture."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from vision.closer import LOOKS, look
from vision.detector import Detections, Detector

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]
PICTURE = np.zeros((400, 600, 3), np.uint8)


class InTheCorner(Detector):
    """Stands in for the network: finds a card and a disc in the top left of whatever it is shown."""

    def __init__(self) -> None:
        """Remember what it was shown."""
        self.shown: list[tuple[int, int]] = []

    def look(self, image: Image, side_px: int, least_score: float = 0.0) -> Detections:
        self.shown.append(image.shape[1::-1])
        corners = np.array([[[0, 0], [10, 0], [10, 20], [0, 20]]] * 2, np.float32)
        return Detections(corners, ("card", "disc"), np.array([0.8, 0.7], np.float32))


def square(x: float, y: float, side: float) -> Floats:
    half = side / 2
    return np.array([[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]])


@pytest.mark.parametrize(
    ("places", "shown", "found"),
    [
        ([], [], []),
        ([square(300, 200, 100)], [(131, 131)], [(235, 135)]),
        ([square(0, 0, 100)], [(66, 66)], [(0, 0)]),
        ([square(590, 390, 100)], [(75, 75)], [(525, 325)]),
        ([square(300, 200, 100), square(320, 210, 40)], [(131, 131)], [(235, 135)]),
        ([square(100, 100, 100), square(400, 200, 100)], [(131, 131)] * 2, [(35, 35), (335, 135)]),
    ],
    ids=["nothing", "one place", "over the top left", "over the bottom right", "one in another", "two places"],
)
def test_each_place_is_looked_at_once(
    places: list[Floats], shown: list[tuple[int, int]], found: list[tuple[int, int]]
) -> None:
    detector = InTheCorner()
    boxes, scores = look(detector, PICTURE, np.array(places).reshape(-1, 4, 2))
    assert detector.shown == shown
    assert [tuple(box[0]) for box in boxes] == found
    assert scores == pytest.approx([0.8] * len(found))


def test_many_places_are_not_all_looked_at() -> None:
    detector = InTheCorner()
    look(detector, PICTURE, np.array([square(20 + 60 * k, 200, 20) for k in range(LOOKS + 3)]))
    assert len(detector.shown) == LOOKS
