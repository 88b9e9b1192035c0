"""How evidence adds up to a name: log-odds of each reference, and of none of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields

import numpy as np
import numpy.typing as npt

from vision.crop import Floats

Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SURE = 0.998  # of the first look: no second look is taken
LIKELY = 0.9  # likewise, where it is only to be told with which face to begin
TELLS_LIGHT = 0.95  # a piece named this surely tells the light it lies in
SHORTLIST = 6  # references in the second look


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights of the evidence, fitted with the network on faces it had not seen, and kept with it.

    First look: a reference's log-odds are embedding · product + correlation · evidence of what it explains + tint ·
    likeness of hues; none's are embedding · (none_gain · the query's length + none_bias) + none. Second look, at a
    shortlist: the same with weights of their own, and verification · how well the aligned reference explains the face.
    """

    embedding: float
    correlation: float
    tint: float
    none: float
    second_embedding: float
    second_correlation: float
    second_tint: float
    second_verification: float
    second_none: float
    none_gain: float
    none_bias: float

    @classmethod
    def parse(cls, told: Mapping[str, str]) -> Calibration:
        """Read a calibration from a model's metadata; KeyError where a weight is missing."""
        return cls(**{field.name: float(told[field.name]) for field in fields(cls)})

    def to_mapping(self) -> dict[str, str]:
        """Write it as a model's metadata."""
        return {name: f"{value:.6g}" for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was seen of n crops.

    products, correlations, tints: (n, m), of the network, as evidence, of hues; lengths: (n,) of the network's queries.
    """

    products: Floats
    correlations: Floats
    tints: Floats
    lengths: Floats

    def of(self, rows: Ints) -> Evidence:
        """Return the evidence of some crops."""
        return Evidence(self.products[rows], self.correlations[rows], self.tints[rows], self.lengths[rows])

    def network_none(self, fitted: Calibration) -> Floats:
        """Return the network's own log-odds that a crop is none of the references, (n,)."""
        return np.asarray(fitted.none_gain * self.lengths + fitted.none_bias, dtype=np.float32)


def joined(several: Sequence[Evidence]) -> Evidence:
    """Return what was seen of some crops and of others as one."""
    columns = ([getattr(one, field.name) for one in several] for field in fields(Evidence))
    return Evidence(*(np.concatenate(column) for column in columns))


def first_look(seen: Evidence, fitted: Calibration) -> Doubles:
    """Return log-odds (n, m + 1); the last column: none of the references."""
    named = fitted.embedding * seen.products + fitted.correlation * seen.correlations + fitted.tint * seen.tints
    none = fitted.embedding * seen.network_none(fitted) + fitted.none
    return np.concatenate([named, none[:, None]], axis=1).astype(np.float64)


def shortlist(log_odds: Doubles) -> Ints:
    """Return the likeliest references of each crop, (n, SHORTLIST) or fewer, best first."""
    return np.argsort(-log_odds[:, :-1], axis=1, kind="stable")[:, :SHORTLIST].astype(np.int64)


def second_look(seen: Evidence, listed: Ints, verified: Floats, fitted: Calibration) -> Doubles:
    """Return log-odds (n, m + 1) anew; verified: (n, k) of the shortlist, the rest count as its worst."""
    everywhere = np.repeat(verified.min(axis=1, keepdims=True), seen.products.shape[1], axis=1)
    np.put_along_axis(everywhere, listed, verified, axis=1)
    named = (
        fitted.second_embedding * seen.products
        + fitted.second_correlation * seen.correlations
        + fitted.second_tint * seen.tints
        + fitted.second_verification * everywhere
    )
    none = fitted.second_embedding * seen.network_none(fitted) + fitted.second_none
    return np.concatenate([named, none[:, None]], axis=1).astype(np.float64)


def probabilities(log_odds: Doubles) -> Doubles:
    """Turn log-odds (n, k) into probabilities that sum to 1 a row."""
    odds = np.exp(log_odds - log_odds.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))
