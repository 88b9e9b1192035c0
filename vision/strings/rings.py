"""Rings: loops of cord whatever their colour, told apart by what they hold: the field string lies round the tiles and
the research string within it.

Colours tell most strings. But one that lies on two cloths has two colours there, two strings may have the same one, and
the joints of a floor a string's: where colours leave a string open, what runs round is looked for instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from scoring.string_field import FIELD, RESEARCH
from vision.strings.casting import Rough, joined
from vision.strings.cordlines import crests
from vision.strings.fragments import MIN_POINTS, Fragment, fragments
from vision.strings.ground import Floats, Ground, Image32, Mask, likely_at
from vision.strings.mending import stretches
from vision.strings.nearness import nearest_distance, pairs_within

LEVELS = (0.5, 0.3, 0.12)
"""How likely cords must be whose rings are looked for: the plain ones first, where no faint line leads astray."""
EACH = 3  # paths that are tried at each level
SURE = 0.6  # mean likelihood along a ring that needs no other
LEAST_ROUND, LEAST_PART = 0.25, 0.5  # along one that runs round; along one that does not, or is open
PART = 0.8  # what such a one counts
PLAIN, ROUTE_LIKELY = 0.08, 0.4  # less likely, and bare: table; so likely, and a way leads there as along a string
MOST = 0.6  # of all pieces, by area: what holds them lies round them all
SOLID = 0.8  # of its convex hull's area; a string that is led through another one has less
WITHIN, SMALLER = 0.4, 0.8  # the share of a research string's way that lies in the field, and its area against that
ON_PIECES = 0.5  # of a ring; more is a print
MET_PX, LEAST_LOOP = 5.0, 40  # work px: so near each other strands meet; points of a path, about one a px, of any loop
ALONG_PX = 3.0  # work px: what is so near to a string is that string's


@dataclass(frozen=True, slots=True)
class Ring:
    """A rough path that runs round, or may; how `likely` it is a cord on the average; what it holds (h, w), in work px,
    and the share of its convex hull that this is."""

    rough: Rough
    round_about: bool
    likely: float
    inside: Mask
    solid: float

    @property
    def area(self) -> int:
        """Its area, square work px."""
        return int(self.inside.sum())

    @property
    def worth(self) -> float:
        """How likely it is all of a string."""
        whole = self.round_about and not self.rough.loose
        return self.likely * float(self.rough.seen.mean()) * (1 if whole else PART)

    def holds(self, ground: Ground) -> float:
        """Return the share of the pieces, by area, that it holds."""
        return float(self.inside[ground.pieces].mean())

    def surrounds(self, ground: Ground, path_px: Floats) -> float:
        """Return the share of a path (n, 2) that lies in it."""
        return _share(self.inside, ground.to_work(path_px))


def ringed(
    ground: Ground, told: Mapping[str, Rough], known: Mapping[str, Floats], free: Mask | None
) -> dict[str, Rough]:
    """Return what colours `told` of the field and the research string, put right by what runs round where they doubt.

    `known`: the paths (n, 2) px of those that have theirs already. `free` (h, w): where others may lie.
    """
    if ground.cords is None or not ground.pieces.any():
        return dict(told)  # nothing tells which string lies round which
    given = {name: ring for name, rough in told.items() if rough.firm and (ring := _ring(ground, rough)).likely >= SURE}
    given |= {name: _ring(ground, _known(path)) for name, path in known.items()}
    given = given if known else _in_order(ground, given)
    found = [] if {FIELD, RESEARCH} <= given.keys() else _rings(ground, given, free)
    field = given.get(FIELD) or _field(ground, found, given.get(RESEARCH))
    if field is None:
        return dict(told)
    if RESEARCH not in given and FIELD not in known:
        field, *parts = _parted(ground, field)
        found = [*found, *parts]
    research = given.get(RESEARCH) or _research(ground, found, field, told.get(RESEARCH))
    chosen = {FIELD: field, RESEARCH: research}
    return {name: _doubted(ring) for name, ring in chosen.items() if ring is not None and name not in known}


def lies_in(ground: Ground, rough: Rough, field: Rough) -> bool:
    """Tell whether a path may be the research string of a field: it lies in it, and does not hold as much."""
    return _may_lie_in(ground, _ring(ground, rough), _ring(ground, field))


def _doubted(ring: Ring) -> Rough:
    """Return a ring's path; of one that is not sure less counts as seen, and plain lines may show it better."""
    if ring.likely >= SURE:
        return ring.rough
    return replace(ring.rough, recast=True, score=ring.likely * ring.rough.score)


def _known(path_px: Floats) -> Rough:
    return Rough(path_px, np.ones(len(path_px), bool), True, False, 0.0)


def _share(mask: Mask, path: Floats) -> float:
    """The share of a path (n, 2), work px, that lies on a mask."""
    at = np.rint(path).astype(int)
    return float(mask[at[:, 1].clip(0, mask.shape[0] - 1), at[:, 0].clip(0, mask.shape[1] - 1)].mean())


def _ring(ground: Ground, rough: Rough, round_about: bool = True) -> Ring:
    """Return a path with what it holds."""
    path, inside = np.rint(ground.to_work(rough.path_px)).astype(np.int32), np.zeros(ground.bare.shape, np.uint8)
    cv2.fillPoly(inside, [path], 1)
    likely, hull = float(likely_at(ground, rough.path_px).mean()), cv2.contourArea(cv2.convexHull(path))
    return Ring(rough, round_about, likely, inside > 0, float(inside.sum() / max(hull, 1.0)))


def _in_order(ground: Ground, given: Mapping[str, Ring]) -> dict[str, Ring]:
    """Call the string that lies round all the field string, whatever its colour."""
    research, field = given.get(RESEARCH), given.get(FIELD)
    if research is not None and (
        research.holds(ground) >= MOST if field is None else _may_lie_in(ground, field, research)
    ):
        return {FIELD: research} if field is None else {FIELD: research, RESEARCH: field}
    return dict(given)


def _rings(ground: Ground, given: Mapping[str, Ring], free: Mask | None) -> list[Ring]:
    """Find what may run round, at each level, but along strings that have their paths."""
    assert ground.cords is not None
    plain = replace(ground, wide=np.zeros_like(ground.wide), bare=ground.bare & (ground.cords < PLAIN))
    like: Image32 = np.clip(ground.cords / np.float32(ROUTE_LIKELY), 0, 1)
    lines = [ground.to_work(ring.rough.path_px) for ring in given.values()]
    found: list[Ring] = []
    for level in LEVELS:
        runs = [part for run in fragments(crests(ground, free, level)) for part in _apart(run, lines)]
        for _ in range(EACH):
            one = joined(ground, plain, runs, (like, like))
            if one is None:
                break
            rough, round_about, used = one
            runs = [run for run in runs if not any(run is other for other in used)]
            ring = _ring(ground, rough, round_about)
            if ring.likely >= (LEAST_ROUND if round_about else LEAST_PART):
                found.append(ring)
    return found


def _apart(run: Fragment, lines: Sequence[Floats]) -> list[Fragment]:
    """Cut a run where it lies along one of these lines; return what is left."""
    away = np.min([nearest_distance(run.points, line) for line in lines], 0) >= ALONG_PX if lines else np.True_
    if np.all(away):
        return [run]
    parts = [slice(start, stop) for start, stop in stretches(np.asarray(away), False) if stop - start >= MIN_POINTS]
    return [Fragment(run.points[k], run.strength[k], run.contrast[k], False) for k in parts]


def _field(ground: Ground, found: Sequence[Ring], research: Ring | None) -> Ring | None:
    """Return the likeliest ring round most of the pieces, and round the research string."""
    around = [ring for ring in found if ring.round_about and ring.holds(ground) >= MOST and ring.solid >= SOLID]
    if research is not None:
        around = [ring for ring in around if _may_lie_in(ground, research, ring)]
    return max(around, key=lambda ring: ring.worth, default=None)


def _parted(ground: Ground, field: Ring) -> list[Ring]:
    """Part a path that was led through another string where they touch: the way round, and a loop round some pieces."""
    path, seen = ground.to_work(field.rough.path_px), field.rough.seen
    near = pairs_within(path, MET_PX)
    apart = near[:, 1] - near[:, 0]
    near = near[(apart >= LEAST_LOOP) & (apart <= len(path) - LEAST_LOOP)]
    for k in np.argsort(np.hypot(*(path[near[:, 0]] - path[near[:, 1]]).T), kind="stable"):
        within = np.zeros(len(path), bool)
        within[near[k, 0] : near[k, 1]] = True
        loops = [
            _ring(ground, replace(field.rough, path_px=field.rough.path_px[part], seen=seen[part]))
            for part in (within, ~within)
        ]
        inner, outer = sorted(loops, key=lambda loop: loop.area)
        if inner.holds(ground) > 0 and _may_lie_in(ground, inner, outer) and outer.solid >= SOLID:
            return [outer, inner]
    return [field]


def _research(ground: Ground, found: Sequence[Ring], field: Ring, told: Rough | None) -> Ring | None:
    """Return the likeliest ring within the field, before any open path; what colours told counts as one of them."""
    every = [*([] if told is None else [_ring(ground, told, told.firm)]), *found]
    within = [ring for ring in every if _may_lie_in(ground, ring, field)]
    line = ground.to_work(field.rough.path_px)

    def worth(ring: Ring) -> tuple[bool, float]:
        own = nearest_distance(ground.to_work(ring.rough.path_px), line) >= ALONG_PX
        return ring.rough.closed, ring.worth * float(own.mean())

    return max(within, key=worth, default=None)


def _may_lie_in(ground: Ground, ring: Ring, field: Ring) -> bool:
    """Tell whether a ring may be the research string of a field."""
    path = ground.to_work(ring.rough.path_px)
    return (
        ring.area < SMALLER * field.area
        and _share(field.inside, path) > WITHIN
        and _share(ground.pieces, path) < ON_PIECES
        and not ring.rough.lies_along(field.rough, ALONG_PX * ground.scale)
    )
