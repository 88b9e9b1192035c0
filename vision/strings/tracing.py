"""Tracing: a picture in, its strings out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.strings.centreline import OPEN_PX, SPACING_PX, Line, Placed, aligned, cut, first_width, freed, open_rows, sections, spaced
from vision.strings.fragments import fragments
from vision.strings.ground import Floats, Ground, Mask, survey
from vision.strings.knots import crossings
from vision.strings.loops import Joints, best_tour, polyline
from vision.strings.mending import mended, stretches, untangled
from vision.strings.naming import Look, likeness, looks, members
from vision.strings.ridges import ridges
from vision.strings.strips import resampled
from vision.strings.traced import TracedString

RIDGE_SIGMA = 1.6  # work px: suits strings of 1.3 to 6 work px
LEAST_POINTS = 6
MIN_LENGTH_PX = 60.0  # work px of seen string; less is a crumb, not a string
GAP_PX = 8.0  # a stretch of plain table this long, at least three widths, parts a string
SYSTEMATIC_PX = 0.12  # what the shadow's pull, the lens and the cord's twist leave, whatever the fit says
BRIDGE_SHARE = 0.12  # px of doubt a px from the nearest seen place, on a bridge

Width = float | Callable[[Floats], Floats] | None


def trace(image: NDArray[np.uint8], colours: Mapping[str, str], *, hidden_px: Sequence[Floats] = (), width_px: Width = None,
          samples: Mapping[str, Sequence[tuple[float, float]]] | None = None) -> tuple[TracedString, ...]:
    """Trace the strings of these colours (name -> colour name or "#rrggbb") in a BGR picture.

    `hidden_px`: polygons (n, 2) of pieces, which may hide a string or be mistaken for one. `width_px`: a string's expected width, if
    known. `samples`: clicked places on a string, which teach its colour. A string that is not there is left out. Raises ColourError.
    """
    ground = survey(image, hidden_px)
    runs = fragments(ridges(ground, RIDGE_SIGMA))
    clicked = {name: ground.to_work(np.asarray(at, np.float64).reshape(-1, 2)) for name, at in (samples or {}).items() if len(at)}
    learnt = looks(ground, runs, colours, clicked)
    mine = members(ground, runs, learnt, LEAST_POINTS)
    rough = {name: path for name in learnt if (path := _rough(ground, mine[name], learnt[name])) is not None}
    return _refined(image, ground, rough, width_px)


def _rough(ground: Ground, runs: list, look: Look) -> tuple[Floats, Mask, bool] | None:
    """Join a string's runs into its rough path: points in picture px, seen, closed."""
    joints = Joints(ground, runs, likeness(ground, look))
    tour = best_tour(joints)
    if tour is None or sum(joints.worth[run] for run, _ in tour.steps) < MIN_LENGTH_PX:
        return None
    path, seen = polyline(joints, tour)
    return ground.to_picture(path), seen, tour.closed


def _refined(image: NDArray[np.uint8], ground: Ground, rough: Mapping[str, tuple[Floats, Mask, bool]], width_px: Width) -> tuple[TracedString, ...]:
    """Settle rough paths on their strings' centrelines."""
    lines = {name: spaced(path, seen, closed, 4.0) for name, (path, seen, closed) in rough.items()}
    lines = {name: _sized(image, ground, line, [o for n, o in lines.items() if n != name], width_px) for name, line in lines.items()}
    lines = {name: _respaced(mended(*_settled(image, ground, name, lines, 1.0))) for name in lines}
    found = sections(image, ground, lines)
    lines = {name: freed(image, line, found[name]) if name in found else line for name, line in lines.items()}
    placed = {name: _settled(image, ground, name, lines, 0.6) for name in lines}
    return tuple(_finished(name, *placed[name]) for name in lines if placed[name][1] is not None)


def _respaced(line: Line) -> Line:
    """Cut out tangles and space the points evenly again."""
    line = untangled(line)
    path, at = resampled(line.path_px, SPACING_PX, line.closed)
    return Line(path, line.seen[np.rint(at).astype(int) % len(line.seen)], line.closed, line.width_px)


def _sized(image: NDArray[np.uint8], ground: Ground, line: Line, others: Sequence[Line], width_px: Width) -> Line:
    """Give a line its expected width, or a first guess from the picture."""
    if width_px is None:
        strip_ = cut(image, ground, line, 12.0 * max(ground.scale / 2, 1.0))
        width = first_width(strip_, open_rows(ground, line, others, OPEN_PX + 4.0))
    else:
        width = float(np.median(width_px(line.path_px))) if callable(width_px) else float(width_px)
    return Line(line.path_px, line.seen, line.closed, width)


def _settled(image: NDArray[np.uint8], ground: Ground, name: str, lines: Mapping[str, Line], reach_widths: float) -> tuple[Line, Placed | None]:
    """Align one line with its string, the others known."""
    line, others = lines[name], [other for n, other in lines.items() if n != name]
    clear = open_rows(ground, line, others, OPEN_PX)
    found = aligned(image, ground, line, clear, max(reach_widths * line.width_px, 3.0))
    return found if found is not None else (line, None)


def _finished(name: str, line: Line, placed: Placed) -> TracedString:
    """Measure doubt, gaps and meetings, and put a string together."""
    line = mended(line, placed)
    window = max(0.9 * line.width_px / SPACING_PX / 2, 1.0)
    fit_px = 1 / np.sqrt(np.maximum(placed.bend * 9.0 * window, 1e-6))
    away = _away(line.seen, line.closed) * SPACING_PX
    sigma = np.sqrt(SYSTEMATIC_PX**2 + np.minimum(fit_px, line.width_px) ** 2 + (BRIDGE_SHARE * away) ** 2)
    gaps = _gaps(placed.bare, line.closed, max(GAP_PX, 3 * line.width_px) / SPACING_PX)
    closed = line.closed and not gaps
    widths = np.full(len(sigma), line.width_px)
    return TracedString(name, closed, line.path_px, widths, sigma, line.seen, line.width_px, 0.1 * line.width_px, float(line.seen.mean()), gaps,
                        crossings(line.path_px, line.width_px, line.closed))


def _away(seen: Mask, closed: bool) -> Floats:
    """Samples to the nearest seen one (n,)."""
    count = len(seen)
    if not seen.any():
        return np.full(count, float(count))
    ring = np.concatenate([seen] * 3) if closed else seen
    away = cv2.distanceTransform((~ring).astype(np.uint8)[None], cv2.DIST_L1, 3)[0]
    return np.asarray(away[count : 2 * count] if closed else away, np.float64)


def _gaps(bare: Mask, closed: bool, least: float) -> tuple[tuple[int, int], ...]:
    """Stretches (start, stop) of at least `least` bare samples; round a loop they may pass its start."""
    return tuple((a % len(bare), b % len(bare)) for a, b in stretches(bare, closed) if b - a >= least)
