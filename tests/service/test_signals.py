"""The page's own signals in a real Chromium: banners, sounds and speech, keys, words, sizes, the wizard's steps."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from service.pictures import jpeg
from service.store import StoreFullError
from vision.camera import Camera
from vision.recordings import SourceLostError

pytestmark = pytest.mark.browser
PAPER, FOTO, STRING = "paper-safari", "kleine-fotosafari", "string-safari"
LOW = ["fox", "meerkat", "flamingo", "zebra", "fox", "fox"]
HIGH = ["leopard", "lion", "elephant", "hippopotamus", "crocodile", "giraffe"]
RING = "lion zebra elephant zebra giraffe elephant lion giraffe zebra elephant giraffe zebra".split()  # noqa: SIM905 (it reads as a ring)
TILES = {"lion": (200.0, 200.0), "gazelle": (270.0, 200.0), "fox": (200.0, 270.0)}
PHONE, TABLET, DESKTOP = (390, 844), (820, 1180), (1440, 900)
HEARD = """(() => { window.heard = {tones: 0, said: []};
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...at) { heard.tones += 1; return start.apply(this, at); };
  speechSynthesis.speak = (words) => { heard.said.push(words.text); }; })()"""


def prefer(page: Any, site: Any, **prefs: Any) -> None:
    """Open the page as a browser that remembers this."""
    page.open(site.url)
    page.js(f"localStorage.setItem('safari-table', JSON.stringify({json.dumps(prefs)}))")
    page.open(site.url)


def claimed(page: Any) -> Any:
    """Call Click!, wait for the verdict, play on, and return what was heard."""
    page.press(" ", "Space", " ")
    page.until("document.querySelector('.claim')")
    heard = page.js("heard")
    page.click(".claim .button")
    page.until("!document.querySelector('.claim')")
    return heard


def test_sounds_and_speech_are_heard_only_where_they_are_wanted(site: Any, page: Any, tables: Any) -> None:
    site.lay(FOTO, tables.ring_table(RING, RING[:3]))
    prefer(page, site, sound=True, speech=True)
    site.set_up(page, FOTO, 2)
    page.until("document.querySelectorAll('.piece').length === 13")
    page.js(HEARD)
    heard = claimed(page)
    assert heard["tones"] >= 3
    assert heard["said"] == ["Found in the circle: lion, zebra, elephant"]
    page.press("u", "KeyU", "u")
    page.press("m", "KeyM", "m")
    page.click('[aria-label="Speech"]')
    page.until("JSON.parse(localStorage.getItem('safari-table')).speech === false")
    page.js("heard.tones = 0; heard.said = []")
    page.until("document.querySelector('.record .undone')")
    assert claimed(page) == {"tones": 0, "said": []}


def test_a_full_disk_is_a_banner_and_play_goes_on(
    site: Any, page: Any, tables: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.lay(PAPER, tables.paper_table(LOW, HIGH))
    page.open(site.url)
    site.set_up(page, PAPER, 2)
    page.until("!document.querySelector('[data-key=next]').disabled")
    real = site.store.append

    def full(*given: Any, **more: Any) -> Any:
        raise StoreFullError("the disk is full")

    monkeypatch.setattr(site.store, "append", full)
    page.press("n", "KeyN", "n")
    page.until("document.querySelector('.banner:not([hidden])')?.innerText.includes('disk')")
    page.until("[...document.querySelectorAll('.pips')].some(p => p.innerText === '★☆☆')")
    monkeypatch.setattr(site.store, "append", real)
    page.until("!document.querySelector('[data-key=next]').disabled")
    page.press("n", "KeyN", "n")
    page.until("[...document.querySelectorAll('.pips')].some(p => p.innerText === '★★☆')")
    page.until("document.querySelector('.banner').hidden")


class Gone:
    """A camera that is not there."""

    name, steady = "camera 0", False

    def frames(self) -> Any:
        """Tell so."""
        raise SourceLostError("camera 0 is not there or another program uses it")

    def wake(self) -> None:
        """Nothing waits."""


def test_a_lost_camera_is_a_banner_and_the_score_stays(site: Any, page: Any, tables: Any) -> None:
    site.lay(PAPER, tables.paper_table(LOW, HIGH))
    prefer(page, site, language="de")
    page.js(
        """fetch("/api/game/new", {method: "POST", headers: {"content-type": "application/json", "x-safari-table": "1"},
        body: JSON.stringify({game: "paper-safari", players: [{name: "A", seat: 0}, {name: "B", seat: 2}]})})"""
    )
    page.until("!document.querySelector('[data-key=next]')?.disabled")
    page.press("n", "KeyN", "n")
    page.until("[...document.querySelectorAll('.pips')].some(p => p.innerText === '★☆☆')")
    events = site.store.last_seq()
    site.live.look_through(Camera(Gone()))
    page.until("document.querySelector('.banner:not([hidden])')?.innerText.includes('camera 0')")
    assert page.js("document.querySelector('.status').classList.contains('bad')")
    assert "another program" not in page.js("document.querySelector('.banner').innerText")  # in the viewer's language
    assert page.js("[...document.querySelectorAll('.pips')].some(p => p.innerText === '★☆☆')")
    assert site.store.last_seq() == events


def test_the_wizard_shows_every_game_on_a_phone(site: Any, page: Any) -> None:
    page.resize(*PHONE, mobile=True)
    page.open(site.url)
    page.click('[aria-label="Set up"]')
    for _ in range(2):
        page.click("dialog.wizard .end .main")
    page.until("document.querySelectorAll('dialog.wizard [data-game]').length === 3")
    hidden = page.js(
        """(() => { const d = document.querySelector('dialog.wizard').getBoundingClientRect();
        return [...document.querySelectorAll('dialog.wizard [data-game]')].filter(b => {
          const r = b.getBoundingClientRect(); return r.left < d.left || r.right > d.right; }).map(b => b.innerText);
        })()"""
    )
    assert hidden == []


def test_a_phones_photograph_is_laid_on_the_table(site: Any, page: Any, tables: Any, tmp_path: Path) -> None:
    photograph = tmp_path / "table.jpg"
    photograph.write_bytes(jpeg(site.eyes.picture(PAPER, tables.paper_table(LOW, HIGH)), 95))
    page.resize(*PHONE, mobile=True)
    page.open(site.url)
    page.click('[aria-label="Set up"]')
    page.click("dialog.wizard .end .main")
    page.until("document.querySelector('dialog.wizard meter')")
    page.call("Page.setInterceptFileChooserDialog", enabled=True)
    page.js("HTMLInputElement.prototype.click = function () { window.picker = this; document.body.append(this); }")
    page.js("[...document.querySelectorAll('dialog.wizard .button.small')].at(-1).click()")
    node = page.call("Runtime.evaluate", expression="window.picker")["result"]["objectId"]
    page.call("DOM.setFileInputFiles", files=[str(photograph)], objectId=node)
    page.until("[...document.querySelectorAll('.frame img')].some(i => i.naturalWidth === 1280)")
    frame = site.live.camera.latest()
    assert frame is not None
    assert frame.image.shape == (800, 1280, 3)


def test_a_tap_on_the_picture_says_what_colour_a_string_has(site: Any, page: Any, tables: Any) -> None:
    site.lay(STRING, tables.string_table(TILES, (235.0, 220.0, 110.0)))
    page.open(site.url)
    page.click('[aria-label="Set up"]')
    for _ in range(2):
        page.click("dialog.wizard .end .main")
    page.click(f'dialog.wizard [data-game="{STRING}"]')
    page.click("dialog.wizard .end .main")
    page.until("document.querySelector('dialog.wizard .frame img')?.naturalWidth === 1280")
    page.js(
        """(() => { const b = document.querySelector('dialog.wizard .frame img').getBoundingClientRect();
        const at = [b.left + b.width * 640 / 1280, b.top + b.height * 10 / 800];
        document.querySelector('dialog.wizard .frame').dispatchEvent(
          new MouseEvent('click', {clientX: at[0], clientY: at[1], bubbles: true})); })()"""
    )
    fill = page.until("document.querySelector('dialog.wizard .chip circle').getAttribute('fill').startsWith('#') && "
                      "document.querySelector('dialog.wizard .chip circle').getAttribute('fill')")  # fmt: skip
    red, green, blue = (int(fill[k : k + 2], 16) for k in (1, 3, 5))
    assert max(abs(red - 70), abs(green - 45), abs(blue - 30)) < 25  # the field string is drawn in this brown


@pytest.mark.parametrize("size", [PHONE, TABLET, DESKTOP], ids=["phone", "tablet", "desktop"])
@pytest.mark.parametrize("language", ["en", "de", "cs"])
def test_nothing_is_cut_at_the_end_of_string_safari(
    size: tuple[int, int], language: str, site: Any, page: Any, tables: Any
) -> None:
    players = [{"name": n, "colour": c} for n, c in (("Anneliese", "red"), ("Bartholomäus", "blue"), ("Cem", "yellow"))]
    page.resize(*size, mobile=size == PHONE)
    prefer(page, site, language=language)
    page.js(
        f"""(async () => {{ const post = (path, body) => fetch(path, {{method: "POST",
          headers: {{"content-type": "application/json", "x-safari-table": "1"}}, body: JSON.stringify(body)}});
          await post("/api/game/new", {{game: "{STRING}", players: {json.dumps(players)}}});
          for (let k = 0; k < 18; k++) await post("/api/game/turn/typed", {{points: k % 7, marked: null}}); }})()"""
    )
    site.lay(STRING, tables.string_table(TILES, None, {"lion": "red"}))
    page.until("document.querySelectorAll('.stash input').length === 6")
    page.until("document.querySelectorAll('.piece').length === 4")
    page.js(
        """(async () => { for (const player of ["red", "blue", "yellow"]) await fetch("/api/game/stash", {
          method: "POST", headers: {"content-type": "application/json", "x-safari-table": "1"},
          body: JSON.stringify({player, research: 1})}); })()"""
    )
    page.until("!document.querySelector('[data-key=next]').disabled")
    names = [player["name"] for player in players]
    assert any(name in page.js("document.querySelector('.headline h2').innerText") for name in names)
    assert page.js("document.documentElement.scrollWidth <= innerWidth")
    page.open(site.url.replace("/?", "/overlay?"))
    page.until("document.querySelector('.streaming-board table') && document.querySelector('.streaming-line')")
    assert page.js("document.documentElement.scrollWidth <= innerWidth")
    board = page.js(
        "(({left, right}) => [left, right])(document.querySelector('.streaming-board').getBoundingClientRect())"
    )
    assert 0 <= board[0] < board[1] <= size[0]
    assert page.js("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"


TWO_METRES_MM, SHARP_ARCMIN, PX_MM, CAP = 2000.0, 10.0, 294 / 1280, 0.7
"""Twice what a sharp eye needs; a px of a 13-inch screen of 1280 px; how high a capital is in its letters' size."""


def test_score_winner_and_click_can_be_read_from_two_metres(site: Any, page: Any, tables: Any) -> None:
    least_px = TWO_METRES_MM * math.radians(SHARP_ARCMIN / 60) / PX_MM / CAP
    page.open(site.url)
    site.set_up(page, PAPER, 2)
    site.lay(PAPER, tables.paper_table(LOW, HIGH))
    page.until("document.querySelector('.headline .number')")
    size = "parseFloat(getComputedStyle(document.querySelector('{}')).fontSize)"
    assert page.js(size.format(".headline .number")) >= least_px
    assert page.js(size.format(".player .number")) >= least_px
    assert page.js(size.format(".headline h2")) >= least_px * 0.6  # the winner's name: what a sharp eye can just read
    site.set_up(page, "kleine-fotosafari", 2)
    page.until("document.querySelector('.click')")
    assert page.js(size.format(".click")) >= least_px
