"""Decks of one's own, enrolled on the page piece by piece: lay one piece down, name it, go on; or taken in as a zip."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from decks import manifest, writing
from decks.archive import unpack
from decks.deck import DeckError, paths_by_label
from decks.library import read_manifest
from scoring.edition import Game
from service.deck_enrolling import COLOURS, Enrolling
from service.eyes import EyesError, Image

NAME = re.compile(r"[^\W_][\w -]{0,39}")  # no dots or slashes: a name is never a path
Value = str | int | bool


@dataclass(frozen=True)
class Enrolled:
    """A piece that was enrolled: its face, of a marker its colour; its faults, each with the retake that helps.

    `lacks`: what its deck still needs before it can be played with; empty where it is whole.
    """

    face: Image | None
    colour: str | None = None
    faults: tuple[str, ...] = ()
    lacks: str = ""


def take_in(own_decks: Path, name: str, packed: bytes) -> int:
    """Unpack a deck's zip, checked, as a deck of this name; return how many pictures it holds. EyesError, one line."""
    folder = _folder(own_decks, name)
    if folder.exists():
        raise EyesError(f"there is a deck called {name}: give this one another name")
    try:
        with tempfile.TemporaryDirectory() as scratch:
            source = Path(scratch) / "deck.zip"
            source.write_bytes(packed)
            return unpack(source, folder)
    except DeckError as error:
        raise EyesError(f"the zip{str(error).removeprefix(str(source))}") from None
    except OSError as error:
        raise EyesError(f"the deck {name} cannot be written ({error.strerror})") from None


def _folder(own_decks: Path, name: str) -> Path:
    if not NAME.fullmatch(name):
        raise EyesError("a deck's name has letters, digits, spaces and hyphens, 40 at most")
    return own_decks / name


def enrol_piece(
    own_decks: Path, image: Image, name: str, game: Game, kind: str, label: str, values: Mapping[str, Value]
) -> Enrolled:
    """Cut the one piece of `kind` (as `deck enrol --kind`) out of a picture and add it to a deck, begun if need be.

    `values`: what the deck says of the piece, as `value = 3`. EyesError, one line, where it cannot be done.
    """
    folder, label = _folder(own_decks, name), manifest.normal(label)
    toml = folder / manifest.FILE_NAME
    try:
        if not toml.exists():
            (folder / "faces").mkdir(parents=True, exist_ok=True)
            toml.write_text(writing.begun(game, name, None), encoding="utf-8")
        with tempfile.TemporaryDirectory() as scratch:
            shot = Path(scratch) / "piece.png"
            cv2.imwrite(str(shot), image)
            job = Enrolling(folder, kind, [label], replace=True)
            said = job.run([shot])
        entry = job.name(label)
        toml.write_text(with_values(toml.read_text(encoding="utf-8"), kind, entry, values), encoding="utf-8")
        if kind in COLOURS:
            return Enrolled(None, said[-1].rpartition(": ")[2], (), lacks(folder))
        face = cv2.imread(str(paths_by_label(folder / kind, [entry])[entry][0]), cv2.IMREAD_COLOR)
    except DeckError as error:
        raise EyesError(str(error).removeprefix("--labels: ")) from None
    except (OSError, KeyError) as error:
        raise EyesError(f"the deck {name} cannot be written ({error})") from None
    if face is None:
        raise EyesError(f"the deck {name} cannot be read again")
    return Enrolled(face.astype("uint8"), None, faults(said), lacks(folder))


def lacks(folder: Path) -> str:
    """Return the first thing that a deck needs before it can be played with, in a line; empty where it is whole."""
    _, missing = read_manifest(folder)
    return missing[0].removeprefix(f"{folder}: ").removeprefix(f"{manifest.FILE_NAME}: ") if missing else ""


def faults(said: Sequence[str]) -> tuple[str, ...]:
    """Return what enrolling one piece said of retakes, the piece's name left out: it is the one that lies there."""
    return tuple(line.partition('": ')[2] for line in said if line.startswith("retake "))


def with_values(text: str, kind: str, label: str, values: Mapping[str, Value]) -> str:
    """Return a deck's text with these values in a piece's entry, in place of what stood there."""
    head = f"[{kind}.{writing.quoted(label)}]"
    before, found, after = text.partition(head)
    if not found or not values:
        return text
    entry, next_table, rest = after.partition("\n[")
    kept = [line for line in entry.splitlines()[1:] if line.lstrip("# ").split("=")[0].strip() not in values]
    lines = [f"{key} = {_toml(value)}" for key, value in values.items()]
    return before + head + "\n" + "\n".join([*lines, *kept]).rstrip() + "\n" + next_table + rest


def _toml(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else writing.quoted(value)
