"""From a true scene and a deck to a photograph with exact labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from decks.colour import parse
from decks.deck import Deck
from scoring.table import BACK, Piece, String, Table
from synth.clutter import clutter
from synth.compose import Drawn, Sun, compose
from synth.faces import back, face
from synth.light import develop
from synth.pictures import Pictures
from synth.scene import Scene
from synth.tabletops import tabletop
from synth.textures import Image, Rng, mix, smooth
from synth.things import Cord, Layout, Thing
from synth.view import Array, View, look

MARGIN_MM = 35.0  # of table around what lies on it
COIN_THICK_MM, RESEARCH_THICK_MM, CUBE_MM = 2.0, 2.0, 9.0
ROUNDED = {"card": 0.045, "tile": 0.03, "photo": 0.03, "research": 0.03, "coin": 0.5, "marker": 0.02}
"""Radius of a kind's corners, as a share of its shorter side."""


@dataclass(frozen=True)
class PieceLabel:
    """Where one piece is seen: (4, 2) px from its printed top-left on, clockwise, and the share of its face in view."""

    corners_px: Array
    visible: float


@dataclass(frozen=True)
class Labels:
    """What a picture shows, exactly.

    `pieces`: by piece id, those of `beside` too. `strings`: by name, the centreline (n, 2) px at half its width above
    the table. `hidden_by`: by piece id, the ids of pieces and names of strings that cover part of it. `view`: mm to px.
    """

    pieces: Mapping[int, PieceLabel]
    strings: Mapping[str, Array]
    hidden_by: Mapping[int, frozenset[int | str]]
    view: View


@dataclass(frozen=True)
class Manner:
    """How a photograph is taken: size in px, how far the camera tilts at most, and how bad light and mess are, 0…1.

    `gloss`: how likely, 0…1, a lamp is mirrored in what lies there.
    """

    width: int = 640
    height: int = 480
    most_tilt_deg: float = 30.0
    harsh: float = 0.3
    mess: float = 0.3
    gloss: float = 0.0


def picture(
    scene: Scene, deck: Deck, seed: int, manner: Manner | None = None, pictures: Pictures | None = None
) -> tuple[Image, Labels]:
    """Photograph a scene; the same seed gives the same picture.

    `pictures` are for table tops and for what is not of the deck.
    """
    return photograph(scene.table, deck, seed, manner or Manner(), pictures or Pictures(), scene.beside)


def photograph(
    table: Table, deck: Deck, seed: int, manner: Manner, pictures: Pictures, beside: tuple[Piece, ...] = ()
) -> tuple[Image, Labels]:
    """Photograph a table, or a stash, with what lies beside it."""
    return photographs((table,), deck, seed, manner, pictures, beside)[0]


def photographs(
    tables: Sequence[Table], deck: Deck, seed: int, manner: Manner, pictures: Pictures, beside: tuple[Piece, ...] = ()
) -> list[tuple[Image, Labels]]:
    """Photograph an evening: one table as it changes, by a camera that stands still, in the same light."""
    rng = np.random.default_rng([seed, 77])
    extent = np.concatenate([_extent(table, beside) for table in tables])
    view = _view(rng, extent, manner)
    laid = [_things(deepcopy(rng), table, deck, beside, view, pictures) for table in tables[1:]]
    laid.insert(0, _things(rng, tables[0], deck, beside, view, pictures))
    mess, top = _mess(rng, tables[0], pictures, manner), tabletop(rng, pictures)
    texel = 2.0 * float(np.abs(extent).max()) * 2 / 384
    turn, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 0.9)
    sun = Sun(
        (float(np.cos(turn) * reach), float(np.sin(turn) * reach)),
        float(rng.uniform(0.15, 0.5)),
        float(rng.uniform(0.2, 0.8)),
    )
    taken = []
    for things in laid:
        layout = Layout((*things, *mess), top, texel)
        drawn = compose(layout, view, sun)
        image = develop(deepcopy(rng), drawn.image, harsh=manner.harsh, gloss=manner.gloss)
        taken.append((image, _labels(drawn, layout, view)))
    return taken


def _extent(table: Table, beside: tuple[Piece, ...]) -> Array:
    points = [p for piece in (*table.pieces, *beside) for p in piece.outline_mm] + [
        p for s in table.strings for p in s.path_mm
    ]
    return np.array(points or [(-100.0, -100.0), (100.0, 100.0)], float)


def _view(rng: Rng, points: Array, manner: Manner) -> View:
    """Place the camera so that all points (n, 2) mm are in view; the bottom edge is towards -y, give or take."""
    middle = (points.min(0) + points.max(0)) / 2
    tilt, azimuth = float(rng.uniform(0, manner.most_tilt_deg)), float(rng.uniform(-18, 18))
    focal, lens = float(rng.uniform(0.9, 1.6)), float(rng.uniform(-0.03, 0.02))
    aim, scale = (float(middle[0]), float(middle[1])), 1.0
    at = partial(
        look, manner.width, manner.height, tilt_deg=tilt, azimuth_deg=azimuth, focal=focal, aim_mm=aim, lens=lens
    )
    for _ in range(6):  # the scale at which the farthest point just fits, by steps: perspective bends the relation
        view = at(px_per_mm=scale)
        px = view.project(points)
        half = np.array([manner.width, manner.height]) / 2 - MARGIN_MM * scale * 0.5
        used = float(
            (np.abs(px - np.array([(manner.width - 1) / 2, (manner.height - 1) / 2])) / np.maximum(half, 10)).max()
        )
        scale = min(scale / max(used, 0.05), manner.width / 150)
    scale *= float(rng.uniform(0.75, 0.97))
    return at(px_per_mm=scale)


def _things(
    rng: Rng, table: Table, deck: Deck, beside: tuple[Piece, ...], view: View, pictures: Pictures
) -> list[Thing | Cord]:
    """Turn pieces and strings into things, strings over tiles, markers on top."""
    flat = [p for p in (*beside, *table.pieces) if p.kind != "marker"]
    things: list[Thing | Cord] = []
    for piece in flat:
        things.append(_thing(rng, piece, deck, [t for t in things if isinstance(t, Thing)], pictures))
    things += [_cord(rng, string, deck) for string in table.strings]
    laid = {t.key: t for t in things if isinstance(t, Thing)}
    for piece in table.pieces:
        if piece.kind == "marker":
            things.append(_cube(rng, piece, deck, laid.get(piece.on)))
    return things


def _thing(rng: Rng, piece: Piece, deck: Deck, below: list[Thing], pictures: Pictures) -> Thing:
    outline = np.array(piece.outline_mm)
    reach = 0.8 * float(np.hypot(*(outline[0] - outline[2])) / 2)
    z = max(
        (t.z_mm + t.thickness_mm for t in below if np.hypot(*(t.outline_mm.mean(0) - outline.mean(0))) < reach),
        default=0.0,
    )
    thick = {"coin": COIN_THICK_MM, "research": RESEARCH_THICK_MM}.get(piece.kind, deck.thickness_mm)
    kind = "disc" if piece.kind == "coin" else "card"
    picture_of = face_of(rng, piece, deck, pictures)
    return Thing(outline, picture_of, kind, thick, z, ROUNDED[piece.kind], key=piece.id)  # type: ignore[arg-type]  # kind is one of Class


def face_of(rng: Rng, piece: Piece, deck: Deck, pictures: Pictures) -> Image:
    """Return the picture on a piece: the deck's, or a random one where it is not of the deck."""
    shelf = {"research": deck.research, "coin": deck.coins, "photo": deck.photos}.get(piece.kind, deck.faces)
    if piece.label is not None and piece.label in shelf:
        return shelf[piece.label][0]
    if piece.kind == "photo" and piece.sequence:
        return strip(deck, piece.sequence)
    if piece.label == BACK:
        return back(np.random.default_rng(5), pictures, 126, 176)  # one pattern for a whole deck
    return face(rng, pictures, 126, 176)


def strip(deck: Deck, sequence: tuple[str, ...]) -> Image:
    """Draw a photo card from the deck's own faces: animals side by side, left to right, on white."""
    cell, edge, tall = 90, 9, 144
    image = np.full((tall, cell * len(sequence) + 2 * edge, 3), (238, 242, 244), np.uint8)
    for k, label in enumerate(sequence):
        small = cv2.resize(deck.faces[label][0], (cell - 6, cell - 6), interpolation=cv2.INTER_AREA)
        image[(tall - cell + 6) // 2 : (tall + cell - 6) // 2, edge + k * cell + 3 : edge + (k + 1) * cell - 3] = small
    return image


def _cord(rng: Rng, string: String, deck: Deck) -> Cord:
    blue, green, red = (float(v) for v in parse(deck.string_colours.get(string.name, "gray")))
    return Cord(
        np.array(string.path_mm),
        string.width_mm,
        (blue, green, red),
        string.closed,
        float(rng.uniform(0, 0.4)),
        key=string.name,
    )


def _cube(rng: Rng, piece: Piece, deck: Deck, under: Thing | None) -> Thing:
    ink = np.array(parse(deck.marker_colours.get(str(piece.label), str(piece.label))), np.float32)
    top = mix(smooth(rng, 16, 16, 3), ink * 0.96, np.minimum(ink * 1.06 + 3, 255))
    z = under.z_mm + under.thickness_mm if under else 0.0
    side = (float(ink[0]), float(ink[1]), float(ink[2]))
    return Thing(np.array(piece.outline_mm), top, "marker", CUBE_MM, z, 0.02, side, key=piece.id)


def _mess(rng: Rng, table: Table, pictures: Pictures, manner: Manner) -> list[Thing | Cord]:
    """Lay clutter outside of what counts."""
    if rng.random() > manner.mess:
        return []
    points = _extent(table, ())
    low, high = points.min(0), points.max(0)
    things = []
    for _ in range(int(rng.integers(1, 4))):
        turn = rng.uniform(0, 2 * np.pi)
        outwards = np.array([np.cos(turn), np.sin(turn)])
        place = (low + high) / 2 + outwards * (np.hypot(*(high - low)) / 2 + 15)
        thing = clutter(rng, pictures, (float(place[0]), float(place[1])), 60.0)
        outline = thing.path_mm if isinstance(thing, Cord) else thing.outline_mm
        away = outwards * max(0.0, float(((place - outline) @ outwards).max()))
        moved = (
            replace(thing, path_mm=outline + away)
            if isinstance(thing, Cord)
            else replace(thing, outline_mm=outline + away)
        )
        things.append(moved)
    return things


def _labels(drawn: Drawn, layout: Layout, view: View) -> Labels:
    pieces = {int(str(x.key)): PieceLabel(x.corners_px, x.visible) for x in drawn.labels if x.key is not None}
    cords = [t for t in layout.things if isinstance(t, Cord)]
    strings = {str(c.key): path for c, path in zip(cords, drawn.paths_px, strict=True) if c.key is not None}
    hidden = {}
    for label in drawn.labels:
        if label.key is not None:
            hidden[int(str(label.key))] = _covering(drawn.owner, layout, view, label.index)
    return Labels(pieces, strings, hidden, view)


def _covering(owner: npt.NDArray[np.int32], layout: Layout, view: View, index: int) -> frozenset[int | str]:
    """Name what is seen where a thing's face would be: things laid after it."""
    thing = layout.things[index]
    assert isinstance(thing, Thing)
    polygon = view.straight(thing.outline_mm, thing.z_mm + thing.thickness_mm).round().astype(np.int32)
    x0, y0 = np.maximum(polygon.min(0), 0)
    x1, y1 = np.minimum(polygon.max(0) + 1, (view.width, view.height))
    if x0 >= x1 or y0 >= y1:
        return frozenset()
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, polygon - (x0, y0), 1)
    seen = np.unique(owner[y0:y1, x0:x1][mask > 0])
    keys = (layout.things[i].key for i in seen if i > index)
    return frozenset(k for k in keys if isinstance(k, int | str))
