"""What was done between two still tables: every legal action that explains the change, or why none does."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.sheet import Problem


@dataclass(frozen=True, slots=True)
class Move:
    """One action that explains a change. `pieces`: the labels that took part; `seat`: whose, where known."""

    kind: str
    message: str
    pieces: tuple[str, ...] = ()
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Moves:
    """All legal actions that explain a change; where there is none, what the rules forbid in it."""

    legal: tuple[Move, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def kinds(self) -> frozenset[str]:
        """The names of the actions."""
        return frozenset(m.kind for m in self.legal)


def forbidden(rule: str, message: str, pieces: tuple[int, ...] = ()) -> Moves:
    """Return that no legal action explains the change, and why."""
    return Moves((), (Problem(rule, pieces, message),))
