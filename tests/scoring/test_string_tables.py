"""String Safari's rulebook on set-ups, strings and the end: tables in notation, each named by its sentence."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.notation import parse
from scoring.options import Options
from scoring.referee import judge
from scoring.table import Table
from tests.scoring.string_cases import EDITION, TILE_MM, assert_as_wanted, assert_named_once, golden, names

GOLDEN = golden("tables")
CASES = GOLDEN["case"]


def _table(case: dict[str, Any]) -> Table:
    parts = [GOLDEN["parts"][name].strip().splitlines() for name in case["with"]]
    lines = [line for part in parts for line in part]
    for label in case.get("but", ()):
        lines.remove(next(line for line in lines if line.split()[1] == label))
    return parse("\n".join([*lines, case.get("table", "")]), (TILE_MM, TILE_MM))


def _read(case: dict[str, Any]) -> dict[str, Any]:
    table = _table(case)
    answer = judge(table, EDITION, Options.parse(case["options"], EDITION))
    assert answer.certain
    found = dict(answer.sheet.to_json())
    told: dict[str, Any] = {"problems": [p.rule for p in answer.problems]}
    if "final" in case["options"]:
        totals = {player: s["total"] for player, s in found["players"].items()}
        return {**told, "totals": totals, "winners": found["winners"]}
    return {
        **told,
        "legal": found["legal"],
        "touches_field": found["touches_field"],
        "enclosed": names(table, found["enclosed"]),
        "touching": names(table, found["touching"]),
        "points": None if found["turn"] is None else found["turn"]["points"],
    }


@pytest.mark.parametrize("case", [pytest.param(c, id=c["place"]) for c in CASES])
def test_the_rulebook(case: dict[str, Any]) -> None:
    assert_as_wanted(_read(case), case["expect"])


def test_no_place_is_named_twice() -> None:
    assert_named_once(CASES)
