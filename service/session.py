"""One game as it is played: a fold over stored events, through the rules' own ledger."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby
from typing import Any

from scoring.events import Corrected, Event, EventError, GameStarted, Redone, Undone, from_json, to_json
from scoring.ledger import Ledger, extended, happened, record
from scoring.paper_rounds import VICTORY_CARDS
from scoring.sheet import Problem
from service.store import Event as Stored
from service.store import Store, StoreDamagedError, StoreError

START, ACT, NOTE = "start", "act", "note"
"""Kinds of stored events: the set-up, what the ledger records, what is only remembered (a turn's target, a stash)."""


class RefusedError(ValueError):
    """What the rules or the session do not allow; one line."""

    def __init__(self, message: str, rule: str = "") -> None:
        super().__init__(message)
        self.rule = rule


_OF_THE_RECORD = (Corrected, Undone, Redone)


@dataclass(frozen=True, slots=True)
class Player:
    """A player. `id`: what the ledger calls them; in String Safari the label of their markers."""

    id: str
    name: str
    seat: int = 0
    colour: str | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """How a game was begun."""

    game: str
    deck: str | None
    players: tuple[Player, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    strings: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {**asdict(self), "players": [asdict(player) for player in self.players]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Setup:
        """Read it back."""
        players = tuple(Player(**player) for player in data["players"])
        return cls(data["game"], data["deck"], players, dict(data["options"]), dict(data["strings"]))


@dataclass(frozen=True)
class Play:
    """The fold: how a game stands. `standing`: the stored events behind the ledger's entries, one each."""

    game: str
    setup: Setup
    ledger: Ledger
    standing: tuple[Stored, ...] = ()
    undone: tuple[Stored, ...] = ()
    notes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @classmethod
    def begin(cls, event: Stored) -> Play:
        """Begin with a start event; RefusedError where the rules do not allow such a game."""
        setup = Setup.from_json(event.data["setup"])
        ledger = record(Ledger(), from_json(event.data["event"]))
        if isinstance(ledger, Problem):
            raise RefusedError(ledger.message, ledger.rule)
        return cls(event.game, setup, ledger, (event,))

    def after(self, event: Stored) -> Play:
        """Return how the game stands after one more stored event; RefusedError where it is not allowed."""
        if event.kind == NOTE:
            return replace(self, notes={**self.notes, str(event.data["about"]): event.data})
        act = from_json(event.data["event"])
        if isinstance(act, Undone) and len(self.ledger.entries) < 2:
            raise RefusedError("there is nothing to take back", "nothing-to-undo")
        ledger = record(self.ledger, act)
        if isinstance(ledger, Problem):
            raise RefusedError(ledger.message, ledger.rule)
        if isinstance(act, Undone):
            return replace(self, ledger=ledger, standing=self.standing[:-1], undone=(*self.undone, self.standing[-1]))
        if isinstance(act, Redone):
            return replace(self, ledger=ledger, standing=(*self.standing, self.undone[-1]), undone=self.undone[:-1])
        return replace(self, ledger=ledger, standing=(*self.standing, event), undone=())

    def after_all(self, events: Sequence[Stored]) -> Play:
        """Return how it stands after plain events of the game (`_plain`): as `after` one by one, copied once."""
        ledger = extended(self.ledger, [act for event in events if not isinstance(act := _act(event), _OF_THE_RECORD)])
        if isinstance(ledger, Problem):
            raise RefusedError(ledger.message, ledger.rule)
        return replace(self, ledger=ledger, standing=(*self.standing, *events), undone=())

    @property
    def happened(self) -> tuple[Event, ...]:
        """What happened, corrections in place of what they correct."""
        return happened(self.ledger.entries)


def fold(events: tuple[Stored, ...]) -> Play | None:
    """Return how a game stands after its events; None where there are none."""
    play: Play | None = None
    for plain, run in groupby(events, _plain):
        if plain and play is not None:
            play = play.after_all(tuple(run))
            continue
        for event in run:
            play = Play.begin(event) if play is None else play.after(event)
    return play


def _act(event: Stored) -> Event:
    return from_json(event.data["event"])


def _plain(event: Stored) -> bool:
    """Tell whether a stored event is something that happened, and no word about the record itself."""
    return event.kind == ACT and not isinstance(_act(event), _OF_THE_RECORD)


class Session:
    """The game that is played now, and what of it is on disk. Safe to use from several threads."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.play: Play | None = None
        self.on_change: Callable[[Stored | None], None] = lambda event: None
        self.trouble = ""  # why events are not on disk; empty: they are
        self._unsaved: list[tuple[Stored, bytes | None]] = []
        self._lock = threading.RLock()

    def resume(self) -> None:
        """Go on with the game last played, where there is one; StoreDamagedError where it makes no game."""
        games = self.store.games()
        try:
            self.play = fold(self.store.events(games[0])) if games else None
        except (AttributeError, LookupError, TypeError, ValueError) as error:  # whatever an event is not
            told = f"{self.store.path}: the game last played cannot be read ({error!r})"
            raise StoreDamagedError(f"{told}: move the file away and start again") from error

    def start(self, setup: Setup) -> None:
        """Begin a game. RefusedError."""
        event = started(setup)
        game = uuid.uuid4().hex[:12]
        data = {"setup": setup.to_json(), "event": to_json(event)}
        with self._lock:
            Play.begin(Stored(0, game, 0.0, START, data))  # refused before anything is written
            stored = self._keep(game, START, data, None)
            self.play = Play.begin(stored)
        self.on_change(stored)

    def act(self, event: Event, told: Mapping[str, Any] | None = None, evidence: bytes | None = None) -> Stored:
        """Record what happened; `told`: what the page and the export say of it. RefusedError."""
        return self._append(ACT, {"event": to_json(event), "told": dict(told or {})}, evidence)

    def note(self, about: str, **data: Any) -> Stored:
        """Remember something that is no entry of the ledger."""
        return self._append(NOTE, {"about": about, **data}, None)

    def undo(self) -> Stored:
        """Take the last entry back. RefusedError."""
        return self.act(Undone())

    def redo(self) -> Stored:
        """Let it stand again. RefusedError."""
        return self.act(Redone())

    def correct(self, seq: int, instead: Mapping[str, Any]) -> Stored:
        """Say what really happened at a stored event. RefusedError."""
        play = self._playing()
        at = next((k for k, event in enumerate(play.standing) if event.seq == seq), None)
        if at is None:
            raise RefusedError("this entry does not stand, so it cannot be corrected", "nothing-to-correct")
        try:
            event = from_json(dict(instead))
        except EventError as error:
            raise RefusedError(str(error), "no-such-event") from None
        if isinstance(event, GameStarted | Corrected | Undone | Redone):
            raise RefusedError("only what happened in the game can be corrected", "nothing-to-correct")
        return self.act(Corrected(at, event), {"corrects": seq})

    def _playing(self) -> Play:
        if self.play is None:
            raise RefusedError("no game has been begun", "not-started")
        return self.play

    def _append(self, kind: str, data: Mapping[str, Any], evidence: bytes | None) -> Stored:
        with self._lock:
            play = self._playing()
            play.after(Stored(0, play.game, 0.0, kind, data))  # refused before anything is written
            waited = bool(self._unsaved)
            stored = self._keep(play.game, kind, data, evidence)
            now_saved = waited and not self._unsaved  # what waited has its own numbers now
            self.play = fold(self.store.events(play.game)) if now_saved else play.after(stored)
        self.on_change(stored)
        return stored

    def _keep(self, game: str, kind: str, data: Mapping[str, Any], evidence: bytes | None) -> Stored:
        """Write an event; where the disk does not take it, play goes on and it is written with the next one."""
        try:
            for waiting, picture in list(self._unsaved):
                self.store.append(waiting.game, waiting.kind, waiting.data, picture, waiting.at)
                self._unsaved.pop(0)
            stored = self.store.append(game, kind, data, evidence)
            self.trouble = ""
            return stored
        except StoreError as error:
            self.trouble = str(error)
            stored = Stored(-len(self._unsaved) - 1, game, time.time(), kind, data)
            self._unsaved.append((stored, evidence))
            return stored

    @property
    def saved(self) -> bool:
        """Whether all that happened is on disk."""
        return not self._unsaved


def started(setup: Setup) -> GameStarted:
    """Return the ledger's first event for a set-up. RefusedError."""
    if len({player.id for player in setup.players}) < len(setup.players):
        raise RefusedError("two players have the same marker: choose another", "player-names")
    goal = setup.options.get("goal") or {}
    try:
        pairs = tuple((int(animals), int(n)) for animals, n in goal.items() if int(n) > 0)
    except (AttributeError, TypeError, ValueError, OverflowError):
        raise RefusedError("the goal names how many photos of how many animals", "goal") from None
    return GameStarted(
        setup.game,
        tuple(player.id for player in setup.players),
        children=bool(setup.options.get("children", False)),
        goal=pairs,
        victory_cards=_victory_cards(setup.options),
    )


def _victory_cards(options: Mapping[str, Any]) -> int:
    needed = options.get("victory_cards", VICTORY_CARDS)
    if not isinstance(needed, int):
        raise RefusedError("victory_cards is a whole number", "victory-cards")
    return needed
