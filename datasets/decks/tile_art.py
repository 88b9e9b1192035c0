"""The faces of String Safari: animal tiles, land tiles, research tiles, coins; two editions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from decks import signs
from decks.animals import figure_or_star, ground
from decks.blank import Blank, back, round_cut
from decks.lands import LAND_GROUNDS, LANDS
from decks.paper import Drawing, Shape, mixed, sharp
from decks.parts import band
from decks.picture import Image
from scoring.edition import ACTIVITIES, FAMILIES, FOODS, Face, ResearchTile

COIN_MM = 22.0
COIN_PAPERS = {1: "rust", 2: "slate", 5: "honey", 10: "plum"}
PLAIN_COINS: dict[str, tuple[str, Drawing]] = {
    "white": ("fog", signs.PAW),
    "green": ("leaf", signs.FOOD["herbivore"][:1]),
    "blue": ("sea", signs.FAMILY["dog"]),
    "red": ("coral", signs.FAMILY["special"]),
}
BONUS = {"bushes": "carnivore", "grasslands": "herbivore", "forest": "omnivore"}
LAND_POINTS = {"bushes": "+2", "grasslands": "+2", "forest": "+2", "water-hole": "+2", "footprints": "+1"}


@dataclass(frozen=True)
class TileStyle:
    """How one edition's tiles are dressed. `borders`: each family has a border of its own colour and notches."""

    title: str
    back_ground: str
    borders: bool = False


STRING = TileStyle("STRING SAFARI", "bark")
BORDERS = TileStyle("STRING SAFARI", "plum", borders=True)


def tile(face: Face, size_mm: tuple[float, float], px_per_mm: float, style: TileStyle) -> Image:
    """Draw an animal tile or a land tile."""
    if face.land is not None:
        return _land(face, size_mm, px_per_mm, style)
    return (_bordered if style.borders else _plain)(face, size_mm, px_per_mm)


def _plain(face: Face, size_mm: tuple[float, float], px_per_mm: float) -> Image:
    """Draw an animal on the paper of its hour, its traits in a strip below."""
    w, h = size_mm
    paper = signs.ACTIVITY_GROUNDS[face.activity or "day"]
    blank = Blank(size_mm, px_per_mm, paper)
    halo = signs.disc(ground(face.label))[0].outline * (w * 0.36)
    blank.lay((Shape(halo, ground(face.label), 12.0),), w * 0.5, h * 0.4)
    blank.lay(figure_or_star(face.label), w * 0.5, h * 0.4, w * 0.33)
    blank.lay(signs.panel("cream", w * 0.6, h * 0.2, 0.1, 12.0), w * 0.5, h * 0.985)
    for place, sign in enumerate(_traits(face)):
        blank.lay(sign, w * (0.15 + 0.2 * place), h * 0.87, w * 0.08)
    blank.frame(w * 0.035, w * 0.06)
    blank.badge(str(face.points), w * 0.84, h * 0.84, w * 0.12, "sun")
    return blank.picture()


def _bordered(face: Face, size_mm: tuple[float, float], px_per_mm: float) -> Image:
    """Draw an animal in its family's border, its traits in a column on the left."""
    w, h = size_mm
    family = face.family or "special"
    blank = Blank(size_mm, px_per_mm, "cream")
    blank.lay(signs.panel(ground(face.label), w * 0.36, h * 0.45, w * 0.04, 0.0), w * 0.62, h * 0.5)
    blank.lay(figure_or_star(face.label), w * 0.605, h * 0.46, w * 0.29)
    blank.frame(w * 0.075, w * 0.05, signs.FAMILY_COLOURS[family])
    _notches(blank, family)
    for place, sign in enumerate(_traits(face)):
        blank.lay(sign, w * 0.175, h * (0.22 + 0.225 * place), w * 0.075)
    blank.badge(str(face.points), w * 0.82, h * 0.82, w * 0.125, "snow")
    return blank.picture()


_NOTCH: dict[str, Callable[[str], Drawing]] = {
    "cat": lambda colour: signs.star(colour, 3, 0.5, 0.0),
    "dog": lambda colour: signs.disc(colour, 0.8, 0.0),
    "cow": lambda colour: signs.panel(colour, 0.7, 0.7, 0.05, 0.0),
    "ape": lambda colour: signs.panel(colour, 1.0, 0.35, 0.05, 0.0),
    "special": lambda colour: signs.star(colour, 4, 0.4, 0.0),
}


def _notches(blank: Blank, family: str) -> None:
    """Print the family's own mark along its border, so that shape tells what colour tells."""
    w, h, count = blank.width_mm, blank.height_mm, 7
    for place in range(count):
        along = (place + 0.5) / count
        for x, y, turn in (
            (along * w, h * 0.037, 0),
            (along * w, h * 0.963, 0),
            (w * 0.037, along * h, 90),
            (w * 0.963, along * h, 90),
        ):
            blank.lay(_NOTCH[family]("cream"), x, y, w * 0.022, turn)


def _land(face: Face, size_mm: tuple[float, float], px_per_mm: float, style: TileStyle) -> Image:
    """Draw a land, its name, and the bonus that it gives."""
    w, h = size_mm
    land = face.land or ""
    blank, rim = Blank(size_mm, px_per_mm, LAND_GROUNDS[land]), 0.075 if style.borders else 0.035
    foot = 0.905 - rim  # the bonus, in the middle of what the frame leaves of the strip
    blank.lay(LANDS[land], w * 0.5, h * (0.479 - 0.4 * rim), w * (0.3715 - 0.9 * rim))
    blank.lay(signs.panel("cream", w * 0.6, h * 0.2, 0.1, 12.0), w * 0.5, h * (1.02 - rim))
    blank.word(land.replace("-", " ").title(), w * 0.5, h * (0.07 + rim), h * 0.055, "ink", w * 0.8)
    if land in BONUS:
        blank.lay(signs.FOOD[BONUS[land]], w * 0.35, h * foot, w * 0.085)
    if land in LAND_POINTS:
        blank.word(LAND_POINTS[land], w * (0.6 if land in BONUS else 0.5), h * foot, h * 0.1)
    if land == "rocky-area":
        blank.lay(signs.CONDITION["rocky"], w * 0.5, h * foot, w * 0.085)
    blank.frame(w * rim, w * 0.06, "tan" if style.borders else "snow")
    return blank.picture()


RESEARCH_GROUNDS = {
    "carnivore": "coral",
    "herbivore": "leaf",
    "omnivore": "lilac",
    **{family: signs.FAMILY_COLOURS[family] for family in FAMILIES},
    "day": "sun",
    "night": "night",
    "evening": "dusk",
    "all": "fog",
    "families": "cocoa",
}


def research(one: ResearchTile, size_mm: tuple[float, float], px_per_mm: float) -> Image:
    """Draw a research tile: whom to enclose, for how much each; a condition as a scene at the foot; its points."""
    w, h = size_mm
    category, _, each = one.target.partition(":")
    blank = Blank(size_mm, px_per_mm, RESEARCH_GROUNDS.get(category, "fog"))
    blank.lay(signs.panel("snow", w * 0.42, h * 0.41, w * 0.05, 10.0), w * 0.5, h * 0.525)
    blank.lay(signs.panel("slate", w * 0.16, h * 0.045, w * 0.03, 10.0), w * 0.5, h * 0.1)
    high = one.condition is not None
    _target(blank, category, w * 0.32, h * (0.37 if high else 0.5), w * (0.17 if high else 0.22))
    blank.word("x" + each, w * 0.7, h * (0.36 if high else 0.4), h * (0.14 if high else 0.17), "ink", w * 0.34)
    if one.condition == "rocky":
        blank.lay(_range(w, h))
    elif one.condition == "edge":
        blank.lay(
            band(
                "cocoa", (w * 0.035, w * 0.035), (-0.1 * w, 0.82 * h), (w * 0.5, h * 0.7), (1.1 * w, 0.82 * h), lift=10
            )
        )
        blank.lay(signs.CONDITION["edge"][-1:], w * 0.4, h * 0.69, w * 0.15)
    blank.badge(str(one.points), w * 0.8, h * 0.82, w * 0.125, "sun")
    return blank.picture()


def _range(w: float, h: float) -> Drawing:
    """Return a range of rocks along the foot."""
    near = [(0, 1.1), (0, 0.8), (0.12, 0.68), (0.26, 0.86), (0.42, 0.72), (0.6, 0.92), (1.0, 0.84), (1.0, 1.1)]
    far = [(0, 1.1), (0, 0.86), (0.26, 0.58), (0.42, 0.76), (0.62, 0.62), (0.86, 0.84), (1.0, 0.72), (1.0, 1.1)]
    return tuple(Shape(sharp(ridge) * (w, h), paper, 10.0) for ridge, paper in ((far, "slate"), (near, "coal")))


def _target(blank: Blank, category: str, x_mm: float, y_mm: float, radius_mm: float) -> None:
    """Lay the signs of whom to enclose about (x, y)."""
    every = {**signs.FOOD, **signs.FAMILY, **signs.ACTIVITY}
    if category in every:
        blank.lay(every[category], x_mm, y_mm, radius_mm)
    elif category == "families":
        for place, family in enumerate(FAMILIES):
            across, down = (place % 3 - 1, -0.4) if place < 3 else (place - 3.5, 0.4)
            blank.lay(signs.FAMILY[family], x_mm + across * radius_mm * 0.74, y_mm + down * radius_mm, radius_mm * 0.34)
    else:
        blank.word("ALL", x_mm, y_mm, radius_mm * 0.85, "ink", radius_mm * 1.9)


def research_back(size_mm: tuple[float, float], px_per_mm: float) -> Image:
    """Draw the back of the research tiles."""
    return back(size_mm, px_per_mm, "RESEARCH", "slate", size_mm[0] * 0.035)


def tile_back(size_mm: tuple[float, float], px_per_mm: float, style: TileStyle) -> Image:
    """Draw the back of the tiles."""
    return back(size_mm, px_per_mm, style.title, style.back_ground, size_mm[0] * 0.035)


def coin(name: str, worth: int, px_per_mm: float) -> Image:
    """Draw a coin, its number on it; one that is told by colour bears a sign of its own instead."""
    plain = name in PLAIN_COINS
    paper, sign = PLAIN_COINS.get(name, (COIN_PAPERS.get(worth, "mint"), ()))
    blank = Blank((COIN_MM, COIN_MM), px_per_mm, paper)
    half = COIN_MM / 2
    rim = {1: 0, 2: 8, 5: 12, 10: 18}.get(worth, 6)
    light = "snow" if name == "white" else mixed(paper, "snow", 0.4 if plain else 0.8)
    inside = signs.star(light, rim, 0.86)[0].outline if rim else signs.disc(light)[0].outline
    blank.lay((Shape(inside * (half * 0.8), light, 8.0),), half, half)
    if plain:
        blank.lay(tuple(Shape(s.outline, mixed(paper, "ink", 0.7), 0.0) for s in sign), half, half, half * 0.58)
    else:
        blank.word(str(worth), half, half, half * 0.72)
    return round_cut(blank.picture())


def _traits(face: Face) -> tuple[Drawing, Drawing, Drawing]:
    """Return the signs of a tile's food, family and hour."""
    return (
        signs.FOOD[face.food or FOODS[0]],
        signs.FAMILY[face.family or FAMILIES[0]],
        signs.ACTIVITY[face.activity or ACTIVITIES[0]],
    )
