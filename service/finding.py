"""What lies in any picture, no game: pieces, named where a deck is given, and strings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from decks.colour import parse
from decks.deck import Deck, DeckError
from service.cli import Refused
from vision import quads, sides
from vision.crop import rectify
from vision.reader import detector
from vision.recogniser import Naming, Recogniser

if TYPE_CHECKING:
    from vision.strings import TracedString

Image = npt.NDArray[np.uint8]

KINDS = {"card": "card", "disc": "coin", "marker": "marker"}
CROP_PX = 96
TOLD = 6
SURE = 0.8
"""A find less sure than this needs two sides that differ from the table: 7 of 367 drawn cards are lost, no real one."""
HIDING_SCORE = 0.7
"""A find less sure than this is not taken to hide a string: the string itself is found as a card now and then."""


def colours(text: str | None) -> dict[str, str]:
    """Read "field=dark brown,research=gray"; Refused where it is not so."""
    found: dict[str, str] = {}
    for part in (text or "").split(","):
        name, equals, colour = part.partition("=")
        if not part.strip():
            continue
        try:
            parse(colour)
        except DeckError as error:
            raise Refused(f"--strings {text}: {error}") from None
        if not equals or not name.strip():
            raise Refused(f"--strings {text}: write NAME=COLOUR, as in field=dark brown,research=gray")
        found[name.strip()] = colour.strip()
    return found


def found(
    image: Image, deck: Deck | None, recogniser: Recogniser | None, whole: bool, strings: Mapping[str, str]
) -> dict[str, Any]:
    """Return the contract's `find` object for one picture."""
    height, width = image.shape[:2]
    pieces = [_whole(image)] if whole else _pieces(image)
    if deck is not None and recogniser is not None:
        pieces = [_named(image, piece, deck, recogniser) for piece in pieces]
    answer: dict[str, Any] = {
        "schema": 1,
        "deck": deck.edition.name if deck else None,
        "image": {"width": width, "height": height},
    }
    answer["pieces"] = [{"id": k, **piece} for k, piece in enumerate(pieces)]
    if strings:
        from vision.strings import trace  # only here: what it loads takes longer than finding cards does

        hidden = [np.array(p["corners_px"]) for p in pieces if p.get("score", 0.0) > HIDING_SCORE]
        answer["strings"] = [_string(s) for s in trace(image, strings, hidden_px=hidden)]
    return answer


def _whole(image: Image) -> dict[str, Any]:
    height, width = image.shape[:2]
    corners = [[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]]
    return {"kind": "card", "label": None, "probability": 0.0, "candidates": [], "corners_px": corners}


def _pieces(image: Image) -> list[dict[str, Any]]:
    """Return every find; the corners of cards are settled on the picture's edges."""
    detections = detector().detect(image)
    cards = np.array([kind == "card" for kind in detections.kinds], bool)
    corners = quads.clockwise(detections.corners_px.astype(float))
    if cards.any():
        corners[cards] = quads.refine(image, corners[cards]).corners_px
    kept = ~cards | (detections.scores >= SURE) | _apart(image, corners)
    return [
        {
            "kind": KINDS[kind],
            "label": None,
            "probability": 0.0,
            "candidates": [],
            "score": round(float(score), 4),
            "corners_px": np.round(c, 2).tolist(),
        }
        for kind, score, c, keep in zip(detections.kinds, detections.scores, corners, kept, strict=True)
        if keep
    ]


def _apart(image: Image, corners_px: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Tell of quads (n, 4, 2) px which are told from the table by two of their sides in view: (n,)."""
    told, in_view = sides.told(image, corners_px)
    return np.asarray(told.sum(1) >= np.minimum(2, in_view.sum(1)))


def _named(image: Image, piece: dict[str, Any], deck: Deck, recogniser: Recogniser) -> dict[str, Any]:
    if piece["kind"] == "marker":
        return piece
    corners = np.array(piece["corners_px"])
    if piece["kind"] == "coin":
        naming = (
            recogniser.name([rectify(image, corners, CROP_PX, CROP_PX)], group="coins", turns="all")[0]
            if deck.coins
            else None
        )
        return {**piece, **_told(naming)} if naming else piece
    naming = recogniser.name([rectify(image, corners, CROP_PX, CROP_PX)], group="faces", turns=4)[0]
    return {**piece, **_told(naming), "corners_px": np.round(np.roll(corners, naming.quarter_turns, 0), 2).tolist()}


def _told(naming: Naming) -> dict[str, Any]:
    candidates = [[label, round(p, 4)] for label, p in naming.candidates[:TOLD]]
    return {
        "label": naming.label,
        "probability": round(naming.probability, 4),
        "candidates": [c for c in candidates if c[0] is not None],
    }


def _string(traced: TracedString) -> dict[str, Any]:
    return {
        "name": traced.name,
        "closed": traced.closed,
        "path_px": np.round(traced.path_px, 3).tolist(),
        "width_px": round(traced.width_px, 3),
        "visible": round(traced.visible, 4),
        "sigma_px": np.round(traced.sigma_px, 3).tolist(),
    }
