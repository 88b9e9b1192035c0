"""Kleine Fotosafari's verdicts: whether a photo's animals stand so in the ring, where, and why not."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.edition import Edition
from scoring.foto_problems import problems
from scoring.layout import TOWARDS_VIEWER
from scoring.options import Options
from scoring.rings import Place, Ring, find
from scoring.sheet import Line
from scoring.table import BACK, Piece, Point, Table

__all__ = ["GAME", "FotoSheet", "PhotoSheet", "problems", "score"]

GAME = "kleine-fotosafari"
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@dataclass(frozen=True, slots=True)
class PhotoSheet:
    """One photo claim: its animals left to right, where the ring has them. `valid`: None where that cannot be told."""

    piece: int
    sequence: tuple[str, ...] | None
    valid: bool | None
    starts: tuple[int, ...]
    lines: tuple[Line, ...]

    def to_json(self) -> dict[str, Any]:
        """Return it as the contract writes it."""
        return {
            "piece": self.piece,
            "sequence": None if self.sequence is None else list(self.sequence),
            "valid": self.valid,
            "starts": list(self.starts),
            "lines": [line.to_json() for line in self.lines],
        }


@dataclass(frozen=True, slots=True)
class FotoSheet:
    """The ring counter-clockwise seen from above, the claims and the pile's open card; None: there, but not known."""

    ring: tuple[str | None, ...]
    pieces: tuple[int | None, ...]
    photos: tuple[PhotoSheet, ...]
    pile: str | None

    def to_json(self) -> dict[str, Any]:
        """Return it as the contract writes it."""
        return {
            "ring": list(self.ring),
            "pieces": list(self.pieces),
            "photos": [p.to_json() for p in self.photos],
            "pile": self.pile,
        }

    def outcome(self) -> Hashable:
        """Return what counts: each claim's verdict."""
        return tuple((p.piece, p.valid) for p in self.photos)


def score(table: Table, edition: Edition, options: Options, near: Point = TOWARDS_VIEWER) -> FotoSheet:
    """Judge a table of Kleine Fotosafari. `near`: the direction on the table to the picture's bottom edge."""
    ring = find(table.pieces, near=near)
    step = 1 if options.rule(GAME, "reading") == "outside" else -1
    return FotoSheet(
        ring=tuple(p.label for p in ring.places),
        pieces=tuple(None if p.card is None else p.card.id for p in ring.places),
        photos=tuple(judge(card, ring, edition, step) for card in ring.claims),
        pile=pile_label(ring),
    )


def pile_label(ring: Ring) -> str | None:
    """Return the open card's animal; None where no card in the middle shows a face."""
    return ring.pile[0].label if ring.pile and ring.pile[0].label != BACK else None


def animals(photo: Piece, edition: Edition) -> tuple[str, ...] | None:
    """Return a photo card's animals, left to right: the deck's for its face, else as read from its picture."""
    if photo.label is not None and photo.label in edition.photos:
        return edition.photos[photo.label]
    return photo.sequence


def judge(photo: Piece, ring: Ring, edition: Edition, step: int) -> PhotoSheet:
    """Look for a photo's animals around the ring. `step`: 1 reads counter-clockwise seen from above, -1 clockwise."""
    sequence = animals(photo, edition)
    if not sequence:
        line = Line("photo-unread", 0, (photo.id,), "the photo card's animals are not known")
        return PhotoSheet(photo.id, None, None, (), (line,))
    found = tuple(run for run in runs(ring.places, len(sequence), step) if run.shows(sequence))
    if found:
        return PhotoSheet(photo.id, sequence, True, tuple(r.start for r in found), found_lines(photo, found))
    perhaps = next((r for r in runs(ring.places, len(sequence), step) if r.may_show(sequence)), None)
    if perhaps is not None:
        return PhotoSheet(photo.id, sequence, None, (), (unseen_line(photo, perhaps),))
    return PhotoSheet(photo.id, sequence, False, (), (why_not(photo, sequence, ring.places, step),))


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbours of the ring in reading order, from the place `start` on."""

    start: int
    places: tuple[Place, ...]

    @property
    def ids(self) -> tuple[int, ...]:
        """The cards that are seen in it."""
        return tuple(p.card.id for p in self.places if p.card is not None)

    def shows(self, sequence: Sequence[str]) -> bool:
        """Tell whether the animals are just these, in this order, and none turned away."""
        return all(p.label == want and not p.turned_away for p, want in zip(self.places, sequence, strict=True))

    def may_show(self, sequence: Sequence[str]) -> bool:
        """Tell whether they may be, if what is not known of them were so."""
        return all(
            p.label is None or (p.label == want and not p.turned_away)
            for p, want in zip(self.places, sequence, strict=True)
        )

    def agrees(self, sequence: Sequence[str]) -> tuple[int, int]:
        """Return how many animals are right, and how many of them before the first wrong one."""
        right = [p.label == want for p, want in zip(self.places, sequence, strict=True)]
        return sum(right), [*right, False].index(False)


def runs(places: Sequence[Place], length: int, step: int) -> Iterator[Run]:
    """Give every run of this length, over the ring's closing point too; none where the ring is shorter."""
    n = len(places)
    if length <= n:
        for start in range(n):
            yield Run(start, tuple([places[(start + step * k) % n] for k in range(length)]))


def found_lines(photo: Piece, found: Sequence[Run]) -> tuple[Line, ...]:
    """A photo whose animals stand so in the ring, in reading order, is right, wherever that is."""
    first, *others = found
    reason = f"found in the ring from place {first.start + 1} on"
    lines = [Line("photo-found", 1, (photo.id, *first.ids), reason)]
    lines += [Line("photo-found-too", 0, (photo.id, *r.ids), f"also from place {r.start + 1} on") for r in others]
    return tuple(lines)


def unseen_line(photo: Piece, run: Run) -> Line:
    """A photo that a card not seen or not known could make right is not judged."""
    return Line("photo-undecided", 0, (photo.id, *run.ids), "a card of the ring that is not known could make it right")


def why_not(photo: Piece, sequence: tuple[str, ...], places: Sequence[Place], step: int) -> Line:
    """Say why a photo is wrong: its animals mirrored, one turned away, or the first that differs where most agree."""
    if len(sequence) > len(places):
        reason = f"the photo shows {len(sequence)} animals, the ring has {len(places)}"
        return Line("photo-differs", 0, (photo.id,), reason)
    all_runs = tuple(runs(places, len(sequence), step))
    for run in all_runs:
        if [p.label for p in run.places] == list(sequence):
            away = next(p for p in run.places if p.turned_away)
            reason = f"right animals, but the {away.label}'s head is turned away from the middle"
            return Line("photo-turned-away", 0, (photo.id, *run.ids), reason)
    for run in runs(places, len(sequence), -step):
        if run.shows(sequence):
            return Line("photo-mirrored", 0, (photo.id, *run.ids), "right animals, mirrored")
    best = max(all_runs, key=lambda r: r.agrees(sequence))
    return Line("photo-differs", 0, (photo.id, *best.ids), difference(sequence, best))


def difference(sequence: Sequence[str], run: Run) -> str:
    """Name the first animal that differs: "third animal is a zebra, the photo shows a lion"."""
    at = run.agrees(sequence)[1]
    place = run.places[at]
    order = ORDINALS[at] if at < len(ORDINALS) else f"{at + 1}th"
    where = f"from place {run.start + 1} on, the {order} animal"
    if place.label is None:
        return f"{where} is not known, and others differ too: the photo shows {_a(sequence[at])} there"
    if place.label == BACK:
        return f"{where} lies face down, the photo shows {_a(sequence[at])}"
    return f"{where} is {_a(place.label)}, the photo shows {_a(sequence[at])}"


def _a(animal: str) -> str:
    return f"{'an' if animal[:1].lower() in 'aeiou' else 'a'} {animal}"
