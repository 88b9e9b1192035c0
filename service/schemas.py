"""The contract's JSON for pieces, strings and answers, to and from the table the rules speak of.

Plain checks, no model classes: a thousand tables are read in well under a second. SchemaError says in one line what is
wrong, where, and what was expected.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, get_args

from scoring.sheet import Answer
from scoring.table import Kind, Piece, Point, String, Table

SCHEMA = 1
KINDS: tuple[str, ...] = get_args(Kind)
FAR_MM = 100_000.0
"""No table reaches a hundred metres; larger numbers are a mistake, and would overflow in products."""
NUMBERS = (int, float)
"""A number in JSON; true and false are none."""
PX_PIECES = 4
"""So many pieces with corners in px tell well enough which way the picture's bottom edge lies."""
FLAT = ("coin", "research")
"""Pieces that may come without an outline: a stash counts them, wherever they lie."""
SHOWN = 30
"""How many characters of a wrong value a message shows."""


class SchemaError(ValueError):
    """JSON that is not a table as the contract writes it; the message is one line."""


def table_from(data: Mapping[str, Any]) -> Table:
    """Read an answer's `pieces` and `strings`; SchemaError where they are not as the contract writes them."""
    pieces = tuple(piece_from(p, f"pieces[{i}]") for i, p in enumerate(_list(data.get("pieces"), "pieces")))
    ids = {p.id for p in pieces}
    if len(ids) < len(pieces):
        twice = next(i for i in sorted(ids) if sum(p.id == i for p in pieces) > 1)
        raise SchemaError(f"pieces: the id {twice} is borne by more than one")
    strings = tuple(string_from(s, f"strings[{i}]") for i, s in enumerate(_list(data.get("strings"), "strings")))
    places = _list(data.get("unseen_mm"), "unseen_mm")
    return Table(pieces, strings, tuple(_points(p, f"unseen_mm[{i}]", "place") for i, p in enumerate(places)))


def piece_from(data: Any, where: str) -> Piece:
    """Read one piece; SchemaError where it is none."""
    given = _object(data, where)
    kind = given.get("kind")
    if kind not in KINDS:
        raise _wrong(f"{where}.kind", f"one of {', '.join(KINDS)}", kind)
    outline = _points(given.get("outline_mm"), where, "outline_mm")
    if not outline and kind not in FLAT:
        raise SchemaError(f"{where}.outline_mm: missing; expected the piece's corners, [[x, y], …], in mm")
    up, on, radius = given.get("up_deg"), given.get("on"), given.get("corner_radius_mm")
    return Piece(
        id=_whole(given.get("id"), where, "id"),
        kind=kind,
        label=_text_or_none(given.get("label"), where, "label"),
        outline_mm=outline,
        up_deg=_up_deg(outline) if up is None else _degrees(up, where, "up_deg"),
        probability=_share(given.get("probability", 1.0), where, "probability"),
        candidates=_candidates(given.get("candidates"), where, "candidates"),
        on=None if on is None else _whole(on, where, "on"),
        sequence=_sequence_or_none(given.get("sequence"), where, "sequence"),
        sequence_candidates=_sequences(given.get("sequence_candidates"), where, "sequence_candidates"),
        sigma_mm=_length(given.get("sigma_mm", 0.0), where, "sigma_mm"),
        corner_radius_mm=None if radius is None else _length(radius, where, "corner_radius_mm"),
    )


def string_from(data: Any, where: str) -> String:
    """Read one string; SchemaError where it is none."""
    given = _object(data, where)
    name, closed = given.get("name"), given.get("closed", True)
    if not isinstance(name, str):
        raise _wrong(f"{where}.name", "text", name)
    if not isinstance(closed, bool):
        raise _wrong(f"{where}.closed", "true or false", closed)
    path = _points(given.get("path_mm"), where, "path_mm")
    sigmas = _list(given.get("sigma_mm"), where, "sigma_mm")
    if sigmas and len(sigmas) != len(path):
        raise SchemaError(f"{where}.sigma_mm: expected {len(path)} numbers, one a point of the path, got {len(sigmas)}")
    return String(
        name=name,
        closed=closed,
        path_mm=path,
        width_mm=_length(given.get("width_mm"), where, "width_mm"),
        visible=_share(given.get("visible", 1.0), where, "visible"),
        sigma_mm=tuple(_length(s, f"{where}.sigma_mm[{i}]") for i, s in enumerate(sigmas)),
    )


def stashes_from(value: Any) -> dict[str, tuple[Piece, ...]]:
    """Read stashes: a player to an answer's pieces, or to an answer that holds them."""
    stashes: dict[str, tuple[Piece, ...]] = {}
    for player, held in _object(value, "stash").items():
        pieces = held.get("pieces") if isinstance(held, dict) else held
        where = f"stash.{player}"
        stashes[player] = tuple(piece_from(p, f"{where}[{i}]") for i, p in enumerate(_list(pieces, where)))
    return stashes


def piece_json(piece: Piece, corners_px: Iterable[Sequence[float]] | None = None) -> dict[str, Any]:
    """Return a piece as the contract writes it; `corners_px`: its corners in the picture, where there is one."""
    found: dict[str, Any] = {
        "id": piece.id,
        "kind": piece.kind,
        "label": piece.label,
        "probability": round(piece.probability, 4),
        "candidates": [[label, round(p, 4)] for label, p in piece.candidates],
        "outline_mm": _rounded(piece.outline_mm, 3),
        "up_deg": round(piece.up_deg, 3),
    }
    if corners_px is not None:
        found["corners_px"] = _rounded(corners_px, 2)
    if piece.sigma_mm:
        found["sigma_mm"] = round(piece.sigma_mm, 4)
    if piece.corner_radius_mm is not None:
        found["corner_radius_mm"] = round(piece.corner_radius_mm, 3)
    if piece.on is not None:
        found["on"] = piece.on
    if piece.kind == "photo":
        found["sequence"] = None if piece.sequence is None else list(piece.sequence)
    if piece.sequence_candidates:
        found["sequence_candidates"] = [[list(s), round(p, 4)] for s, p in piece.sequence_candidates]
    return found


def string_json(string: String, path_px: Iterable[Sequence[float]] | None = None) -> dict[str, Any]:
    """Return a string as the contract writes it; `path_px`: its centreline in the picture, where there is one."""
    found: dict[str, Any] = {
        "name": string.name,
        "closed": string.closed,
        "path_mm": _rounded(string.path_mm, 3),
        "width_mm": round(string.width_mm, 3),
        "visible": round(string.visible, 4),
    }
    if path_px is not None:
        found["path_px"] = _rounded(path_px, 2)
    if string.sigma_mm:
        found["sigma_mm"] = [round(s, 4) for s in string.sigma_mm]
    return found


def answer_json(
    answer: Answer,
    deck: str,
    pieces: Sequence[Mapping[str, Any]],
    strings: Sequence[Mapping[str, Any]],
    image: Mapping[str, Any] | None = None,
    unseen_mm: Sequence[Sequence[Sequence[float]]] = (),
) -> dict[str, Any]:
    """Return a whole answer as the contract writes it, from its pieces and strings as JSON."""
    head: dict[str, Any] = {"schema": SCHEMA, "game": answer.game, "deck": deck}
    if image is not None:
        head["image"] = dict(image)
    judged = dict(answer.to_json())
    head["certain"] = judged.pop("certain")
    unseen = {"unseen_mm": [_rounded(place, 3) for place in unseen_mm]} if unseen_mm else {}
    return {**head, "pieces": list(pieces), "strings": list(strings), **unseen, **judged}


def near_from(pieces: Sequence[Mapping[str, Any]]) -> Point | None:
    """Return the direction on the table to the picture's bottom edge, a unit vector; None without corners in px."""
    x = y = 0.0
    corners = ((piece.get("outline_mm"), piece.get("corners_px")) for piece in pieces)
    both = ((m, p) for m, p in corners if isinstance(m, list) and isinstance(p, list) and len(m) == len(p) == 4)
    for mm, px in islice(both, PX_PIECES):
        try:
            down_mm = _px_down(mm, px)
        except (TypeError, ValueError, LookupError, ZeroDivisionError, OverflowError):
            continue  # without px the pieces still count; only whose seat is 0 is then free
        x, y = x + down_mm[0], y + down_mm[1]
    length = math.hypot(x, y)
    return (x / length, y / length) if math.isfinite(length) and length > 0 else None


def _px_down(mm: list[Any], px: list[Any]) -> Point:
    """Return the unit direction in mm that points down the picture at one piece, by its two diagonals."""
    (ax, ay), (bx, by) = ((px[2][k] - px[0][k] for k in (0, 1)), (px[3][k] - px[1][k] for k in (0, 1)))
    scale = 1 / (ax * by - bx * ay)
    s, t = -bx * scale, ax * scale  # s · first diagonal + t · second = (0, 1) in px
    down = [s * (mm[2][k] - mm[0][k]) + t * (mm[3][k] - mm[1][k]) for k in (0, 1)]
    length = math.hypot(*down)
    return down[0] / length, down[1] / length


def _wrong(where: str, expected: str, got: Any, key: str = "") -> SchemaError:
    """Return the error of a wrong value; `key`: which of the object's at `where`, put together only here."""
    text = repr(got)
    at = f"{where}.{key}" if key else where
    return SchemaError(f"{at}: expected {expected}, got {text[:SHOWN]}{'…' if len(text) > SHOWN else ''}")


def _object(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(where, "an object", value)
    return value


def _list(value: Any, where: str, key: str = "") -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise _wrong(where, "a list", value, key)
    return value


def _degrees(value: Any, where: str, key: str = "") -> float:
    if type(value) not in NUMBERS or not -FAR_MM <= value <= FAR_MM:
        raise _wrong(where, "an angle in degrees", value, key)
    return float(value)


def _length(value: Any, where: str, key: str = "") -> float:
    if type(value) not in NUMBERS or not 0 <= value <= FAR_MM:
        raise _wrong(where, "a length in mm of 0 or more", value, key)
    return float(value)


def _share(value: Any, where: str, key: str = "") -> float:
    if type(value) not in NUMBERS or not 0 <= value <= 1:
        raise _wrong(where, "a number from 0 to 1", value, key)
    return float(value)


def _whole(value: Any, where: str, key: str = "") -> int:
    if type(value) is not int or not -FAR_MM <= value <= FAR_MM:
        raise _wrong(where, "a whole number", value, key)
    return value


def _text_or_none(value: Any, where: str, key: str = "") -> str | None:
    if value is not None and not isinstance(value, str):
        raise _wrong(where, "text or null", value, key)
    return value


def _points(value: Any, where: str, key: str = "") -> tuple[Point, ...]:
    try:
        points = tuple([(x, y) for x, y in _list(value, where, key)])
    except (TypeError, ValueError):
        raise _wrong(where, "points, [[x, y], …]", value, key) from None
    whole = False
    for i, (x, y) in enumerate(points):
        if type(x) is float and type(y) is float and -FAR_MM <= x <= FAR_MM and -FAR_MM <= y <= FAR_MM:
            continue  # nearly all; NaN compares false
        if not (type(x) in NUMBERS and -FAR_MM <= x <= FAR_MM and type(y) in NUMBERS and -FAR_MM <= y <= FAR_MM):
            raise _wrong(where, f"two finite numbers within ±{FAR_MM:g}", [x, y], f"{key}[{i}]")
        whole = True
    return tuple([(float(x), float(y)) for x, y in points]) if whole else points


def _candidates(value: Any, where: str, key: str) -> tuple[tuple[str, float], ...]:
    found: list[tuple[str, float]] = []
    for i, pair in enumerate(_list(value, where, key)):
        if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], str | None):
            raise _wrong(where, "[label, probability]", pair, f"{key}[{i}]")
        if pair[0] is not None:  # null: none of this deck, which is no face to choose
            found.append((pair[0], _share(pair[1], where, f"{key}[{i}]")))
    return tuple(found)


def _sequence_or_none(value: Any, where: str, key: str = "") -> tuple[str, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(label, str) for label in value):
        raise _wrong(where, "a list of labels", value, key)
    return tuple(value)


def _sequences(value: Any, where: str, key: str) -> tuple[tuple[tuple[str, ...], float], ...]:
    found: list[tuple[tuple[str, ...], float]] = []
    for i, pair in enumerate(_list(value, where, key)):
        at = f"{key}[{i}]"
        sequence = _sequence_or_none(pair[0], where, at) if isinstance(pair, list) and len(pair) == 2 else None
        if sequence is None:
            raise _wrong(where, "[labels, probability]", pair, at)
        found.append((sequence, _share(pair[1], where, at)))
    return tuple(found)


def _up_deg(outline: tuple[Point, ...]) -> float:
    """Return where a piece's printed top points, from its corners; 90° where it has no four."""
    if len(outline) != 4:
        return 90.0
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = outline
    return math.degrees(math.atan2(ay + by - cy - dy, ax + bx - cx - dx))


def _rounded(points: Iterable[Sequence[float]], digits: int) -> list[list[float]]:
    return [[round(float(x), digits), round(float(y), digits)] for x, y in points]
