"""Places where the game expects a card: those of a ring are told by the cards that are known alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from scoring.notation import parse
from scoring.table import Piece
from tests.scoring.boxes import FOTO
from vision import gaps
from vision.plane import Plane

PLANE = Plane(1280, 960, (0.0, 0.0), 900.0, 1200.0)
RING = parse("ring: " + "elephant " * 7 + "zebra " * 5, FOTO.size_mm).pieces


class Matcher:
    """Keeps where it was sent to look, and finds nothing."""

    size_mm, height_mm = FOTO.size_mm, 0.0

    def searched(self, plane: Plane, quads_px: npt.NDArray[np.float64]) -> tuple[list[None], list[None]]:
        self.places_mm = plane.to_mm(quads_px).mean(axis=1)
        return [None] * len(quads_px), []


def beside(piece: Piece) -> Piece:
    """What was found half beside a card, and nothing names."""
    return replace(piece, label=None, outline_mm=tuple((x + 15, y + 12) for x, y in piece.outline_mm))


@pytest.mark.parametrize(
    ("pieces", "lost"),
    [
        pytest.param((*RING[:4], *RING[5:]), RING[4], id="a card is missing"),
        pytest.param((*RING[:4], beside(RING[4]), *RING[5:]), RING[4], id="a find lies half beside it"),
    ],
)
def test_a_ring_has_room_where_no_known_card_lies(pieces: tuple[Piece, ...], lost: Piece) -> None:
    matcher: Any = Matcher()
    assert len(gaps.found(matcher, PLANE, pieces, "kleine-fotosafari", (0.0, -1.0))) == 0
    middle = np.mean(lost.outline_mm, axis=0)
    assert len(matcher.places_mm) == 1
    assert np.linalg.norm(matcher.places_mm[0] - middle) < 5
