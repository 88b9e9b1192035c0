"""Deck folders whose faces are random pictures: the rules of a built-in deck in a dress that nothing was trained on."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from decks.library import located
from decks.manifest import FILE_NAME
from training.facedecks import Mix, deck
from training.facedrawing import Image

PICTURES_ALONE = Mix((1.0, 0.0, 0.0, 0.0), 0.0)  # signs in number are no game's animals
PRINTED = ("faces", "research", "coins")


def write(folder: Path, seed: int, art: Sequence[Image], game: str) -> Path:
    """Write a deck of the game's built-in rules, each printed face drawn anew with `art`; return the folder."""
    base = located(None, game)
    rng = np.random.default_rng([seed, 5])
    for kind in (k for k in PRINTED if (base / k).is_dir()):
        names = sorted(path.stem for path in (base / kind).glob("*.png"))
        (folder / kind).mkdir(parents=True, exist_ok=True)
        for name, face in zip(names, deck(rng, art, len(names), PICTURES_ALONE), strict=True):
            cv2.imwrite(str(folder / kind / f"{name}.png"), face)
    shutil.copy(base / FILE_NAME, folder / FILE_NAME)
    return folder
