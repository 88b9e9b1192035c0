"""What `safari-table evaluate` does: folders in, a line a picture and the figures out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from measuring.evaluate import measured, written
from measuring.figures import RATES
from measuring.page import cell
from measuring.truth import GAMES, TruthError
from service.cli import CERTAIN, Refused


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
        found = measured(folders, typer.echo, jobs, only, decks)
        figures = written(found, json_out, html_out)
    except TruthError as error:
        raise Refused(str(error)) from None
    except OSError as error:
        raise Refused(f"{error.filename}: {error.strerror or error}") from None
    typer.echo("\n".join(summary(figures)))
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
