"""What can happen in a game, as small frozen values with a plain JSON form each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from types import MappingProxyType
from typing import Any

MOST = 1_000_000
"""No number in a game comes near it."""


class EventError(ValueError):
    """JSON that is no event; the message is one line."""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game begins. `players`: in turn order, first player first; in Paper Safari by seat, then `first` starts.

    `children`: String Safari's rules for children. `research`: whether research tiles are recorded too; `row`: those
    that lie open. `goal`: Kleine Fotosafari's photos to take, (animals, how many) each; empty: the rulebook's.
    `victory_cards`: how many win Paper Safari.
    """

    game: str
    players: tuple[str, ...]
    first: str | None = None
    children: bool = False
    research: bool = False
    row: tuple[str, ...] = ()
    goal: tuple[tuple[int, int], ...] = ()
    victory_cards: int = 3


@dataclass(frozen=True, slots=True)
class RoundScored:
    """A round of Paper Safari ends: each player's total, and who wins it."""

    totals: Mapping[str, int]
    winners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PhotoTaken:
    """A player of Kleine Fotosafari called "Click!": the photo's animals, and whether they stand so in the ring."""

    player: str
    sequence: tuple[str, ...]
    right: bool = True


@dataclass(frozen=True, slots=True)
class TurnScored:
    """A turn of String Safari: its points, and the tile that the player's marker went on (None: on none)."""

    player: str
    points: int
    marked: str | None = None
    on_footprints: bool = False


@dataclass(frozen=True, slots=True)
class ResearchTaken:
    """A player of String Safari takes a research tile. `refill`: what came into the row in its place, where it did."""

    player: str
    tile: str
    from_row: bool = True
    refill: str | None = None


@dataclass(frozen=True, slots=True)
class FinalScored:
    """String Safari's final scoring: each player's total, and who wins."""

    totals: Mapping[str, int]
    winners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Corrected:
    """What was recorded as entry number `at` was wrong: this is what happened. The first entry is number 0."""

    at: int
    instead: GameEvent


@dataclass(frozen=True, slots=True)
class Undone:
    """The last entry is taken back."""


@dataclass(frozen=True, slots=True)
class Redone:
    """The entry that was taken back last stands again."""


GameEvent = GameStarted | RoundScored | PhotoTaken | TurnScored | ResearchTaken | FinalScored
Event = GameEvent | Corrected | Undone | Redone
_GAME: tuple[type[GameEvent], ...] = (GameStarted, RoundScored, PhotoTaken, TurnScored, ResearchTaken, FinalScored)
KINDS: Mapping[str, type[Event]] = MappingProxyType({c.__name__: c for c in (*_GAME, Corrected, Undone, Redone)})


def to_json(event: Event) -> dict[str, Any]:
    """Return an event as plain JSON values, its name under "event"."""
    found: dict[str, Any] = {"event": type(event).__name__}
    for f in fields(event):
        value = getattr(event, f.name)
        if isinstance(value, _GAME):
            value = to_json(value)
        elif isinstance(value, Mapping):
            value = dict(value)
        elif isinstance(value, tuple):
            value = [list(v) if isinstance(v, tuple) else v for v in value]
        found[f.name] = value
    return found


def from_json(data: object) -> Event:
    """Read an event; EventError where it is none."""
    if not isinstance(data, dict):
        raise EventError(f"expected an event, an object, got {type(data).__name__}")
    kind = KINDS.get(str(data.get("event")))
    if kind is None:
        raise EventError(f"no event is called {data.get('event')!r}; there are: {', '.join(KINDS)}")
    given = {str(k): v for k, v in data.items() if k != "event"}
    unknown = sorted(set(given) - {f.name for f in fields(kind)})
    if unknown:
        raise EventError(f"{kind.__name__} has no {', '.join(unknown)}")
    missing = [f.name for f in fields(kind) if f.name not in given and f.default is MISSING]
    if missing:
        raise EventError(f"{kind.__name__} lacks {', '.join(missing)}")
    return kind(**{name: _READERS[name](value, f"{kind.__name__}.{name}") for name, value in given.items()})


def _wrong(where: str, expected: str, value: object) -> EventError:
    return EventError(f"{where}: expected {expected}, got {str(value)[:30]!r}")


def _text(value: object, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise _wrong(where, "text", value)
    return value


def _text_or_none(value: object, where: str) -> str | None:
    return None if value is None else _text(value, where)


def _texts(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise _wrong(where, "a list of texts", value)
    return tuple(_text(v, where) for v in value)


def _flag(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise _wrong(where, "true or false", value)
    return value


def _whole(value: object, where: str) -> int:
    if type(value) is not int or abs(value) > MOST:
        raise _wrong(where, "a whole number", value)
    return value


def _totals(value: object, where: str) -> Mapping[str, int]:
    if not isinstance(value, dict):
        raise _wrong(where, "a whole number for each player", value)
    return MappingProxyType({_text(k, where): _whole(v, where) for k, v in value.items()})


def _goal(value: object, where: str) -> tuple[tuple[int, int], ...]:
    if not isinstance(value, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in value):
        raise _wrong(where, "[animals, how many] pairs", value)
    return tuple((_whole(animals, where), _whole(n, where)) for animals, n in value)


def _game_event(value: object, where: str) -> GameEvent:
    event = from_json(value)
    if not isinstance(event, _GAME):
        raise _wrong(where, "what happened in the game", type(event).__name__)
    return event


_READERS: Mapping[str, Callable[[object, str], Any]] = MappingProxyType(
    {
        **dict.fromkeys(("game", "player", "tile"), _text),
        **dict.fromkeys(("first", "marked", "refill"), _text_or_none),
        **dict.fromkeys(("players", "row", "sequence", "winners"), _texts),
        **dict.fromkeys(("children", "research", "right", "on_footprints", "from_row"), _flag),
        **dict.fromkeys(("points", "at", "victory_cards"), _whole),
        "totals": _totals,
        "goal": _goal,
        "instead": _game_event,
    }
)
