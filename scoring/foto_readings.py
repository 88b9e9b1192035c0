"""Kleine Fotosafari, read in several ways: the ring's animals, which way they look, and the photo's animals."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property, reduce
from operator import and_

from scoring.answers import AWAY, NONE, TOWARDS, Answered
from scoring.certainty import FAINT, Asked, Choice, Doubt, Pooled, odds_of
from scoring.edition import Edition
from scoring.kleine_fotosafari import GAME, FotoSheet, Run, animals, score
from scoring.paper_readings import MOST_NAMED, named_so
from scoring.readings import either, label_doubt, limits_left, words
from scoring.rings import RING_SIZE, TURNED_AWAY_DEG, Place, find
from scoring.sheet import Question
from scoring.table import Piece, Point, Table

Key = tuple[str, int]
"""("label" | "turned" | "photo", piece id)."""


class FotoReadings:
    """A table with a photo claim and the doubts of its ring and its photo. The ring's places do not depend on them."""

    def __init__(self, answered: Answered, edition: Edition, near: Point) -> None:
        self.table, self.options, self.edition, self.near = answered.table, answered.options, edition, near
        self.answered = answered
        self.ring = find(self.table.pieces, near=near)
        self._fits, self._certain = cache(self._starts), cache(self._starts_elsewhere)
        self.step = 1 if self.options.rule(GAME, "reading") == "outside" else -1
        found = dict(self._doubts())
        self.keys = tuple(found)
        self.doubts: tuple[Doubt, ...] = tuple(found.values())
        self._index = {key: k for k, key in enumerate(self.keys)}
        self._open = tuple(self._open_places())
        counts = {label: face.count for label, face in edition.faces.items()}
        cards = [p for p in self.table.pieces if p.kind == "card"]
        named = {i for kind, i in self.keys if kind == "label"}
        self.limits: Mapping[Pooled, int] = limits_left(cards, counts, "faces", named) if named else {}

    def _doubts(self) -> Iterator[tuple[Key, Doubt]]:
        for place in self.ring.places:
            card = place.card
            if card is None:
                continue
            doubt = label_doubt(card, tuple(self.edition.faces), lambda label: label, "faces")
            if doubt is not None and card.id not in self.answered.known:
                yield ("label", card.id), doubt
            unread = card.label is None and place.turned_away  # nor is its printed up known then
            if (place.doubtful or unread) and card.id not in self.answered.turned:
                ways: tuple[Choice, ...] = (AWAY, TOWARDS) if place.turned_away else (TOWARDS, AWAY)
                yield ("turned", card.id), Doubt(card.id, ways, (1.0, 1.0), ways)
        for photo in self.ring.claims:
            if photo.id not in self.answered.known:
                yield from self._of_photo(photo)

    def _of_photo(self, photo: Piece) -> Iterator[tuple[Key, Doubt]]:
        readings = dict(self._shown(photo))
        chances: dict[Choice, float] = {_spoken(s): p for s, p in readings.items()}
        left = 1.0 - sum(chances.values())
        if chances and left >= FAINT:
            chances[None] = left  # it shows something else
        if len(chances) > 1:
            choices = tuple(chances)
            yield ("photo", photo.id), Doubt(photo.id, choices, odds_of(list(chances.values())), choices)

    def _shown(self, photo: Piece) -> Iterator[tuple[tuple[str, ...], float]]:
        """Give the sequences that a photo card may show, with their probabilities."""
        read = animals(photo, self.edition)
        others = [(self.edition.photos[label], p) for label, p in photo.candidates if label in self.edition.photos]
        others += photo.sequence_candidates
        if read is not None and all(s != read for s, _ in others):
            yield read, photo.probability
        yield from sorted(others, key=lambda pair: -pair[1])

    @cached_property
    def _sequences(self) -> Mapping[int, Mapping[str, tuple[str, ...]]]:
        return {p.id: {_spoken(s): s for s, _ in self._shown(p)} for p in self.ring.claims}

    def _said(self, choices: tuple[Choice, ...]) -> dict[Key, Choice]:
        return dict(zip(self.keys, choices, strict=True))

    def outcome(self, choices: tuple[Choice, ...]) -> Hashable:
        """Return what counts where the doubts are settled so: each claim's verdict; None where it cannot be told."""
        return tuple([self._verdict(photo, choices) for photo in self.ring.claims])

    def _verdict(self, photo: Piece, choices: tuple[Choice, ...]) -> bool | None:
        if photo.id in self.answered.photos:
            return self.answered.photos[photo.id]
        word = choices[self._index["photo", photo.id]] if ("photo", photo.id) in self._index else ""
        sequence = self._sequences[photo.id][word] if word else animals(photo, self.edition)
        if word is None or not sequence:
            return None
        if len(sequence) > len(self.ring.places):
            return None if self._too_few else False
        shows, perhaps = self._certain(sequence)
        for at, named, turned in self._open:
            label = "" if named is None else choices[named] or NONE
            way = None if turned is None else choices[turned]
            here, may_be_here = self._fits(at, label, way, sequence)
            shows, perhaps = shows & here, perhaps & may_be_here
            if not perhaps:
                break
        return bool(shows) if shows or not (perhaps or self._too_few) else None

    @cached_property
    def _too_few(self) -> bool:
        """Whether cards of the ring are not seen, more of them than its gaps seem to have room for."""
        places = self.ring.places
        return len(places) < RING_SIZE and any(place.card is None for place in places)

    def _open_places(self) -> Iterator[tuple[int, int | None, int | None]]:
        """Give each place of the ring whose card is in doubt, and which doubts are of its animal and of its turn."""
        for at, place in enumerate(self.ring.places):
            named, turned = [
                self._index.get((kind, place.card.id)) if place.card else None for kind in ("label", "turned")
            ]
            if (named, turned) != (None, None):
                yield at, named, turned

    def _starts_elsewhere(self, sequence: tuple[str, ...]) -> tuple[int, int]:
        """Return the starts of the photo, as bits, that the places without doubts leave: as `_starts`."""
        in_doubt = [at for at, *_ in self._open]
        left = [self._starts(at, "", None, sequence) for at in range(len(self.ring.places)) if at not in in_doubt]
        return reduce(and_, [shows for shows, _ in left], -1), reduce(and_, [perhaps for _, perhaps in left], -1)

    def _starts(self, at: int, label: str, way: Choice, sequence: tuple[str, ...]) -> tuple[int, int]:
        """Return the starts of the photo, as bits, at which a place shows its animal there, and at which it may.

        `label`: what the card is said to be, "" where that is not in doubt; `way`: likewise which way it looks.
        """
        place = self._as_said(self.ring.places[at], label, way)
        size = len(self.ring.places)
        shows = perhaps = (1 << size) - 1
        for k, want in enumerate(sequence):
            run = Run((at - self.step * k) % size, (place,))
            shows &= ~(0 if run.shows((want,)) else 1 << run.start)
            perhaps &= ~(0 if run.may_show((want,)) else 1 << run.start)
        return shows, perhaps

    def _as_said(self, place: Place, label: str, way: Choice) -> Place:
        """Return a place with its animal and its turn as they are said."""
        card = place.card
        if card is None:
            return place
        if not label and card.label is None and card.id in self.answered.known:
            label = NONE  # none of this deck: no photo shows it
        way = way or self.answered.turned.get(card.id)
        place = replace(place, card=replace(card, label=label)) if label else place
        return place if way is None else replace(place, turned_deg=0.0 if way == TOWARDS else 2 * TURNED_AWAY_DEG)

    def read(self, choices: tuple[Choice, ...]) -> Table:
        """Return the table where the doubts are settled so."""
        said = self._said(choices)
        table = named_so(self.table, {i: c for (kind, i), c in said.items() if kind == "label"})
        photos = {i: self._sequences[i][c] for (kind, i), c in said.items() if kind == "photo" and c is not None}
        if not photos:
            return table
        pieces = tuple(replace(p, label=None, sequence=photos[p.id]) if p.id in photos else p for p in table.pieces)
        return replace(table, pieces=pieces)

    def sheet(self, choices: tuple[Choice, ...]) -> FotoSheet:
        """Return the sheet where the doubts are settled so."""
        sheet = score(self.read(choices), self.edition, self.options, self.near)
        verdicts = self.outcome(choices)
        assert isinstance(verdicts, tuple)
        photos = tuple(
            p if p.valid == valid else replace(p, valid=valid, starts=(), lines=())
            for p, valid in zip(sheet.photos, verdicts, strict=True)
        )
        return replace(sheet, photos=photos)

    def question(self, asked: Asked) -> Question:
        """Put a doubt into words."""
        kind, i = self.keys[self.doubts.index(asked.doubt)]
        choices = words(c for c in asked.choices if kind != "photo" or c is not None)
        stakes = "whether the photo is right"
        which = f": {either(choices)}" if len(choices) <= MOST_NAMED else ""
        which += " or others" if kind == "photo" and None in asked.choices else ""
        asks = {
            "label": f"Which animal is this{which}?",
            "turned": "Does this animal's head point to the middle?",
            "photo": f"Which animals does the photo show, left to right{which}?",
        }
        return Question(i, choices, stakes, f"{asks[kind]} At stake: {stakes}.")

    def unanswered(self, sheet: FotoSheet) -> Iterator[Question]:
        """Ask for what no choice of a piece can settle: a photo not read at all, a place of the ring not seen."""
        for photo in sheet.photos:
            if photo.valid is None and photo.sequence is None:
                text = "Which animals does the photo card show, left to right, as in lion-zebra-lion?"
                yield Question(photo.piece, (), "whether the photo is right", text)
            elif photo.valid is None:
                text = "A place of the ring that is not seen decides this photo. Is it right?"
                yield Question(photo.piece, ("right", "wrong"), "whether the photo is right", text)


def _spoken(sequence: tuple[str, ...]) -> str:
    return "-".join(sequence) or NONE
