"""What only a person can tell of a layout, asked and answered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring import grids, rings
from scoring.answers import CLAIMS
from scoring.layout_doubts import claim_questions, missing_card_questions, settled, with_card, with_claim
from scoring.notation import parse
from scoring.options import OptionError, Options
from scoring.paper_safari import score
from scoring.referee import judge
from scoring.sketch import sketch
from scoring.table import Piece, Table
from tests.scoring.boxes import FOTO, PAPER

HOLED = "seat: fox . rabbit / monkey zebra ."
LABELS = tuple(PAPER.faces)


def test_each_missing_card_is_asked_for() -> None:
    asked = missing_card_questions(grids.find(parse(HOLED).pieces), LABELS)
    assert [q.piece for q in asked] == ["seat 0 row 1 column 2", "seat 0 row 2 column 3"]
    assert asked[0].choices == (*LABELS, "back")
    assert missing_card_questions(grids.Grids(), LABELS) == ()


def test_none_is_asked_for_where_a_card_lies_face_down() -> None:
    laid = grids.find(parse("seat: fox . rabbit / monkey zebra back").pieces)
    assert missing_card_questions(laid, LABELS) == ()


def test_the_answers_complete_the_grid() -> None:
    table = parse(HOLED)
    for place, label in (("seat 0 row 1 column 2", "mouse"), ("seat 0 row 2 column 3", "giraffe")):
        found = with_card(table, grids.find(table.pieces), place, label)
        assert found is not None
        table = found
    assert sketch(table) == "seat: fox mouse rabbit / monkey zebra giraffe"
    assert score(table, PAPER, Options()).players[0].total == 11


@pytest.mark.parametrize("place", ["seat 0 row 1 column 1", "seat 1 row 1 column 2", "seat 0 row 3 column 1", "7"])
def test_no_card_where_one_lies_or_no_place_is(place: str) -> None:
    table = parse(HOLED)
    assert with_card(table, grids.find(table.pieces), place, "lion") is None


def test_a_card_on_its_side_is_laid_like_the_others() -> None:
    lying = [f"card fox {x},{y} up 0" for y in (0, 70) for x in (0, 100, 200)]
    table = parse("\n".join(lying[1:]))
    laid = grids.find(table.pieces)
    (question,) = missing_card_questions(laid, LABELS)
    found = with_card(table, laid, str(question.piece), "lion")
    assert found is not None
    (grid,) = grids.find(found.pieces).grids
    assert len(grid.cards) == 6


def two_claims() -> Table:
    table = parse("ring: " + "elephant " * 7 + "zebra " * 5 + "\nphoto: lion zebra", FOTO.size_mm)
    photo = table.pieces[-1]
    again = Piece(50, "photo", None, tuple((x + 70, y) for x, y in photo.outline_mm), 90.0, sequence=("zebra",))
    return replace(table, pieces=(*table.pieces, again))


def test_which_photo_is_claimed_is_asked() -> None:
    table = two_claims()
    ring = rings.find(table.pieces)
    assert [q.piece for q in claim_questions(ring)] == [12, 50]
    assert claim_questions(rings.Ring()) == ()


@pytest.mark.parametrize(("answer", "left"), [(CLAIMS[0], [50]), (CLAIMS[1], [12])], ids=["yes", "no"])
def test_the_answer_leaves_one_claim(answer: str, left: list[int]) -> None:
    table = two_claims()
    said = with_claim(table, rings.find(table.pieces), 50, answer)
    assert [c.id for c in rings.find(said.pieces).claims] == left
    assert claim_questions(rings.find(said.pieces)) == ()


def one_photo(off_mm: float, sigma_mm: float) -> Table:
    """Return a ring and one photo card, moved away from it, as a camera saw it (sigma_mm > 0) or as it is told."""
    table = parse("ring: " + "elephant " * 7 + "zebra " * 5 + "\nphoto: lion zebra", FOTO.size_mm)
    photo = table.pieces[-1]
    moved = replace(photo, outline_mm=tuple((x, y - off_mm) for x, y in photo.outline_mm))
    return replace(table, pieces=(*(replace(card, sigma_mm=sigma_mm) for card in table.pieces[:-1]), moved))


@pytest.mark.parametrize(
    ("off_mm", "sigma_mm", "claimed", "asked"),
    [
        pytest.param(0, 0.2, None, [], id="beside the ring"),
        pytest.param(45, 0.2, None, [], id="as far off as a claim may lie"),
        pytest.param(80, 0.2, None, [12], id="farther off than any claim"),
        pytest.param(300, 0.2, None, [12], id="far off"),
        pytest.param(300, 0.0, None, [], id="far off, but told"),
        pytest.param(300, 0.2, 12, [], id="said to be claimed"),
    ],
)
def test_a_photo_far_from_the_ring_may_be_an_earlier_one(
    off_mm: float, sigma_mm: float, claimed: int | None, asked: list[int]
) -> None:
    ring = rings.find(one_photo(off_mm, sigma_mm).pieces)
    assert [q.piece for q in claim_questions(ring, claimed)] == asked


@pytest.mark.parametrize(
    ("off_mm", "probability", "claims"),
    [
        pytest.param(300, 0.01, 0, id="far off, no animals"),
        pytest.param(300, 0.1, 1, id="far off, perhaps animals"),
        pytest.param(0, 0.01, 1, id="beside the ring, no animals"),
    ],
)
def test_what_lies_far_off_and_shows_no_animals_is_no_photo_card(
    off_mm: float, probability: float, claims: int
) -> None:
    *ring, photo = one_photo(off_mm, 0.2).pieces
    assert len(rings.find((*ring, replace(photo, probability=probability))).claims) == claims


@pytest.mark.parametrize(("said", "judged"), [(CLAIMS[0], 1), (CLAIMS[1], 0)], ids=["claimed", "not claimed"])
def test_a_photo_far_from_the_ring_is_judged_once_it_is_said_to_be_claimed(said: str, judged: int) -> None:
    answer = judge(one_photo(300, 0.2), FOTO, Options(answers={"12": said}))
    assert answer.certain
    assert len(answer.sheet.to_json()["photos"]) == judged


def test_answers_on_the_layout_are_taken_and_the_others_left() -> None:
    answers = {"seat 0 row 1 column 2": "mouse", "seat 0 row 2 column 3": "giraffe", "0": "fox"}
    table, options = settled(parse(HOLED), Options(answers=answers))
    assert sketch(table) == "seat: fox mouse rabbit / monkey zebra giraffe"
    assert options.answers == {"0": "fox"}


def test_without_answers_all_is_as_it_was() -> None:
    table, options = parse(HOLED), Options(answers={"0": "fox"})
    assert settled(table, options) == (table, options)


def test_an_answer_that_a_photo_is_not_claimed() -> None:
    table, options = settled(two_claims(), Options(answers={"12": CLAIMS[1]}))
    assert [c.id for c in rings.find(table.pieces).claims] == [50]
    assert options.answers == {}


def test_an_answer_to_a_place_that_has_its_card() -> None:
    with pytest.raises(OptionError, match="no such place without a card"):
        settled(parse(HOLED), Options(answers={"seat 0 row 1 column 1": "lion"}))


FIVE = "seat: fox lion back / monkey . giraffe"
PILES = [
    pytest.param(FIVE, True, id="the only card face down may be the draw pile"),
    pytest.param(FIVE + "\ncard back 600,0\ncard fox 700,0", False, id="the draw pile lies elsewhere"),
    pytest.param(FIVE + "\ncard fox 700,0", True, id="only the discards lie elsewhere"),
    pytest.param("seat: fox lion back / monkey zebra giraffe", False, id="six cards"),
    pytest.param("seat: back back back / back . back", False, id="all face down"),
    pytest.param("seat: fox lion zebra / monkey . giraffe", False, id="none face down: the missing card is asked for"),
]


@pytest.mark.parametrize(("text", "doubted"), PILES)
def test_a_short_grid_may_hold_the_draw_pile(text: str, doubted: bool) -> None:
    table = parse(text)
    assert bool(grids.find(table.pieces).unclear) == doubted
    asked = judge(table, PAPER, Options()).questions
    assert (("as read", "otherwise") in {q.choices for q in asked}) == doubted
