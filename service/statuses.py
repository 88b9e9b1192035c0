"""Exit statuses of the console script."""

from __future__ import annotations

CERTAIN, UNUSABLE, OPEN, NO_GAME = 0, 2, 3, 4
"""Answered for certain; unusable arguments or input; open questions; no such game."""
INTERRUPTED, UNHEARD = 130, 141
"""As shells say it: Ctrl-C was pressed; whoever read the answers has gone."""
