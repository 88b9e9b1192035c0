"""The eyes of the running service: any deck that is built in or was enrolled on the page."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from decks.deck import Deck, DeckError, builtin_names, find, load
from scoring.edition import GAMES, Game
from scoring.table import Piece
from service.eyes import EyesError, Image
from service.reading import seen_of
from service.seen import TableSeen
from vision.reader import read
from vision.recogniser import Recogniser
from vision.rereading import Known, reread

if TYPE_CHECKING:
    from service.own_decks import Enrolled

KEPT_DECKS = 4  # with their references; one is played with at a time


class DeckEyes:
    """Reads tables with a deck that is named; a deck's references are made once."""

    def __init__(self, own_decks: Path) -> None:
        """`own_decks`: the folder of the decks that were enrolled on the page; it need not exist."""
        self.own_decks = own_decks
        self._ready: dict[str, tuple[Deck, Recogniser]] = {}
        self._listed: dict[str, dict[str, Any] | None] = {}
        self._known: tuple[str, Known] | None = None  # what was looked at last, and as what
        self._lock = threading.Lock()
        self._enrolling = threading.Lock()  # one piece after the other: each reads, adds to and writes the deck.toml

    def look(self, image: Image, game: str, deck: str | None, strings: Mapping[str, str] | None = None) -> TableSeen:
        """Read a picture. NoSuchGameError where it shows nothing of the deck, EyesError for an unknown deck."""
        held, recogniser = self._deck(game, deck)
        reading = read(image, held, recogniser, strings or None)
        self._know(game, deck, strings, recogniser, Known(image, reading))
        return seen_of(reading, held)

    def glance(
        self, image: Image, game: str, deck: str | None, strings: Mapping[str, str] | None = None
    ) -> TableSeen | None:
        """Read quickly what has changed since the last look; None: look. EyesError."""
        known = self._known
        if known is None or known[0] != _key(game, deck, strings):
            return None
        held, recogniser = self._deck(game, deck)
        reading = reread(image, held, recogniser, known[1], strings or None)
        if reading is None:
            return None
        self._know(game, deck, strings, recogniser, Known(image, reading))
        return seen_of(reading, held)

    def _know(
        self, game: str, deck: str | None, strings: Mapping[str, str] | None, recogniser: Recogniser, known: Known
    ) -> None:
        """Keep what was read, for the next glance; unless the deck has other pictures by now."""
        with self._lock:
            if self._ready.get(f"{game} {deck}", (None, None))[1] is recogniser:
                self._known = (_key(game, deck, strings), known)

    def stash(self, image: Image, game: str, deck: str | None) -> tuple[Piece, ...]:
        """Read the coins and research tiles of a player's own photograph. EyesError for an unknown deck."""
        from vision.stash import read_stash

        held, recogniser = self._deck(game, deck)
        return tuple(read_stash(image, held, recogniser))

    def _deck(self, game: str, name: str | None) -> tuple[Deck, Recogniser]:
        key = f"{game} {name}"
        with self._lock:
            if key not in self._ready:
                while len(self._ready) >= KEPT_DECKS:
                    self._ready.pop(next(iter(self._ready)))
                deck = self.deck(game, name)
                self._ready[key] = (deck, Recogniser(deck))
            return self._ready[key]

    def deck(self, game: str, name: str | None) -> Deck:
        """Load a deck by its name among those listed, never by a path. EyesError."""
        if game not in GAMES:
            raise EyesError(f"game {game!r} is none of {', '.join(GAMES)}")
        try:
            if name is None or name in builtin_names():
                return find(name, game)
            if name in self._own_names():
                return find(str(self.own_decks / name), game)
        except DeckError as error:
            raise EyesError(str(error)) from None
        raise EyesError(f"no deck is called {name!r}; there are: {', '.join((*builtin_names(), *self._own_names()))}")

    def enrol(
        self, image: Image, deck: str, game: Game, kind: str, label: str, values: Mapping[str, str | int | bool]
    ) -> Enrolled:
        """Add the one piece of `kind` in a picture to a deck of one's own. EyesError."""
        from service.own_decks import enrol_piece

        with self._enrolling:
            cut = enrol_piece(self.own_decks, image, deck, game, kind, label, values)
        self.changed(deck)
        return cut

    def take_in(self, deck: str, packed: bytes) -> int:
        """Add a deck's zip to one's own, by this name; return how many pictures it holds. EyesError."""
        from service.own_decks import take_in

        with self._enrolling:
            count = take_in(self.own_decks, deck, packed)
        self.changed(deck)
        return count

    def changed(self, name: str) -> None:
        """Forget a deck's references: it has other pictures now."""
        with self._lock:
            self._ready = {key: held for key, held in self._ready.items() if not key.endswith(f" {name}")}
            self._listed.pop(name, None)
            self._known = None

    def _own_names(self) -> tuple[str, ...]:
        if not self.own_decks.is_dir():
            return ()
        return tuple(sorted(path.parent.name for path in self.own_decks.glob("*/deck.toml")))

    def decks(self) -> list[dict[str, Any]]:
        """List the decks that can be played with; one that cannot be loaded is left out."""
        return [told for name in (*builtin_names(), *self._own_names()) if (told := self._list(name)) is not None]

    def _list(self, name: str) -> dict[str, Any] | None:
        if name not in self._listed:
            try:
                deck = find(name, "any") if name in builtin_names() else load(self.own_decks / name)
                self._listed[name] = _told(name, deck) if deck.edition.game in GAMES else None
            except DeckError:
                return None
        return self._listed[name]


def _key(game: str, deck: str | None, strings: Mapping[str, str] | None) -> str:
    return f"{game} {deck} {sorted((strings or {}).items())}"


def _told(name: str, deck: Deck) -> dict[str, Any]:
    edition = deck.edition
    faces = [*edition.faces, "back"]
    kinds = {
        "tile" if edition.game == "string-safari" else "card": faces,
        "marker": list(edition.markers),
        "coin": list(edition.coins),
        "research": list(edition.research),
    }
    return {
        "name": name,
        "game": edition.game,
        "title": edition.name,
        "labels": list(edition.faces),
        "markers": list(edition.markers),
        "kinds": kinds,
        "options": dict(edition.options),
        "research": {k: {"target": r.target, "condition": r.condition} for k, r in edition.research.items()},
    }
