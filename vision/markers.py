"""Players' markers on tiles: a cube or disc of a player's colour that hides part of a known face.

A marker is where a round patch of the tile, of a marker's size, is unlike its own reference and of one colour; the
nearer that is to a player's colour in the light there, the surer. What is no more unlike than the picture's noise
is not seen: where a black print would hide a black cube, one may stand there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from decks.colour import parse
from vision.blending import hidden
from vision.crop import rectify
from vision.exposure import on_table
from vision.shade import Edge
from vision.shade import edge as edge_on
from vision.threads import each
from vision.tint import Floats, Image, Light, between, lab
from vision.unlikeness import LIGHTNESS_LESS, Look, looked

GRID_PX = 72
"""The tile's shorter side at which it is compared with its reference."""
OVERHANG = 0.2
"""How far beyond the tile, as a share of its side, a marker that stands on it may show."""
PAD_PX = round(OVERHANG * GRID_PX)
SIZES_MM = (8.0, 10.0, 13.0)
"""Markers that are looked for, across; those a fifth smaller or larger are found as well."""
INNER = 0.85
"""Of a marker's breadth: the round patch that shows nothing else, however the marker is turned."""
MOST_EVIDENCE = 40.0
EVIDENCE, OFF_COLOUR, BIAS = 0.36, 0.25, -4.5
"""Log-odds that a marker stands there, a unit of evidence and of difference (CIE) from the nearest player's colour.

Fitted to 744 marked and 1,100 bare tiles of 110 drawn and 14 path-traced tables, eleven decks, in their true places;
less is made of the colour than they would, since paints differ more than drawn ones.
"""
LEAST_REAL = 0.05
"""What is less likely a marker than this is not told: of 21 such patches, likelier than 0.01, one was a marker."""
NEEDED = (np.log(LEAST_REAL / (1 - LEAST_REAL)) - BIAS) / EVIDENCE
"""Evidence from which on a cube that is just of its colour is told."""
LEAST_HIDDEN = 0.002
"""A marker that may stand unseen is told from this probability on: on 12 drawn tables three tiles bore such a place."""
COLOUR_SPREAD = 7.0
"""One σ of a marker's colour about its deck colour in the tile's light (CIE); of the drawn ones alone it is 5."""
BESIDE = 0.75
"""Of a marker's breadth from its middle on: what lies there tells of a shadow without it."""
SAME_COLOUR = 12.0
"""Difference (CIE) from a marker's middle up to which a place is of its top."""


@dataclass(frozen=True)
class Marker:
    """One marker.

    `corners_px`: (4, 2) of its visible patch; `tile`: index of its tile; `candidates`: labels and probabilities; what
    they leave of 1 is how likely no marker stands there.
    """

    corners_px: Floats
    candidates: tuple[tuple[str, float], ...]
    tile: int


@dataclass(frozen=True)
class _Patch:
    """A round place on a tile's crop: its middle (2,) and breadth in px, and the log-odds that a marker is there."""

    middle_px: Floats
    breadth_px: float
    colour: Floats  # (3,) Lab, as seen
    log_odds: float


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
    wanted = {label: np.array(parse(colour), float) for label, colour in colours.items()}
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

    `printed`: the reference; `wide_px`: (4, 2), the corners of `whole`; `light`: between the reference and `expected`;
    `tile`: its index.
    """

    whole: Image
    printed: Image
    wide_px: Floats
    expected: Floats
    light: Light
    tile: int


def _shown(image: Image, corners: Floats, face: Image, tile: int) -> _Shown:
    wide = _grown(corners, PAD_PX / GRID_PX)
    whole = rectify(image, wide, GRID_PX + 2 * PAD_PX, GRID_PX + 2 * PAD_PX)
    printed = np.asarray(cv2.resize(face, (GRID_PX, GRID_PX), interpolation=cv2.INTER_AREA), np.uint8)
    light, expected = between(whole[PAD_PX:-PAD_PX, PAD_PX:-PAD_PX], printed)
    return _Shown(whole, printed, wide, expected, light, tile)


def _on(shown: _Shown, light: Light, side_mm: float, wanted: Mapping[str, Floats]) -> Marker | None:
    """Look on a tile: in its own light, which a lamp's shadow alters, and in the table's, which no reference does."""
    lights, mm_per_px = [shown.light, light], side_mm / GRID_PX
    look = looked(shown.whole[PAD_PX:-PAD_PX, PAD_PX:-PAD_PX], shown.expected)
    patch = _likeliest(look, mm_per_px, _lit(wanted, lights))
    edge = _edge_beside(shown, patch) if _real(patch) >= LEAST_REAL else None
    if edge is not None:
        shown, left = _half_shaded(shown, edge), np.exp(edge.step)
        lights = [shown.light, Light(shown.light.gain * left, shown.light.haze * left), light]
        look = looked(shown.whole[PAD_PX:-PAD_PX, PAD_PX:-PAD_PX], shown.expected)
        patch = _likeliest(look, mm_per_px, _lit(wanted, lights))
    real = _real(patch)
    if real < LEAST_REAL:
        return _unseen(shown, look, mm_per_px, _lit(wanted, lights))
    told = tuple((label, p * real) for label, p in _candidates(patch.colour, _lit(wanted, lights)))
    top = _top(lab(shown.whole.astype(float)), patch)
    return Marker(_back(top, shown.wide_px, GRID_PX + 2 * PAD_PX), told, shown.tile)


def _lit(wanted: Mapping[str, Floats], lights: Sequence[Light]) -> Mapping[str, Floats]:
    """Return each colour as it is seen in n lights, (n, 3) Lab."""
    return {label: np.stack([lab(one.done(bgr)) for one in lights]) for label, bgr in wanted.items()}


def _real(patch: _Patch) -> float:
    """Return how likely a marker is there."""
    return 1 / (1 + float(np.exp(-patch.log_odds)))


def _edge_beside(shown: _Shown, patch: _Patch) -> Edge | None:
    """Find the edge of a shadow that falls on a tile, as it is seen where a patch is not."""
    y, x = np.indices(shown.whole.shape[:2])
    middle = patch.middle_px + PAD_PX
    return edge_on(shown.whole, shown.expected, np.hypot(x - middle[0], y - middle[1]) < BESIDE * patch.breadth_px)


def _half_shaded(shown: _Shown, edge: Edge) -> _Shown:
    """Return a tile as it is expected with a shadow's edge across it."""
    left = edge.left(shown.whole.shape)[PAD_PX:-PAD_PX, PAD_PX:-PAD_PX]
    cleared = np.clip(shown.whole[PAD_PX:-PAD_PX, PAD_PX:-PAD_PX] / left, 0, 255).astype(np.uint8)
    light, expected = between(cleared, shown.printed)
    return replace(shown, light=light, expected=expected * left)


def _unseen(shown: _Shown, look: Look, mm_per_px: float, lit: Mapping[str, Floats]) -> Marker | None:
    """Return the marker that may stand where it would not show, on a print of its own colour; None where none may."""
    breadth = SIZES_MM[1] / mm_per_px
    weighed = {label: colours * LIGHTNESS_LESS for label, colours in lit.items()}
    seen, clean = look.seen * LIGHTNESS_LESS, look.clean * LIGHTNESS_LESS
    found = hidden(seen, clean, look.noise, weighed, _disc(INNER * breadth), NEEDED)
    if found is None or found.probability < LEAST_HIDDEN:
        return None
    square = found.middle_px + PAD_PX + breadth / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    corners = _back(square, shown.wide_px, GRID_PX + 2 * PAD_PX)
    return Marker(corners, ((found.label, found.probability),), shown.tile)


def _likeliest(look: Look, mm_per_px: float, lit: Mapping[str, Floats]) -> _Patch:
    """Return the patch that is likeliest a marker; `lit`: each label's colour (n, 3) Lab in n lights."""
    seen, noise, colours = look.seen, look.noise, np.concatenate(list(lit.values()))
    cost = np.log1p((look.unlike / noise) ** 2).astype(np.float32)
    power = LIGHTNESS_LESS**2
    varied = np.concatenate([seen, (seen**2 @ power)[..., None], (noise**2)[..., None]], axis=2)
    patches = []
    for size_mm in SIZES_MM:
        breadth = size_mm / mm_per_px
        disc = _disc(INNER * breadth)
        within = np.asarray(cv2.filter2D(varied, -1, disc, borderType=cv2.BORDER_REFLECT), float)
        mean = np.ascontiguousarray(within[..., :3])
        uneven = np.maximum(within[..., 3] - mean**2 @ power, 0) / within[..., 4]  # the colours, beside noise
        evidence = cv2.filter2D(cost, -1, disc, borderType=cv2.BORDER_CONSTANT) - np.log1p(uneven)
        off = _nearest(mean, colours)
        weight = np.minimum(evidence * np.sqrt(np.count_nonzero(disc)), MOST_EVIDENCE)
        log_odds = EVIDENCE * weight - OFF_COLOUR * off + BIAS
        y, x = np.unravel_index(int(np.argmax(log_odds)), log_odds.shape)
        patches.append(_Patch(np.array([x, y], float), breadth, mean[y, x], float(log_odds[y, x])))
    return max(patches, key=lambda patch: patch.log_odds)


COLOUR_SHARES = np.array([0.45**2, 1.0, 1.0])
"""Of squared differences from a marker's colour: hue and chroma count fully, lightness less."""


def _disc(breadth_px: float) -> npt.NDArray[np.float32]:
    """Return a round window that sums to 1."""
    reach = int(np.ceil(breadth_px / 2))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    inside = np.hypot(x, y) <= breadth_px / 2
    return np.asarray(inside / inside.sum(), np.float32)


def _nearest(seen: Floats, colours: Floats) -> Floats:
    """Return how far colours (…, 3) Lab are from the nearest of markers' (n, 3)."""
    flat = seen.reshape(-1, 3)
    ways = ((colours**2) @ COLOUR_SHARES)[:, None] - (2 * colours * COLOUR_SHARES) @ flat.T
    squared = flat**2 @ COLOUR_SHARES + ways.min(axis=0)
    return np.asarray(np.sqrt(np.maximum(squared, 0))).reshape(seen.shape[:-1])


def _candidates(colour: Floats, lit: Mapping[str, Floats]) -> tuple[tuple[str, float], ...]:
    """Return labels and probabilities; `lit`: each label's colour (n, 3) in n lights: the one that fits best counts."""
    gaps = {label: float(_nearest(colour, wants)) for label, wants in lit.items()}
    least = min(gaps.values())
    weights = {label: np.exp(-(gap**2 - least**2) / (2 * COLOUR_SPREAD**2)) for label, gap in gaps.items()}
    total = sum(weights.values())
    ranked = sorted(((label, float(w / total)) for label, w in weights.items()), key=lambda item: -item[1])
    return tuple(ranked)


def _top(seen: Floats, patch: _Patch) -> Floats:
    """Return the corners (4, 2) of a marker's top in the wide crop, Lab (h, w, 3): of what has its colour."""
    middle, breadth = patch.middle_px + PAD_PX, patch.breadth_px
    y, x = np.indices(seen.shape[:2])
    near = np.hypot(x - middle[0], y - middle[1]) < breadth
    alike = near & (np.linalg.norm((seen - patch.colour) * LIGHTNESS_LESS, axis=-1) < SAME_COLOUR)
    opened = cv2.morphologyEx(alike.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, parts = cv2.connectedComponents(opened, connectivity=4)
    part = parts == parts[round(middle[1]), round(middle[0])]
    round_px = np.count_nonzero(part & (opened > 0))
    if not 0.4 * breadth**2 < round_px < 1.6 * breadth**2:  # it runs on into the print
        return np.asarray(middle + breadth / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]), float)
    (cx, cy), (w, h), angle = cv2.minAreaRect(np.argwhere(part)[:, ::-1].astype(np.float32))
    return np.asarray(cv2.boxPoints(((cx, cy), (w + 1, h + 1), angle)), float)


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
