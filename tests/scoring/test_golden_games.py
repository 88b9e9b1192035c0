"""The rulebooks' sentences on how a game goes, as recorded games: each case names its place."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from scoring.events import Event, GameStarted, TurnScored, from_json
from scoring.ledger import Ledger, replay

GOLDEN = Path(__file__).parents[1] / "golden"
GAMES = ("paper-safari", "kleine-fotosafari", "string-safari")


def _cases(game: str) -> list[dict[str, Any]]:
    return list(tomllib.loads((GOLDEN / game / "games.toml").read_text(encoding="utf-8"))["case"])


CASES = [pytest.param(case, id=f"{game}: {case['id']}") for game in GAMES for case in _cases(game)]


def _events(case: dict[str, Any]) -> list[Event]:
    start, *events = map(from_json, case["events"])
    assert isinstance(start, GameStarted)
    rounds = [TurnScored(p, 2, f"{r} {p}") for r in range(case.get("rounds", 0)) for p in start.players]
    return [start, *rounds, *events]


@pytest.mark.parametrize("case", CASES)
def test_a_recorded_game(case: dict[str, Any]) -> None:
    events = _events(case)
    found = replay(events)
    if "refused" in case:
        assert isinstance(replay(events[:-1]), Ledger)
        assert not isinstance(found, Ledger)
        assert found.rule == case["refused"]
        return
    assert isinstance(found, Ledger), found
    state = found.to_json()["state"]
    wanted = {key: None if value == "-" else value for key, value in case["state"].items()}
    assert {key: state[key] for key in wanted} == wanted


def test_each_case_names_its_place() -> None:
    for game in GAMES:
        cases = _cases(game)
        assert all(case["place"] for case in cases)
        assert len({case["id"] for case in cases}) == len(cases)
