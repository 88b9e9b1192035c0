"""Caravan, a tiny fourth game: animals walk in one row, and like wants to walk beside like.

The rules, all of them:
  1. The cards lie face up in one row, read from left to right as the player sees it.
  2. Neighbours of one kind are a group: two score 1 point, three 3, four 6 (a point for each pair).
  3. A row that begins and ends with the same kind scores 2 more.

python docs/fourth-game/caravan.py PICTURE DECK reads a photograph of such a row, with any deck of faces.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from scoring.certainty import Choice, Pooled
from scoring.edition import Edition
from scoring.layout import TOWARDS_VIEWER, pose
from scoring.readings import label_doubt, limits_left, points_at_stake, weighed, words
from scoring.sheet import Answer, Line, Problem, Question
from scoring.table import BACK, Piece, Point, Table

GAME = "caravan"
OFF_THE_ROW = 0.5
"""A card whose centre is this many of its heights off the row's line does not lie in it."""
ENDS_ALIKE_POINTS = 2


@dataclass(frozen=True, slots=True)
class CaravanSheet:
    """A row's score. `row`: labels from left to right; `pieces`: their ids."""

    row: tuple[str | None, ...]
    pieces: tuple[int, ...]
    lines: tuple[Line, ...]

    @property
    def total(self) -> int:
        """The sum of the lines."""
        return sum(line.points for line in self.lines)

    def outcome(self) -> Hashable:
        """Return what counts."""
        return self.total

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        lines = [line.to_json() for line in self.lines]
        return {"row": list(self.row), "pieces": list(self.pieces), "total": self.total, "lines": lines}


def row(cards: Sequence[Piece], near: Point = TOWARDS_VIEWER) -> tuple[Piece, ...]:
    """Return the cards from left to right as the player sees them, who sits where `near` points. Rule 1."""
    right = (-near[1], near[0])
    return tuple(sorted(cards, key=lambda card: card.centre_mm[0] * right[0] + card.centre_mm[1] * right[1]))


def groups(cards: Sequence[Piece]) -> tuple[Line, ...]:
    """Score groups of one kind. Rule 2."""
    lines = []
    for label, run in groupby(cards, key=lambda card: card.label):
        ids = tuple(card.id for card in run)
        if len(ids) > 1 and label not in (None, BACK):
            lines.append(Line("group", math.comb(len(ids), 2), ids, f"{len(ids)} × {label} side by side"))
    return tuple(lines)


def ends(cards: Sequence[Piece]) -> tuple[Line, ...]:
    """Score a row that ends as it began. Rule 3."""
    if len(cards) < 2 or cards[0].label != cards[-1].label or cards[0].label in (None, BACK):
        return ()
    reason = f"the row begins and ends with {cards[0].label}"
    return (Line("ends-alike", ENDS_ALIKE_POINTS, (cards[0].id, cards[-1].id), reason),)


def sheet(cards: Sequence[Piece]) -> CaravanSheet:
    """Score a row."""
    named = tuple(card.label for card in cards)
    return CaravanSheet(named, tuple(card.id for card in cards), (*groups(cards), *ends(cards)))


def problems(cards: Sequence[Piece], near: Point = TOWARDS_VIEWER) -> tuple[Problem, ...]:
    """List all that rule 1 forbids."""
    found = [Problem("face-down", (c.id,), "a card lies face down") for c in cards if c.label == BACK]
    lying = [(card, place) for card in cards if (place := pose(card)) is not None]
    if lying:
        depths = [place.x * near[0] + place.y * near[1] for _, place in lying]
        middle = sorted(depths)[len(depths) // 2]
        for (card, place), depth in zip(lying, depths, strict=True):
            if abs(depth - middle) > OFF_THE_ROW * place.height_mm:
                found.append(Problem("off-the-row", (card.id,), f"{card.label} does not lie in the row"))
    return tuple(found)


class CaravanReadings:
    """A row with its doubts: what each card can be, and what then counts. `scoring.readings.Readings` asks for this."""

    def __init__(self, cards: Sequence[Piece], edition: Edition) -> None:
        labels = tuple(edition.faces)
        found = {card.id: label_doubt(card, labels, lambda label: label, GAME) for card in cards}
        self.cards = tuple(cards)
        self.doubts = tuple(doubt for doubt in found.values() if doubt is not None)
        counts = {label: face.count for label, face in edition.faces.items()}
        doubtful = {id_ for id_, doubt in found.items() if doubt is not None}
        self.limits: Mapping[Pooled, int] = limits_left(cards, counts, GAME, doubtful)

    def read(self, choices: Sequence[Choice]) -> tuple[Piece, ...]:
        """Return the row where the doubts are settled so."""
        said = {doubt.about: choice for doubt, choice in zip(self.doubts, choices, strict=True)}
        return tuple(replace(card, label=said.get(card.id, card.label)) for card in self.cards)

    def outcome(self, choices: tuple[Choice, ...]) -> Hashable:
        """Return what counts where the doubts are settled so."""
        return sheet(self.read(choices)).total

    def question(self, asked: Any) -> Question:
        """Put a doubt into words."""
        stakes = points_at_stake(asked.outcomes)
        return Question(asked.doubt.about, words(asked.choices), stakes, f"Which card is this? At stake: {stakes}.")


def judge(table: Table, edition: Edition, near: Point = TOWARDS_VIEWER) -> Answer:
    """Score a table: the sheet, what is wrong, and the questions that could change it."""
    cards = row([piece for piece in table.pieces if piece.kind == "card"], near)
    readings = CaravanReadings(cards, edition)
    verdict, questions = weighed(readings)
    best = readings.read(verdict.best)
    return Answer(GAME, sheet(best), problems(best, near), questions)


def main(picture: str, deck_name: str) -> None:
    """Read a photograph and print the sheet. Only here is anything seen: all above is pure."""
    from decks.deck import find
    from service.pictures import decode
    from vision.reader import read

    deck = find(deck_name, "any")
    reading = read(decode(Path(picture).read_bytes()), deck)
    answer = judge(reading.table, deck.edition, reading.near)
    for line in answer.to_json()["sheet"]["lines"]:
        print(f"{line['points']:+d}  {line['reason']}")
    for message in [p.message for p in answer.problems] + [q.message for q in answer.questions]:
        print(message)
    print(f"{answer.sheet.outcome()} points{'' if answer.certain else ', if the questions do not change it'}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
