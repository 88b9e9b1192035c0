"""Decks as zips: what goes out comes back, and nothing else comes in."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from decks import archive
from decks.deck import BUILTIN, DeckError, load
from decks.picture import MAX_FILE_BYTES

TOML = b'game = "any"\n[faces."fox"]\n'
FOX = cv2.imencode(".png", np.random.default_rng(0).integers(0, 255, (40, 40, 3), np.uint8))[1].tobytes()
GOOD = {"deck.toml": TOML, "faces/fox.png": FOX}


def zip_of(tmp_path: Path, files: dict[str, bytes]) -> Path:
    """Write a zip."""
    path = tmp_path / "deck.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return path


def test_a_deck_comes_back_as_it_went(tmp_path: Path) -> None:
    count = archive.pack(BUILTIN / "kleine-fotosafari", tmp_path / "deck.zip")
    assert archive.unpack(tmp_path / "deck.zip", tmp_path / "back") == count == 5
    old, new = load(BUILTIN / "kleine-fotosafari"), load(tmp_path / "back")
    assert new.edition == old.edition
    assert all(np.array_equal(new.faces[label][0], old.faces[label][0]) for label in old.faces)


def test_the_same_deck_makes_the_same_zip(tmp_path: Path) -> None:
    for name in ("a.zip", "b.zip"):
        archive.pack(BUILTIN / "kleine-fotosafari", tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_a_deck_may_lie_in_a_folder_of_its_own(tmp_path: Path) -> None:
    path = zip_of(tmp_path, {f"my deck/{name}": data for name, data in GOOD.items()})
    assert archive.unpack(path, tmp_path / "new") == 1


HUGE = bytes(MAX_FILE_BYTES + 10)
REFUSED = [
    ("up and out", {**GOOD, "../evil.png": FOX}, "leads out"),
    ("up within", {**GOOD, "faces/../../evil.png": FOX}, "leads out"),
    ("from the root", {**GOOD, "/etc/evil.png": FOX}, "leads out"),
    ("a drive", {**GOOD, "C:evil.png": FOX}, "leads out"),
    ("backslashes", {**GOOD, "faces\\..\\evil.png": FOX}, "leads out"),
    ("a program", {**GOOD, "faces/evil.exe": b"MZ"}, "no part of a deck"),
    ("another folder", {**GOOD, "hooks/fox.png": FOX}, "no part of a deck"),
    ("too deep", {**GOOD, "faces/a/fox.png": FOX}, "no part of a deck"),
    ("no deck", {"faces/fox.png": FOX}, "holds 0 decks"),
    ("two decks", {"a/deck.toml": TOML, "b/deck.toml": TOML}, "holds 2 decks"),
    ("garbage toml", {**GOOD, "deck.toml": b"\x00\xff garbage"}, "deck.toml"),
    ("unknown key", {**GOOD, "deck.toml": TOML + b"evil = 1\n"}, "unknown key"),
    ("no picture", {"deck.toml": TOML}, "no picture"),
    ("no real picture", {**GOOD, "faces/fox.png": b"text"}, "not a whole png"),
    ("a picture of 2 GB", {**GOOD, "faces/fox.png": HUGE}, "unpacks to more"),
    ("a deck.toml of 2 MB", {**GOOD, "deck.toml": TOML + b"#" * 2_000_000}, "unpacks to more"),
]


@pytest.mark.parametrize(("files", "said"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_what_is_no_deck_is_refused_in_one_line(tmp_path: Path, files: dict[str, bytes], said: str) -> None:
    path = zip_of(tmp_path, files)
    with pytest.raises(DeckError, match=said) as refused:
        archive.unpack(path, tmp_path / "new")
    assert "\n" not in str(refused.value)
    assert [p.name for p in tmp_path.iterdir()] == ["deck.zip"]


def test_a_link_is_refused(tmp_path: Path) -> None:
    path = zip_of(tmp_path, GOOD)
    with zipfile.ZipFile(path, "a") as packed:
        link = zipfile.ZipInfo("faces/link.png")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        packed.writestr(link, "/etc/passwd")
    with pytest.raises(DeckError, match="is a link"):
        archive.unpack(path, tmp_path / "new")


def test_a_name_that_comes_twice_is_refused(tmp_path: Path) -> None:
    path = zip_of(tmp_path, {**GOOD, "faces/FOX.png": FOX})
    with pytest.raises(DeckError, match="in it twice"):
        archive.unpack(path, tmp_path / "new")


@pytest.mark.parametrize("data", [b"", b"not a zip", b"PK\x03\x04" + bytes(50)], ids=["empty", "text", "half"])
def test_what_is_no_zip_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "deck.zip").write_bytes(data)
    with pytest.raises(DeckError, match="not a whole zip"):
        archive.unpack(tmp_path / "deck.zip", tmp_path / "new")


def test_a_zip_whose_packed_bytes_are_damaged_is_refused(tmp_path: Path) -> None:
    whole = zip_of(tmp_path, GOOD).read_bytes()
    at = whole.index(b"faces/fox.png") + len(b"faces/fox.png") + 20
    for k in range(0, 60, 3):
        (tmp_path / "deck.zip").write_bytes(whole[: at + k] + bytes(8) + whole[at + k + 8 :])
        with pytest.raises(DeckError, match=r"deck\.zip"):
            archive.unpack(tmp_path / "deck.zip", tmp_path / "new")


def test_a_deck_is_packed_by_its_deck_toml(tmp_path: Path) -> None:
    assert archive.pack(BUILTIN / "kleine-fotosafari" / "deck.toml", tmp_path / "deck.zip") == 5


def test_a_zip_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="no such file"):
        archive.unpack(tmp_path / "deck.zip", tmp_path / "new")


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    with pytest.raises(DeckError, match="exists already"):
        archive.unpack(zip_of(tmp_path, GOOD), tmp_path / "new")
