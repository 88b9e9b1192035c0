"""Random tables of Paper Safari, scored a second time by plain code that shares nothing with the product's."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest

from scoring.options import Options
from scoring.referee import judge
from scoring.table import BACK, Table
from tests.scoring.boxes import PAPER, VALUES
from tests.scoring.paper_tables import Habits, table

Six = list[str]
"""A player's cards, row by row."""
Score = tuple[int, list[int]]
"""What shows, and the values from the highest down."""


def _counted(six: Six, cancels: bool) -> Score:
    """Try every neighbour for every Safari; keep the lowest sum, then the best in a tie."""
    wild = [i for i in range(6) if six[i] == "safari"]
    tried = []
    for steps in product((-1, 1), repeat=len(wild)):
        way = dict(zip(wild, steps, strict=True))
        values = {i: v for i in range(6) if (v := _followed(i, six, way)) is not None}
        total = 0
        for column in range(3):
            top, bottom = values.get(column), values.get(column + 3)
            if top is None or top != bottom or (top < 0 and not cancels):
                total += (top or 0) + (bottom or 0)
        tried.append((-len(values), total, [-v for v in sorted(values.values(), reverse=True)]))
    _, total, ranks = min(tried)
    return total, [-v for v in ranks]


def _followed(i: int, six: Six, way: dict[int, int]) -> int | None:
    seen = set()
    while i in way:
        if i in seen or not 0 <= i % 3 + way[i] <= 2:
            return None
        seen.add(i)
        i += way[i]
    return VALUES.get(six[i])


def _random_table(rng: random.Random) -> tuple[Table, list[list[int | None]]]:
    """Few kinds of cards, so that columns cancel and players tie."""
    laid, truth = table(rng, rng.randint(1, 4), Habits(face_up=rng.choice([0.8, 1.0, 1.0])))
    kinds = rng.sample(sorted(VALUES), rng.choice([1, 3, 5, 12]))
    pieces = [p if p.label in (None, BACK) else replace(p, label=rng.choice(kinds)) for p in laid.pieces]
    shown = [k for k, p in enumerate(pieces) if p.label != BACK]
    for k in rng.sample(shown, rng.randint(0, 2)):
        pieces[k] = replace(pieces[k], label="safari")
    return Table(tuple(pieces)), truth


def _winners(hands: list[Six], scores: list[Score]) -> set[int]:
    if any(BACK in hand for hand in hands):
        return set()
    low = min(total for total, _ in scores)
    most = max(ranks for total, ranks in scores if total == low)
    return {k for k, score in enumerate(scores) if score == (low, most)}


def _second_scores(laid: Table, truth: list[list[int | None]], cancels: bool) -> tuple[list[Six], list[Score]]:
    labels = {p.id: str(p.label) for p in laid.pieces}
    hands = [[labels[i] for i in ids if i is not None] for ids in truth]
    return hands, [_counted(hand, cancels) for hand in hands]


@pytest.mark.parametrize("seed", range(120))
def test_a_second_scorer_agrees(seed: int) -> None:
    rng = random.Random(seed)
    laid, truth = _random_table(rng)
    cancels = rng.random() < 0.8
    answer = judge(laid, PAPER, Options(house={"equal_columns_cancel_negatives": cancels}))
    sheet = answer.sheet.to_json()
    hands, scores = _second_scores(laid, truth, cancels)
    seat_of = {frozenset(i for row in p["pieces"] for i in row): p for p in sheet["players"]}
    assert set(seat_of) == {frozenset(ids) for ids in truth}
    for ids, hand, (total, _) in zip(truth, hands, scores, strict=True):
        player = seat_of[frozenset(ids)]
        assert (player["visible_total"], player["total"]) == (total, None if BACK in hand else total)
        assert sum(line["points"] for line in player["lines"]) == total
    won = {frozenset(i for row in sheet["players"][seat]["pieces"] for i in row) for seat in sheet["winners"]}
    assert won == {frozenset(truth[k]) for k in _winners(hands, scores)}


def test_random_tables_are_of_all_kinds() -> None:
    found = set()
    for seed in range(120):
        hands, scores = _second_scores(*_random_table(random.Random(seed)), True)
        low = [total for total, _ in scores].count(min(total for total, _ in scores))
        found |= {("safari", any("safari" in h for h in hands)), ("winners", min(len(_winners(hands, scores)), 2))}
        found |= {("tied", low > 1)}
    assert found == {("safari", True), ("safari", False), ("tied", True), ("tied", False),
                     *(("winners", n) for n in range(3))}  # fmt: skip
