"""An evening of each game, step by step: the tables that lie there one after the other, and a film of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from decks.deck import Deck
from scoring.table import Piece, Point, String, Table
from synth import loops
from synth.foto_scene import photo_size
from synth.pictures import Pictures
from synth.render import Manner, photographs
from synth.stash_scene import RESEARCH_MM
from synth.string_scene import MARKER_MM
from synth.textures import Image
from synth.things import Outline, rectangle

CALM = Manner(1280, 720, most_tilt_deg=15.0, harsh=0.1, mess=0.0)
GAP_MM, APART_MM = 6.0, 40.0
RING = ("lion", "zebra", "elephant", "zebra", "giraffe", "elephant", "lion", "giraffe", "zebra", "elephant", "giraffe",
        "zebra")  # fmt: skip
"""Counter-clockwise seen from above."""
TILES = (
    "lion tiger gnu kudu", "fox rocky-area leopard owl", "zebra footprints hyena oryx", "lemur baboon gorilla bongo",
)  # fmt: skip
"""The field of String Safari, row by row, the farthest first."""
FPS, REST_S, HAND_S = 15, 2.5, 0.8
Grain = npt.NDArray[np.int16]
SKIN, ARM_PX = (120, 150, 205), 110
GRAINS = 3  # frames of it, over and over
NOISE = 1.5  # levels: a sensor's; without it a film looks like a camera that hangs


def paper(deck: Deck, steps: Sequence[Sequence[Sequence[str]]]) -> tuple[Table, ...]:
    """Lay two players' six cards, the first player near, at each step: six labels each, row by row as they see them."""
    return tuple(Table(tuple(_grids(deck, grids))) for grids in steps)


def _grids(deck: Deck, grids: Sequence[Sequence[str]]) -> list[Piece]:
    width, height = deck.edition.size_mm
    pieces: list[Piece] = []
    for side, labels in zip((1, -1), grids, strict=True):
        for k, label in enumerate(labels):
            x = side * (k % 3 - 1) * (width + GAP_MM)
            y = side * ((0.5 - k // 3) * (height + GAP_MM) - height - GAP_MM - APART_MM / 2)
            pieces.append(_piece(len(pieces), "card", label, (x, y), (width, height), 90.0 * side))
    return pieces


def foto(deck: Deck, ring: Sequence[str] = RING, photo: Sequence[str] = ()) -> Table:
    """Lay a ring of animals, counter-clockwise, heads to the middle, the pile's top, and a photo card to the right."""
    size = deck.edition.size_mm
    radius = len(ring) * size[0] * 1.2 / (2 * np.pi)
    pieces: list[Piece] = []
    for k, label in enumerate(ring):
        turn = 2 * np.pi * k / len(ring)
        place = float(radius * np.cos(turn)), float(radius * np.sin(turn))
        pieces.append(_piece(k, "card", label, place, size, float(np.rad2deg(turn)) + 180))
    pieces.append(_piece(len(pieces), "card", "elephant", (0.0, 0.0), size, 80.0))
    if photo:
        shot = _piece(len(pieces), "photo", "-".join(photo), (radius + 90.0, 0.0), photo_size(len(photo)), 180.0)
        pieces.append(replace(shot, sequence=tuple(photo)))
    return Table(tuple(pieces))


def string(
    deck: Deck, around: Sequence[str] = (), markers: Sequence[tuple[str, str]] = (), research: str | None = None
) -> Table:
    """Lay the field with its string; the research string around tiles by label; markers as (tile, whose).

    `research`: the player's research tile, right of the field.
    """
    size, width_mm = deck.edition.size_mm, deck.string_width_mm or 3.0
    step = size[0] + 24.0
    pieces: list[Piece] = []
    for row, labels in enumerate(TILES):
        for column, label in enumerate(labels.split()):
            place = (column - 1.5) * step, (1.5 - row) * step
            pieces.append(_piece(len(pieces), "tile", label, place, size, 90.0 + 4 * ((row + column) % 3 - 1)))
    ids = {str(piece.label): piece for piece in pieces}
    field = loops.wobbly(np.random.default_rng(3), 2.75 * step, (0.0, 0.0), 0.03)
    strings = [_string("field", field, width_mm)]
    if around:
        outline = loops.around([np.array(ids[label].outline_mm) for label in around], 9.0)
        strings.append(_string("research", loops.smoothed(outline, 4.0), width_mm))
    for label, whose in markers:
        cube = _piece(len(pieces), "marker", whose, ids[label].centre_mm, (MARKER_MM, MARKER_MM), 70.0)
        pieces.append(replace(cube, on=ids[label].id))
    if research is not None:
        size = (RESEARCH_MM, RESEARCH_MM)
        pieces.append(_piece(len(pieces), "research", research, (3.6 * step, 0.0), size, 90.0))
    return Table(tuple(pieces), tuple(strings))


def _piece(id: int, kind: str, label: str, place: Point, size: tuple[float, float], up_deg: float) -> Piece:
    outline = tuple((float(x), float(y)) for x, y in rectangle(place, size, up_deg))
    return Piece(id, kind, label, outline, up_deg % 360)  # type: ignore[arg-type]  # kind is one of Kind


def _string(name: str, path: Outline, width_mm: float) -> String:
    return String(name, True, tuple((float(x), float(y)) for x, y in path), width_mm)


def pictured(tables: Sequence[Table], deck: Deck, seed: int = 1, manner: Manner = CALM) -> list[Image]:
    """Photograph the tables of one evening."""
    return [image for image, _ in photographs(tables, deck, seed, manner, Pictures())]


def film(path: Path, shown: Sequence[Image], rest_s: float = REST_S, hand_s: float = HAND_S) -> Path:
    """Film tables one after the other: each lies there for a while, an arm over it before the next."""
    height, width = shown[0].shape[:2]
    grains = grain(shown[0])
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (width, height))
    for k, image in enumerate(shown):
        for n in range(round(hand_s * FPS) if k else 0):
            writer.write(noisy(with_arm(shown[k - 1], n), grains[n % len(grains)]))
        for n in range(round(rest_s * FPS)):
            writer.write(noisy(image, grains[n % len(grains)]))
    writer.release()
    return path


def grain(image: Image) -> list[Grain]:
    """Return a sensor's noise, once for each of a few frames."""
    rng = np.random.default_rng(0)
    return [rng.normal(0, NOISE, image.shape).astype(np.int16) for _ in range(GRAINS)]


def noisy(image: Image, grain: Grain) -> Image:
    """Return the picture with a sensor's noise."""
    return np.asarray(cv2.add(image, grain, dtype=cv2.CV_8U), np.uint8)


def with_arm(image: Image, n: int) -> Image:
    """Return the picture with an arm reaching in from the bottom edge, at its n-th frame."""
    height, width = image.shape[:2]
    tip = (width // 2 + round(90 * float(np.sin(n / 2))), round(height * 0.45))
    arm = image.copy()
    cv2.line(arm, (width // 2, height), tip, SKIN, ARM_PX, cv2.LINE_AA)
    return arm
