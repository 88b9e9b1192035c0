"""Finds that lie on what is known: neither a ring card nor a photo card lies under a card that nothing names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from scoring.table import Piece
from vision.matching import NAMED

Floats = npt.NDArray[np.float64]

COVERED = 0.3
"""Of a find: where what is known covers so much of it, it is a part of that, or of two things side by side."""


def covered_by(cards_px: Sequence[Floats], box: Floats) -> float:
    """Return how much of a box (4, 2) px cards (4, 2) px cover."""
    whole = box.astype(np.float32)
    shared = sum(cv2.intersectConvexConvex(whole, card.astype(np.float32))[0] for card in cards_px)
    return float(shared / max(cv2.contourArea(whole), 1e-6))


def known(pieces: Sequence[Piece], corners_px: Mapping[int, Floats]) -> list[Floats]:
    """Return where the cards lie that are known, (4, 2) px each. `corners_px`: by id."""
    return [corners_px[p.id] for p in pieces if p.label is not None and p.probability > NAMED]


def apart(pieces: Sequence[Piece], corners_px: Mapping[int, Floats]) -> tuple[list[Piece], dict[int, Floats]]:
    """Leave out the unknown cards that lie on known ones, or on a photo card that was read. `corners_px`: by id."""
    read = [corners_px[p.id] for p in pieces if p.kind == "photo" and p.probability > NAMED]
    over = [*known(pieces, corners_px), *read]
    unknown = [p for p in pieces if p.label is None and p.kind == "card"]
    left = [p for p in pieces if p not in unknown or covered_by(over, corners_px[p.id]) < COVERED]
    return left, {p.id: corners_px[p.id] for p in left}
