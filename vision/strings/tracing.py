"""Tracing: a picture in, its strings out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from scoring.string_field import FIELD, RESEARCH
from vision.ranks import median
from vision.strings import bends
from vision.strings.casting import Rough, cast
from vision.strings.centreline import (
    OPEN_PX,
    SPACING_PX,
    Line,
    Placed,
    aligned,
    freed,
    open_rows,
    pull_along,
    rough_width,
    sections,
    spaced,
)
from vision.strings.cordlines import crests, surveyed
from vision.strings.curls import curled
from vision.strings.doubts import bridged_px, fit_px, founded, hardly_seen, lost_px, surely_cord, told_px
from vision.strings.fragments import fragments
from vision.strings.ground import WORK_SIDE_PX, Floats, Ground, Mask, survey
from vision.strings.knots import crossings, knotted
from vision.strings.mending import mended, stretches, untangled
from vision.strings.middles import centred
from vision.strings.outlines import unproven
from vision.strings.retracing import retraced
from vision.strings.ridges import ridges
from vision.strings.rings import lies_in, ringed
from vision.strings.section import Section
from vision.strings.standing import NOTHING, Standing
from vision.strings.strips import light_along, resampled
from vision.strings.tone import plainly_table
from vision.strings.traced import Memory, TracedString
from vision.threads import each

LOOKS = ((1, 2.1), (1, 1.5), (2, 1.5))
"""How much finer than usual the picture is worked at, and how wide lines are sought (work px): the coarse one sees a
cord and its shadows as one line; a finer one goes between close things; the finest sees thin cords close to pieces."""
ALONG_PX = 2.0  # work px: so near to another's line, it is the same
PLAIN_SHARE = 0.6  # of the way between an open string's ends: with less of it bare, something hides where it goes
GAP_PX, GAP_WIDTHS = 20.0, 7.0  # plain table for that long parts a string; less may be a faint or hidden bit of one
END_WIDTHS, HOLLOW_SHARE = 2.0, 0.8  # of a gap that its ends blur, in widths, and of the rest of it that is plain table
ASKED_GAP = 0.3  # of such a gap: then it is asked about
HALF_GAP = 0.5  # of such a gap, where a cord is half seen on bare table, or not seen in the open: it may not run on
ASKED_VISIBLE = 0.97  # of a string with such a gap no more counts as seen: so little that its closing is asked about

Done = TypeVar("Done")
Width = float | Callable[[Floats], Floats] | None


def trace(
    image: NDArray[np.uint8],
    colours: Mapping[str, str],
    *,
    hidden_px: Sequence[Floats] = (),
    width_px: Width = None,
    samples: Mapping[str, Sequence[tuple[float, float]]] | None = None,
    standing: Standing = NOTHING,
) -> tuple[TracedString, ...]:
    """Trace the strings of these colours (name -> colour name or "#rrggbb") in a BGR picture.

    `hidden_px`: polygons (n, 2) of pieces, which may hide a string or be mistaken for one. `width_px`: a string's
    expected width, if known. `samples`: clicked places on a string, which teach its colour. `standing`: strings that
    are told as they are. A string that is not there is left out. Raises DeckError.
    """
    ground = surveyed(image, hidden_px, standing.window_px)
    clicked = {name: np.asarray(at, np.float64).reshape(-1, 2) for name, at in (samples or {}).items() if len(at)}
    rough = _found(image, ground, hidden_px, colours, clicked, standing)
    sought = {name: rough[name] for name in colours if name in rough}
    traced = _refined(image, ground, sought, width_px, hidden_px, standing.lines())
    every = {one.name: one for one in (*traced, *standing.strings)}
    return tuple(every[name] for name in colours if name in every)


def _found(
    image: NDArray[np.uint8],
    ground: Ground,
    hidden_px: Sequence[Floats],
    colours: Mapping[str, str],
    clicked: Mapping[str, Floats],
    standing: Standing,
) -> dict[str, Rough]:
    """Look for all strings where cords are seen, and in plain lines for those of which that showed too little."""
    known = standing.looks(ground)
    taught = {name: ground.to_work(at) for name, at in clicked.items()}
    free = standing.free(ground)
    best = cast(ground, fragments(crests(ground, free)), colours, taught, known, ground.cords)
    ordered = {FIELD, RESEARCH} == colours.keys() and not taught
    if ordered:
        best = ringed(ground, best, {s.name: s.path_px for s in standing.strings}, free)
    finer = 1
    for finer_by, sigma in LOOKS:
        if all(name in known or (name in best and best[name].firm) for name in colours):
            break
        if finer_by > finer:
            finer, ground = finer_by, survey(image, hidden_px, finer_by * WORK_SIDE_PX)
        runs = fragments(ridges(ground, sigma, standing.free(ground)))
        taught = {name: ground.to_work(at) for name, at in clicked.items()}
        for name, found in cast(ground, runs, colours, taught, known).items():
            others = [one for other, one in best.items() if other != name and one.firm]
            another = any(found.lies_along(one, ALONG_PX * ground.scale) for one in others)
            stray = ordered and name == RESEARCH and FIELD in best and not lies_in(ground, found, best[FIELD])
            if not another and not stray and (name not in best or found.better_than(best[name])):
                best[name] = found
    return best


def _refined(
    image: NDArray[np.uint8],
    ground: Ground,
    rough: Mapping[str, Rough],
    width_px: Width,
    outlines_px: Sequence[Floats],
    known: Mapping[str, Line],
) -> tuple[TracedString, ...]:
    """Settle rough paths on their strings' centrelines, among those of strings that are `known`."""
    lines = {name: spaced(r.path_px, r.seen, r.closed, 4.0) for name, r in rough.items()}
    every = {**known, **lines}
    lines = _each(lambda name: _sized(image, ground, lines[name], _others(every, name), width_px), lines)
    lines = _proven(image, ground, lines, outlines_px, known)
    found = sections(image, ground, {**known, **lines}) if lines else {}
    lines = {name: freed(image, line, found[name]) if name in found else line for name, line in lines.items()}

    def finished(name: str) -> TracedString | None:
        among = {**known, **lines}
        line, placed = _settled(image, ground, name, among, 0.6)
        if placed is None:
            return None
        redrawn = bends.unbent(line)
        if redrawn is not None:
            again, placed_again = _settled(image, ground, name, {**among, name: redrawn}, 0.6)
            if placed_again is not None and bends.bent(again) < bends.bent(line):
                line, placed = again, placed_again
        section, loose = found.get(name), rough[name].loose
        traced = _finished(image, ground, name, line, placed, section, width_px, outlines_px, loose)
        return curled(image, ground, knotted(image, ground, traced), _others(among, name))

    return tuple(traced for traced in _each(finished, lines).values() if traced is not None)


def _each(work: Callable[[str], Done], lines: Mapping[str, Line]) -> dict[str, Done]:
    """Do the same work on each string, by name, at once."""
    return dict(zip(lines, each(work, lines), strict=True))


def _others(lines: Mapping[str, Line], name: str) -> list[Line]:
    """All lines but the one of that name."""
    return [line for other, line in lines.items() if other != name]


def _proven(
    image: NDArray[np.uint8],
    ground: Ground,
    lines: Mapping[str, Line],
    outlines_px: Sequence[Floats],
    known: Mapping[str, Line],
) -> dict[str, Line]:
    """Align lines with their strings, and look again for what then is not seen."""
    first = _each(lambda name: _settled(image, ground, name, {**known, **lines}, 1.0), lines)
    aligned_lines = {**known, **{name: line for name, (line, _) in first.items()}}

    def proven(name: str) -> Line:
        line, placed = first[name]
        if placed is not None:
            plain = unproven(line, outlines_px)
            doubted = mended(replace(plain, seen=plain.seen | surely_cord(ground, line)), placed)
            line = retraced(image, ground, doubted, placed.template, outlines_px, _others(aligned_lines, name))
        return untangled(line)

    again = _each(proven, lines)
    same = {name for name, line in again.items() if line.path_px is aligned_lines[name].path_px}
    return _each(
        lambda name: _respaced(
            again[name] if name in same else _settled(image, ground, name, {**known, **again}, 0.6)[0]
        ),
        again,
    )


def _respaced(line: Line) -> Line:
    """Cut out tangles and space the points evenly again."""
    line = untangled(line)
    path, at = resampled(line.path_px, SPACING_PX, line.closed)
    return Line(path, line.seen[np.rint(at).astype(int) % len(line.seen)], line.closed, line.width_px)


def _sized(image: NDArray[np.uint8], ground: Ground, line: Line, others: Sequence[Line], width_px: Width) -> Line:
    """Give a line its expected width, or a first guess from the picture."""
    if width_px is None:
        width = rough_width(image, ground, line, others)
    else:
        width = float(median(width_px(line.path_px))) if callable(width_px) else float(width_px)
    return Line(line.path_px, line.seen, line.closed, width)


def _settled(
    image: NDArray[np.uint8], ground: Ground, name: str, lines: Mapping[str, Line], reach_widths: float
) -> tuple[Line, Placed | None]:
    """Align one line with its string, the others known."""
    line = lines[name]
    clear = open_rows(ground, line, _others(lines, name), OPEN_PX)
    found = aligned(image, ground, line, clear, max(reach_widths * line.width_px, 3.0))
    return found if found is not None else (line, None)


def _finished(
    image: NDArray[np.uint8],
    ground: Ground,
    name: str,
    line: Line,
    placed: Placed,
    section: Section | None,
    expected_px: Width,
    outlines_px: Sequence[Floats],
    loose: bool,
) -> TracedString:
    """Measure doubt, gaps and meetings, and put a string together."""
    line, *told = founded(ground, line, placed, outlines_px, plainly_table(image, ground, line.path_px, line.seen))
    pull = pull_along(image, line, section)[0] if section is not None else np.full(len(line.seen), line.width_px / 3)
    fit = fit_px(line, placed.bend, pull)
    elsewhere = np.hypot(bridged_px(line), lost_px(image, ground, line, placed, outlines_px, *told))
    found = None if section is None else centred(image, ground, line, np.hypot(fit, elsewhere))
    least = max(GAP_PX, GAP_WIDTHS * line.width_px)
    gaps = _gaps(_hollow(line, placed.bare), line.closed, ASKED_GAP * least / SPACING_PX)
    short = bool(gaps) and not _gaps(placed.bare, line.closed, least / SPACING_PX)
    doubtful = _gaps(hardly_seen(ground, line, placed), line.closed, HALF_GAP * least / SPACING_PX)
    if not line.closed and _parted(ground, line, least):
        gaps = (*gaps, (len(line.seen) - 1, 0))
    memory = Memory(placed.template, light_along(ground, line.path_px), np.zeros(len(line.seen)))
    place_sigma, width_sigma = told_px(line, fit, found)
    if found is not None:
        line, memory = found.line, replace(memory, beside=found.beside_px)
    return TracedString(
        name=name,
        closed=line.closed and not gaps and not loose,
        path_px=line.path_px,
        widths_px=_widths(line, expected_px),
        sigma_px=np.hypot(place_sigma, elsewhere),
        seen=line.seen,
        width_px=line.width_px,
        width_sigma_px=width_sigma,
        visible=min(float(line.seen.mean()), ASKED_VISIBLE if short else 1.0),
        gaps=gaps or doubtful,
        crossings_px=crossings(line.path_px, line.width_px, line.closed),
        memory=memory,
    )


def _widths(line: Line, expected_px: Width) -> Floats:
    """The width along a line (n,): as measured, nearer and farther as the expected width, if it varies, tells."""
    if not callable(expected_px):
        return np.full(len(line.seen), line.width_px)
    expected = np.asarray(expected_px(line.path_px), np.float64)
    return np.asarray(line.width_px * expected / max(float(median(expected)), 1e-9))


def _parted(ground: Ground, line: Line, least_px: float) -> bool:
    """Whether plain table, and not a hand or a piece, lies between an open line's ends."""
    a, b = ground.to_work(line.path_px[[-1, 0]])
    count = max(int(np.hypot(*(b - a))), 2)
    at = np.rint(a + (b - a) * np.linspace(0, 1, count)[:, None]).astype(int)
    bare = ground.bare[at[:, 1].clip(0, ground.bare.shape[0] - 1), at[:, 0].clip(0, ground.bare.shape[1] - 1)]
    return bool(bare.mean() > PLAIN_SHARE and bare.sum() * ground.scale >= least_px)


def _hollow(line: Line, bare: Mask) -> Mask:
    """Mark bare places (n,), and all of an unseen stretch that is bare but for what blurs its ends."""
    hollow, ends = bare.copy(), END_WIDTHS * line.width_px / SPACING_PX
    for start, stop in stretches(~line.seen, line.closed):
        index = np.arange(start, stop) % len(bare)
        hollow[index] |= bool(bare[index].sum() >= HOLLOW_SHARE * (stop - start - ends) > 0)
    return hollow


def _gaps(bare: Mask, closed: bool, least: float) -> tuple[tuple[int, int], ...]:
    """Stretches (start, stop) of at least `least` bare samples; round a loop they may pass its start."""
    return tuple((a % len(bare), b % len(bare)) for a, b in stretches(bare, closed) if b - a >= least)
