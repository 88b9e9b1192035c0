"""Random tables of Paper Safari as people lay them: grids round a middle, crooked, with other things about."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from scoring.notation import rectangle
from scoring.table import BACK, Piece, Point, Table
from tests.scoring.boxes import VALUES

SIZES: tuple[Point, ...] = ((56, 87), (63, 88), (44, 67), (70, 120), (60, 60), (88, 63))
"""Card sizes in mm: poker, mini, tarot, square, and one that lies broad."""
Ids = list[int | None]


@dataclass(frozen=True)
class Habits:
    """How people lay cards. Lengths in card widths; `step_x`, `step_y`: (least, most) from card to card."""

    off: float = 0.05
    twist_deg: float = 5.0
    step_x: Point = (1.0, 1.45)
    step_y: Point = (1.0, 1.3)
    upside_down: float = 0.12
    face_up: float = 0.75
    hidden: int = 0  # cards of the first player that are not seen
    crooked_deg: float = 0.0  # one card of each player is twisted up to this
    victory_cards: int = 0
    messy: int = 0  # further cards on the discards


def table(rng: random.Random, players: int, habits: Habits) -> tuple[Table, list[Ids]]:
    """Return a table and each player's six ids, as that player sees them; None: not seen."""
    scene = _Scene(rng, habits)
    truth = [scene.grid(player, players) for player in range(players)]
    scene.piles(scene.out(players) + scene.step_y + scene.height if players == 1 else 0.0)
    scene.victory_cards(players)
    rng.shuffle(scene.pieces)
    return Table(tuple(scene.pieces)), truth


class _Scene:
    """A table being laid."""

    def __init__(self, rng: random.Random, habits: Habits) -> None:
        self.rng, self.habits = rng, habits
        self.width, self.height = rng.choice(SIZES)
        self.step_x, self.step_y = self.width * rng.uniform(*habits.step_x), self.height * rng.uniform(*habits.step_y)
        self.turn = rng.uniform(0, math.tau)
        self.deck = [label for label in VALUES for _ in range(4)]
        rng.shuffle(self.deck)
        self.pieces: list[Piece] = []

    def lay(self, x: float, y: float, turned: float, label: str | None) -> int:
        """Lay a card; `turned`: how far its up is turned from +y, in radians."""
        up = math.degrees(turned) + 90
        self.pieces.append(Piece(len(self.pieces), "card", label, rectangle(x, y, (self.width, self.height), up), up))
        return len(self.pieces) - 1

    def out(self, players: int) -> float:
        """Return how far from the middle players' grids lie."""
        width, room = 3 * self.step_x, 0.4 * self.height
        if players == 1:
            return self.step_y
        beside = (width + room) / 2 / math.tan(math.pi / players) + self.step_y + room if players > 2 else 0.0
        return max(self.step_y + 1.4 * self.height, beside)

    def grid(self, player: int, players: int) -> Ids:
        """Lay one player's six cards; players go clockwise."""
        rng, habits = self.rng, self.habits
        bearing = self.turn - math.tau * player / players
        facing = bearing + math.radians(rng.gauss(0, 4))
        middle = self.out(players) * math.sin(bearing), -self.out(players) * math.cos(bearing)
        crooked = rng.randrange(6) if habits.crooked_deg else -1
        hidden = set(rng.sample(range(6), habits.hidden)) if player == 0 else set()
        ids: Ids = []
        for i in range(6):
            x = (i % 3 - 1) * self.step_x + rng.gauss(0, habits.off * self.width)
            y = (0.5 - i // 3) * self.step_y + rng.gauss(0, habits.off * self.width)
            twist = rng.gauss(0, habits.twist_deg) + (180 if rng.random() < habits.upside_down else 0)
            if i == crooked:
                twist += rng.choice((-1, 1)) * rng.uniform(habits.crooked_deg / 2, habits.crooked_deg)
            label = self.deck.pop() if rng.random() < habits.face_up else BACK
            at = turned(x, y, facing)
            lay = middle[0] + at[0], middle[1] + at[1], facing + math.radians(twist), label
            ids.append(None if i in hidden else self.lay(*lay))
        return ids

    def piles(self, up_mm: float) -> None:
        """Lay the draw pile and the discards."""
        for side, label in ((-0.5, BACK), (0.5, self.deck.pop())):
            x, y = turned(side * 1.3 * self.width + self.rng.gauss(0, 2), up_mm + self.rng.gauss(0, 2), self.turn)
            self.lay(x, y, self.turn + self.rng.gauss(0, 0.1), label)
            for _ in range(self.habits.messy if side > 0 else 0):
                aside = self.rng.gauss(0, 5), self.rng.gauss(0, 5)
                self.lay(x + aside[0], y + aside[1], self.turn + self.rng.gauss(0, 0.3), self.deck.pop())

    def victory_cards(self, players: int) -> None:
        """Lay cards that are none of the deck beyond the players."""
        beyond = self.out(players) + 2.5 * self.step_y + self.height
        for k in range(self.habits.victory_cards):
            x, y = turned(0.0, -beyond, self.turn + 0.4 + 1.1 * k)
            self.lay(x, y, self.rng.uniform(0, math.tau), None)


def turned(x: float, y: float, by: float) -> Point:
    """Return a place turned about the middle, in radians counter-clockwise."""
    return x * math.cos(by) - y * math.sin(by), x * math.sin(by) + y * math.cos(by)
