"""Fragments: runs of line points that follow one another, ordered from end to end."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from vision.strings.ground import Floats
from vision.strings.ridges import Ints, Ridges

MIN_POINTS = 5  # shorter runs are noise
MAX_TURN = 0.64  # cosine of the sharpest turn (50 degrees) between neighbouring points
REACH_PX = 2  # pixels a link may jump
LEAST_ALIKE = 0.3  # cosine between the colour contrasts of linked points
JUMPS = range(-REACH_PX, REACH_PX + 1)


@dataclass(frozen=True, slots=True)
class Fragment:
    """A run of line points. `closed` where it returns to its own start.

    `points` (n, 2) work px; `strength` and `contrast` (n,), of its line points.
    """

    points: Floats
    strength: Floats
    contrast: Floats
    closed: bool

    @property
    def length(self) -> float:
        """Its length in work px."""
        return float(np.hypot(*np.diff(self.points, axis=0).T).sum())


def fragments(found: Ridges) -> list[Fragment]:
    """Link line points both ways where each is the other's best continuation, and walk the chains."""
    forward, backward = _best(found)
    links = _mutual(found, forward, backward)
    return [
        Fragment(found.points[chain], found.strength[chain], found.contrast[chain], closed)
        for chain, closed in _chains(links)
        if len(chain) >= MIN_POINTS
    ]


def _best(found: Ridges) -> tuple[Ints, Ints]:
    """For each point the best neighbour ahead and behind along its own tangent, or -1."""
    count = len(found.points)
    points, across = found.points.astype(np.float32), found.across.astype(np.float32)
    response = (found.response / np.maximum(found.strength, 1e-9)[:, None]).astype(np.float32)
    tangent = np.stack([-across[:, 1], across[:, 0]], 1)
    rows, columns = np.nonzero(found.index >= 0)
    at = found.index[rows, columns]
    row, column = np.empty(count, np.int64), np.empty(count, np.int64)
    row[at], column[at] = rows + REACH_PX, columns + REACH_PX
    index = np.pad(found.index, REACH_PX, constant_values=-1)
    best, choice = np.full((2, count), np.inf, np.float32), np.full((2, count), -1)
    for dy, dx in product(JUMPS, JUMPS):
        other = index[row + dy, column + dx]
        here = np.flatnonzero((other >= 0) & (other != np.arange(count)))
        there = other[here]
        step = points[there] - points[here]
        distance = np.hypot(step[:, 0], step[:, 1]) + np.float32(1e-9)
        ahead = np.einsum("nk,nk->n", step, tangent[here]) / distance
        parallel = np.abs(np.einsum("nk,nk->n", across[here], across[there]))
        alike = np.einsum("nk,nk->n", response[here], response[there])
        ok = (np.abs(ahead) > MAX_TURN) & (parallel > MAX_TURN) & (alike > LEAST_ALIKE)
        cost = distance * (1 + 2 * (1 - np.abs(ahead))) + 2 * (1 - parallel) + 0.5 * (1 - alike)
        side = (ahead < 0).astype(int)
        better = ok & (cost < best[side, here])
        choice[side[better], here[better]], best[side[better], here[better]] = there[better], cost[better]
    return choice[0], choice[1]


def _mutual(found: Ridges, forward: Ints, backward: Ints) -> Ints:
    """Keep links (n, 2: ahead, behind) that both points choose."""
    links = np.full((len(forward), 2), -1, np.int64)
    for k, choice in enumerate((forward, backward)):
        here = np.flatnonzero(choice >= 0)
        there = choice[here]
        agreed = (forward[there] == here) | (backward[there] == here)
        links[here[agreed], k] = there[agreed]
    return links


def _chains(links: Ints) -> list[tuple[Ints, bool]]:
    """Walk linked points (n, 2) into ordered chains; closed ones last."""
    neighbours: list[list[int]] = [[int(j) for j in pair if j >= 0] for pair in links.tolist()]
    seen = [False] * len(neighbours)
    chains: list[tuple[Ints, bool]] = []
    ends = [i for i, n in enumerate(neighbours) if len(n) == 1]
    for start in ends + list(range(len(neighbours))):
        if seen[start] or not neighbours[start]:
            continue
        chain, here = [start], start
        seen[start] = True
        while (following := next((j for j in neighbours[here] if not seen[j]), -1)) >= 0:
            seen[following] = True
            chain.append(following)
            here = following
        closed = len(neighbours[start]) == 2 and start in neighbours[here] and len(chain) > 8
        chains.append((np.asarray(chain, np.int64), closed))
    return chains
