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
STRING: Mapping[str, Colour] = {"field": (80, 220, 250), "research": (250, 170, 40)}
CASING: Colour = (20, 20, 20)
"""Around lines and behind names, so that they show on any table."""
PAPER: Colour = (250, 248, 245)
INK: Colour = (40, 34, 30)
SHIFT = 4
"""Fractional bits of drawn coordinates."""
FONT = cv2.FONT_HERSHEY_SIMPLEX
LEADING = 41
"""Pixels from line to line, for letters of scale 1."""
SMALLEST = 0.2
"""The scale below which letters cannot be read: then lines overlap rather than shrink."""


def annotated(image: Image, answer: Mapping[str, Any], words: Sequence[str]) -> Image:
    """Draw an answer (the contract's JSON) onto its BGR picture; `words`, the same in lines, in a column beside."""
    out = image.copy()
    unit = max(image.shape[:2]) / 1280
    asked = {q["piece"] for q in answer["questions"]}
    _shade(out, answer)
    for string in answer["strings"]:
        if "path_px" in string:
            path, closed = string["path_px"], string["closed"]
            width = max(2, round(1.5 * unit))
            _line(out, path, CASING, width + 2, closed=closed)
            _line(out, path, STRING.get(string["name"], (200, 80, 200)), width, closed=closed)
    shown = [p for p in answer["pieces"] if "corners_px" in p]
    for piece in shown:
        _outline(out, piece, unit, _colour(piece, doubtful=piece["id"] in asked))
    for piece in shown:  # on top of all outlines
        if piece["kind"] != "marker":
            _name(out, piece, unit, doubtful=piece["id"] in asked)
    column = _column(_headed(answer, words), out.shape[0], round(430 * max(unit, 0.6)), max(unit, 0.6))
    return np.hstack([out, column])


def _fixed(points: Sequence[Sequence[float]]) -> npt.NDArray[np.int32]:
    """Return an answer's px as OpenCV draws them: it counts from the middle of the first px."""
    return np.round((np.asarray(points, float) - 0.5) * (1 << SHIFT)).astype(np.int32)


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


def _said(piece: Mapping[str, Any]) -> str | None:
    if piece["label"] is None and piece["kind"] == "photo":
        return " ".join(piece.get("sequence") or []) or "photo"
    return str(piece["label"]) if piece["label"] is not None else None


def _colour(piece: Mapping[str, Any], *, doubtful: bool) -> Colour:
    return DOUBTFUL if doubtful else SURE if _said(piece) else UNKNOWN


def _outline(out: Image, piece: Mapping[str, Any], unit: float, colour: Colour) -> None:
    _line(out, piece["corners_px"], colour, max(1, round(1.6 * unit)))
    _line(out, piece["corners_px"][:2], colour, max(2, round(3.2 * unit)), closed=False)  # the thick side is its top


def _name(out: Image, piece: Mapping[str, Any], unit: float, *, doubtful: bool) -> None:
    """Write a piece's name on a dark plate that covers its lower rim."""
    text = f"{_said(piece) or '?'}{' ?' if doubtful else ''}"
    size, rim = 0.42 * max(unit, 0.8), round(3 * unit) + 1
    (w, h), low = cv2.getTextSize(text, FONT, size, 1)
    corners = np.asarray(piece["corners_px"], float)
    highest = max(out.shape[0] - low - rim, h + rim)
    x = int(np.clip(corners[:, 0].mean() - w / 2, rim, max(out.shape[1] - w - rim, rim)))
    y = int(np.clip(corners[:, 1].max() + h / 2, h + rim, highest))
    cv2.rectangle(out, (x - rim, y - h - rim), (x + w + rim, y + low + rim // 2), CASING, cv2.FILLED)
    cv2.putText(out, text, (x, y), FONT, size, DOUBTFUL if doubtful else (255, 255, 255), 1, cv2.LINE_AA)


def _column(lines: Sequence[tuple[str, bool]], height: int, width: int, unit: float) -> Image:
    """Write lines, some of them strong, into a column of its own, smaller where they are many or long."""
    size = 0.52 * unit
    while True:
        rows = [(part, thick) for text, thick in _plain(lines) for part in _wrapped(text, size, thick, width - 24)]
        pitch = height / (len(rows) + 1)
        if LEADING * size <= pitch or size < SMALLEST:
            break
        size *= 0.9
    column = np.full((height, width, 3), PAPER, np.uint8)
    for k, (part, thick) in enumerate(rows, 1):
        at = (12, round(k * min(LEADING * size, pitch)))
        cv2.putText(column, part, at, FONT, size, INK, thick, cv2.LINE_AA)
    return column


def _plain(lines: Sequence[tuple[str, bool]]) -> list[tuple[str, int]]:
    """Return lines in the letters that every OpenCV's font has, and how thick each is."""
    return [(text.encode("ascii", "replace").decode(), 2 if strong else 1) for text, strong in lines]


def _wrapped(text: str, size: float, thick: int, width: int) -> list[str]:
    """Break a line where it is too wide; strong letters are wider."""
    rows, row = [], ""
    for word in text.split():
        longer = f"{row} {word}" if row.strip() else row + word
        if row.strip() and cv2.getTextSize(longer, FONT, size, thick)[0][0] > width:
            rows.append(row)
            longer = "  " + word
        row = longer
    return [*rows, row]


def _headed(answer: Mapping[str, Any], words: Sequence[str]) -> list[tuple[str, bool]]:
    """Return the sheet's lines and whether each is strong: the game, what counts, what is asked."""
    title = answer["game"].replace("-", " ").title()
    lines = [(text, not text.startswith((" ", "problem"))) for text in words]
    return [(title, True), *lines, ("Certain." if answer["certain"] else "Not certain yet.", True)]
