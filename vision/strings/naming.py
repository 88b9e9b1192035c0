"""Which line points belong to which string: clusters of like colour, named together by the colours looked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import cv2
import numpy as np
from numpy.typing import NDArray

from decks.colour import parse
from vision.ranks import median, quantile
from vision.strings.fragments import Fragment
from vision.strings.ground import LOG_OFFSET, Floats, Ground, Mask

LEADER_RADIUS = 0.22  # log units a cluster may spread: a cord's own shading and blur, less than gray from brown (0.6)
# of a string's contrast with the table, log units: how far its line points may stray
MEMBER_SHARE, MEMBER_RADIUS = 0.45, (0.14, 0.34)
PLAIN_REACH, CORD_REACH = 2, 9  # points to each side of a line point, or of a cord's, that tell its colour
CORD_RADIUS = 2.0  # how much farther a cord's colour may stray than a line's
BLURRED = (0.4, 1.1)  # of a string's contrast: where it is thin or out of focus the table shows through
FAINTER = 0.3  # of a string's usual contrast: a fainter line on open table is not it
OPEN_SHARE = 0.5  # of a fragment that must lie on open table to tell a colour; a long one need not, if much of it does
MIN_CLUSTER_PX = 40.0  # work px of fragments before a cluster can be a string
# log units from the table's colour; what differs less is grain and noise, or not to be told from them
LEAST_CONTRAST = 0.08
SEED_PX = 10.0  # work px; shorter fragments found no cluster
LONG_PX = 40.0  # work px; grain and noise make no fragments of that length
FIRM_STRENGTH = 14.0  # deviations; noise seldom passes half of this
CHROMA_SIGMA = 0.22  # log units: lamps and cameras tint this much
RATIO_SIGMA = 0.45  # log units: how far the brightness ratio of two strings strays from their names' ratio
GAIN_SIGMA = 0.7  # log units: what is known of the exposure alone
MOST_CLUSTERS = 8  # the longest lines' colours
CLICK_PX = 4.0  # work px that a click may miss its string by
ROW = 64  # points looked up side by side: OpenCV takes no column of 32768
WHITE_LEVEL = 225.0  # grey level that the brightest hundredth of a well exposed picture shows


@dataclass(frozen=True, slots=True)
class Look:
    """How a string looks in this picture.

    `colour` (3,): log colour less the table's light. `contrast`: of its line points on open table.
    `weight`: work px that say so. `places` (n, 2): work px, and `told` (n, 3): its colours there, where it was clicked.
    """

    colour: Floats
    contrast: float
    weight: float
    places: Floats | None = None
    told: Floats | None = None

    @property
    def colours(self) -> Floats:
        """All its colours (k, 3): over a printed table a string stands out from each print in its own way."""
        return self.colour[None] if self.told is None else self.told


def core_colours(ground: Ground, points: Floats) -> Floats:
    """Log colour less the table's at line points (n, 2)."""
    rows = np.pad(points.astype(np.float32), ((0, -len(points) % ROW), (0, 0)), mode="edge").reshape(-1, ROW, 2)
    x, y = rows[..., 0], rows[..., 1]
    seen = cv2.remap(ground.flat, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen.reshape(-1, 3)[: len(points)], np.float64)


def clicked_looks(ground: Ground, runs: Sequence[Fragment], clicked: Mapping[str, Floats]) -> dict[str, Look]:
    """Learn strings' colours from places (n, 2, work px) on them, or so near that a line's point there is meant."""
    points = np.concatenate([run.points for run in runs]) if runs else np.zeros((0, 2))
    looks = {}
    for name, at in clicked.items():
        gaps = np.hypot(*np.moveaxis(points[None] - at[:, None], -1, 0))
        near = gaps.min(1, initial=np.inf) < CLICK_PX
        places = np.where(near[:, None], points[gaps.argmin(1)], at) if len(points) else at
        told = core_colours(ground, places)
        looks[name] = Look(told.mean(0), 0.0, float("inf"), places, told)
    return looks


def clusters(ground: Ground, runs: Sequence[Fragment], least_contrast: float = LEAST_CONTRAST) -> list[Look]:
    """List the colours that lines of the picture have in common, the longest lines' first; none so near the table's."""
    covered = cv2.dilate(ground.wide.astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    found = _clusters(ground, [run for run in runs if run.length >= SEED_PX], covered)
    return [c for c in found if c.weight >= MIN_CLUSTER_PX and np.linalg.norm(c.colour) > least_contrast]


def _clusters(ground: Ground, runs: Sequence[Fragment], covered: Mask) -> list[Look]:
    """Gather fragments of like colour on open table, longest first."""
    clusters: list[list[tuple[Floats, float, float]]] = []
    means: list[Floats] = []
    runs = sorted(runs, key=lambda r: -r.length)
    for run, colours, on_table in zip(runs, *_along(ground, runs, covered), strict=True):
        if on_table.sum() < (SEED_PX / 2 if on_table.mean() >= OPEN_SHARE else LONG_PX):
            continue
        colour = median(colours[on_table], 0)
        entry = (colour, float(median(run.contrast[on_table])), float(on_table.mean()) * _weight(run))
        away = np.array(means) - colour if means else np.zeros((0, 3))
        distances = np.sqrt(np.einsum("nk,nk->n", away, away))
        nearest = int(distances.argmin()) if len(distances) else -1
        if nearest >= 0 and distances[nearest] < LEADER_RADIUS:
            clusters[nearest].append(entry)
            means[nearest] = _mean(clusters[nearest])
        else:
            clusters.append([entry])
            means.append(_mean([entry]))
    return sorted((Look(_mean(c), _contrast(c), sum(w for *_, w in c)) for c in clusters), key=lambda c: -c.weight)


def _along(ground: Ground, runs: Sequence[Fragment], covered: Mask) -> tuple[list[Floats], list[Mask]]:
    """The colours along each run (n, 3), and which of its points lie on open table (n,)."""
    if not runs:
        return [], []
    points = np.concatenate([run.points for run in runs])
    at = np.rint(points).astype(int)
    on_table = ~covered[at[:, 1].clip(0, covered.shape[0] - 1), at[:, 0].clip(0, covered.shape[1] - 1)]
    cuts = np.cumsum([len(run.points) for run in runs])[:-1]
    return np.split(core_colours(ground, points), cuts), np.split(on_table, cuts)


def _contrast(cluster: Sequence[tuple[Floats, float, float]]) -> float:
    weights = np.array([w for *_, w in cluster])
    return float((np.array([s for _, s, _ in cluster]) * weights).sum() / weights.sum())


def _weight(run: Fragment) -> float:
    """Count a fragment's length, less where it is short or faint as noise and grain are."""
    return run.length * min(run.length / LONG_PX, 1.0) * min(float(median(run.strength)) / FIRM_STRENGTH, 1.0)


def _mean(cluster: Sequence[tuple[Floats, float, float]]) -> Floats:
    weights = np.array([w for *_, w in cluster])
    return np.asarray((np.array([c for c, *_ in cluster]) * weights[:, None]).sum(0) / weights.sum())


def named(
    ground: Ground, found: Sequence[Look], colours: Mapping[str, str], known: Mapping[str, Look]
) -> dict[str, int]:
    """Give names to clusters, by index, together, so that the light, common to all, cancels; a name may go without.

    `known`: how strings look that need none.
    """
    names = [name for name in colours if name not in known]
    wanted = {name: np.log(np.array(parse(colours[name]), np.float64) + LOG_OFFSET) for name in colours}
    table = median(ground.light.reshape(-1, 3)[::37], 0).astype(np.float64)
    white = quantile(ground.log.reshape(-1, 3)[::7].max(1), 0.99) - np.log(WHITE_LEVEL + LOG_OFFSET)
    few = min(len(found), MOST_CLUSTERS)
    best, best_score = dict[str, int](), -np.inf
    for chosen in permutations(range(few + len(names)), len(names)):
        picked = {name: k for name, k in zip(names, chosen, strict=True) if k < few}
        looks = {**known, **{name: found[k] for name, k in picked.items()}}
        score = _plausible(looks, wanted, table, float(white))
        if score > best_score:
            best, best_score = picked, score
    return best


def _plausible(picked: Mapping[str, Look], wanted: Mapping[str, Floats], table: Floats, white: float) -> float:
    """Score a naming: the more of it the better, less what its colours stray from the names'."""
    score = 0.0
    away = {name: look.colour + table - wanted[name] for name, look in picked.items()}
    for name, look in picked.items():
        chroma = away[name] - away[name].mean()
        gain = away[name].mean() - white
        score += (
            np.log(look.weight / MIN_CLUSTER_PX + 1) * 3
            + 4
            - (chroma @ chroma) / (2 * CHROMA_SIGMA**2)
            - gain**2 / (2 * GAIN_SIGMA**2)
        )
    gains = [float(a.mean()) for a in away.values()]
    for i, one in enumerate(gains):
        score -= sum((one - other) ** 2 for other in gains[:i]) / (2 * RATIO_SIGMA**2)
    return float(score)


def members(
    ground: Ground, runs: Sequence[Fragment], learnt: Mapping[str, Look], least: int, *, cords: bool = False
) -> dict[str, list[Fragment]]:
    """Cut fragments where their colour changes and give each part to the string whose colour and contrast it has.

    Where all are known to be `cords`, a longer stretch tells its colour, and it may stray farther.
    """
    names = list(learnt)
    result: dict[str, list[Fragment]] = {name: [] for name in names}
    if not names:
        return result
    owners = np.concatenate([np.full(len(learnt[name].colours), k) for k, name in enumerate(names)])
    centres = np.concatenate([learnt[name].colours for name in names])
    radius = np.clip(MEMBER_SHARE * np.linalg.norm(centres, axis=1), *MEMBER_RADIUS) * (CORD_RADIUS if cords else 1.0)
    usual = np.array([learnt[names[k]].contrast for k in owners])
    beside = cv2.dilate(ground.wide.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    if not runs:
        return result
    points = np.concatenate([run.points for run in runs])
    at = np.rint(points).astype(int)
    near = beside[at[:, 1].clip(0, beside.shape[0] - 1), at[:, 0].clip(0, beside.shape[1] - 1)]
    stops = np.cumsum([len(run.points) for run in runs])
    told = np.column_stack([core_colours(ground, points), np.concatenate([run.contrast for run in runs])])
    told = _smooth(told, stops, CORD_REACH if cords else PLAIN_REACH)
    distance = _strays(told[:, :3], centres) / radius
    distance[(told[:, 3:] < usual * FAINTER) & ~near[:, None]] = np.inf
    nearest = np.where(distance.min(1) < 1, owners[distance.argmin(1)], -1)
    for k, start, stop in _stretches(nearest, stops):
        if nearest[start] >= 0 and stop - start >= least:
            run, part = runs[k], slice(start - stops[k] + len(runs[k].points), stop - stops[k] + len(runs[k].points))
            closed = run.closed and stop - start == len(run.points)
            cut = Fragment(run.points[part], run.strength[part], run.contrast[part], closed)
            result[names[int(nearest[start])]].append(cut)
    return result


def likeness(ground: Ground, look: Look) -> NDArray[np.float32]:
    """How much each place (h, w) has a string's colour, 0-1; plainly bare table has none of it."""
    radius = np.clip(MEMBER_SHARE * np.linalg.norm(look.colours, axis=1), *MEMBER_RADIUS)
    like = np.zeros(ground.bare.shape, np.float32)
    stray = (_strays(ground.flat[~ground.bare].astype(np.float64), look.colours) / radius).min(1)
    like[~ground.bare] = np.exp(-((1.5 * stray) ** 2) / 2)
    return like


def _strays(colour: Floats, centres: Floats) -> Floats:
    """How far colours (n, 3) lie from each string's (k, 3), blur towards the table forgiven: (n, k)."""
    size = np.maximum((centres * centres).sum(1), 1e-6)
    along = colour @ centres.T
    share = np.clip(along / size, *BLURRED)
    away = (colour * colour).sum(1)[:, None] - share * (2 * along - share * size)
    return np.asarray(np.sqrt(np.maximum(away, 0)))


def _smooth(values: Floats, stops: NDArray[np.int64], reach: int) -> Floats:
    """Average rows over so many neighbours to each side, within the runs that end at `stops`."""
    lengths = np.diff(stops, prepend=0)
    first, last = np.repeat(stops - lengths, lengths), np.repeat(stops - 1, lengths)
    at = np.arange(len(values))
    steps = range(-reach, reach + 1)
    return np.asarray(sum(values[np.clip(at + k, first, last)] for k in steps) / len(steps))


def _stretches(labels: NDArray[np.int64], stops: NDArray[np.int64]) -> list[tuple[int, int, int]]:
    """Split (n,), runs that end at `stops`, where the label changes: (run, start, stop)."""
    changes = np.flatnonzero(np.diff(labels)) + 1
    edges = np.unique(np.concatenate([[0], changes, stops]))
    starts, ends = edges[:-1], edges[1:]
    return list(zip(*(side.tolist() for side in (np.searchsorted(stops, starts, "right"), starts, ends)), strict=True))
