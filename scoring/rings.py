"""Kleine Fotosafari's ring on the table: the animals around, the pile in the middle, the photo card beside them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scoring.layout import Pose, gap_mm, pose, poses
from scoring.table import BACK, Piece, Point

TOWARDS_VIEWER: Point = (0.0, -1.0)
"""Where the picture's bottom edge lies, as a direction on the table, where nothing else is said."""
RING_SIZE = 12
"""The rulebook lays out this many animals."""
FEWEST = 3
"""Fewer cards than this go round nothing."""
INSIDE, OUTSIDE = 0.6, 1.45
"""A card this much nearer to the middle, or farther, than its neighbours around is not in the ring."""
ODD_SIZE = 1.35
"""A piece this many times larger or smaller than the table's animal cards is none."""
GAP = 1.5
"""A step this many times the usual leaves room for a card that is not seen."""
TURNED_AWAY_DEG = 45.0
"""A head turned more than this from the middle is in no photo."""
TURN_DOUBT_DEG = 3.0
"""How far a head's direction may be misread."""
BESIDE = 0.5
"""A photo card is the claim where the next one lies at least this many card sides farther from the ring."""
ROUNDS = 4
"""How often the middle is found again from the ring it gave; two settle all but rings with stray cards about."""


@dataclass(frozen=True, slots=True)
class Place:
    """One place of the ring: its card (None: there is room for one, but none is seen) and how far its head is turned.

    `turned_deg`: between its printed up and the ring's inside. `doubtful`: so near the limit that it may be misread.
    """

    card: Piece | None
    turned_deg: float = 0.0
    doubtful: bool = False

    @property
    def label(self) -> str | None:
        """Its animal, "back", or None where it is not known."""
        return None if self.card is None else self.card.label

    @property
    def turned_away(self) -> bool:
        """Whether its head does not point to the middle."""
        return self.turned_deg > TURNED_AWAY_DEG


@dataclass(frozen=True, slots=True)
class Ring:
    """The animal circle, counter-clockwise seen from above, from the card nearest the viewer on."""

    places: tuple[Place, ...] = ()
    pile: tuple[Piece, ...] = ()  # in the middle; the open card first
    strays: tuple[Piece, ...] = ()  # animal cards in neither
    claims: tuple[Piece, ...] = ()  # photo cards: one, or those that may be the claim
    other_photos: tuple[Piece, ...] = ()

    @property
    def cards(self) -> tuple[Piece, ...]:
        """The cards that are seen in it."""
        return tuple(p.card for p in self.places if p.card is not None)


def find(pieces: Sequence[Piece], size: int = RING_SIZE, near: Point = TOWARDS_VIEWER) -> Ring:
    """Find the ring, its pile and the photo claim. `near`: the direction on the table to the picture's bottom edge."""
    cards = {p.id: p for p in pieces if p.kind == "card"}
    at = {p.id: p for p in _alike(poses(cards.values()))}
    shown = tuple(p for i, p in at.items() if cards[i].label != BACK)
    order, middle = _round(shown)
    hidden = [p for i, p in at.items() if cards[i].label == BACK]
    steps = _with_gaps(order, hidden, middle, size)
    places = tuple(_place(i, steps, at, cards, middle) for i in range(len(steps)))
    used = {p.id for p in steps if p is not None}
    within = [p for p in at.values() if p.id not in used and _inside(p, steps, middle)]
    within.sort(key=lambda p: (cards[p.id].label == BACK, math.dist(p.centre_mm, middle)))
    inside = {p.id for p in within}
    strays = tuple(c for i, c in cards.items() if i not in used and i not in inside and c.label != BACK)
    photos = [p for p in pieces if p.kind == "photo" and p.label != BACK]
    claims = _claims(photos, [p for p in steps if p is not None])
    return Ring(
        _from_viewer(places, near),
        tuple(cards[p.id] for p in within),
        strays,
        claims,
        tuple(p for p in photos if p not in claims),
    )


def _alike(cards: tuple[Pose, ...]) -> tuple[Pose, ...]:
    """Leave out what is no animal card by its size."""
    if not cards:
        return ()
    size = sorted(p.width_mm * p.height_mm for p in cards)[len(cards) // 2]
    return tuple(p for p in cards if size / ODD_SIZE**2 < p.width_mm * p.height_mm < size * ODD_SIZE**2)


@lru_cache(maxsize=64)
def _round(cards: tuple[Pose, ...]) -> tuple[tuple[Pose, ...], Point]:
    """Return the cards of the ring counter-clockwise, and its middle."""
    if len(cards) < FEWEST:
        return (), (0.0, 0.0)
    middle = _centroid(_hull([p.centre_mm for p in cards]))
    ring: tuple[Pose, ...] = ()
    for _ in range(ROUNDS):
        around = sorted(cards, key=lambda p: math.atan2(p.y - middle[1], p.x - middle[0]))
        ring = _near_the_line(around, middle)
        if len(ring) < FEWEST:
            return (), middle
        again = _centroid([p.centre_mm for p in ring])
        if math.dist(again, middle) < 1e-6:
            break
        middle = again
    return ring, middle


def _near_the_line(around: Sequence[Pose], middle: Point) -> tuple[Pose, ...]:
    """Leave out the cards much nearer to the middle, or farther, than those beside them, the oddest first."""
    ring = list(around)
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


def _with_gaps(ring: Sequence[Pose], hidden: Sequence[Pose], middle: Point, size: int) -> list[Pose | None]:
    """Put into a short ring, where a step leaves room, the face-down card that lies there, or None: unseen."""
    n = len(ring)
    if n < FEWEST:
        return []
    lengths = [math.dist(p.centre_mm, ring[(i + 1) % n].centre_mm) for i, p in enumerate(ring)]
    usual = sorted(lengths)[n // 2]
    extra = [0] * n
    for _ in range(size - n):
        widest = max(range(n), key=lambda i: lengths[i] / (extra[i] + 1))
        if lengths[widest] / (extra[widest] + 1) < GAP * usual:
            break
        extra[widest] += 1
    steps: list[Pose | None] = []
    for i, card in enumerate(ring):
        steps.append(card)
        steps += _fill(card, ring[(i + 1) % n], extra[i], hidden, middle)
    return steps


def _fill(a: Pose, b: Pose, count: int, hidden: Sequence[Pose], middle: Point) -> list[Pose | None]:
    """Return what lies in the places between two cards: a face-down card, or None."""
    places: list[Pose | None] = []
    ra, rb = math.dist(a.centre_mm, middle), math.dist(b.centre_mm, middle)
    start = math.atan2(a.y - middle[1], a.x - middle[0])
    turn = (math.atan2(b.y - middle[1], b.x - middle[0]) - start) % math.tau
    for k in range(1, count + 1):
        share = k / (count + 1)
        angle, radius = start + share * turn, ra + share * (rb - ra)
        spot = middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle)
        near = [(math.dist(p.centre_mm, spot), p.id, p) for p in hidden if p not in places]
        places.append(min(near)[2] if near and min(near)[0] < a.width_mm else None)
    return places


def _place(
    i: int, steps: Sequence[Pose | None], at: Mapping[int, Pose], cards: Mapping[int, Piece], middle: Point
) -> Place:
    """Return one place, and how far its head is turned from the middle, or from the ring's inside if that is less."""
    here = steps[i]
    if here is None:
        return Place(None)
    seen = [p for p in (*steps[i + 1 :], *steps[:i]) if p is not None]
    before, after = seen[-1], seen[0]
    inward = -(after.y - before.y), after.x - before.x
    turned = [_angle_deg(here.up, d) for d in ((middle[0] - here.x, middle[1] - here.y), inward)]
    doubtful = min(turned) - TURN_DOUBT_DEG < TURNED_AWAY_DEG < max(turned) + TURN_DOUBT_DEG
    return Place(cards[here.id], min(turned), doubtful)


def _angle_deg(a: Point, b: Point) -> float:
    """Return the angle between two directions, 0 to 180°."""
    return abs(math.degrees(math.atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])))


def _inside(card: Pose, steps: Sequence[Pose | None], middle: Point) -> bool:
    """Tell whether a card's centre lies within the ring (ray casting)."""
    polygon = [p.centre_mm for p in steps if p is not None]
    inside = False
    for (ax, ay), (bx, by) in zip(polygon, [*polygon[1:], *polygon[:1]], strict=True):
        if (ay > card.y) != (by > card.y) and card.x < ax + (card.y - ay) / (by - ay) * (bx - ax):
            inside = not inside
    return inside


def _claims(photos: Sequence[Piece], ring: Sequence[Pose]) -> tuple[Piece, ...]:
    """Return the photo card beside the ring; several where it is not clear which; a single one wherever it lies."""
    if not ring or len(photos) < 2:
        return tuple(photos)
    gaps = [(min(gap_mm(at, c) for c in ring), p) for p in photos if (at := pose(p)) is not None]
    nearest = min((gap for gap, _ in gaps), default=0.0)
    return tuple(p for gap, p in gaps if gap - nearest < BESIDE * ring[0].width_mm)


def _from_viewer(places: tuple[Place, ...], near: Point) -> tuple[Place, ...]:
    """Turn the ring so that it starts with the card nearest the viewer."""
    seen = [i for i, p in enumerate(places) if p.card is not None]
    if not seen:
        return places

    def nearness(i: int) -> float:
        card = places[i].card
        return -math.inf if card is None else card.centre_mm[0] * near[0] + card.centre_mm[1] * near[1]

    first = max(seen, key=nearness)
    return places[first:] + places[:first]
