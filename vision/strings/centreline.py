"""From a rough path to a centreline: straightened, aligned with the string's own mean cross-section, freed of its
shadow's pull.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.ranks import median, quantile
from vision.strings.ground import Floats, Ground, Mask, likely_at
from vision.strings.nearness import nearest_distance
from vision.strings.section import Section, fit, gathered, radial, weighed
from vision.strings.snake import between, settle
from vision.strings.strips import Strip, every, light_along, normals, resampled, smoothed, strip
from vision.strings.template import CAP, Template, bare_misfit, learn, misfits

SPACING_PX = 1.5  # between samples along a string
FINE_PX = 0.5  # across it
NARROW_PX = 2.0  # no string is told from noise below that width
OPEN_PX = 3.0  # a row is open where nothing else lies this near its edge
FIRST_RIM_PX, FIRST_REACH_PX = 4.0, 12.0  # beyond that, and across, where a width is first guessed
FAR_WIDTHS = 2.0  # times the width with which a cord is seen: a first guess so far off is of its shadow, or of a gleam
SEEN_REACH_PX, SEEN_BLUR_PX = 8.0, 0.2  # across a cord where it is seen; what the network's coarseness adds
BROADEST_SEEN = 0.75  # of what is looked at: a broader cord goes on beyond it
SURELY_SEEN, LEAST_SURE = 0.6, 12  # how likely a cord is where its width is read, in so many rows at least
WINDOW_WIDTHS = 0.9  # along the string over which its place is averaged
CORD_COST = 1.0  # of four that misfits count, what it costs where no cord is seen
SEEN_MISFIT, SEEN_DEPTH = 0.55, 0.07  # shares of the cap: a seen row fits so well, and so much better than beside it
SEEN_SHARE, SEEN_WIDTHS = 0.62, 2.0  # of what it misfits beside it; averaged along the string over so many widths
BARE_MISFIT = 0.22  # of the cap: a row that fits plain table so well is plain table
TELLING = 0.12  # of the cap: how much worse it must then fit the string, wherever in reach that fits best
# of the cap: where the faintest tenth of a string fits plain table that nearly, plain table proves nothing
FADES = 0.15
# of the cap: a string that stands out less from what lies beside it is never said to be missing anywhere
DISTINCT = 0.3


@dataclass(frozen=True, slots=True)
class Line:
    """A string being straightened: `path_px` (n, 2), `seen` (n,), `closed`, `width_px` as known so far."""

    path_px: Floats
    seen: Mask
    closed: bool
    width_px: float


@dataclass(frozen=True, slots=True)
class Placed:
    """A straightened string.

    `bend` (n,): how sharply its place is told, per px squared; `misfit`, `blank` (n,): shares of the cap,
    there and typically beside it; `bare` (n,): plain table.
    """

    line: Line
    bend: Floats
    misfit: Floats
    blank: Floats
    bare: Mask
    template: Template


def spaced(path_px: Floats, seen: Mask, closed: bool, width_px: float) -> Line:
    """Space a rough path evenly and calm its steps."""
    path, at = resampled(path_px, SPACING_PX, closed)
    seen = seen[np.rint(at).astype(int) % len(seen)]
    return Line(smoothed(path, 1.5, closed), seen, closed, width_px)


def cut(image: NDArray[np.uint8], ground: Ground, line: Line, reach: float) -> Strip:
    """Straighten the picture along a line."""
    offsets = every(FINE_PX, reach)
    return strip(image, light_along(ground, line.path_px), line.path_px, across(line), offsets, ground)


def across(line: Line) -> Floats:
    """A line's unit normals (n, 2)."""
    return normals(line.path_px, max(line.width_px / SPACING_PX * 0.5, 1.5), line.closed)


def open_rows(ground: Ground, line: Line, others: Sequence[Line], rim_px: float) -> Mask:
    """Rows seen with nothing else beside: no piece, no other string, the table on both sides."""
    size = int(np.ceil(rim_px / ground.scale)) * 2 + 1
    crowded = cv2.dilate(ground.wide.astype(np.uint8), np.ones((size, size), np.uint8)) > 0
    at = np.rint(ground.to_work(line.path_px)).astype(int)
    height, width = crowded.shape
    clear = line.seen & ~crowded[at[:, 1].clip(0, height - 1), at[:, 0].clip(0, width - 1)]
    for other in others:
        least = (line.width_px + other.width_px) / 2 + rim_px
        clear &= nearest_distance(line.path_px, other.path_px) > least
    return np.asarray(clear)


def rough_width(image: NDArray[np.uint8], ground: Ground, line: Line, others: Sequence[Line]) -> float:
    """Guess a width px from the picture; the one with which a cord is seen, where the guess is far from that."""
    clear = open_rows(ground, line, others, OPEN_PX + FIRST_RIM_PX)
    guess = _first_width(cut(image, ground, line, FIRST_REACH_PX * max(ground.scale / 2, 1.0)), clear)
    seen = seen_width(ground, line, clear)
    return guess if seen is None or seen / FAR_WIDTHS < guess < seen * FAR_WIDTHS else seen


def _first_width(strip_: Strip, rows: Mask) -> float:
    """Guess a width from how far a string's mean contrast reaches at half its height."""
    if not rows.any():
        return NARROW_PX * 2
    depth = np.abs(median(strip_.ratio[rows], 0) - 1).sum(1)
    middle = len(depth) // 2
    near = depth[middle - 4 : middle + 5].max()
    above = depth >= near / 2
    low = middle - int(np.argmin(above[: middle + 1][::-1])) if not above[: middle + 1].all() else 0
    high = middle + int(np.argmin(above[middle:])) if not above[middle:].all() else len(depth) - 1
    return float(max((high - low - 1) * FINE_PX, NARROW_PX))


def aligned(
    image: NDArray[np.uint8], ground: Ground, line: Line, clear: Mask, reach: float
) -> tuple[Line, Placed] | None:
    """Shift a line onto the string by its own mean cross-section; None where too little of it is open."""
    half = line.width_px / 2 + max(1.5, 0.5 * line.width_px)
    strip_ = cut(image, ground, line, half + reach + FINE_PX)
    template = learn(strip_, clear, line.width_px, half)
    if template is None:
        return None
    shifts, misfit = misfits(strip_, template, reach)
    there = strip_.path_px[:, None] + strip_.across[:, None] * shifts[:, None]
    cost = 4 * misfit / CAP + CORD_COST * (1 - likely_at(ground, there))
    chosen = settle(cost, shifts, SPACING_PX, line.closed)
    window = max(WINDOW_WIDTHS * line.width_px / SPACING_PX / 2, 1.0)
    fine, bend, least = between(misfit, shifts, chosen, window, line.closed)
    typical = quantile(smoothed(misfit, window, line.closed), 0.6, axis=1)
    bare = smoothed(bare_misfit(strip_, template)[:, None], window, line.closed)[:, 0]
    contrast = float(median((typical - least)[clear])) / CAP
    seen = _seen(least, typical, line)
    plain = _plain(least, bare, seen) if contrast > DISTINCT else np.zeros(len(seen), bool)
    moved = Line(line.path_px + strip_.across * fine[:, None], seen, line.closed, line.width_px)
    return moved, Placed(moved, bend, least / CAP, typical / CAP, plain, template)


def _seen(least: Floats, typical: Floats, line: Line) -> Mask:
    """Rows (n,) that fit the string, and clearly better than what lies beside them does."""
    window = max(SEEN_WIDTHS * line.width_px / SPACING_PX / 2, 1.0)
    here, beside = smoothed(np.stack([least, typical], 1), window, line.closed).T
    told = (here < SEEN_SHARE * beside) & (beside - here > SEEN_DEPTH * CAP)
    return np.asarray((least < SEEN_MISFIT * CAP) & (least < beside) & told)


def _plain(least: Floats, bare: Floats, seen: Mask) -> Mask:
    """Rows (n,) where the table plainly shows in the string's place; none where it fades by itself elsewhere."""
    stands_out = (bare - least)[seen]
    if len(stands_out) == 0 or quantile(stands_out, 0.1) < FADES * CAP:
        return np.zeros(len(seen), bool)
    return np.asarray((bare < BARE_MISFIT * CAP) & (least - bare > TELLING * CAP) & ~seen)


def sections(image: NDArray[np.uint8], ground: Ground, lines: Mapping[str, Line]) -> dict[str, Section]:
    """Fit all strings' cross-sections together, from their open rows."""
    profiles, names, seen = [], [], {}
    for name, line in lines.items():
        others = [other for n, other in lines.items() if n != name]
        clear = open_rows(ground, line, others, OPEN_PX + 0.5 * line.width_px)
        strip_ = cut(image, ground, line, 1.6 * line.width_px + 4.0)
        apart = max(int(line.width_px / 5 / FINE_PX), 2)
        middle = len(strip_.offsets) // 2
        keep = np.sort(np.r_[np.arange(middle, len(strip_.offsets), apart), np.arange(middle - apart, -1, -apart)])
        away = radial(strip_.path_px, strip_.across, centre_px(image))
        profile = gathered(strip_.angle[clear], away[clear], strip_.ratio[clear][:, keep], strip_.offsets[keep])
        if len(profile.angle) >= 3:
            profiles.append(profile)
            names.append(name)
            seen[name] = seen_width(ground, line, clear)
    found = fit(profiles, [lines[n].width_px for n in names]) if names else []
    return {
        name: one if (width := seen[name]) is None else weighed(one, width)
        for name, one in zip(names, found, strict=True)
    }


def seen_width(ground: Ground, line: Line, clear: Mask) -> float | None:
    """Return how wide a cord is seen, px: its likelihood adds up to that across it; None where too little is seen, or
    it is broader than what is looked at.
    """
    offsets = np.arange(-SEEN_REACH_PX, SEEN_REACH_PX + FINE_PX, FINE_PX)
    likely = likely_at(ground, line.path_px[:, None] + across(line)[:, None] * offsets[:, None])
    sure = clear & (likely[:, len(offsets) // 2] > SURELY_SEEN)
    if sure.sum() < LEAST_SURE:
        return None
    width = float(median(likely[sure].sum(1))) * FINE_PX - SEEN_BLUR_PX
    return max(width, NARROW_PX) if width < BROADEST_SEEN * 2 * SEEN_REACH_PX else None


def centre_px(image: NDArray[np.uint8]) -> Floats:
    """The picture's centre."""
    return np.array([image.shape[1] - 1, image.shape[0] - 1], np.float64) / 2


def pull_along(image: NDArray[np.uint8], line: Line, section: Section) -> tuple[Floats, Floats]:
    """How far (n,) a line's shadow pulls it off the cord's middle, along its normals (n, 2)."""
    along = across(line)
    return along @ section.pull[:2] + radial(line.path_px, along, centre_px(image)) * section.pull[2], along


def freed(image: NDArray[np.uint8], line: Line, section: Section) -> Line:
    """Move a line from where its shadow pulls it to the cord's middle."""
    pull, along = pull_along(image, line, section)
    return replace(line, path_px=line.path_px - along * pull[:, None], width_px=section.width_px)


def away_from(places: Mask, closed: bool) -> Floats:
    """Samples to the nearest of these places (n,)."""
    count = len(places)
    if not places.any():
        return np.full(count, float(count))
    ring = np.concatenate([places] * 3) if closed else places
    away = cv2.distanceTransform((~ring).astype(np.uint8)[None], cv2.DIST_L1, 3)[0]
    return np.asarray(away[count : 2 * count] if closed else away, np.float64)
