"""String Safari's rulebook on set-ups, strings and the end: tables in notation, each named by its sentence."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from scoring.notation import parse
from scoring.options import Options
from scoring.referee import judge
from scoring.table import Table
from tests.scoring.string_cases import EDITION, TILE_MM, names

GOLDEN = tomllib.loads(
    (Path(__file__).parents[1] / "golden" / "string-safari" / "tables.toml").read_text(encoding="utf-8")
)
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
    found, wanted = _read(case), dict(case["expect"])
    if wanted.get("legal") is False:
        wanted["points"] = None
    assert {key: found[key] for key in wanted} == wanted


def test_no_place_is_named_twice() -> None:
    places = [c["place"] for c in CASES]
    assert sorted(set(places)) == sorted(places)
