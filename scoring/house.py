"""House rules: what the rulebooks leave open, each a named option with a default.

A deck's `[options]` and `--option NAME=VALUE` set them. A name or value that is not listed here is refused: a misspelt
house rule that silently did nothing would change a score without a word.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from dataclasses import dataclass

from scoring.edition import Option


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One house rule: its default, the values it may take (empty: any of the default's type), and what it decides."""

    default: Option
    choices: tuple[Option, ...]
    decides: str


HOUSE_RULES: Mapping[str, Mapping[str, HouseRule]] = {
    "paper-safari": {
        "equal_columns_cancel_negatives": HouseRule(
            True, (), "whether two equal negative cards in a column make 0 too"
        ),
        "passing_card": HouseRule(
            "tarzan",
            (),
            "the card that must be laid, whose replaced card goes round to the left; none: there is no such",
        ),
        "discard_piles": HouseRule(1, (), "how many discard piles lie beside the draw pile"),
        "victory_cards": HouseRule(3, (), "how many victory cards win the game"),
    },
    "kleine-fotosafari": {
        "reading": HouseRule("outside", ("outside", "inside"), "from where a photo's animals read left to right"),
    },
    "string-safari": {
        "finger_breadth_mm": HouseRule(15.0, (), "the room that two tiles must keep, in mm"),
        "marked_animals_count_for_land": HouseRule(
            True, (), "whether an enclosed animal that bears another player's marker still earns a land's bonus"
        ),
    },
    "any": {},
}
_WORDS: Mapping[str, bool] = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class HouseRuleError(ValueError):
    """A house rule that does not exist, or a value that it cannot take; the message is one line."""


def _refuse(name: str, value: object, wanted: str) -> HouseRuleError:
    return HouseRuleError(f"house rule {name}: {value!r} is not {wanted}")


def value_of(game: str, name: str, value: object) -> Option:
    """Return a house rule's value in its own type, from text or a plain value; HouseRuleError where it cannot be."""
    rules = HOUSE_RULES.get(game, {})
    rule = rules.get(name)
    if rule is None:
        near = difflib.get_close_matches(name, rules, n=1)
        known = f"did you mean {near[0]}?" if near else f"{game} has: {', '.join(rules) or 'none'}"
        raise HouseRuleError(f"no house rule is called {name!r}; {known}")
    if rule.choices:
        if value in rule.choices and isinstance(value, str | int | float):
            return value
        raise _refuse(name, value, "one of " + ", ".join(map(str, rule.choices)))
    if isinstance(rule.default, bool):
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in _WORDS:
            return _WORDS[value.lower()]
        raise _refuse(name, value, "true or false")
    if isinstance(rule.default, str):
        if isinstance(value, str) and value.strip():
            return value.strip()
        raise _refuse(name, value, "a name")
    return _number(name, value)


def _number(name: str, value: object) -> float:
    """Return a length or count, not negative; HouseRuleError where it is none."""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except (ValueError, OverflowError):
            raise _refuse(name, value, "a number") from None
        if math.isfinite(number) and number >= 0:
            return number
    raise _refuse(name, value, "a number of 0 or more")
