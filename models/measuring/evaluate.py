"""Measure how well labelled pictures are read: `safari-table evaluate FOLDER…`.

A folder holds labelled tables (NAME.jpg, NAME.json, decks/), an annotations.json with photographs or crops, or what the
page's "report misread" saved. docs/measuring.md says what the JSON holds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from measuring import figures, finds, tables, truth
from measuring.finds import CropRow, PhotoRow
from measuring.tables import TableRow

Given = TypeVar("Given")
Row = TypeVar("Row")
Say = Callable[[str], None]


@dataclass(frozen=True)
class Measured:
    """All rows of a run."""

    tables: tuple[TableRow, ...] = ()
    photographs: dict[str, tuple[PhotoRow, ...]] = field(default_factory=dict)
    crops: tuple[CropRow, ...] = ()

    def figures(self) -> dict[str, Any]:
        """Return the figures of what was measured."""
        found: dict[str, Any] = {}
        if self.tables:
            found["tables"] = figures.of_tables(self.tables)
        if self.photographs:
            found["photographs"] = figures.of_photographs(self.photographs)
        if self.crops:
            found["crops"] = figures.of_crops(self.crops)
        return found


def measured(
    folders: Sequence[Path], say: Say, jobs: int = 1, only: str | None = None, decks: Path | None = None
) -> Measured:
    """Measure every folder; `say` gets a line a picture. TruthError.

    `only`: one game. `decks`: a folder whose decks stand in for the tables' own.
    """
    rows: list[TableRow] = []
    photographs: dict[str, tuple[PhotoRow, ...]] = {}
    crops: list[CropRow] = []
    for folder in folders:
        known = [t for t in truth.tables(folder) if only in (None, t.game)]
        rows += _each(partial(tables.measure, decks=decks), known, jobs, lambda row: say(table_line(row)))
        if (folder / "annotations.json").exists():
            photos = truth.photographs(folder)
            if photos:
                photographs[folder.name] = tuple(_each(finds.measure, photos, jobs, lambda row: say(photo_line(row))))
            crops += finds.named(truth.crops(folder))
    if not (rows or photographs or crops):
        raise truth.TruthError(f"{', '.join(map(str, folders))}: nothing to measure; expected NAME.json with NAME.jpg")
    return Measured(tuple(rows), photographs, tuple(crops))


def _each(work: Callable[[Given], Row], given: Sequence[Given], jobs: int, done: Callable[[Row], None]) -> list[Row]:
    """Do the work on each, in order, in as many processes; `done` is called as the rows come."""
    rows = []
    if jobs > 1:
        with ProcessPoolExecutor(jobs) as pool:
            for row in pool.map(work, given):
                done(row)
                rows.append(row)
        return rows
    for one in given:
        rows.append(work(one))
        done(rows[-1])
    return rows


def table_line(row: TableRow) -> str:
    """Return what became of a table, in one line."""
    how = "FAILED" if row.failed else "SILENT" if row.silent else "asked" if row.asked else ""
    right = "right" if row.right else "WRONG"
    return f"{row.truth.name:24} {right:6} {how:6} {row.cpu_s:5.1f} s CPU  {row.why[:120]}".rstrip()


def photo_line(row: PhotoRow) -> str:
    """Return what was found in a photograph, in one line."""
    return f"{row.picture.name:24} {row.hit} of {row.cards} cards, {row.false} false finds {row.failed}".rstrip()


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
