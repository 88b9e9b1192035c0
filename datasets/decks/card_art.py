"""The faces of the card games: Paper Safari and its variants, Kleine Fotosafari."""

from __future__ import annotations

from dataclasses import dataclass

from decks import signs
from decks.animals import figure_or_star, ground
from decks.blank import Blank, back
from decks.paper import Drawing, Shape, mixed
from decks.picture import Image
from scoring.edition import Face

SPECIALS: dict[str, Drawing] = {"elephant": signs.EYE, "tarzan": signs.PASS, "safari": signs.BOTH_WAYS}
"""What a card lets its player do: look at a card, pass cards on, copy a neighbour."""

PHOTO_CELL_MM, PHOTO_EDGE_MM, PHOTO_FOOT_MM = 30.0, 3.0, 6.0
PHOTO_HEIGHT_MM = 44.0


@dataclass(frozen=True)
class CardStyle:
    """How one edition's cards are dressed."""

    title: str
    back_ground: str
    frame: str = "snow"
    value_paper: str = "cream"
    minus_paper: str = "coral"
    specials: tuple[tuple[str, str], ...] = ()  # label → whose special sign it bears


PAPER = CardStyle("PAPER SAFARI", "pine")
WOODLAND = CardStyle("WOODLAND SAFARI", "plum", frame="night", specials=(("raven", "tarzan"), ("magpie", "safari")))
FOTO = CardStyle("FOTOSAFARI", "sea")


def value_card(face: Face, size_mm: tuple[float, float], px_per_mm: float, style: CardStyle) -> Image:
    """Draw a card with its value, its name, and the sign of what it does."""
    w, h = size_mm
    blank = Blank(size_mm, px_per_mm, ground(face.label))
    blank.scenery(w / 2, h * 0.47, w * 0.4)
    blank.lay(figure_or_star(face.label), w / 2, h * 0.475, w * 0.36)
    blank.banner(face.label.replace("-", " ").title(), h * 0.895, h * 0.095)
    blank.frame(w * 0.045, w * 0.07, style.frame)
    minus = face.value is not None and face.value < 0
    text = "" if face.value is None else str(face.value)
    if text:
        blank.badge(text, w * 0.16, w * 0.16, w * 0.115, style.minus_paper if minus else style.value_paper)
    special = dict(style.specials).get(face.label, face.label)
    if special in SPECIALS:
        x = w * 0.84 if text else w * 0.16
        blank.lay((Shape(signs.disc("coral")[0].outline * (w * 0.1), "night", 14.0),), x, w * 0.16)
        blank.lay(SPECIALS[special], x, w * 0.16, w * 0.066)
    return blank.picture()


def animal_card(label: str, size_mm: tuple[float, float], px_per_mm: float) -> Image:
    """Draw a Fotosafari animal: its head alone, on its own paper."""
    w, h = size_mm
    blank = Blank(size_mm, px_per_mm, ground(label))
    blank.scenery(w / 2, h * 0.48, w * 0.42)
    blank.lay(figure_or_star(label), w / 2, h * 0.5, w * 0.4)
    blank.frame(w * 0.05, w * 0.08)
    return blank.picture()


def photo_card(sequence: tuple[str, ...], px_per_mm: float) -> Image:
    """Draw a photo: the animals side by side, each on its own paper, in a white frame with a broad foot."""
    size_mm = photo_size_mm(sequence)
    blank = Blank(size_mm, px_per_mm, "snow")
    y = (size_mm[1] + PHOTO_EDGE_MM - PHOTO_FOOT_MM) / 2
    half_mm = (size_mm[1] - PHOTO_EDGE_MM - PHOTO_FOOT_MM) / 2
    for place, label in enumerate(sequence):
        x = PHOTO_EDGE_MM + (place + 0.5) * PHOTO_CELL_MM
        blank.lay(signs.panel(ground(label), PHOTO_CELL_MM / 2 + 0.1, half_mm + 1, 0.01, 0.0), x, y)
        halo = signs.disc(mixed(ground(label), "snow", 0.5))[0].outline * (PHOTO_CELL_MM * 0.45)
        blank.lay((Shape(halo, mixed(ground(label), "snow", 0.5), 10.0),), x, y)
        blank.lay(figure_or_star(label), x, y, PHOTO_CELL_MM * 0.41)
    blank.frame(PHOTO_EDGE_MM, 2.0, foot_mm=PHOTO_FOOT_MM)
    blank.word("CLICK!  " + str(len(sequence)), size_mm[0] / 2, size_mm[1] - PHOTO_FOOT_MM / 2, 2.2, "slate")
    return blank.picture()


def photo_size_mm(sequence: tuple[str, ...]) -> tuple[float, float]:
    """Return a photo card's width and height."""
    return len(sequence) * PHOTO_CELL_MM + 2 * PHOTO_EDGE_MM, PHOTO_HEIGHT_MM


def photo_back(sequence: tuple[str, ...], px_per_mm: float) -> Image:
    """Draw the back of a photo card: how many animals it shows."""
    return back(
        photo_size_mm(sequence), px_per_mm, f"{len(sequence)} ANIMALS", ("sea", "pine", "plum")[len(sequence) % 3], 2.5
    )


def card_back(size_mm: tuple[float, float], px_per_mm: float, style: CardStyle) -> Image:
    """Draw the back that all cards of a deck share."""
    return back(size_mm, px_per_mm, style.title, style.back_ground, size_mm[0] * 0.045, style.frame)


def victory_card(size_mm: tuple[float, float], px_per_mm: float) -> Image:
    """Draw a victory card, the same on both sides."""
    w, h = size_mm
    blank = Blank(size_mm, px_per_mm, "sun")
    blank.scenery(w / 2, h * 0.44, w * 0.38)
    blank.lay(signs.star("coral", 5, 0.5), w / 2, h * 0.44, w * 0.32)
    blank.lay(signs.PAW, w / 2, h * 0.45, w * 0.13)
    blank.banner("VICTORY", h * 0.83, h * 0.1, share=0.76)
    blank.frame(w * 0.045, w * 0.07)
    return blank.picture()
