"""Kleine Fotosafari's verdicts against a second judge, and their properties."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.edition import Edition
from scoring.foto_problems import problems
from scoring.kleine_fotosafari import FotoSheet, score
from scoring.notation import parse
from scoring.options import Options
from scoring.table import Piece, Table
from tests.scoring.boxes import ANIMALS, FOTO

rings = st.lists(st.sampled_from(["lion", "zebra"]) | st.sampled_from([*ANIMALS]), min_size=3, max_size=14)
photos = st.lists(st.sampled_from(["lion", "zebra"]) | st.sampled_from([*ANIMALS]), min_size=1, max_size=5)


def laid(ring: list[str], photo: list[str], pile: str = "zebra") -> Table:
    return parse(f"ring: {' '.join(ring)}\npile: {pile}\nphoto: {' '.join(photo)}", FOTO.size_mm)


def judged(ring: list[str], photo: list[str], reading: str = "outside") -> FotoSheet:
    return score(laid(ring, photo), FOTO, Options(house={"reading": reading}))


def found(ring: list[str], photo: list[str]) -> list[int]:
    """Look for a photo the slow way: go round from every place."""
    if len(photo) > len(ring):
        return []
    return [k for k in range(len(ring)) if all(ring[(k + i) % len(ring)] == a for i, a in enumerate(photo))]


@given(rings, photos)
@settings(deadline=None, max_examples=150)
def test_agrees_with_the_second_judge(ring: list[str], photo: list[str]) -> None:
    (got,) = judged(ring, photo).photos
    assert list(got.starts) == found(ring, photo)
    assert got.valid is bool(found(ring, photo))
    assert got.lines
    assert all(line.reason for line in got.lines)


@given(rings, photos, st.integers(0, 13))
@settings(deadline=None, max_examples=60)
def test_turning_the_ring_changes_nothing(ring: list[str], photo: list[str], by: int) -> None:
    by %= len(ring)
    turned = judged(ring[by:] + ring[:by], photo).photos[0]
    assert turned.valid == judged(ring, photo).photos[0].valid
    assert len(turned.starts) == len(judged(ring, photo).photos[0].starts)


@given(rings, photos)
@settings(deadline=None, max_examples=60)
def test_from_inside_the_mirrored_ring_reads_the_same(ring: list[str], photo: list[str]) -> None:
    assert judged(ring[::-1], photo, "inside").photos[0].valid == judged(ring, photo).photos[0].valid


@given(st.permutations(["lion", "zebra", "giraffe", "elephant", *["elephant"] * 8]), st.integers(0, 11))
@settings(deadline=None, max_examples=60)
def test_a_mirrored_ring_refuses_the_photo(ring: list[str], at: int) -> None:
    """A photo that is no palindrome, whose animals occur once each, is refused by the mirrored ring."""
    ring = ["lion", "zebra", "giraffe", *[a for a in ring if a == "elephant"]]
    ring = ring[at:] + ring[:at]
    photo = ["lion", "zebra", "giraffe"]
    assert judged(ring, photo).photos[0].valid is True
    mirrored = judged(ring[::-1], photo).photos[0]
    assert mirrored.valid is False
    assert mirrored.lines[0].rule == "photo-mirrored"


def test_json_is_the_contract() -> None:
    sheet = judged(["lion", "zebra", "giraffe", *["elephant"] * 9], ["zebra", "giraffe", "elephant"])
    got = json.loads(json.dumps(sheet.to_json()))
    assert set(got) == {"ring", "pieces", "photos", "pile"}
    assert got["ring"][:3] == ["lion", "zebra", "giraffe"]
    assert got["pieces"] == [*range(12)]
    assert got["pile"] == "zebra"
    (photo,) = got["photos"]
    assert (photo["piece"], photo["sequence"], photo["valid"], photo["starts"]) == (
        13, ["zebra", "giraffe", "elephant"], True, [1],
    )  # fmt: skip
    assert set(photo["lines"][0]) == {"rule", "points", "pieces", "reason"}
    assert photo["lines"][0]["pieces"] == [13, 1, 2, 3]


def test_an_unread_photo_in_json() -> None:
    sheet = judged(["lion", "zebra", "giraffe", *["elephant"] * 9], [])
    assert sheet.to_json()["photos"][0]["sequence"] is None


def test_the_outcome_is_the_verdict() -> None:
    ring = ["lion", "zebra", "giraffe", *["elephant"] * 9]
    assert judged(ring, ["lion", "zebra"]).outcome() == ((13, True),)
    assert judged(ring, ["zebra", "lion"]).outcome() == ((13, False),)


def test_a_photo_with_a_face_of_its_own() -> None:
    edition = Edition("kleine-fotosafari", "test", (60, 60), FOTO.faces, photos={"p7": ("lion", "zebra")})
    table = laid(["lion", "zebra", "giraffe", *["elephant"] * 9], ["elephant", "giraffe"])
    named = replace(table, pieces=(*table.pieces[:-1], replace(table.pieces[-1], label="p7")))
    assert score(named, edition, Options()).photos[0].sequence == ("lion", "zebra")


def test_eleven_animals_on_a_photo() -> None:
    ring = ["lion", *["elephant"] * 11]
    (line,) = judged(ring, [*["elephant"] * 10, "giraffe"]).photos[0].lines
    assert "the 11th animal is" in line.reason


def test_no_pile() -> None:
    assert score(parse("ring: lion zebra giraffe", FOTO.size_mm), FOTO, Options()).pile is None


TWELVE = "ring: " + "elephant " * 7 + "zebra " * 5
BAD = [
    pytest.param("", {"no-ring"}, id="nothing"),
    pytest.param("card lion 0,0 id 1\ncard lion 400,0 id 1", {"no-ring", "same-id"}, id="an id twice"),
    pytest.param("ring: lion zebra giraffe", {"ring-size"}, id="a ring of 3"),
    pytest.param("ring: " + "lion " * 12, {"more-than-the-box-holds"}, id="twelve lions"),
    pytest.param("ring: unicorn " + "elephant " * 7 + "zebra " * 4, {"unknown-label"}, id="not of this box"),
    pytest.param("ring: ? " + "elephant " * 7 + "zebra " * 4, {"unread-card"}, id="not known"),
    pytest.param(f"{TWELVE}\ncard lion corners nan,0 1,1 2,2 3,3", {"bad-outline"}, id="nan"),
    pytest.param(f"{TWELVE}\ncard lion 900,0 size 60x60", {"stray-card"}, id="a card astray"),
]


@pytest.mark.parametrize(("text", "rules"), BAD)
def test_bad_tables_are_problems(text: str, rules: set[str]) -> None:
    table = parse(text, FOTO.size_mm)
    found = problems(table, FOTO, Options())
    assert {p.rule for p in found if p.rule != "stray-card" or "stray-card" in rules} == rules
    assert all(p.message for p in found)
    score(table, FOTO, Options())


def test_cards_on_each_other_in_the_ring() -> None:
    table = parse(TWELVE, FOTO.size_mm)
    first = table.pieces[0]
    on_it = replace(first, id=99, outline_mm=tuple((x + 12, y) for x, y in first.outline_mm))
    found = problems(replace(table, pieces=(*table.pieces, on_it)), FOTO, Options())
    assert "cards-overlap" in {p.rule for p in found}


def test_two_claims_are_a_problem() -> None:
    table = laid(["elephant"] * 7 + ["zebra"] * 5, ["zebra"])
    photo = table.pieces[-1]
    again = Piece(50, "photo", None, tuple((x + 5, y) for x, y in photo.outline_mm), 90.0, sequence=("lion",))
    found = problems(replace(table, pieces=(*table.pieces, again)), FOTO, Options())
    assert "claim-unclear" in {p.rule for p in found}
