"""Places of a picture in which nothing can be seen: what is asked where something may lie there that counts."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.answers import HIDDEN, UNSEEN
from scoring.options import Options
from scoring.sheet import Question
from scoring.table import Point


def questions(
    places: Sequence[Sequence[Point]], changes: Sequence[str], what: str, options: Options
) -> tuple[Question, ...]:
    """Ask whether something lies in places where nothing can be seen, unless it was said that nothing does."""
    if not places or not changes or options.hidden is False:
        return ()
    asked = f"Does {what} lie where the light hides it?"
    if options.hidden:
        asked = "Turn the light away and take the picture again, or answer nothing."
    text = f"A lamp burns a part of the picture white. {asked}"
    return (Question(UNSEEN, tuple(HIDDEN), " and ".join(changes), text),)
