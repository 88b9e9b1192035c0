"""The referee's sheet: lines with reasons, problems, questions. Totals are computed, never stored."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Line:
    """Points and why: one rule applied once."""

    rule: str
    points: int
    pieces: tuple[int, ...]
    reason: str

    def to_json(self) -> dict[str, Any]:
        """Return it as the contract writes it."""
        return {"rule": self.rule, "points": self.points, "pieces": list(self.pieces), "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something the rules forbid, or that cannot be."""

    rule: str
    pieces: tuple[int, ...]
    message: str

    def to_json(self) -> dict[str, Any]:
        """Return it as the contract writes it."""
        return {"rule": self.rule, "pieces": list(self.pieces), "message": self.message}


@dataclass(frozen=True, slots=True)
class Question:
    """A doubt that can change the sheet. `piece`: a piece's id, or a string's name."""

    piece: int | str
    choices: tuple[str, ...]
    changes: str
    message: str

    def to_json(self) -> dict[str, Any]:
        """Return it as the contract writes it."""
        return {"piece": self.piece, "choices": list(self.choices), "changes": self.changes, "message": self.message}


class Sheet(Protocol):
    """A game's own sheet."""

    def outcome(self) -> Hashable:
        """Return what counts: totals, winners, verdicts, legality, enclosure, points."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Return it as the contract writes it."""
        ...


@dataclass(frozen=True, slots=True)
class Answer:
    """All that the rules say of one table."""

    game: str
    sheet: Sheet
    problems: tuple[Problem, ...] = ()
    questions: tuple[Question, ...] = ()

    @property
    def certain(self) -> bool:
        """Whether no plausible reading changes a total, winner, verdict, legality, enclosure or points."""
        return not self.questions

    def to_json(self) -> Mapping[str, Any]:
        """Return `certain`, `problems`, `questions` and `sheet` as the contract writes them."""
        return {
            "certain": self.certain,
            "problems": [p.to_json() for p in self.problems],
            "questions": [q.to_json() for q in self.questions],
            "sheet": self.sheet.to_json(),
        }
