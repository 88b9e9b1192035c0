"""Overlays: what was read drawn onto the picture, the sheet beside it. Pure: a new picture comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]

SURE: Colour = (90, 200, 60)
DOUBTFUL: Colour = (40, 170, 255)
UNKNOWN: Colour = (160, 160, 160)
ENCLOSED: Colour = (255, 190, 60)
STRING: Mapping[str, Colour] = {"field": (40, 90, 150), "research": (220, 120, 40)}
PAPER: Colour = (250, 248, 245)
INK: Colour = (40, 34, 30)
SHIFT = 4
"""Fractional bits of drawn coordinates."""
FONT = cv2.FONT_HERSHEY_SIMPLEX


def annotated(image: Image, answer: Mapping[str, Any]) -> Image:
    """Draw an answer (the contract's JSON) onto its BGR picture, the sheet in a column on the right."""
    out = image.copy()
    unit = max(image.shape[:2]) / 1280
    asked = {q["piece"] for q in answer["questions"]}
    _shade(out, answer)
    for string in answer["strings"]:
        if "path_px" in string:
            _line(
                out,
                string["path_px"],
                STRING.get(string["name"], (200, 80, 200)),
                max(1, round(1.5 * unit)),
                closed=string["closed"],
            )
    for piece in answer["pieces"]:
        if "corners_px" in piece:
            _piece(out, piece, unit, doubtful=piece["id"] in asked)
    column = _column(answer, out.shape[0], round(430 * max(unit, 0.6)), max(unit, 0.6))
    return np.hstack([out, column])


def _fixed(points: Sequence[Sequence[float]]) -> npt.NDArray[np.int32]:
    return np.round(np.asarray(points, float) * (1 << SHIFT)).astype(np.int32)


def _line(out: Image, points: Sequence[Sequence[float]], colour: Colour, width: int, *, closed: bool = True) -> None:
    if len(points) > 1:
        cv2.polylines(out, [_fixed(points)], closed, colour, width, cv2.LINE_AA, SHIFT)


def _shade(out: Image, answer: Mapping[str, Any]) -> None:
    """Tint what the research string encloses."""
    path = next(
        (s["path_px"] for s in answer["strings"] if s["name"] == "research" and s["closed"] and "path_px" in s), None
    )
    if path is None:
        return
    tint = out.copy()
    cv2.fillPoly(tint, [_fixed(path)], ENCLOSED, cv2.LINE_AA, SHIFT)
    cv2.addWeighted(tint, 0.22, out, 0.78, 0, dst=out)


def _piece(out: Image, piece: Mapping[str, Any], unit: float, *, doubtful: bool) -> None:
    label = piece["label"] or " ".join(piece.get("sequence") or []) or ("photo" if piece["kind"] == "photo" else None)
    colour = DOUBTFUL if doubtful else SURE if label else UNKNOWN
    corners = np.asarray(piece["corners_px"], float)
    _line(out, piece["corners_px"], colour, max(1, round(1.6 * unit)))
    _line(out, piece["corners_px"][:2], colour, max(2, round(3.2 * unit)), closed=False)  # the thick side is its top
    if piece["kind"] == "marker":
        return
    text = f"{label or '?'}{' ?' if doubtful else ''}"
    size = 0.42 * unit
    (w, h), _ = cv2.getTextSize(text, FONT, size, 1)
    x = corners[:, 0].mean()
    place = (int(x - w / 2), int(corners[:, 1].max() + h + 4 * unit))
    cv2.putText(out, text, place, FONT, size, (0, 0, 0), max(2, round(3 * unit)), cv2.LINE_AA)
    cv2.putText(out, text, place, FONT, size, (255, 255, 255), 1, cv2.LINE_AA)


def _column(answer: Mapping[str, Any], height: int, width: int, unit: float) -> Image:
    """Write the sheet into a column of its own, smaller where it is long."""
    lines = _lines(answer)
    size = min(0.52 * unit, 0.9 * height / max(len(lines), 1) / 26)
    column = np.full((height, width, 3), PAPER, np.uint8)
    y = 0.0
    for text, strong in lines:
        for part in _wrapped(text, size, width - 24):
            y += 26 * size / 0.52 * 0.82
            cv2.putText(column, part, (12, int(y)), FONT, size, INK, 2 if strong else 1, cv2.LINE_AA)
    return column


def _wrapped(text: str, size: float, width: int) -> list[str]:
    rows, row = [], ""
    for word in text.split():
        longer = f"{row} {word}".strip()
        if row and cv2.getTextSize(longer, FONT, size, 1)[0][0] > width:
            rows.append(row)
            longer = "  " + word
        row = longer
    return [*rows, row]


def _lines(answer: Mapping[str, Any]) -> list[tuple[str, bool]]:
    """Return the sheet's lines and whether each is strong; only letters that OpenCV's font has."""
    lines: list[tuple[str, bool]] = [(answer["game"].replace("-", " ").title(), True)]
    lines += [(text, text[:1] != " ") for text in _sheet(answer)]
    lines += [("Problem: " + p["message"], False) for p in answer["problems"]]
    lines += [("Question: " + q["message"], True) for q in answer["questions"]]
    if answer["certain"]:
        lines.append(("Certain.", True))
    return [(text.encode("ascii", "replace").decode(), strong) for text, strong in lines]


def _sheet(answer: Mapping[str, Any]) -> list[str]:
    sheet = answer["sheet"]
    if "ring" in sheet:
        out = ["Ring of " + str(len(sheet["ring"]))]
        for photo in sheet["photos"]:
            out.append(f"Photo: {'right' if photo['valid'] else 'not there'}")
            out += [" " + line["reason"] for line in photo["lines"]]
        return out
    if isinstance(sheet.get("players"), list):
        return [
            row
            for p in sheet["players"]
            for row in (
                f"Seat {p['seat']}: {p['total'] if p['complete'] else p['visible_total']}",
                *_points(p["lines"]),
            )
        ]
    if "players" in sheet:
        return [row for name, p in sheet["players"].items() for row in (f"{name}: {p['total']}", *_points(p["lines"]))]
    turn = sheet.get("turn") or {"player": "No turn", "points": "", "lines": []}
    return [
        f"Encloses {len(sheet['enclosed'])}, {'legal' if sheet['legal'] else 'not legal'}",
        f"{turn['player']}: {turn['points']}",
        *_points(turn["lines"]),
    ]


def _points(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    return [f" {line['points']:+d} {line['reason']}" for line in lines]
