"""Paper Safari's score: each player's six cards, line by line, and who wins the round."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from scoring.edition import Edition
from scoring.grids import Grid, find
from scoring.layout import TOWARDS_VIEWER
from scoring.options import Options
from scoring.paper_problems import problems
from scoring.safari_card import COLUMNS, PLACES, ROWS, Choice, Place, Printed, best, neighbour
from scoring.sheet import Line
from scoring.table import BACK, Piece, Point, Table

__all__ = ["GAME", "PaperSheet", "PlayerSheet", "problems", "score"]

GAME = "paper-safari"


@dataclass(frozen=True, slots=True)
class PlayerSheet:
    """One player's cards as that player sees them, and what they count. `ranks`: its values from the highest down."""

    seat: int
    grid: tuple[tuple[str | None, ...], ...]
    pieces: tuple[tuple[int | None, ...], ...]
    complete: bool
    lines: tuple[Line, ...]
    ranks: tuple[int, ...]

    @property
    def visible_total(self) -> int:
        """The sum of what lies face up."""
        return sum(line.points for line in self.lines)

    @property
    def total(self) -> int | None:
        """The player's sum, once all six are face up."""
        return self.visible_total if self.complete else None

    def to_json(self) -> dict[str, Any]:
        """Return it as the contract writes it."""
        return {
            "seat": self.seat,
            "grid": [list(row) for row in self.grid],
            "pieces": [list(row) for row in self.pieces],
            "complete": self.complete,
            "total": self.total,
            "visible_total": self.visible_total,
            "lines": [line.to_json() for line in self.lines],
        }


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """A round's sheet."""

    players: tuple[PlayerSheet, ...]

    @property
    def complete(self) -> bool:
        """Whether every player's six cards are face up."""
        return bool(self.players) and all(p.complete for p in self.players)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that win the round; none until all cards are face up."""
        return best_in_tie(lowest_total(self.players)) if self.complete else ()

    @property
    def result(self) -> tuple[Line, ...]:
        """Why the winners win: a line a victory card."""
        return tuple(Line(self._rule, 1, (), self._reason(seat)) for seat in self.winners)

    @property
    def _rule(self) -> str:
        if len(lowest_total(self.players)) == 1:
            return "lowest-total"
        return "tie-highest-cards" if len(self.winners) == 1 else "tie-shared"

    def _reason(self, seat: int) -> str:
        low = lowest_total(self.players)
        text = f"seat {seat} has the lowest total, {low[0].total}"
        others = [str(p.seat) for p in low if p.seat != seat]
        if self._rule == "tie-highest-cards":
            text += f", as has seat {' and '.join(others)}, and more cards of the highest value that differs"
        if self._rule == "tie-shared":
            text += f", tied with seat {' and '.join(others)}, card for card with each winner: the round is shared"
        return text

    def to_json(self) -> dict[str, Any]:
        """Return it as the contract writes it; `result`: why the winners win."""
        return {
            "players": [p.to_json() for p in self.players],
            "winners": list(self.winners),
            "result": [line.to_json() for line in self.result],
        }

    def outcome(self) -> Hashable:
        """Return what counts: who is complete, the totals, what shows, the winners."""
        return tuple((p.seat, p.complete, p.visible_total) for p in self.players), self.winners


def lowest_total(players: tuple[PlayerSheet, ...]) -> tuple[PlayerSheet, ...]:
    """Return the players with the lowest total."""
    least = min(p.visible_total for p in players)
    return tuple(p for p in players if p.visible_total == least)


def best_in_tie(players: tuple[PlayerSheet, ...]) -> tuple[int, ...]:
    """Return the seats with more cards of the highest value, then of the next, and so on down; still equal: all."""
    most = max(p.ranks for p in players)
    return tuple(p.seat for p in players if p.ranks == most)


def score(table: Table, edition: Edition, options: Options, near: Point = TOWARDS_VIEWER) -> PaperSheet:
    """Score a table of Paper Safari. `near`: the direction on the table to the picture's bottom edge."""
    cancels = bool(options.rule(GAME, "equal_columns_cancel_negatives"))
    return PaperSheet(tuple(_player(grid, edition, cancels) for grid in find(table.pieces, near).grids))


def _player(grid: Grid, edition: Edition, cancel_negatives: bool) -> PlayerSheet:
    cards = {(r, c): card for r, row in enumerate(grid.rows) for c, card in enumerate(row) if card is not None}
    bears = printed({place: card.label for place, card in cards.items()}, edition)
    choice = best(bears, cancel_negatives)
    return PlayerSheet(
        seat=grid.seat,
        grid=tuple(tuple(None if c is None else c.label for c in row) for row in grid.rows),
        pieces=tuple(tuple(None if c is None else c.id for c in row) for row in grid.rows),
        complete=len(bears) == ROWS * COLUMNS,
        lines=_lines(cards, bears, choice),
        ranks=choice.ranks,
    )


def printed(labels: Mapping[Place, str | None], edition: Edition) -> Printed:
    """Return what each face-up card of the deck bears: its value, or that it copies a neighbour."""
    bears: dict[Place, int | None] = {}
    for place, label in labels.items():
        face = edition.faces.get(label) if label is not None and label != BACK else None
        if face is not None and face.copies_neighbour:
            bears[place] = None
        elif face is not None and face.value is not None:
            bears[place] = face.value
    return MappingProxyType(bears)


def _lines(cards: Mapping[Place, Piece], bears: Printed, choice: Choice) -> tuple[Line, ...]:
    """Return every line, column by column."""
    lines: list[Line] = []
    for column in range(COLUMNS):
        places = [p for p in PLACES if p[1] == column and p in bears]
        cancels = choice.cancels(column)
        if cancels:
            lines.append(equal_column(column, cards, choice))
        for place in places:
            if bears[place] is None:
                lines.append(safari_line(place, cards[place], bears, choice))
            elif not cancels:
                lines.append(card_line(cards[place], choice.values[place]))
        if not cancels:
            lines += kept_negatives(column, cards, choice)
    return tuple(lines)


def card_line(card: Piece, value: int) -> Line:
    """A card counts its value."""
    return Line("card-value", value, (card.id,), f"{card.label} counts {value}")


def equal_column(column: int, cards: Mapping[Place, Piece], choice: Choice) -> Line:
    """Two cards of the same value in a column make 0."""
    top, bottom = cards[0, column], cards[1, column]
    value = choice.values[0, column]
    reason = f"column {column + 1}: {top.label} and {bottom.label} are both worth {value} and make 0"
    if value < 0:
        reason += " (house rule equal_columns_cancel_negatives: true)"
    return Line("equal-column", 0, (top.id, bottom.id), reason)


def kept_negatives(column: int, cards: Mapping[Place, Piece], choice: Choice) -> tuple[Line, ...]:
    """By house rule, two equal negative cards keep their values: say so."""
    top, bottom = choice.values.get((0, column)), choice.values.get((1, column))
    if top is None or top != bottom:
        return ()
    reason = f"column {column + 1}: two cards worth {top} keep it (house rule equal_columns_cancel_negatives: false)"
    return (Line("equal-negatives-kept", 0, (cards[0, column].id, cards[1, column].id), reason),)


def safari_line(place: Place, card: Piece, bears: Printed, choice: Choice) -> Line:
    """A Safari card counts as its left or right neighbour, as suits its owner best."""
    value = choice.values.get(place)
    if value is None:
        return Line(
            "safari-copies", 0, (card.id,), f"{card.label} has no neighbour in its row with a value: it counts 0"
        )
    column = place[1]
    side = choice.sides[place]
    reason = f"{card.label} counts as {value}, like its {side} neighbour"
    if bears[neighbour(place, side)] is None:
        reason += ", which copies too"
    if choice.cancels(column):
        return Line("safari-copies", 0, (card.id,), f"{reason}, so that column {column + 1} makes 0")
    other = neighbour(place, "left" if side == "right" else "right")
    if other in choice.values and choice.values[other] != value:
        reason += f", rather than {choice.values[other]}"
    return Line("safari-copies", value, (card.id,), reason)
