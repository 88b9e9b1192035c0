"""House rules that other editions of Paper Safari bring."""

from __future__ import annotations

import pytest

from scoring.options import OptionError, Options
from tests.scoring.boxes import PAPER


@pytest.mark.parametrize(
    ("given", "name", "value"),
    [
        ({}, "passing_card", "tarzan"),
        ({"option": "passing_card=raven"}, "passing_card", "raven"),
        ({}, "discard_piles", 1),
        ({"option": "discard_piles=2"}, "discard_piles", 2),
        ({}, "victory_cards", 3),
    ],
    ids=["usual card", "another card", "one pile", "two piles", "three cards"],
)
def test_house_rules(given: dict[str, str], name: str, value: object) -> None:
    assert Options.parse(given, PAPER).rule("paper-safari", name) == value


@pytest.mark.parametrize("said", ["passing_card=", "passing_card= "], ids=["nothing", "blank"])
def test_a_card_without_a_name_is_refused(said: str) -> None:
    with pytest.raises(OptionError, match="house rule passing_card"):
        Options.parse({"option": said}, PAPER)
