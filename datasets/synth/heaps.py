"""Random tables for the detector: any pieces, in any arrangement, at any scale, on any table."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from synth.arrangements import ARRANGEMENTS
from synth.clutter import clutter
from synth.compose import Drawn, Label, Sun, compose
from synth.faces import face
from synth.light import develop
from synth.loops import around, wobbly
from synth.pictures import Pictures
from synth.tabletops import tabletop
from synth.textures import Image, Rng, colour, mix, smooth
from synth.things import Cord, Layout, Outline, Thing, rectangle
from synth.view import View, look

ASPECTS = (1.0, 0.716, 0.64, 0.72, 0.78, 1.4, 0.9, 0.55)  # width over height: tiles, poker, tarot, bridge …
FIELDS = 0.22  # the share of pictures with tiles in a field of string
ROOMS, ROOM_SHARES = (0.2, 0.6, 1.0), (0.45, 0.35, 0.2)
"""How harsh the light is, and how often."""
LEAST_VISIBLE = 0.35  # a face seen less than this is not asked of the detector
LEAST_PX = 5.0  # nor one whose shorter side is smaller than this


@dataclass(frozen=True)
class Style:
    """What the pieces of one box have in common."""

    width_mm: float
    height_mm: float
    thickness_mm: float
    radius: float
    sleeve_mm: float
    gloss: float
    side: tuple[float, float, float]
    faces: tuple[Image, ...]


def picture(rng: Rng, pictures: Pictures, side_px: int = 320) -> tuple[Image, tuple[Label, ...]]:
    """Draw one training picture, square, and the labels that a detector should find in it."""
    layout, view, sun = heap(rng, pictures, side_px)
    drawn = compose(layout, view, sun)
    harsh = float(rng.choice(ROOMS, p=ROOM_SHARES))
    return develop(rng, drawn.image, harsh=harsh), wanted(drawn)


def wanted(drawn: Drawn) -> tuple[Label, ...]:
    """Keep the labels that a detector should find."""
    kept = []
    for label in drawn.labels:
        sides = np.hypot(*(np.roll(label.corners_px, -1, 0) - label.corners_px).T)
        if label.kind is not None and label.visible >= LEAST_VISIBLE and sides.min() >= LEAST_PX:
            kept.append(label)
    return tuple(kept)


def style(rng: Rng, pictures: Pictures, px_wide: float, count: int, *, square: float = 0.0) -> Style:
    """Draw a box: size, shape (square with this likelihood), up to `count` faces as sharp as they are seen."""
    aspect = float(rng.choice(ASPECTS) if rng.random() < 0.85 else rng.choice([0.33, 0.25, 3.0, 0.42]))
    aspect = 1.0 if rng.random() < square else aspect
    width = 60.0 if aspect <= 1 else 60.0 * aspect
    height = width / aspect
    resolution = float(np.clip(px_wide * 1.15, 20, 300)) / 60
    size = max(8, round(width * resolution)), max(8, round(height * resolution))
    faces = tuple(face(rng, pictures, *size) for _ in range(int(np.clip(count, 1, 8))))
    thick = float(rng.choice([0.3, 1.5, 2.2, 4.0], p=[0.55, 0.2, 0.2, 0.05]))
    radius = 0.0 if rng.random() < 0.35 else float(rng.uniform(0.02, 0.12))
    sleeve = float(rng.uniform(1, 3)) if thick < 1 and rng.random() < 0.12 else 0.0
    shade = colour(rng, saturation=(0, 0.4), value=(0.3, 1))
    gloss = float(rng.uniform(0.1, 0.8)) if rng.random() < 0.2 else 0.0
    return Style(
        width, height, thick, radius, sleeve, gloss, (float(shade[0]), float(shade[1]), float(shade[2])), faces
    )


def heap(rng: Rng, pictures: Pictures, side_px: int) -> tuple[Layout, View, Sun]:
    """Draw a random table, the camera over it and its light."""
    strung = rng.random() < FIELDS
    px_wide = side_px * float(np.exp(rng.uniform(np.log(0.05), np.log(0.2 if strung else 0.8))))
    field_mm = 60.0 * side_px / px_wide  # what the picture shows, where a card is 60 mm wide
    things: list[Thing | Cord] = _field(rng, pictures, px_wide, field_mm) if strung else []
    for _ in range(int(rng.choice([1, 2, 3], p=[0.55, 0.3, 0.15])) - strung):
        things += _group(rng, pictures, px_wide, field_mm)
    things += _small(rng, pictures, px_wide, field_mm, [t for t in things if isinstance(t, Thing)])
    below = list(_mess(rng, pictures, field_mm))
    above = list(_mess(rng, pictures, field_mm)) if rng.random() < 0.5 else []
    layout = Layout(
        tuple(below + things + above), tabletop(rng, pictures), field_mm * float(rng.uniform(1.2, 3.5)) / 384
    )
    return layout, _view(rng, side_px, px_wide, field_mm), _sun(rng)


def _view(rng: Rng, side_px: int, px_wide: float, field_mm: float) -> View:
    tilt = float(rng.uniform(0, 15) if rng.random() < 0.45 else rng.uniform(0, 50))
    aim = rng.uniform(-0.12, 0.12, 2) * field_mm
    return look(
        side_px,
        side_px,
        px_per_mm=px_wide / 60.0,
        tilt_deg=tilt,
        azimuth_deg=float(rng.uniform(0, 360)),
        roll_deg=float(rng.normal(0, 6)),
        focal=float(rng.uniform(0.8, 2.0)),
        aim_mm=(float(aim[0]), float(aim[1])),
        lens=float(rng.uniform(-0.08, 0.05)) if rng.random() < 0.5 else 0.0,
    )


def _sun(rng: Rng) -> Sun:
    turn, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 1.5)
    return Sun(
        (float(np.cos(turn) * reach), float(np.sin(turn) * reach)),
        float(rng.uniform(0.1, 0.7)),
        float(rng.uniform(0.1, 1.0)),
    )


def _field(rng: Rng, pictures: Pictures, px_wide: float, field_mm: float) -> list[Thing | Cord]:
    """Lay scattered tiles with a string around them all, and another around some: neither loop is a piece."""
    count = int(rng.integers(6, 26))
    box = style(rng, pictures, px_wide, count, square=0.7)
    room = float(np.hypot(box.width_mm, box.height_mm))
    radius = min(0.46 * field_mm, room * np.sqrt(count) * rng.uniform(0.55, 0.9))
    spots = [radius * 0.85 * np.sqrt(rng.random()) * np.exp(1j * rng.uniform(0, 2 * np.pi)) for _ in range(count * 8)]
    keep = room * rng.uniform(0.8, 1.1)
    taken: list[complex] = []
    for spot in spots:
        if len(taken) < count and all(abs(spot - other) > keep for other in taken):
            taken.append(complex(spot))
    tiles = [_piece(rng, box, (spot.real, spot.imag), float(rng.uniform(0, 360)), []) for spot in taken]
    things: list[Thing | Cord] = list(tiles)
    ink, width = colour(rng, saturation=(0, 0.6), value=(0.05, 0.9)), 60 * rng.uniform(0.04, 0.09)
    bgr = (float(ink[0]), float(ink[1]), float(ink[2]))
    things.append(Cord(wobbly(rng, radius * 1.1, (0.0, 0.0), 0.06), width, bgr, True, float(rng.uniform(0, 0.5))))
    if rng.random() < 0.7:
        some = [t.outline_mm for t in tiles[: int(rng.integers(2, 7))]]
        shade = colour(rng, saturation=(0, 0.4), value=(0.2, 0.9))
        grey = (float(shade[0]), float(shade[1]), float(shade[2]))
        things.append(Cord(around(some, float(rng.uniform(2, 12))), width, grey, True, float(rng.uniform(0, 0.5))))
    if rng.random() < 0.6:
        size = box.width_mm * rng.uniform(0.18, 0.3)
        things += [_marker(rng, size, field_mm, [tile]) for tile in tiles if rng.random() < 0.5]
    return things


def _group(rng: Rng, pictures: Pictures, px_wide: float, field_mm: float) -> list[Thing | Cord]:
    """Lay one group of alike pieces somewhere in view."""
    room = int(np.clip((field_mm / 75) ** 2, 1, 60))
    count = int(np.clip(np.exp(rng.uniform(0, np.log(room + 1))), 1, 45))
    box = style(rng, pictures, px_wide, count)
    shares = np.array([share for _, share in ARRANGEMENTS])
    arrange = ARRANGEMENTS[rng.choice(len(ARRANGEMENTS), p=shares / shares.sum())][0]
    poses = arrange(rng, count, box.width_mm, box.height_mm, field_mm)
    middle = rng.uniform(-0.3, 0.3, 2) * field_mm
    turn = float(rng.uniform(0, 360) if rng.random() < 0.6 else rng.choice([0, 90, 180, 270]) + rng.normal(0, 3))
    c, s = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
    things: list[Thing] = []
    for x, y, up in poses:
        place = (float(middle[0] + c * x - s * y), float(middle[1] + s * x + c * y))
        things.append(_piece(rng, box, place, up + turn, things))
    return list(things)


def _piece(rng: Rng, box: Style, place: tuple[float, float], up: float, below: list[Thing]) -> Thing:
    outline = rectangle(place, (box.width_mm, box.height_mm), up)
    reach = max(box.width_mm, box.height_mm) * 0.8
    under = [t for t in below if np.hypot(*(t.outline_mm.mean(0) - place)) < reach]
    z = max((t.z_mm + t.thickness_mm for t in under), default=0.0)
    image = box.faces[rng.integers(len(box.faces))]
    return Thing(outline, image, "card", box.thickness_mm, z, box.radius, box.side, box.sleeve_mm, box.gloss)


def _small(rng: Rng, pictures: Pictures, px_wide: float, field_mm: float, pieces: list[Thing]) -> list[Thing | Cord]:
    """Lay discs, and markers on the pieces or beside them."""
    things: list[Thing | Cord] = []
    if rng.random() < 0.45:
        size = 60 * rng.uniform(0.25, 0.8)
        px = max(12, round(px_wide / 60 * size * 1.1))
        faces = [face(rng, pictures, px, px) for _ in range(3)]
        middle, loose = rng.uniform(-0.35, 0.35, 2) * field_mm, size * rng.uniform(0.4, 2.5)
        thick = float(rng.uniform(1, 3))
        for k in range(int(rng.integers(1, 14))):
            place = middle + rng.normal(0, loose, 2)
            outline = rectangle((float(place[0]), float(place[1])), (size, size), float(rng.uniform(0, 360)))
            shade = tuple(float(v) for v in colour(rng, saturation=(0, 0.5)))
            things.append(Thing(outline, faces[k % 3], "disc", thick, 0.0, 0.5, (shade[0], shade[1], shade[2])))
    if rng.random() < 0.4:
        size = 60 * rng.uniform(0.1, 0.28)
        for _ in range(int(rng.integers(1, 12))):
            things.append(_marker(rng, size, field_mm, pieces))
    if rng.random() < 0.3:
        things += [_loop(rng, field_mm) for _ in range(int(rng.integers(1, 3)))]
    return things


def _marker(rng: Rng, size: float, field_mm: float, pieces: list[Thing]) -> Thing:
    under = pieces[rng.integers(len(pieces))] if pieces and rng.random() < 0.7 else None
    place = under.outline_mm.mean(0) + rng.normal(0, 12, 2) if under else rng.uniform(-0.4, 0.4, 2) * field_mm
    ink = colour(rng, saturation=(0.3, 1), value=(0.1, 1)) if rng.random() < 0.8 else colour(rng, value=(0.05, 0.2))
    top = mix(smooth(rng, 16, 16, 3), ink, np.minimum(ink * 1.12 + 4, 255))
    z = under.z_mm + under.thickness_mm if under else 0.0
    outline = rectangle((float(place[0]), float(place[1])), (size, size), float(rng.uniform(0, 360)))
    round_one = rng.random() < 0.2
    high = size * (rng.uniform(0.3, 0.7) if round_one else 1.0)
    return Thing(
        outline, top, "marker", high, z, 0.5 if round_one else 0.04, (float(ink[0]), float(ink[1]), float(ink[2]))
    )


def _loop(rng: Rng, field_mm: float) -> Cord:
    """Lay a closed string somewhere."""
    turn = np.linspace(0, 2 * np.pi, 160, endpoint=False)
    radius = field_mm * rng.uniform(0.12, 0.45) * np.ones_like(turn)
    for k in range(2, 6):
        radius *= 1 + rng.uniform(-0.25, 0.25) / k * np.cos(k * turn + rng.uniform(0, 6))
    path: Outline = np.stack([np.cos(turn), np.sin(turn)], 1) * radius[:, None] + rng.uniform(-0.2, 0.2, 2) * field_mm
    ink = colour(rng, saturation=(0, 0.6), value=(0.1, 0.9))
    return Cord(
        path,
        60 * rng.uniform(0.025, 0.08),
        (float(ink[0]), float(ink[1]), float(ink[2])),
        True,
        float(rng.uniform(0, 0.5)),
    )


def _mess(rng: Rng, pictures: Pictures, field_mm: float) -> list[Thing | Cord]:
    """Lay clutter, or none."""
    if rng.random() < 0.5:
        return []
    unit = 60.0
    things = []
    for _ in range(int(rng.integers(1, 4))):
        place = rng.uniform(-0.5, 0.5, 2) * field_mm
        thing = clutter(rng, pictures, (float(place[0]), float(place[1])), unit)
        things.append(thing if isinstance(thing, Cord) else replace(thing, kind=None))
    return things
