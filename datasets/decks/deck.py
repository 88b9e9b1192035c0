"""A deck: the folder that says how its pieces look and what they are worth."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import cv2
import numpy as np

from decks import manifest
from decks.colour import is_colour
from decks.error import DeckError as DeckError
from decks.library import BUILTIN as BUILTIN
from decks.library import builtin_names as builtin_names
from decks.library import located, of_game, read_manifest, refused
from decks.picture import SUFFIXES
from decks.picture import Image as Image
from decks.picture import read as read_picture
from scoring.edition import Edition, Face
from scoring.table import BACK

KINDS = ("faces", "research", "photos", "coins")
LONG_SIDE_PX = 1200  # more shows nothing that a camera over a table could
MOST_PICTURES = 3_000  # of one folder: some hundred faces, ten pictures each
_Pictures = Mapping[str, tuple[Image, ...]]
_FURTHER = re.compile(r"(.+)-(\d+)\Z")


@dataclass(frozen=True)
class Deck:
    """A deck folder, read.

    Pictures are the face edge to edge, upright; several pictures a face are further references.
    `faces` has the key "back" where the deck has a picture of it.
    """

    folder: Path
    edition: Edition
    thickness_mm: float
    faces: Mapping[str, tuple[Image, ...]]
    research: Mapping[str, tuple[Image, ...]]
    photos: Mapping[str, tuple[Image, ...]]
    coins: Mapping[str, tuple[Image, ...]]
    marker_colours: Mapping[str, str]  # label → colour name or "#rrggbb"
    string_colours: Mapping[str, str]  # string's name → colour name or "#rrggbb"
    string_width_mm: float | None


def load(folder: Path) -> Deck:
    """Read a deck folder; DeckError, one line, where it cannot be used."""
    deck, faults = examine(folder)
    if deck is None:
        raise refused(folder, faults)
    return deck


def find(name_or_folder: str | None, game: str) -> Deck:
    """Load a deck by a built-in name or folder; None: the game's built-in deck. DeckError where there is none."""
    deck = load(located(name_or_folder, game))
    of_game(deck.edition, deck.folder, game)
    return deck


def examine(folder: Path) -> tuple[Deck | None, tuple[str, ...]]:
    """Read a deck folder and list all that is wrong, a line each; None where anything is."""
    folder = folder.parent if folder.name == manifest.FILE_NAME else folder
    read, faults = read_manifest(folder)
    if read is None:
        return None, faults
    edition = _with_loose_faces(read.edition, folder)
    try:
        paths = {kind: paths_by_label(folder / kind, _labels(edition, kind)) for kind in KINDS}
    except DeckError as error:
        return None, (str(error),)
    pictures, unread = _read_all([path for kind in KINDS for several in paths[kind].values() for path in several])
    faults = (*_missing(folder, edition, paths), *unread)
    if faults:
        return None, faults
    return _deck(folder, edition, read, {kind: _grouped(paths[kind], pictures) for kind in KINDS}), ()


def _deck(folder: Path, edition: Edition, read: manifest.Manifest, images: Mapping[str, _Pictures]) -> Deck:
    return Deck(
        folder=folder,
        edition=edition,
        thickness_mm=read.thickness_mm,
        faces=images["faces"],
        research=images["research"],
        photos=images["photos"],
        coins=images["coins"],
        marker_colours=read.marker_colours,
        string_colours=read.string_colours,
        string_width_mm=read.string_width_mm,
    )


def _grouped(paths: Mapping[str, tuple[Path, ...]], pictures: Mapping[Path, Image]) -> _Pictures:
    return MappingProxyType({label: tuple(pictures[path] for path in several) for label, several in paths.items()})


def paths_by_label(folder: Path, labels: Iterable[str]) -> dict[str, tuple[Path, ...]]:
    """Return each label's pictures in `folder`: `<label>.png`, then `<label>-2.png` …; labels without are left out."""
    stems: dict[str, list[tuple[int, Path]]] = {label: [] for label in labels}
    for path in pictures_in(folder):
        stem = manifest.normal(path.stem)
        if stem in stems:
            stems[stem].append((1, path))
        elif (further := _FURTHER.match(stem)) and further[1] in stems:
            stems[further[1]].append((int(further[2]), path))
    return {label: tuple(path for _, path in sorted(paths)) for label, paths in stems.items() if paths}


def pictures_in(folder: Path) -> tuple[Path, ...]:
    """Return the picture files in `folder`, by name; none where there is no folder."""
    try:
        entries = sorted(entry.name for entry in os.scandir(folder) if entry.name.lower().endswith(SUFFIXES))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise DeckError(f"{folder}: cannot be read ({error.strerror}): it should be a folder of pictures") from error
    if len(entries) > MOST_PICTURES:
        raise DeckError(f"{folder}: {len(entries)} pictures, at most {MOST_PICTURES}: leave those that differ most")
    return tuple(folder / name for name in entries if not name.startswith("."))


def _with_loose_faces(edition: Edition, folder: Path) -> Edition:
    """Take the pictures' own names as faces where a deck of no game lists none."""
    if edition.game != "any" or edition.faces:
        return edition
    stems = [manifest.normal(path.stem) for path in pictures_in(folder / "faces")]
    firsts = [s for s in stems if not ((m := _FURTHER.match(s)) and m[1] in stems) and s != BACK]
    return dataclasses.replace(edition, faces=MappingProxyType({label: Face(label) for label in firsts}))


def _labels(edition: Edition, kind: str) -> tuple[str, ...]:
    """Return the labels that may have pictures in the folder `kind`."""
    return (*edition.faces, BACK) if kind == "faces" else tuple(getattr(edition, kind))


def _missing(folder: Path, edition: Edition, paths: Mapping[str, Mapping[str, tuple[Path, ...]]]) -> list[str]:
    """Name each face without a picture, and each coin that neither a picture nor a colour tells."""
    faults = [
        f'{folder / "faces" / label}.png: there is no picture of "{label}": '
        f"photograph it with `safari-table deck enrol {folder} IMAGE --labels {label}`"
        for label in edition.faces
        if label not in paths["faces"]
    ]
    if not edition.faces:
        faults.append(f"{folder / 'faces'}: holds no picture: photograph the faces with `safari-table deck enrol`")
    faults += [
        f'{folder / "coins" / name}.png: there is no picture of the coin "{name}": add it, or name the coin by colour'
        for name in edition.coins
        if name not in paths["coins"] and not is_colour(name)
    ]
    return faults


def _read_all(paths: list[Path]) -> tuple[dict[Path, Image], list[str]]:
    """Decode pictures side by side; return them, and a line for each that cannot be."""
    pictures: dict[Path, Image] = {}
    faults: list[str] = []
    with ThreadPoolExecutor(max_workers=2) as pool:
        for path, result in zip(paths, pool.map(_read_one, paths), strict=True):
            if isinstance(result, DeckError):
                faults.append(str(result))
            else:
                pictures[path] = result
    return pictures, faults


def _read_one(path: Path) -> Image | DeckError:
    """Read one picture, at most LONG_SIDE_PX long."""
    try:
        image = read_picture(path)
        scale = LONG_SIDE_PX / max(image.shape[:2])
        if scale >= 1:
            return image
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8)
    except DeckError as error:
        return error
