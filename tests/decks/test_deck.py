"""Deck folders: what loads, and the one line for each thing that cannot be."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from decks.deck import DeckError, builtin_names, examine, find, load
from decks.picture import Image

PAPER = 'game = "paper-safari"\ncard_mm = [63, 88]\n[faces."fox"]\nvalue = -2\ncount = 4\n'
STRING = 'game = "string-safari"\ntile_mm = [40, 40]\n'
LION = '[faces."lion"]\nfood = "carnivore"\nfamily = "cat"\nactivity = "night"\npoints = 3\n'
FOTO = 'game = "kleine-fotosafari"\ncard_mm = [60, 60]\n[faces."lion"]\ncount = 4\n[faces."zebra"]\n'


def face(seed: int = 0, height: int = 88, width: int = 63) -> Image:
    """Return a picture that is like no other."""
    return np.random.default_rng(seed).integers(0, 255, (height, width, 3), np.uint8)


def folder_of(tmp_path: Path, toml: str, *pictures: str) -> Path:
    """Write a deck folder with these pictures (below faces/ where no folder is named)."""
    (tmp_path / "deck.toml").write_text(toml, encoding="utf-8")
    for seed, name in enumerate(pictures):
        path = tmp_path / (name if "/" in name else f"faces/{name}")
        path.parent.mkdir(exist_ok=True)
        _, data = cv2.imencode(path.suffix, face(seed))
        path.write_bytes(data.tobytes())
    return tmp_path


def bomb(width: int, height: int) -> bytes:
    """Return a small PNG that says that it is huge."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("name", builtin_names())
def test_every_built_in_deck_loads(name: str) -> None:
    deck = find(name, "any")
    assert set(deck.faces) == {*deck.edition.faces, "back"}
    assert set(deck.research) == set(deck.edition.research)


@pytest.mark.parametrize("game", ["paper-safari", "kleine-fotosafari", "string-safari"])
def test_each_game_has_a_deck_of_its_own(game: str) -> None:
    assert find(None, game).edition.game == game


def test_a_deck_is_read_whole(tmp_path: Path) -> None:
    deck = load(folder_of(tmp_path, PAPER, "fox.png", "fox-2.png", "fox-10.png", "back.png", "stranger.png"))
    assert {label: len(pictures) for label, pictures in deck.faces.items()} == {"fox": 3, "back": 1}
    assert np.array_equal(deck.faces["fox"][0], face(0))
    assert np.array_equal(deck.faces["fox"][2], face(2))
    assert deck.edition.faces["fox"].value == -2
    assert deck.edition.size_mm == (63, 88)
    assert deck.thickness_mm == 0.35


@pytest.mark.parametrize("suffix", ["png", "jpg", "webp"])
def test_each_format_is_read(tmp_path: Path, suffix: str) -> None:
    assert load(folder_of(tmp_path, PAPER, f"fox.{suffix}")).faces["fox"][0].shape == (88, 63, 3)


@pytest.mark.parametrize("label", ["Füchslein", "狐", "лиса", "fox-2", "a b", "x" * 60, "Zoë", "🦊"])
def test_a_label_may_hold_any_letters(tmp_path: Path, label: str) -> None:
    toml = PAPER + f'[faces."{label}"]\nvalue = 1\n'
    assert label in load(folder_of(tmp_path, toml, "fox.png", f"{label}.png")).faces


def test_letters_taken_apart_by_the_file_system_are_put_together(tmp_path: Path) -> None:
    toml = PAPER + '[faces."Zoë"]\nvalue = 1\n'
    assert "Zoë" in load(folder_of(tmp_path, toml, "fox.png", "Zoe\u0308.png")).faces


def test_a_deck_of_no_game_takes_its_pictures_names(tmp_path: Path) -> None:
    deck = load(folder_of(tmp_path, 'game = "any"\n', "fox.png", "fox-2.png", "one-2.png", "back.png"))
    assert {label: len(pictures) for label, pictures in deck.faces.items()} == {"fox": 2, "one-2": 1, "back": 1}
    assert tuple(deck.edition.faces) == ("fox", "one-2")


def test_clear_parts_lie_on_white(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, PAPER)
    (folder / "faces").mkdir()
    clear = np.zeros((20, 20, 4), np.uint8)
    clear[:10] = (10, 20, 30, 255)
    _, data = cv2.imencode(".png", clear)
    (folder / "faces/fox.png").write_bytes(data.tobytes())
    picture = load(folder).faces["fox"][0]
    assert picture[5, 5].tolist() == [10, 20, 30]
    assert picture[15, 5].tolist() == [255, 255, 255]


def test_string_safari_knows_colours_that_are_left_out(tmp_path: Path) -> None:
    deck = load(folder_of(tmp_path, STRING + LION + '[strings]\nwidth_mm = 2.5\nfield = "purple"\n', "lion.png"))
    assert dict(deck.string_colours) == {"field": "purple", "research": "gray"}
    assert deck.string_width_mm == 2.5
    assert set(deck.marker_colours) == {"red", "blue", "yellow", "green", "black"}


def test_a_photo_card_may_have_no_picture_of_its_own(tmp_path: Path) -> None:
    deck = load(folder_of(tmp_path, FOTO + '[photos."a"]\nsequence = ["lion", "zebra"]\n', "lion.png", "zebra.png"))
    assert deck.edition.photos["a"] == ("lion", "zebra")
    assert not deck.photos


FAULTS = [
    ("not toml", "game = ", (), "not TOML"),
    ("no game", "card_mm = [63, 88]\n", (), "game is missing"),
    ("another game", 'game = "chess"\n', (), 'game = "chess"'),
    ("no size", 'game = "paper-safari"\n[faces."fox"]\nvalue = 1\n', ("fox.png",), "card_mm is missing"),
    ("size of nothing", PAPER.replace("[63, 88]", "[0, 88]"), ("fox.png",), "card_mm = [0, 88]"),
    ("three sides", PAPER.replace("[63, 88]", "[63, 88, 1]"), ("fox.png",), "expected [width, height]"),
    ("the other key", STRING.replace("tile_mm", "card_mm") + LION, ("lion.png",), "tile_mm is missing"),
    ("no face", 'game = "paper-safari"\ncard_mm = [63, 88]\n', (), "names no face"),
    ("no value", PAPER.replace("value = -2\n", ""), ("fox.png",), "has no value"),
    ("value and copy", PAPER + "copies_neighbour = true\n", ("fox.png",), "keep one"),
    ("value in words", PAPER.replace("-2", '"two"'), ("fox.png",), 'value = "two"'),
    ("count of none", PAPER.replace("count = 4", "count = 0"), ("fox.png",), "count = 0"),
    ("count of yes", PAPER.replace("count = 4", "count = true"), ("fox.png",), "count = true"),
    ("unknown key", PAPER + "colour = 1\n", ("fox.png",), 'unknown key "colour"'),
    ("mistyped key", PAPER.replace("count", "cuont"), ("fox.png",), 'did you mean "count"'),
    ("unknown table", PAPER + "[trees]\n", ("fox.png",), 'unknown key "trees"'),
    ("another game's table", FOTO + "[markers]\n", ("lion.png", "zebra.png"), 'unknown key "markers"'),
    ("no picture", PAPER, (), "there is no picture"),
    ("a face is a number", "faces = 3\n" + PAPER.partition("[faces")[0], (), "expected a table"),
    ("back as a face", PAPER + '[faces."back"]\nvalue = 1\n', ("fox.png",), "needs no entry"),
    ("a path as a label", PAPER + '[faces."../x"]\nvalue = 1\n', ("fox.png",), "names a file"),
    ("a line as a label", PAPER + '[faces."a\\nb"]\nvalue = 1\n', ("fox.png",), "plain text"),
    (
        "half an animal",
        STRING + '[faces."lion"]\nfood = "carnivore"\n',
        ("lion.png",),
        "lacks family, activity, points",
    ),
    ("animal and land", STRING + LION + 'land = "bushes"\n', ("lion.png",), "keep land alone"),
    ("no such food", STRING + LION.replace("carnivore", "meat"), ("lion.png",), 'food = "meat"'),
    ("no such land", STRING + '[faces."sea"]\nland = "sea"\n', ("sea.png",), 'land = "sea"'),
    ("no such target", STRING + LION + '[research."x"]\ntarget = "fish:2"\npoints = 1\n', ("lion.png",), "fish:2"),
    ("target of nothing", STRING + LION + '[research."x"]\ntarget = "cat"\npoints = 1\n', ("lion.png",), '"cat"'),
    ("research lacks points", STRING + LION + '[research."x"]\ntarget = "cat:2"\n', ("lion.png",), "lacks points"),
    ("photo of no face", FOTO + '[photos."a"]\nsequence = ["lion", "cow"]\n', ("lion.png", "zebra.png"), '"cow"'),
    ("photo of nothing", FOTO + '[photos."a"]\n', ("lion.png", "zebra.png"), "needs sequence"),
    ("coin of nothing", STRING + LION + '[coins."red"]\n', ("lion.png",), "lacks worth"),
    ("coin unseen", STRING + LION + '[coins."big"]\nworth = 5\n', ("lion.png",), "no picture of the coin"),
    ("no such colour", STRING + LION + '[markers]\nred = "rouge"\n', ("lion.png",), 'red = "rouge"'),
    ("string width", STRING + LION + "[strings]\nwidth_mm = -1\n", ("lion.png",), "width_mm = -1"),
    ("option of lists", PAPER + "[options]\nx = [1]\n", ("fox.png",), "expected a text, a number"),
]


@pytest.mark.parametrize(("toml", "pictures", "said"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_what_cannot_be_is_said_in_one_line(tmp_path: Path, toml: str, pictures: tuple[str, ...], said: str) -> None:
    with pytest.raises(DeckError) as refused:
        load(folder_of(tmp_path, toml, *pictures))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert str(tmp_path) in str(refused.value)


def test_every_fault_is_listed(tmp_path: Path) -> None:
    deck, faults = examine(folder_of(tmp_path, PAPER.replace("-2", "x = 1").replace("count = 4", "count = 0")))
    assert deck is None
    assert len(faults) == 1  # the text is no TOML: nothing else can be said
    deck, faults = examine(folder_of(tmp_path, PAPER.replace("count = 4", "count = 0\nhue = 1"), "fox.png"))
    assert deck is None
    assert len(faults) == 2


BROKEN = [
    ("text", b"not a picture", "not a whole png"),
    ("empty", b"", "not a whole png"),
    ("cut short", cv2.imencode(".jpg", face())[1].tobytes()[:300], "not a whole png"),
    ("gif", b"GIF89a\x01\x00\x01\x00\x00\x00\x00;", "not a whole png"),
    ("bomb", bomb(60_000, 60_000), "too many pixels"),
    ("large", bomb(9_000, 9_000), "too many pixels"),
    ("tiny", cv2.imencode(".png", face()[:5, :5])[1].tobytes(), "too small"),
]


@pytest.mark.parametrize(("data", "said"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_a_picture_that_cannot_be_is_said_in_one_line(tmp_path: Path, data: bytes, said: str) -> None:
    folder = folder_of(tmp_path, PAPER)
    (folder / "faces").mkdir()
    (folder / "faces/fox.png").write_bytes(data)
    with pytest.raises(DeckError, match=said) as refused:
        load(folder)
    assert "\n" not in str(refused.value)


NOWHERE = [
    ("no folder", "/nowhere/at/all", "paper-safari", "there is no deck"),
    ("wrong game", "paper-safari", "string-safari", "is for paper-safari, not string-safari"),
    ("no built-in deck", None, "any", "name a deck folder"),
    ("a name too long for a folder", "a" * 5000, "any", 'there is no deck "a{200}"'),
    ("the home of nobody", "~nobody-of-this-name/deck", "any", "there is no deck"),
    ("no file's name", "a\0b/deck.toml", "any", "can be no file's name"),
    ("no text in UTF-8", "\ud800/deck.toml", "any", "can be no file's name"),
]


@pytest.mark.parametrize(("name", "game", "said"), [n[1:] for n in NOWHERE], ids=[n[0] for n in NOWHERE])
def test_a_deck_that_is_not_there(name: str | None, game: str, said: str) -> None:
    with pytest.raises(DeckError, match=said):
        find(name, game)
