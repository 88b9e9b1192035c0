"""The program's own eyes: a picture and a deck → what lies there, ready to be judged."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from decks.deck import Deck, DeckError, builtin_names, find
from service.eyes import EyesError, Image, NoSuchGameError
from service.seen import TableSeen
from vision import reader
from vision.reader import Reading
from vision.recogniser import Recogniser

LEAST_PIECES = {"paper-safari": 2, "kleine-fotosafari": 4, "string-safari": 3}
"""Fewer pieces of the deck than this are no table of the game."""
OF_THE_DECK = 0.3
"""At least this share of the pieces must bear a face of the deck."""
DECKS_KEPT = 8


@lru_cache(maxsize=DECKS_KEPT)
def known(deck: str | None, game: str) -> tuple[Deck, Recogniser]:
    """Load a deck by name or folder, and what names its faces; EyesError in one line."""
    try:
        loaded = find(deck, game)
    except DeckError as error:
        raise EyesError(str(error)) from None
    return loaded, Recogniser(loaded)


def seen_in(image: Image, deck: Deck, recogniser: Recogniser, strings: Mapping[str, str] | None = None) -> TableSeen:
    """Read a BGR picture of the deck's game. NoSuchGameError."""
    reading = reader.read(image, deck, recogniser, strings)
    _check(reading, deck)
    corners = {k: tuple((float(x), float(y)) for x, y in c) for k, c in reading.corners_px.items()}
    paths = tuple(tuple((float(x), float(y)) for x, y in reading.paths_px[s.name]) for s in reading.table.strings)
    return TableSeen(deck.edition, reading.table, corners, paths, reading.size_px, reading.near, deck.edition.name)


def _check(reading: Reading, deck: Deck) -> None:
    game, pieces = deck.edition.game, reading.table.pieces
    named = sum(p.label is not None for p in pieces)
    if len(pieces) < LEAST_PIECES.get(game, 1) or named < OF_THE_DECK * len(pieces):
        raise NoSuchGameError(
            f"no {game} here: looked for at least {LEAST_PIECES.get(game, 1)} pieces of the deck {deck.edition.name!r}; found "
            f"{reading.found} printed things, {len(pieces)} of its size, {named} with its faces. "
            "Show the whole table, or name another deck."
        )


class Eyes:
    """Reads tables with the committed networks and any deck."""

    def look(self, image: Image, game: str, deck: str | None, strings: Mapping[str, str] | None = None) -> TableSeen:
        """Read a picture; `strings`: colours that stand in for the deck's. NoSuchGameError, EyesError."""
        loaded, recogniser = known(deck, game)
        return seen_in(image, loaded, recogniser, strings)

    def decks(self) -> list[dict[str, Any]]:
        """List the built-in decks: name, game, title, labels, markers, kinds (a kind of piece → the labels it can bear)."""
        return [_listed(name) for name in builtin_names()]


def _listed(name: str) -> dict[str, Any]:
    deck, _ = known(name, "any")
    edition = deck.edition
    labels = list(edition.faces)
    kind = "tile" if edition.game == "string-safari" else "card"
    kinds = {kind: labels, "marker": list(edition.markers), "coin": list(edition.coins), "research": list(edition.research)}
    return {"name": name, "game": edition.game, "title": edition.name, "labels": labels, "markers": list(edition.markers), "kinds": kinds}
