"""Which lines of a picture play which string: colours name them, and only what runs round like a string keeps its part.

A table's own joints, stripes and prints may have a string's colour and be longer. But they run out of the picture,
under pieces or nowhere; a string runs round some of the pieces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.strings.fragments import Fragment
from vision.strings.ground import Floats, Ground, Image32, Mask
from vision.strings.kinks import kinked, turns_off
from vision.strings.loops import Joints, best_tour, polyline
from vision.strings.naming import LEAST_CONTRAST, Look, clicked_looks, clusters, likeness, members, named
from vision.strings.nearness import nearest_distance
from vision.threads import each

LEAST_POINTS = 6
MIN_LENGTH_PX = 60.0  # work px of seen string; less is a crumb, not a string
ROUNDS = 4  # of casting anew
TOURS = 4  # of cords of one colour, that are tried
HINT = 0.2  # how likely a cord is seen that may as well lead on from one of its ends to another
RETOLD = 0.2  # of its weight: what a look keeps whose lines do not run round
SEEN_SHARE = 0.5  # of a loop; less is a guess
BORDER_PX = 2.0  # work px: what comes so near to the picture's edge goes on beyond it
FIRM_SHARE = 0.7  # of its tour's length that a string's runs must cover, or finer lines are tried too
FINER_GAIN = 1.15
ALONG_SHARE = 0.5  # of a line so near to another's for so much of its length, only one is a string's
BROAD_PX = 7  # work px: a string with its shadow
DEEP_PX, UNDER_PX = 4, 14.0  # work px: so far inside a piece, unseen for so long: it runs on beneath


@dataclass(frozen=True, slots=True)
class Rough:
    """A rough path: points (n, 2) in picture px, which were `seen` (n,); `loose`: other string hangs on it.

    `score`: the picture px seen of it, less what its bridges cost. `recast`: other lines had its colour better,
    but did not run round.
    """

    path_px: Floats
    seen: Mask
    closed: bool
    loose: bool
    score: float
    recast: bool = False

    @property
    def firm(self) -> bool:
        """Whether a path shows its string so well that finer lines need not be tried."""
        return self.closed and not self.recast and bool(self.seen.mean() > FIRM_SHARE)

    def lies_along(self, other: Rough, reach_px: float) -> bool:
        """Whether most of it is the other's line: one string, called by two names."""
        return bool((nearest_distance(self.path_px, other.path_px) < reach_px).mean() > ALONG_SHARE)

    def better_than(self, other: Rough) -> bool:
        """Whether these finer lines show a string clearly better than the other, coarser ones did."""
        if self.closed != other.closed:
            return self.closed
        gain = 1 / FINER_GAIN if other.recast and not self.recast else FINER_GAIN
        return self.score > gain * other.score


def cast(
    ground: Ground,
    runs: Sequence[Fragment],
    colours: Mapping[str, str],
    clicked: Mapping[str, Floats],
    known: Mapping[str, Look],
    cords: Image32 | None = None,
) -> dict[str, Rough]:
    """Give each string its lines; a string that no lines fit is left out. `known`: those that have theirs already.

    `cords` (h, w): how likely a cord is seen at each place, where that is known: all runs then are cords.
    """
    taught = {name: look for name, look in clicked_looks(ground, runs, clicked).items() if name in colours}
    wanted = {name: colour for name, colour in colours.items() if name not in taught}
    found = clusters(_open(ground, cords), runs, LEAST_CONTRAST if cords is None else 0.0)
    judged: set[int] = set()
    tours: dict[str, tuple[Rough, bool]] = {}
    first = chosen = named(ground, found, wanted, known)
    for _ in range(ROUNDS):
        tours = _tours(ground, runs, {**{name: found[k] for name, k in chosen.items()}, **taught}, cords)
        poor = {k for name, k in chosen.items() if name not in tours or not tours[name][1]} - judged
        if not poor:
            break
        judged |= poor
        found = [replace(c, weight=RETOLD * c.weight) if k in poor else c for k, c in enumerate(found)]
        chosen = named(ground, found, wanted, known)
    return {name: replace(path, recast=chosen.get(name) != first.get(name)) for name, (path, _) in tours.items()}


def _tours(
    ground: Ground, runs: Sequence[Fragment], learnt: Mapping[str, Look], cords: Image32 | None
) -> dict[str, tuple[Rough, bool]]:
    """Join each look's runs into its rough path, and tell whether it runs round as a string does."""
    mine = members(_open(ground, cords), runs, learnt, LEAST_POINTS, cords=cords is not None)
    found = each(lambda name: _tour(ground, name, mine, learnt[name], cords), learnt)
    return {name: one for name, one in zip(learnt, found, strict=True) if one is not None}


def _tour(
    ground: Ground, name: str, mine: Mapping[str, Sequence[Fragment]], look: Look, cords: Image32 | None
) -> tuple[Rough, bool] | None:
    """Join a look's runs into its rough path, if there are enough of them, and tell whether it runs round.

    Where there are several cords of its colour, the longest that does and on which none hangs is taken.
    """
    like, runs = likeness(ground, look), mine[name]
    own = like * ~_taken(ground, [run for other, theirs in mine.items() if other != name for run in theirs])
    seen, tours = like if cords is None else like * _hinted(cords), list[tuple[Rough, bool]]()
    for _ in range(1 if cords is None or look.places is not None else TOURS):
        found = joined(ground, _open(ground, cords), runs, (seen, own), look.places)
        if found is None:
            break
        rough, round_about, used = found
        tours.append((rough, round_about))
        runs = [run for run in runs if not any(run is one for one in used)]
    return max(tours, key=lambda tour: (tour[1], not tour[0].loose, tour[0].score), default=None)


def _hinted(cords: Image32) -> Image32:
    """Return how likely a cord leads on at each place (h, w): between its ends, less tells of it than elsewhere."""
    return np.asarray(np.minimum(cords / HINT, 1.0), np.float32)


def _taken(ground: Ground, runs: Sequence[Fragment]) -> Mask:
    """Mark where runs lie (h, w), with their shadows."""
    taken = np.zeros(ground.bare.shape, np.uint8)
    cv2.polylines(taken, [np.rint(run.points).astype(np.int32) for run in runs], False, 1, BROAD_PX)
    return taken > 0


def _open(ground: Ground, cords: Image32 | None) -> Ground:
    """Return the table as all open where cords are seen: they are, on pieces and beside them as well."""
    return ground if cords is None else replace(ground, wide=np.zeros_like(ground.wide))


def joined(
    ground: Ground, table: Ground, runs: Sequence[Fragment], like: tuple[Image32, Image32], places: Floats | None = None
) -> tuple[Rough, bool, list[Fragment]] | None:
    """Join runs into a rough path, if there are enough; tell whether it runs round, and which runs it is of.

    `table`: the ground as what leads from run to run sees it. `like` (h, w): what looks like its string there, and
    what has its colour and is no other's. `places` (n, 2): points on it, where some are known.
    """
    joints = Joints(table, runs, like[0])
    tour = best_tour(joints, places)
    if tour is None or sum(joints.worth[run] for run, _ in tour.steps) < MIN_LENGTH_PX:
        return None
    path, seen = polyline(joints, tour)
    round_about = tour.closed and _runs_round(ground, path, seen)
    path, seen, loose = kinked(ground, path, seen, runs)
    loose = loose or (tour.closed and turns_off(ground, like[1], path, seen))
    score = tour.score * ground.scale
    rough = Rough(ground.to_picture(path), seen, tour.closed, loose, score)
    return rough, round_about, [joints.runs[run] for run, _ in tour.steps]


def _runs_round(ground: Ground, path: Floats, seen: Mask) -> bool:
    """Tell whether a closed path (n, 2, work px) stays in the picture and over the pieces, and holds some of them."""
    height, width = ground.bare.shape
    if (
        seen.mean() < SEEN_SHARE
        or path.min() < BORDER_PX
        or (path.max(0) > (width - 1 - BORDER_PX, height - 1 - BORDER_PX)).any()
    ):
        return False
    if not ground.pieces.any():
        return True
    deep = cv2.erode(ground.pieces.astype(np.uint8), np.ones((2 * DEEP_PX + 1, 2 * DEEP_PX + 1), np.uint8)) > 0
    at = np.rint(path).astype(int)
    step = np.hypot(*(np.roll(path, -1, 0) - path).T)
    if step[deep[at[:, 1], at[:, 0]] & ~seen].sum() > UNDER_PX:
        return False
    inside = np.zeros((height, width), np.uint8)
    cv2.fillPoly(inside, [at.astype(np.int32)], 1)
    return bool((inside[deep] > 0).any())
