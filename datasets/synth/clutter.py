"""What lies on real game tables and is no piece: phones, pens, cables, cups, remote controls, cut-outs, hands."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from synth.pictures import Cutout, Pictures, blob
from synth.textures import Rng, colour, fractal, mix
from synth.things import Cord, Thing, rectangle

Place = tuple[float, float]


def clutter(rng: Rng, pictures: Pictures, place: Place, unit_mm: float) -> Thing | Cord:
    """Draw one thing that is no piece; `unit_mm` is the width of the cards beside it."""
    makers: tuple[tuple[Callable[[Rng, Pictures, Place, float], Thing | Cord], float], ...] = (
        (phone, 0.13),
        (remote, 0.13),
        (pen, 0.16),
        (cable, 0.14),
        (cup, 0.14),
        (cutout, 0.2),
        (die, 0.1),
        (hand, 0.1),
    )
    weights = np.array([w for _, w in makers])
    return makers[rng.choice(len(makers), p=weights / weights.sum())][0](rng, pictures, place, unit_mm)


def _turn(rng: Rng) -> float:
    return float(rng.uniform(0, 360))


def phone(rng: Rng, pictures: Pictures, place: Place, unit_mm: float) -> Thing:
    """Lay a telephone: a dark or white slab whose glass mirrors the room."""
    face = np.full((150, 72, 3), rng.choice([12, 25, 225]), np.uint8)
    screen = mix(fractal(rng, 64, 134, 3, octaves=2), (14, 14, 16), np.full(3, rng.uniform(20, 90)))
    face[8:142, 4:68] = screen
    if rng.random() < 0.4:
        cv2.circle(face, (int(rng.integers(10, 60)), 14), 3, (60, 60, 60), -1, cv2.LINE_AA)
    size = unit_mm * rng.uniform(0.9, 1.3)
    outline = rectangle(place, (size, size * rng.uniform(1.9, 2.2)), _turn(rng))
    return Thing(outline, face, None, thickness_mm=8, radius=rng.uniform(0.05, 0.15), side=(60, 60, 60))


def remote(rng: Rng, pictures: Pictures, place: Place, unit_mm: float) -> Thing:
    """Lay a remote control: long, dark, rows of buttons."""
    shade = rng.choice([25, 40, 60, 200])
    face = np.full((200, 52, 3), shade, np.uint8)
    rows, columns = rng.integers(6, 14), rng.integers(2, 5)
    for row in range(rows):
        for column in range(columns):
            if rng.random() < 0.85:
                at = round((column + 0.5) * 52 / columns), round(14 + (row + 0.5) * 172 / rows)
                ink = colour(rng).tolist() if rng.random() < 0.2 else (float(255 - shade) * 0.6 + 40,) * 3
                cv2.circle(face, at, int(rng.integers(2, 6)), ink, -1, cv2.LINE_AA)
    width = unit_mm * rng.uniform(0.55, 0.9)
    outline = rectangle(place, (width, width * rng.uniform(3, 4.5)), _turn(rng))
    return Thing(outline, face, None, thickness_mm=18, radius=rng.uniform(0.05, 0.3), side=(float(shade),) * 3)


def pen(rng: Rng, pictures: Pictures, place: Place, unit_mm: float) -> Thing:
    """Lay a pencil, pen, knife or stick."""
    face = np.full((200, 12, 3), colour(rng), np.float32)
    face *= (0.6 + 0.5 * np.sin(np.linspace(0.3, 2.8, 12)))[None, :, None]
    face[: rng.integers(8, 40)] = colour(rng)
    width = unit_mm * rng.uniform(0.09, 0.28)
    outline = rectangle(place, (width, unit_mm * rng.uniform(1.6, 3.5)), _turn(rng))
    return Thing(outline, np.clip(face, 0, 255).astype(np.uint8), None, thickness_mm=7, radius=0.3, side=(70, 70, 70))


def cable(rng: Rng, pictures: Pictures, place: Place, unit_mm: float) -> Cord:
    """Lay a cable or an open string in a loose curve."""
    steps = np.cumsum(rng.normal(0, 0.12, 120))
    turns = _turn(rng) + np.cumsum(steps) * 0.35
    path = np.asarray(place) + np.cumsum(np.stack([np.cos(turns), np.sin(turns)], 1), 0) * unit_mm * 0.06
    shade = rng.choice([20, 35, 220]) if rng.random() < 0.6 else 0
    bgr = (float(shade),) * 3 if shade else tuple(colour(rng).tolist())
    return Cord(path - path.mean(0) + place, unit_mm * rng.uniform(0.03, 0.09), bgr)


def cup(rng: Rng, pictures: Pictures, place: Place, unit_mm: float) -> Thing:
    """Stand a cup, glass or plate: a high round thing with a rim."""
    rim, inside = colour(rng, saturation=(0, 0.6)), colour(rng, value=(0.05, 1), saturation=(0, 0.6))
    face = np.full((120, 120, 3), rim, np.float32).astype(np.uint8)
    cv2.circle(face, (60, 60), int(rng.integers(44, 57)), inside.tolist(), -1, cv2.LINE_AA)
    cv2.circle(
        face, (60 + int(rng.integers(-6, 7)), 60), int(rng.integers(15, 43)), (inside * 0.85).tolist(), -1, cv2.LINE_AA
    )
    size = unit_mm * rng.uniform(0.9, 2.4)
    side = tuple(float(v) for v in rim)
    height = unit_mm * rng.choice([0.1, 0.3, 1.2])
    return Thing(
        rectangle(place, (size, size), 0), face, None, thickness_mm=height, radius=0.5, side=(side[0], side[1], side[2])
    )


def cutout(rng: Rng, pictures: Pictures, place: Place, unit_mm: float) -> Thing:
    """Lay an object of some other outline: scissors, a toy, a fruit."""
    picture = without_rectangle(rng, pictures.draw(rng))
    size = unit_mm * rng.uniform(0.5, 2.2)
    outline = rectangle(place, (size, size * picture.shape[0] / picture.shape[1]), _turn(rng))
    return Thing(outline, picture, None, thickness_mm=0.0)


def without_rectangle(rng: Rng, picture: Cutout) -> Cutout:
    """Return the cut-out, or a plain shape in place of one that fills its frame and so would look like a card."""
    ys, xs = np.nonzero(picture[..., 3] > 127)
    full = len(xs) / float((np.ptp(xs) + 1) * (np.ptp(ys) + 1)) if len(xs) else 1.0
    return picture if full < 0.75 else blob(rng)


def die(rng: Rng, pictures: Pictures, place: Place, unit_mm: float) -> Thing:
    """Lay a die of many faces: a small bright polygon with a number, often on a card."""
    corners, side = int(rng.integers(5, 9)), 64
    turn = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    points = (np.stack([np.cos(turn), np.sin(turn)], 1) * 30 + 32).round().astype(np.int32)
    picture = np.zeros((side, side, 4), np.uint8)
    ink = colour(rng, saturation=(0, 1))
    cv2.fillPoly(picture, [points], (*ink.tolist(), 255), cv2.LINE_AA)
    cv2.fillPoly(picture, [(points - 32) * 2 // 3 + 32], (*(ink * 0.8).tolist(), 255), cv2.LINE_AA)
    pale = (255, 255, 255, 255) if ink.mean() < 140 else (10, 10, 10, 255)
    cv2.putText(picture, str(rng.integers(1, 21)), (18, 42), cv2.FONT_HERSHEY_DUPLEX, 0.8, pale, 1, cv2.LINE_AA)
    size = unit_mm * rng.uniform(0.25, 0.45)
    return Thing(rectangle(place, (size, size), _turn(rng)), picture, None, thickness_mm=0.0)


def hand(rng: Rng, pictures: Pictures, place: Place, unit_mm: float) -> Thing:
    """Lay a hand with its arm: skin or sleeve, tapering, with fingers."""
    skin = np.array([[120, 160, 215], [90, 125, 185], [60, 85, 130], [40, 55, 85]])[rng.integers(4)] * rng.uniform(
        0.8, 1.1
    )
    picture = np.zeros((400, 130, 4), np.uint8)
    picture[..., :3] = mix(fractal(rng, 130, 400, 6), skin * 0.75, np.minimum(skin * 1.05, 255))
    alpha = np.zeros((400, 130), np.uint8)
    cv2.ellipse(alpha, (65, 120), (40, 52), 0, 0, 360, 255, -1, cv2.LINE_AA)
    cv2.fillPoly(alpha, [np.array([[35, 130], [95, 130], [105, 399], [25, 399]])], 255, cv2.LINE_AA)
    for k, x in enumerate((32, 52, 74, 96)):
        tip = 65 + round((x - 65) * rng.uniform(0.7, 1.8)), int(rng.integers(10, 50))
        cv2.line(alpha, (x, 100), tip, 255, 17 - k % 2, cv2.LINE_AA)
    cv2.line(alpha, (98, 140), (122, int(rng.integers(70, 110))), 255, 18, cv2.LINE_AA)
    picture[..., 3] = alpha
    if rng.random() < 0.6:
        picture[int(rng.integers(170, 300)) :, :, :3] = colour(rng).astype(np.uint8)
    width = unit_mm * rng.uniform(1.0, 1.8)
    outline = rectangle(place, (width, width * 400 / 130), _turn(rng))
    return Thing(outline, picture, None, thickness_mm=0.0, z_mm=rng.uniform(0, 20))
