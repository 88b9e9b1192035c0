"""How much the network's and the correlation's evidence weigh, fitted on faces that neither has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from vision import correlation

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

START = (1.0, 5.0, -2.5)  # weights of network, correlation and none before fitting


@dataclass(frozen=True)
class Evidence:
    """One table's evidence.

    products, correlations: (q, r); none: (q,); right: (q, r + 1), the last none; shown: (q, r), can be chosen.
    """

    products: Floats
    correlations: Floats
    none: Floats
    right: Flags
    shown: Flags


def correlations(queries: Sequence[Image], references: Sequence[Image]) -> Floats:
    """Return the aligned correlations as at run time, (q, r)."""
    return correlation.scores(queries, correlation.features(references))


def log_odds(weights: Sequence[float], evidence: Evidence) -> npt.NDArray[np.float64]:
    """Return (q, r + 1), the last column none, normalised to log-probabilities."""
    embedding, correlated, none = weights
    named = embedding * evidence.products.astype(float) + correlated * evidence.correlations
    named = np.where(evidence.shown, named, -1e4)
    logits = np.concatenate([named, (embedding * evidence.none + none)[:, None]], axis=1)
    top = logits.max(axis=1, keepdims=True)
    return np.asarray(logits - top - np.log(np.exp(logits - top).sum(axis=1, keepdims=True)))


def fit(tables: Sequence[Evidence]) -> tuple[float, float, float]:
    """Return the weights (network, correlation, none) under which the tables are likeliest."""

    def cost(weights: npt.NDArray[np.float64]) -> float:
        return float(np.mean([_cost(log_odds(list(weights), table), table.right) for table in tables]))

    found = minimize(
        cost, np.array(START), method="Nelder-Mead", options={"maxiter": 300, "xatol": 1e-3, "fatol": 1e-5}
    )
    embedding, correlated, none = (float(v) for v in found.x)
    return embedding, correlated, none


def _cost(log_probabilities: npt.NDArray[np.float64], right: Flags) -> float:
    return float(-np.log(np.where(right, np.exp(log_probabilities), 0).sum(axis=1) + 1e-12).mean())


def reliability(weights: Sequence[float], tables: Sequence[Evidence]) -> dict[str, float]:
    """Return top-1, the share of readings at 0.99, how many of these are right, and the expected calibration error."""
    said, right = [], []
    for table in tables:
        p = np.exp(log_odds(weights, table))
        # classes that cannot be told apart share their probability
        best = p.argmax(axis=1)
        rows = np.arange(len(p))
        good = table.right[rows, best]
        said.append(np.where(good, np.where(table.right, p, 0).sum(axis=1), p[rows, best]))
        right.append(good)
    confidence, correct = np.concatenate(said), np.concatenate(right)
    sure = confidence >= 0.99
    bins = np.minimum((confidence * 10).astype(int), 9)
    error = sum(
        abs(confidence[bins == b].mean() - correct[bins == b].mean()) * (bins == b).mean()
        for b in range(10)
        if (bins == b).any()
    )
    return {
        "top1": float(correct.mean()),
        "sure": float(sure.mean()),
        "sure_right": float(correct[sure].mean()) if sure.any() else 1.0,
        "calibration_error": float(error),
    }
