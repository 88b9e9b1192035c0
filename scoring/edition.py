"""What the rules need to know of a deck: values, traits, counts, house rules. No pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Game = Literal["paper-safari", "kleine-fotosafari", "string-safari", "any"]
GAMES: tuple[Game, ...] = ("paper-safari", "kleine-fotosafari", "string-safari")
"""Those that are played; a deck of game "any" is of faces alone."""
Option = str | int | float | bool

FOODS = ("carnivore", "herbivore", "omnivore")
FAMILIES = ("cat", "dog", "cow", "ape", "special")
ACTIVITIES = ("night", "day", "evening")
LANDS = ("bushes", "grasslands", "forest", "water-hole", "footprints", "rocky-area")
CONDITIONS = ("rocky", "edge")
DEFAULT_MARKERS = ("red", "blue", "yellow", "green", "black")


@dataclass(frozen=True, slots=True)
class Face:
    """One face of a deck and what the rules know of it; keys that its game does not use stay None."""

    label: str
    count: int = 1
    value: int | None = None  # Paper Safari
    copies_neighbour: bool = False  # Paper Safari: the Safari card
    food: str | None = None  # String Safari, an animal
    family: str | None = None
    activity: str | None = None
    points: int | None = None
    land: str | None = None  # String Safari, a land tile


@dataclass(frozen=True, slots=True)
class ResearchTile:
    """A research tile: `target` as "carnivore:3" (a category, `all` or `families`, and the points each)."""

    name: str
    target: str
    points: int
    condition: str | None = None  # rocky, edge
    count: int = 1


def _empty() -> MappingProxyType[str, object]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Edition:
    """A deck's rules data.

    `size_mm`: a card's or tile's width and height. `photos`: a photo card's face name → its animals, left to right.
    `coins`: a coin's face name → what it is worth. `markers`: the players' labels. `options`: the deck's house rules.
    """

    game: Game
    name: str
    size_mm: tuple[float, float]
    faces: Mapping[str, Face] = field(default_factory=_empty)  # type: ignore[arg-type]  # an empty read-only mapping fits any value type
    research: Mapping[str, ResearchTile] = field(default_factory=_empty)  # type: ignore[arg-type]
    photos: Mapping[str, tuple[str, ...]] = field(default_factory=_empty)  # type: ignore[arg-type]
    coins: Mapping[str, int] = field(default_factory=_empty)  # type: ignore[arg-type]
    markers: tuple[str, ...] = DEFAULT_MARKERS
    options: Mapping[str, Option] = field(default_factory=_empty)  # type: ignore[arg-type]


def face_of(edition: Edition, label: str | None) -> Face | None:
    """Return what a deck knows of a label; None where the label is not one of its faces."""
    return None if label is None else edition.faces.get(label)
