"""Kleine Fotosafari against its golden cases: each names the sentence of the rules that it holds to."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from scoring.foto_moves import Snapshot, explain, moves
from scoring.kleine_fotosafari import problems, score
from scoring.notation import parse
from scoring.options import Options
from scoring.table import Table
from tests.scoring.boxes import FOTO

GOLDEN = Path(__file__).parents[1] / "golden" / "kleine-fotosafari"


def cases(name: str) -> list[Any]:
    """Return a file's cases as parameters."""
    return [pytest.param(c, id=c["id"]) for c in tomllib.loads((GOLDEN / name).read_text("utf-8"))["case"]]


@pytest.mark.parametrize("case", cases("photos.toml"))
def test_photos(case: dict[str, Any]) -> None:
    table, options = parse(case["table"], FOTO.size_mm), Options(house=case.get("house", {}))
    (photo,) = score(table, FOTO, options).photos
    said, used = [line.reason for line in photo.lines], {line.rule for line in photo.lines}
    assert photo.valid == (None if case["valid"] == "-" else case["valid"])
    assert list(photo.starts) == case["starts"]
    assert {p.rule for p in problems(table, FOTO, options)} == set(case.get("problems", []))
    assert set(case.get("rules", [])) <= used
    for reason in case.get("reasons", []):
        assert any(reason in text for text in said), said


def drawn(ring_and_pile: list[str] | None) -> Table | None:
    """Lay out a ring and its pile's open card."""
    if ring_and_pile is None:
        return None
    ring, pile = ring_and_pile
    return parse(f"ring: {ring}" + (f"\npile: {pile}" if pile else ""), FOTO.size_mm)


@pytest.mark.parametrize("case", cases("turns.toml"))
def test_turns(case: dict[str, Any]) -> None:
    before, after, last = drawn(case["before"]), drawn(case["after"]), drawn(case.get("last"))
    assert before is not None
    assert after is not None
    found = moves(before, after, FOTO, Options(), last=last)
    assert found.kinds == set(case.get("kinds", []))
    assert [p.rule for p in found.problems] == ([case["problem"]] if "problem" in case else [])


def test_no_ring_before_or_after() -> None:
    assert "nothing" in explain(Snapshot((), None), Snapshot((), None), {}).kinds


@pytest.mark.parametrize("name", ["photos.toml", "turns.toml"])
def test_each_case_names_its_place(name: str) -> None:
    found = tomllib.loads((GOLDEN / name).read_text("utf-8"))["case"]
    assert all(c["place"] for c in found)
    assert len({c["id"] for c in found}) == len(found)
