"""A real Chromium plays the three games: corrections, a reload and a lost connection in the middle."""

from __future__ import annotations

import socket
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

pytestmark = pytest.mark.browser
RING = "lion zebra elephant zebra giraffe elephant lion giraffe zebra elephant giraffe zebra".split()  # noqa: SIM905 (it reads as a ring)
LOW = ["fox", "meerkat", "flamingo", "zebra", "fox", "fox"]
HIGH = ["leopard", "lion", "elephant", "hippopotamus", "crocodile", "giraffe"]
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1280, 800)}


def text(page: Any) -> str:
    """Return what the page says."""
    found: str = page.js("document.querySelector('#page').innerText")
    return found


def test_paper_safari_is_played_to_its_end(site: Any, page: Any, tables: Any) -> None:
    site.lay("paper-safari", tables.doubtful(tables.paper_table(LOW, HIGH), 6, ("leopard", 0.6), ("zebra", 0.4)))
    page.open(site.url)
    site.set_up(page, "paper-safari", 2)
    page.click(".hit.is-ask")
    page.until("document.querySelectorAll('.ask .chip').length === 2")
    page.press("2", "Digit2", "2")
    page.until(
        "document.querySelector('.cell') && [...document.querySelectorAll('.cell')].some(c => c.innerText === 'zebra')"
    )
    page.until("!document.querySelector('[data-key=next]').disabled")
    page.press("n", "KeyN", "n")
    page.until("document.querySelector('.record li .mini')")
    page.press("u", "KeyU", "u")
    page.until("document.querySelector('.record .undone')")
    page.press("r", "KeyR", "r")
    page.until("!document.querySelector('.record .undone')")
    page.open(site.url)
    page.until("[...document.querySelectorAll('.pips')].some(p => p.innerText === '★☆☆')")
    for stars in ("★★☆", "★★★"):
        page.until("!document.querySelector('[data-key=next]').disabled")
        page.press("n", "KeyN", "n")
        page.until(f"[...document.querySelectorAll('.pips')].some(p => p.innerText === '{stars}')")
    page.until("document.querySelector('.over')")
    assert page.errors == []


def test_a_double_tap_scores_a_round_once(site: Any, page: Any, tables: Any) -> None:
    site.lay("paper-safari", tables.paper_table(LOW, HIGH))
    page.open(site.url)
    site.set_up(page, "paper-safari", 2)
    page.until("!document.querySelector('[data-key=next]').disabled")
    page.click("[data-key=next]")
    page.click("[data-key=next]")
    page.until("[...document.querySelectorAll('.pips')].some(p => p.innerText === '★☆☆')")
    page.js("new Promise(done => setTimeout(done, 1000))")
    page.click("[data-key=next]")  # later it is another wish
    page.until("[...document.querySelectorAll('.pips')].some(p => p.innerText === '★★☆')")
    assert [event.kind for event in site.store.events()].count("act") == 2
    assert page.errors == []


def test_before_the_click_nothing_tells_and_after_it_the_animals_light_up(site: Any, page: Any, tables: Any) -> None:
    site.lay("kleine-fotosafari", tables.ring_table(RING, RING[:3]))
    page.open(site.url)
    site.set_up(page, "kleine-fotosafari", 2)
    page.until("document.querySelectorAll('.piece').length === 13")
    said = text(page)
    assert not any(word in said for word in ("right", "wrong", "Not in the circle", "found"))
    assert page.js("document.querySelectorAll('.is-good, .is-bad, .is-ask').length") == 0
    page.press(" ", "Space", " ")
    page.until("document.querySelector('.claim.good')")
    assert page.js("document.querySelectorAll('.hit.is-good').length") == 4
    page.click(".claim .button")
    page.until("!document.querySelector('.claim')")
    assert page.js("document.querySelectorAll('.is-good').length") == 0
    assert page.errors == []


def test_string_safari_scores_a_turn_and_passes_it_on(site: Any, page: Any, tables: Any) -> None:
    tiles = {"lion": (200.0, 200.0), "water-hole": (270.0, 200.0), "fox": (200.0, 270.0), "kudu": (430.0, 200.0)}
    site.lay("string-safari", tables.string_table(tiles, (235.0, 220.0, 110.0)))
    page.open(site.url)
    site.set_up(page, "string-safari", 3)
    page.until("document.querySelector('.region')")
    page.click(".aim .button")
    page.until("!document.querySelector('[data-key=next]').disabled")
    assert "water hole is enclosed" in text(page)
    assert "water-hole" not in text(page)
    page.press("n", "KeyN", "n")
    page.until("document.querySelectorAll('dialog[open] .chip').length === 3")
    page.click("dialog[open] .chip")
    page.until("document.querySelector('tr.turn td').innerText.includes('2')")
    page.js("[...document.querySelectorAll('button')].find((b) => b.innerText.trim() === 'Type the points').click()")
    page.js("document.querySelector('dialog[open] input').value = '12'")
    page.click("dialog[open] [type=submit]")
    page.until("document.querySelector('tr.turn td').innerText.includes('3')")
    assert page.js("[...document.querySelectorAll('tbody td')].some((cell) => cell.innerText === '12')")
    assert [error for error in page.errors if "409" not in error] == []  # the service asked where the marker goes


@pytest.mark.parametrize("size", SIZES)
def test_the_overlay_is_true_at_any_size(size: str, site: Any, page: Any, tables: Any) -> None:
    site.lay("paper-safari", tables.paper_table(LOW, HIGH))
    page.resize(*SIZES[size])
    page.open(site.url)
    site.set_up(page, "paper-safari", 2)
    page.until("document.querySelectorAll('.piece').length === 12 && !document.querySelector('.frame canvas').hidden")
    off = page.js(
        """(() => { const f = document.querySelector('.frame canvas').getBoundingClientRect();
        const p = document.querySelector('[data-piece="0"] .piece'); const b = p.getBoundingClientRect();
        const x = Math.min(...p.getAttribute('points').split(' ').map(q => +q.split(',')[0]));
        return Math.abs(b.left - (f.left + x * f.width / 1280)); })()"""
    )
    assert off < 2
    assert page.js("document.documentElement.scrollWidth <= innerWidth")


def test_every_control_has_a_name(site: Any, page: Any, tables: Any) -> None:
    site.lay("kleine-fotosafari", tables.ring_table(RING, RING[:3]))
    page.open(site.url)
    site.set_up(page, "kleine-fotosafari", 2)
    nameless = page.js(
        """[...document.querySelectorAll('button, a, select, input')].filter(e => e.offsetParent !== null
        && !(e.innerText || e.getAttribute('aria-label') || e.title || e.labels?.length))
        .map(e => e.outerHTML.slice(0, 80))"""
    )
    assert nameless == []


def test_a_page_that_was_away_resumes(site: Any, page: Any, tables: Any) -> None:
    site.lay("paper-safari", tables.paper_table(LOW, HIGH))
    page.open(site.url)
    site.set_up(page, "paper-safari", 2)
    page.until("!document.querySelector('[data-key=next]').disabled")
    page.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    table = site.eyes.tables
    assert table
    time.sleep(0.5)
    page.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    page.press("n", "KeyN", "n")
    page.until("[...document.querySelectorAll('.pips')].some(p => p.innerText === '★☆☆')")


def recorded(path: Path, eyes: Any, tables: Sequence[tuple[str, Any]]) -> Path:
    """Record tables, each for two seconds, an arm over the table between them."""
    shown = [eyes.picture(game, table) for game, table in tables]
    height, width = shown[0].shape[:2]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 15.0, (width, height))
    rng = np.random.default_rng(0)
    for k, image in enumerate(shown):
        for n in range(12 if k else 0):
            arm = cv2.line(shown[k - 1].copy(), (width // 2, height), (width // 2 + 20 * n, 300), (120, 150, 200), 120)
            writer.write(np.asarray(arm, np.uint8))
        for _ in range(30):
            noise = rng.normal(0, 1.5, image.shape)
            writer.write(np.clip(image + noise, 0, 255).astype(np.uint8))
    writer.release()
    return path


def test_a_recorded_evening_is_read_as_it_plays(site: Any, page: Any, tables: Any, tmp_path: Path) -> None:
    doubtful = tables.doubtful(tables.paper_table(LOW, HIGH), 6, ("leopard", 0.6), ("zebra", 0.4))
    laid = [tables.paper_table(LOW, ["back"] * 6), tables.paper_table(LOW, ["back"] * 3 + HIGH[3:]), doubtful]
    site.lay("paper-safari", laid[0])
    page.open(site.url)
    site.set_up(page, "paper-safari", 2)
    site.play(recorded(tmp_path / "evening.avi", site.eyes, [("paper-safari", table) for table in laid]))
    page.until("document.querySelector('.hit.is-ask')", 40.0)
    assert site.live.counts["readings"] >= 3
    assert site.live.counts["failed"] == 0
    page.open(site.url)  # a reload in the middle
    page.until("document.querySelectorAll('.question .chip').length === 2")
    page.click(".question .chip")
    page.until("!document.querySelector('[data-key=next]').disabled")
    page.press("n", "KeyN", "n")
    page.until("[...document.querySelectorAll('.pips')].some(p => p.innerText === '★☆☆')")
    page.click("[aria-label='Correct this']")
    page.until("document.querySelectorAll('dialog[open] input').length === 2")
    page.js(
        "(() => { const i = document.querySelectorAll('dialog[open] input')[0]; i.value = 99;"
        " i.dispatchEvent(new Event('change')); })()"
    )
    page.click("dialog[open] .main")
    second = "[...document.querySelectorAll('tbody tr')].find(r => r.innerText.includes('Player 2'))"
    page.until(f"{second}.innerText.includes('★☆☆')")
    assert page.errors == []


@pytest.mark.parametrize("language", ["de", "cs"])
def test_reasons_are_told_in_the_viewers_language(language: str, site: Any, page: Any, tables: Any) -> None:
    site.lay("paper-safari", tables.paper_table(LOW, HIGH))
    page.open(site.url)
    site.set_up(page, "paper-safari", 2)
    page.js(f"localStorage.setItem('safari-table', JSON.stringify({{language: '{language}'}}))")
    page.open(site.url)
    page.until("document.querySelectorAll('.line .why').length > 6")
    said = text(page)
    fox, counts = {"de": ("Fuchs", "zählt"), "cs": ("liška", "má hodnotu")}[language]
    assert fox in said or fox.capitalize() in said
    assert counts in said
    assert "counts" not in said


def test_these_journeys_have_no_network(site: Any, page: Any, no_network: list[str]) -> None:
    with pytest.raises(OSError, match="blocked"):
        socket.create_connection(("example.org", 80), 1.0)
    assert no_network == ["example.org"]
    no_network.clear()
    page.open(site.url)
    assert page.js("fetch('/api/about').then(() => 'here')") == "here"
    page.call("Page.navigate", url="http://example.org/")
    page.until("location.href.startsWith('chrome-error')")
