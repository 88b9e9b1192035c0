"""Every figure that the decks know, by name."""

from __future__ import annotations

import numpy as np

from decks.beasts import BEASTS
from decks.creatures import CREATURES
from decks.paper import Drawing, moved
from decks.parts import Row
from decks.signs import star

FIGURES: dict[str, Row] = BEASTS | CREATURES


def figure(name: str) -> Drawing | None:
    """Return a figure, fitted into the square from -1 to 1; None where there is none of that name."""
    if name not in FIGURES:
        return None
    shapes = tuple(shape for part in FIGURES[name][1] for shape in part)
    places = np.concatenate([shape.outline for shape in shapes])
    low, high = places.min(axis=0), places.max(axis=0)
    scale = 2 / float((high - low).max())
    x, y = (-(low + high) / 2 * scale).tolist()
    return moved(shapes, x, y, scale)


def figure_or_star(name: str) -> Drawing:
    """Return a figure; a star where none is drawn of that name."""
    return figure(name) or star("slate")


def ground(name: str) -> str:
    """Return the colour of a figure's own paper."""
    return FIGURES[name][0] if name in FIGURES else "fog"
