"""Grids and rings drawn in words, as a rulebook would, and laid out true to size.

    seat: fox rabbit lion / back . ?    Paper Safari: a player's two rows; back: face down, .: not seen, ?: not known
    beside: back crocodile              the draw pile and the discards
    ring: lion zebra giraffe@180 …      Kleine Fotosafari: counter-clockwise from above; @: how far a head is turned
    pile: zebra                         the pile's open card
    photo: lion zebra lion              the photo card beside the ring; another lies farther off

A label may bear a number, "fox#7", as its piece's id. Labels are percent-encoded where needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import count
from urllib.parse import quote, unquote

from scoring import grids, rings
from scoring.layout import Pose, corners_mm
from scoring.table import BACK, Kind, Piece, Point, Table

STEP_X, STEP_Y = 1.15, 1.1
"""From card to card of a grid, in card widths and heights."""
STEP_RING = 1.4
"""From card to card of a ring, in card widths."""
ROOM = 0.5
"""Between players' grids, in card heights."""
MISSING = "."
PHOTO_MM = (32.0, 44.0)
"""A photo card's width for each of its animals, and its height."""
FAR = 6.0
"""How far off the ring a photo card lies that is not the claim, in card heights."""


def sketched(lines: Sequence[str], first_id: int, size_mm: tuple[float, float]) -> tuple[Piece, ...]:
    """Lay out sketch lines. `first_id`: of pieces that bear no number. ValueError where a line is no sketch."""
    drawn = [(key, words.split()) for key, _, words in (line.partition(":") for line in lines)]
    for key, _ in drawn:
        if key not in ("seat", "beside", "ring", "pile", "photo"):
            raise ValueError(f"expected seat:, beside:, ring:, pile: or photo:, got {key!r}")
    seats = [_rows(words) for key, words in drawn if key == "seat"]
    ids = count(first_id)
    pieces: list[Piece] = []
    for seat, rows in enumerate(seats):
        pieces += _grid(rows, seat, len(seats), size_mm, ids)
    photos = 0
    for key, words in drawn:
        if key == "beside":
            pieces += _row_of(words, (0.0, 0.0), STEP_X * 1.2 * size_mm[0], size_mm, ids)
        elif key == "ring":
            pieces += _circle(words, size_mm, ids)
        elif key == "pile":
            pieces += _row_of(words, (0.0, 0.0), 0.2 * size_mm[0], size_mm, ids)
        elif key == "photo":
            ring = next((w for k, w in drawn if k == "ring"), [])
            pieces.append(_photo(words, _radius(len(ring), size_mm) + (0.9 + FAR * photos) * size_mm[1], ids))
            photos += 1
    return tuple(pieces)


def _rows(words: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    if len(words) != 7 or words[3] != "/":
        raise ValueError(f"expected two rows of three as in a b c / d e f, got {' '.join(words)!r}")
    return words[:3], words[4:]


def _card(kind: Kind, word: str, at: Point, up_deg: float, size_mm: tuple[float, float], ids: Iterator[int]) -> Piece:
    """Lay one piece; its word is a label, perhaps with "@" how far it is turned and "#" its id."""
    word, _, number = word.partition("#")
    word, _, turned = word.partition("@")
    up = up_deg + (float(turned) if turned else 0.0)
    turn = math.radians(up)
    outline = corners_mm(Pose(0, *at, (math.cos(turn), math.sin(turn)), *size_mm))
    piece_id = int(number) if number else next(ids)
    return Piece(piece_id, kind, None if word == "?" else unquote(word), outline, up)


def _grid(
    rows: tuple[Sequence[str], Sequence[str]], seat: int, seats: int, size_mm: tuple[float, float], ids: Iterator[int]
) -> Iterator[Piece]:
    """Lay a player's six cards, the players clockwise from the viewer on."""
    width, height = size_mm
    out = (STEP_Y + 1.6) * height if seats > 1 else 2 * STEP_Y * height
    if seats > 2:
        out = max(out, (1.5 * STEP_X * width + ROOM * height) / math.tan(math.pi / seats) + (STEP_Y + ROOM) * height)
    bearing = -math.pi / 2 - math.tau * seat / seats
    down = math.cos(bearing), math.sin(bearing)
    right = -down[1], down[0]
    for r, row in enumerate(rows):
        for c, word in enumerate(row):
            x, y = (c - 1) * STEP_X * width, out + (r - 0.5) * STEP_Y * height
            if word != MISSING:
                at = x * right[0] + y * down[0], x * right[1] + y * down[1]
                yield _card("card", word, at, math.degrees(bearing) + 180, size_mm, ids)


def _row_of(
    words: Sequence[str], middle: Point, step_mm: float, size_mm: tuple[float, float], ids: Iterator[int]
) -> Iterator[Piece]:
    """Lay cards side by side."""
    for i, word in enumerate(words):
        yield _card("card", word, (middle[0] + (i - (len(words) - 1) / 2) * step_mm, middle[1]), 90.0, size_mm, ids)


def _radius(cards: int, size_mm: tuple[float, float]) -> float:
    return max(STEP_RING * size_mm[0] * cards / math.tau, size_mm[0] + size_mm[1])


def _circle(words: Sequence[str], size_mm: tuple[float, float], ids: Iterator[int]) -> Iterator[Piece]:
    """Lay a ring, heads to the middle, counter-clockwise from the viewer on."""
    radius = _radius(len(words), size_mm)
    for i, word in enumerate(words):
        bearing = -math.pi / 2 + math.tau * i / len(words)
        if word != MISSING:
            at = radius * math.cos(bearing), radius * math.sin(bearing)
            yield _card("card", word, at, math.degrees(bearing) + 180, size_mm, ids)


def _photo(words: Sequence[str], out_mm: float, ids: Iterator[int]) -> Piece:
    """Lay a photo card beyond the ring, on the viewer's side."""
    labels = tuple(unquote(w.partition("#")[0]) for w in words)
    number = words[0].partition("#")[2] if words else ""
    half_w, half_h = PHOTO_MM[0] * max(len(words), 1) / 2, PHOTO_MM[1] / 2
    outline = tuple((x * half_w, -out_mm + y * half_h) for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1)))
    return Piece(int(number) if number else next(ids), "photo", None, outline, 90.0, sequence=labels)


def sketch(table: Table) -> str:
    """Draw a table's grids, or its ring, in words; places are lost, what lies where is kept."""
    lines = list(_drawn_ring(table)) if any(p.kind == "photo" for p in table.pieces) else []
    laid = grids.find(table.pieces)
    if not lines and laid.grids:
        lines = ["seat: " + " / ".join(" ".join(map(_word, row)) for row in grid.rows) for grid in laid.grids]
        lines += ["beside: " + " ".join(map(_word, laid.loose))] if laid.loose else []
    return "\n".join(lines or _drawn_ring(table))


def _drawn_ring(table: Table) -> Iterator[str]:
    ring = rings.find(table.pieces)
    if ring.places:
        yield "ring: " + " ".join(
            _word(p.card) + (f"@{p.turned_deg:.0f}" if p.turned_away else "") for p in ring.places
        )
    if ring.pile:
        yield "pile: " + " ".join(map(_word, ring.pile))
    for photo in (*ring.claims, *ring.other_photos):
        yield "photo: " + " ".join(quote(a, safe="-_") for a in photo.sequence or ())


def _word(card: Piece | None) -> str:
    if card is None:
        return MISSING
    return BACK if card.label == BACK else "?" if card.label is None else quote(card.label, safe="-_")
