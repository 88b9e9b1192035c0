"""Rendered spreads of every kind of piece, enrolled: each label bears its own picture, upright, or its own colour."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from decks.colour import parse
from decks.deck import Deck, find
from scoring.table import BACK, Kind, Piece, String, Table
from service.deck_commands import deck as app
from service.finding import found
from synth import loops
from synth.pictures import Pictures
from synth.render import Manner, photograph
from synth.things import rectangle
from vision.recogniser import Group, Recogniser, Turns

MANNER = Manner(1280, 720, most_tilt_deg=20.0, harsh=0.15, mess=0.0)
CUBES = {"red": "#c22a20", "blue": "#2a4fc2", "yellow": "#e8c020", "green": "#2f9a3f", "black": "#202020"}


def rows(kind: Kind, labels: Sequence[str], size: tuple[float, float], columns: int, skew_deg: float) -> Table:
    """Lay pieces in reading order, in rows that run askew."""
    pieces = []
    turn = math.radians(skew_deg)
    for k, label in enumerate(labels):
        across, down = (k % columns - (columns - 1) / 2) * (size[0] + 12), k // columns * (size[1] + 12)
        place = (
            across * math.cos(turn) + down * math.sin(turn),
            across * math.sin(turn) - down * math.cos(turn),
        )
        outline = tuple((float(x), float(y)) for x, y in rectangle(place, size, 90 + skew_deg + 3 * (k % 3 - 1)))
        photo = tuple(label.split()) if kind == "photo" else None
        pieces.append(Piece(k, kind, label, outline, 90 + skew_deg, sequence=photo))
    return Table(tuple(pieces))


def enrolled(deck: Deck, table: Table, folder: Path, kind: str, seed: int, labels: Sequence[str]) -> None:
    """Photograph a table and enrol what lies on it into a new deck of the game."""
    image, _ = photograph(table, deck, seed, MANNER, Pictures())
    cv2.imwrite(str(folder / "photo.png"), image)
    width, height = deck.edition.size_mm
    words = ["new", str(folder / "mine"), "--game", deck.edition.game, "--size", f"{width},{height}"]
    assert CliRunner().invoke(app, words).exit_code == 0
    words = ["enrol", str(folder / "mine"), str(folder / "photo.png"), "--kind", kind, "--labels", ",".join(labels)]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.stderr
    assert "retake" not in result.stderr


SPREADS: list[tuple[str, str, Group, Kind, Turns, int, int, float]] = [
    ("cards", "paper-safari", "faces", "card", 2, 8, 4, -8.0),
    ("tiles", "string-safari", "faces", "tile", 4, 9, 3, 14.0),
    ("research tiles", "string-safari", "research", "research", 4, 6, 3, 6.0),
    ("coins", "string-safari", "coins", "coin", "all", 4, 4, 0.0),
]


@pytest.mark.parametrize(
    ("game", "group", "kind", "turns", "count", "columns", "skew"),
    [s[1:] for s in SPREADS],
    ids=[s[0] for s in SPREADS],
)
def test_each_label_bears_its_own_picture(
    tmp_path: Path, game: str, group: Group, kind: Kind, turns: Turns, count: int, columns: int, skew: float
) -> None:
    deck = find(game, game)
    labels = list(getattr(deck, group))[:count]
    size = (22.0, 22.0) if kind == "coin" else deck.edition.size_mm
    enrolled(deck, rows(kind, labels, size, columns, skew), tmp_path, group, 11, labels)
    faces = [cv2.imread(str(tmp_path / "mine" / group / f"{label}.png")) for label in labels]
    named = Recogniser(deck).name([np.asarray(face, np.uint8) for face in faces], group=group, turns=turns)
    assert [one.label for one in named] == labels
    assert all((one.turned_deg + 180) % 360 == pytest.approx(180, abs=15) for one in named)


def test_photo_cards_are_enrolled_with_their_sequences(tmp_path: Path) -> None:
    deck = find("kleine-fotosafari", "any")
    labels = ["lion zebra lion", "giraffe elephant zebra"]
    enrolled(deck, rows("photo", labels, (96.0, 44.0), 2, 5.0), tmp_path, "photos", 5, labels)
    written = tomllib.loads((tmp_path / "mine/deck.toml").read_text())["photos"]
    assert [one["sequence"] for one in written.values()] == [label.split() for label in labels]
    for label in labels:
        face = cv2.imread(str(tmp_path / "mine/photos" / f"{label.replace(' ', '-')}.png"))
        assert Recogniser(deck).read_strip(np.asarray(face, np.uint8)).candidates[0][0] == tuple(label.split())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_marker_colours_are_nearest_to_their_own(tmp_path: Path, seed: int) -> None:
    deck = find("string-safari", "any")
    enrolled(deck, rows("marker", list(CUBES), (9.0, 9.0), 5, 4.0), tmp_path, "markers", seed, list(CUBES))
    learnt = tomllib.loads((tmp_path / "mine/deck.toml").read_text())["markers"]
    for label in CUBES:
        assert min(CUBES, key=lambda name: _apart(learnt[label], CUBES[name])) == label


def _apart(colour: str, other: str) -> float:
    bgr = np.array([[parse(colour), parse(other)]], np.float32) / 255
    one, two = cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB)[0]
    return float(np.linalg.norm(one - two))


def test_a_strings_colour_is_learnt_from_a_photograph(tmp_path: Path) -> None:
    deck = find("string-safari", "any")
    path = loops.wobbly(np.random.default_rng(3), 90.0, (0.0, 0.0), 0.1)
    string = String("field", True, tuple((float(x), float(y)) for x, y in path), 3.0)
    enrolled(deck, Table((), (string,)), tmp_path, "strings", 2, ["field"])
    learnt = tomllib.loads((tmp_path / "mine/deck.toml").read_text())["strings"]["field"]
    assert _apart(learnt, "dark brown") < 25
    image, _ = photograph(Table((), (string,)), deck, 8, MANNER, Pictures())  # by it the string is read elsewhere
    (read,) = found(image, None, None, False, {"field": learnt})["strings"]
    assert read["closed"]
    assert read["visible"] > 0.9


def test_a_back_is_enrolled_and_read(tmp_path: Path) -> None:
    deck = find("string-safari", "any")
    enrolled(deck, rows("tile", [BACK], deck.edition.size_mm, 1, 5.0), tmp_path, "faces", 7, [BACK])
    face = cv2.imread(str(tmp_path / "mine/faces/back.png"))
    (named,) = Recogniser(deck).name([np.asarray(face, np.uint8)], group="faces", turns=4)
    assert named.label == BACK
    mine = Recogniser(replace(deck, faces={**deck.faces, BACK: (np.asarray(face, np.uint8),)}))
    (again,) = mine.name([deck.faces[BACK][0]], group="faces", turns=4)
    assert (again.label, again.probability > 0.9) == (BACK, True)
