"""Kleine Fotosafari tables: a ring of animals, the pile, and a photo card that may be right, mirrored or wrong."""

from __future__ import annotations

import numpy as np

from scoring.table import Piece, Table
from synth.scene import Hand, Scene
from synth.textures import Rng

RING = 12
VARIETIES = ("valid", "valid", "mirrored", "wrong", "none", "turned-away", "over the closing point")
CELL_MM, PHOTO_HEIGHT_MM, PHOTO_EDGE_MM = 30.0, 42.0, 3.0
"""A photo card without a face of its own: a cell an animal, and an edge around."""


def lay(seed: int, rng: Rng, hand: Hand) -> Scene:
    """Lay one ring with its pile and, in most varieties, one claim beside it."""
    variety = VARIETIES[rng.integers(len(VARIETIES))]
    width, height = hand.deck.edition.size_mm
    radius = RING * max(width, height) * float(rng.uniform(1.12, 1.4)) / (2 * np.pi)
    squash = float(rng.uniform(0.85, 1.0))
    away = int(rng.integers(RING)) if variety == "turned-away" else -1
    start = float(rng.uniform(0, 360))
    ring = [_animal(rng, hand, k, start, radius, squash, away) for k in range(RING)]
    pieces = [*ring]
    if rng.random() < 0.8:
        pieces.append(
            hand.lay(
                "card",
                hand.draw(),
                (float(rng.normal(0, 6)), float(rng.normal(0, 6))),
                (width, height),
                float(rng.uniform(0, 360)),
            )
        )
    if variety != "none":
        pieces.append(_claim(rng, hand, variety, [str(p.label) for p in ring], start, radius * squash, radius))
    beside = _earlier(rng, hand, radius) if rng.random() < 0.3 else ()
    return Scene("kleine-fotosafari", seed, variety, Table(tuple(pieces)), beside=beside)


def _animal(rng: Rng, hand: Hand, k: int, start: float, radius: float, squash: float, away: int) -> Piece:
    """Lay the ring's card number k; number `away` looks outwards."""
    turn = start + 360 * k / RING + float(rng.normal(0, 1.0))
    label, place = hand.draw(), _at(turn, radius, squash)
    up = turn + 180 * (k != away) + float(rng.normal(0, 5))
    return hand.lay("card", label, place, hand.deck.edition.size_mm, up)


def _at(turn_deg: float, radius: float, squash: float) -> tuple[float, float]:
    return float(radius * np.cos(np.deg2rad(turn_deg))), float(radius * squash * np.sin(np.deg2rad(turn_deg)))


def found(ring: list[str], sequence: tuple[str, ...]) -> bool:
    """Tell whether a sequence stands in the ring, counter-clockwise."""
    return any(all(ring[(s + i) % len(ring)] == a for i, a in enumerate(sequence)) for s in range(len(ring)))


def _claim(rng: Rng, hand: Hand, variety: str, ring: list[str], start: float, inner: float, outer: float) -> Piece:
    """Lay a photo card outside the ring, beside the animals it claims, to be read from outside."""
    length = int(rng.integers(3, 6))
    first = RING - length // 2 if variety == "over the closing point" else int(rng.integers(RING))
    sequence = tuple(ring[(first + i) % RING] for i in range(length))
    if variety == "mirrored":
        sequence = sequence[::-1]
    if variety == "wrong":
        labels = list(hand.deck.edition.faces)
        for _ in range(50):
            sequence = tuple(labels[i] for i in rng.integers(0, len(labels), length))
            if not found(ring, sequence):
                break
    turn = start + 360 * (first + (length - 1) / 2) / RING
    reach = outer + max(hand.deck.edition.size_mm) / 2 + PHOTO_HEIGHT_MM * float(rng.uniform(0.8, 1.3))
    up = turn + 180 + float(rng.normal(0, 4))
    return hand.lay(
        "photo", "-".join(sequence), _at(turn, reach, inner / outer), photo_size(length), up, sequence=sequence
    )


def photo_size(length: int) -> tuple[float, float]:
    """Return a photo card's width and height in mm."""
    return CELL_MM * length + 2 * PHOTO_EDGE_MM, PHOTO_HEIGHT_MM + 2 * PHOTO_EDGE_MM


def _earlier(rng: Rng, hand: Hand, radius: float) -> tuple[Piece, ...]:
    """Lay photos won before, far from the ring."""
    labels = list(hand.deck.edition.faces)
    sequence = tuple(labels[i] for i in rng.integers(0, len(labels), 3))
    place = radius * 2.3, -radius * float(rng.uniform(-0.5, 0.8))
    return (hand.lay("photo", "-".join(sequence), place, photo_size(3), float(rng.uniform(0, 360)), sequence=sequence),)
