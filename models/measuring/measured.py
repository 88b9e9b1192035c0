"""Folders of labelled pictures → rows: every picture read and compared, in one process or several."""

from __future__ import annotations

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
