"""Cards around a middle: which of those that lie about form one ring, oval or crooked as it may be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from scoring.layout import Pose
from scoring.table import Point

FEWEST = 3
"""Fewer cards than this go round nothing."""
NARROWEST = 0.75
"""Cards nearer to their middle than this many of their shorter sides are a pile, not a ring."""
INSIDE, OUTSIDE = 0.6, 1.45
"""A card this much nearer to the middle, or farther, than its neighbours around is not in the ring."""
ROUNDS = 4
"""How often the middle is found again from the ring it gave; two settle all but rings with stray cards about."""


@lru_cache(maxsize=64)
def around(cards: tuple[Pose, ...]) -> tuple[tuple[Pose, ...], Point]:
    """Return the cards of the ring counter-clockwise, and its middle: the best of three first guesses."""
    if len(cards) < FEWEST:
        return (), (0.0, 0.0)
    xs, ys = sorted(p.x for p in cards), sorted(p.y for p in cards)
    guesses = [
        _centroid(_hull([p.centre_mm for p in cards])),
        (xs[len(xs) // 2], ys[len(ys) // 2]),
        _where_heads_meet(cards),
    ]
    return max((_settled(cards, g) for g in guesses), key=lambda found: _facing(*found))


def _settled(cards: tuple[Pose, ...], middle: Point) -> tuple[tuple[Pose, ...], Point]:
    """Return the ring around a middle, which is found again from the ring until it stays."""
    ring: tuple[Pose, ...] = ()
    for _ in range(ROUNDS):
        ordered = sorted(cards, key=lambda p: math.atan2(p.y - middle[1], p.x - middle[0]))
        ring = _near_the_line(ordered, middle)
        if len(ring) < FEWEST or _is_pile(ring, middle):
            return (), middle
        again = _centroid([p.centre_mm for p in ring])
        if math.dist(again, middle) < 1e-6:
            break
        middle = again
    return ring, middle


def _is_pile(ring: Sequence[Pose], middle: Point) -> bool:
    radii = sorted(math.dist(p.centre_mm, middle) / min(p.width_mm, p.height_mm) for p in ring)
    return radii[len(radii) // 2] < NARROWEST


def _facing(ring: Sequence[Pose], middle: Point) -> float:
    """Return how well a ring's heads point to its middle: the sum of their cosines."""
    return sum(
        (p.up[0] * (middle[0] - p.x) + p.up[1] * (middle[1] - p.y)) / max(math.dist(p.centre_mm, middle), 1e-9)
        for p in ring
    )


def _where_heads_meet(cards: Sequence[Pose]) -> Point:
    """Return the point nearest to the lines along all heads, least squares; the cards' mean where they are parallel."""
    n = len(cards)
    mx, my = sum(p.x for p in cards) / n, sum(p.y for p in cards) / n
    xx = xy = yy = bx = by = 0.0
    for p in cards:
        nx, ny = p.right
        along = nx * (p.x - mx) + ny * (p.y - my)
        xx, xy, yy, bx, by = xx + nx * nx, xy + nx * ny, yy + ny * ny, bx + nx * along, by + ny * along
    det = xx * yy - xy * xy
    if det < 1e-6 * n * n:
        return mx, my
    return mx + (yy * bx - xy * by) / det, my + (xx * by - xy * bx) / det


def _near_the_line(ordered: Sequence[Pose], middle: Point) -> tuple[Pose, ...]:
    """Leave out the cards much nearer to the middle, or farther, than those beside them, the oddest first."""
    ring = list(ordered)
    while len(ring) >= FEWEST:
        radii = [math.dist(p.centre_mm, middle) for p in ring]
        usual = [_local(radii, i) for i in range(len(radii))]
        odd = [max(INSIDE * u / max(r, 1e-9), r / (OUTSIDE * u)) for r, u in zip(radii, usual, strict=True)]
        worst = max(range(len(odd)), key=odd.__getitem__)
        if odd[worst] <= 1:
            break
        del ring[worst]
    return tuple(ring)


def _local(radii: Sequence[float], i: int) -> float:
    """Return the middle radius of the four cards around one, itself left out."""
    n = len(radii)
    near = sorted(radii[(i + k) % n] for k in (-2, -1, 1, 2))
    return max((near[1] + near[2]) / 2, 1e-9)


def _hull(points: Sequence[Point]) -> list[Point]:
    """Return the convex hull, counter-clockwise (Andrew's monotone chain)."""
    ordered = sorted(set(points))

    def half(run: Sequence[Point]) -> list[Point]:
        out: list[Point] = []
        for p in run:
            while len(out) > 1 and _cross(out[-2], out[-1], p) <= 0:
                out.pop()
            out.append(p)
        return out[:-1]

    return half(ordered) + half(ordered[::-1]) or ordered


def _cross(o: Point, a: Point, b: Point) -> float:
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def _centroid(polygon: Sequence[Point]) -> Point:
    """Return the middle of a polygon's area; of its corners where it has none."""
    n = len(polygon)
    ox, oy = sum(x for x, _ in polygon) / n, sum(y for _, y in polygon) / n
    area = mx = my = 0.0
    for (ax, ay), (bx, by) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        ax, ay, bx, by = ax - ox, ay - oy, bx - ox, by - oy
        twice = ax * by - bx * ay
        area, mx, my = area + twice, mx + (ax + bx) * twice, my + (ay + by) * twice
    return (ox + mx / (3 * area), oy + my / (3 * area)) if abs(area) > 1e-6 else (ox, oy)
