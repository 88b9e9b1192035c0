"""Random tables of Kleine Fotosafari as people lay them: rings oval, crooked or gapped, with other things about."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import dataclass

from scoring.notation import rectangle
from scoring.table import BACK, Piece, Point, Table
from tests.scoring.boxes import ANIMALS
from tests.scoring.paper_tables import turned


@dataclass(frozen=True)
class Habits:
    """How people lay a ring. Lengths in card widths."""

    cards: int = 12
    oval: float = 1.0  # its length over its breadth
    off: float = 0.06
    twist_deg: float = 6.0
    step: Point = (1.15, 1.8)
    hidden: int = 0  # neighbours that are not seen
    away: int = 0  # heads turned away
    wide_gap: float = 0.0  # room left at one place, in steps, where no card is missing
    pile_off: float = 0.2
    backs: int = 0  # face-down cards by the pile
    claims: int = 1
    far_photos: int = 0
    strays: int = 0


@dataclass(frozen=True)
class Laid:
    """A table and what is true of it. `ring`: ids counter-clockwise, None: not seen."""

    table: Table
    ring: list[int | None]
    away: set[int]
    pile: str
    claim: int | None


def lay(rng: random.Random, habits: Habits) -> Laid:
    """Lay a table."""
    width = rng.choice((50.0, 60.0, 70.0))
    size = width, width * rng.choice((1.0, 1.0, 1.4))
    deck = [label for label, count in ANIMALS.items() for _ in range(count)]
    rng.shuffle(deck)
    turn = rng.uniform(0, math.tau)
    pieces: list[Piece] = []

    def put(kind: str, label: str | None, at: Point, up: float, of: Point, shows: int = 0) -> int:
        x, y = turned(*at, turn)
        degrees = math.degrees(up + turn)
        outline = rectangle(x, y, of, degrees)
        sequence = ("lion",) * shows or None
        pieces.append(Piece(len(pieces), kind, label, outline, degrees, sequence=sequence))  # type: ignore[arg-type]  # a kind
        return len(pieces) - 1

    around = _oval(habits, max(width * rng.uniform(*habits.step) * habits.cards / math.tau, width + size[1]))
    first = rng.randrange(habits.cards)
    hidden = {(first + k) % habits.cards for k in range(habits.hidden)}
    away = set(rng.sample(sorted(set(range(habits.cards)) - hidden), habits.away))
    ring: list[int | None] = []
    for i, ((x, y), inward) in enumerate(around):
        up = inward + math.radians(rng.gauss(0, habits.twist_deg) + (rng.uniform(70, 290) if i in away else 0))
        at = x + rng.gauss(0, habits.off * width), y + rng.gauss(0, habits.off * width)
        label = deck.pop()
        ring.append(None if i in hidden else put("card", label, at, up, size))
    pile = deck.pop()
    middle = rng.gauss(0, habits.pile_off * width), rng.gauss(0, habits.pile_off * width)
    put("card", pile, middle, rng.uniform(0, math.tau), size)
    for _ in range(habits.backs):
        put("card", BACK, (middle[0] + rng.gauss(0, 5), middle[1] + rng.gauss(0, 5)), rng.uniform(0, math.tau), size)
    out = max(math.hypot(*at) for at, _ in around) + size[1]
    claim: int | None = None
    for k in range(habits.claims + habits.far_photos):
        shows = rng.choice((3, 4, 5))
        bearing = rng.uniform(0, math.tau)
        far = out + (0.3 * width if k < habits.claims else 4 * width)
        at = far * math.cos(bearing), far * math.sin(bearing)
        number = put("photo", None, at, bearing + math.pi, (32.0 * shows, 44.0), shows)
        claim = number if k < habits.claims else claim
    for _ in range(habits.strays):
        bearing = rng.uniform(0, math.tau)
        put("card", deck.pop(), (2 * out * math.cos(bearing), 2 * out * math.sin(bearing)), rng.uniform(0, 6), size)
    rng.shuffle(pieces)
    return Laid(Table(tuple(pieces)), ring, {laid for k in away if (laid := ring[k]) is not None}, pile, claim)


def _oval(habits: Habits, radius: float) -> list[tuple[Point, float]]:
    """Return places at equal steps along an oval, with the direction of its inside."""
    a, b = radius * math.sqrt(habits.oval), radius / math.sqrt(habits.oval)
    fine = [math.tau * k / 2000 for k in range(2001)]
    points = [(a * math.cos(t), b * math.sin(t)) for t in fine]
    lengths = [0.0]
    for p, q in itertools.pairwise(points):
        lengths.append(lengths[-1] + math.dist(p, q))
    step = lengths[-1] / (habits.cards + habits.wide_gap)
    places = [points[min(range(2001), key=lambda k: abs(lengths[k] - i * step))] for i in range(habits.cards)]
    return [((x, y), math.atan2(-y / b**2, -x / a**2)) for x, y in places]
