"""A deck of one's own, made on the page with the program's own eyes: each kind of piece laid down, said, and kept."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from decks.deck import find, load
from scoring.table import Kind, Table
from service.app import create_app
from service.deck_eyes import DeckEyes
from service.hub import Hub
from service.live import Live
from service.pictures import jpeg
from service.store import Store
from synth.pictures import Pictures
from synth.render import Manner, photograph
from tests.service.conftest import module
from tests.service.test_enrolment_round_trip import rows
from vision.recogniser import Recogniser

HEADER = {"x-safari-table": "1"}
MANNER = Manner(1280, 720, most_tilt_deg=15.0, harsh=0.1, mess=0.0)
PAPER, FOTO, STRING = "paper-safari", "kleine-fotosafari", "string-safari"
ANIMAL = {"food": "carnivore", "family": "cat", "activity": "night"}
KINDS: dict[str, Kind] = {"research": "research", "coins": "coin", "photos": "photo", "markers": "marker"}


def shot(game: str, kind: str, label: str, seed: int = 4) -> Any:
    """Return a photograph of one piece that lies alone."""
    deck = find(None, game)
    sizes = {"coins": (22.0, 22.0), "markers": (9.0, 9.0), "photos": (96.0, 44.0)}
    piece = KINDS.get(kind, "tile" if game == STRING else "card")
    table = rows(piece, [label], sizes.get(kind, deck.edition.size_mm), 1, 3.0)
    assert isinstance(table, Table)
    return photograph(table, deck, seed, MANNER, Pictures())[0]


Enrol = Callable[..., Any]


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Return where decks of one's own lie."""
    return tmp_path / "own"


@pytest.fixture
def enrol(own: Path, tmp_path: Path, make_client: Any) -> Iterator[Enrol]:
    """Lay a piece before the camera, and say what it is."""
    hub, store = Hub(), Store(tmp_path / "games.sqlite")
    live = Live(DeckEyes(own), hub)
    client = make_client(create_app(live.eyes, store=store, live=live, hub=hub))

    def laid(image: Any, game: str, kind: str, label: str, **said: Any) -> Any:
        before = live.newest()
        assert client.post("/api/photograph", content=jpeg(image, 95), headers=HEADER).status_code == 200
        assert live.camera is not None
        live.camera.wait(before.number if before else 0, 5.0)
        wish = {"deck": "ours", "game": game, "kind": kind, "label": label, **said}
        return client.post("/api/decks/face", json=wish, headers=HEADER)

    laid.client = client  # type: ignore[attr-defined]  # what else a test asks of the same service
    yield laid
    live.stop()
    hub.close()
    store.close()


ENROLLED = [
    (PAPER, "faces", "lion", {"value": 9, "count": 4}),
    (PAPER, "faces", "back", {}),
    (FOTO, "photos", "lion zebra lion", {"count": 2}),
    (STRING, "faces", "lion", {"points": 3, "traits": ANIMAL}),
    (STRING, "faces", "rocky-area", {"count": 2, "traits": {"land": "rocky-area"}}),
    (STRING, "research", "", {"target": "cat:2", "condition": "edge", "points": 3}),
    (STRING, "coins", "", {"worth": 5}),
]


@pytest.mark.parametrize(
    ("game", "kind", "label", "said"), ENROLLED, ids=["card", "back", "photo", "animal", "land", "research", "coin"]
)
def test_a_piece_is_cut_named_and_kept(
    game: str, kind: str, label: str, said: dict[str, Any], enrol: Enrol, own: Path
) -> None:
    label = label or next(iter(getattr(find(None, game), kind)))
    told = enrol(shot(game, kind, label), game, kind, label, **said)
    assert told.status_code == 200, told.text
    assert told.json()["picture"]
    name = "-".join(label.split())
    face = np.asarray(load_picture(own / "ours" / kind / f"{name}.png"))
    assert min(face.shape[:2]) > 40
    written = tomllib.loads((own / "ours" / "deck.toml").read_text())
    wanted = {**{k: v for k, v in said.items() if k != "traits"}, **said.get("traits", {})}
    entry = written[kind][name] if label != "back" else {}
    assert {key: entry[key] for key in wanted} == wanted
    if kind == "photos":
        assert entry["sequence"] == label.split()


def load_picture(path: Path) -> Any:
    """Read a picture."""
    from decks.picture import read

    return read(path)


def test_a_marker_teaches_its_colour(enrol: Enrol, own: Path) -> None:
    told = enrol(shot(STRING, "markers", "red"), STRING, "markers", "red").json()
    assert (told["picture"], told["faults"]) == (None, [])
    assert tomllib.loads((own / "ours" / "deck.toml").read_text())["markers"]["red"] == told["colour"]
    assert int(told["colour"][1:3], 16) > 2 * int(told["colour"][5:7], 16)


def test_what_the_deck_still_needs_is_told_until_it_has_it(enrol: Enrol, own: Path) -> None:
    image = shot(PAPER, "faces", "lion")
    assert "value" in enrol(image, PAPER, "faces", "lion").json()["lacks"]
    assert str(own) not in enrol(image, PAPER, "faces", "lion").json()["lacks"]
    assert [one["name"] for one in enrol.client.get("/api/decks").json()].count("ours") == 0  # type: ignore[attr-defined]
    assert enrol(image, PAPER, "faces", "lion", value=9).json()["lacks"] == ""
    assert [one["name"] for one in enrol.client.get("/api/decks").json()].count("ours") == 1  # type: ignore[attr-defined]
    (named,) = Recogniser(find(None, PAPER)).name([load(own / "ours").faces["lion"][0]], group="faces", turns=2)
    assert named.label == "lion"


@pytest.mark.parametrize(
    ("game", "kind", "label", "said", "status"),
    [
        (PAPER, "coins", "5", {"worth": 5}, 422),
        (STRING, "research", "x", {"target": "dragon:3", "points": 1}, 422),
        (STRING, "coins", "5", {"worth": 0}, 422),
        (STRING, "coins", "5", {"traits": {"food": "carnivore"}}, 422),
        (STRING, "faces", "lion", {"traits": {"food": "stones"}}, 422),
        (STRING, "spoons", "x", {}, 422),
        (PAPER, "faces", "../lion", {"value": 1}, 422),
        (PAPER, "faces", "lion", {"deck": "../ours", "value": 1}, 422),
        (FOTO, "photos", "../lion zebra", {}, 422),
        (PAPER, "faces", "lion", {"value": 1}, 422),
    ],
    ids=[
        "no coins",
        "no target",
        "worth",
        "traits",
        "a trait",
        "kind",
        "a path",
        "a deck's path",
        "photo",
        "bare table",
    ],
)
def test_what_cannot_be_enrolled_is_refused_in_one_line(
    game: str, kind: str, label: str, said: dict[str, Any], status: int, enrol: Enrol, own: Path
) -> None:
    told = enrol(np.full((720, 1280, 3), 150, np.uint8), game, kind, label, **said)
    assert (told.status_code, "\n" in told.json()["error"]) == (status, False)
    assert not [path for path in own.parent.rglob("*.png") if "found" not in path.name]


def test_a_deck_is_made_on_the_page(page: Any, own: Path, tmp_path: Path, no_network: list[str]) -> None:
    deck = find(None, STRING)
    coin, research = next(iter(deck.coins)), next(iter(deck.research))
    site = module("playing").Site(DeckEyes(own), tmp_path)
    shots = Path(os.environ.get("SAFARI_SCREENSHOTS", str(tmp_path)))
    page.open(site.url)
    page.click('[aria-label="Set up"]')
    for _ in range(2):
        page.click("dialog.wizard .end .main")
    page.click(f'dialog.wizard [data-game="{STRING}"]')
    page.click("dialog.wizard summary")
    fill(page, "Name of the deck", "ours")
    said: list[tuple[str, Any, dict[str, Any]]] = [
        ("animals", shot(STRING, "faces", "lion"),
         {"Name of the piece": "lion", "Points": 3, "Food": "carnivore", "Family": "cat", "Activity": "night"}),
        ("lands", shot(STRING, "faces", "rocky-area"), {"Land": "rocky-area", "How many": 2}),
        ("research", shot(STRING, "research", research), {"Target": "cat", "Points each": "2", "Points": 3}),
        ("coins", shot(STRING, "coins", coin), {"Value": 5}),
        ("markers", shot(STRING, "markers", "red"), {"Colour": "red"}),
        ("back", shot(STRING, "faces", "back"), {}),
    ]  # fmt: skip
    for count, (kind, image, fields) in enumerate(said, 1):
        site.uploads.push(image)
        site.live.camera.wait(count - 1, 5.0)
        fill(page, "What it is", kind)
        for words, value in fields.items():
            fill(page, words, value)
        page.js("[...document.querySelectorAll('.enrol button')].at(-1).click()")
        page.until(f"document.querySelectorAll('.faces li').length === {count}")
    for name, width, height in (("desktop", 1280, 800), ("tablet", 820, 1180), ("phone", 390, 844)):
        page.resize(width, height, mobile=name != "desktop")
        page.js("document.querySelector('.enrol').scrollIntoView()")
        page.screenshot(shots / f"enrolment-{name}.png")
        assert page.js("document.querySelector('dialog.wizard').scrollWidth") <= width
    page.until("[...document.querySelectorAll('.choice')].some(one => one.innerText.includes('ours'))")
    assert [one for one in page.errors if "snapshot.jpg" not in one] == []  # before the first picture
    site.stop()
    held = load(own / "ours").edition
    assert (held.faces["lion"].family, held.faces["rocky-area"].land) == ("cat", "rocky-area")
    assert [(one.target, one.points) for one in held.research.values()] == [("cat:2", 3)]
    assert dict(held.coins) == {"5": 5}
    assert no_network == []


def fill(page: Any, words: str, value: Any) -> None:
    """Fill in the field or choice that bears these words, as a person does."""
    page.until(
        f"""(() => {{ const one = document.querySelector('.enrol [aria-label=' + CSS.escape({json.dumps(words)}) + ']');
        if (!one) return false; one.value = {json.dumps(str(value))};
        one.dispatchEvent(new Event('change')); return true; }})()"""
    )
