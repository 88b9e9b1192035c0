"""What `deck.toml` says: the rules' part of a deck, its sizes and its colours. No pictures."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar, get_args

from decks import entries
from decks.colour import is_colour
from decks.entries import normal as normal
from decks.error import DeckError
from decks.section import Section
from scoring.edition import (
    DEFAULT_MARKERS,
    Edition,
    Game,
    Option,
)

FILE_NAME = "deck.toml"
MAX_FILE_BYTES = 1_000_000  # a deck of thousands of faces stays below it
GAMES: tuple[Game, ...] = get_args(Game)
THICKNESS_MM: dict[Game, float] = {"paper-safari": 0.35, "kleine-fotosafari": 1.5, "string-safari": 2.0, "any": 0.35}
DEFAULT_SIZE_MM = (63.0, 88.0)  # a deck of faces alone may leave its size out
DEFAULT_STRINGS = {"field": "dark brown", "research": "gray"}
LEAST_MM, MOST_MM = 10.0, 400.0  # a coin to a play mat

Value = TypeVar("Value")


@dataclass(frozen=True)
class Manifest:
    """A deck.toml, read and found right."""

    edition: Edition
    thickness_mm: float
    marker_colours: MappingProxyType[str, str]
    string_colours: MappingProxyType[str, str]
    string_width_mm: float | None


def read(folder: Path) -> tuple[Manifest | None, tuple[str, ...]]:
    """Read `folder`'s deck.toml and list every fault, a line each; None where there is any."""
    path = folder / FILE_NAME
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            return None, (f"{path}: {path.stat().st_size:,} bytes, at most {MAX_FILE_BYTES:,}: is it a deck.toml?",)
        return parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None, (f"{path}: there is no such file: start a deck with `safari-table deck new DIR --game GAME`",)
    except OSError as error:
        return None, (f"{path}: cannot be read ({error.strerror}): name a deck folder",)
    except UnicodeDecodeError:
        return None, (f"{path}: not a text in UTF-8: save it so",)
    except ValueError:
        return None, (f"{str(path)!r}: can be no file's name: name a deck folder",)


def parse(text: str) -> tuple[Manifest | None, tuple[str, ...]]:
    """Parse a deck.toml's text and list every fault, a line each; None where there is any."""
    faults: list[str] = []
    try:
        top = Section("", tomllib.loads(text), faults)
    except (ValueError, RecursionError) as error:  # also of a number with thousands of digits
        return None, (f"deck.toml: not TOML ({str(error).splitlines()[0]}): correct that place",)
    if "game" not in top:
        top.fault(f"game is missing: write one of {', '.join(GAMES)}")
    game = next((g for g in GAMES if g == top.choice("game", GAMES)), None)
    if game is None:
        return None, tuple(faults)
    manifest = _manifest(top, game)
    return (None, tuple(faults)) if faults else (manifest, ())


def _manifest(top: Section, game: Game) -> Manifest:
    """Read all but the game; faults are noted in `top`."""
    name = top.text("name") or "deck"
    size_mm = _size(top, game)
    thickness_mm = _thickness(top, game)
    faces = _entries(top, "faces", lambda label, section: entries.face(label, section, game))
    stringy = game in ("string-safari", "any")
    research = _entries(top, "research", entries.research) if stringy else {}
    pictured = game in ("kleine-fotosafari", "any")
    photos = _entries(top, "photos", lambda _, s: entries.photo(s, faces)) if pictured else {}
    coins = _entries(top, "coins", lambda _, s: entries.coin(s)) if stringy else {}
    markers = _colours(top, "markers") if stringy else {}
    strings, width_mm = _strings(top) if stringy else ({}, None)
    if game == "string-safari":
        markers = markers or {label: label for label in DEFAULT_MARKERS}
        strings = {**DEFAULT_STRINGS, **strings}
    options = _options(top)
    top.unknown()
    if not faces and game != "any":
        top.fault('names no face: add [faces."…"] entries, or photograph them with `safari-table deck enrol`')
    edition = Edition(
        game=game,
        name=name,
        size_mm=size_mm,
        faces=MappingProxyType(faces),
        research=MappingProxyType(research),
        photos=MappingProxyType(photos),
        coins=MappingProxyType(coins),
        markers=tuple(markers) or DEFAULT_MARKERS,
        options=MappingProxyType(options),
    )
    return Manifest(edition, thickness_mm, MappingProxyType(markers), MappingProxyType(strings), width_mm)


def _thickness(top: Section, game: Game) -> float:
    given = top.number("thickness_mm", 0.0, 20.0)
    return THICKNESS_MM[game] if given is None else given


def label_fault(label: str) -> str | None:
    """Say why `label` cannot be a face's name, or return None."""
    if not label or not label.isprintable() or label != label.strip():
        return "must be plain text with no space at its ends"
    if any(sign in label for sign in '/\\:*?"<>|') or label.startswith(".") or label.endswith("."):
        return 'names a file, so it cannot hold / \\ : * ? " < > | nor begin or end with a dot'
    if len(label.encode()) > 200:
        return "is longer than a file's name can be: shorten it"
    return None


def _size(top: Section, game: Game) -> tuple[float, float]:
    """Return the pieces' width and height in mm."""
    own, other = ("tile_mm", "card_mm") if game == "string-safari" else ("card_mm", "tile_mm")
    key = other if other in top and own not in top and game == "any" else own
    size_mm = top.pair(key, LEAST_MM, MOST_MM)
    if key in top:
        return size_mm or DEFAULT_SIZE_MM
    if game != "any":
        top.fault(f"{key} is missing: measure a piece and write {key} = [width, height] in mm")
    return DEFAULT_SIZE_MM


def _entries(top: Section, key: str, read_one: Callable[[str, Section], Value | None]) -> dict[str, Value]:
    """Read each sub-table of the table `key`; those with faults are left out."""
    table = top.raw(key)
    if table is None:
        return {}
    section, read_all = Section(f"[{key}]", table, top.faults), {}
    for written in section.keys:
        label = normal(written)
        one = Section(
            f'[{key}."{label}"]' if label.isprintable() else f"[{key}.{label!r}]", section.raw(written), top.faults
        )
        fault = label_fault(label) or ("is written twice" if label in read_all else None)
        if fault:
            one.fault(fault)
            continue
        value = read_one(label, one)
        one.unknown()
        if value is not None:
            read_all[label] = value
    return read_all


def _colours(top: Section, key: str) -> dict[str, str]:
    """Read a table of label = colour."""
    table = top.raw(key)
    if table is None:
        return {}
    section = Section(f"[{key}]", table, top.faults)
    colours: dict[str, str] = {}
    for label in section.keys:
        colour = section.text(label)
        if label_fault(normal(label)):
            section.fault(f'has the label "{label!a}", which {label_fault(normal(label))}')
        elif colour is not None and not is_colour(colour):
            section.fault(f'{label} = "{colour}", expected a colour name as "dark brown", or "#rrggbb"')
        elif colour is not None:
            colours[normal(label)] = colour
    return colours


def _strings(top: Section) -> tuple[dict[str, str], float | None]:
    """Read the strings' colours and their width."""
    table = top.raw("strings")
    if table is None:
        return {}, None
    section = Section("[strings]", table, top.faults)
    width_mm = section.number("width_mm", 0.3, 20.0)
    colours = {key: value for key, value in table.items() if key != "width_mm"} if isinstance(table, dict) else {}
    return _colours(Section("", {"strings": colours}, top.faults), "strings"), width_mm


def _options(top: Section) -> dict[str, Option]:
    """Read the house rules; what each means is the rules' own affair."""
    table = top.raw("options")
    if table is None:
        return {}
    section = Section("[options]", table, top.faults)
    options: dict[str, Option] = {}
    for key in section.keys:
        value = section.raw(key)
        if isinstance(value, str | int | float | bool):
            options[key] = value
        else:
            section.fault(f"{key} = {value!r}, expected a text, a number, true or false")
    return options


@dataclass(frozen=True)
class Outline:
    """What a deck.toml that is still being written says already."""

    game: Game
    size_mm: tuple[float, float]
    thickness_mm: float


def outline(text: str) -> Outline:
    """Read game, size and thickness alone; DeckError where they are not there."""
    faults: list[str] = []
    try:
        top = Section("", tomllib.loads(text), faults)
    except (ValueError, RecursionError) as error:
        raise DeckError(f"deck.toml: not TOML ({str(error).splitlines()[0]}): correct that place") from error
    game = next((g for g in GAMES if g == top.choice("game", GAMES)), None)
    size_mm = _size(top, game or "any")
    thickness_mm = top.number("thickness_mm", 0.0, 20.0)
    if game is None or faults:
        raise DeckError((*faults, f"deck.toml: game is missing: write one of {', '.join(GAMES)}")[0])
    return Outline(game, size_mm, THICKNESS_MM[game] if thickness_mm is None else thickness_mm)
