"""The page's words: the same keys in every language, and every key that the page asks for."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "service" / "web"
LANGUAGES = ("de", "cs")
ASKED = re.compile(
    r"""\bt\(\s*["']([\w.-]+)["']|data-t="([\w.-]+)"|tool\("\w+", "(\w+)"|toggle\("\w+", "\w+", "\w+", "(\w+)"\)"""
)


def words(language: str) -> dict[str, str]:
    """Return a language's words."""
    found: dict[str, str] = json.loads((WEB / "lang" / f"{language}.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_keys_match(language: str) -> None:
    assert words(language).keys() == words("en").keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_match(language: str) -> None:
    named = {key: set(re.findall(r"{(\w+)}", text)) for key, text in words("en").items()}
    assert {key: set(re.findall(r"{(\w+)}", text)) for key, text in words(language).items()} == named


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_translated(language: str) -> None:
    english = words("en")
    same = {key for key, text in words(language).items() if text == english[key] and len(text.split()) > 2}
    assert same == set()


@pytest.mark.parametrize("script", sorted((WEB / "js").glob("*.js")), ids=lambda path: path.name)
def test_every_word_that_a_script_asks_for_is_there(script: Path) -> None:
    asked = {key for found in ASKED.findall(script.read_text(encoding="utf-8")) for key in found if key}
    assert asked - words("en").keys() == set()


UNTOLD = {
    "same-id", "round-not-over", "players-changed", "cards-swapped", "laid-face-down", "more-than-one-exchange",
    "replaced-card-not-discarded", "exchange-after-the-end", "tarzan-discarded", "tarzan-chain-broken",
    "already-started", "no-such-game", "event-of-another-game", "preparation-first", "research-tile-due",
    "no-research-tile-due", "research-not-recorded",
}  # fmt: skip
"""Rules of what the page neither shows nor lets happen."""


def test_every_rule_that_the_page_may_show_is_told_in_every_language() -> None:
    doc = (WEB.parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")
    rules = set(re.findall(r"^\| `([a-z-]+)` \|", doc, flags=re.MULTILINE))
    told = {key.split(".", 1)[1] for key in words("en") if key.startswith(("why.", "refused."))}
    assert rules - told == UNTOLD & rules


def test_every_rule_that_is_explained_has_a_title() -> None:
    keys = words("en").keys()
    assert {key for key in keys if key.startswith("why.") and key.replace("why.", "rule.", 1) not in keys} == set()
