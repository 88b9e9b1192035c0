"""A face with something on it, a player's cube say: compared with references that have the same lying on them.

What lies there is where the likeliest reference explains the crop least. It is left out of the correlation, and laid
onto the references before the network looks at them: then both show it, and it says neither yes nor no.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision import correlation, tints
from vision.correlation import SIDE_PX
from vision.crop import Floats
from vision.embedding import directions, embedder
from vision.naming import Evidence
from vision.verification import COVER_PX, Verified

Image = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]

RIM_PX = 2  # of SIDE_PX round what lies there: the crop is moved that far while it is compared
DOUBT = 0.999  # a name surer than this needs no look under anything
OUTLYING = 1.0  # nats that a px in the square costs more than elsewhere, from which something lies there
SHARE = 0.7  # of the new look against the one at the whole face: it may only have been glare
SURER = 1.6  # times the log-odds: of 85 faces under cubes 84 were named right, which were said to be 77
LOOKED_AT = 12  # references that the network looks at again
LEAST_SPREAD = 4.0  # grey levels: flatter faces have no contrast to match


class Known(Protocol):
    """References (m, side, side, 3): `soft` as they are compared, `small` as the network sees them."""

    @property
    def soft(self) -> Floats: ...
    @property
    def small(self) -> Image: ...


def places(probabilities: npt.NDArray[np.float64], verified: Verified) -> Mapping[int, Ints]:
    """Return which crops seem to have something on them, and where: x, y of SIDE_PX.

    probabilities: (n,) of each one's name so far; verified: (n, k, …) of its shortlist.
    """
    best = verified.scores.argmax(axis=1)
    rows = np.arange(len(best))
    suspect = (probabilities < DOUBT) & (verified.outlying[rows, best] > OUTLYING)
    return {int(k): verified.covers[k, best[k]] for k in np.flatnonzero(suspect)}


def evidence(crop: Image, query: Floats, soft: Floats, place: Ints, seen: Evidence, known: Known) -> Evidence:
    """Return a crop's evidence (one row) anew, the square at `place` (2,) x, y of SIDE_PX left out.

    crop: (s, s, 3) as the network sees it; query: (d,) what that makes of it; soft: (SIDE_PX, SIDE_PX, 3); seen: what
    was seen of it whole, one row. References that are not looked at again count as the least like it of those that are.
    """
    hidden = _square(place, SIDE_PX)
    kept = ~cv2.dilate(hidden.astype(np.uint8), np.ones((2 * RIM_PX + 1, 2 * RIM_PX + 1), np.uint8)).astype(bool)
    alike, _ = correlation.scores(soft[None], correlation.features(known.soft, kept), kept)
    rows = np.unique(np.concatenate([np.argsort(-alike[0])[:LOOKED_AT], np.argsort(-seen.products[0])[:LOOKED_AT]]))
    hues = tints.features(soft[None]) @ tints.features(_laid(soft, known.soft[rows], hidden)).T
    shown = _laid(crop, known.small[rows], _square(place, crop.shape[0])).clip(0, 255).astype(np.uint8)
    products = query[None] @ directions(embedder().embed(list(shown))).T
    shape, lengths = seen.products.shape, seen.lengths
    return Evidence(_spread(products, rows, shape), correlation.evidence(alike), _spread(hues, rows, shape), lengths)


def _spread(values: Floats, rows: Ints, shape: tuple[int, ...]) -> Floats:
    """Put the values (1, k) of some references into those of all, (1, m); the others get the least of them."""
    whole = np.full(shape, values.min(), np.float32)
    whole[:, rows] = values
    return whole


def _square(place: Ints, side_px: int) -> npt.NDArray[np.bool_]:
    """Mark the square that lies at `place` of SIDE_PX in a face of another size."""
    mask = np.zeros((SIDE_PX, SIDE_PX), dtype=np.uint8)
    x, y = (int(v) for v in place)
    mask[y : y + COVER_PX, x : x + COVER_PX] = 1
    return cv2.resize(mask, (side_px, side_px), interpolation=cv2.INTER_NEAREST).astype(bool)


def _laid(face: Floats | Image, onto: Floats | Image, hidden: npt.NDArray[np.bool_]) -> Floats:
    """Lay the hidden part of a face (s, s, 3) onto others (m, s, s, 3), each in its own light."""
    seen, others = face.astype(np.float32), onto.astype(np.float32)
    middle, spread = _light(seen[None], hidden)
    theirs, their_spread = _light(others, hidden)
    laid = others.copy()
    laid[:, hidden] = (seen[hidden] - middle) / spread * their_spread + theirs
    return laid


def _light(faces: Floats, hidden: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return the mean (n, 1, 3) and the spread (n, 1, 1) of faces (n, s, s, 3) where they are not hidden."""
    rows, shown = faces.reshape(len(faces), -1), np.repeat(~hidden.reshape(-1), 3).astype(np.float32)
    count = float(shown.sum()) / 3
    middle = rows @ (shown[:, None] * np.tile(np.eye(3, dtype=np.float32), (hidden.size, 1))) / np.float32(count)
    power = (rows * rows) @ shown / np.float32(3 * count) - (middle * middle).mean(axis=1)
    spread = np.sqrt(np.maximum(power, LEAST_SPREAD**2))
    return middle[:, None], spread[:, None, None].astype(np.float32)
