"""What is to be read, and what was read of one frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.eyes import Answer, Seen
from vision.camera import Frame


@dataclass(frozen=True)
class Reading:
    """What was read of one frame. `answer` is None where the table shows no such game; `message` then says why."""

    number: int
    frame: Frame
    seen: Seen | None
    answer: Answer | None
    message: str
    seconds: float
    quick: bool = False  # only what changed was read: all is read before it counts

    def is_whole(self, game: str) -> bool:
        """Whether all of the picture was read, for this game."""
        return not self.quick and self.answer is not None and self.answer["game"] == game

    def to_json(self) -> dict[str, Any]:
        """Return what the page is told."""
        return {
            "number": self.number, "answer": self.answer, "message": self.message, "seconds": round(self.seconds, 3),
            "quick": self.quick,
        }  # fmt: skip


@dataclass(frozen=True)
class Wish:
    """What is to be read: a game, its deck, and the options that the game's state asks for now."""

    game: str
    deck: str | None
    strings: Mapping[str, str]
    options: Mapping[str, Any]
