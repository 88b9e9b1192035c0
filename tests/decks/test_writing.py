"""deck.toml begun and added to."""

from __future__ import annotations

import tomllib

import pytest

from decks import manifest, writing
from decks.deck import DeckError


@pytest.mark.parametrize("game", manifest.GAMES)
def test_a_new_deck_lacks_its_faces_alone(game: str) -> None:
    known = next(g for g in manifest.GAMES if g == game)
    _, faults = manifest.parse(writing.begun(known, 'Anna\'s "deck"', None))
    assert all("names no face" in fault for fault in faults)
    assert len(faults) == (game != "any")


def test_entries_are_added_once_and_ask_for_what_is_printed() -> None:
    text = writing.with_entries(writing.begun("paper-safari", "x", None), "paper-safari", "faces", ("fox", "lion"))
    again = writing.with_entries(text, "paper-safari", "faces", ("lion", "zebra"))
    assert list(tomllib.loads(again)["faces"]) == ["fox", "lion", "zebra"]
    _, faults = manifest.parse(again)
    assert [f for f in faults if "has no value" in f] == list(faults)
    assert len(faults) == 3


def test_what_was_written_by_hand_stays() -> None:
    head = '# my deck\ngame = "string-safari"  # yes\ntile_mm = [40, 40]\n'
    text = head + '\n[markers]\n# ours\nred = "red"\nblue = "blue"\n\n[strings]\n'
    changed = writing.with_colour(text, "markers", "blue", "#0000aa")
    assert changed == text.replace('blue = "blue"', '"blue" = "#0000aa"')


@pytest.mark.parametrize(
    ("text", "table", "label"),
    [
        ('game = "any"\n', "markers", "red"),
        ("[markers]\n", "markers", "red"),
        ('[markers]\nblue = "blue"\n', "markers", "red"),
        ('[markers]\n"dark red" = "dark red"\nred = "red"\n[strings]\nred = "red"\n', "markers", "red"),
        ('[strings]\nfield = "brown" # cord\n', "strings", "field"),
    ],
    ids=["no table", "empty table", "another label", "a like label", "a comment"],
)
def test_a_colour_is_set(text: str, table: str, label: str) -> None:
    changed = tomllib.loads(writing.with_colour(text, table, label, "#123456"))
    assert changed[table][label] == "#123456"
    before = tomllib.loads(text).get(table, {})
    assert {k: v for k, v in changed[table].items() if k != label} == {k: v for k, v in before.items() if k != label}


def test_text_that_is_no_toml_is_refused() -> None:
    with pytest.raises(DeckError, match="not TOML"):
        writing.with_entries("game = ", "any", "faces", ("fox",))
