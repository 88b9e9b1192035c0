"""Rings found on tables as people lay them, and those that cannot be told."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from scoring.circle import around
from scoring.layout import poses
from scoring.notation import parse, rectangle
from scoring.rings import Ring, find
from scoring.table import BACK, Piece
from tests.scoring.boxes import FOTO
from tests.scoring.ring_tables import Habits, lay

TABLES = 25
"""Random tables a case."""

CASES = [
    pytest.param(Habits(), id="as people lay a ring"),
    pytest.param(Habits(oval=1.5), id="oval"),
    pytest.param(Habits(oval=2.0), id="very oval"),
    pytest.param(Habits(off=0.12, twist_deg=12.0), id="crooked"),
    pytest.param(Habits(step=(1.02, 1.02), off=0.01), id="touching"),
    pytest.param(Habits(hidden=1), id="a card not seen"),
    pytest.param(Habits(hidden=2), id="two neighbours not seen"),
    pytest.param(Habits(wide_gap=1.5), id="a wide gap"),
    pytest.param(Habits(away=2), id="heads turned away"),
    pytest.param(Habits(pile_off=0.5, backs=3), id="a messy pile off the middle"),
    pytest.param(Habits(far_photos=3), id="earlier photos about"),
    pytest.param(Habits(strays=1), id="a card astray"),
    pytest.param(Habits(cards=11), id="eleven cards"),
    pytest.param(Habits(cards=6, step=(1.2, 1.2)), id="a small ring"),
    pytest.param(Habits(claims=0), id="no photo"),
]


def same_ring(got: list[int | None], want: list[int | None]) -> bool:
    return len(got) == len(want) and any(got[k:] + got[:k] == want for k in range(len(got)))


@pytest.mark.parametrize("habits", CASES)
def test_rings_are_found(habits: Habits) -> None:
    for seed in range(TABLES):
        laid = lay(random.Random(seed), habits)
        ring = find(laid.table.pieces)
        assert same_ring([None if p.card is None else p.card.id for p in ring.places], laid.ring), seed
        assert {p.card.id for p in ring.places if p.card and p.turned_away} == laid.away, seed
        assert ring.pile[0].label == laid.pile, seed
        assert [c.id for c in ring.claims] == ([] if laid.claim is None else [laid.claim]), seed
        assert len(ring.strays) == habits.strays


@pytest.mark.parametrize("turn", [1, 5, 11])
def test_the_ring_starts_at_the_viewer_and_goes_counter_clockwise(turn: int) -> None:
    animals = ["lion", "zebra", "giraffe", *["elephant"] * 9]
    words = animals[turn:] + animals[:turn]
    ring = find(parse(f"ring: {' '.join(words)}", FOTO.size_mm).pieces)
    assert [p.label for p in ring.places] == words
    other = find(parse(f"ring: {' '.join(words)}", FOTO.size_mm).pieces, near=(0.0, 1.0))
    assert [p.label for p in other.places] == words[6:] + words[:6]


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param((), id="nothing"),
        pytest.param(parse("pile: lion zebra", FOTO.size_mm).pieces, id="two cards"),
        pytest.param(parse("pile: back back back back", FOTO.size_mm).pieces, id="a pile face down"),
        pytest.param(tuple(Piece(i, "card", "lion", rectangle(0, 0, (60, 60), 90)) for i in range(12)), id="one place"),
        pytest.param(tuple(Piece(i, "card", "lion", ()) for i in range(12)), id="no shapes"),
    ],
)
def test_no_ring(pieces: tuple[Piece, ...]) -> None:
    assert find(pieces).places == ()


def test_cards_in_a_line_are_no_ring_that_fails() -> None:
    line = tuple(Piece(i, "card", "lion", rectangle(70.0 * i, 0, (60, 60), 90)) for i in range(12))
    assert isinstance(find(line), Ring)
    assert around(poses(line[:2])) == ((), (0.0, 0.0))


def test_cards_strewn_at_random_never_fail() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        places = [(rng.uniform(-400, 400), rng.uniform(-400, 400), rng.uniform(0, 360)) for _ in range(12)]
        strewn = tuple(
            Piece(i, "card", "lion", rectangle(x, y, (60, 60), up), up) for i, (x, y, up) in enumerate(places)
        )
        ring = find(strewn)
        assert len(ring.cards) + len(ring.pile) + len(ring.strays) == 12


def test_a_card_face_down_keeps_its_place() -> None:
    ring = find(parse("ring: lion back giraffe " + "elephant " * 9 + "\npile: back", FOTO.size_mm).pieces)
    assert [p.label for p in ring.places][:3] == ["lion", BACK, "giraffe"]
    assert [c.label for c in ring.pile] == [BACK]


def test_a_head_near_the_limit_is_doubtful() -> None:
    words = ["lion", "zebra@44", "giraffe@47", "zebra@30", "zebra@60", *["elephant"] * 7]
    ring = find(parse(f"ring: {' '.join(words)}", FOTO.size_mm).pieces)
    assert [p.doubtful for p in ring.places][:5] == [False, True, True, False, False]
    assert [p.turned_away for p in ring.places][:5] == [False, False, True, False, True]


def test_two_photos_beside_the_ring_may_both_be_the_claim() -> None:
    text = "ring: " + "elephant " * 12 + "\nphoto: lion zebra lion\nphoto: zebra zebra zebra"
    table = parse(text, FOTO.size_mm)
    first, second = (p for p in table.pieces if p.kind == "photo")
    beside = replace(second, outline_mm=tuple((x, -y) for x, y in reversed(first.outline_mm)), up_deg=-90.0)
    ring = find((*table.pieces[:12], first, beside))
    assert {c.id for c in ring.claims} == {first.id, beside.id}
    assert find(table.pieces).other_photos == (second,)


def test_a_photo_without_a_ring_is_the_claim() -> None:
    ring = find(parse("photo: lion zebra lion", FOTO.size_mm).pieces)
    assert len(ring.claims) == 1
    assert ring.places == ()


def test_a_photo_without_a_shape_beside_another() -> None:
    table = parse("ring: " + "elephant " * 12 + "\nphoto: lion zebra lion", FOTO.size_mm)
    bad = Piece(99, "photo", None, ((0, 0), (math.nan, 0), (0, 0), (0, 0)), sequence=("lion",))
    assert [c.id for c in find((*table.pieces, bad)).claims] == [table.pieces[-1].id]


def test_a_photo_face_down_is_no_claim() -> None:
    table = parse("ring: " + "elephant " * 12 + "\nphoto: lion zebra lion", FOTO.size_mm)
    pieces = (*table.pieces[:-1], replace(table.pieces[-1], label=BACK))
    assert find(pieces).claims == ()
