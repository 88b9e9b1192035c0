"""The program's own eyes: a picture and a deck → what lies there, ready to be judged."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from decks.deck import Deck
from scoring.table import Piece, Point
from service.eyes import Image, NoSuchGameError
from service.seen import TableSeen
from vision import reader
from vision.reader import Clicked, Reading
from vision.recogniser import Recogniser

LEAST_PIECES = {"paper-safari": 2, "kleine-fotosafari": 4, "string-safari": 3}
"""Fewer pieces of the deck than this are no table of the game."""
OF_THE_DECK = 0.3
"""At least this share of the printed pieces must bear a face of the deck, each as it is likely; cubes say nothing."""


FIRST_PX = 0.5
"""The middle of a picture's first px, to whoever draws on it: its corner is 0, 0. Reading counts from that middle."""


def seen_in(
    image: Image,
    deck: Deck,
    recogniser: Recogniser,
    clicked: Clicked | None = None,
) -> TableSeen:
    """Read a BGR picture of the deck's game; `clicked`: places px on its strings, by name. NoSuchGameError."""
    return seen_of(reader.read(image, deck, recogniser, clicked=clicked), deck)


def seen_of(reading: Reading, deck: Deck) -> TableSeen:
    """Return what was read, ready to be judged. NoSuchGameError."""
    _check(reading, deck)
    corners = {k: _from_corner(c) for k, c in reading.corners_px.items()}
    paths = tuple(_from_corner(reading.paths_px[s.name]) for s in reading.table.strings)
    return TableSeen(deck.edition, reading.table, corners, paths, reading.size_px, reading.near, deck.edition.name)


def _from_corner(points_px: npt.NDArray[np.float64]) -> tuple[Point, ...]:
    """Return px (n, 2) as they are counted from the picture's corner."""
    return tuple((float(x) + FIRST_PX, float(y) + FIRST_PX) for x, y in points_px)


def _check(reading: Reading, deck: Deck) -> None:
    game, printed = deck.edition.game, [p for p in reading.table.pieces if p.kind != "marker"]
    bearing, least = sum(_of_the_deck(p) for p in printed), LEAST_PIECES.get(deck.edition.game, 1)
    if len(reading.table.pieces) < least or bearing < OF_THE_DECK * len(printed):
        raise NoSuchGameError(
            f"no {game} here: looked for at least {least} pieces of the deck {deck.edition.name!r}; "
            f"found {reading.found} printed things, {len(printed)} of its size, {round(bearing)} with its faces. "
            "Show the whole table, or name another deck."
        )


def _of_the_deck(piece: Piece) -> float:
    """Return how likely a named piece bears any face of the deck, whichever: two that look alike share it."""
    if piece.label is None:
        return 0.0
    return min(1.0, sum(chance for _, chance in piece.candidates)) if piece.candidates else piece.probability
