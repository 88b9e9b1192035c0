"""Measure strings' margins on rendered tables: python -m measuring.margins [--scenes 200] [--first 0] [--tilt 35].

Each table is photographed, read as any photograph, and every tile's margin to the research string is compared with the
true one: the share that lies within the stated 2 σ, and how many lie on the wrong side of contact and are said to be
certain. One line a scene, the figures at the end.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from decks.deck import Deck, find
from scoring.geometry import DOUBT_SIGMAS, Margin
from scoring.string_field import Survey
from scoring.table import Table
from synth.render import ROUNDED, Labels, Manner, picture
from synth.scene import scene
from vision.reader import Reading, read
from vision.recogniser import Recogniser

NEAR_MM = 25.0  # farther tiles decide nothing
SAME_PX = 12.0  # a find this near to a true tile's middle is that tile


@dataclass(frozen=True)
class Compared:
    """One tile's margins to the research string: as read, and true."""

    read: Margin
    true: Margin

    @property
    def within(self) -> bool:
        """Whether the true margin lies within the stated 2 σ."""
        return abs(self.read.mm - self.true.mm) <= DOUBT_SIGMAS * self.read.sigma_mm

    @property
    def silent(self) -> bool:
        """Whether contact was got wrong and said to be certain."""
        return self.read.contact != self.true.contact and not self.read.doubtful


def truth(table: Table) -> Mapping[int, Margin]:
    """Return the true margins by tile id, corners as round as they are rendered."""
    pieces = tuple(replace(p, corner_radius_mm=_radius_mm(p.outline_mm)) for p in table.pieces)
    return Survey(replace(table, pieces=pieces)).margins


def _radius_mm(outline_mm: tuple[tuple[float, float], ...]) -> float:
    corners = np.array(outline_mm)
    return ROUNDED["tile"] * float(np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1).min())


def compared(reading: Reading, labels: Labels, true: Mapping[int, Margin]) -> list[Compared]:
    """Pair the margins read with the true ones, of tiles near the string on either count."""
    survey = Survey(reading.table)
    middles = {k: labels.pieces[k].corners_px.mean(0) for k in true if k in labels.pieces}
    pairs = []
    for tile, margin in survey.margins.items():
        middle = reading.corners_px[tile].mean(0)
        nearest = min(middles, key=lambda k: float(np.linalg.norm(middles[k] - middle)), default=None)
        if nearest is not None and np.linalg.norm(middles[nearest] - middle) < SAME_PX:
            pairs.append(Compared(margin, true[nearest]))
    return [pair for pair in pairs if min(pair.read.mm, pair.true.mm) < NEAR_MM]


def measured(seed: int, deck: Deck, recogniser: Recogniser, manner: Manner) -> tuple[list[Compared], str]:
    """Measure one scene: its margins, and a line about it."""
    laid = scene(seed, "string-safari", deck)
    image, labels = picture(laid, deck, seed, manner)
    reading = read(image, deck, recogniser)
    pairs = compared(reading, labels, truth(laid.table))
    within = sum(pair.within for pair in pairs)
    silent = sum(pair.silent for pair in pairs)
    return pairs, f"{seed}: {within} of {len(pairs)} margins within 2 sigma, {silent} silent"


def main() -> None:
    """Measure scenes and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m measuring.margins", description=__doc__)
    parser.add_argument("--scenes", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--tilt", type=float, default=35.0)
    args = parser.parse_args()
    deck = find(None, "string-safari")
    recogniser = Recogniser(deck)
    manner = Manner(width=1280, height=720, most_tilt_deg=args.tilt)
    found: list[Compared] = []
    for seed in range(args.first, args.first + args.scenes):
        pairs, line = measured(seed, deck, recogniser, manner)
        found += pairs
        print(line, flush=True)
    count = max(len(found), 1)
    doubted = sum(pair.read.doubtful for pair in found)
    print(
        f"{len(found)} margins: {sum(p.within for p in found) / count:.3f} within 2 sigma, "
        f"{doubted / count:.3f} in doubt, {sum(p.silent for p in found)} silent"
    )


if __name__ == "__main__":
    main()
