"""A stash's coins, from a photograph: each is read, side by side or overlapping; what may lie between them is asked.

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
from vision import discs, explained, rims
from vision import plane as planes
from vision.crop import rectify
from vision.detector import Detections
from vision.fitting import SURE_SCORE
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
LEAST_SHARE = 0.55  # of a rim: three coins that lie round one another leave more of each in view
TOLD, CLEAR = 1.6, 1.8  # the rim's share and the name's probability together: of a coin as large as the others; of any
SAME_SIZE = 0.05  # log of two radii
SURER = 1.6  # power of a name's probability at a clear rim: of 270 such coins all were named right, at 0.9 to 1
NO_COIN = 0.05  # what is left of the probability that such a one is none of the deck's
MORE = (
    0.5  # of the stashes where a rim is not explained by the coins that were found, as often as not there was one more
)


def found(
    image: Image, detections: Detections, unlike: Floats, tiles_px: Sequence[Floats], deck: Deck, recogniser: Recogniser
) -> list[Naming]:
    """Name all coins in a BGR picture; of one that may show between others it is not known whether it is there.

    `unlike`: (h, w), how unlike the bare table each pixel is. `tiles_px`: the research tiles' corners, (4, 2) each.
    """
    seeds, scores = discs.rough(detections, unlike, tiles_px)
    if len(seeds) == 0:
        return []
    namings = _names(image, list(seeds), recogniser)
    firm = scores >= SURE_SCORE
    sure = np.array([known(naming) for naming in namings])  # a coin, whatever else tells of it
    counts = firm | (sure & (scores >= discs.OUTLINED))
    telling = seeds[sure] if sure.any() else seeds[firm]
    plane = _plane(image, tiles_px, telling, deck) if len(telling) else None
    if plane is None:
        return [naming for naming, shown in zip(namings, counts, strict=True) if shown]
    view = discs.view_at(image, plane, telling, deck.thickness_mm)
    fits = np.array([_fits(view, quad) for quad in seeds])
    edges = rims.edges(np.asarray(view.of(image), np.uint8))
    at_first = [(q, n, _rim_near(view, edges, q)) for q, n, ok in zip(seeds, namings, sure & fits, strict=True) if ok]
    rough = [(discs.square(view, rim), rim) for rim in rims.found(edges) if rim.share >= LEAST_SHARE]
    rough = [one for one in rough if _off(one[0], tiles_px)]
    coins, doubtful = _explained(edges, _by_rims(image, view, edges, rough, at_first, recogniser), seeds)
    other = [
        naming
        for quad, naming, shown in zip(seeds, namings, counts & fits, strict=True)
        if shown and not any(discs.same(quad, q) for q, *_ in coins)
    ]
    free = [rim for quad, rim in rough if not any(discs.same(quad, q) for q, *_ in coins)]
    more = doubtful or explained.left_over(edges, [rim for *_, rim in coins], free)
    return [naming for _, naming, _ in coins] + other + ([_maybe(deck)] if more else [])


def _explained(edges: Edges, found: Sequence[Coin], seeds: Floats) -> tuple[list[Coin], bool]:
    """Return the coins that their rims or a find (n, 4, 2) px tell of, and whether a rim leaves room for one more."""
    shares = explained.shares(edges, [rim for *_, rim in found])
    seen = [any(discs.same(coin[0], seed) for seed in seeds) for coin in found]
    kept = [coin for coin, share, s in zip(found, shares, seen, strict=True) if s or share >= explained.CLEAR]
    unclear = shares < explained.CLEAR
    return kept, bool((unclear & (np.array(seen, bool) | (shares >= explained.WHOLE))).any())


def _plane(image: Image, tiles_px: Sequence[Floats], seeds: Floats, deck: Deck) -> Plane | None:
    """Return the camera: by research tiles where there are any, else by the coins."""
    size_px = (image.shape[1], image.shape[0])
    if len(tiles_px):
        tiles = np.stack(list(tiles_px))
        sizes = np.broadcast_to(np.asarray(deck.edition.size_mm, float), (len(tiles), 2))
        plane = planes.fit(planes.lengthwise(tiles, sizes), sizes, size_px, height_mm=deck.thickness_mm)
        if plane is not None:
            return plane
    return discs.plane_of(image, seeds, deck.thickness_mm)


def _rim_near(view: View, edges: Edges, quad: Floats) -> Rim:
    """Return the rim of a disc (4, 2) px that was seen without it."""
    return rims.near(edges, view.to_view(view.plane.to_mm(quad.mean(axis=0), view.height_mm)))


def _fits(view: View, quad: Floats) -> bool:
    """Tell whether a disc is about as broad as the coins are."""
    broad_mm = 2 * rims.RADIUS_PX * view.mm_per_px
    return bool(abs(np.log(discs.broad_mm(view.plane, quad[None], view.height_mm) / broad_mm)) < np.log(1.3))


def _by_rims(
    image: Image,
    view: View,
    edges: Edges,
    tried: Sequence[tuple[Floats, Rim]],
    at_first: Sequence[Coin],
    recogniser: Recogniser,
) -> list[Coin]:
    """Return the coins that a rim tells of and whose face is known, one a place; `at_first`: known without."""
    full = [one for one in tried if one[1].share >= discs.FULL]
    named = [*_named(image, full, recogniser), *(one for one in at_first if one[2].share >= discs.FULL)]
    rest = _apart([one for one in tried if one[1].share < discs.FULL], named)
    named += _named(image, rest, recogniser)
    clear = [rim.radius_px for _, naming, rim in named if _told(naming, rim) > CLEAR]
    usual = float(median(clear)) if clear else rims.RADIUS_PX
    again = [rims.near(edges, rim.middle_px, usual) for _, rim in _apart(tried, named)]
    named += _named(image, [(discs.square(view, rim), rim) for rim in again if rim.share >= LEAST_SHARE], recogniser)
    named = [
        (quad, _surer(naming, rim), rim)
        for quad, naming, rim in named
        if _told(naming, rim) > (TOLD if _alike(rim, usual) else CLEAR)
    ]
    coins: list[Coin] = []
    for one in sorted(named, key=lambda each: -each[1].probability * each[2].share):
        if not any(discs.same(one[0], other) for other, *_ in coins):
            coins.append(one)
    return coins


def _apart(tried: Sequence[tuple[Floats, Rim]], named: Sequence[Coin]) -> list[tuple[Floats, Rim]]:
    """Return those that lie where no coin is clear yet."""
    clear = [quad for quad, naming, rim in named if _told(naming, rim) > CLEAR]
    return [one for one in tried if not any(discs.same(one[0], quad) for quad in clear)]


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
    """Return what may be one more coin, partly under others: none, or any."""
    coins = tuple((label, (1 - MORE) / len(deck.coins)) for label in deck.coins)
    return Naming(((None, MORE), *coins), 0, 0.0, 1.0)


def _off(quad: Floats, tiles: Sequence[Floats]) -> bool:
    """Tell whether a disc's middle lies on no tile (4, 2) px: else it is its print, no coin."""
    x, y = (float(v) for v in quad.mean(axis=0))
    return all(cv2.pointPolygonTest(tile.astype(np.float32), (x, y), False) < 0 for tile in tiles)


def _alike(rim: Rim, radius_px: float) -> bool:
    return bool(abs(np.log(rim.radius_px / radius_px)) < SAME_SIZE)
