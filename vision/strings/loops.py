"""Fragments joined into one string: the tour that sees the most of it and bridges the least."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from itertools import islice
from math import inf, isfinite

import cv2
import numpy as np

from vision.strings.fragments import Fragment
from vision.strings.ground import Floats, Ground, Image32, Mask
from vision.strings.nearness import nearest_distance, pairs_within
from vision.strings.routes import route

BEAM = 10  # tours kept at each step
CHOICES = 6  # continuations tried from one end
MAX_BRIDGE_PX = 150.0  # work px; wider than a hand
HIDDEN_COST = 0.45  # a px of bridge where something hides the string
LIKE_RELIEF = 0.8  # of that, where a bridge has the string's colour
BARE_COST = 3.0  # a px of bridge over plainly visible bare table
TURN_COST = 5.0  # a radian squared of turn on entering and leaving a bridge, past what a string bends by itself
LENIENT_PX = 3.0  # work px of bare bridge that mere noise explains
TANGENT_POINTS = 7  # from an end, to tell where it heads
MAX_RUNS = 32
DOUBLE_PX, DOUBLE_SHARE = 3.2, 0.5  # work px: runs that near each other for that share of one are one string
ROUTED_PX = 4  # shorter bridges are drawn straight
# a route's cost a px over bare table; what the string's colour takes off the usual 1
BARE_ROUTE, LIKE_ROUTE = 1.6, 0.85
ROUTE_LIKENESS = 0.4  # mean likeness from which a route is believed
CLOSED_SHARE = 0.5  # a closed tour is taken though an open one sees more, down to this share of its score
# work px round a piece where its own outline and shadow look like string; what a px of run counts there
RIM_PX, RIM_WORTH = 4, 0.25


@dataclass(frozen=True, slots=True)
class Tour:
    """One string: runs in order (index, reversed?); `closed`: the last leads back to the first."""

    steps: tuple[tuple[int, bool], ...]
    closed: bool
    score: float


class Joints:
    """What it costs to join any end of a string's runs to any other. End 2i is run i's first point, 2i + 1 its last."""

    def __init__(self, ground: Ground, runs: Sequence[Fragment], like: Image32) -> None:
        self.like = like
        self.bare_table = bare_table(ground)
        rim = cv2.dilate(ground.wide.astype(np.uint8), np.ones((2 * RIM_PX + 1, 2 * RIM_PX + 1), np.uint8)) > 0
        worth = [run.length * (1 - (1 - RIM_WORTH) * _share(rim, run.points)) for run in runs]
        best = np.argsort(-np.array(worth), kind="stable")[:MAX_RUNS].tolist()
        self.runs, self.worth = [runs[k] for k in best], [worth[k] for k in best]
        ends = [_end(run, tail) for run in self.runs for tail in (False, True)]
        self.at = np.array([at for at, _ in ends]).reshape(-1, 2)
        self.out = np.array([out for _, out in ends]).reshape(-1, 2)
        self.cost = self._costs()
        doubled = _doubled(self.runs)
        self.barred = [_bits(row) | 1 << k for k, row in enumerate(doubled)]  # by run, itself among them
        self.back = self.cost.tolist()
        gains = np.repeat(self.worth, 2)[None] - self.cost
        self.onward = [_ranked(row, self.runs) for row in gains]

    @cached_property
    def ground_cost(self) -> Image32:
        """What a px of a way costs (h, w): little where it looks like the string, most over bare table."""
        return np.asarray(np.where(self.bare_table, BARE_ROUTE, 1 - LIKE_ROUTE * self.like), np.float32)

    def _costs(self) -> Floats:
        """Bridging cost for each pair of ends (m, m); infinite where too far."""
        gap = self.at[None] - self.at[:, None]
        length = np.hypot(gap[..., 0], gap[..., 1])
        one, other = np.nonzero((length <= MAX_BRIDGE_PX) & ~np.eye(len(length), dtype=bool))
        paths = _curves(self.at[one], self.out[one], self.at[other], -self.out[other])
        at = np.rint(paths[:, 1:-1]).astype(int)
        height, width = self.bare_table.shape
        share = self.bare_table[at[..., 1].clip(0, height - 1), at[..., 0].clip(0, width - 1)].mean(1)
        long = np.hypot(*np.moveaxis(np.diff(paths, axis=1), -1, 0)).sum(1)
        bare = share * np.maximum(long - 2.0, 0.0)
        reach = length[one, other]
        ahead = np.where(reach[:, None] > 2.5, gap[one, other] / np.maximum(reach, 1e-6)[:, None], -self.out[other])
        slack = np.minimum(reach / 25, 0.6)  # a string may bend on its hidden way
        bends = [
            np.maximum(np.arccos(np.clip((way * ahead).sum(1), -1, 1)) - slack, 0) ** 2
            for way in (self.out[one], -self.out[other])
        ]
        cost = np.full(length.shape, np.inf)
        alike = self.like[at[..., 1].clip(0, height - 1), at[..., 0].clip(0, width - 1)].mean(1)
        cost[one, other] = (
            HIDDEN_COST * long * (1 - LIKE_RELIEF * alike)
            + BARE_COST * np.maximum(bare - LENIENT_PX, 0)
            + TURN_COST * (bends[0] + bends[1])
        )
        return cost


def _bits(marked: Mask) -> int:
    """Return marks (n,) as one number, a bit each."""
    return sum(1 << k for k in np.flatnonzero(marked).tolist())


def _ranked(gains: Floats, runs: Sequence[Fragment]) -> list[tuple[int, float]]:
    """Ends by what going on to them gains, best first: (end, gain)."""
    best, gained = np.argsort(-gains, kind="stable").tolist(), gains.tolist()
    return [(end, gained[end]) for end in best if isfinite(gained[end]) and not runs[end // 2].closed]


def _doubled(runs: Sequence[Fragment]) -> Mask:
    """Pairs of runs (n, n) of which one lies along the other: one string seen twice, its core and its shadow."""
    count = len(runs)
    if count == 0:
        return np.zeros((0, 0), bool)
    owner = np.concatenate([np.full(len(run.points), k) for k, run in enumerate(runs)])
    pairs = pairs_within(np.concatenate([run.points for run in runs]), DOUBLE_PX)
    beside = np.zeros((count, len(owner)), bool)  # whether each point lies beside each run
    for one, other in ((pairs[:, 0], pairs[:, 1]), (pairs[:, 1], pairs[:, 0])):
        beside[owner[one], other] = True
    share = np.stack([beside[:, owner == k].mean(1) for k in range(count)], 1)
    return np.asarray(((share > DOUBLE_SHARE) | (share.T > DOUBLE_SHARE)) & ~np.eye(count, dtype=bool))


def bare_table(ground: Ground) -> Mask:
    """Where the table plainly shows: bare, and not in the soft rim of something else."""
    return cv2.erode(ground.bare.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0


def _end(run: Fragment, tail: bool) -> tuple[Floats, Floats]:
    """The end point of a run and the direction in which it leaves."""
    points = run.points if tail else run.points[::-1]
    near = points[-TANGENT_POINTS:]
    away = near[-1] - near[0]
    return points[-1], away / max(float(np.hypot(*away)), 1e-6)


def _share(mask: Mask, path: Floats) -> float:
    """The share of a path that lies on a mask."""
    if len(path) == 0:
        return 0.0
    at = np.rint(path).astype(int)
    return float(mask[at[:, 1].clip(0, mask.shape[0] - 1), at[:, 0].clip(0, mask.shape[1] - 1)].mean())


def _curves(a: Floats, leaving: Floats, b: Floats, arriving: Floats, count: int = 40) -> Floats:
    """Smooth curves (m, count, 2) from points `a` to points `b` (m, 2), both included."""
    t = np.linspace(0, 1, count)[None, :, None]
    a, leaving, b, arriving = (v[:, None] for v in (a, leaving, b, arriving))
    pull = np.linalg.norm(b - a, axis=2, keepdims=True) * 0.9
    return np.asarray(
        (2 * t**3 - 3 * t**2 + 1) * a
        + (t**3 - 2 * t**2 + t) * pull * leaving
        + (3 * t**2 - 2 * t**3) * b
        + (t**3 - t**2) * pull * arriving
    )


def best_tour(joints: Joints, places: Floats | None = None) -> Tour | None:
    """Search, from the longest run on, the tour with the most seen length less its bridges' cost.

    `places` (n, 2): points on the string, where some are known: it is searched from the run nearest to one of them.
    """
    if not joints.runs:
        return None
    start = int(np.argmax(joints.worth) if places is None else _nearest(joints.runs, places))
    alone = Tour(((start, False),), joints.runs[start].closed, joints.worth[start])
    if alone.closed:
        return alone
    closed: Tour | None = None
    opened = alone
    for start_tour in (alone, _turned(alone)):  # either end first: growing one way may use up what the other needs
        one_way, ahead = _search(joints, start_tour)
        round_about, both = _search(joints, _turned(ahead))
        closed = max((t for t in (closed, one_way, round_about) if t is not None), key=_score, default=None)
        opened = max(opened, both, key=_score)
    return closed if closed is not None and closed.score > CLOSED_SHARE * opened.score else opened


def _nearest(runs: Sequence[Fragment], places: Floats) -> int:
    """The run nearest to any of some places (n, 2), the longest of those equally near."""
    gaps = [round(float(nearest_distance(places, run.points).min())) for run in runs]
    return min(range(len(runs)), key=lambda k: (gaps[k], -runs[k].length))


def _score(tour: Tour) -> float:
    return tour.score


def _turned(tour: Tour) -> Tour:
    """The same tour from its other end."""
    return Tour(tuple((run, not reverse) for run, reverse in tour.steps[::-1]), tour.closed, tour.score)


def _search(joints: Joints, start: Tour) -> tuple[Tour | None, Tour]:
    """Grow a tour at its end, a beam of the best at a time: the best closed one met, and the best open one."""
    beam, best_open, best_closed = [(start, _barred(joints, start))], start, None
    for _ in range(len(joints.runs)):
        for tour, _ in beam:
            score = tour.score - joints.back[leaving(tour.steps[-1])][entering(tour.steps[0])]
            if score > -inf and (best_closed is None or score > best_closed.score):
                best_closed = Tour(tour.steps, True, score)
        onward = [
            (tour.score + gain, k, end)
            for k, (tour, barred) in enumerate(beam)
            for end, gain in _onward(joints.onward[leaving(tour.steps[-1])], barred)
        ]
        beam = [
            (Tour((*beam[k][0].steps, (end // 2, end % 2 == 1)), False, score), beam[k][1] | joints.barred[end // 2])
            for score, k, end in nlargest(BEAM, onward)
        ]
        if not beam:
            break
        best_open = max(best_open, beam[0][0], key=_score)
    return best_closed, best_open


def _barred(joints: Joints, tour: Tour) -> int:
    """The runs that a tour cannot go on to: its own, and those that one of them lies along; a bit each."""
    barred = 0
    for run, _ in tour.steps:
        barred |= joints.barred[run]
    return barred


def _onward(ranked: Sequence[tuple[int, float]], barred: int) -> list[tuple[int, float]]:
    """The best continuations from an end to runs that are not barred: (end entered, gain)."""
    return list(islice((step for step in ranked if not barred >> (step[0] >> 1) & 1), CHOICES))


def leaving(step: tuple[int, bool]) -> int:
    """The end by which a tour leaves a run."""
    return 2 * step[0] + (0 if step[1] else 1)


def entering(step: tuple[int, bool]) -> int:
    """The end by which a tour enters a run."""
    return 2 * step[0] + (1 if step[1] else 0)


def polyline(joints: Joints, tour: Tour) -> tuple[Floats, Mask]:
    """The tour's points (n, 2) in order, about one a px, and which of them were seen (n,)."""
    points: list[Floats] = []
    seen: list[Mask] = []
    for k, step in enumerate(tour.steps):
        run = joints.runs[step[0]].points
        points.append(run[::-1] if step[1] else run)
        seen.append(np.ones(len(run), bool))
        last = k == len(tour.steps) - 1
        if not last or (tour.closed and not joints.runs[step[0]].closed):
            inner = _bridge(joints, leaving(step), entering(tour.steps[0 if last else k + 1]))
            points.append(inner)
            seen.append(np.zeros(len(inner), bool))
    return np.concatenate(points), np.concatenate(seen)


def _bridge(joints: Joints, one: int, other: int) -> Floats:
    """The inner points of the bridge between two ends: along what looks like the string where that leads across,
    else a smooth curve.
    """
    a, b = joints.at[one], joints.at[other]
    count = max(int(np.ceil(np.hypot(*(b - a)))), 1) + 1
    smooth = np.asarray(_curves(a[None], joints.out[one][None], b[None], -joints.out[other][None], count)[0, 1:-1])
    if len(smooth) < ROUTED_PX:
        return smooth
    way = route(joints.ground_cost, a, b)[1:-1]
    return way if _mean_on(joints.like, way) > max(ROUTE_LIKENESS, _mean_on(joints.like, smooth)) else smooth


def _mean_on(field: Image32, path: Floats) -> float:
    """The mean of a map along a path."""
    if len(path) == 0:
        return 0.0
    at = np.rint(path).astype(int)
    return float(field[at[:, 1].clip(0, field.shape[0] - 1), at[:, 0].clip(0, field.shape[1] - 1)].mean())
