"""Tables with strings on them that were never photographed: where on a picture a cord is seen, exactly.

The table, its pieces and clutter are `synth`'s; cords are lit here, by a sky and some lamps, as light falls on a round
thing: what tells a grey cord from a grey cloth is its bright side and its shadow. Half of all cords have about the
colour of what they lie on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from synth import loops
from synth.compose import compose
from synth.heaps import ROOM_SHARES, ROOMS, heap
from synth.light import develop
from synth.pictures import Pictures
from synth.textures import Rng
from synth.things import Cord, Layout, Outline, Thing
from synth.view import View

CORDS = (0.04, 0.41, 0.4, 0.15)  # how often a picture has none, one, two, three
WIDTHS_PX = 2.2, 8.5
REACH = 5.0  # widths from a cord's middle; farther off its shadow is not drawn
GREY, NEAR, BROWN = 0.25, 0.4, 0.12  # shares of cords that are grey, of the table's colour, and brown
TWO_TONED, BELOW, HIGH_MM = 0.2, 0.6, 5.0
LAMPS = 3
CURLED, CURLS = 0.3, (1.5, 6.0)  # how often a cord has a curl, and its radius in widths
OPEN, LITTLE, GAPS = 0.25, 0.6, (2.5, 20.0)  # how often one has a gap; how often a little one, in widths

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Picture:
    """A photograph, BGR (h, w, 3), and where cords are seen in it: the share of each pixel (h, w), 0 to 255."""

    image: Image
    cords: Image


def picture(rng: Rng, pictures: Pictures, side_px: int) -> Picture:
    """Draw one picture, square; the same generator gives the same ones."""
    layout, view, sun = heap(rng, pictures, side_px)
    view = replace(view, lens=0.0)
    layout = replace(layout, things=tuple(t for t in layout.things if not (isinstance(t, Cord) and t.closed)))
    drawn = compose(layout, view, sun)
    cables = [k for k, thing in enumerate(layout.things) if isinstance(thing, Cord)]
    high = [k for k, t in enumerate(layout.things) if isinstance(t, Thing) and t.z_mm + t.thickness_mm > HIGH_MM]
    above = np.isin(drawn.owner, high) & (rng.random() < BELOW)
    light = np.asarray((drawn.image.astype(np.float32) / 255) ** np.float32(2.2), np.float32)
    seen: NDArray[np.float32] = np.isin(drawn.owner, cables).astype(np.float32)
    width_px = float(np.exp(rng.uniform(*np.log(WIDTHS_PX))))
    for _ in range(int(rng.choice(len(CORDS), p=CORDS))):
        path = _path(rng, layout, view, side_px, width_px)
        _lay(rng, light, seen, above, path, width_px * float(rng.uniform(0.85, 1.15)))
    image = (np.clip(light, 0, 1) ** np.float32(1 / 2.2) * 255).astype(np.uint8)
    harsh = float(rng.choice(ROOMS, p=ROOM_SHARES))
    return Picture(develop(rng, image, harsh=harsh), (seen * 255).astype(np.uint8))


def _path(rng: Rng, layout: Layout, view: View, side_px: int, width_px: float) -> Outline:
    """Draw a cord's middle (n, 2) px: tight round pieces, now and then over them; or any loop or curve."""
    scale = view.px_per_mm((0.0, 0.0))
    tiles = [t.outline_mm for t in layout.things if isinstance(t, Thing) and t.kind == "card"]
    kind = rng.random()
    if tiles and kind < 0.6:
        first = tiles[rng.integers(len(tiles))].mean(0)
        near = sorted(tiles, key=lambda t: float(np.hypot(*(t.mean(0) - first))))[: int(rng.integers(1, 6))]
        clear = (width_px * float(rng.uniform(0.4, 1.2)) + float(rng.exponential(6))) / scale
        path = loops.smoothed(loops.around(near, clear), float(rng.uniform(0.7, 2.5)) * width_px / scale)
        if rng.random() < 0.3:
            path = path + rng.normal(0, 5 * width_px / scale, 2)
    else:
        reach = float(rng.uniform(0.1, 0.5)) * side_px / scale
        centre = rng.uniform(-0.3, 0.3, 2) * side_px / scale
        path = loops.wobbly(rng, reach, (float(centre[0]), float(centre[1])), float(rng.uniform(0.03, 0.25)))
    if rng.random() < CURLED:
        path = loops.looped(path, rng, float(rng.uniform(*CURLS)) * width_px / scale)
    if rng.random() < OPEN:
        little = float(np.exp(rng.uniform(*np.log(GAPS)))) * width_px / scale
        large = float(rng.uniform(0.2, 0.8)) * len(path) * loops.STEP_MM
        return view.project(loops.opened(path, rng, little if rng.random() < LITTLE else large))
    return view.project(np.concatenate([path, path[:1]]))


def _lay(
    rng: Rng,
    light: NDArray[np.float32],
    seen: NDArray[np.float32],
    above: NDArray[np.bool_],
    path_px: Outline,
    width_px: float,
) -> None:
    """Lay one cord on a picture of light (h, w, 3), and tell where it is seen; both in place."""
    found = _beside(path_px, light.shape[:2], REACH * width_px)
    if found is None:
        return
    rows, columns, off, normal, along = found
    at = off / width_px
    cord, table = _lit(rng, at, normal)
    under = light[rows, columns]
    ink = _ink(rng, under[np.abs(at) > 0.7] if (np.abs(at) > 0.7).any() else under, len(at), along / width_px, at)
    cover = np.clip((0.5 * width_px - np.abs(off)) + 0.5, 0, 1) * ~above[rows, columns]
    shaded = under * np.where(above[rows, columns], 1.0, table)[:, None]
    light[rows, columns] = shaded + (ink * cord[:, None] - shaded) * cover[:, None]
    seen[rows, columns] = np.maximum(seen[rows, columns], cover)


def _beside(
    path_px: Outline, shape: tuple[int, ...], reach_px: float
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats, Floats, Floats] | None:
    """Pixels near a path: their rows, columns, signed distance from it, its normal's direction and how far along it."""
    steps = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(path_px, axis=0).T))])
    along = np.arange(0, steps[-1], 0.25)
    path = np.stack([np.interp(along, steps, path_px[:, k]) for k in (0, 1)], 1)
    inside = ((path > -reach_px) & (path < np.array(shape[1::-1]) + reach_px)).all(1)
    if inside.sum() < 8:
        return None
    tangent = np.gradient(path, axis=0)
    turn = np.arctan2(tangent[:, 1], tangent[:, 0])
    rim = int(reach_px) + 2
    index = np.full((shape[0] + 2 * rim, shape[1] + 2 * rim), -1)
    cells = np.rint(path[inside]).astype(int) + rim
    index[cells[:, 1], cells[:, 0]] = np.flatnonzero(inside)
    free = (index < 0).astype(np.uint8)
    away, label = cv2.distanceTransformWithLabels(free, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    of_label = np.zeros(int(label.max()) + 1, np.int64)
    of_label[label[free == 0]] = index[free == 0]
    middle = slice(rim, -rim), slice(rim, -rim)
    rows, columns = np.nonzero(away[middle] < reach_px)
    nearest = of_label[label[middle][rows, columns]]
    step = np.stack([columns, rows], 1) - path[nearest]
    normal = turn[nearest] + np.pi / 2
    off = step[:, 0] * np.cos(normal) + step[:, 1] * np.sin(normal)
    past = np.abs(step[:, 0] * np.cos(turn[nearest]) + step[:, 1] * np.sin(turn[nearest])) > 1.5
    off = np.where(past, np.copysign(np.hypot(*step.T), off), off)  # beyond an end
    return rows, columns, off, normal, along[nearest]


def _lit(rng: Rng, at: Floats, normal: Floats) -> tuple[Floats, Floats]:
    """Light a cord and the table beside it (n,), `at` (n,) widths from its middle, by the sky and some lamps."""
    radius = 0.5
    sky = float(rng.uniform(0.15, 0.9))
    shares = rng.random(LAMPS) ** 2 * (1.0, 0.6, 0.3)
    shares = shares / shares.sum() * (1 - sky)
    sideways = np.clip(at / radius, -1, 1)
    up = np.sqrt(1 - sideways**2)
    half = np.arcsin(np.clip(radius / np.hypot(at, radius), 0, 1))
    seen_at = np.arctan2(-at, radius)
    ends = [np.sin(np.clip(seen_at + side * half, -np.pi / 2, np.pi / 2)) for side in (1, -1)]
    table = sky * (1 - (ends[0] - ends[1]) / 2 * rng.uniform(0.6, 1))
    cord = sky * ((1 + up) / 2 + rng.uniform(0.1, 0.6) * (1 - up) / 2) * rng.uniform(0.7, 1.1)
    for share in shares:
        steep, turn, soft = rng.uniform(0.35, 1.45), rng.uniform(0, 2 * np.pi), rng.uniform(0.02, 0.5)
        across, down = np.cos(normal - turn) * np.cos(steep), np.sin(steep)
        length = np.hypot(across, down)
        passes = np.abs(at * down + radius * across) / length
        away = (radius * down - at * across) / length
        edge = soft * np.maximum(np.abs(away), 0.2) * 0.5 + 0.02
        shadow = 1 / (1 + np.exp(np.clip((passes - radius) / edge, -30, 30))) * (away > 0)
        facing, knee = across * sideways + down * up, soft * 0.5 + 0.03
        lit = knee * np.logaddexp(0, facing / knee)
        if rng.random() < 0.4:
            lit = lit + rng.uniform(0, 0.5) * np.exp(-(((np.maximum(facing, 0) - 1) / 0.12) ** 2))
        weight = share / max(float(down), 0.35)
        table, cord = table + weight * down * (1 - shadow), cord + weight * lit
    bare = sky + sum(float(s) for s in shares)
    return np.asarray(cord / bare), np.asarray(table / bare)


def _ink(rng: Rng, under: NDArray[np.float32], count: int, along: Floats, at: Floats) -> Floats:
    """Colours (n, 3) of a cord's own surface, linear, given what it lies on: one, or two that are twisted."""
    kind = rng.random()
    near = np.median(under, 0) * np.exp(rng.normal(0, 0.3)) * np.exp(rng.normal(0, 0.08, 3))
    if kind < GREY:
        ink = rng.uniform(0.08, 0.85) * (1 + rng.normal(0, 0.06, 3))
    elif kind < GREY + NEAR:
        ink = np.clip(near, 1e-3, 1) ** (1 / 2.2)
    elif kind < GREY + NEAR + BROWN:
        ink = rng.uniform(0.15, 0.75) * np.array([0.45, 0.65, 1.0]) * (1 + rng.normal(0, 0.1, 3))
    else:
        ink = rng.uniform(0.03, 0.95, 3)
    ink = np.clip(ink, 0.02, 0.98) ** 2.2
    phase = 2 * np.pi * ((along + rng.uniform(-1.2, 1.2) * at) / rng.uniform(0.5, 2.5) + rng.random())
    strands = 1 + (rng.uniform(0, 0.5) if rng.random() < 0.7 else 0.0) * np.cos(phase)
    fibres = np.clip(1 + rng.uniform(0, 0.12) * rng.standard_normal(count), 0.5, 1.5)
    colours = ink[None] * (strands * fibres)[:, None]
    if rng.random() < TWO_TONED:
        other = np.clip(rng.uniform(0.05, 0.95, 3), 0.02, 0.98) ** 2.2
        colours = np.where((np.cos(phase) > rng.uniform(-0.5, 0.5))[:, None], other[None] * fibres[:, None], colours)
    return np.asarray(colours)
