"""The entries of a deck.toml: a face, a research tile, a photo card, a coin, each read by its own keys."""

from __future__ import annotations

import unicodedata

from decks.section import Section
from scoring.edition import ACTIVITIES, CONDITIONS, FAMILIES, FOODS, LANDS, Face, Game, ResearchTile
from scoring.table import BACK

MOST_OF_ONE = 999  # pieces of one face in a box
MOST_POINTS = 999
MOST_ANIMALS_A_PHOTO = 12  # a ring holds twelve
TARGETS = (*FOODS, *FAMILIES, *ACTIVITIES, "all", "families")


def normal(label: str) -> str:
    """Return the label in Unicode's composed form, which file systems may have taken apart."""
    return unicodedata.normalize("NFC", label)


def face(label: str, section: Section, game: Game) -> Face | None:
    """Read one face by its game's keys."""
    if label == BACK:
        section.fault("is the pieces' back: it needs no entry, only the picture faces/back.png")
        return None
    count = section.integer("count", 1, MOST_OF_ONE, 1) or 1
    if game == "paper-safari":
        return _card(label, section, count)
    if game == "string-safari":
        return _tile(label, section, count)
    if game == "any":
        for key in ("value", "copies_neighbour", "food", "family", "activity", "points", "land"):
            section.raw(key)
    return Face(label, count)


def _card(label: str, section: Section, count: int) -> Face:
    """Read a Paper Safari card: a value, or that it copies its neighbour."""
    value, copies = section.integer("value", -MOST_POINTS, MOST_POINTS), section.flag("copies_neighbour")
    if copies and "value" in section:
        section.fault("has both value and copies_neighbour: keep one")
    if not copies and "value" not in section:
        section.fault("has no value: write value = … as printed, or copies_neighbour = true")
    return Face(label, count, value=None if copies else value, copies_neighbour=copies)


def _tile(label: str, section: Section, count: int) -> Face:
    """Read a String Safari tile: a land, or an animal with its three traits and points."""
    land = section.choice("land", LANDS)
    food, family = section.choice("food", FOODS), section.choice("family", FAMILIES)
    activity, points = section.choice("activity", ACTIVITIES), section.integer("points", 0, MOST_POINTS)
    traits = ("food", "family", "activity", "points")
    if "land" in section:
        if both := [key for key in traits if key in section]:
            section.fault(f"is a land tile, and has {', '.join(both)}: keep land alone")
    elif missing := [key for key in traits if key not in section]:
        section.fault(f"lacks {', '.join(missing)}: write what the tile shows, or land = … for a land tile")
    return Face(label, count, food=food, family=family, activity=activity, points=points, land=land)


def research(name: str, section: Section) -> ResearchTile | None:
    """Read a research tile."""
    target, condition = section.text("target"), section.choice("condition", CONDITIONS)
    points, count = section.integer("points", 0, MOST_POINTS), section.integer("count", 1, MOST_OF_ONE, 1)
    missing = [key for key in ("target", "points") if key not in section]
    if missing:
        section.fault(f"lacks {', '.join(missing)}: write what the tile shows")
    if target is None or points is None:
        return None
    category, colon, each = target.partition(":")
    if category not in TARGETS or not colon or not each.isascii() or not each.isdigit():
        section.fault(f'target = "{target}", expected a category, a colon and the points each, as in "carnivore:3"')
        return None
    return ResearchTile(name, target, points, condition, count or 1)


def photo(section: Section, faces: dict[str, Face]) -> tuple[str, ...] | None:
    """Read a photo card's animals, left to right."""
    value = section.raw("sequence")
    if (
        not isinstance(value, list)
        or not 2 <= len(value) <= MOST_ANIMALS_A_PHOTO
        or not all(isinstance(v, str) for v in value)
    ):
        section.fault('needs sequence = ["…", "…", "…"]: its animals, left to right')
        return None
    sequence = tuple(normal(v) for v in value)
    unknown = [label for label in sequence if label not in faces]
    if unknown and faces:
        section.fault(f'shows "{unknown[0]}", which is none of the deck\'s faces: {", ".join(faces)}')
    return sequence


def coin(section: Section) -> int | None:
    """Read a coin's worth."""
    if "worth" not in section:
        section.fault("lacks worth: write what the coin is worth")
    return section.integer("worth", 1, MOST_POINTS)
