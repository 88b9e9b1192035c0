"""The one error of this package."""

from __future__ import annotations


class DeckError(ValueError):
    """A deck folder that cannot be used; the message says in one line what is wrong, where, and what to do."""
