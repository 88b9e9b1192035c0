"""Kleine Fotosafari's ring on the table: the animals around, the pile in the middle, the photo card beside them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.circle import FEWEST, around
from scoring.layout import TOWARDS_VIEWER, Pose, alike, gap_mm, outside_mm, pose, poses
from scoring.table import BACK, Piece, Point

RING_SIZE = 12
"""The rulebook lays out this many animals."""
GAP = 1.4
"""A step this many times the usual leaves room for a card that is not seen, one more for a second."""
TURNED_AWAY_DEG = 45.0
"""A head turned more than this from the middle is in no photo."""
TURN_DOUBT_DEG = 3.0
"""How far a head's direction may be misread."""
DISAGREE_DEG = 15.0
"""How far beyond the limit the other way to measure it may be (to the middle; across the line of its neighbours)."""
MOST_BEND = 2.5
"""A step that turns more than twice this, in radians, is measured as if it turned so much."""
BESIDE = 0.5
"""A photo card is the claim where the next one lies at least this many card sides farther from the ring."""
FAR = 1.25
"""A photo card at least this many card sides from the ring may be an earlier one, the claim not seen: claims lay up to
0.75 off on drawn and path-traced tables, earlier ones 1.4 and more."""
BLANK = 0.02
"""What lies that far and shows no animals of the deck with at least this probability is no photo card: a cable, say."""


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
    at = {p.id: p for p in alike(poses(cards.values()))}
    shown = tuple(p for i, p in at.items() if cards[i].label != BACK)
    order, middle = around(shown)
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


def _with_gaps(ring: Sequence[Pose], hidden: Sequence[Pose], middle: Point, size: int) -> list[Pose | None]:
    """Put into a short ring, where a step leaves room, the face-down card that lies there, or None: unseen."""
    n = len(ring)
    if n < FEWEST:
        return []
    lengths = [_arc_mm(p, ring[(i + 1) % n], middle) for i, p in enumerate(ring)]
    usual = max(sorted(lengths)[n // 2], 1e-9)
    extra = [0] * n
    for _ in range(size - n):
        widest = max(range(n), key=lambda i: lengths[i] / usual - extra[i])
        if lengths[widest] / usual - extra[widest] < GAP:
            break
        extra[widest] += 1
    steps: list[Pose | None] = []
    for i, card in enumerate(ring):
        steps.append(card)
        steps += _fill(card, ring[(i + 1) % n], extra[i], hidden, middle)
    return steps


def _arc_mm(a: Pose, b: Pose, middle: Point) -> float:
    """Return the way from one card to the next around the middle: their distance, bent to the turn between them."""
    turn = (math.atan2(b.y - middle[1], b.x - middle[0]) - math.atan2(a.y - middle[1], a.x - middle[0])) % math.tau
    half = min(turn / 2, MOST_BEND)
    return math.dist(a.centre_mm, b.centre_mm) * (half / math.sin(half) if half > 0 else 1.0)


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
    turned = [_angle_deg(here.up, (middle[0] - here.x, middle[1] - here.y))]
    before, after = steps[i - 1], steps[(i + 1) % len(steps)]
    if before is not None and after is not None:
        turned.append(_angle_deg(here.up, (before.y - after.y, after.x - before.x)))
    least, most = min(turned), max(turned)
    doubtful = abs(least - TURNED_AWAY_DEG) < TURN_DOUBT_DEG or least < TURNED_AWAY_DEG < most - DISAGREE_DEG
    return Place(cards[here.id], least, doubtful)


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
    shown = [p for p in photos if p.probability >= BLANK or not _far(pose(p), ring)]
    if not ring or len(shown) < 2:
        return tuple(shown)
    gaps = [(min(gap_mm(at, c) for c in ring), p) for p in shown if (at := pose(p)) is not None]
    nearest = min((gap for gap, _ in gaps), default=0.0)
    return tuple(p for gap, p in gaps if gap - nearest < BESIDE * ring[0].width_mm)


def lies_far(photo: Piece, ring: Sequence[Piece]) -> bool:
    """Tell whether a photo card lies farther from the ring's cards than a claim does."""
    return _far(pose(photo), poses(ring))


def _far(photo: Pose | None, ring: Sequence[Pose]) -> bool:
    return photo is not None and bool(ring) and min(gap_mm(photo, c) for c in ring) > FAR * ring[0].width_mm


def lies_beside(place: Sequence[Point], ring: Sequence[Piece]) -> bool:
    """Tell whether a place, its corners in mm, is one beside the ring's cards, outside, as claims are."""
    cards = poses(ring)
    if not cards:
        return False
    x, y = (sum(p[k] for p in place) / len(place) for k in (0, 1))
    middle = (sum(c.x for c in cards) / len(cards), sum(c.y for c in cards) / len(cards))
    nearest = min(cards, key=lambda c: math.dist(c.centre_mm, (x, y)))
    beyond = (x - nearest.x) * (nearest.x - middle[0]) + (y - nearest.y) * (nearest.y - middle[1]) > 0
    return beyond and outside_mm((x, y), nearest) <= FAR * nearest.width_mm


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
