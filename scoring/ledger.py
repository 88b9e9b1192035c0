"""A game as a ledger: entries in, state out. The state is a fold over what happened; nothing else is kept.

So undo, redo and correction cost nothing and cannot go wrong in their own way. An event that the rules forbid is
refused with the rule, as a Problem; the ledger is then as before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from scoring import foto_ledger, paper_ledger, string_ledger
from scoring.events import Corrected, Event, GameEvent, GameStarted, Redone, Undone
from scoring.foto_ledger import FotoState
from scoring.paper_ledger import PaperState
from scoring.sheet import Problem
from scoring.string_ledger import StringState

State = PaperState | FotoState | StringState
Entry = GameEvent | Corrected
_START = {
    "paper-safari": paper_ledger.start,
    "kleine-fotosafari": foto_ledger.start,
    "string-safari": string_ledger.start,
}


@dataclass(frozen=True, slots=True)
class Ledger:
    """What happened in one game.

    `entries` stand; `undone` were taken back, the next to redo last; `states`: how the game stood after each entry.
    """

    entries: tuple[Entry, ...] = ()
    undone: tuple[Entry, ...] = ()
    states: tuple[State, ...] = ()

    @property
    def state(self) -> State | None:
        """How the game stands; None before it has begun."""
        return self.states[-1] if self.states else None

    @property
    def game(self) -> str | None:
        """Which game it is."""
        first = happened(self.entries)[:1]
        return first[0].game if first and isinstance(first[0], GameStarted) else None

    def to_json(self) -> dict[str, Any]:
        """Return how the game stands as plain values; `undo`, `redo`: how many entries can be taken back, or again."""
        state = self.state
        standing = None if state is None else state.to_json()
        return {"game": self.game, "state": standing, "undo": len(self.entries), "redo": len(self.undone)}


def happened(entries: Iterable[Entry]) -> tuple[GameEvent, ...]:
    """Return what happened, corrections put in place of what they correct."""
    numbered: dict[int, GameEvent] = {}
    for at, entry in enumerate(entries):
        if isinstance(entry, Corrected):
            numbered[entry.at] = entry.instead
        else:
            numbered[at] = entry
    return tuple(numbered[at] for at in sorted(numbered))


def record(ledger: Ledger, event: Event) -> Ledger | Problem:
    """Return the ledger with one more event; a Problem, with the rule, where it is refused."""
    if isinstance(event, Undone):
        return _undo(ledger)
    if isinstance(event, Redone):
        return _redo(ledger)
    if isinstance(event, Corrected):
        return _correct(ledger, event)
    return extended(ledger, (event,))


def extended(ledger: Ledger, events: Iterable[GameEvent]) -> Ledger | Problem:
    """Return the ledger with all that happened next: as `record` one by one, but a long game is copied once."""
    entries, states = list(ledger.entries), list(ledger.states)
    for event in events:
        state = _next(states[-1] if states else None, event)
        if isinstance(state, Problem):
            return state
        entries.append(event)
        states.append(state)
    return Ledger(tuple(entries), (), tuple(states))


def replay(events: Iterable[Event]) -> Ledger | Problem:
    """Return the ledger of all events in order; the first Problem where one is refused."""
    ledger = Ledger()
    for event in events:
        result = record(ledger, event)
        if isinstance(result, Problem):
            return result
        ledger = result
    return ledger


def _next(state: State | None, event: GameEvent) -> State | Problem:
    if isinstance(event, GameStarted):
        return Problem("already-started", (), "the game has begun already") if state is not None else _start(event)
    if state is None:
        return Problem("not-started", (), f"{type(event).__name__}: the game has not begun")
    if isinstance(state, PaperState):
        return paper_ledger.step(state, event)
    if isinstance(state, FotoState):
        return foto_ledger.step(state, event)
    return string_ledger.step(state, event)


def _start(event: GameStarted) -> State | Problem:
    if event.game not in _START:
        return Problem("no-such-game", (), f"{event.game!r} is none of {', '.join(_START)}")
    if not event.players or len(set(event.players)) != len(event.players):
        return Problem("player-names", (), "every player has a name of their own")
    return _START[event.game](event)


def _undo(ledger: Ledger) -> Ledger | Problem:
    if not ledger.entries:
        return Problem("nothing-to-undo", (), "there is nothing to take back")
    *entries, last = ledger.entries
    return Ledger(tuple(entries), (*ledger.undone, last), ledger.states[:-1])


def _redo(ledger: Ledger) -> Ledger | Problem:
    if not ledger.undone:
        return Problem("nothing-to-redo", (), "nothing was taken back")
    *undone, entry = ledger.undone
    result = record(replace(ledger, undone=()), entry)
    return result if isinstance(result, Problem) else replace(result, undone=tuple(undone))


def _correct(ledger: Ledger, event: Corrected) -> Ledger | Problem:
    """Put another event in place of an earlier one; refused where what came after would then be forbidden."""
    if not 0 <= event.at < len(ledger.entries) or isinstance(ledger.entries[event.at], Corrected):
        return Problem("nothing-to-correct", (), f"no entry number {event.at} can be corrected")
    entries = (*ledger.entries, event)
    state: State | None = None
    for each in happened(entries):
        result = _next(state, each)
        if isinstance(result, Problem):
            return replace(result, message=f"corrected so, {type(each).__name__} would be refused: {result.message}")
        state = result
    assert state is not None  # the first entry began the game
    return Ledger(entries, (), (*ledger.states, state))
