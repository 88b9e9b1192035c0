"""A game as a fold over events: any order of acts, undos and redos, a full disk, a process that is killed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from scoring.events import PhotoTaken, RoundScored
from service import boards
from service.session import Player, RefusedError, Session, Setup, fold
from service.store import Store, StoreDamagedError, StoreFullError
from tests.service.recording import Recording

PAPER = Setup("paper-safari", None, (Player("p1", "Anna"), Player("p2", "Ben", 2)))
FOTO = Setup("kleine-fotosafari", None, (Player("p1", "Anna"), Player("p2", "Ben")), {"goal": {"3": 2}})


def session() -> Session:
    """Return a session that keeps nothing on disk."""
    return Session(Store(":memory:"))


@pytest.fixture
def one() -> Iterator[Session]:
    """Return such a session."""
    made = session()
    yield made
    made.store.close()


def score(one: Session, a: int, b: int) -> None:
    """Score a round of Paper Safari."""
    winners = ("p1",) if a < b else ("p2",) if b < a else ("p1", "p2")
    one.act(RoundScored({"p1": a, "p2": b}, winners))


class Evenings(RuleBasedStateMachine):
    """Play, take back, correct, in any order: the state is always the fold of what is stored."""

    @initialize()
    def begin(self) -> None:
        """Begin a game."""
        self.session = session()
        self.session.start(PAPER)
        self.stack: list[tuple[int, int]] = []
        self.undone: list[tuple[int, int]] = []

    def teardown(self) -> None:
        """Close what was begun."""
        self.session.store.close()

    def over(self) -> bool:
        """Whether somebody has won."""
        assert self.session.play is not None
        state = self.session.play.ledger.state
        assert state is not None
        return bool(state.winners)

    @rule(a=st.integers(-12, 60), b=st.integers(-12, 60))
    def play(self, a: int, b: int) -> None:
        """Score a round; refused after the end."""
        if self.over():
            with pytest.raises(RefusedError, match="over"):
                score(self.session, a, b)
        else:
            score(self.session, a, b)
            self.stack.append((a, b))
            self.undone = []

    @rule()
    def undo(self) -> None:
        """Take the last round back; the beginning stays."""
        if self.stack:
            self.session.undo()
            self.undone.append(self.stack.pop())
        else:
            with pytest.raises(RefusedError, match="nothing to take back"):
                self.session.undo()

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        """Let it stand again."""
        self.session.redo()
        self.stack.append(self.undone.pop())

    @invariant()
    def state_is_the_fold(self) -> None:
        """The state equals the fold of the stored events, and counts what was played."""
        play = self.session.play
        assert play is not None
        again = fold(self.session.store.events(play.game))
        assert again is not None
        assert boards.board(again) == boards.board(play)
        rounds = [tuple(r["totals"].values()) for r in boards.board(play)["rounds"]]
        assert rounds == self.stack
        assert len(play.standing) == len(play.ledger.entries)


class Claims(Recording):
    """Claim, take back, correct, also once somebody has won: the state is the fold, and counts what stands."""

    standing: list[tuple[str, bool]]  # who claimed, and whether they were right

    @initialize()
    def begin(self) -> None:
        """Begin a game that two photos win."""
        self.session = session()
        self.session.start(FOTO)
        self.standing, self.before, self.undone = [], [], []

    def winner(self, standing: list[tuple[str, bool]]) -> str | None:
        """Return who has two photos."""
        return next((p for p in ("p1", "p2") if sum(one == (p, True) for one in standing) >= 2), None)

    @rule(player=st.sampled_from(["p1", "p2"]), right=st.booleans())
    def claim(self, player: str, right: bool) -> None:
        """Claim a photo of three; refused after the end."""
        event = PhotoTaken(player, ("lion", "zebra", "lion"), right)
        if self.winner(self.standing) is not None:
            with pytest.raises(RefusedError, match="over"):
                self.session.act(event)
        else:
            self.session.act(event)
            self.entered([*self.standing, (player, right)])

    @precondition(lambda self: self.standing)
    @rule(data=st.data(), player=st.sampled_from(["p1", "p2"]), right=st.booleans())
    def correct(self, data: st.DataObject, player: str, right: bool) -> None:
        """Say that it was another player, or right or wrong, at any entry, after the end too."""
        assert self.session.play is not None
        at = data.draw(st.integers(0, len(self.standing) - 1))
        after = [*self.standing[:at], (player, right), *self.standing[at + 1 :]]
        acts = [e for e in self.session.play.standing if e.data["event"]["event"] == PhotoTaken.__name__]
        instead = {"event": "PhotoTaken", "player": player, "sequence": ["lion", "zebra", "lion"], "right": right}
        over_before_the_end = any(self.winner(after[:k]) for k in range(1, len(after)))
        if over_before_the_end:  # what came later could not have happened
            with pytest.raises(RefusedError):
                self.session.correct(acts[at].seq, instead)
        else:
            self.session.correct(acts[at].seq, instead)
            self.entered(after)

    @invariant()
    def state_is_the_fold(self) -> None:
        """The state equals the fold of the stored events, and counts the right claims that stand."""
        play = self.session.play
        assert play is not None
        again = fold(self.session.store.events(play.game))
        assert again is not None
        board = boards.board(play)
        assert boards.board(again) == board
        counted = {p: sum(one == (p, True) for one in self.standing) for p in ("p1", "p2")}
        assert {p: photos["3"] for p, photos in board["taken"].items()} == counted
        assert boards.game_json(play, 0, True, frozenset())["finished"] == (self.winner(self.standing) is not None)


Claims.TestCase.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
TestClaims = Claims.TestCase
Evenings.TestCase.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
TestEvenings = Evenings.TestCase


def test_an_empty_store_has_no_game(one: Session) -> None:
    one.resume()
    assert (one.play, fold(())) == (None, None)
    with pytest.raises(RefusedError, match="no game"):
        one.undo()


def test_a_correction_stands_in_the_place_of_what_was_wrong(one: Session) -> None:
    one.start(PAPER)
    score(one, 3, 9)
    assert one.play is not None
    seq = one.play.standing[-1].seq
    score(one, 1, 9)
    one.correct(seq, {"event": "RoundScored", "totals": {"p1": 9, "p2": 3}, "winners": ["p2"]})
    assert boards.board(one.play)["victories"] == {"p1": 1, "p2": 1}


def test_an_entry_that_was_taken_back_cannot_be_corrected(one: Session) -> None:
    one.start(PAPER)
    score(one, 3, 9)
    assert one.play is not None
    seq = one.play.standing[-1].seq
    one.undo()
    with pytest.raises(RefusedError, match="does not stand"):
        one.correct(seq, {"event": "RoundScored", "totals": {"p1": 9, "p2": 3}, "winners": ["p2"]})


def test_a_wrong_claim_is_recorded_and_costs_nothing(one: Session) -> None:
    one.start(FOTO)
    one.act(PhotoTaken("p1", ("lion", "zebra", "lion"), False))
    assert one.play is not None
    assert boards.board(one.play)["taken"] == {"p1": {"3": 0}, "p2": {"3": 0}}
    assert boards.log(one.play, frozenset())[-1]["text"] == "Anna called Click! wrongly: lion, zebra, lion"


def test_a_full_disk_stops_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "games.sqlite")
    one = Session(store)
    one.start(PAPER)
    real = store.append

    def full(*args: Any, **more: Any) -> Any:
        raise StoreFullError("the disk is full")

    monkeypatch.setattr(store, "append", full)
    score(one, 3, 9)
    score(one, 9, 3)
    assert one.play is not None
    assert boards.board(one.play)["victories"] == {"p1": 1, "p2": 1}
    assert (one.saved, one.trouble) == (False, "the disk is full")
    monkeypatch.setattr(store, "append", real)
    score(one, 3, 9)
    assert (one.saved, one.trouble) == (True, "")
    again = Session(store)
    again.resume()
    assert again.play is not None
    assert boards.board(again.play) == boards.board(one.play)
    assert all(event.seq > 0 for event in one.play.standing)
    store.close()


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("act", {}),
        ("act", {"event": {"event": "Unheard"}}),
        ("act", {"event": {"event": "RoundScored", "totals": {"p9": 1}, "winners": ["p9"]}}),
        ("note", {}),
        ("start", {"setup": {"game": "chess"}}),
    ],
    ids=["no event", "unknown", "of nobody", "about nothing", "another start"],
)
def test_a_game_that_cannot_be_read_is_named(one: Session, kind: str, data: dict[str, Any]) -> None:
    one.start(PAPER)
    assert one.play is not None
    one.store.append(one.play.game, kind, data)
    with pytest.raises(StoreDamagedError, match=r"cannot be read .*: move the file away"):
        Session(one.store).resume()


def test_a_new_game_leaves_the_old_one_in_the_store(one: Session) -> None:
    one.start(PAPER)
    score(one, 3, 9)
    one.start(FOTO)
    assert one.play is not None
    assert (len(one.store.games()), one.play.setup.game) == (2, "kleine-fotosafari")
