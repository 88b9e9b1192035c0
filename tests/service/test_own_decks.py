"""Decks enrolled on the page: names that are no paths, values in their place."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from decks import writing
from decks.archive import pack
from decks.deck import find
from service import deck_enrolling
from service.app import create_app
from service.deck_eyes import DeckEyes
from service.eyes import EyesError
from service.hub import Hub
from service.live import Live
from service.own_decks import enrol_piece, faults, take_in, with_values
from service.store import Store

HEADER = {"x-safari-table": "1"}
BEGUN = writing.with_entries(writing.begun("paper-safari", "ours", None), "paper-safari", "faces", ("fox", "sea lion"))


@pytest.mark.parametrize(
    ("label", "values"),
    [("fox", {"value": -2}), ("sea lion", {"value": 3, "count": 2}), ("fox", {"copies_neighbour": True}), ("fox", {})],
    ids=["a value", "two keys", "a flag", "nothing"],
)
def test_values_are_written_into_the_face(label: str, values: dict[str, Any]) -> None:
    faces = tomllib.loads(with_values(BEGUN, "faces", label, values))["faces"]
    assert {key: faces[label].get(key) for key in values} == values
    assert set(faces) == {"fox", "sea lion"}


def test_a_value_said_again_takes_the_place_of_the_first() -> None:
    twice = with_values(with_values(BEGUN, "faces", "fox", {"value": 1}), "faces", "fox", {"value": 5})
    assert tomllib.loads(twice)["faces"]["fox"]["value"] == 5


def test_a_face_that_is_not_there_changes_nothing() -> None:
    assert with_values(BEGUN, "faces", "lion", {"value": 1}) == BEGUN


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "a.b", "x" * 41, "_x"])
def test_a_name_is_never_a_path(name: str, tmp_path: Path) -> None:
    with pytest.raises(EyesError, match="letters, digits"):
        enrol_piece(tmp_path, np.zeros((64, 64, 3), np.uint8), name, "paper-safari", "faces", "fox", {})
    assert list(tmp_path.iterdir()) == []


def test_what_is_wrong_with_a_face_is_told_without_its_name() -> None:
    said = ['retake "fox": blurred (an edge is 9 px wide): hold the camera still', "see found-1.png: what was cut"]
    assert faults(said) == ("blurred (an edge is 9 px wide): hold the camera still",)


def test_a_poor_face_is_enrolled_and_its_fault_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corners = np.array([[[20, 20], [80, 20], [80, 104], [20, 104]]], float)
    monkeypatch.setattr(deck_enrolling, "found", lambda images, *_: [corners for _ in images])
    cut = enrol_piece(
        tmp_path, np.full((128, 128, 3), 90, np.uint8), "ours", "paper-safari", "faces", "fox", {"value": -2}
    )
    assert cut.face is not None
    assert cut.face.shape[1] == 60
    assert any("60 px wide" in fault for fault in cut.faults)


def test_a_deck_that_was_exported_is_taken_in_and_played_with(tmp_path: Path, make_client: Any) -> None:
    pack(find("woodland-safari", "paper-safari").folder, tmp_path / "deck.zip")
    packed = (tmp_path / "deck.zip").read_bytes()
    hub, store = Hub(), Store(tmp_path / "games.sqlite")
    live = Live(DeckEyes(tmp_path / "own"), hub)
    client = make_client(create_app(live.eyes, store=store, live=live, hub=hub))
    taken = client.post("/api/decks/import", params={"deck": "from grandma"}, content=packed, headers=HEADER)
    assert (taken.status_code, taken.json()["deck"]) == (200, "from grandma")
    assert taken.json()["pictures"] > 10
    assert "from grandma" in [deck["name"] for deck in client.get("/api/decks").json()]
    again = client.post("/api/decks/import", params={"deck": "from grandma"}, content=packed, headers=HEADER)
    assert (again.status_code, "another name" in again.text) == (422, True)
    live.stop()
    hub.close()
    store.close()


@pytest.mark.parametrize(
    ("name", "packed", "said"),
    [
        ("../up", b"", "letters, digits"),
        ("ours", b"no zip", "the zip: not a whole zip"),
        ("ours", b"", "the zip: not a whole zip"),
    ],
)
def test_what_is_no_deck_is_not_taken_in(name: str, packed: bytes, said: str, tmp_path: Path) -> None:
    with pytest.raises(EyesError, match=said) as told:
        take_in(tmp_path / "own", name, packed)
    assert str(tmp_path) not in str(told.value)
    assert not list((tmp_path / "own").glob("*"))
