"""A game as a ledger: events in, state out; undo, redo, correction; what the rules forbid."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.events import (
    Corrected,
    Event,
    FinalScored,
    GameStarted,
    PhotoTaken,
    Redone,
    ResearchTaken,
    RoundScored,
    TurnScored,
    Undone,
    from_json,
    to_json,
)
from scoring.ledger import Ledger, happened, record, replay
from scoring.sheet import Problem

PAPER = GameStarted("paper-safari", ("Ann", "Bob", "Cid"))
FOTO = GameStarted("kleine-fotosafari", ("Ann", "Bob"))
STRING = GameStarted("string-safari", ("red", "blue", "green"))
CHILDREN = GameStarted("string-safari", ("red", "blue"), children=True)
RESEARCH = GameStarted("string-safari", ("red", "blue", "green"), research=True, row=("a", "b", "c", "d", "e"))


def played(*events: Event) -> Ledger:
    """Return the ledger of events that are all allowed."""
    ledger = replay(events)
    assert isinstance(ledger, Ledger), ledger
    return ledger


def state(*events: Event) -> dict[str, Any]:
    """Return the state after events, as plain values."""
    return dict(played(*events).to_json()["state"])


def win(who: str, low: int = 3) -> RoundScored:
    """Return a round of Paper Safari that this player wins."""
    return RoundScored({p: low if p == who else low + 5 for p in PAPER.players}, (who,))


def photo(who: str, animals: int, right: bool = True) -> PhotoTaken:
    """Return a claim of a photo with so many animals."""
    return PhotoTaken(who, ("lion",) * animals, right)


def turns(rounds: int, players: tuple[str, ...] = STRING.players, points: int = 2) -> list[Event]:
    """Return so many rounds of String Safari."""
    return [TurnScored(p, points, marked=f"tile {r} of {p}") for r in range(rounds) for p in players]


def test_paper_victory_cards_and_the_next_first_player() -> None:
    now = state(PAPER, win("Bob"), win("Cid"))
    assert now["victories"] == {"Ann": 0, "Bob": 1, "Cid": 1}
    assert (now["first"], now["rounds"], now["winners"]) == ("Cid", 2, [])


def test_paper_three_victory_cards_win() -> None:
    assert state(PAPER, win("Bob"), win("Bob"), win("Bob"))["winners"] == ["Bob"]


def test_paper_fewer_victory_cards_may_win_by_house_rule() -> None:
    assert state(GameStarted("paper-safari", PAPER.players, victory_cards=1), win("Bob"))["winners"] == ["Bob"]


def test_paper_a_shared_round_gives_each_a_card() -> None:
    shared = RoundScored({"Ann": 3, "Bob": 3, "Cid": 9}, ("Ann", "Bob"))
    assert state(PAPER, shared)["victories"] == {"Ann": 1, "Bob": 1, "Cid": 0}


def test_paper_any_player_may_start() -> None:
    assert state(GameStarted("paper-safari", ("Ann", "Bob"), first="Bob"))["first"] == "Bob"


def test_foto_progress() -> None:
    now = state(FOTO, photo("Ann", 3), photo("Ann", 3), photo("Bob", 3), photo("Ann", 3), photo("Ann", 4))
    assert now["taken"] == {"Ann": [3, 3, 3, 4], "Bob": [3]}
    assert now["next"] == {"Ann": 4, "Bob": 3}
    assert now["left"]["Ann"] == {"3": 0, "4": 1, "5": 1}


def test_foto_a_wrong_claim_costs_nothing() -> None:
    assert state(FOTO, photo("Ann", 3, right=False)) == state(FOTO)


def test_foto_another_goal() -> None:
    short = GameStarted("kleine-fotosafari", ("Ann", "Bob"), goal=((3, 1), (4, 0), (5, 0)))
    assert state(short, photo("Bob", 3))["winners"] == ["Bob"]


def test_string_coins_markers_and_turns() -> None:
    now = state(STRING, TurnScored("red", 6, "lion"), TurnScored("blue", 0))
    assert now["coins"] == {"red": 6, "blue": 0, "green": 0}
    assert now["markers"] == {"red": 5, "blue": 6, "green": 6}
    assert now["marked"]["red"] == ["lion"]
    assert (now["round"], now["rounds"], now["current"]) == (1, 6, "green")


def test_string_a_marker_on_footprints_draws_two_tiles_once() -> None:
    first: list[Event] = [STRING, TurnScored("red", 1, "footprints", on_footprints=True)]
    assert state(*first)["two_tiles"] == ["red"]
    assert state(*first, *turns(1)[1:], TurnScored("red", 1, "lion"))["two_tiles"] == []
    last: list[Event] = [STRING, *turns(5), TurnScored("red", 1, "footprints", on_footprints=True)]
    assert state(*last)["two_tiles"] == []


def test_string_rounds_then_the_final_scoring() -> None:
    over = [STRING, *turns(6)]
    assert (state(*over)["current"], state(*over)["round"]) == (None, 6)
    end = state(*over, FinalScored({"red": 20, "blue": 22, "green": 22}, ("green",)))
    assert (end["winners"], end["totals"]) == (["green"], {"red": 20, "blue": 22, "green": 22})


def test_string_children_share_a_tie() -> None:
    end = state(CHILDREN, *turns(4, ("red", "blue")), FinalScored({"red": 9, "blue": 9}, ("blue", "red")))
    assert end["winners"] == ["red", "blue"]


def test_string_preparation_round_and_research_row() -> None:
    ready: list[Event] = [
        RESEARCH,
        ResearchTaken("red", "b", refill="f"),
        ResearchTaken("blue", "x", from_row=False),
        ResearchTaken("green", "f", refill="g"),
    ]
    now = state(*ready)
    assert (now["row"], now["round"], now["current"]) == (["a", "g", "c", "d", "e"], 1, "red")
    assert state(*ready[:2])["round"] == 0
    then = state(*ready, TurnScored("red", 3, "lion"), ResearchTaken("red", "a"))
    assert (then["row"], then["research"]["red"], then["current"]) == (["g", "c", "d", "e"], ["b", "a"], "blue")


def test_string_no_research_tile_in_the_last_round() -> None:
    events: list[Event] = [RESEARCH, *(ResearchTaken(p, "x", from_row=False) for p in RESEARCH.players)]
    for turn in turns(5):
        assert isinstance(turn, TurnScored)
        events += [turn, ResearchTaken(turn.player, "x", from_row=False)]
    assert state(*events, *turns(1))["current"] is None


REFUSED = [
    pytest.param([], win("Ann"), "not-started", id="before the start"),
    pytest.param([PAPER], PAPER, "already-started", id="a second start"),
    pytest.param([], GameStarted("chess", ("a",)), "no-such-game", id="chess"),
    pytest.param([], GameStarted("paper-safari", ()), "player-names", id="no players"),
    pytest.param([], GameStarted("paper-safari", ("a", "a")), "player-names", id="one name for two"),
    pytest.param([], GameStarted("paper-safari", ("a",), first="b"), "stranger", id="a stranger starts"),
    pytest.param([], GameStarted("paper-safari", ("a",), victory_cards=0), "victory-cards", id="no victory card"),
    pytest.param([], GameStarted("kleine-fotosafari", ("a",), goal=((6, 1),)), "photo-goal", id="photos of six"),
    pytest.param([], GameStarted("string-safari", ("a", "b")), "player-count", id="two grown-ups"),
    pytest.param(
        [],
        GameStarted("string-safari", ("a", "b"), children=True, research=True),
        "research-in-children-game",
        id="children with research",
    ),
    pytest.param([], GameStarted("string-safari", ("a", "b", "c"), row=("x",)), "research-row", id="a row of one"),
    pytest.param([PAPER], photo("Ann", 3), "event-of-another-game", id="a photo in Paper Safari"),
    pytest.param([PAPER], RoundScored({"Ann": 1}, ("Ann",)), "players-and-totals", id="a total missing"),
    pytest.param(
        [PAPER], RoundScored({"Ann": 1, "Bob": 2, "Cid": 3}, ("Bob",)), "lowest-total-wins", id="not the lowest"
    ),
    pytest.param([PAPER], RoundScored({"Ann": 1, "Bob": 2, "Cid": 3}, ()), "lowest-total-wins", id="nobody wins"),
    pytest.param([PAPER, win("Bob"), win("Bob"), win("Bob")], win("Ann"), "game-over", id="after three cards"),
    pytest.param([FOTO], win("Ann"), "event-of-another-game", id="a round in Fotosafari"),
    pytest.param([FOTO], photo("Eve", 3), "stranger", id="a stranger's photo"),
    pytest.param([FOTO], photo("Ann", 4), "photo-of-another-level", id="a photo too high"),
    pytest.param(
        [FOTO, *[photo("Ann", n) for n in (3, 3, 3, 4, 4, 5)]], photo("Bob", 3), "game-over", id="after the last photo"
    ),
    pytest.param([STRING], win("Ann"), "event-of-another-game", id="a round in String Safari"),
    pytest.param([STRING], TurnScored("blue", 2), "out-of-turn", id="out of turn"),
    pytest.param([STRING], TurnScored("red", -1), "points-below-zero", id="minus one"),
    pytest.param([STRING], TurnScored("red", 1, on_footprints=True), "no-marker", id="footprints without a marker"),
    pytest.param([STRING, *turns(6)], TurnScored("red", 2), "rounds-played", id="a seventh round"),
    pytest.param(
        [STRING], FinalScored({"red": 1, "blue": 2, "green": 3}, ("green",)), "rounds-left", id="the end too soon"
    ),
    pytest.param([STRING, *turns(6)], FinalScored({"red": 1}, ("red",)), "players-and-totals", id="an end without all"),
    pytest.param(
        [STRING, *turns(6)],
        FinalScored({"red": 3, "blue": 3, "green": 1}, ("red",)),
        "most-points-win",
        id="a tie the wrong way",
    ),
    pytest.param(
        [STRING, *turns(6), FinalScored({"red": 1, "blue": 2, "green": 3}, ("green",))],
        TurnScored("red", 1),
        "game-over",
        id="after the end",
    ),
    pytest.param([STRING], ResearchTaken("red", "a"), "research-not-recorded", id="research not recorded"),
    pytest.param([RESEARCH], TurnScored("red", 2), "preparation-first", id="no preparation round"),
    pytest.param([RESEARCH], ResearchTaken("blue", "a"), "out-of-turn", id="research out of turn"),
    pytest.param([RESEARCH], ResearchTaken("red", "z"), "research-row", id="a tile that is not there"),
    pytest.param(
        [RESEARCH, *(ResearchTaken(p, "x", False) for p in STRING.players)],
        ResearchTaken("red", "a"),
        "no-research-tile-due",
        id="one too many",
    ),
    pytest.param(
        [RESEARCH, *(ResearchTaken(p, "x", False) for p in STRING.players), TurnScored("red", 1)],
        TurnScored("blue", 1),
        "research-tile-due",
        id="one not taken",
    ),
    pytest.param([], Undone(), "nothing-to-undo", id="nothing to undo"),
    pytest.param([PAPER], Redone(), "nothing-to-redo", id="nothing to redo"),
    pytest.param([PAPER], Corrected(1, win("Bob")), "nothing-to-correct", id="no such entry"),
    pytest.param(
        [PAPER, win("Ann"), Corrected(1, win("Bob"))],
        Corrected(2, win("Cid")),
        "nothing-to-correct",
        id="a correction corrected by its own number",
    ),
    pytest.param(
        [STRING, TurnScored("red", 1)], Corrected(0, CHILDREN), None, id="a start corrected, what followed still fits"
    ),
    pytest.param([STRING, *turns(1)], Corrected(0, CHILDREN), "out-of-turn", id="what followed no longer fits"),
]


@pytest.mark.parametrize(("before", "event", "rule"), REFUSED)
def test_what_the_rules_forbid_is_refused(before: list[Event], event: Event, rule: str | None) -> None:
    result = record(played(*before), event)
    assert (result.rule if isinstance(result, Problem) else None) == rule


def test_a_replay_stops_at_the_first_event_that_is_refused() -> None:
    result = replay([PAPER, win("Bob"), photo("Ann", 3), win("Cid")])
    assert isinstance(result, Problem)
    assert result.rule == "event-of-another-game"


def test_an_empty_ledger() -> None:
    assert Ledger().to_json() == {"game": None, "state": None, "undo": 0, "redo": 0}


def test_undo_and_redo() -> None:
    once = played(PAPER, win("Bob"), win("Cid"))
    undone = played(PAPER, win("Bob"), win("Cid"), Undone())
    assert undone.state == played(PAPER, win("Bob")).state
    assert (undone.to_json()["undo"], undone.to_json()["redo"]) == (2, 1)
    assert played(PAPER, win("Bob"), win("Cid"), Undone(), Redone()) == once


def test_what_was_undone_cannot_be_redone_after_something_new() -> None:
    ledger = played(PAPER, win("Bob"), Undone(), win("Cid"))
    assert isinstance(record(ledger, Redone()), Problem)


def test_a_correction_is_as_if_it_had_been_so() -> None:
    corrected = played(PAPER, win("Bob"), win("Cid"), Corrected(1, win("Ann")))
    assert corrected.state == played(PAPER, win("Ann"), win("Cid")).state
    assert happened(corrected.entries) == (PAPER, win("Ann"), win("Cid"))
    assert corrected.game == "paper-safari"
    again = record(corrected, Corrected(1, win("Cid")))
    assert isinstance(again, Ledger)
    assert again.state == played(PAPER, win("Cid"), win("Cid")).state


def test_a_correction_can_be_undone_and_redone() -> None:
    corrected = played(PAPER, win("Bob"), Corrected(1, win("Ann")))
    assert played(PAPER, win("Bob"), Corrected(1, win("Ann")), Undone()).state == played(PAPER, win("Bob")).state
    assert played(PAPER, win("Bob"), Corrected(1, win("Ann")), Undone(), Redone()) == corrected


_GAMES: dict[str, tuple[GameStarted, st.SearchStrategy[Event]]] = {
    "paper": (PAPER, st.builds(win, st.sampled_from(PAPER.players), st.integers(-2, 9))),
    "foto": (FOTO, st.builds(photo, st.sampled_from(FOTO.players), st.integers(3, 5), st.booleans())),
    "string": (STRING, st.builds(TurnScored, st.sampled_from(STRING.players), st.integers(-1, 9), st.none())),
}


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.data(), st.sampled_from(sorted(_GAMES)))
def test_undo_then_redo_is_the_identity_and_replay_gives_the_same(data: st.DataObject, name: str) -> None:
    start, events = _GAMES[name]
    any_event = st.one_of(
        events, st.just(Undone()), st.just(Redone()), st.builds(Corrected, st.integers(0, 5), st.just(start) | events)
    )
    ledger = played(start)
    kept: list[Event] = [start]
    for event in data.draw(st.lists(any_event, max_size=14)):
        result = record(ledger, event)
        if isinstance(result, Ledger):
            ledger, kept = result, [*kept, event]
            if not isinstance(event, Undone):
                undone = record(ledger, Undone())
                assert isinstance(undone, Ledger)
                assert record(undone, Redone()) == ledger
    assert replay(kept) == ledger
    assert replay([from_json(json.loads(json.dumps(to_json(e)))) for e in kept]) == ledger
    folded = replay(happened(ledger.entries))
    assert isinstance(folded, Ledger)
    assert folded.state == ledger.state
