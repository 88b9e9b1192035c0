"""Whole games in a real Chromium, on recorded videos, with the reader itself: it is told nothing but pictures."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from decks.deck import find
from scoring.edition import Game
from scoring.table import Table
from service.deck_eyes import DeckEyes
from synth import evening

pytestmark = pytest.mark.browser
LOW = ["fox", "meerkat", "flamingo", "zebra", "fox", "fox"]
HIGH = ["leopard", "lion", "elephant", "hippopotamus", "crocodile", "giraffe"]
LOW_TOTAL, HIGH_TOTAL = -2 + 0 + 1 + 3 - 2 - 2, 6 + 9 + 10 + 7 + 8 + 5
RING = evening.RING
SEED = {"paper-safari": 2, "kleine-fotosafari": 2, "string-safari": 2}
REST_S, ARM_S = 0.6, 0.4
TURNS, TAPPED = 18, 4  # three players, six markers each; so many turns are tapped, the rest posted by the page
_THE_REST = f"""(async () => {{ for (let k = {TAPPED}; k < {TURNS}; k++) for (const [path, body] of
  [["aim", {{target: "all:1"}}], ["turn", {{marked: null}}]]) await fetch(`/api/game/${{path}}`, {{method: "POST",
    headers: {{"content-type": "application/json", "x-safari-table": "1"}}, body: JSON.stringify(body)}}); }})()"""


@pytest.fixture
def eyes(tmp_path: Path) -> DeckEyes:
    """Return the program's own eyes."""
    return DeckEyes(tmp_path / "decks")


def recorded(folder: Path, game: Game, tables: Sequence[Table]) -> list[Path]:
    """Film an evening: the first table, and for each next one a clip of how it was laid."""
    shown = evening.pictured(tables, find(None, game), SEED[game])
    clips = [shown[:1], *([before, after] for before, after in pairwise(shown))]
    return [evening.film(folder / f"{k}.avi", clip, REST_S, ARM_S) for k, clip in enumerate(clips)]


def read(page: Any, site: Any, pieces: int) -> None:
    """Wait until so many pieces are drawn."""
    page.until(f"document.querySelectorAll('.piece').length === {pieces}", 30.0)


def test_paper_safari(site: Any, page: Any, tmp_path: Path) -> None:
    deck = find(None, "paper-safari")
    steps = [[[*LOW[:5], "back"], [*HIGH[:5], "back"]], [LOW, [*HIGH[:5], "back"]], [LOW, HIGH]]
    reel = site.play(*recorded(tmp_path, "paper-safari", evening.paper(deck, steps)))
    page.open(site.url)
    site.set_up(page, "paper-safari", 2)
    read(page, site, 12)
    reel.on()
    page.until(f"[...document.querySelectorAll('.player .number')].some(n => n.innerText === '−{-LOW_TOTAL}')")
    assert page.js("document.querySelector('[data-key=next]').disabled")
    page.open(site.url)  # a reload in the middle
    reel.on()
    page.until(f"[...document.querySelectorAll('.player .number')].some(n => n.innerText === '{HIGH_TOTAL}')")
    page.until("!document.querySelector('[data-key=next]').disabled")
    page.press("n", "KeyN", "n")
    page.until("[...document.querySelectorAll('.pips')].some(p => p.innerText === '★☆☆')")
    board = site.store.events()[-1].data["event"]
    assert (board["totals"], board["winners"]) == ({"p1": LOW_TOTAL, "p2": HIGH_TOTAL}, ["p1"])
    correct(page, 99)
    page.until("[...document.querySelectorAll('tbody tr')][1].innerText.includes('★☆☆')")
    for stars, players in (("★☆☆", 2), ("★★☆", 1)):
        page.press("n", "KeyN", "n")
        page.until(
            f"[...document.querySelectorAll('.pips')].filter(p => p.innerText === '{stars}').length === {players}"
        )
    assert page.errors == []


def correct(page: Any, value: int) -> None:
    """Say that the newest entry's first figure was another."""
    page.click("[aria-label='Correct this']")
    page.until("document.querySelector('dialog[open] input')")
    page.js(
        "(() => { const i = document.querySelector('dialog[open] input'); i.value = "
        f"{value}; i.dispatchEvent(new Event('change')); }})()"
    )
    page.click("dialog[open] .main")
    page.until("!document.querySelector('dialog[open]')")


def test_kleine_fotosafari(site: Any, page: Any, tmp_path: Path) -> None:
    deck = find(None, "kleine-fotosafari")
    swapped = [*RING[:3], *RING[4:2:-1], *RING[5:]]
    laid = [RING, swapped, swapped, swapped, swapped]
    photos = [(), (), swapped[2:5], (), swapped[6:3:-1]]
    tables = [evening.foto(deck, ring, photo) for ring, photo in zip(laid, photos, strict=True)]
    reel = site.play(*recorded(tmp_path, "kleine-fotosafari", tables))
    page.open(site.url)
    site.set_up(page, "kleine-fotosafari", 2)
    read(page, site, 13)
    reel.on()
    page.until(f"document.querySelector('.sheet').innerText.includes('{swapped[3]}')")
    reel.on()
    read(page, site, 14)
    assert page.js("document.querySelectorAll('.is-good, .is-bad, .is-ask').length") == 0
    page.press(" ", "Space", " ")
    settled(page, " ".join(swapped[2:5]))
    page.until("document.querySelector('.claim.good')", 30.0)
    assert page.js("document.querySelectorAll('.hit.is-good').length") == 7  # it is there twice
    page.open(site.url)  # a reload in the middle: the verdict still stands
    page.until("document.querySelector('.claim.good')")
    page.click(".claim .button")
    page.until("!document.querySelector('.claim')")
    reel.on()
    read(page, site, 13)
    reel.on()
    read(page, site, 14)
    page.press(" ", "Space", " ")
    settled(page, " ".join(swapped[6:3:-1]))
    page.until("document.querySelector('.claim.bad')", 30.0)
    page.click(".claim .button")
    board = page.js("fetch('/api/state').then(r => r.json())")["game"]["board"]
    assert board["taken"]["p1"]["3"] == 1
    assert [error for error in page.errors if "409" not in error] == []


def settled(page: Any, animals: str) -> None:
    """Wait for the verdict on a claim; where the reader asks what the photo shows, say it with one tap."""
    page.until("document.querySelector('.claim')", 30.0)
    chip = f"[...document.querySelectorAll('.question .chip')].find(c => c.innerText.trim() === '{animals}')"
    if page.js("document.querySelector('.claim').classList.contains('ask')"):
        page.js(f"{chip}.click()")


def aim(page: Any, category: str, points: int) -> None:
    """Choose what the research tile asks for."""
    page.js(
        "(() => { const [c, p] = document.querySelectorAll('.aim select');"
        f" c.value = '{category}'; c.dispatchEvent(new Event('change')); p.value = '{points}'; }})()"
    )
    page.until("document.querySelector('[data-key=next]')?.innerText.includes(':')")


def test_string_safari(site: Any, page: Any, tmp_path: Path) -> None:
    deck = find(None, "string-safari")
    red, both = [("lion", "red")], [("lion", "red"), ("gorilla", "blue"), ("fox", "yellow")]
    steps = [
        ((), (), None),
        (("lion", "tiger"), (), "carnivore-2"),
        (("lion", "tiger"), red, "carnivore-2"),
        ((), both, None),
    ]
    reel = site.play(*recorded(tmp_path, "string-safari", [evening.string(deck, *step) for step in steps]))
    page.open(site.url)
    site.set_up(page, "string-safari", 3)
    read(page, site, 16)
    reel.on()
    page.until("document.querySelector('.region')", 30.0)
    page.js("[...document.querySelectorAll('.aim .button')].at(-1).click()")  # the research tile is read
    page.until("document.querySelector('[data-key=next]').innerText.endsWith(': 4')", 60.0)
    reel.on()
    read(page, site, 18)
    page.press("n", "KeyN", "n")
    page.until("document.querySelector('.turn-of').innerText.includes('Player 2')")
    page.open(site.url)  # a reload in the middle
    page.until("document.querySelector('tbody tr td:nth-child(2)')?.innerText === '4'")
    correct(page, 6)
    page.until("document.querySelector('tbody tr td:nth-child(2)')?.innerText === '6'")
    for turn in range(1, TAPPED):
        played(page, turn)
    page.until(f"document.querySelector('.turn-of')?.innerText.includes('Player {TAPPED % 3 + 1}')")
    page.js(_THE_REST)
    reel.on()
    ended(page)
    board = page.js("fetch('/api/state').then(r => r.json())")["game"]["board"]
    worth = deck.edition.faces
    animals = {player: worth[tile].points for tile, player in both}
    coins = board["coins"]
    assert coins["red"] >= 6
    assert board["totals"] == {p: coins[p] + k + (animals[p] or 0) for k, p in enumerate(("red", "blue", "yellow"), 1)}
    assert [error for error in page.errors if "409" not in error] == []  # the service asked where the marker goes


def played(page: Any, turn: int) -> None:
    """Play a turn with the string as it lies, without a marker."""
    page.until(f"document.querySelector('.turn-of')?.innerText.includes('Player {turn % 3 + 1}')")
    aim(page, "all", 1)
    page.press("n", "KeyN", "n")
    page.until("document.querySelector('dialog[open] .chip')")
    page.js("[...document.querySelectorAll('dialog[open] .chip')].at(-1).click()")
    page.until("!document.querySelector('dialog[open]')")


def ended(page: Any) -> None:
    """Say what everyone's research tiles are worth, and score the end."""
    page.until("document.querySelectorAll('.stash input').length === 6")
    read(page, None, 19)
    for k in range(3):
        page.js(
            f"(() => {{ const i = document.querySelectorAll('.stash input')[{2 * k + 1}];"
            f" i.value = {k + 1}; i.dispatchEvent(new Event('change')); }})()"
        )
        page.until(f"document.querySelector('tbody tr:nth-child({k + 1}) td:nth-child(3)').innerText === '{k + 1}'")
    page.until("!document.querySelector('[data-key=next]').disabled")
    page.press("n", "KeyN", "n")
    page.until("document.querySelector('.over')")
