"""String Safari's rulebook, sentence by sentence."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.options import Options
from scoring.referee import judge
from tests.scoring.string_cases import EDITION, assert_as_wanted, assert_named_once, golden, laid, names

CASES = golden("cases")["case"]


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
    assert_as_wanted(_read(case), {"problems": [], **case["expect"]})


def test_no_place_is_named_twice() -> None:
    assert_named_once(CASES)
