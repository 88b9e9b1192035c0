"""The trial of a deck's faces, and colours learnt and compared."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from decks import learning, trial
from decks.colour import is_colour, names, parse
from decks.deck import DeckError, find
from decks.picture import Image


def test_every_face_is_tried_alike_each_time() -> None:
    faces = find("kleine-fotosafari", "any").faces
    first, second = trial.looks(faces, square=True), trial.looks(faces, square=True)
    assert len(first) == len(faces) * trial.LOOKS
    assert all(np.array_equal(a.image, b.image) for a, b in zip(first, second, strict=True))
    assert {look.quarter_turns for look in first} == {0, 1, 2, 3}
    assert trial.looks({}, square=True) == ()


def test_oblong_faces_stay_oblong() -> None:
    looks = trial.looks({"fox": find("paper-safari", "any").faces["fox"]}, square=False)
    assert all(look.image.shape[0] > look.image.shape[1] for look in looks)


@pytest.mark.parametrize(
    ("named", "worst", "share"),
    [
        ([], None, 0.0),
        ([("a", "a")], None, 1.0),
        ([("a", "a"), ("a", "b"), ("b", "b"), ("b", "b")], ("a", "b", 0.5), 0.75),
        ([("a", None), ("a", None), ("a", "b"), ("a", "a")], ("a", None, 0.5), 0.25),
    ],
    ids=["empty", "all right", "one for another", "not known"],
)
def test_confusions(
    named: list[tuple[str, str | None]], worst: tuple[str, str | None, float] | None, share: float
) -> None:
    wrong, right = trial.confusions(named)
    assert right == share
    assert (None if not wrong else (wrong[0].label, wrong[0].taken_for, wrong[0].share)) == worst


@pytest.mark.parametrize(
    ("colours", "pairs"),
    [
        ({}, []),
        ({label: label for label in ("red", "blue", "yellow", "green", "black")}, []),
        ({"field": "dark brown", "research": "gray"}, []),
        ({"a": "#c22a20", "b": "#c8301c", "c": "blue"}, [("a", "b")]),
    ],
    ids=["empty", "markers", "strings", "two reds"],
)
def test_close_colours(colours: dict[str, str], pairs: list[tuple[str, str]]) -> None:
    assert [pair[:2] for pair in trial.close_colours(colours)] == pairs


def table_with_string(colour: tuple[int, int, int], table: tuple[int, int, int], width: int = 7) -> Image:
    """Draw a loop of string on a grained table, a cup beside it."""
    rng = np.random.default_rng(2)
    image = np.full((600, 800, 3), table, np.uint8)
    t = np.linspace(0, 2 * np.pi, 200)
    loop = (
        np.stack([380 + 240 * np.cos(t), 300 + 180 * np.sin(t) + 20 * np.sin(5 * t)], axis=1).round().astype(np.int32)
    )
    cv2.polylines(image, [loop], True, colour, width, cv2.LINE_AA)
    cv2.circle(image, (730, 90), 50, (240, 240, 240), -1, cv2.LINE_AA)
    light = np.linspace(0.7, 1.1, 800)[None, :, None]
    return np.asarray(np.clip(image * light + rng.normal(0, 4, image.shape), 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("colour", "table"),
    [
        ((30, 45, 66), (140, 170, 200)),
        ((140, 140, 138), (90, 130, 170)),
        ((150, 55, 115), (200, 205, 210)),
        ((60, 150, 60), (40, 40, 45)),
    ],
    ids=["brown on pale wood", "gray on wood", "purple on white", "green on black"],
)
def test_a_strings_colour_is_learnt(colour: tuple[int, int, int], table: tuple[int, int, int]) -> None:
    learnt = parse(learning.string_colour(table_with_string(colour, table)))
    assert np.abs(np.array(learnt) - colour).max() < 30


def test_a_bare_table_has_no_string() -> None:
    bare = np.full((300, 400, 3), 120, np.uint8)
    with pytest.raises(DeckError, match="no string"):
        learning.string_colour(bare)


@pytest.mark.parametrize("exposed", [1.0, 0.4], ids=["in good light", "in the dark"])
def test_a_markers_colour_is_the_middle_of_its_face_in_good_light(exposed: float) -> None:
    colours = [(38, 49, 225), (180, 90, 40)]
    faces = [np.full((20, 20, 3), (10, 10, 10), np.uint8) for _ in colours]
    for face, colour in zip(faces, colours, strict=True):
        face[4:16, 4:16] = np.round(np.array(colour) * exposed)
    table = np.full((30, 30, 3), round(160 * exposed), np.uint8)
    for learnt, colour in zip(learning.marker_colours(faces, [table]), colours, strict=True):
        assert np.abs(np.array(parse(learnt)) - colour).max() <= 2


def test_a_marker_is_not_brightened_beyond_the_paper_it_lies_on() -> None:
    assert learning.marker_colours([np.full((20, 20, 3), 30, np.uint8)], [np.full((9, 9, 3), 250, np.uint8)]) == [
        "#1e1e1e"
    ]


MISNAMED = [
    ("empty", {}, []),
    ("each its own", {"red": "#b42928", "blue": "#2658ac", "black": "#201f22"}, []),
    ("no colours' names", {"Ann": "#b42928", "Ben": "#2658ac"}, []),
    ("shifted by one", {"red": "#2658ac", "blue": "#b42928"}, [("red", "blue"), ("blue", "red")]),
    ("black in a gleam", {"red": "#b42928", "gray": "#7a7a7a", "black": "#afb3b6"}, [("black", "gray")]),
]


@pytest.mark.parametrize(("learnt", "wrong"), [m[1:] for m in MISNAMED], ids=[m[0] for m in MISNAMED])
def test_a_colour_that_is_nearer_to_anothers_name_is_told(learnt: dict[str, str], wrong: list[tuple[str, str]]) -> None:
    assert learning.misnamed(learnt) == wrong


def test_joints_of_a_table_are_no_string() -> None:
    floor = np.full((600, 800, 3), (60, 75, 70), np.uint8)
    for x in range(60, 800, 170):
        cv2.line(floor, (x, 0), (x + 20, 600), (190, 200, 205), 8)
    with pytest.raises(DeckError, match="no string"):
        learning.string_colour(floor)


@pytest.mark.parametrize("text", ["red", "dark brown", "Very Dark grey", "light-blue", "#C22a20", "lilac", "gold"])
def test_colours_are_known(text: str) -> None:
    assert is_colour(text)


@pytest.mark.parametrize("text", ["", "rouge", "dark", "#12345", "#gggggg", "red blue", "light dark red"])
def test_what_is_no_colour(text: str) -> None:
    with pytest.raises(DeckError, match="is no colour"):
        parse(text)


def test_every_plain_name_is_a_colour() -> None:
    assert all(is_colour(name) for name in names())
