"""Deck folders whose faces are random pictures: the rules of a built-in deck in a dress that nothing was trained on."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np

from decks.library import located
from decks.manifest import FILE_NAME
from synth.faces import tile
from synth.pictures import Pictures

SIDE_PX = 200
PRINTED = ("faces", "research", "coins")


def write(folder: Path, seed: int, pictures: Pictures, game: str) -> Path:
    """Write a deck of the game's built-in rules, each printed face drawn anew with `pictures`; return the folder."""
    base = located(None, game)
    rng = np.random.default_rng([seed, 5])
    for kind in (k for k in PRINTED if (base / k).is_dir()):
        (folder / kind).mkdir(parents=True, exist_ok=True)
        for path in sorted((base / kind).glob("*.png")):
            cv2.imwrite(str(folder / kind / path.name), tile(rng, pictures, SIDE_PX, SIDE_PX))
    shutil.copy(base / FILE_NAME, folder / FILE_NAME)
    return folder
