"""Tiles and strings as bands: enclosed, touching, margins in mm and how sure they are.

The only file that knows shapely. Frame: the table plane in mm, seen from above, each thing at its own height.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import shapely

from scoring.table import Piece, Point, String

CONTACT_MM = 1e-6
"""Nearer than this is contact: only rounding in the arithmetic is smaller."""
DOUBT_SIGMAS = 2.0
"""A margin of fewer standard deviations than this is in doubt: one in 44 such margins has the other sign."""
FAINT_SIGMAS = 4.1
"""A margin of more standard deviations than this is in no sum of doubts: one in 50,000 has the other sign."""
CORNER_RADIUS_MM = 2.5
"""How round a tile's corners may be. Seen corners are given where the straight sides meet; punched board is rounder."""
MOST_WALKED = 20_000
"""So many places of a string are looked at: enough for fifteen metres of a string 3 mm wide."""
FOLD_WIDTHS = 4.0
"""Two places of a string less than this many widths apart along it are one bend, not two strands."""
DETOUR = 2.0
"""Two strands are this many times farther apart along the string than across; less is one strand that bends."""
STEP_WIDTHS = 0.25
"""How finely a string is walked, in its widths: strands' distances are then right to 1%."""


@dataclass(frozen=True, slots=True)
class Margin:
    """A signed distance between two edges, in mm: 0 or less is contact.

    `sigma_mm`: one standard deviation of it. `sigmas`: how many standard deviations it is on its side of contact, taken
    where along the string that is least sure; infinite where nothing is in doubt.
    """

    mm: float
    sigma_mm: float = 0.0
    sigmas: float = math.inf

    @property
    def contact(self) -> bool:
        """Whether the two meet, as far as one can tell."""
        return self.mm <= CONTACT_MM

    @property
    def doubtful(self) -> bool:
        """Whether it could as well be the other way."""
        return abs(self.sigmas) < DOUBT_SIGMAS

    @property
    def weighed(self) -> bool:
        """Whether it may be the other way at all: seldom for one margin, but there are many on a table."""
        return abs(self.sigmas) < FAINT_SIGMAS

    @property
    def contact_probability(self) -> float:
        """How probable contact is, with the margin normally distributed."""
        return 0.5 * math.erfc(self.sigmas / math.sqrt(2.0))


class Band:
    """A string as the band it covers on the table: its centreline, closed or open, widened by half its width."""

    def __init__(self, string: String) -> None:
        self.string = string
        self.half_mm = string.width_mm / 2

    @cached_property
    def line(self) -> Any:
        """The centreline as a shapely line; a ring where closed."""
        path = list(self.string.path_mm)
        if self.closed:
            return shapely.LinearRing(path)
        return shapely.LineString(path if len(path) > 1 else path * 2)

    @cached_property
    def closed(self) -> bool:
        """Whether it is a loop: closed, and of three points or more."""
        return self.string.closed and len(set(self.string.path_mm)) >= 3

    @cached_property
    def crosses_itself(self) -> bool:
        """Whether its centreline crosses or runs over itself."""
        return not bool(self.line.is_simple)

    @cached_property
    def self_gap(self) -> Margin:
        """The gap between two strands of it at the nearest: contact where it lies on itself without crossing."""
        return _self_gap(self)

    @cached_property
    def interior(self) -> Any:
        """What lies inside the centreline: all that cannot be left without crossing it."""
        if not self.closed:
            return shapely.Polygon()
        if not self.crosses_itself:
            return shapely.Polygon(self.line)
        faces = shapely.polygonize([shapely.unary_union(self.line)])
        return shapely.unary_union(list(faces.geoms))

    @cached_property
    def points(self) -> Any:
        """The path's points as shapely points, (n,)."""
        return shapely.points(np.asarray(self.string.path_mm, dtype=float))

    @cached_property
    def tree(self) -> Any:
        """The path's points as a tree, to find the nearest of them."""
        return shapely.STRtree(self.points)

    @cached_property
    def sigma_mm(self) -> Any:
        """One standard deviation of the near edge's place at every point of the path, (n,)."""
        n = len(self.string.path_mm)
        given = self.string.sigma_mm
        return np.asarray(given, dtype=float) if len(given) == n else np.full(n, max(given, default=0.0))

    def holds(self, point: Point) -> bool:
        """Whether a point lies inside the centreline."""
        return bool(self.interior.contains(shapely.Point(point)))

    def side_mm(self, point: Point) -> float:
        """How far a point is from the centreline."""
        return float(self.line.distance(shapely.Point(point)))

    def sigma_near(self, place: Any) -> float:
        """One standard deviation of the band's edge nearest to a shapely geometry."""
        if not self.sigma_mm.any():
            return 0.0
        return float(self.sigma_mm[int(self.tree.query_nearest(place).min())])


def footprint(piece: Piece) -> Any:
    """Return a piece's outline as a shapely polygon; a hull where its corners cross."""
    polygon = shapely.Polygon(piece.outline_mm)
    return polygon if polygon.is_valid else polygon.convex_hull


def tile_margin(piece: Piece, shape: Any, band: Band) -> Margin:
    """Return the margin from a tile to a string's near edge.

    Where the string's centreline crosses the tile the margin is minus half the width. A tile that was measured
    (`sigma_mm` above 0) and whose corners' roundness is not known has the margin halfway between sharp and round ones.
    """
    radius = piece.corner_radius_mm
    if piece.sigma_mm > 0 and radius is None:
        sharp, far = _distance(shape, band, 0.0), _distance(shape, band, CORNER_RADIUS_MM)
        half = max(far - sharp, 0.0) / 2
        return _margin(sharp + half - band.half_mm, math.hypot(piece.sigma_mm, half / math.sqrt(3)), half, band, shape)
    distance = _distance(shape, band, radius or 0.0)
    shift = distance - _distance(shape, band, 0.0) if radius else 0.0
    return _margin(distance - band.half_mm, piece.sigma_mm, shift, band, shape)


def _distance(shape: Any, band: Band, radius_mm: float) -> float:
    """Return the distance from a tile with corners of this radius to a string's centreline."""
    if radius_mm <= 0:
        return float(shape.distance(band.line))
    inner = shape.buffer(-radius_mm, join_style="mitre")
    return max(float(inner.distance(band.line)) - radius_mm, 0.0) if not inner.is_empty else _distance(shape, band, 0.0)


def _margin(mm: float, own_sigma_mm: float, shift_mm: float, band: Band, shape: Any) -> Margin:
    """Return a margin with its doubt; `shift_mm`: how much more it is than the bare distance says."""
    sigma = math.hypot(own_sigma_mm, band.sigma_near(shape))
    if sigma <= 0 and not band.sigma_mm.any():
        return Margin(mm, 0.0, -math.inf if mm <= CONTACT_MM else math.inf)
    worst = math.hypot(own_sigma_mm, float(band.sigma_mm.max()))
    if mm > FAINT_SIGMAS * worst:
        return Margin(mm, sigma, mm / worst)
    along = _signed(band.points, shape) - band.half_mm + shift_mm
    sigmas = np.hypot(band.sigma_mm, own_sigma_mm)
    here = mm / sigma if sigma > 0 else math.copysign(math.inf, mm - CONTACT_MM)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(sigmas > 0, along / sigmas, np.where(along > CONTACT_MM, np.inf, -np.inf))
    return Margin(mm, sigma, min(here, float(ratios.min())))


def _signed(points: Any, shape: Any) -> Any:
    """Return points' distances (n,) to a polygon; less than 0 within it, by how far it is to its nearest side."""
    return shapely.distance(points, shape) - shapely.distance(points, shape.boundary) * shapely.contains(shape, points)


def band_margin(one: Band, other: Band) -> Margin:
    """Return the gap between two strings' edges: contact where their bands meet or cross."""
    mm = float(one.line.distance(other.line)) - one.half_mm - other.half_mm
    if not one.sigma_mm.any() and not other.sigma_mm.any():
        return Margin(mm, 0.0, -math.inf if mm <= CONTACT_MM else math.inf)
    beyond = shapely.distance(one.points, other.line) - one.half_mm - other.half_mm
    nearest = other.tree.nearest(one.points)
    sigmas = np.maximum(np.hypot(one.sigma_mm, other.sigma_mm[nearest]), CONTACT_MM)
    at = int(np.argmin(beyond))
    crossing = bool(one.line.intersects(other.line))
    if crossing and _crosses_for_certain(one, other, sigmas):
        return Margin(mm, float(sigmas[at]), -math.inf)
    return Margin(mm, float(sigmas[at]), min(mm / float(sigmas[at]), float((beyond / sigmas).min())))


def _crosses_for_certain(one: Band, other: Band, sigmas: Any) -> bool:
    """Say whether one string is on both sides of the other by more than the doubt: then they cross somewhere."""
    if not other.closed:
        return False
    distance = shapely.distance(one.points, other.line)
    sure = distance > FAINT_SIGMAS * sigmas
    inside = shapely.contains(other.interior, one.points)
    return bool((sure & inside).any() and (sure & ~inside).any())


def _self_gap(band: Band) -> Margin:
    """Return the gap between a string's own strands, for places more than a bend apart along it.

    It is walked in strides first, and closely only where strands may lie side by side.
    """
    width, length = band.string.width_mm, float(band.line.length)
    if width <= 0 or length <= 2 * FOLD_WIDTHS * width:
        return Margin(math.inf)
    reach = width + FAINT_SIGMAS * float(band.sigma_mm.max()) * math.sqrt(2.0)
    along, points = _walk(band, width)
    stride = float(along[1])
    here, _ = _strands(band, along, points, reach + stride, stride)
    if not len(here):
        return Margin(math.inf)
    along, points = _walk(band, STEP_WIDTHS * width)
    near = np.isin(np.rint(along / stride) % round(length / stride) if band.closed else np.rint(along / stride), here)
    along, points = along[near], points[near]
    here, gaps = _strands(band, along, points, reach, 0.0)
    if not len(here):
        return Margin(math.inf)
    at = int(np.argmin(gaps))
    sigma = math.sqrt(2.0) * band.sigma_near(points[here[at]])
    gap = float(gaps[at]) - width
    return Margin(gap, sigma, gap / sigma if sigma > 0 else math.copysign(math.inf, gap - CONTACT_MM))


def _strands(band: Band, along: Any, points: Any, reach_mm: float, slack_mm: float) -> tuple[Any, Any]:
    """Return the places that have another strand near, as indices (n,), and how far it is there (n,).

    `slack_mm`: how much farther apart, along the string and across, two places may be that these stand for.
    """
    first, second = shapely.STRtree(points).query(points, predicate="dwithin", distance=reach_mm)
    apart = np.abs(along[first] - along[second])
    apart = np.minimum(apart, band.line.length - apart) if band.closed else apart
    far = apart > FOLD_WIDTHS * band.string.width_mm - slack_mm
    first, second, apart = first[far], second[far], apart[far]
    distances = shapely.distance(points[first], points[second])
    strands = apart > DETOUR * distances - (DETOUR + 1) * slack_mm
    return first[strands], distances[strands]


def _walk(band: Band, step_mm: float) -> tuple[Any, Any]:
    """Return distances along a string, evenly spaced by no more than this, and the places there as shapely points."""
    path = np.asarray(band.string.path_mm, dtype=float)
    path = np.vstack([path, path[:1]]) if band.closed else path
    reached = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
    n = math.ceil(min(max(8, float(band.line.length) / step_mm), MOST_WALKED))
    along = np.arange(n if band.closed else n + 1) * (reached[-1] / n)
    places = np.column_stack([np.interp(along, reached, path[:, k]) for k in range(2)])
    return along, shapely.points(places)


def gaps_mm(shapes: Sequence[Any], within_mm: float) -> list[tuple[int, int, float]]:
    """Return (i, j, distance in mm), i < j, for all pairs of shapes nearer to each other than `within_mm`."""
    if len(shapes) < 2:
        return []
    first, second = shapely.STRtree(list(shapes)).query(list(shapes), predicate="dwithin", distance=within_mm)
    pairs = sorted((int(i), int(j)) for i, j in zip(first, second, strict=True) if i < j)
    found = [(i, j, float(shapes[i].distance(shapes[j]))) for i, j in pairs]
    return [(i, j, d) for i, j, d in found if d < within_mm - CONTACT_MM]
