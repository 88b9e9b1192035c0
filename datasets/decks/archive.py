"""A deck folder as one zip, and back; what comes in is checked before it is kept."""

from __future__ import annotations

import shutil
import stat
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from decks import manifest
from decks.deck import KINDS, LONG_SIDE_PX, examine, pictures_in
from decks.error import DeckError
from decks.picture import MAX_FILE_BYTES, SUFFIXES, size_px

MOST_FILES = 4_000
MOST_BYTES = 400_000_000  # unpacked
MOST_PIXELS = 1_000_000_000  # to decode: some ten seconds
MOST_KEPT_PIXELS = 150_000_000  # once each is as small as it is kept: 450 MB
_DATE = (2020, 1, 1, 0, 0, 0)  # the same deck makes the same zip
_CHUNK = 1 << 16


def pack(folder: Path, target: Path) -> int:
    """Write the deck in `folder` as a zip; return how many pictures it holds. DeckError where the deck is not whole."""
    folder = folder.parent if folder.name == manifest.FILE_NAME else folder
    _, faults = examine(folder)
    if faults:
        raise DeckError(faults[0])
    paths = [path for kind in KINDS for path in pictures_in(folder / kind)]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in (folder / manifest.FILE_NAME, *paths):
            name = path.relative_to(folder).as_posix()
            archive.writestr(zipfile.ZipInfo(name, _DATE), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return len(paths)


def unpack(source: Path, folder: Path) -> int:
    """Unpack a deck's zip into the new folder `folder`; return how many pictures it holds.

    DeckError, one line, where the zip holds anything but a whole deck; nothing is kept then.
    """
    if folder.exists():
        raise DeckError(f"{folder}: exists already: name a new folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        with (
            zipfile.ZipFile(source) as archive,
            tempfile.TemporaryDirectory(dir=folder.parent, prefix=".deck-") as beside,
        ):
            held = Path(beside) / "deck"
            _extract(archive, held, source)
            _check_pixels([path for kind in KINDS for path in pictures_in(held / kind)], source)
            _, faults = examine(held)
            if faults:
                raise DeckError(f"{source}: {faults[0].replace(str(held) + '/', '').removeprefix(str(held) + ': ')}")
            shutil.move(held, folder)
    except DeckError:
        raise
    except FileNotFoundError as error:
        raise DeckError(f"{source}: there is no such file") from error
    except Exception as error:  # zipfile and what unpacks for it raise many kinds; each means the same here
        why = (str(error).splitlines() or [type(error).__name__])[0]
        raise DeckError(f"{source}: not a whole zip of a deck ({why}): export it again") from error
    return sum(len(pictures_in(folder / kind)) for kind in KINDS)


def _extract(archive: zipfile.ZipFile, folder: Path, source: Path) -> None:
    """Write the members below `folder`, each checked, none larger than it may be."""
    left = MOST_BYTES
    for member, place in _members(archive, source):
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        room = min(left, manifest.MAX_FILE_BYTES if place.name == manifest.FILE_NAME else MAX_FILE_BYTES)
        with archive.open(member) as packed, target.open("xb") as out:
            while chunk := packed.read(_CHUNK):
                room -= len(chunk)
                left -= len(chunk)
                if room < 0:
                    raise DeckError(
                        f"{source}: {member.filename[:80]!a} unpacks to more than a picture of a face may take"
                    )
                out.write(chunk)


def _check_pixels(paths: list[Path], source: Path) -> None:
    """Refuse pictures that are small as files, and more than a deck needs once they are decoded."""
    sizes = [size_px(path) for path in paths]
    whole = sum(width * height for width, height in sizes)
    kept = sum(w * h * min(1.0, LONG_SIDE_PX / max(w, h, 1)) ** 2 for w, h in sizes)
    told = "megapixels of pictures, at most"
    if whole > MOST_PIXELS:
        raise DeckError(f"{source}: {whole // 10**6:,} {told} {MOST_PIXELS // 10**6:,}: save them smaller")
    if kept > MOST_KEPT_PIXELS:
        raise DeckError(f"{source}: {kept / 1e6:,.0f} {told} {MOST_KEPT_PIXELS // 10**6}: leave those that differ most")


def _members(archive: zipfile.ZipFile, source: Path) -> Iterator[tuple[zipfile.ZipInfo, PurePosixPath]]:
    """Yield the files of a deck and where each belongs; DeckError where a name leads elsewhere."""
    members = [member for member in archive.infolist() if not member.is_dir()]
    if len(members) > MOST_FILES:
        raise DeckError(f"{source}: {len(members)} files, at most {MOST_FILES}: is it a deck?")
    roots = {member.filename.rpartition(manifest.FILE_NAME)[0] for member in members if _is_manifest(member.filename)}
    if len(roots) != 1:
        raise DeckError(f"{source}: holds {len(roots)} decks, expected one deck.toml: export a deck folder")
    (root,) = roots
    seen: set[str] = set()
    for member in members:
        place = PurePosixPath(member.filename.removeprefix(root))
        if fault := _misplaced(member, place, root):
            raise DeckError(f"{source}: {member.filename[:80]!a} {fault}")
        if str(place).casefold() in seen:
            raise DeckError(f"{source}: {member.filename[:80]!a} is in it twice")
        seen.add(str(place).casefold())
        yield member, place


def _is_manifest(name: str) -> bool:
    return PurePosixPath(name).name == manifest.FILE_NAME and name.count("/") <= 1


def _misplaced(member: zipfile.ZipInfo, place: PurePosixPath, root: str) -> str | None:
    """Say why a member cannot belong to a deck, or return None."""
    name = member.filename
    if name.startswith(("/", "\\")) or "\\" in name or ":" in name or ".." in PurePosixPath(name).parts:
        return "leads out of the folder: the zip is not safe"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "is a link: the zip is not safe"
    if not name.startswith(root):
        return "lies outside the deck's folder"
    if str(place) == manifest.FILE_NAME:
        return None
    if len(place.parts) != 2 or place.parts[0] not in KINDS or place.suffix.lower() not in SUFFIXES:
        return f"is no part of a deck: deck.toml and pictures in {', '.join(KINDS)}"
    return None
