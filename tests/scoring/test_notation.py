"""Tables as text and back."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.layout import corners_mm, pose
from scoring.notation import KINDS, TOLERANCE_DEG, TOLERANCE_MM, NotationError, format, parse
from scoring.sketch import sketch
from scoring.table import BACK, Piece, String, Table
from tests.scoring.boxes import ANIMALS, VALUES

coordinates = st.floats(-2000, 2000, allow_nan=False)
points = st.tuples(coordinates, coordinates)
labels = st.text(min_size=1, max_size=8)
shares = st.floats(0, 1)


@st.composite
def pieces(draw: st.DrawFn) -> Piece:
    """Draw any piece: a rectangle most often, any outline now and then."""
    up = draw(st.floats(-720, 720))
    plain = Piece(0, "card", None, ((0, 60), (40, 60), (40, 0), (0, 0)), up)
    at = pose(plain)
    assert at is not None
    x, y = draw(points)
    rectangle = tuple((a + x, b + y) for a, b in corners_mm(at))
    outline = rectangle if draw(st.booleans()) else tuple(draw(st.lists(points, max_size=5)))
    return Piece(
        draw(st.integers(0, 999)),
        draw(st.sampled_from(KINDS)),
        draw(st.none() | labels | st.just(BACK)),
        outline,
        up,
        draw(shares),
        tuple(draw(st.lists(st.tuples(labels, shares), max_size=3))),
        draw(st.none() | st.integers(0, 99)),
        draw(st.none() | st.lists(labels, max_size=5).map(tuple)),
        tuple(draw(st.lists(st.tuples(st.lists(labels, min_size=1, max_size=3).map(tuple), shares), max_size=2))),
        draw(st.floats(0, 5)),
        draw(st.none() | st.floats(0, 5)),
    )


strings = st.builds(
    String,
    name=labels,
    closed=st.booleans(),
    path_mm=st.lists(points, max_size=6).map(tuple),
    width_mm=st.floats(0.1, 9),
    visible=shares,
    sigma_mm=st.lists(st.floats(0, 9), max_size=3).map(tuple),
)
tables = st.builds(Table, st.lists(pieces(), max_size=4).map(tuple), st.lists(strings, max_size=2).map(tuple))


def same(a: Table, b: Table) -> bool:
    """Tell whether two tables are the same but for the notation's tolerance."""
    return (
        len(a.pieces) == len(b.pieces)
        and all(map(same_piece, a.pieces, b.pieces))
        and len(a.strings) == len(b.strings)
        and all(map(same_string, a.strings, b.strings))
    )


def same_piece(a: Piece, b: Piece) -> bool:
    return near(a.outline_mm, b.outline_mm) and abs(a.up_deg - b.up_deg) < TOLERANCE_DEG and rest(a) == rest(b)


def rest(p: Piece) -> tuple[object, ...]:
    said = p.id, p.kind, p.label, p.probability, p.candidates
    return *said, p.on, p.sequence, p.sequence_candidates, p.sigma_mm, p.corner_radius_mm


def same_string(a: String, b: String) -> bool:
    said = [(s.name, s.closed, s.width_mm, s.visible, s.sigma_mm) for s in (a, b)]
    return said[0] == said[1] and near(a.path_mm, b.path_mm)


def near(a: tuple[tuple[float, float], ...], b: tuple[tuple[float, float], ...]) -> bool:
    return len(a) == len(b) and all(math.dist(p, q) < TOLERANCE_MM for p, q in zip(a, b, strict=True))


@given(tables)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])  # a busy machine
def test_text_and_back(table: Table) -> None:
    assert same(table, parse(format(table)))


def test_what_is_left_out_has_its_usual_value() -> None:
    (piece,) = parse("card fox 10,20 ; a remark\n\n; another", (60, 80)).pieces
    assert same_piece(piece, Piece(0, "card", "fox", ((-20, 60), (40, 60), (40, -20), (-20, -20)), 90.0))


def test_a_plain_string() -> None:
    string = String("research", True, ((0, 0), (100, 0), (50, 80)), 3.0)
    text = "string research closed width 3.0 path 0,0 100,0 50,80"
    assert format(Table((), (string,))) == text
    assert parse(text).strings == (string,)


def test_numbers_that_are_none() -> None:
    (piece,) = parse("card fox corners nan,0 1,1 2,2 3,3").pieces
    assert math.isnan(piece.outline_mm[0][0])
    assert math.isnan(parse(format(Table((piece,)))).pieces[0].outline_mm[0][0])


@pytest.mark.parametrize(
    ("line", "says"),
    [
        pytest.param("cart fox 1,2", "expected one of card, tile", id="kind"),
        pytest.param("card fox 12", "expected two numbers as in 1,2, got '12'", id="place"),
        pytest.param("card fox 1,2 size 4", "1x2", id="size"),
        pytest.param("card fox one,2", "one", id="number"),
        pytest.param("card", "card", id="nothing after the kind"),
        pytest.param("card fox", "card fox", id="no place"),
        pytest.param("string research round width 2 path 0,0", "expected closed or open, got 'round'", id="string"),
        pytest.param("string research closed path 0,0", "width", id="string without a width"),
        pytest.param("seat: a b c", "expected two rows of three as in a b c / d e f, got 'a b c'", id="seat"),
        pytest.param("chair: a b c", "expected seat:, beside:, ring:, pile: or photo:, got 'chair'", id="sketch"),
    ],
)
def test_a_line_that_is_none(line: str, says: str) -> None:
    with pytest.raises(NotationError) as error:
        parse(line)
    assert says in str(error.value)


words = st.sampled_from([*VALUES, "safari", BACK, "?"])
rows = st.lists(words, min_size=6, max_size=6).map(lambda w: f"seat: {' '.join(w[:3])} / {' '.join(w[3:])}")
besides = st.sampled_from([[], ["beside: back crocodile"], ["beside: back"]])


@given(st.lists(rows, min_size=1, max_size=8), besides)
@settings(deadline=None, max_examples=40)
def test_grids_sketched_and_back(seats: list[str], beside: list[str]) -> None:
    text = "\n".join([*seats, *beside])
    assert sketch(parse(text)) == text


animals = st.sampled_from([*ANIMALS, "?"])


@given(
    st.lists(animals, min_size=4, max_size=14),
    st.sampled_from([*ANIMALS, BACK, ""]),
    st.lists(st.lists(st.sampled_from([*ANIMALS]), min_size=1, max_size=5), max_size=3),
)
@settings(deadline=None, max_examples=40)
def test_rings_sketched_and_back(ring: list[str], pile: str, photos: list[list[str]]) -> None:
    lines = [f"ring: {' '.join(ring)}", *([f"pile: {pile}"] if pile else [])]
    text = "\n".join([*lines, *(f"photo: {' '.join(p)}" for p in photos)])
    assert sketch(parse(text, (60, 60))) == text


@pytest.mark.parametrize("odd", [".", "zebra@180"], ids=["a gap", "a turned head"])
def test_a_gap_and_a_turned_head_are_sketched(odd: str) -> None:
    text = f"ring: lion {odd} giraffe elephant elephant zebra giraffe zebra elephant giraffe elephant zebra"
    assert sketch(parse(text, (60, 60))) == text


def test_sketched_ids() -> None:
    table = parse("seat: fox#7 . rabbit / back ? zebra#9\nbeside: back#3\nphoto: lion#5 zebra")
    assert [(p.id, p.label) for p in table.pieces] == [
        (7, "fox"), (0, "rabbit"), (1, BACK), (2, None), (9, "zebra"), (3, BACK), (5, None),
    ]  # fmt: skip


def test_an_empty_table() -> None:
    assert format(Table()) == ""
    assert parse("") == Table()
    assert sketch(Table()) == ""
