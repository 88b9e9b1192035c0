"""`safari-table tally`: the rules alone, on tables as JSON. Many tables a call, an answer a line."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from decks.error import DeckError
from decks.library import edition_of
from scoring.edition import GAMES, Edition
from scoring.layout import TOWARDS_VIEWER
from scoring.options import OptionError, Options
from scoring.referee import judge
from scoring.sheet import Answer
from service.schemas import SchemaError, answer_json, near_from, stashes_from, table_from
from service.shares import Share, cut, told
from service.statuses import CERTAIN, NO_GAME, OPEN, UNUSABLE

NOTHING = {
    "paper-safari": ("cards in two rows of three", "no-grid"),
    "kleine-fotosafari": ("animal cards in a ring", "no-ring"),
    "string-safari": ("tiles and strings", "no-tiles"),
}
"""What each game is known by, and the problem that says that it is not there."""


BLANK = re.compile(r"\s*")


class TallyError(ValueError):
    """Input that cannot be used; the message is one line."""


class UnreadableError(TallyError):
    """Text that is no JSON; the message says where."""


@dataclass
class Tally:
    """One call: what its command line says, and the decks it has loaded."""

    game: str | None = None
    deck: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    editions: dict[tuple[str | None, str], Edition] = field(default_factory=dict)

    def answer(self, data: Any) -> tuple[dict[str, Any], int]:
        """Return one table's answer as JSON, and its exit status; TallyError where the table cannot be used."""
        if not isinstance(data, dict):
            raise TallyError(f"expected a table, an object with pieces and strings, got {type(data).__name__}")
        if "pieces" not in data and "strings" not in data and "options" not in data:
            raise TallyError("expected a table: there are neither pieces nor strings")
        game = self._game(data)
        edition = self._edition(data, game)
        try:
            table = table_from(data)
            options = Options.parse(self._options(data), edition)
            near = near_from(data.get("pieces") or ()) if game != "string-safari" else None
            judged = judge(table, edition, options, near or TOWARDS_VIEWER)
        except (SchemaError, OptionError) as error:
            raise TallyError(str(error)) from None
        image = data.get("image") if isinstance(data.get("image"), dict) else None
        pieces, strings = data.get("pieces") or [], data.get("strings") or []
        return answer_json(judged, edition.name, pieces, strings, image, table.unseen_mm), status(judged)

    def tell(self, share: Share, out: TextIO, err: TextIO) -> int:
        """Answer every table of a share, a line each on `out`; return its exit status.

        What is unusable ends it.
        """
        worst, line = CERTAIN, share.line
        try:
            for line, data in documents(share):
                found, code = self.answer(data)
                out.write(line_of(found))
                worst = max(worst, code)
                err.write(_nothing(found, line) if code == NO_GAME else "")
        except UnreadableError as error:
            err.write(f"tally: {_one_line(error)}\n")
            return UNUSABLE
        except TallyError as error:
            err.write(f"tally: line {line}: {_one_line(error)}\n")
            return UNUSABLE
        return worst

    def _game(self, data: Mapping[str, Any]) -> str:
        game = self.game or data.get("game")
        if game is None:
            raise TallyError(f"say which game: --game, or a key game, one of {', '.join(GAMES)}")
        if game not in GAMES:
            raise TallyError(f"game {game!r} is none of {', '.join(GAMES)}")
        return str(game)

    def _edition(self, data: Mapping[str, Any], game: str) -> Edition:
        name = self.deck if self.deck is not None else data.get("deck")
        if name is not None and not isinstance(name, str):
            raise TallyError(f"deck: expected a name or folder, got {name!r}")
        if (name, game) not in self.editions:
            try:
                self.editions[name, game] = edition_of(name, game)
            except DeckError as error:
                raise TallyError(str(error)) from None
        return self.editions[name, game]

    def _options(self, data: Mapping[str, Any]) -> dict[str, Any]:
        own = data.get("options")
        if own is not None and not isinstance(own, dict):
            raise TallyError(f"options: expected names and values, got {type(own).__name__}")
        options = {**self.options, **(own or {})}
        if "stash" in options:
            options["stash"] = stashes_from(options["stash"])
        return options


def status(answer: Answer) -> int:
    """Return the exit status that an answer stands for."""
    if any(p.rule == NOTHING[answer.game][1] for p in answer.problems):
        return NO_GAME
    return CERTAIN if answer.certain else OPEN


def documents(share: Share) -> Iterator[tuple[int, Any]]:
    """Give each JSON value of a text with the line it starts on: one value, or several one after the other."""
    decoder = json.JSONDecoder()
    text, at, line = share.text, 0, share.line + 1
    while True:
        start = _blank_end(text, at)
        line += text.count("\n", at, start)
        if start == len(text):
            return
        try:
            value, at = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            raise UnreadableError(f"line {share.line + error.lineno}: no JSON: {error.msg}") from None
        except (RecursionError, ValueError) as error:
            raise UnreadableError(f"line {line}: no JSON that can be read: {error}") from None
        yield line, value
        line += text.count("\n", start, at)


def _blank_end(text: str, at: int) -> int:
    blank = BLANK.match(text, at)
    return blank.end() if blank else at


def read(path: str, stdin: TextIO) -> str:
    """Return the text of a file, or of standard input for "-"; TallyError where it cannot be read."""
    try:
        raw = stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        return raw.decode("utf-8-sig")
    except OSError as error:
        raise TallyError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise TallyError(f"{path}: is no UTF-8 text (byte {error.start})") from None


def run(
    path: str,
    game: str | None = None,
    deck: str | None = None,
    options: Mapping[str, Any] | None = None,
    out: TextIO | None = None,
    err: TextIO | None = None,
    stdin: TextIO | None = None,
) -> int:
    """Answer every table of a file, or of `stdin` for "-", a line each on `out`; return the exit status.

    What is unusable ends it. `options`: as on the command line; a table's own come before them.
    """
    out, err, stdin = out or sys.stdout, err or sys.stderr, stdin or sys.stdin
    tally = Tally(game, deck, options or {})
    worst = CERTAIN
    try:
        shares = cut(read(path, stdin))
        if not shares[0].text.strip():
            raise TallyError(f"{path}: holds no table")
    except TallyError as error:
        err.write(f"tally: {_one_line(error)}\n")
        return UNUSABLE
    for code in told(shares, tally.tell, out, err):
        if code == UNUSABLE:
            return UNUSABLE
        worst = max(worst, code)
    return worst


def _one_line(error: TallyError) -> str:
    return " ".join(str(error).split())


def line_of(answer: Mapping[str, Any]) -> str:
    """Return an answer as a line of JSON; TallyError where it repeats what JSON has no word for."""
    try:
        return json.dumps(answer, separators=(",", ":"), allow_nan=False, check_circular=False) + "\n"
    except (ValueError, RecursionError):
        raise TallyError("a number is infinite or none at all (NaN): JSON has neither") from None


def _nothing(found: Mapping[str, Any], line: int) -> str:
    kinds: dict[str, int] = {}
    for piece in found["pieces"]:
        kinds[piece["kind"]] = kinds.get(piece["kind"], 0) + 1
    what = ", ".join(f"{n} × {kind}" for kind, n in sorted(kinds.items())) or "nothing"
    return f"tally: line {line}: no {found['game']}: looked for {NOTHING[found['game']][0]}, found {what}\n"
