"""Random decks of printed faces, drawn squeezed to a square: what the recogniser learns to tell apart.

No deck of any game is copied. Pictures come from a folder of clip art that the training command names; signs,
numbers, counts, colours, shadings and frames are drawn here. Faces of one deck share their layout, and many differ
from a neighbour by one thing alone: these are the hard ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from training.facedrawing import FILLS, SHAPES, Face, Image, Sign, draw, load_art

__all__ = ["deck", "load_art"]

Rng = np.random.Generator

FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX)


@dataclass(frozen=True)
class Mix:
    """Which decks are drawn. kinds: shares of pictures, counted, lettered, patterned."""

    kinds: tuple[float, float, float, float]
    twins: float  # share of a deck's faces that are made from another by one change


HARD = Mix((0.52, 0.28, 0.12, 0.08), 0.25)  # what it learns on
USUAL = Mix((0.75, 0.15, 0.08, 0.02), 0.05)  # what games are like


def colour(rng: Rng, vivid: float = 0.5) -> tuple[int, int, int]:
    """Draw a colour: any, or with probability `vivid` a saturated one."""
    if rng.random() < vivid:
        hsv = np.array([[[rng.integers(180), rng.integers(140, 256), rng.integers(110, 256)]]], dtype=np.uint8)
        b, g, r = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
        return int(b), int(g), int(r)
    b, g, r = rng.integers(0, 256, 3)
    return int(b), int(g), int(r)


def deck(rng: Rng, art: Sequence[Image], faces: int, mix: Mix = HARD) -> list[Image]:
    """Draw a random deck's faces, (SIDE_PX, SIDE_PX, 3) each."""
    kind = rng.choice(["pictures", "counted", "lettered", "patterned"], p=mix.kinds)
    style = {"pictures": _pictures, "counted": _counted, "lettered": _lettered, "patterned": _patterned}[str(kind)]
    described = style(rng, len(art), faces, mix.twins)
    return [draw(face, art) for face in described]


def _plain(rng: Rng) -> Face:
    """The part of a style that all faces of a deck share."""
    light = int(rng.integers(150, 256))
    paper = (light, light, light) if rng.random() < 0.5 else colour(rng, 0.2)
    return Face(
        frame=(255, 255, 255) if rng.random() < 0.5 else colour(rng),
        frame_width=float(rng.choice([0.0, rng.uniform(0.01, 0.04), rng.uniform(0.04, 0.11)])),
        ground=(paper, paper),
        main=None,
        colour=(0, 0, 0),
        fill="full",
        outline=0.0,
        count=1,
        spread=0.3,
        size=(0.6, 0.6),
        place=(0.5, 0.5),
        mirrored=False,
        signs=(),
        font=int(rng.choice(FONTS)),
        pattern=0,
    )


def _grounded(face: Face, rng: Rng) -> Face:
    top = colour(rng, 0.3)
    drift = rng.integers(-50, 51, 3)
    bottom = tuple(int(v) for v in np.clip(np.array(top) + drift, 0, 255))
    return replace(face, ground=(top, (bottom[0], bottom[1], bottom[2])))


def _sign_places(rng: Rng) -> list[tuple[float, float, float]]:
    size = float(rng.uniform(0.1, 0.2))
    near, far = size * 0.75, 1 - size * 0.75
    corners = [(near, near), (far, near), (near, far), (far, far), (0.5, far), (0.5, near)]
    rng.shuffle(corners)
    return [(x, y, size) for x, y in corners[: int(rng.integers(0, 5))]]


def _pictures(rng: Rng, art_count: int, faces: int, twins: float) -> list[Face]:
    """A picture a face, on its own or a common ground, small signs and numbers in common places."""
    base, places = _plain(rng), _sign_places(rng)
    own_ground = rng.random() < 0.7
    ground = _grounded(base, rng)
    frames = [colour(rng) for _ in range(int(rng.integers(2, 7)))] if rng.random() < 0.5 else [base.frame]
    vocabularies = [_words(rng, art_count) for _ in places]
    ink = [(0, 0, 0), (255, 255, 255), (40, 220, 250), colour(rng)][int(rng.integers(4))]
    size = float(rng.uniform(0.35, 0.8))
    stretch = float(rng.choice([1.0, 1.0, 0.65, 1.5]))
    tall = (size, size * stretch) if stretch <= 1 else (size / stretch, size)
    place = (0.5, float(np.clip(rng.normal(0.5, 0.06), 0.4, 0.6)))
    if size > 0.6:
        place = (0.5, 0.5)
    described: list[Face] = []
    for _ in range(faces):
        if described and rng.random() < twins:
            described.append(_twin(described[int(rng.integers(len(described)))], rng, art_count))
            continue
        face = _grounded(base, rng) if own_ground else ground
        signs = tuple(
            Sign(x, y, s, words[int(rng.integers(len(words)))], ink)
            for (x, y, s), words in zip(places, vocabularies, strict=True)
            if rng.random() < 0.9
        )
        frame = frames[int(rng.integers(len(frames)))]
        described.append(
            replace(face, main=int(rng.integers(art_count)), size=tall, place=place, signs=signs, frame=frame)
        )
    return described


def _words(rng: Rng, art_count: int) -> list[int | str]:
    """Return what a place of small signs may hold: numbers, or pictures."""
    if rng.random() < 0.5:
        return [str(rng.integers(-2, 13)) for _ in range(4)]
    return [int(i) for i in rng.integers(0, art_count, 4)]


def _twin(face: Face, rng: Rng, art_count: int) -> Face:
    """Change one thing of a face."""
    change = int(rng.integers(6))
    if change == 0 and face.signs:
        k = int(rng.integers(len(face.signs)))
        old = face.signs[k].picture
        new: int | str = str(rng.integers(0, 10)) if isinstance(old, str) else int(rng.integers(art_count))
        return replace(face, signs=(*face.signs[:k], replace(face.signs[k], picture=new), *face.signs[k + 1 :]))
    if change == 1 and face.frame_width > 0.02:
        return replace(face, frame=colour(rng))
    if change == 2:
        return replace(face, mirrored=not face.mirrored)
    if change == 3:
        return _grounded(face, rng)
    if change == 4 and face.main is not None:
        return replace(face, count=1 + face.count % 3, spread=0.33, size=(face.size[0] * 0.6, face.size[1] * 0.6))
    return replace(face, main=int(rng.integers(art_count)))


def _counted(rng: Rng, art_count: int, faces: int, twins: float) -> list[Face]:
    """Faces that differ only in number, colour, shape and shading."""
    base = _plain(rng)
    if rng.random() < 0.3:
        base = _grounded(base, rng)
    shapes: list[int | str] = [
        int(rng.integers(art_count)) if rng.random() < 0.12 else str(s) for s in rng.permutation(SHAPES)[:3]
    ]
    inks = [colour(rng, 0.85) for _ in range(3)]
    fills = [str(f) for f in rng.permutation(FILLS)[:3]] if rng.random() < 0.5 else ["none", "full", "stripes"]
    outline = float(rng.uniform(0.012, 0.04))
    height = float(rng.uniform(0.45, 0.85))
    slim = float(rng.uniform(0.12, 0.28))
    size, spread = (
        ((slim, height), float(rng.uniform(slim * 1.05, 0.31))) if rng.random() < 0.75 else ((0.27, 0.27), 0.31)
    )
    grid = [(n, k, s, f) for n in (1, 2, 3) for k in range(3) for s in range(3) for f in range(3)]
    chosen = [grid[i] for i in rng.permutation(len(grid))[:faces]]
    return [
        replace(base, main=shapes[s], colour=inks[k], fill=fills[f], count=n, outline=outline, size=size, spread=spread)
        for n, k, s, f in chosen
    ]


def _lettered(rng: Rng, art_count: int, faces: int, twins: float) -> list[Face]:
    """Big letters or numbers in few colours, repeated small in the corners."""
    base = _plain(rng)
    inks = [colour(rng, 0.85) for _ in range(4)]
    coloured_ground = rng.random() < 0.5
    size = float(rng.uniform(0.3, 0.6))
    corner = float(rng.uniform(0.1, 0.16))
    described = []
    for i in rng.permutation(4 * 14)[:faces]:
        ink, text = inks[int(i) // 14], "0123456789JQKA"[int(i) % 14]
        signs = tuple(
            Sign(p, p, corner, text, (255, 255, 255) if coloured_ground else ink) for p in (corner, 1 - corner)
        )
        face = replace(base, ground=(ink, ink)) if coloured_ground else base
        described.append(
            replace(face, main=text, colour=(255, 255, 255) if coloured_ground else ink, size=(size, size), signs=signs)
        )
    return described


def _patterned(rng: Rng, art_count: int, faces: int, twins: float) -> list[Face]:
    """Grounds full of one small picture, and pictures that fill the face."""
    described = []
    base = _plain(rng)
    for _ in range(faces):
        full = rng.random() < 0.5
        face = replace(_grounded(base, rng), main=int(rng.integers(art_count)))
        face = replace(face, size=(1.3, 1.3)) if full else replace(face, pattern=int(rng.integers(3, 7)))
        described.append(face)
    return described
