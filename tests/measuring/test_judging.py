"""A reading against the truth: each way in which an answer can be right or wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from measuring.judging import judge, paired
from measuring.truth import TruePiece, TrueTable

SQUARE = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], float)


def true(label: str, x: float, **more: Any) -> TruePiece:
    return TruePiece(more.pop("kind", "card"), label, np.add(SQUARE, (x, 0)), **more)


def read(number: int, label: str | None, x: float, kind: str = "card") -> dict[str, Any]:
    return {
        "id": number,
        "kind": kind,
        "label": label,
        "probability": 0.9,
        "corners_px": (np.add(SQUARE, (x, 0))).tolist(),
    }


def table(game: str, pieces: tuple[TruePiece, ...], answer: Any) -> TrueTable:
    return TrueTable("t", Path("t.jpg"), game, None, pieces, answer)


CARDS = tuple(true(label, 20 * k, seat=0) for k, label in enumerate(("fox", "lion", "fox", "hare", "bear", "seal")))
GRID = [["fox", "lion", "fox"], ["hare", "bear", "seal"]]
TURNED = [["seal", "bear", "hare"], ["fox", "lion", "fox"]]


def paper(grid: list[list[str]], total: int | None) -> dict[str, Any]:
    pieces = [read(k, p.label, 20 * k) for k, p in enumerate(CARDS)]
    player = {"seat": 0, "grid": grid, "pieces": [[0, 1, 2], [3, 4, 5]], "total": total}
    return {"pieces": pieces, "sheet": {"players": [player]}}


@pytest.mark.parametrize(
    ("grid", "total", "right", "scored"),
    [
        (GRID, 9, True, True),
        (TURNED, 9, True, True),
        (GRID, 8, False, False),
        ([["fox", "lion", "hare"], ["fox", "bear", "seal"]], 9, False, True),
        (GRID, None, False, False),
    ],
    ids=["right", "seen-from-behind", "total", "grid-but-not-total", "no-total"],
)
def test_a_grid_of_cards(grid: list[list[str]], total: int | None, right: bool, scored: bool) -> None:
    verdict = judge(table("paper-safari", CARDS, [{"seat": 0, "grid": GRID, "total": 9}]), paper(grid, total))
    assert (verdict.right, verdict.scored) == (right, scored)
    assert bool(verdict.why) == (not right)


def test_a_grid_too_few_is_wrong() -> None:
    truth = table("paper-safari", CARDS, [{"seat": k, "grid": GRID, "total": 9} for k in (0, 1)])
    assert not judge(truth, paper(GRID, 9)).scored


def foto(ring: list[str], valid: bool, photos: int = 1) -> dict[str, Any]:
    return {"pieces": [], "sheet": {"ring": ring, "photos": [{"sequence": ["a", "b"], "valid": valid}] * photos}}


@pytest.mark.parametrize(
    ("got", "right", "scored"),
    [
        (foto(["a", "b", "c"], True), True, True),
        (foto(["c", "a", "b"], True), True, True),
        (foto(["b", "a", "c"], True), False, True),
        (foto(["a", "b", "c"], False), False, False),
        (foto(["a", "b", "c"], True, photos=2), False, False),
        (foto([], True), False, True),
    ],
    ids=["right", "begun-elsewhere", "mirrored", "verdict", "two-photos", "no-ring"],
)
def test_a_ring_and_a_photo(got: dict[str, Any], right: bool, scored: bool) -> None:
    verdict = judge(table("kleine-fotosafari", (), {"ring": ["a", "b", "c"], "photo": ["a", "b"], "valid": True}), got)
    assert (verdict.right, verdict.scored) == (right, scored)


def string(enclosed: list[int], legal: bool = True, points: int | None = 3) -> dict[str, Any]:
    pieces = [read(7, "lion", 0, "tile"), read(9, "ape", 20, "tile")]
    return {"pieces": pieces, "sheet": {"legal": legal, "enclosed": enclosed, "turn": {"points": points}}}


@pytest.mark.parametrize(
    ("got", "right"),
    [
        (string([7]), True),
        (string([9]), False),
        (string([7, 9]), False),
        (string([7], legal=False, points=None), False),
        (string([7], points=4), False),
    ],
    ids=["right", "another-tile", "one-more", "not-legal", "points"],
)
def test_a_string(got: dict[str, Any], right: bool) -> None:
    tiles = (true("lion", 0, kind="tile", id=0), true("ape", 20, kind="tile", id=1))
    verdict = judge(table("string-safari", tiles, {"legal": True, "enclosed": [0], "turn_points": 3}), got)
    assert (verdict.right, verdict.scored) == (right, right)


@pytest.mark.parametrize(
    ("totals", "right"),
    [
        ({"red": 9, "blue": 4}, True),
        ({"red": 9, "blue": 5}, False),
        ({"red": 9}, False),
        ({"red": None, "blue": 4}, False),
    ],
    ids=["right", "a-total", "a-player-missing", "not-known"],
)
def test_the_end_of_string_safari(totals: dict[str, int | None], right: bool) -> None:
    want = {"players": {"red": {"total": 9}, "blue": {"total": 4}}}
    got = {"pieces": [], "sheet": {"players": {name: {"total": total} for name, total in totals.items()}}}
    assert judge(table("string-safari", (), want), got).right is right


@pytest.mark.parametrize(("ring", "right"), [(["b", "c", "a"], True), (["b", "a", "c"], False)])
def test_a_ring_without_a_claim(ring: list[str], right: bool) -> None:
    verdict = judge(table("kleine-fotosafari", (), {"ring": ["a", "b", "c"]}), foto(ring, False, photos=0))
    assert (verdict.right, verdict.scored) == (right, True)


@pytest.mark.parametrize(
    ("label", "right"), [("fox", True), ("lion", False), (None, False)], ids=["same", "other", "unnamed"]
)
def test_where_no_answer_is_known_the_pieces_are_judged(label: str | None, right: bool) -> None:
    got = {"pieces": [read(0, label, 0)], "sheet": {}}
    assert judge(table("paper-safari", (true("fox", 0),), None), got).right is right


@pytest.mark.parametrize(
    ("finds", "pairs"),
    [
        ([], {}),
        ([read(0, "fox", 3)], {0: 0}),
        ([read(0, "fox", 5)], {}),
        ([read(0, "fox", 3), read(1, "fox", 1)], {0: 1}),
        ([read(0, "red", 1, "marker")], {}),
        ([read(0, "fox", 1), read(1, "lion", 21)], {0: 0, 1: 1}),
    ],
    ids=["none", "near", "too-far", "nearest", "a-marker-is-no-card", "two"],
)
def test_each_piece_is_paired_with_the_nearest_find(finds: list[dict[str, Any]], pairs: dict[int, int]) -> None:
    assert paired((true("fox", 0), true("lion", 20)), finds) == pairs
