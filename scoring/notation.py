"""A table as text and back: one line a piece or string, or a sketch of grids and rings that reads like the rulebook.

    card fox 12.5,40 size 63x88 up 90        a piece: kind, label, centre in mm; what is left out has its usual value
    string research closed width 3 path 0,0 100,0 100,100
    seat: fox rabbit lion / back . ?         a sketch: see `scoring.sketch`
    ; a remark

`parse(format(table))` is the table, places to 0.01 mm and directions to 0.001°. Labels are percent-encoded.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import get_args
from urllib.parse import quote, unquote

from scoring.layout import Pose, corners_mm, pose
from scoring.sketch import sketched
from scoring.table import Kind, Piece, Point, String, Table

TOLERANCE_MM = 0.01
"""Written places are this near to the table's own."""
TOLERANCE_DEG = 0.001
"""Written directions are this near to the table's own."""
UNKNOWN = "?"
"""How a label that is not known is written."""
KINDS: tuple[str, ...] = get_args(Kind)


class NotationError(ValueError):
    """A line that is no notation; the message names the line, and what was expected."""


def format(table: Table) -> str:
    """Write a table as text, a line a piece and string."""
    return "\n".join([*map(_piece_line, table.pieces), *map(_string_line, table.strings)])


def parse(text: str, size_mm: tuple[float, float] = (63.0, 88.0)) -> Table:
    """Read a table from text. `size_mm`: of pieces whose line does not say it. NotationError where a line is none."""
    lines = [line.split(";")[0].strip() for line in text.splitlines()]
    drawn = [line for line in lines if _is_sketch(line)]
    pieces: list[Piece] = []
    strings: list[String] = []
    for line in lines:
        words = line.split()
        if not words or _is_sketch(line):
            continue
        try:
            if words[0] == "string":
                strings.append(_string(words[1:]))
            else:
                pieces.append(_piece(words, len(pieces), size_mm))
        except (ValueError, KeyError, IndexError) as error:
            raise NotationError(f"{line!r}: {error}") from None
    try:
        return Table((*pieces, *sketched(drawn, len(pieces), size_mm)), tuple(strings))
    except ValueError as error:
        raise NotationError(str(error)) from None


def _is_sketch(line: str) -> bool:
    return line.split(" ")[0].endswith(":")


def label_text(label: str | None) -> str:
    """Write a label as one word."""
    return UNKNOWN if label is None else quote(label, safe="-_")


def label_of(word: str) -> str | None:
    """Read a label from one word."""
    return None if word == UNKNOWN else unquote(word)


def _number(value: float, digits: int = 2) -> str:
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def _exact(value: float) -> str:
    return repr(float(value))


def _point(p: Point) -> str:
    return f"{_number(p[0])},{_number(p[1])}"


def _piece_line(piece: Piece) -> str:
    at = pose(piece)
    words = [piece.kind, label_text(piece.label)]
    if at is not None and _is_rectangle(piece, at):
        words += [
            f"{_number(at.x, 3)},{_number(at.y, 3)}",
            "size",
            f"{_number(at.width_mm, 3)}x{_number(at.height_mm, 3)}",
        ]
    else:
        words += ["corners", *map(_point, piece.outline_mm)]
    words += ["up", _number(piece.up_deg, 4), "id", str(piece.id)]
    if piece.on is not None:
        words += ["on", str(piece.on)]
    if piece.sequence is not None:
        words += ["shows", _sequence_text(piece.sequence)]
    if piece.probability != 1.0:
        words += ["p", _exact(piece.probability)]
    if piece.candidates:
        words += ["or", *(f"{label_text(label)}:{_exact(p)}" for label, p in piece.candidates)]
    if piece.sequence_candidates:
        words += ["or-shows", *(f"{_sequence_text(s)}:{_exact(p)}" for s, p in piece.sequence_candidates)]
    if piece.sigma_mm:
        words += ["sigma", _exact(piece.sigma_mm)]
    if piece.corner_radius_mm is not None:
        words += ["round", _exact(piece.corner_radius_mm)]
    return " ".join(words)


def _is_rectangle(piece: Piece, at: Pose) -> bool:
    """Tell whether a centre, a size and a direction say all there is to an outline."""
    return all(math.dist(a, b) < TOLERANCE_MM / 4 for a, b in zip(piece.outline_mm, corners_mm(at), strict=True))


def _sequence_text(sequence: Sequence[str]) -> str:
    return ",".join(map(label_text, sequence)) or ","


def _sequence_of(word: str) -> tuple[str, ...]:
    return tuple(unquote(w) for w in word.split(",") if w)


def _string_line(string: String) -> str:
    words = ["string", label_text(string.name), "closed" if string.closed else "open", "width", _exact(string.width_mm)]
    if string.visible != 1.0:
        words += ["visible", _exact(string.visible)]
    words += ["path", *map(_point, string.path_mm)]
    if string.sigma_mm:
        words += ["sigma", *map(_exact, string.sigma_mm)]
    return " ".join(words)


PIECE_KEYS = ("size", "corners", "up", "id", "on", "shows", "p", "or", "or-shows", "sigma", "round")
STRING_KEYS = ("width", "visible", "path", "sigma")


def _parts(words: Iterable[str], keys: Sequence[str]) -> dict[str, list[str]]:
    """Gather words under the key before them; those before any key under ""."""
    parts: dict[str, list[str]] = {"": []}
    key = ""
    for word in words:
        if word in keys:
            key = word
            parts[key] = []
        else:
            parts[key].append(word)
    return parts


def _points(words: Iterable[str]) -> tuple[Point, ...]:
    return tuple(_pair(w, ",") for w in words)


def _pair(word: str, between: str) -> Point:
    a, found, b = word.partition(between)
    if not found:
        raise ValueError(f"expected two numbers as in 1{between}2, got {word!r}")
    return float(a), float(b)


def _piece(words: Sequence[str], next_id: int, size_mm: tuple[float, float]) -> Piece:
    kind = next((k for k in KINDS if k == words[0]), None)
    if kind is None:
        raise ValueError(f"expected one of {', '.join(KINDS)}, string, or a sketch, got {words[0]!r}")
    parts = _parts(words[2:], PIECE_KEYS)
    up = float(parts["up"][0]) if "up" in parts else 90.0
    if "corners" in parts:
        outline = _points(parts["corners"])
    else:
        x, y = _pair(parts[""][0], ",")
        outline = rectangle(x, y, _pair(parts["size"][0], "x") if "size" in parts else size_mm, up)
    return Piece(
        int(parts["id"][0]) if "id" in parts else next_id,
        kind,  # type: ignore[arg-type]  # one of Kind's own words
        label_of(words[1]),
        outline,
        up,
        float(parts["p"][0]) if "p" in parts else 1.0,
        tuple((unquote(w), p) for w, p in _weighed(parts.get("or", ()))),
        int(parts["on"][0]) if "on" in parts else None,
        _sequence_of(parts["shows"][0]) if "shows" in parts else None,
        tuple((_sequence_of(w), p) for w, p in _weighed(parts.get("or-shows", ()))),
        float(parts["sigma"][0]) if "sigma" in parts else 0.0,
        float(parts["round"][0]) if "round" in parts else None,
    )


def _weighed(words: Iterable[str]) -> Iterator[tuple[str, float]]:
    """Give (what, probability) from words as in fox:0.9."""
    for word in words:
        what, _, probability = word.rpartition(":")
        yield what, float(probability)


def rectangle(x: float, y: float, size_mm: tuple[float, float], up_deg: float) -> tuple[Point, ...]:
    """Return a rectangle's corners from its printed top-left on."""
    turn = math.radians(up_deg)
    return corners_mm(Pose(0, x, y, (math.cos(turn), math.sin(turn)), *size_mm))


def _string(words: Sequence[str]) -> String:
    parts = _parts(words[2:], STRING_KEYS)
    if words[1] not in ("closed", "open"):
        raise ValueError(f"expected closed or open, got {words[1]!r}")
    return String(
        unquote(words[0]),
        words[1] == "closed",
        _points(parts["path"]),
        float(parts["width"][0]),
        float(parts["visible"][0]) if "visible" in parts else 1.0,
        tuple(float(w) for w in parts.get("sigma", ())),
    )
