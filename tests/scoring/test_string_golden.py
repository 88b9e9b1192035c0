"""String Safari's rulebook, sentence by sentence."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from scoring.options import Options
from scoring.referee import judge
from tests.scoring.string_cases import EDITION, laid, names

CASES = tomllib.loads(
    (Path(__file__).parents[1] / "golden" / "string-safari" / "cases.toml").read_text(encoding="utf-8")
)["case"]


def _read(case: dict[str, Any]) -> dict[str, Any]:
    table = laid(
        case.get("inside", ()),
        case.get("outside", ()),
        case.get("touching", ()),
        case.get("marks"),
        case.get("edge", False),
    )
    answer = judge(table, EDITION, Options.parse(case["options"], EDITION))
    assert answer.certain
    found = dict(answer.sheet.to_json())
    turn = found["turn"]
    assert turn["points"] is None or turn["points"] == sum(line["points"] for line in turn["lines"])
    return {
        "legal": found["legal"],
        "enclosed": names(table, found["enclosed"]),
        "touching": names(table, found["touching"]),
        "points": turn["points"],
        "lines": [[line["rule"], line["points"], names(table, line["pieces"])] for line in turn["lines"]],
        "markable": names(table, turn["markable"]),
        "problems": [p.rule for p in answer.problems],
    }


@pytest.mark.parametrize("case", [pytest.param(c, id=c["place"]) for c in CASES])
def test_the_rulebook(case: dict[str, Any]) -> None:
    found = _read(case)
    wanted = {"problems": [], **case["expect"]}
    if wanted.get("legal") is False:
        wanted["points"] = None
    assert {key: found[key] for key in wanted} == wanted


def test_no_place_is_named_twice() -> None:
    places = [c["place"] for c in CASES]
    assert sorted(set(places)) == sorted(places)
