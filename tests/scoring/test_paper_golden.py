"""Paper Safari against its golden cases: each names the sentence of the rules that it holds to."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from scoring.notation import parse
from scoring.options import Options
from scoring.paper_moves import moves
from scoring.paper_safari import problems, score
from tests.scoring.boxes import PAPER

GOLDEN = Path(__file__).parents[1] / "golden" / "paper-safari"


def cases(name: str) -> list[Any]:
    """Return a file's cases as parameters."""
    return [pytest.param(c, id=c["id"]) for c in tomllib.loads((GOLDEN / name).read_text("utf-8"))["case"]]


@pytest.mark.parametrize("case", cases("scoring.toml"))
def test_scoring(case: dict[str, Any]) -> None:
    table, options = parse(case["table"], PAPER.size_mm), Options(house=case.get("house", {}))
    sheet = score(table, PAPER, options)
    said = [line.reason for p in sheet.players for line in p.lines]
    used = {line.rule for p in sheet.players for line in p.lines} | {line.rule for line in sheet.result}
    assert [p.total for p in sheet.players] == [None if t == "-" else t for t in case["totals"]]
    assert list(sheet.winners) == case["winners"]
    assert {p.rule for p in problems(table, PAPER, options)} == set(case.get("problems", []))
    assert [p.visible_total for p in sheet.players] == case.get("visible", case["totals"])
    assert set(case.get("rules", [])) <= used
    for reason in case.get("reasons", []):
        assert any(reason in text for text in said), said


@pytest.mark.parametrize("case", cases("turns.toml"))
def test_turns(case: dict[str, Any]) -> None:
    before, after = parse(case["before"], PAPER.size_mm), parse(case["after"], PAPER.size_mm)
    found = moves(before, after, PAPER, Options(house=case.get("house", {})))
    assert found.kinds == set(case.get("kinds", []))
    assert [p.rule for p in found.problems] == ([case["problem"]] if "problem" in case else [])
    said = [m.message for m in found.legal] + [p.message for p in found.problems]
    for message in case.get("messages", []):
        assert any(message in text for text in said), said


@pytest.mark.parametrize("name", ["scoring.toml", "turns.toml"])
def test_each_case_names_its_place(name: str) -> None:
    found = tomllib.loads((GOLDEN / name).read_text("utf-8"))["case"]
    assert all(c["place"] for c in found)
    assert len({c["id"] for c in found}) == len(found)
