"""The built-in decks' faces: which drawing belongs to which entry of their deck.toml."""

from __future__ import annotations

from collections.abc import Iterator

from decks import card_art, tile_art
from decks.card_art import CardStyle
from decks.picture import Image
from decks.tile_art import TileStyle
from scoring.edition import Edition
from scoring.table import BACK

STYLES: dict[str, CardStyle | TileStyle] = {
    "paper-safari": card_art.PAPER,
    "woodland-safari": card_art.WOODLAND,
    "kleine-fotosafari": card_art.FOTO,
    "string-safari": tile_art.STRING,
    "string-safari-purple": tile_art.BORDERS,
}
"""A built-in deck's folder name → its style."""


def draw(deck: str, edition: Edition, kind: str, label: str, px_per_mm: float) -> Image:
    """Draw one face of the built-in deck `deck`: `kind` is the folder it lies in (faces, research, photos, coins)."""
    style = STYLES[deck]
    if kind == "research":
        if label == BACK:
            return tile_art.research_back(edition.size_mm, px_per_mm)
        return tile_art.research(edition.research[label], edition.size_mm, px_per_mm)
    if kind == "photos":
        return card_art.photo_card(edition.photos[label], px_per_mm)
    if kind == "coins":
        return tile_art.coin(label, edition.coins[label], px_per_mm)
    if isinstance(style, TileStyle):
        if label == BACK:
            return tile_art.tile_back(edition.size_mm, px_per_mm, style)
        return tile_art.tile(edition.faces[label], edition.size_mm, px_per_mm, style)
    if label == BACK:
        return card_art.card_back(edition.size_mm, px_per_mm, style)
    if edition.game == "kleine-fotosafari":
        return card_art.animal_card(label, edition.size_mm, px_per_mm)
    return card_art.value_card(edition.faces[label], edition.size_mm, px_per_mm, style)


def pictures_of(edition: Edition) -> Iterator[tuple[str, str]]:
    """Yield (kind, label) for every picture that a built-in deck's folder holds."""
    yield from (("faces", label) for label in (*edition.faces, BACK))
    yield from (("research", name) for name in edition.research)
    yield from (("coins", name) for name in edition.coins)
