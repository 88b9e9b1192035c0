"""String Safari in any order, also once it is over: turns, the end, taken back, put back, corrected."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from scoring.events import FinalScored, TurnScored
from service import boards
from service.session import Player, RefusedError, Session, Setup, fold
from service.store import Store
from tests.service.recording import Recording

PLAYERS = ("red", "blue", "yellow")
SETUP = Setup("string-safari", None, tuple(Player(colour, colour, 0, colour) for colour in PLAYERS))
TURNS = 18  # six rounds of three
Record = tuple[tuple[int, ...], tuple[int, ...] | None]  # the points of each turn, and the totals of the end


class Evenings(Recording):
    """The state is always the fold of what is stored, and counts what stands."""

    standing: Record

    @initialize(played=st.sampled_from([0, 1, TURNS - 1, TURNS]))
    def begin(self, played: int) -> None:
        """Begin a game, some turns of which are played."""
        self.session = Session(Store(":memory:"))
        self.session.start(SETUP)
        self.standing = ((), None)
        self.before, self.undone = [], []
        for _ in range(played):
            self.turn(2)

    @rule(points=st.integers(0, 20))
    def turn(self, points: int) -> None:
        """Score the turn of whose it is; refused once all rounds are played."""
        turns, end = self.standing
        event = TurnScored(PLAYERS[len(turns) % 3], points)
        if len(turns) == TURNS:
            with pytest.raises(RefusedError):
                self.session.act(event)
        else:
            self.session.act(event)
            self.entered(((*turns, points), end))

    @rule(points=st.integers(0, 9))
    def another_players_turn(self, points: int) -> None:
        """Be refused: it is not theirs."""
        with pytest.raises(RefusedError):
            self.session.act(TurnScored(PLAYERS[(len(self.standing[0]) + 1) % 3], points))

    @rule(totals=st.tuples(*[st.integers(0, 60)] * 3))
    def final(self, totals: tuple[int, ...]) -> None:
        """Score the end; refused before all rounds are played, and a second time."""
        turns, end = self.standing
        winners = tuple(p for p, total in zip(PLAYERS, totals, strict=True) if total == max(totals))
        event = FinalScored(dict(zip(PLAYERS, totals, strict=True)), winners)
        if len(turns) < TURNS or end is not None:
            with pytest.raises(RefusedError):
                self.session.act(event)
        else:
            self.session.act(event)
            self.entered((turns, totals))

    @precondition(lambda self: self.standing[0])
    @rule(data=st.data(), points=st.integers(0, 20))
    def correct(self, data: st.DataObject, points: int) -> None:
        """Say what a turn really brought, after the end too."""
        assert self.session.play is not None
        turns, end = self.standing
        at = data.draw(st.integers(0, len(turns) - 1))
        acts = [one for one in self.session.play.standing if one.data["event"]["event"] == TurnScored.__name__]
        instead: dict[str, Any] = {**acts[at].data["event"], "points": points}
        self.session.correct(acts[at].seq, instead)
        self.entered(((*turns[:at], points, *turns[at + 1 :]), end))

    @invariant()
    def state_is_the_fold(self) -> None:
        """The state equals the fold of the stored events, and counts the turns that stand."""
        play = self.session.play
        assert play is not None
        again = fold(self.session.store.events(play.game))
        assert again is not None
        board, (turns, end) = boards.board(play), self.standing
        assert boards.board(again) == board
        assert board["coins"] == {player: sum(turns[k::3]) for k, player in enumerate(PLAYERS)}
        assert boards.game_json(play, 0, True, frozenset())["finished"] == (end is not None)


Evenings.TestCase.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
TestEvenings = Evenings.TestCase
