"""The referee called, and doubts put on tables, for tests."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from scoring.edition import Edition
from scoring.options import Options
from scoring.referee import judge
from scoring.sheet import Answer
from scoring.table import Table
from tests.scoring.string_cases import EDITION

TURN = {"turn": "red", "target": "carnivore:3"}
SLACK = 6
"""A test machine may be this much slower, or busier, than a plain one, and coverage slows it further."""


def judged(table: Table, options: dict[str, Any], edition: Edition = EDITION) -> Answer:
    """Return the referee's answer."""
    return judge(table, edition, Options.parse(options, edition))


def timed(table: Table, options: dict[str, Any], edition: Edition) -> tuple[Answer, float]:
    """Return the answer and the least time in s that it took."""
    spent = []
    for _ in range(4):
        start = time.process_time()
        answer = judged(table, options, edition)
        spent.append(time.process_time() - start)
    return answer, min(spent)


def doubt(table: Table, piece_id: int, *candidates: tuple[str, float], label: str | None = "") -> Table:
    """Return a table on which a piece can be read in several ways; its label is the first unless given."""
    first = candidates[0][0] if label == "" else label
    pieces = tuple(
        replace(p, label=first, probability=candidates[0][1] if candidates else 1.0, candidates=candidates)
        if p.id == piece_id
        else p
        for p in table.pieces
    )
    return replace(table, pieces=pieces)


def asked(answer: Answer) -> list[tuple[int | str, tuple[str, ...], str]]:
    """Return what is asked, of what, and what is at stake."""
    return [(q.piece, q.choices, q.changes) for q in answer.questions]


def points(answer: Answer) -> int | None:
    """Return a turn's points."""
    found = answer.sheet.to_json()["turn"]["points"]
    assert found is None or isinstance(found, int)
    return found
