"""What is read of a stash's pieces, and of the cubes on a table, beside what lies there plainly."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from decks.deck import Deck
from decks.picture import Image
from scoring.table import Table
from service.eyes import NoSuchGameError
from service.reading import seen_in
from synth.render import Labels
from vision.recogniser import Recogniser
from vision.stash import read_stash

SURE = 0.95
"""What is less likely is asked about, where it counts."""
LIKELIER = 0.5
"""A cube that is less likely than none is a question alone."""
PLAIN = 0.3
"""Of a piece: of what is less in view nobody can say what it is."""


@dataclass(frozen=True)
class Right:
    """How many pieces lay there plainly, how many were named right, what was missed or read too much; pieces asked."""

    there: int
    right: int
    told: str
    asked: int = 0

    @property
    def silent(self) -> bool:
        """Whether something is wrong, and nothing of its kind is asked about."""
        return bool(self.told) and not self.asked

    def __str__(self) -> str:
        asked = f" ({self.asked} asked)" if self.asked else ""
        return f"{self.right} of {self.there}{': ' + self.told if self.told else ''}{asked}"


def stash_read(image: Image, true: Table, seen: Labels, deck: Deck, recogniser: Recogniser) -> dict[str, Right]:
    """Read a stash; judge its coins and its research tiles."""
    pieces = read_stash(image, deck, recogniser)
    judged = {}
    for kind in ("research", "coin"):
        want = Counter(p.label for p in true.pieces if p.kind == kind and _plain(seen, p.id))
        have: Counter[str | None] = Counter(p.label for p in pieces if p.kind == kind and p.label is not None)
        asked = sum(p.kind == kind and p.probability < SURE for p in pieces)
        buried = Counter(p.label for p in true.pieces if p.kind == kind and not _plain(seen, p.id))
        judged[kind] = Right(want.total(), (want & have).total(), _differ(want - have, have - want - buried), asked)
    return judged


def _plain(seen: Labels, number: int) -> bool:
    return number in seen.pieces and seen.pieces[number].visible >= PLAIN


def _differ(missed: Counter[str | None], extra: Counter[str | None]) -> str:
    told = [f"missed {' '.join(map(str, missed.elements()))}"] if missed else []
    return ", ".join([*told, *([f"extra {' '.join(map(str, extra.elements()))}"] if extra else [])])


def markers_read(image: Image, true: Table, seen: Labels, deck: Deck, recogniser: Recogniser) -> Right:
    """Read a table; judge the cubes on its tiles by where they stand."""
    cubes = [p for p in true.pieces if p.kind == "marker" and _plain(seen, p.id)]
    try:
        read = seen_in(image, deck, recogniser)
    except NoSuchGameError as error:  # said, not silent: the picture shows too little
        return Right(len(cubes), 0, f"refused: {error}", len(cubes))
    markers = [p for p in read.table.pieces if p.kind == "marker"]
    found = [(p, np.mean(read.corners_px[p.id], axis=0)) for p in markers]
    wrong, taken = [], set()
    for cube in cubes:
        quad = seen.pieces[cube.id].corners_px
        near = [p for p, at in found if np.linalg.norm(at - quad.mean(axis=0)) < np.linalg.norm(quad[2] - quad[0])]
        taken |= {p.id for p in near}
        if [p.label for p in near] != [cube.label]:
            wrong.append(f"{cube.label} as {' '.join(str(p.label) for p in near) or 'nothing'}")
    extra = [f"extra {p.label}" for p in markers if p.id not in taken and p.probability > LIKELIER]
    asked = sum(p.probability < SURE for p in markers)
    return Right(len(cubes), len(cubes) - len(wrong), ", ".join(wrong + extra), asked)
