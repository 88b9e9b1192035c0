"""Random tables with doubts: what is asked is a smallest set of pieces that settles the score, found by trying all."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import pytest

from scoring.edition import Edition
from scoring.options import Options
from scoring.referee import judge
from scoring.sheet import Answer
from scoring.table import BACK, Piece, Table
from tests.scoring.boxes import PAPER
from tests.scoring.paper_tables import Habits
from tests.scoring.paper_tables import table as paper_table
from tests.scoring.string_cases import EDITION, laid

TABLES = 60
Case = tuple[Table, Edition, dict[str, Any]]


def _doubtful(rng: random.Random, piece: Piece, labels: list[str]) -> Piece:
    """Two or three readings about as probable, so that all of them together are plausible."""
    others = rng.sample([label for label in dict.fromkeys(labels) if label != piece.label], rng.choice([1, 1, 2]))
    odds = [rng.uniform(0.35, 0.6) for _ in range(len(others) + 1)]
    found = zip([str(piece.label), *others], (p / sum(odds) for p in odds), strict=True)
    best, *rest = sorted(found, key=lambda each: -each[1])
    return replace(piece, label=best[0], probability=best[1], candidates=(best, *rest))


def _doubted(rng: random.Random, table: Table, ids: list[int], labels: list[str]) -> Table:
    return Table(tuple(_doubtful(rng, p, labels) if p.id in ids else p for p in table.pieces), table.strings)


def _string(rng: random.Random) -> Case:
    lying = rng.sample(sorted(EDITION.faces), 8)
    marks = dict.fromkeys(rng.sample(lying[:4], rng.choice([0, 0, 1])), "blue")
    table = _doubted(rng, laid(lying[:4], lying[4:], marks=marks), [100], ["red", "green"])
    table = _doubted(
        rng,
        table,
        rng.sample(range(8), rng.randint(2, 5)),
        [*lying[:2], *(label for label in EDITION.faces if label not in lying)],
    )
    target = rng.choice(["carnivore:3", "families:3", "all:1", "herbivore:2"])
    return table, EDITION, {"turn": "red", "target": target, "condition": rng.choice([None] * 5 + ["rocky"])}


def _paper(rng: random.Random) -> Case:
    table, _ = paper_table(rng, rng.randint(1, 2), Habits(face_up=1.0))
    shown = [p.id for p in table.pieces if p.label != BACK]
    labels = rng.sample(sorted(PAPER.faces), rng.choice([4, 13]))
    return _doubted(rng, table, rng.sample(shown, rng.randint(1, 3)), [*labels, "safari", "fox"]), PAPER, {}


def _judged(case: Case, named: dict[int, str]) -> Answer:
    table, edition, options = case
    pieces = (
        replace(p, label=named[p.id], probability=1.0, candidates=()) if p.id in named else p for p in table.pieces
    )
    return judge(replace(table, pieces=tuple(pieces)), edition, Options.parse(options, edition))


def _readings(case: Case) -> dict[tuple[str, ...], Hashable]:
    """Return what counts in each reading that the box allows."""
    table, edition, _ = case
    doubtful = [p for p in table.pieces if p.candidates]
    found = {}
    for labels in product(*([label for label, _ in p.candidates] for p in doubtful)):
        named = {p.id: label for p, label in zip(doubtful, labels, strict=True)}
        lying = Counter(named.get(p.id, str(p.label)) for p in table.pieces if p.kind != "marker")
        if all(n <= edition.faces[label].count for label, n in lying.items() if label in edition.faces):
            found[labels] = _judged(case, named).sheet.outcome()
    return found


def _settles(asked: tuple[int, ...], readings: dict[tuple[str, ...], Hashable]) -> bool:
    known: dict[tuple[str, ...], Hashable] = {}
    return all(known.setdefault(tuple(r[i] for i in asked), result) == result for r, result in readings.items())


def _least(case: Case) -> tuple[int, dict[tuple[str, ...], Hashable]]:
    """Return the size of a smallest set of pieces to ask about; 0 where the box allows no reading at all."""
    readings = _readings(case)
    n = sum(bool(p.candidates) for p in case[0].pieces)
    sets = (some for size in range(n + 1) for some in combinations(range(n), size))
    return len(next(some for some in sets if _settles(some, readings))), readings


@pytest.mark.parametrize("seed", range(TABLES))
@pytest.mark.parametrize("laying", [_string, _paper])
def test_the_fewest_questions_are_asked(seed: int, laying: Any) -> None:
    case: Case = laying(random.Random(seed))
    least, readings = _least(case)
    if not readings:
        return  # the counts of the box are wrong then, and not the pieces
    asked = [q.piece for q in _judged(case, {}).questions if q.piece in {p.id for p in case[0].pieces if p.candidates}]
    assert len(asked) == least
    assert _settles(
        tuple(i for i, p in enumerate(p for p in case[0].pieces if p.candidates) if p.id in asked), readings
    )


@pytest.mark.parametrize("laying", [_string, _paper])
def test_random_tables_are_of_all_kinds(laying: Any) -> None:
    found = Counter(_least(laying(random.Random(seed)))[0] for seed in range(TABLES))
    assert set(found) >= {0, 1, 2}
    assert found[0] < TABLES / 2
