"""Events: a JSON form that reads back, and one line for what is no event."""

from __future__ import annotations

import json

import pytest

from scoring.events import (
    Corrected,
    Event,
    EventError,
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

ROUND = RoundScored({"Ann": 8, "Bob": 3}, ("Bob",))

EVENTS = [
    pytest.param(
        GameStarted("string-safari", ("red", "blue", "green"), research=True, row=("a", "b", "c", "d", "e")), id="start"
    ),
    pytest.param(GameStarted("kleine-fotosafari", ("a",), goal=((3, 1), (4, 2))), id="a goal"),
    pytest.param(ROUND, id="round"),
    pytest.param(PhotoTaken("Ann", ("lion", "zebra", "lion"), False), id="photo"),
    pytest.param(TurnScored("red", 3, "lion"), id="turn"),
    pytest.param(ResearchTaken("red", "a", True, "b"), id="research"),
    pytest.param(FinalScored({"red": 1}, ("red",)), id="final"),
    pytest.param(Corrected(3, ROUND), id="correction"),
    pytest.param(Undone(), id="undo"),
    pytest.param(Redone(), id="redo"),
]


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_has_a_json_form_that_reads_back(event: Event) -> None:
    assert from_json(json.loads(json.dumps(to_json(event)))) == event


UNREADABLE = [
    pytest.param([], "expected an event, an object, got list", id="a list"),
    pytest.param({}, "no event is called None; there are: GameStarted, ", id="nothing"),
    pytest.param({"event": "Checkmate"}, "no event is called 'Checkmate'; there are: ", id="chess"),
    pytest.param({"event": "Undone", "what": 1}, "Undone has no what", id="a key too many"),
    pytest.param({"event": "TurnScored", "player": "red"}, "TurnScored lacks points", id="a key too few"),
    pytest.param(
        {"event": "TurnScored", "player": "", "points": 1}, "TurnScored.player: expected text, got ''", id="no name"
    ),
    pytest.param(
        {"event": "TurnScored", "player": "red", "points": True},
        "TurnScored.points: expected a whole number, got 'True'",
        id="true points",
    ),
    pytest.param(
        {"event": "TurnScored", "player": "red", "points": 10**7},
        "TurnScored.points: expected a whole number, ",
        id="too many points",
    ),
    pytest.param(
        {"event": "TurnScored", "player": "red", "points": 1, "marked": 3},
        "TurnScored.marked: expected text, got '3'",
        id="a number for a tile",
    ),
    pytest.param(
        {"event": "PhotoTaken", "player": "a", "sequence": "lion"},
        "PhotoTaken.sequence: expected a list of texts, got 'lion'",
        id="text for a list",
    ),
    pytest.param(
        {"event": "PhotoTaken", "player": "a", "sequence": [], "right": 1},
        "PhotoTaken.right: expected true or false, got '1'",
        id="one for true",
    ),
    pytest.param(
        {"event": "RoundScored", "totals": [1], "winners": []},
        "RoundScored.totals: expected a whole number for each player, got '[1]'",
        id="totals as a list",
    ),
    pytest.param(
        {"event": "GameStarted", "game": "g", "players": ["a"], "goal": [3]},
        "GameStarted.goal: expected [animals, how many] pairs, got '[3]'",
        id="a goal of three",
    ),
    pytest.param(
        {"event": "Corrected", "at": 0, "instead": {"event": "Undone"}},
        "Corrected.instead: expected what happened in the game, got 'Undone'",
        id="a correction to an undo",
    ),
]


@pytest.mark.parametrize(("data", "message"), UNREADABLE)
def test_what_is_no_event_is_refused(data: object, message: str) -> None:
    with pytest.raises(EventError) as error:
        from_json(data)
    assert str(error.value).startswith(message)
