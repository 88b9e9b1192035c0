"""Colours as a deck writes them: a name such as "dark brown", or "#rrggbb"."""

from __future__ import annotations

import re

from decks.error import DeckError

Bgr = tuple[int, int, int]
"""Blue, green, red, each 0 to 255."""

_NAMES_RGB: dict[str, tuple[int, int, int]] = {
    "black": (25, 25, 25),
    "white": (245, 245, 242),
    "gray": (128, 128, 128),
    "silver": (185, 187, 190),
    "red": (196, 40, 32),
    "orange": (232, 126, 34),
    "yellow": (240, 200, 40),
    "gold": (205, 160, 40),
    "green": (50, 140, 60),
    "lime": (140, 200, 50),
    "olive": (115, 115, 40),
    "teal": (30, 130, 130),
    "cyan": (60, 190, 210),
    "turquoise": (60, 190, 180),
    "blue": (35, 85, 175),
    "navy": (28, 38, 95),
    "purple": (110, 50, 140),
    "violet": (135, 85, 190),
    "magenta": (190, 45, 130),
    "pink": (236, 140, 170),
    "brown": (120, 75, 40),
    "beige": (215, 200, 165),
    "tan": (200, 165, 120),
    "cream": (240, 228, 200),
    "maroon": (110, 25, 35),
}
_SHADES = {
    "dark": 0.55,
    "deep": 0.7,
    "light": -0.45,
    "pale": -0.6,
}  # >0: towards black by that factor; <0: towards white
_HEX = re.compile(r"#([0-9a-f]{6})\Z")


def names() -> tuple[str, ...]:
    """Return every plain colour name; each may bear "dark", "deep", "light" or "pale" before it."""
    return tuple(sorted(_NAMES_RGB))


def parse(text: str) -> Bgr:
    """Return the colour that `text` names, as BGR; DeckError where it names none."""
    words = text.strip().lower().replace("grey", "gray").split()
    hexadecimal = _HEX.match("".join(words))
    if hexadecimal:
        value = int(hexadecimal.group(1), 16)
        return value & 255, value >> 8 & 255, value >> 16
    if not words or words[-1] not in _NAMES_RGB or len(words) > 2 or (len(words) == 2 and words[0] not in _SHADES):
        known = ", ".join(names())
        raise DeckError(
            f'"{text}" is no colour: write "#rrggbb" or one of {known} (also with dark, deep, light or pale)'
        )
    red, green, blue = _NAMES_RGB[words[-1]]
    shade = _SHADES[words[0]] if len(words) == 2 else 1.0
    if shade > 0:
        return round(blue * shade), round(green * shade), round(red * shade)
    return round(blue - shade * (255 - blue)), round(green - shade * (255 - green)), round(red - shade * (255 - red))


def is_colour(text: str) -> bool:
    """Return whether `text` names a colour."""
    try:
        parse(text)
    except DeckError:
        return False
    return True
