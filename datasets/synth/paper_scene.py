"""Paper Safari tables: one to four grids of 2×3 cards, piles, discards, victory cards."""

from __future__ import annotations

import numpy as np

from scoring.table import BACK, Piece, Table
from synth.scene import Hand, Scene
from synth.textures import Rng

_SIDES_DEG = {1: (0,), 2: (0, 180), 3: (0, 90, 180), 4: (0, 90, 180, 270)}
"""Where the players sit, clockwise seen from above from the bottom edge on, by how many they are."""
ROWS, COLUMNS = 2, 3
VARIETIES = ("complete", "face-down", "missing", "upside-down", "crooked", "touching")


def lay(seed: int, rng: Rng, hand: Hand) -> Scene:
    """Lay one round: `variety` names what is special about it."""
    variety = VARIETIES[rng.integers(len(VARIETIES))]
    players = int(rng.integers(1, 5))
    width, height = hand.deck.edition.size_mm
    gap = 0.6 if variety == "touching" else float(rng.uniform(3, 14))
    reach = (COLUMNS * (width + gap)) / 2 + ROWS * (height + gap) / 2 + float(rng.uniform(20, 45))
    pieces: list[Piece] = []
    for side in _SIDES_DEG[players]:
        pieces += _grid(rng, hand, variety, side, reach if players > 1 else 0.0, gap)
    beside: list[Piece] = []
    if players > 1 and rng.random() < 0.7:
        for k, label in enumerate((BACK, hand.draw())):
            place = (k - 0.5) * (width + 8), float(rng.uniform(-6, 6))
            pieces.append(hand.lay("card", label, place, (width, height), 90 + float(rng.normal(0, 4))))
    if rng.random() < 0.3:
        beside = _victories(rng, hand, reach)
    return Scene("paper-safari", seed, f"{players} players, {variety}", Table(tuple(pieces)), beside=tuple(beside))


def _grid(rng: Rng, hand: Hand, variety: str, side_deg: int, reach: float, gap: float) -> list[Piece]:
    """Lay one player's cards; `side_deg` is clockwise from the bottom edge."""
    width, height = hand.deck.edition.size_mm
    hole = int(rng.integers(ROWS * COLUMNS)) if variety == "missing" else -1
    turn = -np.deg2rad(side_deg)
    cos, sin = np.cos(turn), np.sin(turn)
    slack = gap * 0.2
    pieces = []
    for k in range(ROWS * COLUMNS):
        label = BACK if variety == "face-down" and rng.random() < 0.4 and BACK in hand.deck.faces else hand.draw()
        if k == hole:
            continue
        x = (k % COLUMNS - (COLUMNS - 1) / 2) * (width + gap) + rng.normal(0, slack)
        y = -reach + (0.5 - k // COLUMNS) * (height + gap) + rng.normal(0, slack)
        crooked = 3.5 if variety == "crooked" else 0.2 if variety == "touching" else 1.2
        up = 90 - side_deg + float(np.clip(rng.normal(0, crooked), -9, 9))
        if variety == "upside-down" and rng.random() < 0.35:
            up += 180
        place = float(cos * x - sin * y), float(sin * x + cos * y)
        pieces.append(hand.lay("card", label, place, (width, height), up))
    return pieces


def _victories(rng: Rng, hand: Hand, reach: float) -> list[Piece]:
    """Lay victory cards beside the table: cards that are not of the deck."""
    width, height = hand.deck.edition.size_mm
    place = reach * 1.15, -reach * 1.1
    return [
        hand.lay("card", None, (place[0] + k * 12.0, place[1] - k * 7.0), (width, height), float(rng.uniform(0, 360)))
        for k in range(int(rng.integers(1, 3)))
    ]
