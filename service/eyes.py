"""What the service asks of the reader: a picture → what lies there; what lies there → the answer as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from scoring.table import Piece

Image = npt.NDArray[np.uint8]
Answer = dict[str, Any]
"""The answer as JSON, as the contract writes it."""
Candidates = tuple[tuple[str | None, float], ...]
"""(label, probability), best first; None: no face of this deck."""


class EyesError(ValueError):
    """A deck or option that cannot be used; one line."""


class NoSuchGameError(EyesError):
    """The picture shows no such game; the message says what was looked for and what was found."""


class Seen(Protocol):
    """What lies on one table. Judging it again is cheap."""

    def answer(self, options: Mapping[str, Any]) -> Answer:
        """Judge it under these options. EyesError."""
        ...

    def lying(self) -> Answer:
        """Return all pieces, strings and the picture's size as an answer writes them; nothing is judged."""
        ...

    def known_as(self, ids: Mapping[int, int], labels: Mapping[int, Candidates]) -> Seen:
        """Return it with each piece's lasting id (by its id here) and what all readings say of it (by lasting id)."""
        ...


class Eyes(Protocol):
    """Reads tables. `look` may take a second. Called from several threads, also at once."""

    def look(self, image: Image, game: str, deck: str | None, strings: Mapping[str, str] | None = None) -> Seen:
        """Read a picture; `strings`: colours that stand in for the deck's. NoSuchGameError, EyesError."""
        ...

    def glance(
        self, image: Image, game: str, deck: str | None, strings: Mapping[str, str] | None = None
    ) -> Seen | None:
        """Read quickly what has changed since the last look from the same place; None: look. EyesError."""
        ...

    def stash(self, image: Image, game: str, deck: str | None) -> tuple[Piece, ...]:
        """Read the coins and research tiles of a player's own photograph. EyesError."""
        ...

    def decks(self) -> list[dict[str, Any]]:
        """List the decks: name, game, title, labels, markers, kinds (a kind of piece → the labels it can bear)."""
        ...
