"""What the service asks of the reader: a picture → the answer as JSON, and a table already read → its answer again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Answer = dict[str, Any]
"""The answer as JSON, as the contract writes it."""


class EyesError(ValueError):
    """A deck or option that cannot be used; one line."""


class NoSuchGameError(EyesError):
    """The picture shows no such game; the message says what was looked for and what was found."""


class Eyes(Protocol):
    """Reads tables. Both calls may take a second; they are made from worker threads, never two at once."""

    def read(self, image: Image, game: str, deck: str | None, options: Mapping[str, Any]) -> Answer:
        """Read a picture. NoSuchGameError, EyesError."""
        ...

    def tally(self, table: Mapping[str, Any], deck: str | None, options: Mapping[str, Any]) -> Answer:
        """Judge an answer's pieces and strings again, under other options. EyesError."""
        ...

    def decks(self) -> list[dict[str, Any]]:
        """List the decks: name, game, labels, markers."""
        ...
