"""The research tile read from the picture, and a misread that is reported as a labelled table."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import pytest

from scoring.table import Piece, Table
from service.wishes import aims

Evening = Any  # the fixture's own class lives in conftest.py, which tests cannot import
STRING, PAPER = "string-safari", "paper-safari"
TILES = {"lion": (200.0, 200.0), "gazelle": (270.0, 200.0), "fox": (200.0, 270.0)}
KNOWN = {"carnivore-3-edge": {"target": "carnivore:3", "condition": "edge"}, "day-2": {"target": "day:2"}}


def research(label: str | None, probability: float, id: int = 50) -> Piece:
    """Return a research tile beside the table."""
    return Piece(id, "research", label, (), 90.0, probability)


@pytest.mark.parametrize(
    ("pieces", "found"),
    [
        ([], []),
        ([research("day-2", 0.99)], ["day-2"]),
        ([research("day-2", 0.7), research("carnivore-3-edge", 0.9)], ["carnivore-3-edge", "day-2"]),
        ([research("day-2", 0.7), research("day-2", 0.9)], ["day-2"]),
        ([research("day-2", 0.2), research(None, 0.9), research("unicorn", 0.9)], []),
    ],
    ids=["none", "one", "two, likeliest first", "one seen twice", "none that is known"],
)
def test_what_research_tiles_ask_for(pieces: list[Piece], found: list[str]) -> None:
    assert [one["tile"] for one in aims(pieces, KNOWN)] == found


def begun(evening: Evening, tables: Any, *tiles: Piece) -> None:
    """Begin a game, and lay its field with research tiles beside it."""
    players = [{"name": n, "colour": c} for n, c in (("Anna", "red"), ("Ben", "blue"), ("Cem", "yellow"))]
    evening.post("/api/game/new", game=STRING, players=players)
    table = tables.string_table(TILES, (235.0, 220.0, 110.0))
    beside = tuple(replace(t, id=80 + k, outline_mm=table.pieces[0].outline_mm) for k, t in enumerate(tiles))
    evening.lay(STRING, Table((*table.pieces, *beside), table.strings))


def test_the_one_research_tile_in_view_is_the_turns_target(evening: Evening, tables: Any) -> None:
    begun(evening, tables, research("carnivore-3-edge", 0.99))
    assert [c["tile"] for c in evening.post("/api/game/aim/read")["choices"]] == ["carnivore-3-edge"]
    aim = evening.game["board"]["aim"]
    assert (aim["target"], aim["condition"], aim["tile"]) == ("carnivore:3", "edge", "carnivore-3-edge")
    evening.post("/api/game/aim", target="day:2")
    assert evening.game["board"]["aim"]["target"] == "day:2"


def test_of_several_research_tiles_a_tap_says_which(evening: Evening, tables: Any) -> None:
    begun(evening, tables, research("carnivore-3-edge", 0.99), research("day-2", 0.99))
    assert len(evening.post("/api/game/aim/read")["choices"]) == 2
    assert evening.game["board"]["aim"] is None


def test_without_a_research_tile_in_view_one_is_asked_for(evening: Evening, tables: Any) -> None:
    begun(evening, tables)
    assert "no research tile" in evening.post("/api/game/aim/read", 422)["error"]


def test_a_misread_is_saved_as_a_labelled_table(evening: Evening, tables: Any) -> None:
    evening.post("/api/game/new", game=PAPER, players=[{"name": "Anna"}, {"name": "Ben", "seat": 2}])
    assert "nothing has been read" in evening.post("/api/misread", 409)["error"]
    low = ["fox", "meerkat", "flamingo", "zebra", "fox", "fox"]
    evening.lay(PAPER, tables.paper_table(low, low))
    evening.post("/api/game/answer", piece=6, choice="zebra")
    name = evening.post("/api/misread", note="it is a zebra")["name"]
    folder = Path(evening.store.path).parent / "misreads"
    told = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    image = cv2.imread(str(folder / f"{name}.jpg"))
    assert image is not None
    assert image.shape[:2] == (told["height"], told["width"])
    assert (told["game"], told["note"], len(told["pieces"])) == (PAPER, "it is a zebra", 12)
    assert {"kind", "label", "corners_px"} <= told["pieces"][0].keys()
    assert (told["pieces"][6]["label"], told["reading"]["pieces"][6]["label"]) == ("zebra", "fox")
    assert evening.hub.newest("reading")["answer"]["pieces"][6]["label"] == "zebra"
    assert (told["answer"][1]["grid"][0][0], told["reading"]["sheet"]["players"][1]["grid"][0][0]) == ("zebra", "fox")


def test_a_childs_marker_scores_when_it_is_laid_and_never_again(evening: Evening, tables: Any) -> None:
    players = [{"name": n, "colour": c} for n, c in (("Anna", "red"), ("Ben", "blue"))]
    evening.post("/api/game/new", game=STRING, players=players, options={"children": True})
    rules = []
    for placed, marks in (
        ("lion", {"fox": "red"}),
        ("gazelle", {"fox": "red", "lion": "blue"}),
        ("lion", {"fox": "red"}),
    ):
        evening.lay(STRING, tables.string_table(TILES, (235.0, 220.0, 110.0), marks))
        evening.post("/api/game/aim", placed=placed, marker="lion" if "lion" in marks else "fox")
        rules.append(evening.live.reading.answer["sheet"]["turn"]["lines"][-1]["rule"])
        evening.post("/api/game/turn", marked=next(k for k, label in enumerate(TILES) if label in marks))
    assert rules == ["marked-animal", "marked-animal", "already-marked"]
