"""Random set-ups of String Safari, and where a turn's marker may go, judged a second time by plain code."""

from __future__ import annotations

import math
import random
from itertools import combinations
from typing import Any

import pytest

from scoring.options import Options
from scoring.referee import judge
from scoring.table import BACK, Piece, String, Table
from tests.scoring.string_cases import EDITION, TILE_MM, WIDTH_MM, box, square
from tests.scoring.test_string_second_scorer import random_table, second_score

ANIMALS = [label for label, face in EDITION.faces.items() if face.food]
LANDS = [label for label, face in EDITION.faces.items() if face.land for _ in range(face.count)]
SETUPS, TURNS = 80, 40
HALF_MM = 260.0
FINGER_MM = 15.0
ROW = ("carnivore-3", "all-1", "cat-2", "cat-2")


def _setup(seed: int) -> tuple[Table, dict[str, Any]]:
    """Lay a set-up, straight, with some faults."""
    rng = random.Random(seed)
    children = rng.random() < 0.3
    lands = [] if children and rng.random() < 0.7 else LANDS[: rng.choice([7, 7, 6, 3])]
    labels = [*rng.sample(ANIMALS, rng.choice([16, 16, 16, 15, 17])), *lands, *([BACK] if rng.random() < 0.2 else [])]
    spots = rng.sample([(x, y) for x in range(-225, 226, 75) for y in range(-225, 226, 75)], len(labels))
    shift = rng.choice([0, 0, 6, 12, 20])
    pieces = [
        Piece(i, "tile", label, square(x + rng.uniform(-shift, shift), y + rng.uniform(-shift, shift)))
        for i, (label, (x, y)) in enumerate(zip(labels, spots, strict=True))
    ]
    if rng.random() < 0.2:
        pieces[0] = Piece(0, "tile", labels[0], square(rng.choice([HALF_MM, HALF_MM + 90]), 0.0))
    pieces.append(Piece(81, "tile", BACK, square(-HALF_MM - 100, 0.0)))  # the draw pile
    if rng.random() < 0.2:
        pieces.append(Piece(90, "marker", "red", square(*pieces[3].centre_mm, 9.0)))
    row = ROW[: rng.choice([0, 0, 3, 4])]  # five would be more than this small box holds
    pieces += [Piece(100 + k, "research", label, square(-HALF_MM - 200, 60.0 * k)) for k, label in enumerate(row)]
    field = String("field", True, box(-HALF_MM, -HALF_MM, HALF_MM, HALF_MM), WIDTH_MM)
    options = {"setup": True, "children": children, "players": rng.choice([2, 3, 4, 5, 6])}
    return Table(tuple(pieces), () if rng.random() < 0.1 else (field,)), options


def _gap(a: Piece, b: Piece) -> float:
    """Return how far apart two straight tiles are."""
    return math.hypot(*(max(abs(p - q) - TILE_MM, 0.0) for p, q in zip(a.centre_mm, b.centre_mm, strict=True)))


def _faults(table: Table, options: dict[str, Any]) -> set[str]:
    """Go through the rulebook's set-up line by line."""
    tiles = [p for p in table.pieces if p.kind == "tile" and p.id != 81]
    faces = [EDITION.faces[str(t.label)] for t in tiles if t.label != BACK]
    lands, row = [f for f in faces if f.land], [p for p in table.pieces if p.kind == "research"]
    gaps = [_gap(a, b) for a, b in combinations(tiles, 2)]
    found = {"animal-count"} if len(faces) - len(lands) != 16 else set()
    found |= {"tiles-touch"} if 0.0 in gaps else set()
    found |= {"tiles-too-close"} if any(0 < gap < FINGER_MM for gap in gaps) else set()
    found |= {"marker-at-setup"} if any(p.kind == "marker" for p in table.pieces) else set()
    if options["children"]:
        found |= {"land-tile-in-children-game"} if lands else set()
        found |= {"research-in-children-game"} if row else set()
    else:
        found |= {"land-count"} if len(lands) < 7 else set()
        found |= {"research-row"} if row else set()
        found |= {"player-count"} if not 3 <= options["players"] <= 5 else set()
    if not table.strings:
        return found | {"field-string-missing"}
    reach = [max(map(abs, t.centre_mm)) for t in tiles]
    found |= {"tile-outside-field"} if any(r > HALF_MM + TILE_MM for r in reach) else set()
    edge = (TILE_MM + WIDTH_MM) / 2
    found |= {"tile-touches-field-string"} if any(abs(r - HALF_MM) <= edge for r in reach) else set()
    return found | ({"tile-face-down"} if len(faces) < len(tiles) else set())


@pytest.mark.parametrize("seed", range(SETUPS))
def test_a_second_look_at_a_set_up_agrees(seed: int) -> None:
    table, options = _setup(seed)
    answer = judge(table, EDITION, Options.parse(options, EDITION))
    assert answer.certain
    assert {p.rule for p in answer.problems} == _faults(table, options)
    rounds = 4 if options["children"] else {3: 6, 4: 5, 5: 4}.get(options["players"])
    setup = {"players": options["players"], "markers_each": rounds, "rounds": rounds}
    assert answer.sheet.to_json()["setup"] == setup


def test_random_set_ups_are_of_all_kinds() -> None:
    found = [frozenset(_faults(*_setup(seed))) for seed in range(SETUPS)]
    assert frozenset() in found
    assert len(frozenset().union(*found)) == 13


@pytest.mark.parametrize("seed", range(TURNS))
def test_a_second_look_at_where_the_marker_may_go_agrees(seed: int) -> None:
    rng = random.Random(seed)
    table, options = random_table(rng), {"turn": "red", "target": "all:1", "condition": rng.choice([None, "edge"])}
    second = second_score(table, "red", "all", 1, None)
    labels, taken = {p.id: str(p.label) for p in table.pieces}, {p.on for p in table.pieces if p.kind == "marker"}
    free = [i for i in second["enclosed"] if i not in taken and labels[i] in (*ANIMALS, "footprints")]
    turn = judge(table, EDITION, Options.parse(options, EDITION)).sheet.to_json()["turn"]
    assert turn["markable"] == (free if second["legal"] else [])


def test_turns_with_footprints_to_mark_are_among_them() -> None:
    found = set()
    for seed in range(TURNS):
        table = random_table(random.Random(seed))
        second = second_score(table, "red", "all", 1, None)
        prints = {p.id for p in table.pieces if p.label == "footprints"} & set(second["enclosed"])
        marked = {p.on for p in table.pieces if p.kind == "marker"} & prints
        found |= {(bool(prints), bool(marked))} if second["legal"] else set()
    assert found >= {(True, False), (False, False)}
