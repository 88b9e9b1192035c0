"""A player's stash at the end of the game: coins and research tiles, from a photograph of their own."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from decks.deck import Deck
from scoring.table import Kind, Piece
from vision import plane as planes
from vision import coins, quads, spread
from vision.crop import rectify
from vision.detector import Detections
from vision.fitting import FIRM, SURE_SCORE
from vision.reader import told
from vision.recogniser import Naming, Recogniser

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

CROP_PX = 96
NAMED = 0.8  # a find that only this tells of must be named so surely


def read_stash(image: Image, deck: Deck, recogniser: Recogniser) -> list[Piece]:
    """Read a BGR picture: every coin and research tile in it; what is found but not known has the label None."""
    detections, unlike = spread.at_first(image)
    tiles = _tiles(image, detections, unlike, deck, recogniser) if deck.research else []
    corners = [quad for quad, _ in tiles]
    found = coins.found(image, detections, unlike, corners, deck, recogniser) if deck.coins else []
    named: list[tuple[Kind, Naming]] = [("research", naming) for _, naming in tiles] + [("coin", n) for n in found]
    return [_piece(k, kind, naming) for k, (kind, naming) in enumerate(named)]


def _tiles(
    image: Image, detections: Detections, unlike: Floats, deck: Deck, recogniser: Recogniser
) -> list[tuple[Floats, Naming]]:
    """Return each research tile's corners (4, 2) px and its name."""
    seen = spread.pieces(image, detections, unlike, deck.edition.size_mm, deck.thickness_mm)
    sizes = np.broadcast_to(np.asarray(deck.edition.size_mm, float), (len(seen.corners_px), 2))
    corners = planes.lengthwise(seen.corners_px, sizes)
    crops = [rectify(image, quad, CROP_PX, CROP_PX) for quad in corners]
    namings = recogniser.name(crops, group="research", turns=4)
    both = zip(corners, namings, seen.evidence, strict=True)
    tiles = [(quad, naming) for quad, naming, evidence in both if evidence >= FIRM or _known(naming)]
    return tiles + _boxed(image, detections, tiles, recogniser)


def _boxed(
    image: Image, detections: Detections, tiles: list[tuple[Floats, Naming]], recogniser: Recogniser
) -> list[tuple[Floats, Naming]]:
    """Return the tiles that do not stand out from what is about them, by the detector's boxes and their own edges."""
    boxes = quads.clockwise(np.asarray(detections.corners_px, float))
    cards = [
        box
        for kind, box, score in zip(detections.kinds, boxes, detections.scores, strict=True)
        if kind == "card" and score >= SURE_SCORE and not any(spread.same_place(box, quad) for quad, _ in tiles)
    ]
    if not cards:
        return []
    tried = np.concatenate([np.stack(cards), quads.refine(image, np.stack(cards)).corners_px])
    namings = recogniser.name([rectify(image, q, CROP_PX, CROP_PX) for q in tried], group="research", turns=4)
    found: list[tuple[Floats, Naming]] = []
    for quad, naming in sorted(zip(tried, namings, strict=True), key=lambda pair: -pair[1].probability):
        if _known(naming) and not any(spread.same_place(quad, other) for other, _ in found):
            found.append((quad, naming))
    return found


def _known(naming: Naming) -> bool:
    """Tell whether a find is named surely enough to count, whatever else tells of it."""
    return naming.label is not None and naming.probability >= NAMED


def _piece(number: int, kind: Kind, naming: Naming) -> Piece:
    label, probability, candidates = told(naming)
    return Piece(number, kind, label, (), 90.0, probability, candidates)
