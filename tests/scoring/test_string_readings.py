"""A turn of String Safari in doubt: questions, stakes, and answers that settle."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scoring.answers import apply
from scoring.certainty import Asked
from scoring.edition import Face
from scoring.options import OptionError, Options
from scoring.string_readings import StringReadings
from scoring.table import Piece, String, Table
from tests.scoring.judging import SLACK, TURN, asked, doubt, judged, points, timed
from tests.scoring.string_cases import EDITION, WIDTH_MM, box, laid, sixteen_animals_and_the_lands, square, tile

BASE = laid(["lion", "hyena", "cow"], ["tiger"])
ALL_LEFT = [label for label in EDITION.faces if label not in ("lion", "cow", "tiger")]
LABELS = [
    pytest.param(BASE, [], 6, id="nothing in doubt"),
    pytest.param(
        doubt(BASE, 1, ("hyena", 0.7), ("zebra", 0.3)),
        [(1, ("hyena", "zebra"), "6 or 3 points")],
        6,
        id="an enclosed tile",
    ),
    pytest.param(doubt(BASE, 1, ("hyena", 0.7), ("otter", 0.3)), [], 6, id="two readings that score the same"),
    pytest.param(doubt(BASE, 3, ("tiger", 0.7), ("zebra", 0.3)), [], 6, id="a tile outside"),
    pytest.param(doubt(BASE, 1, ("hyena", 0.995), ("zebra", 0.005)), [], 6, id="not plausible"),
    pytest.param(doubt(BASE, 1, ("lion", 0.6), ("zebra", 0.4)), [], 3, id="no second lion"),
    pytest.param(
        doubt(doubt(BASE, 1, ("tiger", 0.6), ("zebra", 0.4)), 3, ("tiger", 0.6), ("zebra", 0.4)),
        [(1, ("tiger", "zebra"), "6 or 3 points")],
        6,
        id="a tile outside that is in doubt uses up no tiger",
    ),
    pytest.param(
        doubt(doubt(BASE, 1, ("tiger", 0.6), ("zebra", 0.4)), 3, ("tiger", 0.995), ("zebra", 0.005)),
        [],
        3,
        id="one that is sure does",
    ),
    pytest.param(
        doubt(BASE, 1, label=None),
        [(1, (*ALL_LEFT, "none"), "3 to 6 points")],
        3,
        id="an enclosed tile that is not known",
    ),
    pytest.param(
        doubt(BASE, 1, ("otter", 0.4), ("ox", 0.3), label=None),
        [(1, ("otter", "ox", "none"), "6 or 3 points")],
        6,
        id="an enclosed tile that is hardly known",
    ),
    pytest.param(doubt(BASE, 3, label=None), [], 6, id="a tile outside that is not known"),
    pytest.param(
        doubt(laid(["lion"], marks={"lion": "red"}), 100, ("red", 0.6), ("blue", 0.4)),
        [(100, ("red", "blue"), "3 or 0 points")],
        3,
        id="whose marker",
    ),
    pytest.param(
        doubt(laid(["lion"], marks={"lion": "blue"}), 100, ("blue", 0.6), ("green", 0.4)),
        [],
        0,
        id="some other player's marker",
    ),
    pytest.param(
        doubt(laid(["lion"], marks={"lion": "blue"}), 100, ("blue", 0.6)),
        [(100, ("blue", "none"), "0 or 3 points")],
        0,
        id="another player's marker, or none at all",
    ),
    pytest.param(
        doubt(BASE, 1, ("hyena", 0.7)),
        [(1, ("hyena", *[a for a in ALL_LEFT if a != "hyena"], "none"), "3 to 6 points")],
        6,
        id="what is left of the probability",
    ),
    pytest.param(doubt(BASE, 1, ("hyena", 0.99)), [], 6, id="little of it left"),
    pytest.param(
        doubt(BASE, 1, ("hyena", 0.7), ("unicorn", 0.3)), [(1, ("hyena", "none"), "6 or 3 points")], 6, id="of no deck"
    ),
    pytest.param(
        doubt(laid(["lion"], ["ox"], marks={"ox": "blue"}), 100, ("blue", 0.6), ("red", 0.4)),
        [],
        3,
        id="a marker outside",
    ),
]


@pytest.mark.parametrize(("table", "questions", "score"), LABELS)
def test_doubtful_labels(table: Table, questions: list[Any], score: int) -> None:
    answer = judged(table, TURN)
    assert asked(answer) == questions
    assert points(answer) == score
    assert answer.certain is not bool(questions)


def test_a_marker_that_is_none_marks_nothing() -> None:
    table = doubt(laid(["lion"], marks={"lion": "blue"}), 100, label=None)
    assert points(judged(table, {**TURN, "answer": "100=blue"})) == 0
    assert points(judged(table, {**TURN, "answer": "100=none"})) == 3


def test_families_ask_for_the_family() -> None:
    table = doubt(laid(["lion", "cow"]), 1, ("cow", 0.6), ("ox", 0.3), ("dog", 0.3), ("tiger", 0.1))
    answer = judged(table, {"turn": "red", "target": "families:3"})
    assert asked(answer) == [(1, ("cow", "ox", "dog", "tiger"), "6 or 3 points")]


def test_without_a_turn_labels_are_nobodys_business() -> None:
    assert judged(doubt(BASE, 1, ("hyena", 0.5), ("zebra", 0.5)), {}).certain
    assert judged(doubt(BASE, 1, label=None), {}).certain


def test_children_ask_for_the_animal_placed() -> None:
    table = doubt(laid(["lion", "hyena"]), 0, ("lion", 0.6), ("ox", 0.4))
    assert asked(judged(table, {"children": True, "placed": "lion"})) == [
        (0, ("lion", "ox"), "5 points or nothing, being illegal")
    ]


def test_children_ask_which_of_two_alike_was_placed() -> None:
    table = doubt(laid(["lion"]), 0, ("lion", 0.6), ("tiger", 0.4))
    assert asked(judged(table, {"children": True, "placed": "lion", "marker": "tiger"})) == [
        (0, ("lion", "tiger"), "3 points or nothing, being illegal")
    ]


def test_children_ask_whether_the_animal_to_be_marked_bears_a_marker() -> None:
    options = {"children": True, "placed": "lion", "marker": "hyena", "turn": "red"}
    table = doubt(laid(["lion", "hyena"], marks={"hyena": "red"}), 100, ("red", 0.6))
    assert [about for about, *_ in asked(judged(table, options))] == [100]
    assert judged(doubt(table, 100, ("red", 0.6), ("blue", 0.4)), options).certain


def near(mm: float, sigma_mm: float = 0.2, label: str = "otter") -> Table:
    """Return a lion inside and another tile whose margin outside the string is `mm`, give or take `sigma_mm`."""
    table = laid(["lion"])
    other = replace(tile(1, label, 0.0, 35.0 + WIDTH_MM / 2 + mm + 20.0), corner_radius_mm=0.0)
    research = replace(table.strings[1], sigma_mm=(sigma_mm,) * len(table.strings[1].path_mm))
    return Table((*table.pieces, other), (table.strings[0], research))


TOUCHES = [
    pytest.param(near(0.5), [], 3, id="clear by more than two sigmas"),
    pytest.param(near(0.3), [(1, ("touching", "clear"), "3 points or nothing, being illegal")], 3, id="nearly clear"),
    pytest.param(
        near(-0.3), [(1, ("touching", "clear"), "nothing, being illegal or 3 points")], None, id="nearly touching"
    ),
    pytest.param(near(-0.5), [], None, id="touching by more than two sigmas"),
    pytest.param(
        near(0.45), [(1, ("touching", "clear"), "3 points or nothing, being illegal")], 3, id="still one in eighty"
    ),
]


@pytest.mark.parametrize(("table", "questions", "score"), TOUCHES)
def test_doubtful_touches(table: Table, questions: list[Any], score: int | None) -> None:
    answer = judged(table, TURN)
    assert [(p, c) for p, c, _ in asked(answer)] == [(p, c) for p, c, _ in questions]
    assert {word for *_, stakes in asked(answer) for word in stakes.split(" or ")} == {
        word for *_, stakes in questions for word in stakes.split(" or ")
    }
    assert points(answer) == score


@pytest.mark.parametrize(
    ("label", "asks"), [pytest.param("otter", False, id="an otter"), pytest.param(None, True, id="nothing known")]
)
def test_what_nothing_names_may_be_no_tile_to_touch(label: str | None, asks: bool) -> None:
    table = near(-0.5)
    lion, other, *rest = table.pieces
    answer = judged(replace(table, pieces=(lion, replace(other, label=label), *rest)), TURN)
    assert [(p, c) for p, c, _ in asked(answer)] == ([(1, ("touching", "clear"))] if asks else [])


FAINT_TOUCHES = [
    pytest.param(0, 0.5, 0, id="no tile"),
    pytest.param(3, 0.5, 0, id="three at one in 160: one table in fifty"),
    pytest.param(4, 0.5, 1, id="four are more: one is asked about"),
    pytest.param(4, 0.6, 0, id="four at one in 740"),
    pytest.param(4, 0.8, 0, id="four in no sum"),
]


@pytest.mark.parametrize(("tiles", "mm", "questions"), FAINT_TOUCHES)
def test_many_improbable_touches_add_up(tiles: int, mm: float, questions: int) -> None:
    lion, around = near(mm), 35.0 + WIDTH_MM / 2 + mm + 20.0
    spots = ((0.0, around), (around, 0.0), (0.0, -around), (-around, 0.0))
    others = [replace(lion.pieces[1], id=k + 1, outline_mm=square(*spot)) for k, spot in enumerate(spots[:tiles])]
    answer = judged(Table((lion.pieces[0], *others), lion.strings), TURN)
    assert len(answer.questions) == questions
    assert points(answer) == 3


SETTLED = [
    pytest.param(near(0.3), "1=touching", None, id="touching"),
    pytest.param(near(0.3), "1=clear", 3, id="clear, outside"),
    pytest.param(near(0.3), "1=inside", 6, id="inside"),
    pytest.param(near(0.3), "1=outside", 3, id="outside"),
    pytest.param(near(-0.5), "1=clear", 3, id="an answer stands above what is sure"),
    pytest.param(BASE, "1=clear", 6, id="clear, inside"),
    pytest.param(doubt(BASE, 1, ("hyena", 0.7), ("zebra", 0.3)), "1=zebra", 3, id="a label"),
    pytest.param(doubt(BASE, 1, label=None), "1=otter", 6, id="the label of what is not known"),
    pytest.param(doubt(BASE, 1, label=None), "1=none", 3, id="none of this deck"),
    pytest.param(doubt(BASE, 1, label=None), "1=back", 3, id="face down"),
    pytest.param(doubt(near(0.3), 1, ("otter", 0.5), ("ox", 0.5)), {"1": "otter,inside"}, 6, id="two of one tile"),
    pytest.param(doubt(near(0.3), 1, ("otter", 0.5), ("ox", 0.5)), ["1=otter", "1=inside"], 6, id="two, one by one"),
]


@pytest.mark.parametrize(("table", "said", "score"), SETTLED)
def test_answers_settle(table: Table, said: Any, score: int | None) -> None:
    answer = judged(table, {**TURN, "answer": said})
    assert answer.certain
    assert points(answer) == score


REFUSED = [
    pytest.param({"7": "lion"}, "answer 7=lion: no piece or string here is called '7'", id="no such piece"),
    pytest.param({"1": "unicorn"}, "answer 1=unicorn: 'unicorn' is none of lion, ", id="no such label"),
    pytest.param(
        {"research": "lion"}, "answer research=lion: 'lion' is none of touching, clear, closed, open", id="string"
    ),
    pytest.param({"coins:red": "4"}, "answer coins:red=4: 'red' is not among the players", id="no player"),
]


@pytest.mark.parametrize(("said", "message"), REFUSED)
def test_answers_to_nothing_are_refused(said: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError) as error:
        judged(BASE, {**TURN, "answer": said})
    assert str(error.value).startswith(message)


def test_where_the_string_is_hidden_under_a_tile_either_side_is_possible() -> None:
    table = near(-WIDTH_MM / 2 - 18.0, sigma_mm=15.0)
    answer = judged(Table(table.pieces[1:], table.strings), {**TURN, "answer": "research=clear"})
    assert [(q.piece, q.choices) for q in answer.questions] == [(1, ("touching", "inside", "outside"))]


def field_string(gap_mm: float, sigma_mm: float) -> Table:
    """Return a table with a lion enclosed, where the two strings' edges are this far apart."""
    table = laid(["lion"])
    field = String("field", True, box(-35.0 - WIDTH_MM - gap_mm, -150.0, 200.0, 200.0), WIDTH_MM)
    research = replace(table.strings[1], sigma_mm=(sigma_mm,) * len(table.strings[1].path_mm))
    return replace(table, strings=(field, research))


def test_the_edge_condition_asks_whether_the_strings_meet() -> None:
    table, edge = field_string(0.3, 0.2), {**TURN, "condition": "edge"}
    answer = judged(table, edge)
    assert [(q.piece, q.choices) for q in answer.questions] == [("field", ("touching", "clear"))]
    assert points(judged(table, {**edge, "answer": "field=touching"})) == 3
    assert points(judged(table, {**edge, "answer": "field=clear"})) == 0
    assert judged(table, TURN).certain
    assert judged(field_string(2.0, 0.2), edge).certain


def test_a_field_string_that_is_not_seen_may_be_touched() -> None:
    table = replace(laid(["lion"]), strings=laid(["lion"]).strings[1:])
    answer = judged(table, {**TURN, "condition": "edge"})
    assert asked(answer) == [("field", ("touching", "clear"), "0 or 3 points")]
    assert judged(table, {**TURN, "condition": "edge", "answer": "field=touching"}).certain
    assert judged(table, TURN).certain


def gapped(closed: bool, visible: float) -> Table:
    """Return a lion in a string of which this share was seen."""
    table = laid(["lion"])
    return replace(table, strings=(table.strings[0], replace(table.strings[1], closed=closed, visible=visible)))


def test_an_open_string_that_was_wholly_seen_is_open() -> None:
    answer = judged(gapped(False, 1.0), TURN)
    assert answer.certain
    assert [p.rule for p in answer.problems] == ["string-open"]


def test_a_string_that_is_hidden_in_part_may_be_closed() -> None:
    answer = judged(gapped(False, 0.9), TURN)
    assert asked(answer) == [("research", ("closed", "open"), "3 points or nothing, being illegal")]
    assert points(judged(gapped(False, 0.9), {**TURN, "answer": "research=closed"})) == 3
    shut = judged(gapped(False, 0.9), {**TURN, "answer": "research=open"})
    assert (shut.certain, points(shut)) == (True, None)
    assert shut.sheet.to_json()["enclosed"] == []
    assert points(judged(gapped(False, 1.0), {**TURN, "answer": "research=closed"})) == 3
    assert points(judged(gapped(True, 1.0), {**TURN, "answer": "research=open"})) is None


def test_a_string_of_which_little_was_seen_is_asked_about_once() -> None:
    for closed in (True, False):
        answer = judged(gapped(closed, 0.5), TURN)
        assert [(q.piece, q.choices) for q in answer.questions] == [("research", ("closed", "open"))]
    assert judged(gapped(False, 0.5), {**TURN, "answer": "research=open"}).certain


def test_without_a_turn_the_verdict_is_at_stake() -> None:
    assert asked(judged(gapped(False, 0.9), {})) == [("research", ("closed", "open"), "legal or illegal")]


def test_a_string_that_is_not_seen_at_all() -> None:
    table = laid(["lion"], string=False)
    answer = judged(table, TURN)
    assert [(q.piece, q.choices) for q in answer.questions] == [("research", ("closed", "open"))]
    assert judged(table, {**TURN, "answer": "research=open"}).certain
    assert judged(sixteen_animals_and_the_lands(), {"setup": True, "players": 3}).certain


def strands(gap_mm: float, sigma_mm: float) -> Table:
    """Return a lion in a string that folds in until its edge is so far from another strand's."""
    bottom = -35.0 + WIDTH_MM + gap_mm
    path = ((-35.0, -35.0), (200.0, -35.0), (200.0, 35.0), (100.0, bottom), (40.0, 35.0), (-35.0, 35.0))
    string = String("research", True, path, WIDTH_MM, sigma_mm=(sigma_mm,) * len(path) if sigma_mm else ())
    return Table((tile(0, "lion", 0.0, 0.0),), (string,))


def test_whether_a_string_lies_on_itself_may_be_in_doubt() -> None:
    assert points(judged(strands(0.3, 0.0), TURN)) == 3
    assert points(judged(strands(-0.3, 0.0), TURN)) is None
    answer = judged(strands(0.3, 0.2), TURN)
    assert [(q.piece, q.choices) for q in answer.questions] == [("research", ("touching", "clear"))]
    assert answer.questions[0].message.startswith("Does the research string lie on itself or cross itself? ")
    assert points(judged(strands(0.3, 0.2), {**TURN, "answer": "research=clear"})) == 3
    assert points(judged(strands(0.3, 0.2), {**TURN, "answer": "research=touching"})) is None


def crossed(visible: float) -> Table:
    """Return a lion and an otter in a string that was traced across itself, so much of it seen."""
    path = ((-35.0, -35.0), (200.0, -35.0), (200.0, 35.0), (60.0, -60.0), (40.0, 35.0), (-35.0, 35.0))
    string = String("research", True, path, WIDTH_MM, visible=visible)
    return Table((tile(0, "lion", 0.0, 0.0), tile(1, "otter", 300.0, 0.0)), (string,))


def test_a_crossing_of_a_string_that_was_badly_seen_may_be_the_tracers() -> None:
    assert judged(crossed(1.0), TURN).certain
    answer = judged(crossed(0.75), TURN)
    assert [(q.piece, q.choices) for q in answer.questions] == [("research", ("touching", "clear"))]
    assert judged(crossed(0.75), {**TURN, "answer": "research=touching"}).certain
    denied = judged(crossed(0.75), {**TURN, "answer": "research=clear"})  # then nobody knows where it does lie
    assert {q.piece for q in denied.questions} == {0, 1}
    settled = {**TURN, "answer": ["research=clear", "0=inside", "1=outside"]}
    assert (judged(crossed(0.75), settled).certain, points(judged(crossed(0.75), settled))) == (True, 3)


def test_a_marker_beside_the_tiles_is_nobodys_business() -> None:
    beside = Piece(70, "marker", "red", square(-300.0, 0.0, 9.0), candidates=(("red", 0.5), ("blue", 0.5)))
    table = replace(BASE, pieces=(*BASE.pieces, beside))
    assert judged(table, TURN).certain


def test_whose_marker_it_is_can_be_answered() -> None:
    table = doubt(laid(["lion"], marks={"lion": "red"}), 100, ("red", 0.6), ("blue", 0.4))
    assert points(judged(table, {**TURN, "answer": "100=blue"})) == 0


def test_of_a_set_up_nothing_counts() -> None:
    early = Piece(70, "marker", "red", square(0.0, 0.0, 9.0), candidates=(("red", 0.5), ("blue", 0.5)))
    setup = sixteen_animals_and_the_lands()
    assert judged(replace(setup, pieces=(*setup.pieces, early)), {"setup": True}).certain


def test_stakes_where_the_points_are_the_same_whatever_is_enclosed() -> None:
    readings = StringReadings(apply(near(0.3), EDITION, Options.parse(TURN, EDITION)), EDITION)
    (doubtful,) = readings.doubts
    question = readings.question(Asked(doubtful, doubtful.choices, ((True, (0,), 3), (True, (0, 1), 3))))
    assert question.changes == "what is enclosed"


def test_what_is_enclosed_is_at_stake_where_points_are_not() -> None:
    table = near(-WIDTH_MM / 2 - 18.0, sigma_mm=15.0, label="ox")
    answer = judged(Table(table.pieces[1:], table.strings), {**TURN, "answer": "research=clear"})
    assert "points" in answer.questions[0].changes
    assert judged(Table(table.pieces[1:], table.strings), {}).questions[0].changes == "illegal or legal"


OTTER_OR_OWL, OWL_OR_TIGER = (("otter", 0.5), ("owl", 0.5)), (("owl", 0.6), ("tiger", 0.4))
ELSEWHERE = [
    pytest.param([OTTER_OR_OWL], [0], id="it may be neither"),
    pytest.param([OTTER_OR_OWL, (("owl", 1.0),)], [], id="there is one owl, so it is the otter"),
    pytest.param([OTTER_OR_OWL, OWL_OR_TIGER], [0], id="either may be the owl"),
    pytest.param([OTTER_OR_OWL, OWL_OR_TIGER, (("tiger", 1.0),)], [], id="one tells of the next"),
    pytest.param([OWL_OR_TIGER, (("owl", 1.0),)], [0], id="no rival"),
]


@pytest.mark.parametrize(("elsewhere", "questions"), ELSEWHERE)
def test_tiles_elsewhere_tell_what_an_enclosed_one_is_not(
    elsewhere: list[tuple[tuple[str, float], ...]], questions: list[int]
) -> None:
    table = doubt(laid(["ox"], [found[0][0] for found in elsewhere]), 0, ("ox", 0.6), ("otter", 0.4))
    for k, found in enumerate(elsewhere, start=1):
        table = doubt(table, k, *found)
    answer = judged(table, {"turn": "red", "target": "herbivore:2"})
    assert [q.piece for q in answer.questions] == questions
    assert points(answer) == 2


def test_ten_doubtful_tiles_of_thirty_in_time() -> None:
    extra = {f"beast{k}": Face(f"beast{k}", food="omnivore", family="dog", activity="day", points=1) for k in range(30)}
    edition = replace(EDITION, faces={**EDITION.faces, **extra})
    table = laid([f"beast{k}" for k in range(15)], [f"beast{k}" for k in range(15, 30)])
    others = ["lion", "tiger", "hyena", "crocodile", "otter", "owl", "cow", "ox", "zebra", "elephant"]
    for k, other in enumerate(others):
        table = doubt(table, k, (f"beast{k}", 0.5), (other, 0.5))
    answer, spent = timed(table, TURN, edition)
    assert spent < 0.05 * SLACK
    assert [q.piece for q in answer.questions] == [0, 1, 2, 3, 4, 5]
