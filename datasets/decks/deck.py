"""A deck: the folder that says how its pieces look and what they are worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scoring.edition import Edition

Image = npt.NDArray[np.uint8]
"""BGR, uint8, (height, width, 3)."""


class DeckError(ValueError):
    """A deck folder that cannot be used; the message says what is wrong, where, and what to do."""


@dataclass(frozen=True)
class Deck:
    """A deck folder, read.

    Pictures are the face edge to edge, upright; several pictures a face are further references.
    `faces` has the key "back" where the deck has a picture of it.
    """

    folder: Path
    edition: Edition
    thickness_mm: float
    faces: Mapping[str, tuple[Image, ...]]
    research: Mapping[str, tuple[Image, ...]]
    photos: Mapping[str, tuple[Image, ...]]
    coins: Mapping[str, tuple[Image, ...]]
    marker_colours: Mapping[str, str]  # label → colour name or "#rrggbb"
    string_colours: Mapping[str, str]  # string's name → colour name or "#rrggbb"
    string_width_mm: float | None


def load(folder: Path) -> Deck:
    """Read a deck folder; DeckError where it cannot be used."""
    raise NotImplementedError


def find(name_or_folder: str | None, game: str) -> Deck:
    """Load a deck by a built-in name or folder; None: the game's built-in deck. DeckError where there is none."""
    raise NotImplementedError
