"""Fragments: runs of line points that follow one another, ordered from end to end."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from vision.strings.ground import Floats
from vision.strings.ridges import Ints, Ridges

MIN_POINTS = 5  # shorter runs are noise
MAX_TURN = 0.64  # cosine of the sharpest turn (50 degrees) between neighbouring points
REACH_PX = 2  # pixels a link may jump
LEAST_ALIKE = 0.3  # cosine between the colour contrasts of linked points
JUMPS = range(-REACH_PX, REACH_PX + 1)


@dataclass(frozen=True)
class Fragment:
    """A run of line points. `closed` where it returns to its own start.

    `points` (n, 2) work px; `strength` and `contrast` (n,), of its line points.
    """

    points: Floats
    strength: Floats
    contrast: Floats
    closed: bool

    @cached_property
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
    here, there = _neighbours(found.index)
    step_x, step_y = (points[there, k] - points[here, k] for k in (0, 1))
    distance = np.hypot(step_x, step_y) + np.float32(1e-9)
    ahead = (step_y * across[here, 0] - step_x * across[here, 1]) / distance
    parallel = np.abs(across[here, 0] * across[there, 0] + across[here, 1] * across[there, 1])
    kept = np.flatnonzero((np.abs(ahead) > MAX_TURN) & (parallel > MAX_TURN))
    alike = np.einsum("nk,nk->n", response[here[kept]], response[there[kept]])
    kept, alike = kept[alike > LEAST_ALIKE], alike[alike > LEAST_ALIKE]
    cost = distance[kept] * (1 + 2 * (1 - np.abs(ahead[kept]))) + 2 * (1 - parallel[kept]) + 0.5 * (1 - alike)
    slot = here[kept] + count * (ahead[kept] < 0)
    least, choice = np.full(2 * count, np.inf, np.float32), np.full(2 * count, -1)
    np.minimum.at(least, slot, cost)
    best = np.flatnonzero(cost == least[slot])[::-1]  # of several as good the first, written last
    choice[slot[best]] = there[kept[best]]
    return choice[:count], choice[count:]


def _neighbours(index: Ints) -> tuple[Ints, Ints]:
    """All pairs (n,), (n,) of points whose pixels, index (h, w), lie within reach of each other; jump by jump."""
    rows, columns = np.nonzero(index >= 0)
    at = index[rows, columns]
    wide = np.pad(index, REACH_PX, constant_values=-1)
    flat, width = wide.reshape(-1), wide.shape[1]
    centre = (rows + REACH_PX) * width + columns + REACH_PX
    pairs = []
    for dy, dx in product(JUMPS, JUMPS):
        if dy or dx:
            other = flat[centre + (dy * width + dx)]
            near = np.flatnonzero(other >= 0)
            pairs.append((at[near], other[near]))
    here, there = (np.concatenate(side) for side in zip(*pairs, strict=True))
    return here, there


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
    one, other = (side.tolist() for side in links.T)
    linked = (links >= 0).sum(1)
    seen = bytearray(len(links))
    chains: list[tuple[Ints, bool]] = []
    for start in (*np.flatnonzero(linked == 1).tolist(), *np.flatnonzero(linked == 2).tolist()):
        if seen[start]:
            continue
        chain, here = [start], start
        seen[start] = 1
        while True:
            following = one[here]
            if following < 0 or seen[following]:
                following = other[here]
                if following < 0 or seen[following]:
                    break
            seen[following] = 1
            chain.append(following)
            here = following
        closed = bool(linked[start] == 2) and start in (one[here], other[here]) and len(chain) > 8
        chains.append((np.asarray(chain, np.int64), closed))
    return chains
