"""String Safari from turn to turn, as a state that events change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from scoring.events import FinalScored, GameEvent, GameStarted, ResearchTaken, TurnScored
from scoring.sheet import Problem
from scoring.string_problems import CHILDREN_MARKERS, MARKERS_EACH
from scoring.string_setup import RESEARCH_ROW


@dataclass(frozen=True, slots=True)
class StringState:
    """A game of String Safari.

    `turns`: how many turns are done. By player: `coins`, `markers` left, tiles `marked`, `research` tiles taken.
    `two_tiles`: who draws two animal tiles instead of one, after a marker on Footprints. `row`: the open research
    tiles; None where they are not recorded. `owes`: whether the last turn's player has yet to take a research tile.
    """

    players: tuple[str, ...]
    children: bool
    tracks_research: bool
    coins: Mapping[str, int]
    markers: Mapping[str, int]
    marked: Mapping[str, tuple[str, ...]]
    research: Mapping[str, tuple[str, ...]]
    row: tuple[str, ...] | None = None
    turns: int = 0
    owes: bool = False
    two_tiles: frozenset[str] = frozenset()
    totals: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    winners: tuple[str, ...] = ()

    @property
    def rounds(self) -> int:
        """How many rounds are played: as many as each player has markers."""
        return CHILDREN_MARKERS if self.children else MARKERS_EACH[len(self.players)]

    @property
    def prepared(self) -> bool:
        """Whether the preparation round is over: each player has taken a research tile."""
        return not self.tracks_research or all(self.research[p] for p in self.players)

    @property
    def round(self) -> int:
        """The round that is played, from 1; 0 in the preparation round."""
        return min(self.turns // len(self.players) + 1, self.rounds) if self.prepared else 0

    @property
    def last_round(self) -> bool:
        """Whether the last round is played: nobody draws or takes tiles any more."""
        return self.round == self.rounds

    @property
    def played(self) -> bool:
        """Whether all rounds are played, so that the final scoring is due."""
        return self.turns >= self.rounds * len(self.players)

    @property
    def current(self) -> str | None:
        """Whose turn it is; None once all rounds are played."""
        if not self.prepared:
            return next(p for p in self.players if not self.research[p])
        return None if self.played else self.players[self.turns % len(self.players)]

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "players": list(self.players),
            "children": self.children,
            "round": self.round,
            "rounds": self.rounds,
            "current": self.current,
            "coins": dict(self.coins),
            "markers": dict(self.markers),
            "marked": {p: list(tiles) for p, tiles in self.marked.items()},
            "research": {p: list(tiles) for p, tiles in self.research.items()},
            "row": None if self.row is None else list(self.row),
            "two_tiles": sorted(self.two_tiles),
            "totals": dict(self.totals),
            "winners": list(self.winners),
        }


def start(event: GameStarted) -> StringState | Problem:
    """Begin a game: markers by the number of players, no coins."""
    n = len(event.players)
    if not event.children and n not in MARKERS_EACH:
        return Problem("player-count", (), f"String Safari is for 3 to 5 players, not {n}")
    if event.children and event.research:
        return Problem("research-in-children-game", (), "the children's game has no research tiles")
    if event.row and len(event.row) != RESEARCH_ROW:
        return Problem("research-row", (), f"{len(event.row)} research tiles lie open, not {RESEARCH_ROW}")
    each = CHILDREN_MARKERS if event.children else MARKERS_EACH[n]
    none: dict[str, tuple[str, ...]] = dict.fromkeys(event.players, ())
    return StringState(
        players=event.players,
        children=event.children,
        tracks_research=event.research,
        coins=MappingProxyType(dict.fromkeys(event.players, 0)),
        markers=MappingProxyType(dict.fromkeys(event.players, each)),
        marked=MappingProxyType(none),
        research=MappingProxyType(none),
        row=event.row or None,
    )


def step(state: StringState, event: GameEvent) -> StringState | Problem:
    """Take one event into the state; a Problem where the rules forbid it."""
    if state.winners:
        return Problem("game-over", (), f"the game is over: {' and '.join(state.winners)} won")
    if isinstance(event, TurnScored):
        return _turn(state, event)
    if isinstance(event, ResearchTaken):
        return _research(state, event)
    if isinstance(event, FinalScored):
        return _final(state, event)
    return Problem("event-of-another-game", (), f"{type(event).__name__} is no event of String Safari")


def _turn(state: StringState, event: TurnScored) -> StringState | Problem:
    """A player takes a turn: coins, and a marker on an enclosed tile."""
    wrong = _not_now(state, event)
    if wrong is not None:
        return wrong
    player, markers, marked = event.player, state.markers, state.marked
    if event.marked is not None:
        markers = MappingProxyType({**markers, player: markers[player] - 1})
        marked = MappingProxyType({**marked, player: (*marked[player], event.marked)})
    two = state.two_tiles - {player} | ({player} if event.on_footprints and not state.last_round else frozenset())
    return replace(
        state,
        coins=MappingProxyType({**state.coins, player: state.coins[player] + event.points}),
        markers=markers,
        marked=marked,
        turns=state.turns + 1,
        owes=state.tracks_research and not state.last_round,
        two_tiles=two,
    )


def _not_now(state: StringState, event: TurnScored) -> Problem | None:
    if not state.prepared:
        return Problem("preparation-first", (), f"in the preparation round {state.current} takes a research tile first")
    if state.owes:
        return Problem("research-tile-due", (), f"{_before(state)} has yet to take a research tile")
    if state.played:
        return Problem("rounds-played", (), f"all {state.rounds} rounds are played: the final scoring is due")
    if event.player != state.current:
        return Problem("out-of-turn", (), f"it is the turn of {state.current}, not of {event.player}")
    if event.points < 0:
        return Problem("points-below-zero", (), f"a turn scores 0 points or more, not {event.points}")
    if event.on_footprints and event.marked is None:
        return Problem("no-marker", (), "a marker on footprints is a marker on a tile: name the tile")
    return None


def _before(state: StringState) -> str:
    return state.players[(state.turns - 1) % len(state.players)]


def _research(state: StringState, event: ResearchTaken) -> StringState | Problem:
    """A player takes a research tile, from the open row or from the deck, and the row is filled up."""
    if not state.tracks_research:
        return Problem("research-not-recorded", (), "this game was started without recording research tiles")
    if not state.prepared:
        due = state.current
    elif state.owes:
        due = _before(state)
    else:
        return Problem("no-research-tile-due", (), "a research tile is taken at the end of one's turn, once")
    if event.player != due:
        return Problem("out-of-turn", (), f"it is {due} who takes a research tile, not {event.player}")
    row = _row_after(state.row, event)
    if isinstance(row, Problem):
        return row
    taken = MappingProxyType({**state.research, event.player: (*state.research[event.player], event.tile)})
    return replace(state, research=taken, row=row, owes=False)


def _row_after(row: tuple[str, ...] | None, event: ResearchTaken) -> tuple[str, ...] | Problem | None:
    if row is None or not event.from_row:
        return row
    if event.tile not in row:
        return Problem("research-row", (), f"{event.tile} does not lie in the open row: {', '.join(row)}")
    at = row.index(event.tile)
    return (*row[:at], *((event.refill,) if event.refill else ()), *row[at + 1 :])


def _final(state: StringState, event: FinalScored) -> StringState | Problem:
    """All rounds are played: the most points win; in a tie, the tied player farthest from the first."""
    if not state.played:
        return Problem("rounds-left", (), f"round {state.round} of {state.rounds} is being played")
    if set(event.totals) != set(state.players):
        return Problem("players-and-totals", (), "every player has a total, and nobody else")
    most = max(event.totals.values())
    tied = tuple(p for p in state.players if event.totals[p] == most)
    due = tied if state.children else tied[-1:]
    if set(event.winners) != set(due):
        return Problem("most-points-win", (), f"with {most} points {' and '.join(due)} won")
    return replace(state, totals=event.totals, winners=due)
