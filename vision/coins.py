"""A stash's coins, from a photograph: each is read, side by side or overlapping; what may lie between them is asked.

The detector's discs and what stands out from the table tell how large coins are and how the camera looks at them; with
that known, each coin is a circle, and all of them are found by their rims and borne out by their faces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from decks.deck import Deck
from vision import bare, burnt, discs, explained, facing, likeness, rims
from vision import plane as planes
from vision.detector import Detections
from vision.facing import Coin, Top
from vision.fitting import SURE_SCORE
from vision.matching import known
from vision.plane import Plane
from vision.ranks import median
from vision.recogniser import Naming, Recogniser
from vision.rims import Rim

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

LEAST_SHARE = 0.55  # of a rim: three coins that lie round one another leave more of each in view
# of the stashes where a rim is not explained by the coins that were found, as often as not there was one more
MORE = 0.5
FEW = 2  # where fewer coins than these are borne out, they may be of another breadth than it seemed
BREADTHS = discs.SIDES[0] * 1.18 ** np.arange(9)
"""Of a tile's side, up to discs.SIDES[1]: what is looked for; rims are found to 8% of it, and faces fitted to 18%."""
TRIED = 12  # of the rims of each such breadth, the fullest
PRINTED = 0.8  # of a disc in the table's own colours: of prints 0.97 and more, of most coins up to 0.65, of one 0.94
OFF_SIZE = 0.05  # log of two radii: coins that are so much larger or smaller than was thought are looked at again


@dataclass(frozen=True)
class Tiles:
    """Corners of research tiles, (4, 2) px each: of all, and of those that are surely tiles and so tell the scale."""

    all_px: Sequence[Floats]
    known_px: Sequence[Floats]


def found(
    image: Image, detections: Detections, unlike: Floats, tiles: Tiles, deck: Deck, recogniser: Recogniser
) -> list[Naming]:
    """Name all coins in a BGR picture; of one that may show between others it is not known whether it is there.

    `unlike`: (h, w), how unlike the bare table each pixel is.
    """
    seeds, scores = discs.rough(detections, unlike, tiles.known_px)
    namings = facing.names(image, list(seeds), recogniser)
    firm = scores >= SURE_SCORE
    sure = np.array([known(naming) for naming in namings], bool)  # a coin, whatever else tells of it
    counts = firm | (sure & (scores >= discs.OUTLINED))
    telling = seeds[sure] if sure.any() else seeds[firm]
    plane = _plane(image, tiles.known_px, telling, deck)
    if plane is None:
        return [naming for naming, shown in zip(namings, counts, strict=True) if shown]
    seen, clear = _top(image, plane, telling, tiles.known_px, deck, recogniser)
    if seen is None:
        return []
    at_first = [(n, _rim_near(seen, q)) for q, n, ok in zip(seeds, namings, sure, strict=True) if ok and _fits(seen, q)]
    return _read(seen, at_first, clear, seeds, seeds[counts], tiles.all_px, deck)


def _read(
    seen: Top,
    at_first: Sequence[tuple[Naming, Rim]],
    clear: Sequence[Coin],
    seeds: Floats,
    firm: Floats,
    tiles_px: Sequence[Floats],
    deck: Deck,
) -> list[Naming]:
    """Name the coins that are seen from above; `firm`: those discs (n, 4, 2) px that are there, whatever they are."""
    rough = [rim for rim in rims.found(seen.edges) if rim.share >= LEAST_SHARE]
    told = [coin for coin in _by_rims(seen, rough, at_first, clear) if coin.clear or _off(coin.corners_px, tiles_px)]
    off_table = not_printed(seen.image, told, tiles_px)
    coins, doubtful = _explained(seen, off_table, seeds)

    def free(quad: Floats) -> bool:
        return _off(quad, tiles_px) and not any(discs.same(quad, coin.corners_px) for coin in coins)

    other = any(_fits(seen, quad) and free(quad) for quad in firm)
    left = [rim for rim in rough if free(discs.square(seen.view, rim))]
    doubtful = doubtful or other or len(off_table) < len(told)
    lying = [coin.corners_px for coin in coins] + list(tiles_px)
    broad_mm = 2 * rims.RADIUS_PX * seen.view.mm_per_px
    unseen = burnt.unseen(seen.image, seen.view.plane, lying, [None] * len(lying), broad_mm)
    more = doubtful or bool(unseen) or explained.left_over(seen.edges, [coin.rim for coin in coins], left)
    return [coin.naming for coin in coins] + ([_maybe(deck)] if more else [])


def not_printed(image: Image, coins: Sequence[Coin], tiles_px: Sequence[Floats]) -> list[Coin]:
    """Leave out what no face bears out and shows the table's own colours: a print of the cloth that lies there."""
    if all(coin.clear for coin in coins):
        return list(coins)
    quads = np.stack([coin.corners_px for coin in coins])
    covering = np.concatenate([quads, np.reshape(tiles_px, (-1, 4, 2))])
    shares = bare.like(image, covering, np.ones(len(covering), bool))
    return [coin for coin, share in zip(coins, shares, strict=False) if coin.clear or share < PRINTED]


def _explained(seen: Top, coins: Sequence[Coin], seeds: Floats) -> tuple[list[Coin], bool]:
    """Return the coins that a face, a rim or a find (n, 4, 2) px tells of, and whether a rim leaves room for more."""
    shares = explained.shares(seen.edges, [coin.rim for coin in coins])
    told = [coin.clear or any(discs.same(coin.corners_px, seed) for seed in seeds) for coin in coins]
    kept = [coin for coin, share, t in zip(coins, shares, told, strict=True) if t or share >= explained.CLEAR]
    unclear = shares < explained.CLEAR
    return kept, bool((unclear & (np.array(told, bool) | (shares >= explained.WHOLE))).any())


def _plane(image: Image, tiles_px: Sequence[Floats], seeds: Floats, deck: Deck) -> Plane | None:
    """Return the camera: by research tiles where there are any, else by the coins."""
    size_px = (image.shape[1], image.shape[0])
    if len(tiles_px):
        tiles = np.stack(list(tiles_px))
        sizes = np.broadcast_to(np.asarray(deck.edition.size_mm, float), (len(tiles), 2))
        plane = planes.fit(planes.lengthwise(tiles, sizes), sizes, size_px, height_mm=deck.thickness_mm)
        if plane is not None:
            return plane
    return discs.plane_of(image, seeds, deck.thickness_mm) if len(seeds) else None


def _top(
    image: Image, plane: Plane, seeds: Floats, tiles_px: Sequence[Floats], deck: Deck, recogniser: Recogniser
) -> tuple[Top | None, list[Coin]]:
    """Return the coins from above, at the scale at which they are RADIUS_PX large, and those clear at first sight.

    That is told by discs (n, 4, 2) px; where these do not bear it out, and tiles tell the scale, by faces at all sizes.
    """
    faces = likeness.unrolled(deck.coins)
    seen, coins = None, list[Coin]()
    if len(seeds):
        seen = facing.top(image, discs.view_at(image, plane, seeds, deck.thickness_mm), recogniser, faces)
        coins = _clear(seen)
    if len(coins) < FEW and len(tiles_px):
        side_mm = float(np.sqrt(np.prod(deck.edition.size_mm)))
        for share in BREADTHS:
            view = rims.view_of(plane, deck.thickness_mm, share * side_mm / 2)
            other = facing.top(image, view, recogniser, faces)
            better = _clear(other)
            if len(better) > len(coins):
                seen, coins = other, better
    if seen is None or not coins:
        return seen, []
    radius_px = float(median([coin.rim.radius_px for coin in coins]))
    if abs(np.log(radius_px / rims.RADIUS_PX)) < OFF_SIZE:
        return seen, coins
    view = rims.view_of(plane, deck.thickness_mm, radius_px * seen.view.mm_per_px)
    seen = facing.top(image, view, recogniser, faces)
    return seen, _clear(seen)


def _clear(seen: Top) -> list[Coin]:
    """Return the coins that have full rims and are borne out by their faces."""
    full = [rim for rim in rims.found(seen.edges) if rim.share >= discs.FULL]
    return [coin for coin in facing.settled(seen, facing.named(seen, full[:TRIED])) if coin.clear]


def _rim_near(seen: Top, quad: Floats) -> Rim:
    """Return the rim of a disc (4, 2) px that was seen without it."""
    view = seen.view
    return rims.near(seen.edges, view.to_view(view.plane.to_mm(quad.mean(axis=0), view.height_mm)))


def _fits(seen: Top, quad: Floats) -> bool:
    """Tell whether a disc is about as broad as the coins are."""
    view = seen.view
    broad_mm = 2 * rims.RADIUS_PX * view.mm_per_px
    return bool(abs(np.log(discs.broad_mm(view.plane, quad[None], view.height_mm) / broad_mm)) < np.log(1.3))


def _by_rims(
    seen: Top, tried: Sequence[Rim], at_first: Sequence[tuple[Naming, Rim]], clear: Sequence[Coin]
) -> list[Coin]:
    """Return the coins that a rim tells of and whose face is known, one a place.

    `at_first`: named without a rim; `clear`: known.
    """
    full = [(naming, rim) for naming, rim in at_first if rim.share >= discs.FULL]
    coins = facing.settled(seen, full, clear)
    coins = facing.settled(seen, facing.named(seen, _apart(seen, tried, coins)), coins)
    sizes = [coin.rim.radius_px for coin in coins if coin.clear]
    usual = float(median(sizes)) if sizes else rims.RADIUS_PX
    again = [rims.near(seen.edges, rim.middle_px, usual) for rim in _apart(seen, tried, coins)]
    return facing.settled(seen, facing.named(seen, [rim for rim in again if rim.share >= LEAST_SHARE]), coins)


def _apart(seen: Top, tried: Sequence[Rim], coins: Sequence[Coin]) -> list[Rim]:
    """Return those that lie where no coin is clear yet."""
    clear = [coin.corners_px for coin in coins if coin.clear]
    return [rim for rim in tried if not any(discs.same(discs.square(seen.view, rim), quad) for quad in clear)]


def _off(quad: Floats, tiles: Sequence[Floats]) -> bool:
    """Tell whether a disc's middle lies on no tile (4, 2) px: else it is its print, if no coin's face bears it out."""
    x, y = (float(v) for v in quad.mean(axis=0))
    return all(cv2.pointPolygonTest(tile.astype(np.float32), (x, y), False) < 0 for tile in tiles)


def _maybe(deck: Deck) -> Naming:
    """Return what may be one more coin, partly under others: none, or any."""
    coins = tuple((label, (1 - MORE) / len(deck.coins)) for label in deck.coins)
    return Naming(((None, MORE), *coins), 0, 0.0, 1.0)
