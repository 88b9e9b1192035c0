"""Random tables, scored a second time by plain code that shares nothing with the product's."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from scoring.options import Options
from scoring.referee import judge
from scoring.table import Piece, Point, String, Table
from tests.scoring.string_cases import EDITION, box, square

Segment = tuple[Point, Point]


def _to_segment(p: Point, s: Segment) -> float:
    (ax, ay), (bx, by) = s
    length2 = (bx - ax) ** 2 + (by - ay) ** 2
    t = 0.0 if length2 == 0 else max(0.0, min(1.0, ((p[0] - ax) * (bx - ax) + (p[1] - ay) * (by - ay)) / length2))
    return math.hypot(p[0] - ax - t * (bx - ax), p[1] - ay - t * (by - ay))


def _left(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _apart(s: Segment, t: Segment) -> float:
    if _left(*s, t[0]) * _left(*s, t[1]) < 0 and _left(*t, s[0]) * _left(*t, s[1]) < 0:
        return 0.0
    return min(_to_segment(s[0], t), _to_segment(s[1], t), _to_segment(t[0], s), _to_segment(t[1], s))


def _loop(path: tuple[Point, ...]) -> list[Segment]:
    return list(zip(path, path[1:] + path[:1], strict=True))


def _inside(p: Point, path: tuple[Point, ...]) -> bool:
    odd = False
    for (ax, ay), (bx, by) in _loop(path):
        if (ay > p[1]) != (by > p[1]) and p[0] < ax + (p[1] - ay) / (by - ay) * (bx - ax):
            odd = not odd
    return odd


def _distance(a: tuple[Point, ...], b: tuple[Point, ...]) -> float:
    """Distance of two outlines; 0 where one holds the other's first corner, or they cross."""
    return min(_apart(s, t) for s in _loop(a) for t in _loop(b))


def second_score(table: Table, player: str, category: str, each: int, condition: str | None) -> dict[str, Any]:
    research, field = table.strings[1], table.strings[0]
    tiles = [p for p in table.pieces if p.kind == "tile"]
    marks = {p.on: p.label for p in table.pieces if p.kind == "marker"}
    margin = {t.id: _distance(t.outline_mm, research.path_mm) - research.width_mm / 2 for t in tiles}
    touching = [t.id for t in tiles if margin[t.id] <= 0]
    enclosed = [t for t in tiles if t.id not in touching and _inside(t.outline_mm[0], research.path_mm)]
    edge = _distance(research.path_mm, field.path_mm) <= (research.width_mm + field.width_mm) / 2
    answer: dict[str, Any] = {"enclosed": [t.id for t in enclosed], "touching": touching, "touches_field": edge}
    answer["legal"] = not touching
    faces = [(EDITION.faces[str(t.label)], marks.get(t.id, player) != player) for t in enclosed]
    points = 0
    for face, foreign in faces:
        traits = (face.food, face.family, face.activity)
        if face.food and not foreign and category != "families" and (category == "all" or category in traits):
            points += each
    if category == "families":
        points += each * len({face.family for face, foreign in faces if face.food and not foreign})
    foods = {face.food for face, _ in faces}
    lands = [face.land for face, foreign in faces if face.land and not foreign]
    points += 2 * sum(
        lands.count(land)
        for land, food in zip(("bushes", "grasslands", "forest"), ("carnivore", "herbivore", "omnivore"), strict=True)
        if food in foods
    )
    points += 2 * lands.count("water-hole") + lands.count("footprints")
    if (condition == "rocky" and all(face.land != "rocky-area" for face, _ in faces)) or (
        condition == "edge" and not edge
    ):
        points = 0
    answer["points"] = None if touching else points
    answer["margins"] = margin
    return answer


def random_table(rng: random.Random) -> Table:
    n, r = 60, [rng.uniform(110, 150)]
    r = [r[0] + 25 * math.sin(3 * k / n * math.tau + rng.random()) * rng.uniform(0.5, 1) for k in range(n)]
    path = tuple((r[k] * math.cos(k / n * math.tau), r[k] * math.sin(k / n * math.tau)) for k in range(n))
    spots = [(x, y) for x in range(-240, 241, 60) for y in range(-240, 241, 60)]
    labels = [label for label, face in EDITION.faces.items() for _ in range(face.count)]
    rng.shuffle(labels)
    drop = rng.random() < 0.6  # most tables without a tile near the string, so that legal ones are common too
    pieces: list[Piece] = []
    for label, (x, y) in zip(labels, rng.sample(spots, len(labels)), strict=True):
        at = (x + rng.uniform(-5, 5), y + rng.uniform(-5, 5))
        if drop and min(math.dist(at, p) for p in path) < 40:
            continue
        pieces.append(Piece(len(pieces), "tile", label, square(*at, turn_deg=rng.uniform(0, 360))))
    for k, t in enumerate(rng.sample(pieces, 4)):
        pieces.append(Piece(100 + k, "marker", rng.choice(["red", "blue"]), square(*t.centre_mm, 9.0), on=t.id))
    half = rng.choice([300.0, max(-x for x, _ in path)])
    return Table(
        tuple(pieces), (String("field", True, box(-half, -300, 300, 300), 3.2), String("research", True, path, 2.6))
    )


@pytest.mark.parametrize("seed", range(60))
def test_a_second_scorer_agrees(seed: int) -> None:
    rng = random.Random(seed)
    table = random_table(rng)
    category = rng.choice(["carnivore", "cat", "special", "night", "day", "all", "families"])
    condition = rng.choice([None, "rocky", "edge"])
    each = rng.randint(1, 3)
    options = {"turn": "red", "target": f"{category}:{each}", "condition": condition}
    answer = judge(table, EDITION, Options.parse(options, EDITION))
    sheet = dict(answer.sheet.to_json())
    second = second_score(table, "red", category, each, condition)
    margins = {int(i): mm for i, mm in sheet["margins_mm"].items()}
    assert margins == pytest.approx(second.pop("margins"), abs=0.001)
    assert {**{k: sheet[k] for k in second if k != "points"}, "points": sheet["turn"]["points"]} == second


def test_random_tables_are_of_all_kinds() -> None:
    kinds = set()
    for seed in range(60):
        rng = random.Random(seed)
        second = second_score(random_table(rng), "red", "all", 1, None)
        kinds.add((second["legal"], bool(second["points"]), second["touches_field"]))
    assert {k[0] for k in kinds} == {True, False}
    assert {k[1:] for k in kinds if k[0]} >= {(True, True), (True, False)}
