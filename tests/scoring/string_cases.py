"""String Safari tables for tests, built from words: what lies inside the research string, outside it, or touches it."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from scoring.edition import Edition, Face, ResearchTile
from scoring.table import BACK, Piece, Point, String, Table

TILE_MM = 40.0
STEP_MM = 60.0
WIDTH_MM = 3.0

_ANIMALS = {
    "lion": ("carnivore", "cat", "night", 3),
    "tiger": ("carnivore", "cat", "night", 3),
    "hyena": ("carnivore", "special", "night", 2),
    "fox": ("omnivore", "dog", "evening", 2),
    "dog": ("omnivore", "dog", "day", 1),
    "cow": ("herbivore", "cow", "day", 1),
    "ox": ("herbivore", "cow", "day", 1),
    "gorilla": ("herbivore", "ape", "day", 3),
    "elephant": ("herbivore", "special", "day", 3),
    "zebra": ("herbivore", "special", "day", 2),
    "boar": ("omnivore", "special", "evening", 1),
    "bat": ("omnivore", "special", "night", 1),
    "crocodile": ("carnivore", "special", "evening", 3),
    "otter": ("carnivore", "special", "day", 1),
    "camel": ("herbivore", "cow", "day", 1),
    "monkey": ("omnivore", "ape", "day", 2),
    "owl": ("carnivore", "special", "night", 2),
}
_LANDS = {"bushes": 1, "grasslands": 1, "forest": 1, "water-hole": 1, "footprints": 1, "rocky-area": 2}

EDITION = Edition(
    game="string-safari",
    name="test",
    size_mm=(TILE_MM, TILE_MM),
    faces={
        **{a: Face(a, food=f, family=y, activity=t, points=p) for a, (f, y, t, p) in _ANIMALS.items()},
        **{land: Face(land, count=n, land=land) for land, n in _LANDS.items()},
    },
    research={
        "carnivore-3": ResearchTile("carnivore-3", "carnivore:3", 2, "edge"),
        "all-1": ResearchTile("all-1", "all:1", 1),
        "cat-2": ResearchTile("cat-2", "cat:2", 4, count=2),
    },
    coins={"one": 1, "two": 2, "five": 5, "ten": 10},
)


def golden(name: str) -> dict[str, Any]:
    """Return a golden file of String Safari's."""
    path = Path(__file__).parents[1] / "golden" / "string-safari" / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def assert_as_wanted(found: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Assert that what was found is what a golden case expects; a placement that is not legal has no points."""
    wanted = dict(expected)
    if wanted.get("legal") is False:
        wanted["points"] = None
    assert {key: found[key] for key in wanted} == wanted


def assert_named_once(cases: Sequence[Mapping[str, Any]]) -> None:
    """Assert that no two golden cases name the same place of the rulebook."""
    places = [case["place"] for case in cases]
    assert sorted(set(places)) == sorted(places)


def square(x: float, y: float, side: float = TILE_MM, turn_deg: float = 0.0) -> tuple[Point, ...]:
    """Return a square's corners from its top-left on, clockwise."""
    c, s, h = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg)), side / 2
    return tuple((x + c * u - s * v, y + s * u + c * v) for u, v in ((-h, h), (h, h), (h, -h), (-h, -h)))


def box(x0: float, y0: float, x1: float, y1: float, step: float = 20.0) -> tuple[Point, ...]:
    """Return a rectangle's outline as a dense path, counter-clockwise."""
    corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    path: list[Point] = []
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        n = max(1, math.ceil(math.dist((ax, ay), (bx, by)) / step))
        path += [(ax + (bx - ax) * k / n, ay + (by - ay) * k / n) for k in range(n)]
    return tuple(path)


def tile(i: int, label: str | None, x: float, y: float, **more: Any) -> Piece:
    """Return a tile that lies straight."""
    return Piece(i, "tile", label, square(x, y), **more)


def laid(
    inside: Sequence[str | None] = (),
    outside: Sequence[str | None] = (),
    touching: Sequence[str | None] = (),
    marks: Mapping[str, str] | None = None,
    edge: bool = False,
    string: bool = True,
) -> Table:
    """Lay tiles in rows, ids from 0 on in the order given, the research string around those inside.

    `marks`: tile → whose marker lies on it, several joined by "+". `edge`: the two strings touch.
    """
    n = max(len(inside), 1)
    right = (n - 1) * STEP_MM + 35.0
    spots = [(k * STEP_MM, 0.0) for k in range(len(inside))]
    spots += [(k * STEP_MM, 100.0) for k in range(len(outside))]
    spots += [(k * STEP_MM, -35.0 - TILE_MM / 2) for k in range(len(touching))]
    labels = [*inside, *outside, *touching]
    pieces = [tile(i, label, *spot) for i, (label, spot) in enumerate(zip(labels, spots, strict=True))]
    owners = [(labels.index(on), who) for on, several in (marks or {}).items() for who in several.split("+")]
    for k, (on, who) in enumerate(owners):
        pieces.append(Piece(100 + k, "marker", who, square(*spots[on], 9.0), on=on))
    far = max(right, len(outside) * STEP_MM) + 100.0
    strings = [String("field", True, box(-35.0 if edge else -100.0, -150.0, far, 200.0), WIDTH_MM)]
    if string:
        strings.append(String("research", True, box(-35.0, -35.0, right, 35.0), WIDTH_MM))
    return Table(tuple(pieces), tuple(strings))


def names(table: Table, ids: Sequence[int]) -> list[str]:
    """Return the labels of pieces."""
    return [table.piece(i).label or "?" for i in ids]


def sixteen_animals_and_the_lands(labels: Sequence[str] | None = None) -> Table:
    """Return a set-up without fault: sixteen animals and seven lands in the field."""
    faces = list(labels) if labels is not None else [*list(_ANIMALS)[:16], *_LANDS, "rocky-area"]
    pieces = tuple(tile(i, label, (i % 6) * STEP_MM, (i // 6) * STEP_MM) for i, label in enumerate(faces))
    pile = tile(90, BACK, -200.0, 0.0)
    return Table((*pieces, pile), (String("field", True, box(-60.0, -60.0, 400.0, 340.0), WIDTH_MM),))


def with_field(table: Table, field: String | None) -> Table:
    """Return a table with another field string."""
    rest = tuple(s for s in table.strings if s.name != "field")
    return replace(table, strings=rest if field is None else (field, *rest))
