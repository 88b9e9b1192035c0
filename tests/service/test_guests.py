"""Phones that have joined: each is shown what it may do, and nothing that the service would refuse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.guard import Access
from tests.service.conftest import module
from vision.camera import Camera
from vision.recordings import Folder

ACCESS = Access(frozenset({"127.0.0.1"}), (("host", "h-token"), ("player", "p-token"), ("viewer", "v-token")))
PAPER = {"game": "paper-safari", "players": [{"name": "Anna", "seat": 0}, {"name": "Ben", "seat": 2}]}
LOW = ["fox", "meerkat", "flamingo", "zebra", "fox", "fox"]
HIGH = ["leopard", "lion", "elephant", "hippopotamus", "crocodile", "giraffe"]
PHONE = (390, 844)
OFFERED = """[...document.querySelectorAll('#bar .tools button, #page button, #page input')]
    .filter(one => one.checkVisibility()).map(one => one.getAttribute('aria-label') || one.innerText.trim())"""


@pytest.fixture
def joined(eyes: Any, tmp_path: Path, no_network: list[str]) -> Iterator[Any]:
    """Start a service that is joined by token."""
    one = module("playing").Site(eyes, tmp_path, ACCESS)
    one.url = f"{one.url.partition('?')[0]}?token="
    yield one
    one.stop()
    assert no_network == []


@pytest.mark.parametrize(("role", "offered"), [("viewer", False), ("player", True), ("host", True)])
def test_who_has_joined_is_offered_what_it_may_do(
    role: str, offered: bool, joined: Any, page: Any, tables: Any
) -> None:
    page.resize(*PHONE, mobile=True)
    page.open(f"{joined.url}h-token&setup=no")
    began = page.js(
        f"""fetch('/api/game/new', {{method: 'POST', body: JSON.stringify({PAPER}),
        headers: {{'x-safari-table': '1', 'content-type': 'application/json'}}}}).then(r => r.status)"""
    )
    assert began == 200
    joined.lay("paper-safari", tables.doubtful(tables.paper_table(LOW, HIGH), 6, ("leopard", 0.6), ("zebra", 0.4)))
    page.open(f"{joined.url}{role[0]}-token")
    page.until("document.querySelector('.question')")
    seen = set(page.js(OFFERED))
    assert {"Undo", "Take a photograph"} <= seen if offered else not {"Undo", "Take a photograph"} & seen
    assert ("leopard" in {one.lower() for one in seen}) == offered
    assert ({"Set up", "Join"} & seen != set()) == (role == "host")
    assert page.js("[...document.querySelectorAll('.player h3')].map(one => one.firstChild.data)") == ["Anna", "Ben"]
    assert "points for Ben" in page.js("document.querySelector('.question').innerText")
    assert page.js("document.querySelector('dialog')") is None
    joined.live.look_through(Camera(Folder(Path(__file__).parents[2] / "docs" / "scored.jpg")))
    page.until("![...document.querySelectorAll('#page button')].some(b => b.innerText.includes('photograph'))")
    assert page.errors == []


def test_a_guest_waits_for_the_host_to_set_the_table_up(joined: Any, page: Any) -> None:
    page.open(f"{joined.url}p-token")
    page.until("document.querySelector('.welcome')")
    assert page.js("document.querySelector('.welcome').innerText.includes('host')")
    assert page.js("document.querySelectorAll('.welcome button, dialog').length") == 0
