"""Paper Safari, read in several ways: what each doubtful card of a grid can be."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

from scoring.answers import Answered
from scoring.certainty import Asked, Choice, Doubt, Pooled
from scoring.edition import Edition, face_of
from scoring.grids import Grid, find
from scoring.paper_safari import GAME, printed
from scoring.readings import Choices, Picker, either, label_doubt, limits_left, picker, points_at_stake, words
from scoring.safari_card import PLACES, best
from scoring.sheet import Question
from scoring.table import Piece, Point, Table

Key = tuple[float, tuple[int, ...]]
"""Who has the least wins: a total, and its values from the highest down, negated."""
NO_TOTAL: Key = (-math.inf, ())
"""Of a player whose cards do not all lie open: nobody wins then."""
Player = tuple[tuple[bool, int], Key]
"""Whether all six lie open and what shows, and what decides the round."""


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
        self._seats = [self._seat(grid) for grid in self.laid.grids]
        counts = {label: face.count for label, face in edition.faces.items()}
        cards = [p for p in self.table.pieces if p.kind == "card"]
        self.limits: Mapping[Pooled, int] = limits_left(cards, counts, "faces", set(named)) if named else {}

    def _seat(self, grid: Grid) -> tuple[Picker, Callable[[Choices], Player]]:
        """Return what picks a seat's choices, and what scores them."""
        at = {i: k for k, i in enumerate(self.ids)}
        ids = [card.id for card in grid.cards if card.id in at]
        return picker([at[i] for i in ids]), cache(partial(self._scored, grid, ids))

    def _matters(self, label: Choice) -> Hashable:
        face = face_of(self.edition, label)
        return label if face is None else (face.value, face.copies_neighbour)

    def _scored(self, grid: Grid, ids: Sequence[int], named: Choices) -> Player:
        """Return a player's score where these cards, the doubtful ones of a grid, are so."""
        said = dict(zip(ids, named, strict=True))
        cards = [(place, grid.rows[place[0]][place[1]]) for place in PLACES]
        labels = {place: said.get(card.id, card.label) for place, card in cards if card is not None}
        bears = printed(labels, self.edition)
        choice = best(bears, bool(self.options.rule(GAME, "equal_columns_cancel_negatives")))
        if len(bears) < len(PLACES):
            return (False, choice.total), NO_TOTAL
        return (True, choice.total), (choice.total, tuple([-rank for rank in choice.ranks]))

    def outcome(self, choices: Choices) -> Hashable:
        """Return what counts where the doubts are settled so: each player's total, and who wins."""
        players = [scored(picked(choices)) for picked, scored in self._seats]
        totals = tuple([shown for shown, _ in players])
        keys = [key for _, key in players]
        first = min(keys, default=NO_TOTAL)
        return totals, () if first == NO_TOTAL else tuple([seat for seat, key in enumerate(keys) if key == first])

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
    for seat, each in enumerate(zip(*(totals for totals, _ in read), strict=True)):
        shown = dict.fromkeys(each)
        totals = dict.fromkeys(total if complete else None for complete, total in shown)
        if len(totals) > 1:
            texts.append(f"{points_at_stake(totals, 'no total')} at seat {seat}")
        elif len(shown) > 1:
            texts.append(f"{points_at_stake([total for _, total in shown])} that lie open at seat {seat}")
    if len({winners for _, winners in read}) > 1:
        texts.append("who wins")
    return " and ".join(texts)
