"""The signs of a face: traits, conditions, special cards. Each differs from its fellows in shape, not in colour alone.

Frame: x right, y down, about (0, 0), within -1 to 1.
"""

from __future__ import annotations

import math

from decks.paper import Drawing, Shape, fringe, hole, oval, sharp, smooth
from decks.parts import FLAT, band, blot, curve, cut, spot


def disc(colour: str, radius: float = 1.0, lift: float = 0.8) -> Drawing:
    """Return a round piece."""
    return (Shape(oval(0, 0, radius, radius), colour, lift),)


def panel(colour: str, width: float, height: float, corner: float, lift: float = 0.8) -> Drawing:
    """Return a rectangle of these half sides with rounded corners."""
    t = [k * math.pi / 16 for k in range(9)]
    quarter = [(width - corner + corner * math.sin(a), -height + corner - corner * math.cos(a)) for a in t]
    right = quarter + [(x, -y) for x, y in reversed(quarter)]
    return (Shape(sharp(right + [(-x, y) for x, y in reversed(right)]), colour, lift),)


def star(colour: str, points: int = 5, inner: float = 0.45, lift: float = 0.6) -> Drawing:
    """Return a star."""
    return (Shape(fringe(0.04, 1.0, 1.0 - inner, points), colour, lift),)


def footprint(colour: str) -> Drawing:
    """Return a paw's print."""
    pad = curve(
        colour, (0, -0.1), (0.5, 0.24), (0.56, 0.66), (0.2, 0.76), (-0.2, 0.76), (-0.56, 0.66), (-0.5, 0.24), lift=0.4
    )
    return pad + blot(0.26, -0.5, 0.2, 0.3, colour, 6, 0.4) + blot(0.7, -0.1, 0.18, 0.27, colour, 24, 0.4)


def _sun(colour: str) -> Drawing:
    return (Shape(fringe(0, 1.0, 0.34, 12), colour, 0.6), Shape(oval(0, 0, 0.5, 0.5), "cream", FLAT))


def _moon(colour: str) -> Drawing:
    tip, steps = math.radians(48), [k / 24 for k in range(25)]
    outside = [
        (math.cos(tip + (2 * math.pi - 2 * tip) * k), math.sin(tip + (2 * math.pi - 2 * tip) * k)) for k in steps
    ]
    far, high = math.cos(tip), math.sin(tip)  # the inner edge runs from tip to tip about (far, 0)
    inside = [(far - math.sin(math.pi * k) * 0.78, -high * math.cos(math.pi * k)) for k in steps]
    return (Shape(sharp(outside + inside) * 0.96 + (0.1, 0), colour, 0.6),)


def _setting_sun(colour: str) -> Drawing:
    t = [math.pi * k / 14 for k in range(15)]
    dome = [
        (-math.cos(a) * (0.95 if k % 2 else 0.66), 0.3 - math.sin(a) * (0.95 if k % 2 else 0.66))
        for k, a in enumerate(t)
    ]
    lines = [
        *cut(colour, (-0.95, 0.42), (0.95, 0.42), (0.95, 0.56), (-0.95, 0.56)),
        *cut(colour, (-0.6, 0.7), (0.6, 0.7), (0.6, 0.84), (-0.6, 0.84)),
    ]
    return (Shape(sharp(dome), colour, 0.6), *lines)


_LEAF = curve(
    "leaf", (0.8, -0.86), (0.72, 0.1), (0.1, 0.62), (-0.5, 0.56), (-0.56, -0.1), (-0.06, -0.64), lift=0.6
) + band("snow", (0.03, 0.06, 0.07), (0.5, -0.5), (-0.1, 0.1), (-0.8, 0.84))
_MEAT = (
    band("sand", (0.13, 0.13), (0.1, 0.1), (0.66, 0.66), lift=0.5)
    + spot(0.72, 0.5, 0.19, 0.19, "sand", 0.3) + spot(0.52, 0.74, 0.19, 0.19, "sand", 0.3)
    + curve("coral", (-0.8, -0.2), (-0.36, -0.84), (0.2, -0.66), (0.36, 0.1), (0.06, 0.4), (-0.6, 0.3), lift=0.6)
    + curve("rose", (-0.56, -0.24), (-0.3, -0.6), (-0.04, -0.5), (-0.16, -0.3))
)  # fmt: skip
_BOTH = (
    *disc("snow", 0.98, 0.6),
    Shape(
        sharp(
            [(-0.06 - math.sin(math.radians(a)) * 0.84, -math.cos(math.radians(a)) * 0.84) for a in range(0, 181, 6)]
        ),
        "coral",
        FLAT,
    ),
    Shape(smooth([(0.08, -0.82), (0.6, -0.56), (0.84, 0), (0.6, 0.56), (0.08, 0.82), (0.3, 0.0)]), "leaf", FLAT),
)
FOOD: dict[str, Drawing] = {"carnivore": _MEAT, "herbivore": _LEAF, "omnivore": _BOTH}
FAMILY_COLOURS = {"cat": "honey", "dog": "sea", "cow": "brick", "ape": "leaf", "special": "plum"}
FAMILY: dict[str, Drawing] = {
    "cat": footprint("honey"),
    "dog": (
        *band("sea", (0.22, 0.2, 0.22), (-0.5, 0.0), (0.0, 0.0), (0.5, 0.0), lift=0.5),
        *blot(0.62, -0.27, 0.29, 0.29, "sea", 0, 0.3),
        *blot(0.62, 0.27, 0.29, 0.29, "sea", 0, 0.3),
    ),
    "cow": (
        *band(
            "brick", (0.24, 0.2, 0.12, 0.0), (0.0, 0.0), (0.5, -0.02), (0.84, -0.3), (0.72, -0.84), lift=0.5, pair=True
        ),
        *curve("brick", (0, -0.2), (0.36, -0.04), (0.26, 0.6), (0.0, 0.88), (-0.26, 0.6), (-0.36, -0.04), lift=0.5),
        *blot(0.1, 0.58, 0.06, 0.08, "cream"),
    ),
    "ape": (
        *curve(
            "leaf",
            (-0.9, -0.56),
            (-0.7, -0.62),
            (-0.4, -0.1),
            (0.1, 0.12),
            (0.84, -0.04),
            (0.96, 0.12),
            (0.6, 0.66),
            (0.0, 0.86),
            (-0.6, 0.6),
            (-0.94, 0.0),
            lift=0.5,
        ),
        *band("pine", (0.1, 0.12), (-0.84, -0.84), (-0.8, -0.56), lift=0.3),
        *spot(0.93, 0.04, 0.11, 0.11, "pine"),
    ),
    "special": star("plum"),
}
ACTIVITY: dict[str, Drawing] = {"day": _sun("honey"), "night": _moon("night"), "evening": _setting_sun("coral")}
ACTIVITY_GROUNDS = {"day": "sky", "night": "night", "evening": "dusk"}

_PEAKS = (
    *cut("slate", (-1.0, 0.7), (-0.36, -0.5), (0.3, 0.7), lift=0.6),
    *cut("coal", (-0.3, 0.7), (0.34, -0.86), (1.0, 0.7), lift=0.6),
    *cut("snow", (0.12, -0.34), (0.34, -0.86), (0.58, -0.3), (0.4, -0.42), (0.28, -0.24)),
)
_EDGE = (
    *band("cocoa", (0.13, 0.13, 0.13), (-0.98, 0.5), (0.0, 0.22), (0.98, 0.5), lift=0.4),
    Shape(hole(oval(0, -0.3, 0.6, 0.6), oval(0, -0.3, 0.4, 0.4)), "slate", 0.5),
)
CONDITION: dict[str, Drawing] = {"rocky": _PEAKS, "edge": _EDGE}


EYE: Drawing = (
    *curve("snow", (-1, 0), (-0.4, -0.56), (0.4, -0.56), (1, 0), (0.4, 0.56), (-0.4, 0.56), lift=0.6),
    *spot(0, 0, 0.4, 0.42, "sea"),
    *spot(0, 0, 0.2, 0.22, "ink"),
)
PASS: Drawing = cut(
    "snow", (-0.95, 0), (-0.2, -0.7), (-0.2, -0.3), (0.95, -0.3), (0.95, 0.3), (-0.2, 0.3), (-0.2, 0.7), lift=0.6
)
BOTH_WAYS: Drawing = cut(
    "snow",
    (-1.0, 0),
    (-0.45, -0.62),
    (-0.45, -0.24),
    (0.45, -0.24),
    (0.45, -0.62),
    (1.0, 0),
    (0.45, 0.62),
    (0.45, 0.24),
    (-0.45, 0.24),
    (-0.45, 0.62),
    lift=0.6,
)
PAW = footprint("snow")
