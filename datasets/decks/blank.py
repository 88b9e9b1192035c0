"""A blank card whose units are mm, and what most faces share: frames, halos, hills, badges, backs."""

from __future__ import annotations

import math

import numpy as np

from decks import signs
from decks.lettering import write
from decks.paper import Drawing, Shape, Sheet, hole, mixed, moved, oval, sharp, smooth
from decks.picture import Image


class Blank:
    """A sheet of paper of a card's size."""

    def __init__(self, size_mm: tuple[float, float], px_per_mm: float, ground: str) -> None:
        """Start with an empty one."""
        self.width_mm, self.height_mm = size_mm
        self.px_per_mm, self.ground = px_per_mm, ground
        self._sheet = Sheet(round(size_mm[0] * px_per_mm), round(size_mm[1] * px_per_mm), ground)

    def lay(
        self, drawing: Drawing, x_mm: float = 0.0, y_mm: float = 0.0, radius_mm: float = 1.0, turn_deg: float = 0.0
    ) -> None:
        """Lay a drawing about (x, y), its unit `radius_mm` long, turned clockwise."""
        shapes = moved(drawing, 0, 0, radius_mm, turn_deg)
        self._sheet.lay(shapes, x_mm * self.px_per_mm, y_mm * self.px_per_mm, self.px_per_mm)

    def word(
        self, text: str, x_mm: float, y_mm: float, height_mm: float, colour: str = "ink", most_mm: float = 1e6
    ) -> None:
        """Write a word centred on (x, y), its capitals `height_mm` high, at most `most_mm` wide."""
        k = self.px_per_mm
        write(self._sheet, text, x_mm * k, y_mm * k, height_mm * k, colour, most_px=most_mm * k)

    def frame(self, edge_mm: float, corner_mm: float, colour: str = "snow", foot_mm: float | None = None) -> None:
        """Lay a frame on top, its window rounded; `foot_mm`: its breadth at the foot where it differs."""
        w, h, foot = self.width_mm, self.height_mm, edge_mm if foot_mm is None else foot_mm
        outer = sharp([(-5, -5), (w + 5, -5), (w + 5, h + 5), (-5, h + 5)])
        (window,) = signs.panel(colour, (w - 2 * edge_mm) / 2, (h - edge_mm - foot) / 2, corner_mm)
        inner = np.add(window.outline, (w / 2, (h + edge_mm - foot) / 2))
        self.lay((Shape(hole(outer, inner), colour, 20.0),))

    def scenery(self, x_mm: float, y_mm: float, halo_mm: float) -> None:
        """Lay a halo about (x, y) and two hills below it, in shades of the ground."""
        w, h = self.width_mm, self.height_mm
        self.lay((Shape(oval(x_mm, y_mm, halo_mm, halo_mm), mixed(self.ground, "snow", 0.5), 14.0),))
        far, near = mixed(self.ground, "night", 0.16), mixed(self.ground, "night", 0.32)
        for colour, left, middle, right in ((far, 0.74, 0.84, 0.7), (near, 0.9, 0.8, 0.88)):
            ridge = [(-0.2 * w, 1.3 * h), (-0.1 * w, left * h), (0.2 * w, (left + middle) / 2 * h - 0.02 * h)]
            ridge += [(0.55 * w, middle * h), (0.85 * w, right * h), (1.1 * w, right * h), (1.2 * w, 1.3 * h)]
            self.lay((Shape(smooth(ridge), colour, 16.0),))

    def badge(self, text: str, x_mm: float, y_mm: float, radius_mm: float, paper: str) -> None:
        """Lay a round badge with a number."""
        self.lay(signs.disc(paper, 1, 0.0), x_mm, y_mm, radius_mm)
        self.lay((Shape(oval(0, 0, radius_mm, radius_mm), paper, 14.0),), x_mm, y_mm)
        if text.startswith("-"):
            self.lay(signs.panel("ink", 0.22, 0.09, 0.02, 0.0), x_mm - radius_mm * 0.45, y_mm, radius_mm)
            self.word(text[1:], x_mm + radius_mm * 0.26, y_mm, radius_mm * 1.05, "ink", radius_mm)
        else:
            self.word(text, x_mm, y_mm, radius_mm * 1.05, "ink", radius_mm * 1.6)

    def banner(self, text: str, y_mm: float, height_mm: float, share: float = 0.62) -> None:
        """Lay a name on a ribbon with notched ends."""
        half, deep = self.width_mm * share / 2, height_mm / 2
        ends = [(-half, -deep), (half, -deep), (half - deep, 0), (half, deep), (-half, deep), (-half + deep, 0)]
        self.lay((Shape(sharp(ends), "cream", 14.0),), self.width_mm / 2, y_mm)
        self.word(text, self.width_mm / 2, y_mm, height_mm * 0.5, "ink", 2 * half - 3 * deep)

    def picture(self) -> Image:
        """Return what it shows, BGR."""
        return self._sheet.picture()


def back(
    size_mm: tuple[float, float], px_per_mm: float, title: str, ground: str, edge_mm: float, frame: str = "snow"
) -> Image:
    """Draw a back: rows of paws that all walk upwards, and the title on a ribbon."""
    blank = Blank(size_mm, px_per_mm, ground)
    w, h = size_mm
    step = min(w, h) / 4.2
    light, dark = mixed(ground, "snow", 0.22), mixed(ground, "night", 0.2)
    for row in range(math.ceil(h / step) + 1):
        for column in range(math.ceil(w / step) + 1):
            shift = step / 2 if row % 2 else 0.0
            colour = light if (row + column) % 2 else dark
            paw = tuple(Shape(s.outline, colour, 0.0) for s in signs.PAW)
            blank.lay(paw, column * step + shift, row * step, step * 0.3, -12 if column % 2 else 12)
    radius = min(w, h) * 0.27
    blank.lay((Shape(oval(w / 2, h * 0.44, radius, radius), "cream", 16.0),))
    blank.lay(tuple(Shape(s.outline, ground, 0.0) for s in signs.PAW), w / 2, h * 0.44, radius * 0.62)
    blank.banner(title, h * 0.8, max(h * 0.1, 4.0), share=0.78)
    blank.frame(edge_mm, edge_mm * 1.3, frame)
    return blank.picture()


def round_cut(image: Image) -> Image:
    """Return a disc's picture: what is outside the inscribed circle is bare white paper."""
    half = image.shape[0] / 2
    y, x = np.mgrid[: image.shape[0], : image.shape[1]] + 0.5
    inside = np.clip(half - np.hypot(x - half, y - half) + 0.5, 0, 1)[..., None]
    return np.asarray(image * inside + 255 * (1 - inside) + 0.5, np.uint8)
