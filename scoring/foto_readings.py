"""Kleine Fotosafari, read in several ways: the ring's animals, which way they look, and the photo's animals."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property

from scoring.answers import AWAY, NONE, TOWARDS, Answered
from scoring.certainty import FAINT, Asked, Choice, Doubt, Pooled, odds_of
from scoring.edition import Edition
from scoring.kleine_fotosafari import GAME, FotoSheet, animals, runs, score
from scoring.paper_readings import MOST_NAMED, named_so
from scoring.readings import either, label_doubt, limits_left, words
from scoring.rings import TURNED_AWAY_DEG, Place, find
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
        self._settled = cache(self._settle)
        self._by_card = {p.card.id: p for p in self.ring.places if p.card is not None}
        self.step = 1 if self.options.rule(GAME, "reading") == "outside" else -1
        found = dict(self._doubts())
        self.keys = tuple(found)
        self.doubts: tuple[Doubt, ...] = tuple(found.values())
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
        said = self._said(choices)
        places = [self._place(place, said) for place in self.ring.places]
        return tuple(self._verdict(photo, places, said) for photo in self.ring.claims)

    def _place(self, place: Place, said: Mapping[Key, Choice]) -> Place:
        card = place.card
        if card is None:
            return place
        label = card.label
        if ("label", card.id) in said or card.id in self.answered.known:
            animal = said.get(("label", card.id), label)
            label = NONE if animal is None else animal  # none of this deck: no photo shows it
        return self._settled(card.id, label, said.get(("turned", card.id), self.answered.turned.get(card.id)))

    def _settle(self, card_id: int, label: Choice, way: Choice) -> Place:
        """Return the place of a card with its animal and its turn as they are said."""
        place = self._by_card[card_id]
        if place.card is not None and place.card.label != label:
            place = replace(place, card=replace(place.card, label=label))
        return place if way is None else replace(place, turned_deg=0.0 if way == TOWARDS else 2 * TURNED_AWAY_DEG)

    def _verdict(self, photo: Piece, places: list[Place], said: Mapping[Key, Choice]) -> bool | None:
        if photo.id in self.answered.photos:
            return self.answered.photos[photo.id]
        word = said.get(("photo", photo.id), "")
        sequence = self._sequences[photo.id][word] if word else animals(photo, self.edition)
        if word is None or not sequence:
            return None
        tried = tuple(runs(places, len(sequence), self.step))
        if any(run.shows(sequence) for run in tried):
            return True
        return None if any(run.may_show(sequence) for run in tried) else False

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
