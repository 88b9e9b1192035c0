"""Many tables in less time: a text is cut between tables, and each share is answered by a process of its own."""

from __future__ import annotations

import os
import re
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NoReturn, TextIO

LEAST_SHARE = 200_000
"""Fewer characters than this are answered before a further process would have begun."""
MOST_SHARES = 4
"""More processes than this gain little: reading the text and writing the answers are not shared."""
BETWEEN = re.compile(r"\}[ \t\r]*\n\s*(?=\{)")
"""Where one object ends a line and the next begins one: within a JSON value there is a comma between."""
FAILED = 125
"""The exit status of a process that could not answer: its share is then answered anew, by the process that asked."""


@dataclass(frozen=True)
class Share:
    """Part of a text: whole tables. `line`: how many lines of the text come before it."""

    text: str
    line: int


Tell = Callable[[Share, TextIO, TextIO], int]
"""Answers a share's tables on an output and an error stream; returns the exit status."""


def cut(text: str) -> list[Share]:
    """Cut a text between tables into as many shares as it is worth, in order."""
    wanted = min(len(text) // LEAST_SHARE, MOST_SHARES, _processors()) if hasattr(os, "fork") else 1
    ends = [0]
    for k in range(1, wanted):
        between = BETWEEN.search(text, max(k * len(text) // wanted, ends[-1]))
        if between is None:
            break
        ends.append(between.end())
    found, line = [], 0
    for start, end in zip(ends, [*ends[1:], len(text)], strict=True):
        found.append(Share(text[start:end], line))
        line += text.count("\n", start, end)
    return found


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


def told(shares: list[Share], tell: Tell, out: TextIO, err: TextIO) -> Iterator[int]:
    """Answer the shares, the first here and the others each in a process; give each one's exit status, in order."""
    helpers = [_Helper(share, tell) for share in shares[1:]]
    try:
        yield tell(shares[0], out, err)
        for helper in helpers:
            yield helper.finish(out, err)
    finally:
        for helper in helpers:
            helper.stop()


class _Helper:
    """A process that answers one share, into files of its own."""

    def __init__(self, share: Share, tell: Tell) -> None:
        self.share, self.tell = share, tell
        self.files = _file(), _file()
        with warnings.catch_warnings():  # Python 3.12 on warns where threads run: none holds what telling needs
            warnings.simplefilter("ignore", DeprecationWarning)
            self.process: int | None = os.fork()
        if self.process == 0:
            self._work()

    def _work(self) -> NoReturn:  # pragma: no cover  # in the other process
        status = FAILED
        try:
            status = self.tell(self.share, *self.files)
            for file in self.files:
                file.flush()
        finally:
            os._exit(status)

    def finish(self, out: TextIO, err: TextIO) -> int:
        """Write what the process answered, once it has ended; return its exit status."""
        status = self._ended()
        if status == FAILED:
            return self.tell(self.share, out, err)
        for file, stream in zip(self.files, (out, err), strict=True):
            file.seek(0)
            stream.write(file.read())
        return status

    def stop(self) -> None:
        """End the process where nobody waits for it any more."""
        if self.process is not None:
            os.kill(self.process, signal.SIGKILL)
            self._ended()
        for file in self.files:
            file.close()

    def _ended(self) -> int:
        assert self.process is not None
        ended = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        self.process = None
        return ended if 0 <= ended < FAILED else FAILED


def _file() -> TextIO:
    from tempfile import TemporaryFile  # not for the one table of most calls

    return TemporaryFile("w+", encoding="utf-8", newline="")
