"""Where decks are, and what the rules need of one: its deck.toml alone, no pictures, so that it is read in no time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from decks import manifest
from decks.error import DeckError
from scoring.edition import GAMES, Edition

BUILTIN = Path(__file__).parent / "builtin"
SHOWN = 200
"""How many characters of a name that is no deck's a message shows."""
DEFAULTS: dict[str, str] = {game: game for game in GAMES}


def builtin_names() -> tuple[str, ...]:
    """Return the names of the decks that come with the program."""
    return tuple(sorted(path.parent.name for path in BUILTIN.glob(f"*/{manifest.FILE_NAME}")))


def located(name_or_folder: str | None, game: str) -> Path:
    """Return the folder that is meant, by its path, a built-in name or its title; DeckError where there is none."""
    name = DEFAULTS.get(game) if name_or_folder is None else name_or_folder
    known = ", ".join(builtin_names())
    if name is None:
        raise DeckError(f'no deck is built in for "{game}": name a deck folder, or one of {known}')
    if name in builtin_names():
        return BUILTIN / name
    folder = _titled(name) or Path(name)
    try:
        folder = folder.expanduser()
        found = folder.name == manifest.FILE_NAME or folder.is_dir()
    except (OSError, RuntimeError):  # a name too long for a folder's, or the home of nobody
        found = False
    if not found:
        raise DeckError(f'there is no deck "{name[:SHOWN]}": name a deck folder, or one of {known}')
    return folder.parent if folder.name == manifest.FILE_NAME else folder


def _titled(title: str) -> Path | None:
    """Return the built-in deck that calls itself so, as an answer's `deck` does."""
    folders = (BUILTIN / name for name in builtin_names())
    return next((f for f in folders if (read := manifest.read(f)[0]) and read.edition.name == title), None)


def edition_of(name_or_folder: str | None, game: str) -> Edition:
    """Read a deck's rules by a built-in name or folder; None: the game's built-in deck. DeckError."""
    folder = located(name_or_folder, game)
    read, faults = read_manifest(folder)
    if read is None:
        raise refused(folder, faults)
    return of_game(read.edition, folder, game)


def read_manifest(folder: Path) -> tuple[manifest.Manifest | None, tuple[str, ...]]:
    """Read a folder's deck.toml and list every fault with the folder's name, a line each; None where there is any."""
    read, faults = manifest.read(folder)
    return read, tuple(f"{folder}: {fault}" if fault.startswith(manifest.FILE_NAME) else fault for fault in faults)


def refused(folder: Path, faults: Sequence[str]) -> DeckError:
    """Return the error for a deck with faults: the first, and where to see the others."""
    more = f" (and {len(faults) - 1} more: see `safari-table deck check {folder}`)" if len(faults) > 1 else ""
    return DeckError(f"{faults[0]}{more}")


def of_game(edition: Edition, folder: Path, game: str) -> Edition:
    """Return a deck's rules if they are of this game; DeckError where they are of another."""
    if game not in ("any", edition.game):
        raise DeckError(f"the deck {folder} is for {edition.game}, not {game}: name a deck of that game")
    return edition
