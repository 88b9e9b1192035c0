"""From rows to figures: rates by game and condition, each stage's own, and how sure readings are. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from measuring.calibration import Reliability, reliability
from measuring.finds import CropRow, PhotoRow
from measuring.tables import SIZES_PX, PieceRow, TableRow, grouped

RATES = ("tables", "right", "silent", "asked", "failed")
"""How tables are told: how many, and which share of them."""
CONDITIONS = ("game", "tilt", "light", "table top", "piece size", "deck")
COVERED_SIGMAS = 2.0
"""True margins lie within this many of the σ that was said, 95 times in 100."""
FINE_MM = 0.02
"""How finely labelled margins are rounded."""

Figures = dict[str, Any]


def share(part: int, whole: int) -> float | None:
    """Return a share to four places; None where there is nothing to share."""
    return round(part / whole, 4) if whole else None


def rates(rows: Sequence[TableRow]) -> Figures:
    """Return how many tables are wholly right, silently wrong, asked about, failed."""
    told = {name: share(sum(getattr(r, name) for r in rows), len(rows)) for name in RATES[1:]}
    return {"tables": len(rows), **told}


def by_condition(rows: Sequence[TableRow]) -> dict[str, dict[str, Figures]]:
    """Return the rates for each group of each condition."""
    found: dict[str, dict[str, Figures]] = {}
    for condition in CONDITIONS:
        groups = sorted({r.conditions.get(condition, "") for r in rows} - {""})
        found[condition] = {g: rates([r for r in rows if r.conditions.get(condition) == g]) for g in groups}
    return found


def pieces(rows: Sequence[PieceRow], spurious: int = 0, tables: int = 0) -> Figures:
    """Return the stages' figures of these pieces; shares of what was found, but for `found` itself."""
    seen = [p for p in rows if p.found]
    turned = [p.turned for p in seen if p.turned is not None]
    off = [v for p in seen for v in p.off_px]
    return {
        "pieces": len(rows),
        "found": share(len(seen), len(rows)),
        "spurious_per_table": round(spurious / tables, 3) if tables else None,
        "labels_right": share(sum(p.named for p in seen), len(rows)),
        "upright": share(sum(turned), len(turned)),
        "corner_px_median": _quantile(off, 0.5),
        "corner_px_p95": _quantile(off, 0.95),
    }


def strings(rows: Sequence[TableRow]) -> Figures:
    """Return how many strings came out closed, how far off they lie, and how many margins lie within 2σ."""
    every = [s for r in rows for s in r.strings]
    margins = [m for r in rows for m in r.margins]
    within = sum(abs(off) <= COVERED_SIGMAS * sigma + FINE_MM for off, sigma in margins)
    return {
        "strings": len(every),
        "closed": share(sum(s.closed for s in every), len(every)),
        "centreline_px_median": _quantile([s.median_px for s in every if s.median_px is not None], 0.5),
        "centreline_px_p95": _quantile([s.p95_px for s in every if s.p95_px is not None], 0.95),
        "near_margins": len(margins),
        "margin_mm_median": _quantile([abs(off) for off, _ in margins], 0.5),
        "within_2_sigma": share(within, len(margins)),
    }


def _quantile(values: Sequence[float], q: float) -> float | None:
    return round(float(np.quantile(values, q)), 3) if values else None


def by_size(rows: Sequence[PieceRow]) -> dict[str, Figures]:
    """Return the pieces' figures by how large they are in the picture."""
    return _split(rows, lambda p: grouped(p.side_px, SIZES_PX, "px"))


def by_kind(rows: Sequence[PieceRow]) -> dict[str, Figures]:
    """Return the pieces' figures by kind."""
    return _split(rows, lambda p: p.kind)


def _split(rows: Sequence[PieceRow], key: Callable[[PieceRow], str]) -> dict[str, Figures]:
    return {name: pieces([p for p in rows if key(p) == name]) for name in sorted({key(p) for p in rows})}


def sureness(rows: Sequence[TableRow]) -> Reliability:
    """Return how sure readings of faces were, and how right."""
    said = [(p.said, p.named) for r in rows for p in r.pieces if p.said is not None]
    return reliability([p for p, _ in said], [good for _, good in said])


def told(found: Reliability) -> Figures:
    """Return a reliability as plain values."""
    bins = [{k: round(v, 4) for k, v in asdict(b).items()} for b in found.bins]
    sure = {"at_99": found.sure, "at_99_right": share(found.sure_right, found.sure)}
    return {"calibration_error": round(found.error, 4), **sure, "bins": bins}


def of_tables(rows: Sequence[TableRow]) -> Figures:
    """Return all figures of tables."""
    every = [p for r in rows for p in r.pieces]
    cpu = _quantile([r.cpu_s for r in rows], 0.5)
    return {
        **rates(rows),
        "by": by_condition(rows),
        "stages": pieces(every, sum(r.spurious for r in rows), len(rows)),
        "pieces_by_size": by_size(every),
        "pieces_by_kind": by_kind(every),
        "strings": strings(rows),
        "calibration": told(sureness(rows)),
        "cpu_s_median": cpu,
    }


def of_photographs(rows: Mapping[str, Sequence[PhotoRow]]) -> dict[str, Figures]:
    """Return recall and precision for each folder of photographs."""
    return {name: _photographs(found) for name, found in rows.items()}


def _photographs(rows: Sequence[PhotoRow]) -> Figures:
    def total(name: str) -> int:
        return sum(int(getattr(r, name)) for r in rows)

    finds = total("finds")
    return {
        "photographs": len(rows),
        "cards": total("cards"),
        "recall": share(total("hit"), total("cards")),
        "recall_iou80": share(total("close"), total("quads")),
        "precision": share(finds - total("false"), finds),
        "failed": sum(bool(r.failed) for r in rows),
    }


def of_crops(rows: Sequence[CropRow]) -> Figures:
    """Return how many crops were named rightly, and how sure that was."""
    sure = reliability(
        [r.said for r in rows if r.said is not None], [r.best == r.label for r in rows if r.said is not None]
    )
    right = sum(r.best == r.label for r in rows)
    return {"crops": len(rows), "named_right": share(right, len(rows)), "calibration": told(sure)}
