"""A player's stash at the end of the game: coins and research tiles, from a photograph of their own."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from decks.deck import Deck
from scoring.table import Piece
from vision import quads
from vision.crop import rectify
from vision.reader import detector, told
from vision.recogniser import Naming, Recogniser

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

CROP_PX = 96
LEAST_SCORE = 0.5
"""A find less sure than this, that bears no face of the deck either, is clutter."""


def read_stash(image: Image, deck: Deck, recogniser: Recogniser) -> list[Piece]:
    """Read a BGR picture: every coin and research tile in it; what is found but not known has the label None."""
    found = detector().detect(image)
    corners = quads.clockwise(found.corners_px.astype(float))
    pieces: list[Piece] = []
    for kind, box, score in zip(found.kinds, corners, found.scores, strict=True):
        if kind == "disc" and deck.coins:
            naming = recogniser.name([rectify(image, box, CROP_PX, CROP_PX)], group="coins", turns="all")[0]
        elif kind == "card" and deck.research:
            box = quads.refine(image, box[None]).corners_px[0]
            naming = recogniser.name([rectify(image, box, CROP_PX, CROP_PX)], group="research", turns=4)[0]
        else:
            continue
        if naming.label is not None or score >= LEAST_SCORE:
            pieces.append(_piece(len(pieces), "coin" if kind == "disc" else "research", naming))
    return pieces


def _piece(number: int, kind: str, naming: Naming) -> Piece:
    label, probability, candidates = told(naming)
    return Piece(number, "coin" if kind == "coin" else "research", label, (), 90.0, probability, candidates)
