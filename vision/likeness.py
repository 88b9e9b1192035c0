"""How like a disc is to a face of the deck: laid on ring by ring, at every turn, as far as the disc is in view.

A name says which face a disc shows most of all; this says whether it shows it. It also tells where the disc's own edge
is where a printed ring has the fuller rim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.rims import RADIUS_PX, Rim

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

RINGS, TURNS = 16, 72  # a disc unrolled: so many rings of so many places
OUTER = 0.94  # of the radius: what lies farther out may be the coin's wall or the table
SOFT_PX = 0.8  # σ of the smoothing, at RADIUS_PX
COVERING = 1.05  # radii round a disc that lies above: there it hides what is below
LEAST_SHOWN = 0.2  # of a disc must be in view to be compared
LEAST_CONTRAST = 6.0  # grey levels: flatter faces tell nothing
OFFS, SCALES = (-0.12, 0.0, 0.12), (0.86, 0.93, 1.0, 1.07, 1.14)  # in radii: where the disc is looked for at first
FINER = ((0.05, 0.03), (0.025, 0.015))  # steps off and in scale, one round each


@dataclass(frozen=True)
class Likeness:
    """A face laid onto a disc: how well it correlates there, the rim where it does, and how much of it is in view."""

    correlation: float
    middle_px: Floats  # (2,) of the view
    radius_px: float
    shown: float


def unrolled(faces: Mapping[str, Sequence[Image]]) -> Mapping[str, Floats]:
    """Return each label's faces as rings, (k, RINGS, TURNS, 3); those too flat to tell anything are left out."""
    side, middle = 2 * round(RADIUS_PX), np.zeros((1, 3))
    middle[0, 2] = 1.0
    found: dict[str, Floats] = {}
    for label, pictures in faces.items():
        small = [np.asarray(cv2.resize(one, (side, side), interpolation=cv2.INTER_AREA), np.uint8) for one in pictures]
        rings = [_rings(soft(one), np.full(2, (side - 1) / 2), side / 2, middle)[0] for one in small]
        told = [one for one in rings if float(one.std(axis=(0, 1)).max()) > LEAST_CONTRAST]
        if told:
            found[label] = np.stack(told)
    return found


def soft(view: Image) -> npt.NDArray[np.float32]:
    """Smooth a BGR view as it is compared."""
    return np.asarray(cv2.GaussianBlur(view, (0, 0), SOFT_PX), np.float32)


def laid(view: npt.NDArray[np.float32], rim: Rim, above: Sequence[Rim], faces: Floats) -> Likeness | None:
    """Lay the likeliest of a label's faces (k, RINGS, TURNS, 3) onto a disc of a smoothed view; None: too little shows.

    `above`: what may lie on the disc.
    """
    places = np.array([(x, y, scale) for scale in SCALES for x in OFFS for y in OFFS])
    best: Likeness | None = None
    for steps in (None, *FINER):
        if steps is not None and best is not None:
            places = _round(best, rim, *steps)
        found = _best(view, rim, above, faces, places)
        if found is None:
            return best
        best = found if best is None or found.correlation > best.correlation else best
    return best


def _round(best: Likeness, rim: Rim, off: float, scale: float) -> Floats:
    """Return places (27, 3) round about the best one."""
    x, y = (best.middle_px - rim.middle_px) / rim.radius_px
    wide = best.radius_px / rim.radius_px
    ways = (-1, 0, 1)
    return np.array([(x + i * off, y + j * off, wide + k * scale) for i in ways for j in ways for k in ways])


def _best(
    view: npt.NDArray[np.float32], rim: Rim, above: Sequence[Rim], faces: Floats, places: Floats
) -> Likeness | None:
    """Return the place, of (n, 3) off in x and y and scale, in radii, at which a face correlates best."""
    weights = _shown(rim, above, places)
    shares = weights.sum(axis=(1, 2)) / (TURNS * _radii().sum())
    told = shares > LEAST_SHOWN
    if not told.any():
        return None
    places, weights, shares = places[told], weights[told], shares[told]
    seen = _rings(view, np.asarray(rim.middle_px, float), rim.radius_px, places)
    alike = np.max([_correlations(seen, weights, face).max(axis=1) for face in faces], axis=0)
    k = int(alike.argmax())
    middle = rim.middle_px + places[k, :2] * rim.radius_px
    return Likeness(float(alike[k]), middle, float(rim.radius_px * places[k, 2]), float(shares[k]))


def _radii() -> Floats:
    return OUTER * (np.arange(RINGS) + 0.5) / RINGS


def _ring_places(places: Floats) -> tuple[Floats, Floats]:
    """Return x and y, in radii, of all ring places (n, RINGS, TURNS) about places (n, 3)."""
    turn = 2 * np.pi * np.arange(TURNS) / TURNS
    reach = places[:, 2, None, None] * _radii()[:, None]
    return places[:, 0, None, None] + reach * np.cos(turn), places[:, 1, None, None] + reach * np.sin(turn)


def _rings(view: npt.NDArray[np.float32], middle_px: Floats, radius_px: float, places: Floats) -> Floats:
    """Return the view's colours along the rings, (n, RINGS, TURNS, 3)."""
    x, y = (one.reshape(-1, TURNS) * radius_px for one in _ring_places(places))
    x, y = (x + middle_px[0]).astype(np.float32), (y + middle_px[1]).astype(np.float32)
    seen = cv2.remap(view, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, float).reshape(len(places), RINGS, TURNS, 3)


def _shown(rim: Rim, above: Sequence[Rim], places: Floats) -> Floats:
    """Return how much each ring place counts, (n, RINGS, TURNS): its area, none where a disc above hides it."""
    x, y = _ring_places(places)
    weights = np.broadcast_to(_radii()[:, None], x.shape).copy()
    for other in above:
        off = (other.middle_px - rim.middle_px) / rim.radius_px
        weights *= np.hypot(x - off[0], y - off[1]) > COVERING * other.radius_px / rim.radius_px
    return weights


def _correlations(seen: Floats, weights: Floats, face: Floats) -> Floats:
    """Return the correlations (n, TURNS) of discs (n, RINGS, TURNS, 3), weighted, with a face at every turn."""
    total, turned = weights.sum(axis=(1, 2))[:, None], np.conj(_waves(weights))
    both, power, own = (np.zeros((len(seen), TURNS)) for _ in range(3))
    for channel in range(3):
        disc, wave = weights * seen[..., channel], _waves(face[..., channel])
        mean = disc.sum(axis=(1, 2))[:, None] / total
        own += (disc * seen[..., channel]).sum(axis=(1, 2))[:, None] - mean * mean * total
        expected = _summed(turned * wave)
        both += _summed(np.conj(_waves(disc)) * wave) - mean * expected
        power += _summed(turned * _waves(face[..., channel] ** 2)) - expected**2 / total
    return np.asarray(both / np.sqrt(np.maximum(own, 1e-6) * np.maximum(power, 1e-6)), float)


def _waves(rings: Floats) -> npt.NDArray[np.complexfloating]:
    return np.asarray(np.fft.rfft(rings, axis=-1))


def _summed(waves: npt.NDArray[np.complexfloating]) -> Floats:
    """Return sums over all ring places, a turn each, (n, TURNS)."""
    return np.asarray(np.fft.irfft(waves.sum(axis=1), n=TURNS, axis=-1), float)
