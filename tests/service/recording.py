"""What the state machines of a session have in common: entries that stand, are taken back, and put back."""

from __future__ import annotations

from typing import Any

from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from service.session import Session


class Recording(RuleBasedStateMachine):
    """A session, and what stands in it; `initialize` sets all four."""

    session: Session
    standing: Any
    before: list[Any]  # what stood before each entry of the record
    undone: list[Any]

    def teardown(self) -> None:
        """Close what was begun."""
        self.session.store.close()

    def entered(self, after: Any) -> None:
        """Note that an entry stands."""
        self.before.append(self.standing)
        self.standing, self.undone = after, []

    @precondition(lambda self: self.before)
    @rule()
    def undo(self) -> None:
        """Take the last entry back, whatever it was."""
        self.session.undo()
        self.undone.append(self.standing)
        self.standing = self.before.pop()

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        """Let it stand again."""
        self.session.redo()
        self.before.append(self.standing)
        self.standing = self.undone.pop()
