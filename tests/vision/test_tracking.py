"""Ids that last, evidence that is weighed together."""

from __future__ import annotations

from typing import Any

import pytest

from vision.tracking import LOST_READINGS, Tracker, normalised


def piece(id: int, x: float, label: str, p: float = 0.98, kind: str = "card", other: str = "tiger") -> dict[str, Any]:
    """Return a piece of an answer: a 60 × 90 px card at x."""
    corners = [[x, 100.0], [x + 60, 100.0], [x + 60, 190.0], [x, 190.0]]
    candidates = [[label, p], [other, 1 - p]]
    return {"id": id, "kind": kind, "label": label, "probability": p, "candidates": candidates, "corners_px": corners}


def test_an_empty_reading_has_no_pieces() -> None:
    tracker = Tracker()
    assert (tracker.update([]), tracker.tracks, tracker.labelled(0)) == ({}, (), ())


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ([piece(0, 12, "lion"), piece(1, 210, "zebra")], {0: 0, 1: 1}),
        ([piece(0, 210, "zebra"), piece(1, 12, "lion")], {0: 1, 1: 0}),
        ([piece(0, 210, "zebra")], {0: 1}),
        ([piece(0, 10, "lion"), piece(1, 200, "zebra"), piece(2, 400, "ape")], {0: 0, 1: 1, 2: 2}),
        ([piece(0, 400, "lion")], {0: 2}),
        ([piece(0, 10, "lion", kind="photo")], {0: 2}),
        ([], {}),
    ],
    ids=["in place", "listed otherwise", "one gone", "one more", "moved far", "another kind", "all gone"],
)
def test_ids_follow_the_pieces(second: list[dict[str, Any]], expected: dict[int, int]) -> None:
    tracker = Tracker()
    assert tracker.update([piece(0, 10, "lion"), piece(1, 200, "zebra")]) == {0: 0, 1: 1}
    assert tracker.update(second) == expected


def test_crowded_pieces_are_paired_by_the_least_sum() -> None:
    tracker = Tracker()
    tracker.update([piece(0, 0, "a"), piece(1, 65, "b"), piece(2, 130, "c")])
    shifted = [piece(k, x + 30, label) for k, (x, label) in enumerate([(0, "a"), (65, "b"), (130, "c")])]
    assert tracker.update(shifted) == {0: 0, 1: 1, 2: 2}


def test_a_piece_hidden_for_a_moment_keeps_its_id() -> None:
    tracker = Tracker()
    tracker.update([piece(0, 10, "lion")])
    for _ in range(LOST_READINGS - 1):
        tracker.update([])
    assert tracker.update([piece(0, 10, "lion")]) == {0: 0}
    for _ in range(LOST_READINGS):
        tracker.update([])
    assert tracker.update([piece(0, 10, "lion")]) == {0: 1}


def test_a_doubt_does_not_wear_off_by_looking_long() -> None:
    tracker = Tracker()
    for _ in range(9):
        tracker.update([piece(0, 10, "lion", 0.7)])
    (label, probability), *_ = tracker.labelled(0)
    assert label == "lion"
    assert probability == pytest.approx(0.7, abs=0.01)


def test_one_poor_look_does_not_overturn_good_ones() -> None:
    tracker = Tracker()
    for _ in range(3):
        tracker.update([piece(0, 10, "lion", 0.99)])
    tracker.update([piece(0, 10, "tiger", 0.55, other="lion")])
    assert tracker.labelled(0)[0][0] == "lion"


@pytest.mark.parametrize(
    ("x", "label"), [(10, "ape"), (35, "tiger")], ids=["turned over where it lies", "pushed aside"]
)
def test_a_changed_piece_starts_afresh(x: float, label: str) -> None:
    tracker = Tracker()
    for _ in range(4):
        tracker.update([piece(0, 10, "lion", 0.99)])
    tracker.update([piece(0, x, label, 0.97, other="lion")])
    assert tracker.labelled(0)[0][0] == label


def test_a_card_turned_up_is_not_face_down_any_more_however_unsure_its_face() -> None:
    tracker = Tracker()
    tracker.update([piece(0, 10, "back", 0.99)])
    tracker.update([piece(0, 10, "leopard", 0.6, other="zebra")])
    assert [label for label, _ in tracker.labelled(0)] == ["leopard", "zebra"]


def test_probabilities_sum_to_one() -> None:
    found = normalised({"a": -1.0, "b": -400.0, "c": -1.0})
    assert sum(p for _, p in found) == pytest.approx(1.0)
    assert normalised({}) == ()


@pytest.mark.parametrize(
    ("candidates", "label", "expected"),
    [
        ([["fox", 0.02], ["ibex", 0.01]], None, (None, 0.97)),
        ([], None, (None, 1.0)),
        ([["fox", 0.56], ["ibex", 0.1]], "fox", ("fox", 0.56)),
        ([["fox", 0.99]], "fox", ("fox", 0.99)),
    ],
    ids=["unknown, a little like a fox", "unknown", "perhaps a fox", "a fox"],
)
def test_what_is_of_no_deck_is_not_named(
    candidates: list[list[Any]], label: str | None, expected: tuple[str | None, float]
) -> None:
    tracker = Tracker()
    for _ in range(3):
        tracker.update([{**piece(0, 10, ""), "label": label, "candidates": candidates, "probability": expected[1]}])
    found, probability = tracker.labelled(0)[0]
    assert found == expected[0]
    assert probability == pytest.approx(expected[1], abs=0.01)
