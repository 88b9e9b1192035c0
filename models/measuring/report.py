"""The report of `evaluate`: figures as tables and plots, and a picture of every miss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from measuring import page
from measuring.charts import chart
from measuring.figures import RATES
from measuring.finds import CropRow, PhotoRow
from measuring.judging import paired
from measuring.tables import TableRow
from service.pictures import PictureError, decode

Image = npt.NDArray[np.uint8]

TRUE_BGR, READ_BGR, WRONG_BGR = (80, 190, 60), (210, 130, 20), (40, 40, 220)
"""Outlines: what is true and was missed, what was read, what was read wrongly."""
THICK, LEAST_THICK = 1 / 400, 2  # of the picture's longer side; and px at least
LETTER = 1 / 1100  # the size of names, likewise
UNREAD = (80, 320, 3)  # stands for a picture that cannot be decoded


def html(
    figures: Mapping[str, Any],
    tables: Sequence[TableRow],
    photographs: Mapping[str, Sequence[PhotoRow]],
    crops: Sequence[CropRow],
) -> str:
    """Return the whole report as one page."""
    parts: list[str] = []
    if tables:
        parts += _tables(figures["tables"])
    if photographs:
        parts += [page.heading("Photographs", "Cards found in annotated photographs; hidden cards count neither way.")]
        parts += [page.records("folder", figures["photographs"])]
    if crops:
        parts += [page.heading("Faces named by another picture of theirs")]
        parts += [
            page.table(["crops", "named rightly"], [[figures["crops"]["crops"], figures["crops"]["named_right"]]])
        ]
        parts += [_calibration(figures["crops"]["calibration"], "Crops: said and right")]
    parts += _misses(tables, photographs, crops)
    return page.page("Safari Table: how well it reads", parts)


def _tables(figures: Mapping[str, Any]) -> list[str]:
    whole = {k: figures[k] for k in (*RATES, "cpu_s_median")}
    parts = [
        page.heading(
            "Tables", "Right: the whole answer. Silent: what decides the game is wrong and was said to be certain."
        ),
        page.records("", {"all": whole}),
    ]
    groups = [(c, g, told) for c, found in figures["by"].items() for g, told in found.items()]
    parts.append(page.table(["", *RATES], ([f"{c}: {g}", *(told[name] for name in RATES)] for c, g, told in groups)))
    parts += [
        page.heading("Stages"),
        page.records("", {"all": figures["stages"]}),
        page.records("piece size", figures["pieces_by_size"]),
        page.records("kind", figures["pieces_by_kind"]),
        page.heading("Strings"),
        page.records("", {"all": figures["strings"]}),
        page.heading("Calibration"),
        _calibration(figures["calibration"], "Faces: said and right"),
    ]
    return parts


def _calibration(told: Mapping[str, Any], title: str) -> str:
    bins = told["bins"]
    drawn = chart(
        title, "said probability", "share right", {"bins": [(b["said"], b["right"]) for b in bins]}, shares=True
    )
    rows = ([f"{b['low']:.1f}", b["count"], b["said"], b["right"]] for b in bins)
    share = "–" if told["at_99_right"] is None else f"{told['at_99_right']:.1%}"
    note = (
        f"Expected calibration error {told['calibration_error']}; of {told['at_99']} readings at 0.99 and more, {share}"
    )
    return f"<p>{note} are right.</p>" + page.charts([drawn]) + page.table(["from", "readings", "said", "right"], rows)


def _misses(
    tables: Sequence[TableRow], photographs: Mapping[str, Sequence[PhotoRow]], crops: Sequence[CropRow]
) -> list[str]:
    parts = [
        page.heading("Every miss", "Green: true and missed. Blue: read. Red: read wrongly, or nothing lies there.")
    ]
    parts += [page.figure(_table(r), _caption(r)) for r in tables if not r.right or r.asked]
    for name, rows in photographs.items():
        parts += [page.figure(_photograph(r), _photo_caption(name, r)) for r in rows if r.missed]
    wrong = [[r.picture.name, r.label, r.best, r.said] for r in crops if r.best != r.label]
    if wrong:
        parts.append(page.table(["crop", "is", "read as", "said"], wrong))
    return parts if len(parts) > 1 else [*parts, "<p>None.</p>"]


def _caption(row: TableRow) -> str:
    how = "FAILED" if row.failed else "SILENTLY WRONG" if row.silent else "asked" if row.asked else "wrong"
    asked = "; ".join(q["message"] for q in row.answer["questions"]) if row.answer else ""
    right = "right as read" if row.right else row.why
    return f"{row.truth.name} ({row.truth.game}, {row.conditions.get('tilt')}): {how}. {right}. {asked}".strip()


def _photo_caption(name: str, row: PhotoRow) -> str:
    found = f"{row.hit} of {row.cards} cards found, {row.false} false finds."
    return f"{name}/{row.picture.name}: {found} {row.failed}".strip()


def _picture(path: Path) -> Image:
    try:
        return decode(path.read_bytes()).copy()
    except (OSError, PictureError):
        return np.full(UNREAD, 128, np.uint8)


def _table(row: TableRow) -> Image:
    image = _picture(row.truth.picture)
    for true, piece in zip(row.truth.pieces, row.pieces, strict=True):
        if not (piece.found and piece.named):
            _outline(image, true.corners_px, TRUE_BGR, str(true.label), below=True)
    if row.answer is None:
        return image
    pairs = paired(row.truth.pieces, row.answer["pieces"])
    good = {j for i, j in pairs.items() if row.pieces[i].named}
    for j, piece in enumerate(row.answer["pieces"]):
        bgr, corners = READ_BGR if j in good else WRONG_BGR, np.asarray(piece["corners_px"], float)
        _outline(image, corners, bgr, f"{piece['label']} {piece['probability']:.2f}")
    for string in row.answer["strings"]:
        path = np.asarray(string["path_px"], float)
        if len(path):
            cv2.polylines(image, [np.round(path).astype(np.int32)], string["closed"], READ_BGR, _thick(image))
    return image


def _photograph(row: PhotoRow) -> Image:
    image = _picture(row.picture)
    for outline in row.missed_px:
        _outline(image, np.asarray(outline, float), TRUE_BGR, "missed")
    for outline in row.false_px:
        _outline(image, np.asarray(outline, float), WRONG_BGR, "no card")
    return image


def _thick(image: Image) -> int:
    return max(LEAST_THICK, round(float(max(image.shape[:2])) * THICK))


def _outline(
    image: Image, corners_px: npt.NDArray[np.float64], bgr: tuple[int, int, int], text: str, below: bool = False
) -> None:
    """Draw an outline and its name into a picture of our own."""
    thick, size = _thick(image), max(image.shape[:2]) * LETTER * 0.5
    cv2.polylines(image, [np.round(corners_px).astype(np.int32)], True, bgr, thick)
    x, y = corners_px.mean(0) - (0.3 * np.ptp(corners_px[:, 0]), -12 * size if below else 12 * size)
    at = (round(float(x)), round(float(y)))
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), thick * 3, cv2.LINE_AA)
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, (255, 255, 255), thick, cv2.LINE_AA)
