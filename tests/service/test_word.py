"""A player's word holds while all that it rests on lies as it did; and nothing tells before Click!"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from scoring.table import String, Table
from service import pictures
from service.word import Word, found_again, said, spoken, still_true

Evening = Any  # the fixture's own class lives in conftest.py, which tests cannot import
PAPER, FOTO, STRING = "paper-safari", "kleine-fotosafari", "string-safari"
LOW = ["fox", "meerkat", "flamingo", "zebra", "fox", "fox"]
HIGH = ["leopard", "lion", "elephant", "hippopotamus", "crocodile", "giraffe"]
RING = "lion zebra elephant zebra giraffe elephant lion giraffe zebra elephant giraffe zebra".split()  # noqa: SIM905 (it reads as a ring)
SQUARE = [[100.0, 100.0], [200.0, 100.0], [200.0, 200.0], [100.0, 200.0]]


def answer(dx: float = 0.0, label: str = "lion", string_dx: float = 0.0, id: int = 3) -> dict[str, Any]:
    """Return a tile beside a string, moved so far."""
    corners = [[x + dx, y] for x, y in SQUARE]
    path = [[300.0 + string_dx, float(y)] for y in range(100, 300, 2)]
    piece = {"id": id, "kind": "tile", "label": label, "corners_px": corners, "candidates": [[label, 0.6]]}
    return {"pieces": [piece], "strings": [{"name": "research", "path_px": path}], "image": {"width": 1280}}


@pytest.mark.parametrize(
    ("choice", "now", "holds"),
    [
        ("lion", answer(), True),
        ("lion", answer(dx=2.0), True),
        ("lion", answer(dx=9.0), False),
        ("lion", answer(label="tiger"), False),
        ("lion", answer(string_dx=40.0), True),
        ("clear", answer(string_dx=2.0), True),
        ("clear", answer(string_dx=40.0), False),
        ("clear", {**answer(), "strings": []}, False),
        ("lion", {**answer(), "pieces": []}, True),
    ],
    ids=["nothing", "noise", "moved", "another", "a label, string moved", "noise of a string", "string moved",
         "string gone", "not seen"],
)  # fmt: skip
def test_a_word_holds_while_all_lies_as_it_did(choice: str, now: dict[str, Any], holds: bool) -> None:
    then = answer()
    word = spoken(choice, then["pieces"][0], then["strings"])
    assert bool(still_true({"3": word}, now)) is holds
    assert Word.from_json(json.loads(json.dumps(word.to_json()))) == word


def test_words_are_found_again_under_other_ids() -> None:
    then = answer()
    words = {
        "3": spoken("lion", then["pieces"][0], then["strings"]),
        "research": spoken("clear", None, then["strings"]),
    }
    assert set(found_again(words, answer(id=8))) == {"8", "research"}
    assert found_again(words, answer(dx=50.0, string_dx=50.0)) == {}
    assert found_again({}, answer()) == {}


def test_a_correction_outlives_a_restart(evening: Evening, tables: Any) -> None:
    evening.post("/api/game/new", game=PAPER, players=[{"name": "Anna"}, {"name": "Ben", "seat": 2}])
    evening.lay(PAPER, tables.paper_table(LOW, HIGH))
    evening.post("/api/game/answer", piece=6, choice="zebra")
    told = evening.live.reading.answer
    evening.live.read_again()
    again = tables.read_by_another(evening)
    assert again["sheet"]["players"][1]["grid"] == told["sheet"]["players"][1]["grid"]
    assert again["sheet"]["players"][1]["grid"][0][0] == "zebra"


def test_a_word_on_a_string_ends_when_it_is_laid_anew(evening: Evening, tables: Any) -> None:
    players = [{"name": n, "colour": c} for n, c in (("Anna", "red"), ("Ben", "blue"), ("Cem", "yellow"))]
    evening.post("/api/game/new", game=STRING, players=players)
    tiles = {"lion": (200.0, 200.0), "gazelle": (270.0, 200.0)}

    def hidden(radius: float) -> Table:
        table = tables.string_table(tiles, (235.0, 200.0, radius))
        strings = tuple(replace(s, closed=s.name == "field", visible=0.8) for s in table.strings)
        return Table(table.pieces, strings)

    asked = [q["piece"] for q in evening.lay(STRING, hidden(90.0))["questions"]]
    assert asked == ["research"]
    evening.post("/api/game/answer", piece="research", choice="closed")
    assert evening.live.reading.answer["questions"] == []
    assert [q["piece"] for q in evening.lay(STRING, hidden(110.0))["questions"]] == ["research"]
    assert isinstance(hidden(90.0).string("research"), String)


def test_no_reading_tells_before_click(evening: Evening, tables: Any) -> None:
    evening.post("/api/game/new", game=FOTO, players=[{"name": "Anna"}, {"name": "Ben"}])
    table = tables.ring_table(RING, RING[:3])
    evening.lay(FOTO, table)
    picture = pictures.jpeg(evening.eyes.picture(FOTO, table), 95)
    read = evening.client.post(f"/api/read?game={FOTO}", content=picture, headers={"x-safari-table": "1"}).json()
    tested = evening.post("/api/camera/test", game=FOTO)
    again = evening.post("/api/camera/read")["answer"]
    for told in (read, tested, again):
        assert (told["sheet"]["photos"], told["questions"], told["certain"]) == ([], [], True)
        assert "photo" not in json.dumps(told["problems"])


LABELS = {"card": ["lion", "zebra", "wild-dog"], "tile": ["lion"]}


@pytest.mark.parametrize(
    ("piece", "choice", "expected"),
    [
        ({"kind": "card", "label": "lion"}, "zebra", {"label": "zebra"}),
        ({"kind": "tile", "label": "lion"}, "touching", {"label": "lion"}),
        ({"kind": "photo", "sequence": ["lion", "lion"]}, "lion-zebra", {"sequence": ["lion", "zebra"]}),
        (
            {"kind": "photo", "sequence": None, "sequence_candidates": [[["wild-dog", "lion"], 0.4]]},
            "wild-dog-lion",
            {"sequence": ["wild-dog", "lion"]},
        ),
        ({"kind": "photo", "sequence": ["lion"]}, "wrong", {"sequence": ["lion"]}),
        ({"kind": "marker", "label": "red"}, None, {"label": "red"}),
    ],
    ids=["a card", "how a string lies", "a photo", "a name with a hyphen", "no animals", "nothing said"],
)
def test_pieces_are_what_the_players_say(piece: dict[str, Any], choice: str | None, expected: dict[str, Any]) -> None:
    words = {} if choice is None else {"5": Word(choice)}
    assert said(words, [{"id": 5, **piece}], LABELS) == [{"id": 5, **piece, **expected}]
