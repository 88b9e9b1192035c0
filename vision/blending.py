"""Where a player's cube would not show: on a print of the cube's own colour, a black one on a gorilla say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

ALIKE = 12.0  # CIE: what is seen where a cube would not show is no farther off its colour
PRINT = 0.8  # of a cube's size: less of a tile that is of its colour hides none
MARKED = 0.1
"""How often a cube of one colour stands on a tile: half the tiles bear one, of five colours."""


@dataclass(frozen=True)
class Hidden:
    """A cube that may stand unseen: whose, the middle (2,) px of its place, and how likely one stands there."""

    label: str
    middle_px: Floats
    probability: float


def hidden(
    seen: Floats, clean: Floats, noise: Floats, lit: Mapping[str, Floats], disc: npt.NDArray[np.float32], needed: float
) -> Hidden | None:
    """Return the likeliest cube that would not show on a tile; None where every one would.

    `seen`, `clean`: (h, w, 3) Lab weighed as differences count, the tile and its print; `noise`: (h, w), one σ of how
    they differ. `lit`: each label's colour, (n, 3) likewise, in n lights. `disc`: a cube's top, as a window that sums
    to 1. `needed`: how far a cube's top must be off the print, in all, to be told.
    """
    found = [_of(label, seen, clean, noise, colours, disc, needed) for label, colours in lit.items()]
    return max((one for one in found if one is not None), key=lambda one: one.probability, default=None)


def _of(
    label: str,
    seen: Floats,
    clean: Floats,
    noise: Floats,
    colours: Floats,
    disc: npt.NDArray[np.float32],
    needed: float,
) -> Hidden | None:
    off = np.min([np.square(clean - colour).sum(axis=-1) for colour in colours], axis=0)
    if np.count_nonzero(off < ALIKE**2) < PRINT * np.count_nonzero(disc):
        return None
    told = cv2.filter2D(np.log1p(off / noise**2).astype(np.float32), -1, disc, borderType=cv2.BORDER_REFLECT)
    mean = np.asarray(cv2.filter2D(seen, -1, disc.astype(float), borderType=cv2.BORDER_REFLECT), float)
    apart = np.min([np.square(mean - colour).sum(axis=-1) for colour in colours], axis=0)
    reach = disc.shape[0] // 2
    inside = np.s_[reach:-reach, reach:-reach]  # all of it on the tile
    unseen = (told[inside] * np.sqrt(np.count_nonzero(disc)) < needed) & (apart[inside] < ALIKE**2)
    if not unseen.any():
        return None
    places = np.argwhere(unseen)[:, ::-1] + reach
    middle = places[np.linalg.norm(places - places.mean(axis=0), axis=1).argmin()].astype(float)
    return Hidden(label, middle, MARKED * float(unseen.mean()))
