"""A stash's coins, from a photograph: side by side or overlapping each is read; of what lies under another it is asked.

The detector's discs and what stands out from the table tell how large coins are and how the camera looks at them; with
that known, each coin is a circle, and all of them are found by their rims.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from decks.deck import Deck
from vision import piles, quads, rims, silhouettes
from vision import plane as planes
from vision.crop import rectify
from vision.detector import Detections
from vision.fitting import SURE, SURE_SCORE
from vision.matching import known
from vision.plane import Plane
from vision.ranks import median
from vision.recogniser import NOT_OF_THIS_DECK, Naming, Recogniser
from vision.rims import Rim, View

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

CROP_PX = 96
SIDES = (0.3, 1.1)  # of a research tile's side: how broad a coin may be
BROAD_PX = (16.0, 200.0)  # likewise where no tile tells
PILE = 0.45  # of the larger one's breadth: two discs nearer than this lie in one place, and the top one counts
MOST_SEEDS = 30
LEAST_SHARE = 0.55  # of a rim: three coins that lie round one another leave more of each in view
TOLD, CLEAR = 1.6, 1.8  # the rim's share and the name's probability together: of a coin as large as the others; of any
SAME_SIZE = 0.05  # log of two radii
FULL = 0.85  # a rim's share from which on it is looked at first: what lies where a coin was read is not looked at again
WHOLE = 0.93  # a rim's share from which on it is a disc's that lies apart, whatever is on it
BENT = 0.1  # of a radius: how far a lens may move a disc
ROUNDS = 2  # of telling the camera by the discs, and these by their rims as seen from above
SURER = 1.6  # power of a name's probability at a clear rim: of 270 such coins all were named right, at 0.9 to 1
NO_COIN = 0.05  # what is left of the probability that such a one is none of the deck's
UNIT_MM = 22.0  # stands for a coin's breadth where no tile tells the scale
ROUGH_SHARE = 0.04  # one σ of a seed's corners, as a share of its breadth


def found(
    image: Image, detections: Detections, unlike: Floats, tiles_px: Sequence[Floats], deck: Deck, recogniser: Recogniser
) -> list[Naming]:
    """Name all coins in a BGR picture; one that nothing tells of but what shows from under another is not known.

    `unlike`: (h, w), how unlike the bare table each pixel is. `tiles_px`: the research tiles' corners, (4, 2) each.
    """
    seeds, scores = _seeds(detections, unlike, tiles_px)
    if len(seeds) == 0:
        return []
    namings = _names(image, list(seeds), recogniser)
    firm = scores >= SURE_SCORE
    sure = np.array([known(naming) for naming in namings])  # a coin, whatever else tells of it
    telling = seeds[sure] if sure.any() else seeds[firm]
    plane = _plane(image, tiles_px, telling, deck) if len(telling) else None
    if plane is None:
        return [naming for naming, counts in zip(namings, firm | sure, strict=True) if counts]
    view = _view(image, plane, telling, deck.thickness_mm)
    broad = 2 * rims.RADIUS_PX * view.mm_per_px
    coins = _by_rims(image, view, tiles_px, recogniser)
    other = [
        naming
        for quad, naming, counts in zip(seeds, namings, firm | sure, strict=True)
        if counts and _fits(plane, quad, broad, deck.thickness_mm) and not any(same(quad, q) for q, *_ in coins)
    ]
    below = piles.count(np.asarray(view.of(unlike.astype(np.float32)), float), [rim for *_, rim in coins])
    return [naming for _, naming, _ in coins] + other + [NOT_OF_THIS_DECK] * below


def apart(image: Image, detections: Detections, unlike: Floats, height_mm: float) -> tuple[Floats, Floats]:
    """Find discs that lie apart, whatever is on them: (n, 4, 2) px, the squares round them, and the evidence (n,).

    Each square begins at its top left as one looks at it; evidence: SURE of what is a disc like the others.
    """
    seeds, scores = _seeds(detections, unlike, ())
    firm = scores >= SURE_SCORE
    quads_px, shares = seeds[firm] if firm.any() else seeds, np.zeros(0)
    for _ in range(ROUNDS):
        plane = _plane_of_discs(image, quads_px, height_mm) if len(quads_px) else None
        if plane is None:
            return quads_px, np.zeros(len(quads_px))
        quads_px, shares = _whole(image, _view(image, plane, quads_px, height_mm))
    return quads_px, np.where(shares >= WHOLE, SURE, shares)


def _whole(image: Image, view: View) -> tuple[Floats, Floats]:
    """Return the squares (n, 4, 2) px round discs with full rims, all as large as most are, and the rims' shares."""
    seen = rims.edges(np.asarray(view.of(image), np.uint8))
    full = [rim for rim in rims.found(seen) if rim.share >= FULL]
    usual = float(median([rim.radius_px for rim in full if rim.share >= WHOLE] or [rims.RADIUS_PX]))
    found: list[tuple[Floats, float]] = []
    for rim in full:  # its print may have the fuller rim
        share = float(seen.at(rim.middle_px + rims.around() * usual, rims.around()).mean())
        quad = _upright(view, Rim(rim.middle_px, usual, share))
        if share >= FULL and _straight(view, quad, rim) and not any(same(quad, other) for other, _ in found):
            found.append((quad, share))
    return np.array([quad for quad, _ in found]).reshape(-1, 4, 2), np.array([share for _, share in found])


def _straight(view: View, quad: Floats, rim: Rim) -> bool:
    """Tell whether a disc's square (4, 2) px is where it was seen: a wrongly told camera may bend the whole view."""
    shown = cv2.perspectiveTransform(quad[None].astype(np.float64), view.from_picture)[0]
    return bool(np.linalg.norm(shown.mean(axis=0) - rim.middle_px) < BENT * rim.radius_px)


def _upright(view: View, rim: Rim) -> Floats:
    """Return the square (4, 2) px round a disc, from its top left on, its top being the picture's."""
    middle = view.to_mm(rim.middle_px)
    above = view.plane.to_px(middle[None], view.height_mm) - [[0.0, 1.0]]
    up = view.plane.to_mm(above, view.height_mm)[0] - middle
    up *= rim.radius_px * view.mm_per_px / np.linalg.norm(up)
    right = np.array([up[1], -up[0]])
    corners = middle + np.array([up - right, up + right, right - up, -right - up])
    return np.asarray(view.plane.to_px(corners, view.height_mm), float)


def _seeds(
    detections: Detections, unlike: Floats, tiles_px: Sequence[Floats]
) -> tuple[Floats, npt.NDArray[np.floating]]:
    """Return discs (n, 4, 2) px, one a place, and the detector's scores of them (n,), 0 where it saw none."""
    side = [float(np.linalg.norm(quad[1] - quad[0])) for quad in tiles_px]
    low, high = np.multiply(SIDES, median(side)) if side else BROAD_PX
    boxes = quads.clockwise(np.asarray(detections.corners_px, float))
    broad = np.linalg.norm(np.roll(boxes, -1, axis=1) - boxes, axis=-1)
    discs = np.array([kind == "disc" for kind in detections.kinds], bool)
    fitting = discs & (broad.min(axis=1) > low) & (broad.max(axis=1) < high)
    round_ones = sorted(silhouettes.discs(unlike, float(low), float(high)), key=lambda s: -s.fill)
    taken: list[Floats] = []
    scores: list[float] = []
    of_box = sorted(
        zip(boxes[fitting], np.asarray(detections.scores, float)[fitting], strict=True), key=lambda b: -b[1]
    )
    for quad, score in [*((s.corners_px, 0.0) for s in round_ones), *of_box]:
        there = next((k for k, other in enumerate(taken) if same(other, quad)), None)
        if there is None:
            taken.append(quad)
            scores.append(float(score))
        else:
            scores[there] = max(scores[there], float(score))
    order = np.argsort(-np.array(scores), kind="stable")[:MOST_SEEDS]
    return np.array(taken).reshape(-1, 4, 2)[order], np.array(scores)[order]


def _plane(image: Image, tiles_px: Sequence[Floats], seeds: Floats, deck: Deck) -> Plane | None:
    """Return the camera: by research tiles where there are any, else by the coins."""
    size_px = (image.shape[1], image.shape[0])
    if len(tiles_px):
        tiles = np.stack(list(tiles_px))
        sizes = np.broadcast_to(np.asarray(deck.edition.size_mm, float), (len(tiles), 2))
        plane = planes.fit(planes.lengthwise(tiles, sizes), sizes, size_px, height_mm=deck.thickness_mm)
        if plane is not None:
            return plane
    return _plane_of_discs(image, seeds, deck.thickness_mm)


def _plane_of_discs(image: Image, seeds: Floats, height_mm: float) -> Plane | None:
    """Return the camera by discs (n, 4, 2) px, all equally broad."""
    size_px = (image.shape[1], image.shape[0])
    side = np.linalg.norm(np.roll(seeds, -1, axis=1) - seeds, axis=-1).mean(axis=1)
    sizes = np.full((len(seeds), 2), UNIT_MM)
    return planes.fit(seeds, sizes, size_px, height_mm=height_mm, noise_px=np.maximum(ROUGH_SHARE * side, 1.0))


def _view(image: Image, plane: Plane, seeds: Floats, height_mm: float) -> View:
    """Return the coins' level seen from above, at the scale at which their rims are fullest."""
    rough = _broad_mm(plane, seeds, height_mm) / 2
    view = rims.view_of(plane, height_mm, rough)
    middles = view.to_view(plane.to_mm(seeds.mean(axis=1), height_mm))
    better = rims.radius_px(rims.edges(np.asarray(view.of(image), np.uint8)), middles)
    return rims.view_of(plane, height_mm, rough * better / rims.RADIUS_PX)


def _broad_mm(plane: Plane, seeds: Floats, height_mm: float) -> float:
    mm = plane.to_mm(seeds, height_mm)
    return float(median(np.linalg.norm(np.roll(mm, -1, axis=1) - mm, axis=-1)))


def _fits(plane: Plane, quad: Floats, broad_mm: float, height_mm: float) -> bool:
    """Tell whether a disc is about as broad as the coins are."""
    return bool(abs(np.log(_broad_mm(plane, quad[None], height_mm) / broad_mm)) < np.log(1.3))


def _by_rims(
    image: Image, view: View, tiles_px: Sequence[Floats], recogniser: Recogniser
) -> list[tuple[Floats, Naming, Rim]]:
    """Return the coins that a rim tells of and whose face is known: corners (4, 2) px, name, rim; one a place."""
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    tried: list[tuple[Floats, Rim]] = []
    for rim in rims.found(rims.edges(np.asarray(view.of(image), np.uint8))):
        quad = view.plane.to_px(view.to_mm(rim.middle_px + square * rim.radius_px), view.height_mm)
        if rim.share >= LEAST_SHARE and not any(_on(quad, tile) for tile in tiles_px):
            tried.append((quad, rim))
    full = [one for one in tried if one[1].share >= FULL]
    named = _named(image, full, recogniser)
    plain = [quad for quad, naming, rim in named if _told(naming, rim) > CLEAR]
    rest = [one for one in tried if one[1].share < FULL and not any(same(one[0], quad) for quad in plain)]
    named += _named(image, rest, recogniser)
    clear = [rim.radius_px for _, naming, rim in named if _told(naming, rim) > CLEAR]
    usual = float(median(clear)) if clear else rims.RADIUS_PX
    named = [
        (quad, _surer(naming, rim), rim)
        for quad, naming, rim in named
        if _told(naming, rim) > (TOLD if _alike(rim, usual) else CLEAR)
    ]
    coins: list[tuple[Floats, Naming, Rim]] = []
    for one in sorted(named, key=lambda each: -each[1].probability * each[2].share):
        if not any(same(one[0], other) for other, *_ in coins):
            coins.append(one)
    return coins


def _names(image: Image, discs: Sequence[Floats], recogniser: Recogniser) -> list[Naming]:
    return recogniser.name([rectify(image, q, CROP_PX, CROP_PX) for q in discs], group="coins", turns="all")


def _named(
    image: Image, tried: Sequence[tuple[Floats, Rim]], recogniser: Recogniser
) -> list[tuple[Floats, Naming, Rim]]:
    """Name discs: those that are none of the deck's coins are left out."""
    namings = _names(image, [quad for quad, _ in tried], recogniser)
    return [(quad, one, rim) for (quad, rim), one in zip(tried, namings, strict=True) if one.label is not None]


def _told(naming: Naming, rim: Rim) -> float:
    """Return how much tells of a coin: its face and its rim, 0 to 2."""
    return naming.probability + rim.share


def _surer(naming: Naming, rim: Rim) -> Naming:
    """Return what a name is worth where a coin's whole rim tells that there is a coin."""
    if _told(naming, rim) <= CLEAR:
        return naming
    odds = [(label, p**SURER if label is not None else NO_COIN * p) for label, p in naming.candidates]
    total = sum(p for _, p in odds)
    ranked = sorted(((label, p / total) for label, p in odds), key=lambda one: -one[1])
    return dataclasses.replace(naming, candidates=tuple(ranked))


def _on(quad: Floats, tile: Floats) -> bool:
    """Tell whether a disc's middle lies on a tile (4, 2) px: its print, not a coin."""
    x, y = quad.mean(axis=0)
    return cv2.pointPolygonTest(tile.astype(np.float32), (float(x), float(y)), False) >= 0


def _alike(rim: Rim, radius_px: float) -> bool:
    return bool(abs(np.log(rim.radius_px / radius_px)) < SAME_SIZE)


def same(quad: Floats, other: Floats) -> bool:
    """Tell whether two discs (4, 2) px lie in one place: one coin, or its print; of a pile the top one counts."""
    apart = float(np.linalg.norm(quad.mean(axis=0) - other.mean(axis=0)))
    return apart < PILE * max(float(np.linalg.norm(q[1] - q[0])) for q in (quad, other))
