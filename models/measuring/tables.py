"""Labelled tables, read as `score` reads them: what was found, named, judged, and how sure it was said to be."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from shapely import LinearRing, points

from decks.deck import Deck, DeckError, find
from measuring.judging import corner_errors, judge, labelled, paired, upright
from measuring.truth import UNSAID, Array, TruePiece, TrueTable, TruthError
from scoring.table import BACK
from service.eyes import Answer, EyesError
from service.pictures import PictureError, decode
from service.reading import seen_in
from service.scoring_run import NOTHING
from vision.recogniser import Recogniser

TILTS_DEG = (10.0, 20.0, 30.0)
SIZES_PX = (30.0, 60.0, 120.0)
LEVELS = (70.0, 120.0, 180.0)
"""Where one group ends and the next begins: tilt, a piece's shorter side, a picture's median grey level of 255."""
NEAR_MM = 15.0
"""Margins are compared for tiles that lie this near a string: whether a far one is 80 or 81 mm off decides nothing."""


@dataclass(frozen=True)
class PieceRow:
    """One true piece: whether it was found, named, turned rightly (None: it has no top), and how sure its name was."""

    kind: str
    side_px: float
    found: bool
    named: bool = False
    turned: bool | None = None
    off_px: tuple[float, ...] = ()
    said: float | None = None  # None: nothing was said of its face


@dataclass(frozen=True)
class StringRow:
    """One true string: whether a closed loop was given for it, and how far off that lies, in px."""

    name: str
    closed: bool
    median_px: float | None = None
    p95_px: float | None = None


@dataclass(frozen=True)
class TableRow:
    """One table. `spurious`: finds that are no piece. `margins`: (error, σ) in mm. `answer`: None where it failed."""

    truth: TrueTable
    right: bool
    silent: bool
    asked: bool
    failed: bool
    why: str
    conditions: Mapping[str, str]
    pieces: tuple[PieceRow, ...] = ()
    spurious: int = 0
    strings: tuple[StringRow, ...] = ()
    margins: tuple[tuple[float, float], ...] = ()
    cpu_s: float = 0.0
    answer: Answer | None = field(default=None, repr=False)


def measure(truth: TrueTable, decks: Path | None = None) -> TableRow:
    """Read one table and compare it; TruthError where what is known of it makes no answer.

    `decks`: a folder whose decks stand in for the table's own, by their names.
    """
    image, conditions = None, {"game": truth.game, "light": UNSAID, "tilt": UNSAID, "table top": UNSAID}
    started = time.process_time()
    try:
        image = decode(truth.picture.read_bytes())
        conditions = _conditions(truth, image)
        deck, recogniser = _deck(_named(truth.deck, decks), truth.game)
        answer = seen_in(image, deck, recogniser).answer(truth.options)
        nothing = next((p["message"] for p in answer["problems"] if p["rule"] in NOTHING), None)
    except (OSError, PictureError, DeckError, EyesError) as error:
        answer, nothing = None, str(error)
    spent = time.process_time() - started
    if answer is None or nothing is not None:
        lost = tuple(PieceRow(p.kind, p.side_px, found=False) for p in truth.pieces)
        return TableRow(truth, False, False, False, True, str(nothing), conditions, lost, cpu_s=spent)
    try:
        return compared(truth, answer, conditions, spent)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        known = truth.picture.with_suffix(".json")
        raise TruthError(f"{known}: its answer is not as docs/measuring.md says: {error!r}") from error


def compared(truth: TrueTable, answer: Answer, conditions: Mapping[str, str], cpu_s: float) -> TableRow:
    """Compare an answer with the truth."""
    verdict, sure = judge(truth, answer), bool(answer["certain"])
    pairs = paired(truth.pieces, answer["pieces"])
    rows = [_piece(p, answer["pieces"][pairs[i]] if i in pairs else None) for i, p in enumerate(truth.pieces)]
    return TableRow(
        truth, verdict.right, sure and not verdict.scored, not sure, False, verdict.why, conditions, tuple(rows),
        len(answer["pieces"]) - len(pairs), _strings(truth, answer), _margins(truth, answer, pairs), cpu_s, answer,
    )  # fmt: skip


def _named(deck: str | None, decks: Path | None) -> str | None:
    return str(decks / Path(deck).name) if decks is not None and deck is not None else deck


@lru_cache(maxsize=8)
def _deck(name: str | None, game: str) -> tuple[Deck, Recogniser]:
    deck = find(name, game)
    return deck, Recogniser(deck)


def grouped(value: float, edges: Sequence[float], unit: str) -> str:
    """Name the group that a value lies in, as "10–20 °"."""
    at = int(np.searchsorted(edges, value, side="right"))
    if at == 0:
        return f"under {edges[0]:g} {unit}"
    return f"{edges[-1]:g} {unit} and more" if at == len(edges) else f"{edges[at - 1]:g}–{edges[at]:g} {unit}"


def _conditions(truth: TrueTable, image: Any) -> dict[str, str]:
    said = truth.conditions
    level = float(np.median(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)))
    sides = [p.side_px for p in truth.pieces]
    return {
        "game": truth.game,
        "tilt": grouped(float(said["tilt_deg"]), TILTS_DEG, "°") if "tilt_deg" in said else UNSAID,
        "light": str(said.get("light", grouped(level, LEVELS, "of 255"))),
        "table top": str(said.get("table", UNSAID)),
        "piece size": grouped(float(np.median(sides)), SIZES_PX, "px") if sides else UNSAID,
        "deck": Path(truth.deck).name if truth.deck else "built in",
    }


def _piece(truth: TruePiece, found: Mapping[str, Any] | None) -> PieceRow:
    if found is None:
        return PieceRow(truth.kind, truth.side_px, found=False)
    named = labelled(truth, found)
    said = float(found["probability"]) if found["label"] is not None and truth.kind != "photo" else None
    if truth.kind == "marker":
        return PieceRow(truth.kind, truth.side_px, True, named, said=said)
    corners = np.asarray(found["corners_px"], float)
    turned = upright(truth, corners) if truth.label != BACK else None
    return PieceRow(truth.kind, truth.side_px, True, named, turned, tuple(corner_errors(truth, corners)), said)


def _strings(truth: TrueTable, answer: Answer) -> tuple[StringRow, ...]:
    closed = {s["name"]: np.asarray(s["path_px"], float) for s in answer["strings"] if s["closed"]}
    return tuple(_string(name, path, closed.get(name)) for name, path in truth.strings_px.items())


def _string(name: str, truth_px: Array, found_px: Array | None) -> StringRow:
    if found_px is None or len(found_px) < 3:
        return StringRow(name, closed=False)
    off = LinearRing(truth_px).distance(points(found_px))
    return StringRow(name, True, float(np.median(off)), float(np.quantile(off, 0.95)))


def _margins(truth: TrueTable, answer: Answer, pairs: Mapping[int, int]) -> tuple[tuple[float, float], ...]:
    """Return, for tiles near the research string, how far the margin is off, and the σ that was said of it, in mm."""
    told = truth.answer if isinstance(truth.answer, Mapping) else {}
    sheet, rows = answer["sheet"], []
    for i, j in pairs.items():
        true = told.get("margins", {}).get(str(truth.pieces[i].id))
        key = str(answer["pieces"][j]["id"])
        said = sheet.get("margins_mm", {}).get(key)
        sigma = sheet.get("margins_sigma_mm", {}).get(key)
        if true is not None and said is not None and sigma is not None and 0 <= true < NEAR_MM:
            rows.append((float(said - true), float(sigma)))
    return tuple(rows)
