"""Measured final tables: what counts as right, what nobody could tell, and what is silently wrong."""

from __future__ import annotations

import copy
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from decks.deck import Deck, find
from measuring.finals import Drawn, PlayerRow, judged, summary
from measuring.truthful import answered
from scoring.table import Table
from synth import string_scene
from synth.scene import Hand, Scene

OWN, CLOSING = "coins:red", "stashes"


@pytest.fixture(scope="module")
def deck() -> Deck:
    """Return the built-in deck."""
    return find(None, "string-safari")


@pytest.fixture(scope="module")
def scene(deck: Deck) -> Scene:
    """Return a table at the end of the game."""
    rng = np.random.default_rng(7)
    return string_scene.lay(7, rng, Hand(rng, deck), string_scene.STASHES)


def row(scene: Scene, deck: Deck, read: int, after: int, about: tuple[str, ...], hidden: bool) -> PlayerRow:
    """Judge the first player's end: `read` and `after` points too much, before and after questions are answered."""
    true = scene.answer(deck).sheet.to_json()
    player = next(iter(true["players"]))
    questions = [{"piece": piece, "changes": f"the total of {player}"} for piece in about]

    def answer(more: int) -> dict[str, Any]:
        sheet = copy.deepcopy(true)
        for part in ("coins", "total"):
            sheet["players"][player][part] += more
        return {"sheet": sheet, "questions": questions}

    stash = scene.stashes[player]
    made = Drawn(scene, frozenset({stash.pieces[0].id} if hidden else ()), {})
    seen = {p: list(one.pieces) for p, one in scene.stashes.items()}
    return next(judged(made, (answer(read), answer(after)), seen, deck))


@pytest.mark.parametrize(
    ("read", "after", "about", "hidden", "states"),
    [
        pytest.param(0, 0, (CLOSING,), False, ("right",), id="right"),
        pytest.param(0, 0, (OWN,), False, ("right", "asked"), id="right, and asked all the same"),
        pytest.param(5, 0, (OWN, CLOSING), False, ("asked",), id="wrong, and asked"),
        pytest.param(5, 0, (CLOSING,), False, (), id="wrong, which only the closing question asks"),
        pytest.param(5, 5, (OWN,), False, ("silent", "asked"), id="wrong, whatever is answered"),
        pytest.param(-5, 0, (OWN,), True, ("hidden", "asked"), id="a coin is hidden, and asked"),
        pytest.param(0, 0, (CLOSING,), True, ("right", "hidden"), id="hidden, which only the closing question asks"),
        pytest.param(0, 0, (), True, ("right", "hidden", "silent"), id="hidden, right by chance, not asked"),
    ],
)
def test_a_players_end_is_right_by_what_was_read_alone(
    scene: Scene, deck: Deck, read: int, after: int, about: tuple[str, ...], hidden: bool, states: tuple[str, ...]
) -> None:
    one = row(scene, deck, read, after, about, hidden)
    told = tuple(name for name in ("right", "hidden", "silent", "asked") if getattr(one, name))
    assert told == states


def test_those_in_view_are_counted_apart_from_those_that_nobody_could_tell() -> None:
    def player(right: bool, hidden: bool, asked: bool, *wrong: str) -> PlayerRow:
        return PlayerRow("red", right, hidden, False, asked, wrong, "")

    rows = [
        player(True, False, False),
        player(True, False, True),
        player(False, False, False, "coins 3 for 5", "coins 4 when answered"),
        player(False, True, True, "coins 3 for 5"),
        player(True, True, False),
    ]
    assert summary(rows) == (
        "5 players, silent 0: 3 in view, right 2 (0.667), asked 1, wrong by the closing question alone 1, coins 1; "
        "2 hidden, asked 1, by the closing question alone 1"
    )
    assert summary([]).startswith("0 players, silent 0: 0 in view")


def test_no_tile_of_a_stash_is_named_twice_when_questions_are_answered(scene: Scene, deck: Deck) -> None:
    player, stash = next(iter(scene.stashes.items()))
    tile = next(p for p in stash.pieces if p.kind == "research")
    alone = replace(scene, stashes={**scene.stashes, player: Table((tile,))})
    doubtful = [replace(tile, id=k, label=None, candidates=((str(tile.label), 0.3),)) for k in range(2)]
    read = {**{p: list(one.pieces) for p, one in scene.stashes.items()}, player: doubtful}
    said: list[str] = []

    def answer(options: dict[str, Any]) -> dict[str, Any]:
        said[:] = options.get("answer", [])
        questions = [{"piece": f"{player}:{len(said)}"}] if len(said) < 2 else []
        return {"questions": questions, "pieces": [], "sheet": alone.answer(deck).sheet.to_json()}

    seen = SimpleNamespace(answer=answer, edition=deck.edition, table=Table(), corners_px={})
    answered(seen, alone, read, {})  # type: ignore[arg-type]  # all that is asked of it
    assert said == [f"{player}:0={tile.label}", f"{player}:1=none"]
