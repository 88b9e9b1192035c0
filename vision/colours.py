"""Colours by name: what "dark brown" or "#c22a20" may look like in a picture."""

from __future__ import annotations

import re
from collections.abc import Mapping

BASE_BGR: Mapping[str, tuple[int, int, int]] = {
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
SPELLINGS: Mapping[str, str] = {
    "grey": "gray",
    "lilac": "light purple",
    "gold": "dark yellow",
    "maroon": "dark red",
    "cream": "beige",
}
TONES: Mapping[str, float] = {"very dark": 0.4, "dark": 0.6, "light": 1.3, "pale": 1.35, "bright": 1.15}
_HEX = re.compile(r"#([0-9a-fA-F]{6})")


class ColourError(ValueError):
    """A colour that is neither a known name nor "#rrggbb"."""


def bgr(colour: str) -> tuple[int, int, int]:
    """Return what a colour name ("dark brown", "gray") or "#rrggbb" stands for, BGR 0-255; ColourError if neither."""
    text = " ".join(colour.strip().lower().replace("-", " ").replace("_", " ").split())
    if match := _HEX.fullmatch(text):
        value = int(match.group(1), 16)
        return value & 255, value >> 8 & 255, value >> 16
    words = text.split(" ")
    text = " ".join(SPELLINGS.get(word, word) for word in words)
    for tone, factor in TONES.items():
        if text.startswith(tone + " ") and text[len(tone) + 1 :] in BASE_BGR:
            return _toned(BASE_BGR[text[len(tone) + 1 :]], factor)
    if text in BASE_BGR:
        return BASE_BGR[text]
    raise ColourError(
        f'"{colour}" is not a colour: write "#rrggbb", or one of {", ".join(sorted(BASE_BGR))}, '
        'with "dark" or "light" before it'
    )


def _toned(base: tuple[int, int, int], factor: float) -> tuple[int, int, int]:
    """Darken by a factor below one; lighten towards white by one above."""
    if factor <= 1:
        blue, green, red = (round(value * factor) for value in base)
    else:
        blue, green, red = (round(255 - (255 - value) * (2 - factor) * 0.8) for value in base)
    return blue, green, red
