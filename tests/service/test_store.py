"""Events on disk: order, evidence, damage, a full disk, and a process killed at random."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.boards import board
from service.session import fold
from service.store import SCHEMA_VERSION, Store, StoreDamagedError, StoreFullError

ROOT = Path(__file__).parents[2]
WRITER = """
import json, sys
from scoring.events import PhotoTaken
from service import boards
from service.session import Player, Session, Setup
from service.store import Store
one = Session(Store(sys.argv[1]))
one.resume()
setup = Setup("kleine-fotosafari", None, (Player("p1", "Anna"), Player("p2", "Ben")), {"goal": {"3": 9}})
n = one.store.last_seq()
while True:
    n += 1
    if one.play is None or one.play.ledger.state.winners:
        one.start(setup)
    elif n % 5 == 4 and len(one.play.ledger.entries) > 1:
        one.undo()
    else:
        photo = PhotoTaken(f"p{1 + n % 2}", ("lion", "zebra", "lion"), n % 3 > 0)
        one.act(photo, {}, b"jpeg" * 5000 if n % 3 == 0 else None)
    print(json.dumps([one.store.last_seq(), one.play.game, boards.board(one.play)["taken"]]), flush=True)
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Open a store of no games."""
    one = Store(tmp_path / "games.sqlite")
    yield one
    one.close()


def test_an_empty_store_has_no_games(store: Store) -> None:
    assert (store.events(), store.games(), store.last_seq(), store.evidence(1)) == ((), (), 0, None)


@pytest.mark.parametrize(
    ("game", "after", "expected"),
    [(None, 0, [1, 2, 3]), (None, 2, [3]), ("a", 0, [1, 3]), ("b", 0, [2]), ("b", 2, []), ("none", 0, [])],
    ids=["all", "resumed", "one game", "another", "nothing new", "no such game"],
)
def test_events_come_back_in_order(store: Store, game: str | None, after: int, expected: list[int]) -> None:
    for name in ("a", "b", "a"):
        store.append(name, "act", {"of": name, "ž": [1, None]})
    found = store.events(game, after)
    assert [event.seq for event in found] == expected
    assert all(event.data == {"of": event.game, "ž": [1, None]} for event in found)


def test_games_are_listed_last_played_first(store: Store) -> None:
    for name in ("a", "b", "a"):
        store.append(name, "act", {})
    assert store.games() == ("a", "b")


def test_evidence_lies_with_its_event(store: Store) -> None:
    bare = store.append("a", "act", {})
    shown = store.append("a", "act", {}, b"\xff\xd8picture")
    assert (store.evidence(bare.seq), store.evidence(shown.seq)) == (None, b"\xff\xd8picture")
    assert store.with_evidence("a") == {shown.seq}


def test_a_file_that_is_no_store_is_named(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    path.write_bytes(b"this is a diary, not a database" * 100)
    with pytest.raises(StoreDamagedError, match="no store of games"):
        Store(path)


def test_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    Store(path).close()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    db.close()
    with pytest.raises(StoreDamagedError, match="later version"):
        Store(path)


def test_a_full_disk_refuses_and_spoils_nothing(store: Store) -> None:
    kept = store.append("a", "act", {"n": 1})
    store._db.execute(f"PRAGMA max_page_count={store._db.execute('PRAGMA page_count').fetchone()[0] + 2}")
    with pytest.raises(StoreFullError, match="full"):
        store.append("a", "act", {"n": 2}, b"x" * 10**6)
    assert [event.seq for event in store.events()] == [kept.seq]
    store._db.execute("PRAGMA max_page_count=100000")
    assert store.append("a", "act", {"n": 3}).data == {"n": 3}
    assert store._db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_what_cannot_be_written_leaves_the_store_open_for_the_next(store: Store) -> None:
    with pytest.raises(UnicodeEncodeError):
        store.append("a", "act", {"n": "\ud800"})
    assert [event.seq for event in (store.append("a", "act", {"n": 1}), *store.events())] == [1, 1]


def test_every_acknowledged_event_survives_kill_9_and_is_scored_as_it_was(tmp_path: Path) -> None:
    chance, path = random.Random(7), tmp_path / "games.sqlite"
    for _ in range(int(os.environ.get("SAFARI_KILLS", "8"))):
        command = [sys.executable, "-c", WRITER, str(path)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            acknowledged = [writer.stdout.readline()]
            time.sleep(chance.uniform(0, 0.15))
            writer.send_signal(signal.SIGKILL)
            acknowledged += [line for line in writer.stdout if line.endswith("\n")]
        store = Store(path)
        events = store.events()
        assert store._db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        store.close()
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        for seq, game, taken in map(json.loads, (acknowledged[0], acknowledged[-1])):
            play = fold(tuple(event for event in events if event.game == game and event.seq <= seq))
            assert play is not None
            assert len(events) >= seq
            assert board(play)["taken"] == taken
