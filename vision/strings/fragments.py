"""Fragments: runs of line points that follow one another, ordered from end to end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.strings.ground import Floats
from vision.strings.ridges import Ints, Ridges

MIN_POINTS = 5  # shorter runs are noise
MAX_TURN = 0.64  # cosine of the sharpest turn (50 degrees) between neighbouring points
REACH_PX = 2  # pixels a link may jump


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
    forward = _best(found, +1)
    backward = _best(found, -1)
    links = _mutual(found, forward, backward)
    return [
        Fragment(found.points[chain], found.strength[chain], found.contrast[chain], closed)
        for chain, closed in _chains(links)
        if len(chain) >= MIN_POINTS
    ]


def _best(found: Ridges, sign: int) -> Ints:
    """For each point the best neighbour ahead (`sign` +1) or behind (-1) along its own tangent, or -1."""
    count = len(found.points)
    height, width = found.index.shape
    tangent = np.stack([-found.across[:, 1], found.across[:, 0]], 1) * sign
    rows, columns = np.nonzero(found.index >= 0)
    at = found.index[rows, columns]
    row, column = np.empty(count, np.int64), np.empty(count, np.int64)
    row[at], column[at] = rows, columns
    best, choice = np.full(count, np.inf), np.full(count, -1)
    for dy in range(-REACH_PX, REACH_PX + 1):
        for dx in range(-REACH_PX, REACH_PX + 1):
            if dx == 0 and dy == 0:
                continue
            y, x = row + dy, column + dx
            inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
            other = np.where(inside, found.index[y.clip(0, height - 1), x.clip(0, width - 1)], -1)
            step = found.points[other] - found.points
            distance = np.hypot(step[:, 0], step[:, 1]) + 1e-9
            ahead = (step * tangent).sum(1) / distance
            parallel = np.abs((found.across * found.across[other]).sum(1))
            alike = (found.response * found.response[other]).sum(1) / (found.strength * found.strength[other])
            ok = (other >= 0) & (ahead > MAX_TURN) & (parallel > MAX_TURN) & (alike > 0.3)
            cost = np.where(ok, distance * (1 + 2 * (1 - ahead)) + 2 * (1 - parallel) + 0.5 * (1 - alike), np.inf)
            choice, best = np.where(cost < best, other, choice), np.minimum(cost, best)
    return choice


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
