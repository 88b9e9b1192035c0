"""A deck.toml's text, begun and added to; what a person wrote in it stays as it is."""

from __future__ import annotations

import re
import tomllib

from decks.error import DeckError
from decks.manifest import DEFAULT_STRINGS
from scoring.edition import DEFAULT_MARKERS, Game

SIZES_MM: dict[Game, tuple[float, float]] = {
    "paper-safari": (63, 88),
    "kleine-fotosafari": (60, 60),
    "string-safari": (40, 40),
    "any": (63, 88),
}
_ANIMAL = """\
food = "…"        # as the tile shows: carnivore, herbivore, omnivore
family = "…"      # cat, dog, cow, ape, special
activity = "…"    # night, day, evening
points = …        # a land tile has instead of these four one line: land = "bushes" (or grasslands, forest, …)
"""
_KEYS: dict[tuple[Game, str], str] = {
    ("paper-safari", "faces"): "value = …         # as printed; or: copies_neighbour = true\ncount = 4\n",
    ("kleine-fotosafari", "faces"): "count = 1         # how many of it the box holds\n",
    ("string-safari", "faces"): _ANIMAL,
    (
        "string-safari",
        "research",
    ): 'target = "…"      # as "carnivore:3"\npoints = …        # condition = "rocky" or "edge" where it has one\n',
    ("string-safari", "coins"): "worth = …\n",
}
"""What a person still has to fill in: a "…" is no value, so `deck check` asks for it."""


def begun(game: Game, name: str, size_mm: tuple[float, float] | None) -> str:
    """Return the text of a new deck.toml."""
    width_mm, height_mm = size_mm or SIZES_MM[game]
    key = "tile_mm" if game == "string-safari" else "card_mm"
    lines = [
        f'game = "{game}"',
        f"name = {quoted(name)}",
        f"{key} = [{width_mm:g}, {height_mm:g}]   # width and height of one piece, measured",
    ]
    if game == "string-safari":
        lines += ["", "[markers]", *(f'{quoted(label)} = "{label}"' for label in DEFAULT_MARKERS)]
        lines += ["", "[strings]", *(f'{name} = "{colour}"' for name, colour in DEFAULT_STRINGS.items())]
    return "\n".join(lines) + "\n"


def with_entries(text: str, game: Game, kind: str, labels: tuple[str, ...]) -> str:
    """Return the text with an entry for each label of `kind` (faces, research, coins) that has none."""
    known = readable(text).get(kind, {})
    fresh = [label for label in dict.fromkeys(labels) if label not in known]
    keys = _KEYS.get((game, kind), "")
    keys = "".join(f"# {line}\n" if "…" in line else f"{line}\n" for line in keys.splitlines())
    return text.rstrip("\n") + "\n" + "".join(f"\n[{kind}.{quoted(label)}]\n{keys}" for label in fresh)


def with_photo(text: str, name: str, sequence: tuple[str, ...]) -> str:
    """Return the text with a photo card's entry."""
    if name in readable(text).get("photos", {}):
        return text
    animals = ", ".join(quoted(label) for label in sequence)
    return text.rstrip("\n") + f"\n\n[photos.{quoted(name)}]\nsequence = [{animals}]\n"


def with_colour(text: str, table: str, label: str, colour: str) -> str:
    """Return the text with `label = "colour"` in the table [markers] or [strings], replaced or added."""
    line = f'{quoted(label)} = "{colour}"'
    header = re.search(rf"^\s*\[{table}\][^\n]*$", text, re.MULTILINE)
    if header is None:
        return text.rstrip("\n") + f"\n\n[{table}]\n{line}\n"
    end = re.search(r"^\s*\[", text[header.end() :], re.MULTILINE)
    stop = header.end() + end.start() if end else len(text)
    body = text[header.end() : stop]
    own = re.compile(
        rf'^[ \t]*("{re.escape(label)}"|\'{re.escape(label)}\'|{re.escape(label)})\s*=[^\n]*$', re.MULTILINE
    )
    body = own.sub(lambda _: line, body, count=1) if own.search(body) else f"\n{line}{body}"
    changed = text[: header.end()] + body + text[stop:]
    if readable(changed).get(table, {}).get(label) != colour:
        raise DeckError(f"deck.toml: [{table}] cannot be changed safely: write {line} into it by hand")
    return changed


def readable(text: str) -> dict[str, dict[str, object]]:
    """Return the tables of a deck.toml's text; DeckError where it is no TOML."""
    try:
        read = tomllib.loads(text)
    except ValueError as error:
        raise DeckError(f"deck.toml: not TOML ({str(error).splitlines()[0]}): correct that place") from error
    return {key: value for key, value in read.items() if isinstance(value, dict)}


def quoted(text: str) -> str:
    """Return `text` as a TOML string."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
