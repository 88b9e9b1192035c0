"""A card that a lamp fades, compared in any light that bends over it smoothly: what each face leaves unexplained.

A coated card mirrors a lamp: its colours are washed out, more at one end than at the other, while its print
keeps its shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from decks.deck import Image
from vision.crop import Floats

GRID_PX = 48  # a card's shorter side
SOFT_PX, CALMED_PX = 0.8, 0.5  # σ of a reference's smoothing and of the photograph's
SHIFTS_PX = (-1, 0, 1)
NOISE = 2.0  # grey levels that no face explains
LIKELY = 1e-3  # names less likely are not looked at: they count as explaining nothing
SHARE, GAIN, NONE_REST = 0.7, 6.0, 0.7
"""Of the log-odds that were told before; log-odds a factor e of unexplained rest; what is as likely none of the deck's.
Fitted on 354 doubtful cards of 500 drawn tables: named at 0.99 and more 145, two wrong, then 191, none."""

Told = dict[str | None, tuple[float, int]]
Pictures = Callable[[str, tuple[int, int]], Image]


def compared(
    crop: Image, chances: Mapping[str | None, float], picture: Pictures
) -> dict[str | None, tuple[float, int]]:
    """Return names' chances anew, and how often the crop is turned clockwise by 90° to be upright as such.

    crop: (h, w, 3), a card edge to edge. chances: of each name, and None. picture: a name's reference in a size.
    """
    height, width = (round(side * GRID_PX / min(crop.shape[:2])) for side in crop.shape[:2])
    small = cv2.resize(crop, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)
    seen = _shifted(cv2.GaussianBlur(small, (0, 0), CALMED_PX).astype(np.float32))
    told: Told = {None: (NONE_REST, 0)}
    for label in (name for name, chance in chances.items() if name is not None and chance >= LIKELY):
        told[label] = _rest(seen, picture(label, (width, height)))
    odds = {name: chance**SHARE * told.get(name, (1.0, 0))[0] ** -GAIN for name, chance in chances.items()}
    total = sum(odds.values())
    return {name: (odd / total, told.get(name, (1.0, 0))[1]) for name, odd in odds.items()}


def _shifted(small: Floats) -> Floats:
    """Return a picture without its rim, shifted by a px in all ways, off its ground: (shifts, 3, px)."""
    height, width = small.shape[:2]
    ways = [(dy, dx) for dy in SHIFTS_PX for dx in SHIFTS_PX]
    return np.stack([_off_ground(small[1 + dy : height - 1 + dy, 1 + dx : width - 1 + dx]) for dy, dx in ways])


def _rest(seen: Floats, face: Image) -> tuple[float, int]:
    """Return the least share that a face leaves of what is seen, and how often it is turned there."""
    soft = np.asarray(cv2.GaussianBlur(face.astype(np.float32), (0, 0), SOFT_PX), np.float32)
    turns = range(4) if face.shape[0] == face.shape[1] else (0, 2)
    printed = np.stack([_off_ground(np.rot90(soft, k)[1:-1, 1:-1]) for k in turns])  # (turns, 3, px)
    alike = np.einsum("scp,tcp->stc", seen, printed).clip(0)
    told = (alike**2 / (np.einsum("tcp,tcp->tc", printed, printed) + 1e-3)).sum(axis=2)
    whole = np.einsum("scp,scp->s", seen, seen)[:, None]
    noise = NOISE**2 * 3 * seen.shape[2]
    rests = ((whole - told + noise) / (whole + noise)).min(axis=0)
    return float(rests.min()), int(tuple(turns)[int(rests.argmin())])


def _off_ground(part: Floats) -> Floats:
    """Take smooth light out of a part (h, w, 3), channel by channel: (3, px)."""
    terms = _terms(part.shape[0], part.shape[1])
    flat = part.reshape(-1, 3).T
    return np.asarray(flat - (flat @ terms) @ terms.T, np.float32)


@cache
def _terms(height: int, width: int) -> npt.NDArray[np.float32]:
    """Return orthonormal columns (px, 6) of a light that slopes and bends both ways."""
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].reshape(2, -1)
    return np.linalg.qr(np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y]))[0].astype(np.float32)
