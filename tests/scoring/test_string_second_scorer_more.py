"""Random children's turns and ends of games, scored a second time by plain code."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from scoring.options import Options
from scoring.referee import judge
from scoring.table import Table
from tests.scoring.string_cases import EDITION
from tests.scoring.test_string_second_scorer import random_table, second_score

ANIMALS = {label: face for label, face in EDITION.faces.items() if face.food is not None}
TURNS, ENDS = 30, 30
MARKERS = ("red", "blue", "yellow", "green", "black")


def _sheet(table: Table, options: dict[str, Any]) -> dict[str, Any]:
    answer = judge(table, EDITION, Options.parse(options, EDITION))
    assert answer.certain
    return dict(answer.sheet.to_json())


@cache
def _childrens_turn(seed: int) -> tuple[Table, dict[str, Any], str, str]:
    """Return a table, what its string encloses, the animal placed, mostly one inside, and the animal to mark."""
    rng = random.Random(seed)
    table = random_table(rng)
    second = second_score(table, "red", "all", 1, None)
    lie = [str(p.label) for p in table.pieces if p.label in ANIMALS]
    within = [str(p.label) for p in table.pieces if p.label in ANIMALS and p.id in second["enclosed"]]
    return table, second, rng.choice((within or lie) if rng.random() < 0.8 else lie), rng.choice(lie)


def _childrens_points(table: Table, second: dict[str, Any], placed: str, marker: str) -> int | None:
    """A point for each trait that an enclosed animal has in common with the one placed, and the marked one's own."""
    inside = [str(p.label) for p in table.pieces if p.id in second["enclosed"] and p.label in ANIMALS]
    if second["touching"] or placed not in inside:
        return None
    bearing = {p.label for p in table.pieces if p.id in {m.on for m in table.pieces if m.kind == "marker"}}
    traits = [(ANIMALS[a].food, ANIMALS[a].family, ANIMALS[a].activity) for a in inside]
    own = ANIMALS[placed].food, ANIMALS[placed].family, ANIMALS[placed].activity
    points = sum(trait == mine for each in traits for trait, mine in zip(each, own, strict=True))
    return points + (ANIMALS[marker].points or 0 if marker in inside and marker not in bearing else 0)


@pytest.mark.parametrize("seed", range(TURNS))
def test_a_childrens_turn(seed: int) -> None:
    table, _, placed, marker = _childrens_turn(seed)
    sheet = _sheet(table, {"children": True, "placed": placed, "marker": marker, "turn": "red"})
    points = _childrens_points(*_childrens_turn(seed))
    assert (sheet["legal"], sheet["turn"]["points"]) == (points is not None, points)
    assert points is None or sum(line["points"] for line in sheet["turn"]["lines"]) == points


def test_childrens_turns_are_of_all_kinds() -> None:
    points = [_childrens_points(*_childrens_turn(seed)) for seed in range(TURNS)]
    without = [_childrens_points(*_childrens_turn(seed)[:3], "") for seed in range(TURNS)]
    assert None in points
    assert any(p is not None and p == w for p, w in zip(points, without, strict=True))
    assert any(p != w for p, w in zip(points, without, strict=True))


def _end(rng: random.Random) -> tuple[Table, dict[str, Any]]:
    """Return a table and the options of its end; few points, so that players tie."""
    table = random_table(rng)
    table = Table(tuple(p for p in table.pieces if p.kind != "marker" or p.label == "red" or rng.random() < 0.7))
    order = rng.sample(MARKERS, rng.randint(3, 5))
    order += [m for m in ("red", "blue") if m not in order]
    counts = [{player: rng.randint(*span) for player in order} for span in ((8, 10), (0, 2))]
    return table, {"final": True, "players": order, "coins": counts[0], "research": counts[1]}


def _totals(table: Table, options: dict[str, Any]) -> dict[str, int]:
    labels = {p.id: str(p.label) for p in table.pieces if p.kind == "tile"}
    totals = dict(options["coins"])
    for player in totals if "children" not in options else ():
        on = [labels[m.on] for m in table.pieces if m.kind == "marker" and m.label == player and m.on is not None]
        totals[player] += options["research"][player] + sum(ANIMALS[a].points or 0 for a in on if a in ANIMALS)
    return totals


@pytest.mark.parametrize("seed", range(ENDS))
def test_the_end(seed: int) -> None:
    rng = random.Random(seed)
    table, options = _end(rng)
    options |= {"children": True} if rng.random() < 0.3 else {}
    sheet, totals = _sheet(table, options), _totals(table, options)
    best = [player for player in options["players"] if totals[player] == max(totals.values())]
    assert {player: own["total"] for player, own in sheet["players"].items()} == totals
    assert sheet["winners"] == (best if "children" in options else best[-1:])
    assert all(sum(line["points"] for line in s["lines"]) == s["total"] for s in sheet["players"].values())


def test_ends_are_of_all_kinds() -> None:
    ends = [_end(random.Random(seed)) for seed in range(ENDS)]
    tied = [sum(t == max(totals.values()) for t in totals.values()) for totals in (_totals(*end) for end in ends)]
    assert set(tied) >= {1, 2}
