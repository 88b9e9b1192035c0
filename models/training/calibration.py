"""How much each kind of evidence weighs, fitted on faces that the network has not seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

import measuring.calibration
from measuring.calibration import Reliability
from measuring.charts import chart, document
from vision import correlation, naming, tints, verification
from vision.naming import Calibration, Doubles, Evidence, Ints

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

UNFITTED = Calibration(1.0, 2.0, 3.0, 1.0, 1.0, 2.0, 3.0, 2.0, 1.0, 0.0, 0.0)
# Where few decks leave a weight open, it stays near these, found on earlier decks: network, correlation, tint, …, none.
FIRST = (1.2, 1.5, 1.3, 0.3)
SECOND = (1.1, 1.2, 1.0, 4.0, 0.6)
HELD = 0.03  # nats a reading that a weight of twice these costs
UNPLAYABLE = 1.2  # nats a reading: a deck whose faces are that alike is no game's, and teaches doubt of all
GONE = -1e3  # a product or correlation that no reference has: it was taken away


@dataclass(frozen=True)
class Trial:
    """One table's evidence and truth. right: (q, r + 1), the last column none; listed, verified: of the second look."""

    seen: Evidence
    right: Flags
    listed: Ints
    verified: Floats


def trial(
    queries: Sequence[Image], references: Sequence[Image], products: Floats, lengths: Floats, right: Flags, shown: Flags
) -> Trial:
    """Look at a table as run time does; shown: (q, r), whether the reference is there for that query."""
    soft, soft_references = correlation.softened(queries), correlation.softened(references)
    correlations, which = correlation.scores(soft, correlation.features(soft_references))
    seen = Evidence(
        np.where(shown, products, GONE).astype(np.float32),
        np.where(shown, correlation.evidence(correlations), GONE).astype(np.float32),
        np.where(shown, tints.features(soft) @ tints.features(soft_references).T, GONE).astype(np.float32),
        lengths,
    )
    listed = naming.shortlist(naming.first_look(seen, UNFITTED))
    return Trial(seen, right, listed, verification.shortlisted(soft, soft_references, listed, which).scores)


def fit(trials: Sequence[Trial], none_gain: float, none_bias: float) -> Calibration:
    """Return the weights under which the trials' truth is likeliest; the second look's on the first one's doubts."""
    base = replace(UNFITTED, none_gain=none_gain, none_bias=none_bias)
    trials = [t for t in trials if _cost(naming.first_look(t.seen, base), t.right) < UNPLAYABLE] or trials

    def first(w: Doubles) -> Calibration:
        e, c, t, n = (float(x) for x in w)
        return replace(base, embedding=e, correlation=c, tint=t, none=n)

    def first_cost(w: Doubles) -> float:
        return float(np.mean([_cost(naming.first_look(t.seen, first(w)), t.right) for t in trials]))

    one = first(_least(first_cost, FIRST))

    def second(w: Doubles) -> Calibration:
        e, c, t, v, n = (float(x) for x in w)
        found = replace(one, second_embedding=e, second_correlation=c, second_tint=t)
        return replace(found, second_verification=v, second_none=n)

    doubts = [_doubts(t, one) for t in trials]

    def cost(w: Doubles) -> float:
        looks = [naming.second_look(t.seen, t.listed, t.verified, second(w)) for t in trials]
        return float(np.mean([_cost(look, t.right, d) for look, t, d in zip(looks, trials, doubts, strict=True)]))

    return second(_least(cost, SECOND))


def _least(cost: Callable[[Doubles], float], start: tuple[float, ...]) -> Doubles:
    near = np.array(start)

    def held(weights: Doubles) -> float:
        return cost(weights) + HELD * float((((weights - near) / near) ** 2).sum())

    return np.asarray(
        minimize(held, near, method="Nelder-Mead", options={"maxiter": 800, "xatol": 1e-3, "fatol": 1e-5}).x
    )


def _doubts(t: Trial, fitted: Calibration) -> Flags:
    return np.asarray(naming.probabilities(naming.first_look(t.seen, fitted)).max(axis=1) < naming.SURE)


def _cost(log_odds: Doubles, right: Flags, rows: Flags | None = None) -> float:
    told = -np.log(np.where(right, naming.probabilities(log_odds), 0).sum(axis=1) + 1e-9)
    chosen = told if rows is None else told[rows]
    return float(chosen.mean()) if len(chosen) else 0.0


def reliability(fitted: Calibration, trials: Sequence[Trial]) -> tuple[float, Reliability]:
    """Return the share of the trials' readings whose likeliest name is right, and whether they are as sure as right."""
    said, right = [], []
    for t in trials:
        p = naming.probabilities(naming.first_look(t.seen, fitted))
        again = naming.probabilities(naming.second_look(t.seen, t.listed, t.verified, fitted))
        p = np.where(_doubts(t, fitted)[:, None], again, p)
        best, rows = p.argmax(axis=1), np.arange(len(p))
        good = t.right[rows, best]
        # references that cannot be told apart share their probability
        said.append(np.where(good, np.where(t.right, p, 0).sum(axis=1), p[rows, best]))
        right.append(good)
    correct = np.concatenate(right)
    return float(correct.mean()), measuring.calibration.reliability(np.concatenate(said).tolist(), correct.tolist())


def report(out: Path, top1: float, reliable: Reliability) -> None:
    """Print how good a network is, and draw it into a folder."""
    (out / "reliability.svg").write_text(plot(reliable), encoding="utf-8")
    readings = sum(b.count for b in reliable.bins)
    print(f"top-1 {top1:.3f} of {readings}, calibration error {reliable.error:.4f}")
    print(f"said at 0.99 or more: {reliable.sure}, of them right: {reliable.sure_right}")


def plot(reliable: Reliability) -> str:
    """Draw what was said against what was right, an SVG document."""
    points = [(b.said, b.right) for b in reliable.bins]
    title = f"Said and right: {sum(b.count for b in reliable.bins):,} readings, error {reliable.error:.3f}"
    return document(chart(title, "said probability", "share right", {"ten bins": points}, shares=True))
