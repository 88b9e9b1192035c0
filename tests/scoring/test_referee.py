"""The referee: doubts that become questions, answers that settle them, for all three games."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from scoring.edition import Edition, Face
from scoring.options import OptionError, Options
from scoring.referee import judge
from scoring.sheet import Answer
from scoring.table import BACK, Piece, String, Table
from tests.scoring.string_cases import EDITION, WIDTH_MM, box, laid, sixteen_animals_and_the_lands, square, tile

TURN = {"turn": "red", "target": "carnivore:3"}
SLACK = 3
"""A test machine may be this much slower, or busier, than a plain one."""


def judged(table: Table, options: dict[str, Any], edition: Edition = EDITION) -> Answer:
    """Return the referee's answer."""
    return judge(table, edition, Options.parse(options, edition))


def doubt(table: Table, piece_id: int, *candidates: tuple[str, float], label: str | None = "") -> Table:
    """Return a table on which a piece can be read in several ways; its label is the first unless given."""
    first = candidates[0][0] if label == "" else label
    pieces = tuple(
        replace(p, label=first, probability=candidates[0][1] if candidates else 1.0, candidates=candidates)
        if p.id == piece_id
        else p
        for p in table.pieces
    )
    return replace(table, pieces=pieces)


def asked(answer: Answer) -> list[tuple[int | str, tuple[str, ...], str]]:
    """Return what is asked, of what, and what is at stake."""
    return [(q.piece, q.choices, q.changes) for q in answer.questions]


def points(answer: Answer) -> int | None:
    """Return a turn's points."""
    found = answer.sheet.to_json()["turn"]["points"]
    assert found is None or isinstance(found, int)
    return found


# ---------------------------------------------------------------- String Safari, a turn

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
        doubt(BASE, 1, label=None),
        [(1, (*ALL_LEFT, "none"), "3 to 6 points")],
        6,
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
]


@pytest.mark.parametrize(("table", "questions", "score"), TOUCHES)
def test_doubtful_touches(table: Table, questions: list[Any], score: int | None) -> None:
    answer = judged(table, TURN)
    assert [(p, c) for p, c, _ in asked(answer)] == [(p, c) for p, c, _ in questions]
    assert {word for *_, stakes in asked(answer) for word in stakes.split(" or ")} == {
        word for *_, stakes in questions for word in stakes.split(" or ")
    }
    assert points(answer) == score


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


def test_without_a_turn_the_verdict_is_at_stake() -> None:
    assert asked(judged(gapped(False, 0.9), {})) == [("research", ("closed", "open"), "legal or illegal")]


def test_a_string_that_is_not_seen_at_all() -> None:
    table = laid(["lion"], string=False)
    answer = judged(table, TURN)
    assert [(q.piece, q.choices) for q in answer.questions] == [("research", ("closed", "open"))]
    assert judged(table, {**TURN, "answer": "research=open"}).certain
    assert judged(sixteen_animals_and_the_lands(), {"setup": True, "players": 3}).certain


def test_whether_a_string_lies_on_itself_may_be_in_doubt() -> None:
    path = ((-35.0, -35.0), (35.0, -35.0), (400.0, 35.0), (200.0, 1.0), (200.0, 4.4), (30.0, 35.0), (-35.0, 35.0))
    string = String("research", True, path, WIDTH_MM, sigma_mm=(0.3,) * 7)
    table = Table((tile(0, "lion", 0.0, 0.0),), (string,))
    sure = judged(replace(table, strings=(replace(string, sigma_mm=()),)), TURN)
    answer = judged(table, TURN)
    if sure.sheet.to_json()["legal"]:
        assert [(q.piece, q.choices) for q in answer.questions] == [("research", ("touching", "clear"))]
    assert points(judged(table, {**TURN, "answer": "research=clear"})) == 3
    assert points(judged(table, {**TURN, "answer": "research=touching"})) is None


def test_what_is_enclosed_is_at_stake_where_points_are_not() -> None:
    table = near(-WIDTH_MM / 2 - 18.0, sigma_mm=15.0, label="ox")
    answer = judged(Table(table.pieces[1:], table.strings), {**TURN, "answer": "research=clear"})
    assert "points" in answer.questions[0].changes
    assert judged(Table(table.pieces[1:], table.strings), {}).questions[0].changes == "illegal or legal"


def test_ten_doubtful_tiles_of_thirty_in_time() -> None:
    extra = {f"beast{k}": Face(f"beast{k}", food="omnivore", family="dog", activity="day", points=1) for k in range(30)}
    edition = replace(EDITION, faces={**EDITION.faces, **extra})
    table = laid([f"beast{k}" for k in range(15)], [f"beast{k}" for k in range(15, 30)])
    others = ["lion", "tiger", "hyena", "crocodile", "otter", "owl", "cow", "ox", "zebra", "elephant"]
    for k, other in enumerate(others):
        table = doubt(table, k, (f"beast{k}", 0.5), (other, 0.5))
    judged(table, TURN, edition)
    start = time.process_time()
    answer = judged(table, TURN, edition)
    assert time.process_time() - start < 0.05 * SLACK
    assert [q.piece for q in answer.questions] == [0, 1, 2, 3, 4, 5]


# ---------------------------------------------------------------- String Safari, the end

MARKED = laid(["lion", "cow"], ["ox"], marks={"lion": "red", "cow": "blue", "ox": "green"})
FINAL = {"final": True, "players": "red,blue,green", "research": ["red=0", "blue=0", "green=0"]}
COINS = ["red=5", "blue=5", "green=6"]


def test_final_a_marked_animal_in_doubt() -> None:
    table = doubt(MARKED, 0, ("lion", 0.6), ("boar", 0.4))
    answer = judged(table, {**FINAL, "coins": COINS})
    assert asked(answer) == [(0, ("lion", "boar"), "8 or 6 points of red and who wins")]
    assert judged(table, {**FINAL, "coins": COINS, "answer": "0=boar"}).sheet.to_json()["winners"] == ["green"]
    assert judged(doubt(MARKED, 0, ("lion", 0.6), ("tiger", 0.4)), {**FINAL, "coins": COINS}).certain


def test_final_whose_marker_it_is() -> None:
    answer = judged(doubt(MARKED, 100, ("red", 0.6), ("blue", 0.4)), {**FINAL, "coins": COINS})
    assert asked(answer) == [(100, ("red", "blue"), "8 or 5 points of red and 6 or 9 points of blue and who wins")]
    answer = judged(doubt(MARKED, 102, label=None), {**FINAL, "coins": COINS})
    assert [q.piece for q in answer.questions] == [102]


def test_final_an_unmarked_tile_is_nobodys_business() -> None:
    table = replace(MARKED, pieces=(*MARKED.pieces, tile(50, None, 60.0, 100.0)))
    assert judged(table, {**FINAL, "coins": COINS}).certain


STASH = (
    Piece(0, "coin", "five", ()),
    Piece(1, "coin", "two", (), probability=0.6, candidates=(("two", 0.6), ("ten", 0.4))),
    Piece(2, "research", "all-1", ()),
    Piece(3, "coin", None, ()),
    Piece(4, "research", "cat-2", (), probability=0.6, candidates=(("cat-2", 0.6), ("all-1", 0.4))),
    Piece(5, "marker", "red", ()),
)


def test_final_a_stash_in_doubt() -> None:
    options = {**FINAL, "research": ["blue=0", "green=0"], "coins": ["blue=0", "green=0"], "stash": {"red": STASH}}
    answer = judged(MARKED, options)
    assert [(q.piece, q.choices) for q in answer.questions] == [
        ("red:1", ("two", "ten")),
        ("red:3", ("one", "two", "five", "ten", "none")),
    ]  # the deck's one all-1 lies there already
    answered = judged(MARKED, {**options, "answer": ["red:1=ten", "red:3=none", "red:4=cat-2"]})
    assert answered.certain
    assert answered.sheet.to_json()["players"]["red"]["total"] == 5 + 10 + 1 + 4 + 3


STASH_REFUSED = [
    pytest.param("red:9=two", "answer red:9=two: no piece '9' lies in the stash of red", id="no such piece"),
    pytest.param("red:1=three", "answer red:1=three: 'three' is none of one, two, five, ten, none", id="no such coin"),
    pytest.param("coins:red=many", "answer coins:red=many: 'many' is not a whole number of 0 or more", id="no number"),
]


@pytest.mark.parametrize(("said", "message"), STASH_REFUSED)
def test_final_answers_refused(said: str, message: str) -> None:
    with pytest.raises(OptionError) as error:
        judged(MARKED, {**FINAL, "stash": {"red": STASH}, "answer": said})
    assert str(error.value) == message


# ---------------------------------------------------------------- Paper Safari

PAPER = Edition(
    game="paper-safari",
    name="test",
    size_mm=(63.0, 88.0),
    faces={
        **{label: Face(label, 4, value=v) for label, v in {"fox": -2, "ant": 0, "bee": 1, "cat": 3, "dog": 4}.items()},
        "elk": Face("elk", 4, value=10),
        "tarzan": Face("tarzan", 4, value=10),
        "safari": Face("safari", 2, copies_neighbour=True),
    },
)


def card(i: int, label: str | None, x: float, y: float) -> Piece:
    """Return a card that lies upright."""
    corners = ((x - 31.5, y + 44), (x + 31.5, y + 44), (x + 31.5, y - 44), (x - 31.5, y - 44))
    return Piece(i, "card", label, corners)


def grids(*hands: Sequence[str | None]) -> Table:
    """Return hands of six cards each, in two rows, beside one another; ids from 0 on."""
    pieces = [
        card(6 * h + k, label, 300.0 * h + 70.0 * (k % 3), -95.0 * (k // 3))
        for h, hand in enumerate(hands)
        for k, label in enumerate(hand)
    ]
    return Table(tuple(pieces))


MINE: list[str | None] = ["fox", "ant", "bee", "cat", "dog", "elk"]
HAND: list[str | None] = ["bee", "dog", "cat", "ant", "bee", "fox"]


def totals(answer: Answer) -> list[int | None]:
    """Return the players' totals, the leftmost grid first."""
    players = answer.sheet.to_json()["players"]
    return [
        p["total"] for p in sorted(players, key=lambda p: min(i for row in p["pieces"] for i in row if i is not None))
    ]


def test_paper_without_doubt() -> None:
    answer = judged(grids(MINE, HAND), {}, PAPER)
    assert (answer.certain, totals(answer), answer.problems) == (True, [16, 7], ())


def test_paper_asks_where_a_total_changes() -> None:
    answer = judged(doubt(grids(MINE), 2, ("bee", 0.7), ("cat", 0.3)), {}, PAPER)
    assert asked(answer) == [(2, ("bee", "cat"), "16 or 18 points at seat 0")]
    assert totals(judged(doubt(grids(MINE), 2, ("bee", 0.7), ("cat", 0.3)), {"answer": "2=cat"}, PAPER)) == [18]
    assert judged(doubt(grids(MINE), 5, ("elk", 0.7), ("tarzan", 0.3)), {}, PAPER).certain


def test_paper_asks_where_the_winner_changes() -> None:
    answer = judged(doubt(grids(MINE, MINE), 2, ("bee", 0.7), ("fox", 0.3)), {}, PAPER)
    (question,) = answer.questions
    assert question.changes.endswith(" and who wins")


def test_paper_a_card_that_is_not_known() -> None:
    answer = judged(doubt(grids(MINE), 2, label=None), {}, PAPER)
    (question,) = answer.questions
    assert question.choices == (*PAPER.faces, "none")
    assert question.changes == "5 to 19 points or no total at seat 0 and who wins"
    assert "Which card is this? " in question.message
    assert judged(doubt(grids(MINE), 2, label=None), {"answer": "2=bee"}, PAPER).certain
    hidden = judged(doubt(grids([*MINE[:5], BACK]), 2, ("bee", 0.5), ("cat", 0.5)), {}, PAPER)
    assert hidden.questions[0].changes == "6 or 8 points that lie open at seat 0"


def test_paper_a_loose_card_is_nobodys_business() -> None:
    table = replace(grids(MINE), pieces=(*grids(MINE).pieces, card(50, None, 500.0, 500.0)))
    assert judged(table, {}, PAPER).certain


def test_paper_the_box_holds_four() -> None:
    table = grids(["fox", "fox", "fox", "fox", "dog", "bee"])
    answer = judged(doubt(table, 4, ("fox", 0.6), ("dog", 0.4)), {}, PAPER)
    assert answer.certain
    assert answer.sheet.to_json()["players"][0]["grid"][1][1] == "dog"


def test_paper_thirty_cards_with_ten_in_doubt_in_time() -> None:
    hands: list[list[str | None]] = [["fox", "ant", "bee", "cat", "dog", "elk"] for _ in range(5)]
    edition = replace(PAPER, faces={k: replace(f, count=9) for k, f in PAPER.faces.items()})
    table = grids(*hands)
    for h in range(5):
        table = doubt(doubt(table, 6 * h, ("fox", 0.5), ("tarzan", 0.5)), 6 * h + 4, ("dog", 0.5), ("safari", 0.5))
    judged(table, {}, edition)
    start = time.process_time()
    answer = judged(table, {}, edition)
    assert time.process_time() - start < 0.05 * SLACK
    assert len(answer.questions) == 10


# ---------------------------------------------------------------- Kleine Fotosafari

FOTO = Edition(
    game="kleine-fotosafari",
    name="test",
    size_mm=(60.0, 60.0),
    faces={
        "lion": Face("lion", 4),
        "zebra": Face("zebra", 7),
        "giraffe": Face("giraffe", 6),
        "elephant": Face("elephant", 7),
    },
    photos={"g-g-z": ("giraffe", "giraffe", "zebra")},
)
RING = [
    "lion",
    "zebra",
    "elephant",
    "giraffe",
    "giraffe",
    "zebra",
    "zebra",
    "elephant",
    "elephant",
    "lion",
    "zebra",
    "giraffe",
]


def ring(labels: Sequence[str | None], photo: tuple[str, ...] | None, turned: int | None = None, **more: Any) -> Table:
    """Return a ring, counter-clockwise, heads to the middle, ids 0 to 11, and a photo card, id 20.

    `turned`: a card turned by 45°, the limit of what a photo shows.
    """
    pieces = []
    for k, label in enumerate(labels):
        at = k / len(labels) * math.tau
        up = math.degrees(at) + 180.0 + (45.0 if k == turned else 0.0)
        x, y = 190.0 * math.cos(at), 190.0 * math.sin(at)
        pieces.append(Piece(k, "card", label, square(x, y, 60.0, up - 90.0), up_deg=up))
    x = 300.0
    outline = ((x - 60, 20.0), (x + 60, 20.0), (x + 60, -20.0), (x - 60, -20.0))
    pieces.append(Piece(20, "photo", more.pop("label", None), outline, sequence=photo, **more))
    return Table(tuple(pieces))


def valid(answer: Answer) -> bool | None:
    """Return the photo's verdict."""
    found = answer.sheet.to_json()["photos"][0]["valid"]
    assert found is None or isinstance(found, bool)
    return found


PHOTO = ("zebra", "elephant", "giraffe")


def test_foto_without_doubt() -> None:
    answer = judged(ring(RING, PHOTO), {}, FOTO)
    assert (valid(answer), answer.certain) == (True, True)


def test_foto_asks_of_an_animal_that_decides() -> None:
    table = doubt(ring(RING, PHOTO), 2, ("elephant", 0.7), ("lion", 0.3))
    answer = judged(table, {}, FOTO)
    assert asked(answer) == [(2, ("elephant", "lion"), "whether the photo is right")]
    assert valid(judged(table, {"answer": "2=lion"}, FOTO)) is False
    assert judged(doubt(ring(RING, PHOTO), 8, ("elephant", 0.7), ("lion", 0.3)), {}, FOTO).certain


def test_foto_an_animal_that_is_not_known() -> None:
    answer = judged(doubt(ring(RING, PHOTO), 2, label=None), {}, FOTO)
    assert asked(answer) == [(2, ("lion", "zebra", "giraffe", "elephant", "none"), "whether the photo is right")]
    assert valid(judged(doubt(ring(RING, PHOTO), 2, label=None), {"answer": "2=elephant"}, FOTO)) is True


def test_foto_a_head_at_the_limit() -> None:
    answer = judged(ring(RING, PHOTO, turned=2), {}, FOTO)
    assert [(q.piece, sorted(q.choices)) for q in answer.questions] == [(2, ["away", "towards"])]
    towards = judged(ring(RING, PHOTO, turned=2), {"answer": "2=towards"}, FOTO)
    away = judged(ring(RING, PHOTO, turned=2), {"answer": "2=away"}, FOTO)
    assert [(valid(a), a.certain) for a in (towards, away)] == [(True, True), (False, True)]
    assert towards.sheet.to_json()["photos"][0]["lines"] or valid(towards)


def test_foto_a_photo_read_in_two_ways() -> None:
    other = ("zebra", "lion", "giraffe")
    table = ring(RING, other, sequence_candidates=((PHOTO, 0.8),))
    answer = judged(table, {}, FOTO)
    assert [(q.piece, sorted(q.choices)) for q in answer.questions] == [
        (20, ["zebra-elephant-giraffe", "zebra-lion-giraffe"])
    ]
    assert valid(judged(table, {"answer": "20=zebra-elephant-giraffe"}, FOTO)) is True
    assert valid(judged(table, {"answer": "20=zebra-lion-giraffe"}, FOTO)) is False


def test_foto_a_photo_with_a_face_of_its_own() -> None:
    table = ring(RING, None, label="g-g-z", probability=0.6, candidates=(("g-g-z", 0.6), ("other", 0.4)))
    assert valid(judged(table, {}, FOTO)) is True
    assert valid(judged(ring(RING, PHOTO), {"answer": "20=g-g-z"}, FOTO)) is True


def test_foto_a_photo_that_is_not_read() -> None:
    answer = judged(ring(RING, None), {}, FOTO)
    assert [(q.piece, q.choices) for q in answer.questions] == [(20, ())]
    assert valid(judged(ring(RING, None), {"answer": "20=zebra-elephant-giraffe"}, FOTO)) is True
    with pytest.raises(OptionError, match="say the photo's animals, left to right, as in lion-zebra-lion"):
        judged(ring(RING, None), {"answer": "20=zebra-unicorn"}, FOTO)


def test_foto_a_place_that_is_not_seen() -> None:
    table = ring(RING, PHOTO)
    table = replace(table, pieces=tuple(p for p in table.pieces if p.id != 2))
    answer = judged(table, {}, FOTO)
    assert [(q.piece, q.choices) for q in answer.questions] == [(20, ("right", "wrong"))]
    assert [valid(judged(table, {"answer": f"20={word}"}, FOTO)) for word in ("right", "wrong")] == [True, False]


# ---------------------------------------------------------------- no game


def test_a_deck_of_no_game_is_refused() -> None:
    edition = Edition(game="any", name="faces alone", size_mm=(60.0, 60.0))
    with pytest.raises(OptionError, match="the deck faces alone is of no game, so there is nothing to score"):
        judged(Table(), {}, edition)
