"""Measure how well labelled pictures are read: `safari-table evaluate FOLDER…`.

A folder holds labelled tables (NAME.jpg, NAME.json, decks/), an annotations.json with photographs or crops, or what the
page's "report misread" saved. docs/measuring.md says what the JSON holds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from measuring.figures import RATES
from measuring.finds import CropRow, PhotoRow
from measuring.measured import Measured, measured
from measuring.page import cell
from measuring.tables import TableRow
from measuring.truth import TruthError
from scoring.edition import GAMES
from service.cli import Refused
from service.statuses import CERTAIN


def run(
    folders: Sequence[Path],
    json_out: Path | None,
    html_out: Path | None,
    only: str | None,
    decks: Path | None,
    jobs: int,
) -> int:
    """Measure the folders; return the exit status. Refused."""
    if only is not None and only not in GAMES:
        raise Refused(f"--only {only}: is none of {', '.join(GAMES)}")
    try:
        found = measured(folders, click.echo, jobs, only, decks)
        figures = written(found, json_out, html_out)
    except TruthError as error:
        raise Refused(str(error)) from None
    except OSError as error:
        raise Refused(f"{error.filename}: {error.strerror or error}") from None
    click.echo("\n".join(summary(figures)))
    return CERTAIN


def summary(figures: Mapping[str, Any]) -> list[str]:
    """Return the figures that matter most, a line each."""
    lines = []
    if "tables" in figures:
        tables = figures["tables"]
        lines += [_line("all tables", {k: tables[k] for k in RATES})]
        lines += [_line(game, told) for game, told in tables["by"]["game"].items()]
        lines += [_line(stage, tables[stage]) for stage in ("stages", "strings")]
        lines += [_line("calibration", {k: v for k, v in tables["calibration"].items() if k != "bins"})]
    lines += [_line(name, told) for name, told in figures.get("photographs", {}).items()]
    if "crops" in figures:
        crops = figures["crops"]
        lines += [_line("crops", {"crops": crops["crops"], "named_right": crops["named_right"]})]
    return lines


def _line(name: str, told: Mapping[str, Any]) -> str:
    return f"{name}: " + ", ".join(f"{key.replace('_', ' ')} {cell(value)}" for key, value in told.items())


def written(found: Measured, json_out: Path | None, html_out: Path | None) -> dict[str, Any]:
    """Write the JSON and the HTML where they are asked for; return the figures. OSError."""
    told = found.figures()
    if json_out is not None:
        photographs = {name: [_photo(r) for r in rows] for name, rows in found.photographs.items()}
        rows = {"tables": [_row(r) for r in found.tables], "photographs": photographs}
        whole = {"figures": told, **rows, "crops": [_crop(r) for r in found.crops]}
        json_out.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    if html_out is not None:
        from measuring.report import html

        html_out.write_text(html(told, found.tables, found.photographs, found.crops), encoding="utf-8")
    return told


def _row(row: TableRow) -> dict[str, Any]:
    told = {name: getattr(row, name) for name in ("right", "silent", "asked", "failed", "why", "spurious")}
    seen = {"found": sum(p.found for p in row.pieces), "named": sum(p.named for p in row.pieces)}
    strings = [{"name": s.name, "closed": s.closed, "p95_px": s.p95_px} for s in row.strings]
    return {"name": row.truth.name, **told, "conditions": dict(row.conditions), "pieces": len(row.pieces), **seen,
            "strings": strings, "cpu_s": round(row.cpu_s, 3)}  # fmt: skip


def _photo(row: PhotoRow) -> dict[str, Any]:
    names = ("cards", "hit", "quads", "close", "finds", "false", "failed")
    return {"picture": row.picture.name, **{name: getattr(row, name) for name in names}}


def _crop(row: CropRow) -> dict[str, Any]:
    return {"picture": row.picture.name, "label": row.label, "best": row.best, "said": row.said}
