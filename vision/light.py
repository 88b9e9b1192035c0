"""The light that the pieces of one photograph have in common, and what it says about a doubtful one's colours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.crop import Floats
from vision.ranks import median

FEWEST = 5  # pieces named for sure, below which no common light is told
RIM, CENTRE = (0.03, 0.12), 0.18  # of the side: where a frame's and a picture's colour are taken
BLACK = 8.0  # grey levels added before the logarithm: the noise of dark px
LEAST_SIGMA = 0.06  # log: no print and no camera keep a colour better
ROUNDS = 6  # of reweighting
PRIOR = (0.0, 2.0, 0.5, 0.5)  # against a contrast other than 1 and a slope along x and y, in pieces' worth
SHARE = 0.4  # of what six independent colours would tell: these are not independent
MOST = 5.0  # log-odds that colours can tell
STRANGE = 2.5  # log-odds: whose own colours tell so much against a sure name, has its reference in another light
ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Light:
    """log seen = terms · (1, log printed, x, y), a channel each. terms: (4, 3); middle_px, reach_px: of x and y.

    `most`: log-odds that colours can tell. A deck that was enrolled from several photographs has some references in
    another light than the others: the more there are, the less a strange colour tells.
    """

    terms: Floats
    sigma: float
    middle_px: Floats
    reach_px: float
    most: float = MOST

    def evidence(self, seen: Floats, printed: Floats, centres_px: Floats) -> Floats:
        """Return log-odds (n, m) in -most..0 that crops' colours are those of each reference in this light.

        seen: (n, 2, 3) and printed: (m, 2, 3) from `swatches`; centres_px: (n, 2) of the crops in the photograph.
        """
        place = (centres_px - self.middle_px) / self.reach_px
        even = self.terms[0] + place @ self.terms[2:]
        off = (seen - even[:, None])[:, None] - self.terms[1] * printed
        off /= np.float32(self.sigma)
        return np.asarray(-np.minimum(SHARE * 0.5 * (off * off).sum(axis=(2, 3)), self.most), dtype=np.float32)


def swatches(soft: Floats) -> Floats:
    """Return each face's rim and inner colour, (n, 2, 3), logarithms; soft: (n, side, side, 3)."""
    side = soft.shape[1]
    outer, inner, middle = (round(share * side) for share in (*RIM, CENTRE))
    ring = np.zeros((side, side), dtype=bool)
    ring[outer : side - outer, outer : side - outer] = True
    ring[inner : side - inner, inner : side - inner] = False
    centre = soft[:, middle : side - middle, middle : side - middle].reshape(len(soft), -1, 3)
    colours = np.stack([median(soft[:, ring], axis=1), median(centre, axis=1)], axis=1)
    return np.asarray(np.log(colours.clip(0) + BLACK), dtype=np.float32)


def common(seen: Floats, printed: Floats, centres_px: Floats) -> Light | None:
    """Fit the light to pieces named for sure; None where they are too few.

    seen, printed: (n, 2, 3) swatches of the crops and of their references; centres_px: (n, 2).
    """
    if len(seen) < FEWEST:
        return None
    middle = centres_px.mean(axis=0)
    reach = float(np.abs(centres_px - middle).max()) + 1.0
    place = np.repeat((centres_px - middle) / reach, 2, axis=0)  # (2n, 2)
    terms = np.zeros((4, 3), dtype=np.float32)
    off = np.zeros((2 * len(seen), 3))
    for c in range(3):
        columns = np.column_stack([np.ones(len(place)), printed[:, :, c].reshape(-1), place])
        terms[:, c], off[:, c] = _robust(columns, seen[:, :, c].reshape(-1))
    sigma = max(LEAST_SIGMA, 1.48 * float(median(np.abs(off))))
    against = SHARE * 0.5 * ((off / sigma) ** 2).reshape(len(seen), -1).sum(axis=1)
    strange = float(np.mean(against > STRANGE))
    most = min(MOST, -float(np.log(strange))) if strange else MOST
    return Light(terms, sigma, middle.astype(np.float32), reach, most)


def _robust(columns: Floats, wanted: Floats) -> tuple[Floats, Floats]:
    """Fit by reweighted least squares; return the terms (4,) and what stays (2n,)."""
    expected = np.array([0.0, 1.0, 0.0, 0.0])
    prior = np.diag(PRIOR) + ROUNDING * np.eye(4)
    weight = np.ones(len(wanted))
    terms = expected
    for _ in range(ROUNDS):
        normal = columns.T @ (columns * weight[:, None]) + prior
        terms = expected + np.linalg.solve(normal, columns.T @ (weight * (wanted - columns @ expected)))
        off = wanted - columns @ terms
        sigma = max(LEAST_SIGMA, 1.48 * float(median(np.abs(off))))
        weight = 1 / (1 + (off / (2 * sigma)) ** 2)
    return terms.astype(np.float32), np.asarray(wanted - columns @ terms, dtype=np.float32)
