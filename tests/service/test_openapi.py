"""The interface as it describes itself: whatever is sent to a route, none of it is the service's own fault."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Evening = Any  # its class is imported in conftest.py, past a warning
Schema = Mapping[str, Any]
Values = st.SearchStrategy[Any]

GAMES = {
    "paper-safari": [{"name": "Anna", "seat": 0}, {"name": "Ben", "seat": 2}],
    "kleine-fotosafari": [{"name": "Anna"}, {"name": "Ben"}],
    "string-safari": [{"name": n, "colour": c} for n, c in (("Anna", "red"), ("Ben", "blue"), ("Cem", "yellow"))],
}
LEFT_OUT = {"/api/camera", "/api/camera/test", "/api/game/new"}  # they would open this machine's, or end the game
KNOWN = ["p1", "p2", "red", "blue", "lion", "research", "field", "0", "1", "carnivore:3", "all:1", "totals", "stashes"]
TEXTS = st.sampled_from(KNOWN) | st.text(max_size=6)
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda part: st.lists(part, max_size=2) | st.dictionaries(TEXTS, part, max_size=2),
    max_leaves=4,
)


def values(schema: Schema, parts: Schema) -> Values:
    """Return what a JSON schema allows, roughly: limits are overstepped now and then."""
    if "$ref" in schema:
        return values(parts[schema["$ref"].rpartition("/")[2]], parts)
    if "anyOf" in schema:
        return st.one_of([values(one, parts) for one in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    plain: dict[str | None, Values] = {
        "string": TEXTS, "integer": st.integers(-2, 12), "number": st.floats(-9, 9), "boolean": st.booleans(),
        "null": st.none(), None: JUNK,
    }  # fmt: skip
    kind = schema.get("type")
    if kind == "array":
        return st.lists(values(schema.get("items", {}), parts), max_size=3)
    if kind != "object":
        return plain[kind]
    own = {name: values(one, parts) for name, one in schema.get("properties", {}).items()}
    needed = {name: own.pop(name) for name in schema.get("required", ())}
    return st.fixed_dictionaries(needed, optional=own) if needed or own else st.dictionaries(TEXTS, JUNK, max_size=2)


def bodies(described: Schema) -> Values:
    """Return a route and a body for it, most of them of the kind that it asks for."""
    parts = described["components"]["schemas"]
    routes: list[Values] = []
    for path, ways in described["paths"].items():
        if "post" in ways and path not in LEFT_OUT:
            asked = ways["post"].get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
            fitting = values(asked, parts) if asked else JUNK
            routes.append(st.tuples(st.just(path), st.one_of(fitting, fitting, fitting, JUNK)))
    return st.one_of(routes)


@pytest.mark.parametrize("game", GAMES)
def test_no_route_fails_whatever_it_is_sent(game: str, evening: Evening, tables: Any) -> None:
    begun = {"game": game, "players": GAMES[game]}
    evening.post("/api/game/new", **begun)
    laid = {
        "paper-safari": lambda: tables.paper_table(["lion"] * 6, ["fox"] * 6),
        "kleine-fotosafari": lambda: tables.ring_table(["lion", "fox", "zebra", "hippo", "giraffe", "gnu"]),
        "string-safari": lambda: tables.string_table(
            {"lion": (200.0, 200.0), "fox": (430.0, 200.0)}, (235.0, 220.0, 110.0)
        ),
    }
    evening.lay(game, laid[game]())
    sent = bodies(evening.get("/openapi.json"))

    @settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(sent)
    def fails_nowhere(one: tuple[str, Any]) -> None:
        told = evening.client.post(one[0], json=one[1], headers={"x-safari-table": "1"})
        assert told.status_code < 500, told.text
        assert told.status_code < 400 or "\n" not in told.json()["error"]

    fails_nowhere()
    assert evening.game["board"] is not None
    evening.post("/api/game/new", **begun)
