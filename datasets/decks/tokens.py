"""Players' markers to print: a colour each, and a shape each, so that who sees colours alike tells them by their shape.

Every shape is of one colour all over and wide enough for a round patch of PATCH_MM: as a cube is read, so are these.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from decks.colour import parse
from decks.pdf import Page

Points = tuple[tuple[float, float], ...]

PATCH_MM = 9.0
EACH, STEP_MM = 6, 21.0
TOP_MM, LEFT_MM = 54.0, 62.0


def _regular(corners: int, radius_mm: float, turn_deg: float = 0.0) -> Points:
    turns = [math.radians(turn_deg + 360 * k / corners) for k in range(corners)]
    return tuple((radius_mm * math.sin(t), -radius_mm * math.cos(t)) for t in turns)


def _cross(reach_mm: float, half_mm: float) -> Points:
    arm = ((-half_mm, -reach_mm), (half_mm, -reach_mm), (half_mm, -half_mm))
    return tuple(
        (x * math.cos(t) - y * math.sin(t), x * math.sin(t) + y * math.cos(t))
        for t in (math.pi / 2 * k for k in range(4))
        for x, y in arm
    )


SHAPES: Mapping[str, Points] = {
    "disc": _regular(72, 7.0),
    "square": _regular(4, 9.0, 45),
    "triangle": _regular(3, 10.4),
    "bar": ((-9.0, -5.0), (9.0, -5.0), (9.0, 5.0), (-9.0, 5.0)),
    "cross": _cross(8.5, 3.4),
}
"""Outlines in mm about (0, 0), y down. However they are turned, none looks like another."""


def shapes(colours: Mapping[str, str]) -> dict[str, str]:
    """Return which shape each label has; from the sixth on they come again."""
    names = list(SHAPES)
    return {label: names[k % len(names)] for k, label in enumerate(colours)}


def sheet(page: Page, colours: Mapping[str, str]) -> None:
    """Draw EACH markers of every player on a page."""
    page.word("Markers", 20, 24, 6, bold=True)
    lines = (
        "Cubes of wood are better: these are for who has none.",
        "Glue the sheet on 2 mm cardboard, then cut them out. Each colour has a shape of its own.",
    )
    for k, line in enumerate(lines):
        page.word(line, 20, 32 + 6 * k, 4)
    for row, (label, shape) in enumerate(shapes(colours).items()):
        y_mm = TOP_MM + row * STEP_MM
        page.word(f"{label}: {shape}", 20, y_mm + 1.5, 4)
        for k in range(EACH):
            moved = [(LEFT_MM + k * STEP_MM + x, y_mm + y) for x, y in SHAPES[shape]]
            page.shape(moved, parse(colours[label]))
