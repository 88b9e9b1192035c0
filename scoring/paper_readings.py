"""Paper Safari, read in several ways: what each doubtful card of a grid can be."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from functools import cache

from scoring.answers import Answered
from scoring.certainty import Asked, Choice, Doubt, Pooled
from scoring.edition import Edition, face_of
from scoring.grids import find
from scoring.paper_safari import GAME, printed
from scoring.readings import either, label_doubt, limits_left, points_at_stake, words
from scoring.safari_card import COLUMNS, ROWS, best
from scoring.sheet import Question
from scoring.table import Piece, Point, Table

Player = tuple[bool, int, tuple[int, ...]]
"""Whether all six lie open, what shows, and the values from the highest down."""


class PaperReadings:
    """A round's table with the doubts of its grids' cards. The layout does not depend on them."""

    def __init__(self, answered: Answered, edition: Edition, near: Point) -> None:
        self.table, self.options, self.edition = answered.table, answered.options, edition
        self.laid = find(self.table.pieces, near)
        named = {
            card.id: doubt
            for grid in self.laid.grids
            for card in grid.cards
            if card.id not in answered.known
            and (doubt := label_doubt(card, tuple(edition.faces), self._matters, "faces"))
        }
        self.ids = tuple(named)
        self.doubts: tuple[Doubt, ...] = tuple(named.values())
        self._here = [
            [k for k, i in enumerate(self.ids) if any(card.id == i for card in grid.cards)] for grid in self.laid.grids
        ]
        counts = {label: face.count for label, face in edition.faces.items()}
        cards = [p for p in self.table.pieces if p.kind == "card"]
        self.limits: Mapping[Pooled, int] = limits_left(cards, counts, "faces", set(named)) if named else {}
        self._player = cache(self._scored)

    def _matters(self, label: Choice) -> Hashable:
        face = face_of(self.edition, label)
        return label if face is None else (face.value, face.copies_neighbour)

    def _scored(self, seat: int, named: tuple[Choice, ...]) -> Player:
        """Return a player's score where the doubtful cards of this seat, in the order of `_here`, are so."""
        grid = self.laid.grids[seat]
        said = dict(zip((self.ids[k] for k in self._here[seat]), named, strict=True))
        cards = {
            (r, c): replace(card, label=said.get(card.id, card.label))
            for r, row in enumerate(grid.rows)
            for c, card in enumerate(row)
            if card is not None
        }
        bears = printed(cards, self.edition)
        choice = best(bears, bool(self.options.rule(GAME, "equal_columns_cancel_negatives")))
        return len(bears) == ROWS * COLUMNS, choice.total, choice.ranks

    def outcome(self, choices: tuple[Choice, ...]) -> Hashable:
        """Return what counts where the doubts are settled so: each player's total, and who wins."""
        players = [self._player(seat, tuple([choices[k] for k in here])) for seat, here in enumerate(self._here)]
        totals = tuple([(complete, total) for complete, total, _ in players])
        if not players or not all(complete for complete, _ in totals):
            return totals, ()
        low = min([total for _, total in totals])
        ranks = max([ranks for _, total, ranks in players if total == low])
        return totals, tuple([i for i, (_, total, own) in enumerate(players) if total == low and own == ranks])

    def read(self, choices: tuple[Choice, ...]) -> Table:
        """Return the table where the doubts are settled so."""
        return named_so(self.table, dict(zip(self.ids, choices, strict=True)))

    def question(self, asked: Asked) -> Question:
        """Put a doubt into words."""
        stakes, choices = stakes_of(asked.outcomes), words(asked.choices)
        which = f": {either(choices)}" if len(choices) <= MOST_NAMED else ""
        return Question(asked.doubt.about, choices, stakes, f"Which card is this{which}? At stake: {stakes}.")


MOST_NAMED = 5
"""More choices than this are not read out in a sentence."""


def named_so(table: Table, labels: Mapping[int, Choice]) -> Table:
    """Return a table with these pieces' labels replaced."""
    if not labels:
        return table
    return replace(table, pieces=tuple(_named(p, labels) if p.id in labels else p for p in table.pieces))


def _named(piece: Piece, labels: Mapping[int, Choice]) -> Piece:
    return replace(piece, label=labels[piece.id])


def stakes_of(outcomes: tuple[Hashable, ...]) -> str:
    """Say which totals and which winner are at stake."""
    read = [o for o in outcomes if isinstance(o, tuple)]
    texts = []
    for seat in range(len(read[0][0])):
        shown = [totals[seat] for totals, _ in read]
        totals = [total if complete else None for complete, total in shown]
        if len(set(totals)) > 1:
            texts.append(f"{points_at_stake(totals, 'no total')} at seat {seat}")
        elif len(set(shown)) > 1:
            texts.append(f"{points_at_stake([total for _, total in shown])} that lie open at seat {seat}")
    if len({winners for _, winners in read}) > 1:
        texts.append("who wins")
    return " and ".join(texts)
