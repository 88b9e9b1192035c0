"""Games as events on disk: appended, never changed; an event that was acknowledged survives a crash.

SQLite with a write-ahead log and synchronous=FULL: `append` returns after the log is on the disk. Errors:

    StoreError
    ├── StoreFullError     the disk is full, or the file may not be written
    └── StoreDamagedError  the file is no store, or from a later version
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SCHEMA_VERSION = 1
MOST_SEQ = 2**53  # larger numbers are no event of ours, and more than SQLite or a browser holds exactly
BUSY_S = 3.0  # how long another process of ours may hold the file
_SCHEMA = """
CREATE TABLE IF NOT EXISTS events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS events_of_game ON events (game, seq);
CREATE TABLE IF NOT EXISTS evidence (seq INTEGER PRIMARY KEY REFERENCES events (seq), jpeg BLOB NOT NULL);
"""


class StoreError(Exception):
    """What went wrong with the file, in one line."""


class StoreFullError(StoreError):
    """Nothing more can be written."""


class StoreDamagedError(StoreError):
    """The file cannot be read."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. `seq` counts up over all games of a store; `at`: seconds since 1970."""

    seq: int
    game: str
    at: float
    kind: str
    data: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Return it as a plain mapping."""
        return {"seq": self.seq, "game": self.game, "at": self.at, "kind": self.kind, "data": dict(self.data)}


class Store:
    """A file of events. Safe to use from several threads."""

    def __init__(self, path: Path | str) -> None:
        """Open or make the file; StoreDamagedError, StoreFullError. ":memory:" keeps nothing."""
        self.path = str(path)
        self._lock = threading.Lock()
        try:
            if self.path != ":memory:":
                Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        except (sqlite3.Error, OSError) as error:
            raise _told(error, self.path) from error
        try:
            self._prepare()
        except sqlite3.Error as error:
            self.close()
            raise _told(error, self.path) from error
        except StoreError:
            self.close()
            raise

    def _prepare(self) -> None:
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version > SCHEMA_VERSION:
            raise StoreDamagedError(f"{self.path} is from a later version ({version}): update this program")
        self._db.executescript(_SCHEMA)
        self._db.execute(f"PRAGMA user_version={SCHEMA_VERSION}")

    def append(
        self, game: str, kind: str, data: Mapping[str, Any], evidence: bytes | None = None, at: float | None = None
    ) -> Event:
        """Write an event and its picture in one transaction; once returned, it stays. StoreFullError."""
        when = time.time() if at is None else at
        text = json.dumps(data, ensure_ascii=False)
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                seq = self._insert(game, when, kind, text, evidence)
                self._db.execute("COMMIT")
            except sqlite3.Error as error:
                self._roll_back()
                raise _told(error, self.path) from error
            except BaseException:  # whatever it is, no transaction stays open
                self._roll_back()
                raise
        return Event(seq, game, when, kind, json.loads(text))

    def _insert(self, game: str, at: float, kind: str, text: str, evidence: bytes | None) -> int:
        row = self._db.execute(
            "INSERT INTO events (game, at, kind, data) VALUES (?, ?, ?, ?) RETURNING seq", (game, at, kind, text)
        ).fetchone()
        seq = int(row[0])
        if evidence is not None:
            self._db.execute("INSERT INTO evidence (seq, jpeg) VALUES (?, ?)", (seq, evidence))
        return seq

    def _roll_back(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def events(self, game: str | None = None, after: int = 0) -> tuple[Event, ...]:
        """Return a game's events (all games' for None) with a `seq` above `after`, oldest first."""
        where, values = ("AND game = ?", (after, game)) if game is not None else ("", (after,))
        query = f"SELECT seq, game, at, kind, data FROM events WHERE seq > ? {where} ORDER BY seq"
        return tuple(
            Event(seq, name, at, kind, json.loads(data)) for seq, name, at, kind, data in self._all(query, values)
        )

    def games(self) -> tuple[str, ...]:
        """Return the games' names, the one last played first."""
        return tuple(
            str(row[0]) for row in self._all("SELECT game FROM events GROUP BY game ORDER BY MAX(seq) DESC", ())
        )

    def evidence(self, seq: int) -> bytes | None:
        """Return the picture that was kept with an event, as JPEG."""
        rows = self._all("SELECT jpeg FROM evidence WHERE seq = ?", (seq,))
        return bytes(rows[0][0]) if rows else None

    def with_evidence(self, game: str) -> frozenset[int]:
        """Return which of a game's events have a picture."""
        query = "SELECT seq FROM evidence JOIN events USING (seq) WHERE game = ?"
        return frozenset(int(row[0]) for row in self._all(query, (game,)))

    def last_seq(self) -> int:
        """Return the newest event's `seq`, 0 where there is none."""
        return int(self._all("SELECT COALESCE(MAX(seq), 0) FROM events", ())[0][0])

    def _all(self, query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._db.execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise _told(error, self.path) from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()


def _told(error: Exception, path: str) -> StoreError:
    """Return the store's own error for SQLite's or the system's."""
    if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
        return StoreDamagedError(f"{path} is damaged or no store of games ({error}): move it away and start again")
    return StoreFullError(f"{path} cannot be written ({error}): free some space or choose another file")
