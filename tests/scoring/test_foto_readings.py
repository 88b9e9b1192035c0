"""Kleine Fotosafari in doubt: animals, heads at the limit, the photo's own animals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from scoring.edition import Edition, Face
from scoring.options import OptionError
from scoring.sheet import Answer
from scoring.table import Piece, Table
from tests.scoring.judging import asked, doubt, judged
from tests.scoring.string_cases import square

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


def ring(
    labels: Sequence[str | None],
    photo: tuple[str, ...] | None,
    turned: int | None = None,
    by_deg: float = 45.0,
    **more: Any,
) -> Table:
    """Return a ring, counter-clockwise, heads to the middle, ids 0 to 11, and a photo card, id 20.

    `turned`: a card turned by `by_deg`; 45° is the limit of what a photo shows.
    """
    pieces = []
    for k, label in enumerate(labels):
        at = k / len(labels) * math.tau
        up = math.degrees(at) + 180.0 + (by_deg if k == turned else 0.0)
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


def test_foto_asks_which_way_up_a_card_lies_that_it_could_not_read() -> None:
    away = ring(RING, PHOTO, turned=2, by_deg=180.0)
    assert judged(away, {}, FOTO).certain
    assert {q.choices for q in judged(doubt(away, 2, label=None), {}, FOTO).questions} >= {("away", "towards")}


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


def test_foto_a_photo_that_may_show_something_else() -> None:
    table = ring(RING, PHOTO, probability=0.7)
    answer = judged(table, {}, FOTO)
    assert (valid(answer), asked(answer)) == (
        True,
        [(20, ("zebra-elephant-giraffe",), "whether the photo is right")],
    )
    assert answer.questions[0].message.startswith("Which animals does the photo show, left to right: zebra-")
    assert judged(table, {"answer": "20=zebra-elephant-giraffe"}, FOTO).certain
    assert judged(ring(RING, PHOTO, probability=0.995), {}, FOTO).certain


def test_foto_a_card_of_no_deck_is_in_no_photo() -> None:
    answer = judged(doubt(ring(RING, PHOTO), 2, label=None), {"answer": "2=none"}, FOTO)
    assert (valid(answer), answer.certain) == (False, True)


def test_foto_a_ring_in_doubt_that_is_shorter_than_the_photo() -> None:
    table = ring(RING[:6], ("lion", "zebra", "elephant", "giraffe", "giraffe", "zebra", "zebra"))
    answer = judged(doubt(table, 2, ("elephant", 0.5), ("zebra", 0.5)), {}, FOTO)
    assert (valid(answer), answer.questions) == (False, ())


@pytest.mark.parametrize(
    ("photo", "verdict"),
    [
        pytest.param(("zebra", "zebra", "lion"), None, id="nowhere among those that are seen"),
        pytest.param(("zebra", "giraffe", "lion"), True, id="among neighbours that are seen"),
        pytest.param(("zebra",) * 8, None, id="longer than what is seen"),
    ],
)
def test_foto_a_ring_of_which_many_cards_are_not_seen(photo: tuple[str, ...], verdict: bool | None) -> None:
    whole = ring(RING, photo)
    table = Table(tuple(p for p in whole.pieces if p.id not in (1, 2, 3, 5, 6, 7, 9)))
    answer = judged(table, {}, FOTO)
    assert len(answer.sheet.to_json()["ring"]) < len(RING)
    assert (valid(answer), answer.certain) == (verdict, verdict is not None)
