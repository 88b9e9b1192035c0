"""The same piece keeps its id from one reading to the next, and what was seen of it is weighed together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

REACH = 0.6  # of a piece's side: farther away it is another piece, or it was moved
NEWEST = 0.6  # of the evidence is the newest reading's: looks at an untouched piece share most of their error (its
# print, the light, the view), so they are averaged; added up, a doubt would wear off by looking long
FLOOR = 1e-4  # a label that one reading did not consider is not impossible
SAME_PLACE = 0.04  # of a side: so near, it was not touched (a card laid anew lies 2 mm off); its evidence holds
SURE, DENIED = 0.95, 0.02  # a look that is so sure of another label, or gives the old one so little, saw another face
LOST_READINGS = 3  # a piece unseen for so many readings has left

Evidence = Mapping[str | None, float]
"""Label → log probability, up to a constant; None: no face of this deck."""


@dataclass(frozen=True)
class Track:
    """A piece over time. `corners_px`: (4, 2), newest; `evidence`: label → log probability, up to a constant."""

    id: int
    kind: str
    corners_px: npt.NDArray[np.float64]
    evidence: Evidence
    unseen: int = 0

    @property
    def centre_px(self) -> npt.NDArray[np.float64]:
        """The mean of its corners."""
        return np.asarray(self.corners_px.mean(axis=0), np.float64)

    @property
    def side_px(self) -> float:
        """Its mean side."""
        return float(np.linalg.norm(self.corners_px - np.roll(self.corners_px, 1, axis=0), axis=1).mean())

    def probabilities(self) -> tuple[tuple[str | None, float], ...]:
        """Return (label, probability), best first."""
        return normalised(self.evidence)


class Tracker:
    """Matches each reading's pieces with those of the reading before."""

    def __init__(self) -> None:
        self._tracks: tuple[Track, ...] = ()
        self._next = 0

    @property
    def tracks(self) -> tuple[Track, ...]:
        """The pieces known now."""
        return self._tracks

    def update(self, pieces: Sequence[Mapping[str, Any]]) -> dict[int, int]:
        """Take a reading's pieces, as the answer writes them; return this reading's id → the lasting id."""
        corners = [np.asarray(piece["corners_px"], np.float64) for piece in pieces]
        pairs = _assign(self._tracks, [str(piece["kind"]) for piece in pieces], corners)
        lasting: dict[int, int] = {}
        tracks: list[Track] = []
        for k, piece in enumerate(pieces):
            old = self._tracks[pairs[k]] if k in pairs else None
            if old is None:
                track = Track(self._next, str(piece["kind"]), corners[k], _evidence(piece))
                self._next += 1
            else:
                track = _seen_again(old, piece, corners[k])
            tracks.append(track)
            lasting[int(piece["id"])] = track.id
        matched = set(pairs.values())
        lost = (replace(t, unseen=t.unseen + 1) for i, t in enumerate(self._tracks) if i not in matched)
        self._tracks = (*tracks, *(t for t in lost if t.unseen < LOST_READINGS))
        return lasting

    def labelled(self, lasting_id: int) -> tuple[tuple[str | None, float], ...]:
        """Return what all readings together say of a piece: (label, probability), best first; empty: no such piece."""
        return next((t.probabilities() for t in self._tracks if t.id == lasting_id), ())


def _assign(
    tracks: Sequence[Track], kinds: Sequence[str], corners: Sequence[npt.NDArray[np.float64]]
) -> dict[int, int]:
    """Pair pieces with tracks so that the sum of distances, in sides, is least: piece's index → track's index."""
    if not tracks or not kinds:
        return {}
    cost = np.full((len(kinds), len(tracks)), 1e3)
    for i, (kind, quad) in enumerate(zip(kinds, corners, strict=True)):
        for j, track in enumerate(tracks):
            if kind == track.kind:
                cost[i, j] = float(np.linalg.norm(quad.mean(axis=0) - track.centre_px)) / max(track.side_px, 1e-6)
    rows, columns = linear_sum_assignment(np.minimum(cost, 10 * REACH))
    return {int(i): int(j) for i, j in zip(rows, columns, strict=True) if cost[i, j] <= REACH}


def _seen_again(old: Track, piece: Mapping[str, Any], corners_px: npt.NDArray[np.float64]) -> Track:
    """Weigh a reading with a track's earlier ones; of a piece that was moved or turned over, those are dropped."""
    moved = float(np.linalg.norm(corners_px.mean(axis=0) - old.centre_px)) > SAME_PLACE * old.side_px
    fresh, before = _evidence(piece), _best(old.evidence)
    denied = bool(old.evidence) and math.exp(fresh.get(before, -math.inf)) < DENIED
    turned = _best(fresh) != before and (float(piece.get("probability", 0)) > SURE or denied)
    if moved or turned or old.unseen:
        return Track(old.id, old.kind, corners_px, fresh)
    labels = set(fresh) | set(old.evidence)
    floor = math.log(FLOOR)
    lower_fresh, lower_old = min([floor, *fresh.values()]), min([floor, *old.evidence.values()])
    weighed = {x: NEWEST * fresh.get(x, lower_fresh) + (1 - NEWEST) * old.evidence.get(x, lower_old) for x in labels}
    return Track(old.id, old.kind, corners_px, weighed)


def _evidence(piece: Mapping[str, Any]) -> Evidence:
    """Return what a reading says of a piece; None stands for no face of this deck, and what no label accounts for."""
    told = piece.get("candidates") or [(piece.get("label"), piece.get("probability", 1.0))]
    named: dict[str | None, float] = {
        str(label): math.log(max(float(p), FLOOR)) for label, p in told if label is not None
    }
    rest = 1.0 - sum(float(p) for label, p in told if label is not None)
    return {**named, None: math.log(rest)} if rest > FLOOR or not named else named


def _best(evidence: Evidence) -> str | None:
    return max(evidence, key=lambda label: evidence[label]) if evidence else None


def normalised(evidence: Evidence) -> tuple[tuple[str | None, float], ...]:
    """Return log probabilities up to a constant as (label, probability), best first."""
    if not evidence:
        return ()
    top = max(evidence.values())
    weights = {label: math.exp(value - top) for label, value in evidence.items()}
    total = sum(weights.values())
    return tuple(sorted(((label, w / total) for label, w in weights.items()), key=lambda pair: -pair[1]))
