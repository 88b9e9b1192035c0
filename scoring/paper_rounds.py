"""Paper Safari from round to round: when one ends, who gets victory cards, who starts the next, who wins the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.paper_safari import PaperSheet
from scoring.sheet import Line, Problem

VICTORY_CARDS = 3
"""Whoever has this many wins the game."""


@dataclass(frozen=True, slots=True)
class RoundResult:
    """How a round ended: its winners in seat order, why, and who starts the next round."""

    winners: tuple[str, ...]
    lines: tuple[Line, ...]
    next_first: str


def round_over(sheet: PaperSheet) -> bool:
    """The round ends when one of the players has all six cards face up; the others then turn theirs."""
    return any(p.complete for p in sheet.players)


def still_hidden(sheet: PaperSheet) -> tuple[int, ...]:
    """Return the seats that have to turn cards face up before the round is scored."""
    return tuple(p.seat for p in sheet.players if not p.complete) if round_over(sheet) else ()


def round_result(sheet: PaperSheet, players: Sequence[str], first: str) -> RoundResult | Problem:
    """Close a round. `players`: by seat; `first`: who started it. A Problem where the round cannot be closed yet."""
    if len(sheet.players) != len(players):
        text = f"{len(sheet.players)} grids lie on the table, {len(players)} players play"
        return Problem("players-and-grids", (), text)
    if not sheet.complete:
        seats = [players[p.seat] for p in sheet.players if not p.complete]
        return Problem("round-not-over", (), f"not all six cards are face up: {', '.join(seats)}")
    winners = tuple(players[seat] for seat in sheet.winners)
    return RoundResult(winners, sheet.result, next_first(winners, players, first))


def next_first(winners: Sequence[str], players: Sequence[str], first: str) -> str:
    """The round's winner starts the next; of several, the one next in turn after the player who started this one."""
    start = players.index(first) if first in players else -1
    return min(winners, key=lambda w: (players.index(w) - start - 1) % len(players))


def award(victories: Mapping[str, int], winners: Sequence[str]) -> dict[str, int]:
    """Each winner of a round receives a victory card."""
    return {p: n + (p in winners) for p, n in victories.items()} | {w: 1 for w in winners if w not in victories}


def game_winners(victories: Mapping[str, int], needed: int = VICTORY_CARDS) -> tuple[str, ...]:
    """The first player with three victory cards wins; several who reach them in one round share the game."""
    most = max(victories.values(), default=0)
    return tuple(p for p, n in victories.items() if n == most) if most >= needed else ()
