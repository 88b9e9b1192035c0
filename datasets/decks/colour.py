"""Colours as a deck writes them: a name such as "dark brown", or "#rrggbb"."""

from __future__ import annotations

import re

from decks.error import DeckError

Bgr = tuple[int, int, int]
"""Blue, green, red, each 0 to 255."""

_NAMES: dict[str, Bgr] = {
    "black": (32, 30, 30),
    "white": (236, 238, 238),
    "gray": (140, 140, 138),
    "silver": (185, 185, 183),
    "brown": (60, 84, 115),
    "tan": (120, 165, 200),
    "beige": (185, 210, 225),
    "red": (40, 42, 190),
    "orange": (35, 120, 230),
    "yellow": (50, 205, 235),
    "olive": (50, 120, 120),
    "green": (70, 140, 50),
    "teal": (130, 130, 30),
    "cyan": (205, 195, 50),
    "turquoise": (190, 200, 70),
    "blue": (185, 95, 40),
    "navy": (95, 45, 30),
    "purple": (150, 55, 115),
    "violet": (175, 70, 130),
    "pink": (170, 130, 235),
    "magenta": (150, 40, 200),
}
_ALSO = {"grey": "gray", "lilac": "light purple", "gold": "dark yellow", "maroon": "dark red", "cream": "beige"}
_TONES = {"very dark": 0.4, "dark": 0.6, "light": 1.3, "pale": 1.35, "bright": 1.15}
_HEX = re.compile(r"#([0-9a-f]{6})")


def names() -> tuple[str, ...]:
    """Return every plain colour name; each may bear a tone before it, as "dark" or "light"."""
    return tuple(sorted(_NAMES))


def parse(text: str) -> Bgr:
    """Return the colour that `text` names, as BGR; DeckError where it names none."""
    words = re.sub(r"[-_\s]+", " ", text.strip().lower())
    if hexadecimal := _HEX.fullmatch(words):
        value = int(hexadecimal[1], 16)
        return value & 255, value >> 8 & 255, value >> 16
    plain = " ".join(_ALSO.get(word, word) for word in words.split(" "))
    tone = next((t for t in _TONES if plain.startswith(t + " ")), "")
    name = plain.removeprefix(tone).strip()
    if name not in _NAMES:
        tones = ", ".join(_TONES)
        raise DeckError(f'"{text}" is no colour: write "#rrggbb", or one of {", ".join(names())} (also with {tones})')
    blue, green, red = (_toned(value, _TONES.get(tone, 1.0)) for value in _NAMES[name])
    return blue, green, red


def is_colour(text: str) -> bool:
    """Return whether `text` names a colour."""
    try:
        parse(text)
    except DeckError:
        return False
    return True


def _toned(value: int, factor: float) -> int:
    """Darken by a factor below one, lighten towards white by one above."""
    return round(value * factor) if factor <= 1 else round(255 - (255 - value) * (2 - factor) * 0.8)
