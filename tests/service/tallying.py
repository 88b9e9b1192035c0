"""Tables as JSON, and `tally` called, for tests."""

from __future__ import annotations

import io
import json
import math
from typing import Any

from service.tally import run


def square(x: float, y: float, side: float = 40.0) -> list[list[float]]:
    """Return a square's corners from its top-left on."""
    h = side / 2
    return [[x - h, y + h], [x + h, y + h], [x + h, y - h], [x - h, y - h]]


def string_table(**options: Any) -> dict[str, Any]:
    """Return a lion and a zebra in a string, a tiger outside, with the built-in deck's labels."""
    labels = [("lion", 0.0, 0.0), ("zebra", 60.0, 0.0), ("tiger", 0.0, 100.0)]
    pieces = [{"id": i, "kind": "tile", "label": n, "outline_mm": square(x, y)} for i, (n, x, y) in enumerate(labels)]
    loop = [[-35.0, -35.0], [95.0, -35.0], [95.0, 35.0], [-35.0, 35.0]]
    strings = [{"name": "research", "closed": True, "path_mm": loop, "width_mm": 3.0, "visible": 1.0}]
    return {"game": "string-safari", "pieces": pieces, "strings": strings, "options": options}


def paper_table(labels: str = "fox lion zebra back fox lion") -> dict[str, Any]:
    """Return one grid of six cards."""
    pieces = [
        {
            "id": i,
            "kind": "card",
            "label": label,
            "outline_mm": [
                [70.0 * (i % 3) + u * 31.5, -95.0 * (i // 3) + v * 44.0]
                for u, v in ((-1, 1), (1, 1), (1, -1), (-1, -1))
            ],
        }
        for i, label in enumerate(labels.split())
    ]
    return {"game": "paper-safari", "pieces": pieces}


def ring_table(labels: list[str], photo: list[str]) -> dict[str, Any]:
    """Return a ring, heads to the middle, and a photo card beside it."""
    pieces: list[dict[str, Any]] = []
    for k, label in enumerate(labels):
        at = k / len(labels) * math.tau
        c, s = math.cos(at - math.pi / 2), math.sin(at - math.pi / 2)  # up points to the middle
        turned = [(-c * u + s * v, -s * u - c * v) for u, v in ((-30, 30), (30, 30), (30, -30), (-30, -30))]
        x, y = 190.0 * math.cos(at), 190.0 * math.sin(at)
        pieces.append({"id": k, "kind": "card", "label": label, "outline_mm": [[x - u, y - v] for u, v in turned]})
        pieces[-1]["up_deg"] = math.degrees(at) + 180.0
    pieces.append({"id": 20, "kind": "photo", "label": None, "outline_mm": square(300.0, 0.0), "sequence": photo})
    return {"game": "kleine-fotosafari", "pieces": pieces}


def tallied(text: str, **call: Any) -> tuple[int, list[dict[str, Any]], str]:
    """Return the exit status, the answers, and what went to standard error."""
    out, err = io.StringIO(), io.StringIO()
    stdin = io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogatepass")))
    code = run("-", out=out, err=err, stdin=stdin, **call)
    return code, [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue()


def one(table: Any, **call: Any) -> tuple[int, dict[str, Any]]:
    """Return the exit status and the answer of one table that can be used."""
    code, answers, err = tallied(json.dumps(table), **call)
    assert len(answers) == 1, err
    return code, answers[0]


def broken(**change: Any) -> str:
    """Return a table whose first piece is changed."""
    table = string_table()
    table["pieces"][0] |= change
    return json.dumps(table)


def with_string(**change: Any) -> str:
    """Return a table whose string is changed."""
    table = string_table()
    table["strings"][0] |= change
    return json.dumps(table)
