"""Options and house rules: what is read, and what is refused in one line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scoring.edition import Edition
from scoring.house import HOUSE_RULES, HouseRuleError, value_of
from scoring.options import OptionError, Options, Target
from scoring.table import Piece
from tests.scoring.string_cases import EDITION

PAPER = Edition(game="paper-safari", name="paper", size_mm=(63.0, 88.0))

READ = [
    pytest.param({}, Options(), id="none"),
    pytest.param({"turn": None, "final": False}, Options(), id="not given"),
    pytest.param(
        {"turn": "red", "target": "carnivore:3"}, Options(turn="red", target=Target("carnivore", 3)), id="turn"
    ),
    pytest.param(
        {"turn": "red", "target": "all:1", "condition": "none"},
        Options(turn="red", target=Target("all", 1)),
        id="no condition",
    ),
    pytest.param(
        {"turn": "red", "target": "all:1", "condition": "edge"},
        Options(turn="red", target=Target("all", 1), condition="edge"),
        id="a condition",
    ),
    pytest.param({"children": True, "placed": "lion"}, Options(children=True, placed="lion"), id="children"),
    pytest.param(
        {"children": True, "placed": "lion", "marker": "ox", "turn": "red"},
        Options(children=True, placed="lion", marker="ox", turn="red"),
        id="children, with a player",
    ),
    pytest.param(
        {"children": True, "placed": "lion", "marker": "ox", "turn": "red", "laid": True},
        Options(children=True, placed="lion", marker="ox", turn="red", laid=True),
        id="children, the marker laid",
    ),
    pytest.param({"setup": True, "players": "3"}, Options(setup=True, player_count=3), id="a number of players"),
    pytest.param({"setup": True, "children": True}, Options(setup=True, children=True), id="children's set-up"),
    pytest.param(
        {"final": True, "players": "red, blue", "coins": ["red=4", "blue=0"], "research": {"red": 2}},
        Options(final=True, players=("red", "blue"), player_count=2, coins={"red": 4, "blue": 0}, research={"red": 2}),
        id="the end",
    ),
    pytest.param(
        {"final": True, "children": True, "players": ["red"], "coins": "red=4"},
        Options(final=True, children=True, players=("red",), player_count=1, coins={"red": 4}),
        id="the children's end",
    ),
    pytest.param({"answers": ["4=lion", "4=clear"]}, Options(answers={"4": "lion,clear"}), id="answers of one piece"),
    pytest.param({"answer": {"4": "lion"}}, Options(answers={"4": "lion"}), id="answers as a mapping"),
    pytest.param({"option": "finger_breadth_mm=20"}, Options(house={"finger_breadth_mm": 20.0}), id="a house rule"),
]


@pytest.mark.parametrize(("given", "options"), READ)
def test_read(given: dict[str, Any], options: Options) -> None:
    assert Options.parse(given, EDITION) == options


REFUSED = [
    pytest.param(["turn"], "options: expected names and values, got list", id="no mapping"),
    pytest.param({"trun": "red"}, "no option is called 'trun'; did you mean turn?", id="misspelt"),
    pytest.param({"zzz": 1}, "no option is called 'zzz'; there are: turn, target, ", id="unheard of"),
    pytest.param({"turn": "purple"}, "turn: no marker is called 'purple'; there are: red, blue, ", id="no such player"),
    pytest.param({"turn": "red"}, "turn: needs a target too, as in carnivore:3", id="no target"),
    pytest.param({"target": "all:1"}, "target: say whose turn it is too", id="a target, no turn"),
    pytest.param({"condition": "edge"}, "condition: say whose turn it is too", id="a condition, no turn"),
    pytest.param(
        {"turn": "red", "target": "bird:3"}, "target 'bird:3': no category is called 'bird'; ", id="no category"
    ),
    pytest.param(
        {"turn": "red", "target": "cat"}, "target 'cat': say the points each too, as in cat:2", id="no points each"
    ),
    pytest.param(
        {"turn": "red", "target": "cat:-2"},
        "target 'cat:-2': the points each: '-2' is not a whole number",
        id="negative",
    ),
    pytest.param({"turn": "red", "target": 7}, "target 7: no category is called '7'; ", id="a number for a target"),
    pytest.param({"turn": ["red"], "target": "cat:2"}, "turn: no marker is called ", id="a list for a player"),
    pytest.param({"final": "yes", "players": "red"}, "final: 'yes' is not true or false", id="no flag"),
    pytest.param({"final": True}, "final: say the players in turn order, first player first", id="no players"),
    pytest.param({"players": "red,red", "final": True}, "players: red, red names a player twice", id="twice"),
    pytest.param(
        {"players": 2.5, "setup": True}, "players: 2.5 is neither a number nor a list of markers", id="a half"
    ),
    pytest.param({"players": "red,pink", "final": True}, "players: no marker is called 'pink'; ", id="a stranger"),
    pytest.param({"players": "²", "setup": True}, "players: '²' is not a whole number", id="a digit that is none"),
    pytest.param({"coins": "red"}, "coins: 'red' is not NAME=VALUE", id="no pair"),
    pytest.param({"coins": 7}, "coins: 7 is not NAME=VALUE", id="a number for pairs"),
    pytest.param({"coins": "red=many"}, "coins of red: 'many' is not a whole number of 0 or more", id="many coins"),
    pytest.param({"coins": {"red": True}}, "coins of red: True is not a whole number", id="true coins"),
    pytest.param({"coins": {"red": 10**9}}, "coins of red: 1000000000 is not a whole number", id="too many coins"),
    pytest.param({"coins": "pink=1"}, "coins: no marker is called 'pink'; there are: ", id="coins of a stranger"),
    pytest.param({"stash": "red=x.jpg"}, "stash: expected a player's pieces by the player, got str", id="stash"),
    pytest.param({"stash": {"red": ["x"]}}, "stash of red: expected a list of pieces", id="a stash of text"),
    pytest.param({"stash": {"pink": []}}, "stash: no marker is called 'pink'; ", id="a stranger's stash"),
    pytest.param({"children": True}, "children: say which animal was placed", id="nothing placed"),
    pytest.param({"children": True, "placed": "lion", "laid": True}, "laid: say whose turn it is", id="laid by whom"),
    pytest.param({"children": True, "placed": "bushes"}, "placed: no animal is called 'bushes'; ", id="a land placed"),
    pytest.param({"placed": "lion"}, "placed belongs to the children's rules", id="placed by grown-ups"),
    pytest.param({"marker": "lion"}, "marker belongs to the children's rules", id="a marker by grown-ups"),
    pytest.param(
        {"setup": True, "final": True, "players": "red"},
        "setup and final cannot be asked for together",
        id="two at once",
    ),
    pytest.param(
        {"turn": "red", "target": "cat:2", "setup": True},
        "turn and setup cannot be asked for together",
        id="turn and setup",
    ),
    pytest.param({"option": "finger=20"}, "no house rule is called 'finger'; ", id="no house rule"),
]


@pytest.mark.parametrize(("given", "message"), REFUSED)
def test_refused(given: Any, message: str) -> None:
    with pytest.raises(OptionError) as error:
        Options.parse(given, EDITION)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_options_of_another_game_are_refused() -> None:
    with pytest.raises(OptionError, match="turn is an option of string-safari; this is paper-safari"):
        Options.parse({"turn": "red"}, PAPER)
    assert Options.parse({"answer": "1=fox"}, PAPER).answers == {"1": "fox"}


def test_a_stash_of_pieces() -> None:
    coin = Piece(0, "coin", "one", ())
    assert Options.parse({"stash": {"red": [coin]}}, EDITION).stashes == {"red": (coin,)}


def test_a_decks_house_rules_are_overlaid_with_the_calls_own() -> None:
    edition = replace(EDITION, options={"finger_breadth_mm": 20.0, "marked_animals_count_for_land": False})
    options = Options.parse({"option": {"finger_breadth_mm": 12}}, edition)
    assert options.rule("string-safari", "finger_breadth_mm") == 12.0
    assert options.rule("string-safari", "marked_animals_count_for_land") is False
    assert Options().rule("string-safari", "finger_breadth_mm") == 15.0


def test_a_target_has_a_text_form_that_parses_back() -> None:
    assert Target.parse(str(Target("families", 3))) == Target("families", 3)


VALUES = [
    pytest.param("paper-safari", "equal_columns_cancel_negatives", "no", False, id="a word for false"),
    pytest.param("paper-safari", "equal_columns_cancel_negatives", True, True, id="true"),
    pytest.param("kleine-fotosafari", "reading", "inside", "inside", id="one of several"),
    pytest.param("paper-safari", "passing_card", " dragon ", "dragon", id="a name"),
    pytest.param("string-safari", "finger_breadth_mm", "12.5", 12.5, id="a length as text"),
    pytest.param("string-safari", "finger_breadth_mm", 12, 12.0, id="a length"),
]


@pytest.mark.parametrize(("game", "name", "given", "value"), VALUES)
def test_house_rules(game: str, name: str, given: object, value: object) -> None:
    assert value_of(game, name, given) == value


HOUSE_REFUSED = [
    pytest.param("paper-safari", "passing_card", "", "house rule passing_card: '' is not a name", id="no name"),
    pytest.param(
        "paper-safari", "equal_columns", 1, "no house rule is called 'equal_columns'; did you mean ", id="misspelt"
    ),
    pytest.param("any", "reading", 1, "no house rule is called 'reading'; any has: none", id="a deck of no game"),
    pytest.param("chess", "reading", 1, "no house rule is called 'reading'; chess has: none", id="another game"),
    pytest.param(
        "paper-safari",
        "equal_columns_cancel_negatives",
        1,
        "house rule equal_columns_cancel_negatives: 1 is not true or false",
        id="1 for true",
    ),
    pytest.param(
        "kleine-fotosafari",
        "reading",
        "above",
        "house rule reading: 'above' is not one of outside, inside",
        id="no choice",
    ),
    pytest.param(
        "string-safari",
        "finger_breadth_mm",
        "wide",
        "house rule finger_breadth_mm: 'wide' is not a number",
        id="no number",
    ),
    pytest.param(
        "string-safari",
        "finger_breadth_mm",
        -1,
        "house rule finger_breadth_mm: -1 is not a number of 0 or more",
        id="negative",
    ),
    pytest.param(
        "string-safari",
        "finger_breadth_mm",
        "nan",
        "house rule finger_breadth_mm: 'nan' is not a number of 0",
        id="NaN",
    ),
    pytest.param(
        "string-safari", "finger_breadth_mm", [1], "house rule finger_breadth_mm: [1] is not a number", id="a list"
    ),
]


@pytest.mark.parametrize(("game", "name", "given", "message"), HOUSE_REFUSED)
def test_house_rules_refused(game: str, name: str, given: object, message: str) -> None:
    with pytest.raises(HouseRuleError) as error:
        value_of(game, name, given)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("game", "name"), [pytest.param(game, name, id=name) for game, rules in HOUSE_RULES.items() for name in rules]
)
def test_every_default_is_a_value_it_may_take(game: str, name: str) -> None:
    rule = HOUSE_RULES[game][name]
    assert value_of(game, name, rule.default) == rule.default
    assert rule.decides
