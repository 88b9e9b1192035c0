"""Paper Safari's score against a second scorer written by brute force, and its properties."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.edition import Edition, Face
from scoring.notation import parse
from scoring.options import Options
from scoring.paper_safari import PaperSheet, score
from scoring.safari_card import Choice, best, choices
from scoring.table import BACK, Table
from tests.scoring.boxes import PAPER, VALUES

LABELS = [*VALUES, "safari"]
Rows = list[list[str]]


def brute_force(rows: Rows, spared: bool = True) -> tuple[int, list[int]]:
    """Score six cards the slow way: try every pair of neighbours for every Safari, one after the other."""
    places = [(r, c) for r in range(2) for c in range(3)]
    safaris = [p for p in places if rows[p[0]][p[1]] == "safari"]
    results = []
    for steps in product((-1, 1), repeat=len(safaris)):
        worth = {p: VALUES.get(rows[p[0]][p[1]]) for p in places}
        for p in safaris:
            at, seen = p, set()
            while at in worth and at in safaris and at not in seen:
                seen.add(at)
                at = (at[0], at[1] + steps[safaris.index(at)])
            worth[p] = VALUES.get(rows[at[0]][at[1]]) if at in worth and at not in seen else None
        without = sum(v is None for v in worth.values())
        total = 0
        for c in range(3):
            top, bottom = worth[0, c], worth[1, c]
            if top is None or bottom is None or top != bottom or (top < 0 and not spared):
                total += (top or 0) + (bottom or 0)
        results.append((without, total, sorted(-v for v in worth.values() if v is not None)))
    _, total, ranks = min(results)
    return total, [-v for v in ranks]


def laid(*grids: Rows) -> Table:
    """Lay out players' cards."""
    return parse("\n".join("seat: " + " / ".join(" ".join(row) for row in rows) for rows in grids), PAPER.size_mm)


def scored(*grids: Rows, spared: bool = True) -> PaperSheet:
    return score(laid(*grids), PAPER, Options(house={"equal_columns_cancel_negatives": spared}))


rows = st.lists(st.lists(st.sampled_from([*LABELS, "safari", "fox"]), min_size=3, max_size=3), min_size=2, max_size=2)
players = st.lists(rows, min_size=1, max_size=6)


@given(players, st.booleans())
@settings(deadline=None, max_examples=150)
def test_agrees_with_the_second_scorer(grids: list[Rows], spared: bool) -> None:
    sheet = scored(*grids, spared=spared)
    want = [brute_force(g, spared) for g in grids]
    assert [p.total for p in sheet.players] == [total for total, _ in want]
    assert [list(p.ranks) for p in sheet.players] == [ranks for _, ranks in want]
    low = min(total for total, _ in want)
    most = max(ranks for total, ranks in want if total == low)
    assert list(sheet.winners) == [i for i, w in enumerate(want) if w == (low, most)]


@given(rows)
@settings(deadline=None, max_examples=60)
def test_the_total_is_the_sum_of_the_lines(grid: Rows) -> None:
    player = scored(grid).to_json()["players"][0]
    assert player["total"] == sum(line["points"] for line in player["lines"])
    assert all(line["reason"] for line in player["lines"])


@given(rows)
@settings(deadline=None, max_examples=60)
def test_a_half_turn_changes_no_total(grid: Rows) -> None:
    turned = [row[::-1] for row in grid[::-1]]
    assert scored(turned).players[0].total == scored(grid).players[0].total


@given(rows)
@settings(deadline=None, max_examples=60)
def test_the_rows_may_change_places(grid: Rows) -> None:
    assert scored(grid[::-1]).players[0].total == scored(grid).players[0].total


@given(rows)
@settings(deadline=None, max_examples=60)
def test_no_other_choice_is_lower(grid: Rows) -> None:
    printed = {(r, c): VALUES.get(label) for r, row in enumerate(grid) for c, label in enumerate(row)}
    chosen = best(printed, True)
    assert all(chosen.total <= c.total for c in choices(printed, True) if len(c.values) == len(chosen.values))


@given(players, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=40)
def test_the_order_of_the_pieces_changes_nothing(grids: list[Rows], random: object) -> None:
    table = laid(*grids)
    mixed = list(table.pieces)
    random.shuffle(mixed)  # type: ignore[attr-defined]  # hypothesis hands a random.Random
    first = score(table, PAPER, Options())
    second = score(replace(table, pieces=tuple(mixed)), PAPER, Options())
    assert first == second


@given(rows, st.integers(0, 5))
@settings(deadline=None, max_examples=60)
def test_a_card_face_down_leaves_no_total(grid: Rows, place: int) -> None:
    grid[place // 3][place % 3] = BACK
    sheet = scored(grid)
    assert sheet.players[0].total is None
    assert sheet.winners == ()
    assert sheet.result == ()
    assert sheet.players[0].visible_total == sum(line.points for line in sheet.players[0].lines)


def test_json_is_the_contract() -> None:
    got = json.loads(json.dumps(scored([["monkey", "rabbit", "giraffe"], ["mouse", "fox", "giraffe"]]).to_json()))
    assert set(got) == {"players", "winners", "result"}
    assert got["winners"] == [0]
    (player,) = got["players"]
    assert player["grid"] == [["monkey", "rabbit", "giraffe"], ["mouse", "fox", "giraffe"]]
    assert player["pieces"] == [[0, 1, 2], [3, 4, 5]]
    assert (player["seat"], player["complete"], player["total"], player["visible_total"]) == (0, True, 2, 2)
    assert set(player["lines"][0]) == {"rule", "points", "pieces", "reason"}


def test_a_missing_card_is_null() -> None:
    table = laid([["monkey", "rabbit", "giraffe"], ["mouse", "fox", "giraffe"]])
    player = score(replace(table, pieces=table.pieces[1:]), PAPER, Options()).to_json()["players"][0]
    assert player["grid"][0][0] is None
    assert player["pieces"][0][0] is None


def test_the_outcome_tells_what_counts() -> None:
    low, high = [["fox", "mouse", "rabbit"], ["monkey", "zebra", "giraffe"]], [["lion", "mouse", "rabbit"]] * 2
    assert scored(low).outcome() == (((0, True, 11),), (0,))
    assert scored(low, high).outcome() != scored(high, low).outcome()


def test_another_editions_values_and_copying_card() -> None:
    """Smoki and its like are decks: other faces, other values, another card that copies."""
    faces = {
        "cat": Face("cat", 4, -2),
        "dragon": Face("dragon", 4, 8),
        "ditto": Face("ditto", 2, copies_neighbour=True),
    }
    smoki = Edition("paper-safari", "smoki", (63, 88), faces)
    sheet = score(laid([["cat", "ditto", "dragon"], ["cat", "dragon", "dragon"]]), smoki, Options())
    assert [p.total for p in sheet.players] == [0]


def test_a_choice_of_no_cards() -> None:
    assert best({}, True) == Choice({}, {}, True)
    assert best({}, True).total == 0


@pytest.mark.skipif(sys.gettrace() is not None, reason="tracing for coverage is what would be measured")
def test_a_thousand_tables_in_well_under_a_second() -> None:
    """The least processor time of several runs: other programs on the machine only ever add to it."""
    grid = [["monkey", "safari", "giraffe"], ["mouse", "fox", "giraffe"]]
    table, times = laid(grid, grid), []
    for run in range(10):
        moved = [shifted(table, run * 20 + i) for i in range(20)]
        start = time.process_time()
        for t in moved:
            score(t, PAPER, Options())
        times.append((time.process_time() - start) / len(moved))
    assert 1000 * min(times) < 0.9


def shifted(table: Table, by_mm: float) -> Table:
    """Return a table moved along, so that nothing is remembered of it."""
    return replace(
        table,
        pieces=tuple(replace(p, outline_mm=tuple((x + by_mm, y) for x, y in p.outline_mm)) for p in table.pieces),
    )


@pytest.mark.parametrize(("near", "seats"), [((0.0, -1.0), "AB"), ((0.0, 1.0), "BA")], ids=["below", "above"])
def test_seat_0_is_nearest_the_viewer(near: tuple[float, float], seats: str) -> None:
    a, b = [["fox", "mouse", "rabbit"], ["monkey", "zebra", "giraffe"]], [["lion", "mouse", "rabbit"]] * 2
    sheet = score(laid(a, b), PAPER, Options(), near)
    assert "".join("A" if p.grid[0][0] == "fox" else "B" for p in sheet.players) == seats
