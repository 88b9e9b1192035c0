"""A player's stash at the end of String Safari: coins side by side, overlapping or stacked, and research tiles."""

from __future__ import annotations

import numpy as np

from scoring.table import Piece, Table
from synth.scene import Hand
from synth.textures import Rng

COIN_MM = 22.0
RESEARCH_MM = 40.0
WAYS = ("apart", "apart", "overlapping", "stacked")


def lay(rng: Rng, hand: Hand, box: list[str]) -> Table:
    """Lay one stash, coins to the left, research tiles to the right; these are taken out of the box (in place)."""
    way = WAYS[rng.integers(len(WAYS))]
    pieces: list[Piece] = []
    coins = list(hand.deck.coins)
    step = {"apart": 1.2, "overlapping": 0.8, "stacked": 1.2}[way] * COIN_MM
    for k in range(int(rng.integers(3, 11)) if coins else 0):
        column, row = k % 4, k // 4
        place = -110 + column * step + float(rng.normal(0, 1.0)), (row - 1) * COIN_MM * 1.25 + float(rng.normal(0, 1.0))
        if way == "stacked" and k % 3 == 2:
            place = pieces[-1].centre_mm[0] + 1.0, pieces[-1].centre_mm[1] + 0.6
        pieces.append(
            hand.lay("coin", coins[rng.integers(len(coins))], place, (COIN_MM, COIN_MM), float(rng.uniform(0, 360)))
        )
    for k in range(min(int(rng.integers(1, 6)), len(box))):
        place = 25 + (k % 3) * (RESEARCH_MM + 7), (k // 3 - 0.5) * (RESEARCH_MM + 7)
        label = box.pop()
        pieces.append(
            hand.lay(
                "research", label, place, (RESEARCH_MM, RESEARCH_MM), 90 + float(np.clip(rng.normal(0, 6), -15, 15))
            )
        )
    return Table(tuple(pieces))
