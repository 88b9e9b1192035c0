"""What axe finds wrong with the page: nothing, on any screen, in light and dark, at any size."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser
FOTO, PAPER, STRING = "kleine-fotosafari", "paper-safari", "string-safari"
RING = ["lion", "zebra", "elephant", "zebra", "giraffe", "elephant", "lion", "giraffe", "zebra"]
RING += ["elephant", "giraffe", "zebra"]
LOW = ["fox", "meerkat", "flamingo", "zebra", "fox", "fox"]
HIGH = ["leopard", "lion", "elephant", "hippopotamus", "crocodile", "giraffe"]
TILES = {"lion": (200.0, 200.0), "gazelle": (270.0, 200.0), "fox": (200.0, 270.0), "kudu": (430.0, 200.0)}
_RUN = """axe.run(document, {resultTypes: ["violations"]}).then(found => found.violations.map(
  one => `${one.impact} ${one.id}: ${one.nodes.map(node => node.html.slice(0, 100)).join(" | ")}`))"""


def faults(page: Any) -> list[str]:
    """Return what axe finds on the screen as it is."""
    package = importlib.util.find_spec("axe_core_python")
    assert package is not None, "install what requirements-dev.lock names"
    assert package.origin is not None
    page.js(Path(package.origin).with_name("axe.min.js").read_text(encoding="utf-8") + ";1")
    found: list[str] = page.js(_RUN)
    return found


def test_axe_finds_what_is_wrong(page: Any) -> None:
    page.js("document.body.innerHTML = '<main><h1>A</h1><input><p style=\"color:#999\">pale</p></main>'")
    assert any(fault.startswith("critical label") for fault in faults(page))
    assert any("color-contrast" in fault for fault in faults(page))


def test_the_wizard(site: Any, page: Any) -> None:
    page.open(site.url)
    assert faults(page) == []
    page.click('[aria-label="Set up"]')
    for _ in range(3):
        page.until("document.querySelector('dialog.wizard .end .main')")
        assert faults(page) == []
        page.click("dialog.wizard .end .main")


@pytest.mark.parametrize(("game", "kinds"), [("paper-safari", 2), ("kleine-fotosafari", 3), ("string-safari", 6)])
def test_a_deck_of_ones_own(game: str, kinds: int, site: Any, page: Any) -> None:
    page.open(site.url)
    page.click('[aria-label="Set up"]')
    for _ in range(2):
        page.click("dialog.wizard .end .main")
    page.click(f'dialog.wizard [data-game="{game}"]')
    page.click("dialog.wizard .enrol summary")
    assert page.js("document.querySelector('.enrol [aria-label=\"What it is\"]').options.length") == kinds
    for k in range(kinds):
        page.js(
            f"""(one => {{ one.selectedIndex = {k}; one.dispatchEvent(new Event("change")); }})(
            document.querySelector('.enrol [aria-label="What it is"]'))"""
        )
        assert faults(page) == []


@pytest.mark.parametrize(
    ("theme", "size"), [("light", (1280, 800)), ("dark", (390, 844))], ids=["light, desktop", "dark, phone"]
)
def test_a_claim(theme: str, size: tuple[int, int], site: Any, page: Any, tables: Any) -> None:
    page.open(site.url)
    page.js(f"localStorage.setItem('safari-table', JSON.stringify({{theme: '{theme}'}}))")
    page.resize(*size)
    page.open(site.url)
    site.lay(FOTO, tables.ring_table(RING, RING[:3]))
    site.set_up(page, FOTO, 2)
    page.until("document.querySelectorAll('.piece').length === 13")
    assert faults(page) == []
    page.press(" ", "Space", " ")
    page.until("document.querySelector('.claim.good')")
    assert faults(page) == []
    page.press("?", "Slash", "?")
    page.until("document.querySelector('dialog[open]')")
    assert faults(page) == []


def test_a_round_with_a_question(site: Any, page: Any, tables: Any) -> None:
    site.lay(PAPER, tables.doubtful(tables.paper_table(LOW, HIGH), 6, ("leopard", 0.6), ("zebra", 0.4)))
    page.open(site.url)
    site.set_up(page, PAPER, 2)
    page.click(".hit.is-ask")
    page.until("document.querySelectorAll('.ask .chip').length === 2")
    assert faults(page) == []


def test_a_turn_and_its_marker(site: Any, page: Any, tables: Any) -> None:
    site.lay(STRING, tables.string_table(TILES, (235.0, 220.0, 110.0)))
    page.open(site.url)
    site.set_up(page, STRING, 3)
    page.until("document.querySelector('.region')")
    page.click(".aim .button")
    page.until("!document.querySelector('[data-key=next]').disabled")
    assert faults(page) == []
    page.press("n", "KeyN", "n")
    page.until("document.querySelectorAll('dialog[open] .chip').length === 4")
    assert faults(page) == []
