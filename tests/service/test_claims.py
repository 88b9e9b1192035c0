"""What is said of a photo card: nothing while a question that matters is open."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.answers import CLAIMS
from service.claims import meant, verdict

SHOT = {"piece": 12, "sequence": ["lion", "zebra"], "valid": True, "lines": [{"reason": "there they stand"}]}
WHICH = {"piece": 12, "choices": list(CLAIMS), "changes": "which photo is judged", "message": "Is this the one?"}
NAME = {"piece": 3, "choices": ["lion", "puma"], "changes": "the photo", "message": "Lion or puma?"}
THERE = (True, "there they stand")


@pytest.mark.parametrize(
    ("questions", "tapped", "said"),
    [
        ([], False, THERE),
        ([], True, THERE),
        ([WHICH], False, (None, "Is this the one?")),
        ([WHICH], True, THERE),
        ([WHICH, NAME], True, (None, "Lion or puma?")),
    ],
    ids=["clear", "clear and tapped", "which one", "which one, tapped", "tapped, but misread perhaps"],
)
def test_a_tap_says_which_photo_is_meant_and_nothing_else(
    questions: list[dict[str, Any]], tapped: bool, said: tuple[bool | None, str]
) -> None:
    answer = {"questions": questions}
    assert verdict(SHOT, meant(answer) if tapped else answer) == said
