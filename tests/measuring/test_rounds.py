"""Measured rounds: drawn, read and judged; what is right, asked, due, failed and silently wrong."""

from __future__ import annotations

import copy
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from decks.deck import Deck, find
from measuring import rounds
from measuring.rounds import GAMES, Drawn, judged, main
from service.eyes import NoSuchGameError
from synth.scene import Scene, scene


@pytest.fixture(scope="module", params=GAMES)
def round_of(request: pytest.FixtureRequest) -> tuple[Scene, Deck]:
    """Return a round that the rules leave nothing to ask of, and its deck."""
    deck = find(None, request.param)
    made = (scene(seed, request.param, deck) for seed in range(1, 40))
    return next(one for one in made if not one.answer(deck).questions), deck


def wrong(sheet: Any) -> Any:
    """Return a sheet that scores otherwise."""
    other = copy.deepcopy(sheet)
    for photo in other.get("photos", ()):
        photo["valid"] = not photo["valid"]
    for player in other.get("players", ()):
        player["visible_total"] += 1
    if "turn" in other:
        other["turn"]["points"] += 1
    return other


QUESTION = {"piece": 3, "message": "Which piece is this?"}


@pytest.mark.parametrize(
    ("told", "hidden", "state"),
    [
        pytest.param({}, False, "right", id="right"),
        pytest.param({"wrong": True}, False, "silent", id="wrong and sure"),
        pytest.param({"wrong": True, "questions": [QUESTION]}, False, "asked", id="wrong and asked"),
        pytest.param({"questions": [QUESTION]}, False, "asked", id="right and asked"),
        pytest.param({"questions": [QUESTION]}, True, "due", id="a piece is hidden, and asked"),
        pytest.param({"wrong": True}, True, "silent", id="a piece is hidden, and not asked"),
        pytest.param({"problems": [{"rule": "no-grid"}]}, False, "failed", id="no grid"),
        pytest.param({"problems": [{"rule": "no-ring"}]}, False, "failed", id="no ring"),
        pytest.param(None, False, "failed", id="no such game"),
    ],
)
def test_a_round_is_judged_by_what_counts(
    round_of: tuple[Scene, Deck], monkeypatch: pytest.MonkeyPatch, told: dict[str, Any] | None, hidden: bool, state: str
) -> None:
    made, deck = round_of
    true = made.answer(deck).sheet.to_json()
    middles = {p.id: np.array([20.0 * p.id, 0.0]) for p in (*made.table.pieces, *made.beside)}

    def seen_in(*_: object) -> SimpleNamespace:
        if told is None:
            raise NoSuchGameError("no cards lie here")
        answer = {"sheet": wrong(true) if told.get("wrong") else true, "questions": [], "problems": [], **told}
        corners = {i: np.tile(middle, (4, 1)) for i, middle in middles.items()}
        return SimpleNamespace(answer=lambda _: answer, corners_px=corners, table=made.table)

    monkeypatch.setattr(rounds, "seen_in", seen_in)
    one = Drawn(made, np.zeros((8, 8, 3), np.uint8), frozenset({0} if hidden else ()), middles)
    row = judged("one", one, deck, recogniser=None)  # type: ignore[arg-type]  # nothing is read
    assert row.state == state


def test_two_games_and_two_cameras_share_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    art = tmp_path / "art"
    art.mkdir()
    ring = cv2.circle(np.zeros((64, 64, 4), np.uint8), (32, 32), 20, (40, 90, 200, 255), 8)
    cv2.imwrite(str(art / "ring.png"), ring)
    for game, size in ((GAMES[0], "640x480"), (GAMES[1], "640x480"), (GAMES[1], "480x640")):
        options = ["--game", game, "--count", "1", "--size", size, "--tilt", "5", "--harsh", "0"]
        more = ["--seed", "4", "--art", str(art), "--random", "1"]
        monkeypatch.setattr(sys, "argv", ["rounds", str(tmp_path / "drawn"), *options, *more])
        main()
    told = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("1 rounds: ") for line in told) == 3
    shapes = sorted(cv2.imread(str(path)).shape[:2] for path in (tmp_path / "drawn").glob("*.jpg"))  # type: ignore[union-attr]  # just written
    assert shapes == [(480, 640), (480, 640), (640, 480)]
