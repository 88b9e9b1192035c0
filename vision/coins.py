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
from vision.recogniser import Naming, Recogniser
from vision.rims import Edges, Rim, View

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

Coin = tuple[Floats, Naming, Rim]
"""Corners (4, 2) px of its square, its name, its rim."""

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
OUTLINED = 0.25  # what stands out as a disc counts as a find of this score; fainter finds without a rim are prints
BELOW = 0.5  # of the places where a coin seems to lie below another, as often as not there was one
UNIT_MM = 22.0  # stands for a coin's breadth where no tile tells the scale
ROUGH_SHARE = 0.04  # one σ of a seed's corners, as a share of its breadth


def found(
    image: Image, detections: Detections, unlike: Floats, tiles_px: Sequence[Floats], deck: Deck, recogniser: Recogniser
) -> list[Naming]:
    """Name all coins in a BGR picture; of one that only shows from under another it is not known whether it is there.

    `unlike`: (h, w), how unlike the bare table each pixel is. `tiles_px`: the research tiles' corners, (4, 2) each.
    """
    seeds, scores = _seeds(detections, unlike, tiles_px)
    if len(seeds) == 0:
        return []
    namings = _names(image, list(seeds), recogniser)
    firm = scores >= SURE_SCORE
    sure = np.array([known(naming) for naming in namings])  # a coin, whatever else tells of it
    counts = firm | (sure & (scores >= OUTLINED))
    telling = seeds[sure] if sure.any() else seeds[firm]
    plane = _plane(image, tiles_px, telling, deck) if len(telling) else None
    if plane is None:
        return [naming for naming, shown in zip(namings, counts, strict=True) if shown]
    view = _view(image, plane, telling, deck.thickness_mm)
    fits = np.array([_fits(view, quad) for quad in seeds])
    edges = rims.edges(np.asarray(view.of(image), np.uint8))
    at_first = [(q, n, _rim_near(view, edges, q)) for q, n, ok in zip(seeds, namings, sure & fits, strict=True) if ok]
    coins = _by_rims(image, view, edges, tiles_px, at_first, recogniser)
    other = [
        naming
        for quad, naming, shown in zip(seeds, namings, counts & fits, strict=True)
        if shown and not any(same(quad, q) for q, *_ in coins)
    ]
    below = piles.count(np.asarray(view.of(unlike.astype(np.float32)), float), [rim for *_, rim in coins])
    return [naming for _, naming, _ in coins] + other + [_maybe(deck)] * below


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
    """Return discs (n, 4, 2) px, one a place, and their scores (n,): the detector's; OUTLINED where one stands out."""
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
    for quad, score in [*((s.corners_px, OUTLINED) for s in round_ones), *of_box]:
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


def _rim_near(view: View, edges: Edges, quad: Floats) -> Rim:
    """Return the rim of a disc (4, 2) px that was seen without it."""
    return rims.near(edges, view.to_view(view.plane.to_mm(quad.mean(axis=0), view.height_mm)))


def _fits(view: View, quad: Floats) -> bool:
    """Tell whether a disc is about as broad as the coins are."""
    broad_mm = 2 * rims.RADIUS_PX * view.mm_per_px
    return bool(abs(np.log(_broad_mm(view.plane, quad[None], view.height_mm) / broad_mm)) < np.log(1.3))


def _by_rims(
    image: Image, view: View, edges: Edges, tiles_px: Sequence[Floats], at_first: Sequence[Coin], recogniser: Recogniser
) -> list[Coin]:
    """Return the coins that a rim tells of and whose face is known, one a place; `at_first`: known without."""
    rough = [(_square(view, rim), rim) for rim in rims.found(edges) if rim.share >= LEAST_SHARE]
    tried = [one for one in rough if _off(one[0], tiles_px)]
    full = [one for one in tried if one[1].share >= FULL]
    named = [*_named(image, full, recogniser), *(one for one in at_first if one[2].share >= FULL)]
    rest = _apart([one for one in tried if one[1].share < FULL], named)
    named += _named(image, rest, recogniser)
    clear = [rim.radius_px for _, naming, rim in named if _told(naming, rim) > CLEAR]
    usual = float(median(clear)) if clear else rims.RADIUS_PX
    again = [rims.near(edges, rim.middle_px, usual) for _, rim in _apart(tried, named)]
    named += _named(image, [(_square(view, rim), rim) for rim in again if rim.share >= LEAST_SHARE], recogniser)
    named = [
        (quad, _surer(naming, rim), rim)
        for quad, naming, rim in named
        if _told(naming, rim) > (TOLD if _alike(rim, usual) else CLEAR)
    ]
    coins: list[Coin] = []
    for one in sorted(named, key=lambda each: -each[1].probability * each[2].share):
        if not any(same(one[0], other) for other, *_ in coins):
            coins.append(one)
    return coins


def _square(view: View, rim: Rim) -> Floats:
    """Return the corners (4, 2) px of the square round a rim."""
    corners = rim.middle_px + rim.radius_px * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    return view.plane.to_px(view.to_mm(corners), view.height_mm)


def _apart(tried: Sequence[tuple[Floats, Rim]], named: Sequence[Coin]) -> list[tuple[Floats, Rim]]:
    """Return those that lie where no coin is clear yet."""
    clear = [quad for quad, naming, rim in named if _told(naming, rim) > CLEAR]
    return [one for one in tried if not any(same(one[0], quad) for quad in clear)]


def _names(image: Image, discs: Sequence[Floats], recogniser: Recogniser) -> list[Naming]:
    return recogniser.name([rectify(image, q, CROP_PX, CROP_PX) for q in discs], group="coins", turns="all")


def _named(image: Image, tried: Sequence[tuple[Floats, Rim]], recogniser: Recogniser) -> list[Coin]:
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


def _maybe(deck: Deck) -> Naming:
    """Return what may be a coin below another: none, or any."""
    coins = tuple((label, (1 - BELOW) / len(deck.coins)) for label in deck.coins)
    return Naming(((None, BELOW), *coins), 0, 0.0, 1.0)


def _off(quad: Floats, tiles: Sequence[Floats]) -> bool:
    """Tell whether a disc's middle lies on no tile (4, 2) px: else it is its print, no coin."""
    x, y = (float(v) for v in quad.mean(axis=0))
    return all(cv2.pointPolygonTest(tile.astype(np.float32), (x, y), False) < 0 for tile in tiles)


def _alike(rim: Rim, radius_px: float) -> bool:
    return bool(abs(np.log(rim.radius_px / radius_px)) < SAME_SIZE)


def same(quad: Floats, other: Floats) -> bool:
    """Tell whether two discs (4, 2) px lie in one place: one coin, or its print; of a pile the top one counts."""
    apart = float(np.linalg.norm(quad.mean(axis=0) - other.mean(axis=0)))
    return apart < PILE * max(float(np.linalg.norm(q[1] - q[0])) for q in (quad, other))
