"""Players' markers on tiles: a cube or disc of a player's colour that hides part of a known face.

A marker is where the tile does not look like its own reference, and has a player's colour in the light on the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from decks.colour import parse
from vision.crop import rectify
from vision.exposure import on_table
from vision.ranks import median
from vision.threads import each
from vision.tint import Floats, Image, Light, between, lab

GRID_PX = 72
"""The tile's shorter side at which it is compared with its reference."""
OVERHANG = 0.2
"""How far beyond the tile, as a share of its side, a marker that stands on it may show."""
PAD_PX = round(OVERHANG * GRID_PX)
SIZES_MM = (5.0, 16.0)
"""The smallest and largest marker, across its top."""
USUAL_MM = 9.0
UNLIKE = 22.0
"""Difference (CIE76) from the reference beyond which a place does not show the face."""
COLOUR_SPREAD = 14.0
"""One σ of a marker's hue and chroma about its deck colour, in CIE units, after the light is undone."""
MAX_DISTANCE = 55.0
FILL = 0.5
REAL, REAL_SPREAD = 0.42, 0.04
"""The score at which a patch is as likely a print that the light hides as a marker, and how fast it becomes sure."""


@dataclass(frozen=True)
class Marker:
    """One marker.

    `corners_px`: (4, 2) of its visible patch; `tile`: index of its tile; `candidates`: labels and probabilities; what
    they leave of 1 is how likely no marker stands there.
    """

    corners_px: Floats
    candidates: tuple[tuple[str, float], ...]
    tile: int
    score: float


def find(
    image: Image,
    tiles_px: Sequence[Floats],
    faces: Sequence[Image | None],
    side_mm: float,
    colours: Mapping[str, str],
    light: Light | None = None,
) -> tuple[list[Marker], Light | None]:
    """Look on every tile (4, 2) px, whose reference is known, for one marker of the deck's colours.

    `light`: on the table, where it is known; returned with the markers, where it could be told.
    """
    if not colours:
        return [], light
    wanted = {label: lab(np.array(parse(colour), float)) for label, colour in colours.items()}
    tiles = [
        (corners, face, k) for k, (corners, face) in enumerate(zip(tiles_px, faces, strict=True)) if face is not None
    ]
    shown = each(lambda one: _shown(image, *one), tiles)
    on_all = light or on_table([s.expected for s in shown])
    found = each(lambda one: _on(one, on_all or one.light, side_mm, wanted), shown)
    return [m for m in found if m is not None], on_all


@dataclass(frozen=True)
class _Shown:
    """A tile with what lies round it, and as its reference would be seen there, bare: (h, w, 3) each.

    `wide_px`: (4, 2), the corners of `whole`; `light`: between the reference and `expected`; `tile`: its index.
    """

    whole: Image
    wide_px: Floats
    expected: Floats
    light: Light
    tile: int


def _shown(image: Image, corners: Floats, face: Image, tile: int) -> _Shown:
    wide = _grown(corners, PAD_PX / GRID_PX)
    whole = rectify(image, wide, GRID_PX + 2 * PAD_PX, GRID_PX + 2 * PAD_PX)
    printed = np.asarray(cv2.resize(face, (GRID_PX, GRID_PX), interpolation=cv2.INTER_AREA), np.uint8)
    light, expected = between(whole[PAD_PX:-PAD_PX, PAD_PX:-PAD_PX], printed)
    return _Shown(whole, wide, expected, light, tile)


def _on(shown: _Shown, light: Light, side_mm: float, wanted: Mapping[str, Floats]) -> Marker | None:
    """Look on a tile that lies in a light."""
    crop = shown.whole[PAD_PX:-PAD_PX, PAD_PX:-PAD_PX]
    seen = lab(light.undone(shown.whole))
    bright = max(float(lab(light.done(np.array([235.0, 235.0, 235.0])))[0]) / 100, 0.15)
    unlike = np.zeros(seen.shape[:2], bool)
    unlike[PAD_PX:-PAD_PX, PAD_PX:-PAD_PX] = _apart(lab(crop.astype(float)), lab(shown.expected)) > UNLIKE * bright
    if unlike.mean() > 0.5:
        return None  # not that face at all
    best: Marker | None = None
    mm = side_mm / GRID_PX
    for label, colour in wanted.items():
        near = _distance(seen, colour) < MAX_DISTANCE
        blob = _blob(near & unlike, mm)
        if blob is None:
            continue
        mask, box, fill = blob
        candidates = _candidates(median(seen[mask], axis=0), wanted)
        if candidates[0][0] != label:
            continue
        score = fill * float(np.exp(-abs(np.log(np.sqrt(mask.sum()) * mm / USUAL_MM))))
        if best is None or score > best.score:
            real = 1 / (1 + float(np.exp((REAL - score) / REAL_SPREAD)))
            told = tuple((name, p * real) for name, p in candidates)
            best = Marker(_back(box, shown.wide_px, GRID_PX + 2 * PAD_PX), told, shown.tile, score)
    return best


def _apart(seen: Floats, clean: Floats) -> Floats:
    """Return how unlike (h, w) the two are, allowing each place to be a px off."""
    light, red, blue = ((0.6, 1.0, 1.0)[k] * np.stack([seen[..., k], clean[..., k]]) for k in range(3))
    least = np.full(seen.shape[:2], np.inf)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            gaps = (one[0] - np.roll(one[1], (dy, dx), axis=(0, 1)) for one in (light, red, blue))
            least = np.minimum(least, sum(gap * gap for gap in gaps))
    return np.asarray(np.sqrt(least))


def _distance(seen: Floats, colour: Floats) -> Floats:
    """Return how far colours (…, 3) Lab are from a marker's: hue and chroma count fully, lightness less."""
    light, red, blue = (seen[..., k] - colour[k] for k in range(3))
    return np.asarray(np.sqrt((0.45 * light) ** 2 + red * red + blue * blue))


def _candidates(colour: Floats, wanted: Mapping[str, Floats]) -> tuple[tuple[str, float], ...]:
    gaps = {label: float(_distance(colour, want)) for label, want in wanted.items()}
    least = min(gaps.values())
    weights = {label: np.exp(-(gap**2 - least**2) / (2 * COLOUR_SPREAD**2)) for label, gap in gaps.items()}
    total = sum(weights.values())
    ranked = sorted(((label, float(w / total)) for label, w in weights.items()), key=lambda item: -item[1])
    return tuple(ranked)


def _blob(mask: npt.NDArray[np.bool_], mm: float) -> tuple[npt.NDArray[np.bool_], Floats, float] | None:
    """Return the largest patch of a marker's size: its mask, its box's corners (4, 2) and how well it fills it."""
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=4)
    if count < 2:
        return None
    k = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    patch = labels == k
    area_mm2 = float(stats[k, cv2.CC_STAT_AREA]) * mm * mm
    if not SIZES_MM[0] ** 2 * 0.8 <= area_mm2 <= SIZES_MM[1] ** 2:
        return None
    (cx, cy), (w, h), angle = cv2.minAreaRect(np.argwhere(patch)[:, ::-1].astype(np.float32))
    fill = float(patch.sum() / max((w + 1) * (h + 1), 1))
    if fill < FILL or max(w, h) > 2.2 * min(w, h) or max(w, h) * mm > SIZES_MM[1] * 1.25:
        return None
    return patch, np.asarray(cv2.boxPoints(((cx, cy), (w + 1, h + 1), angle)), float), fill


def _grown(corners: Floats, share: float) -> Floats:
    centre = corners.mean(0)
    grown: Floats = centre + (corners - centre) * (1 + 2 * share)
    return grown


def _back(box: Floats, corners: Floats, side: int) -> Floats:
    """Take corners (4, 2) of a crop back to the picture."""
    square = np.array([[-0.5, -0.5], [side - 0.5, -0.5], [side - 0.5, side - 0.5], [-0.5, side - 0.5]], np.float32)
    to_image = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    placed: Floats = cv2.perspectiveTransform(box[None].astype(np.float64), to_image)[0]
    return placed
