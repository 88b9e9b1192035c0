"""A player's stash at the end of the game: coins and research tiles, from a photograph of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from decks.deck import Deck
from scoring.table import Kind, Piece
from vision import bare, burnt, coins, matching, quads, silhouettes, spread
from vision.comparing import PLAIN_CORRELATION, compared
from vision.detector import Detections
from vision.fitting import SURE_SCORE
from vision.matching import Matcher
from vision.openrow import WHOLE, laid_and_known
from vision.placing import Placed, filled, place
from vision.plane import Plane
from vision.reader import told
from vision.recogniser import Naming, Recogniser
from vision.registration import Registration
from vision.silhouettes import Silhouette

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

LEAST_SCORE = 0.12
"""Boxes this weak are still looked at: the deck's faces tell which of them are tiles."""
GROWN = (1.0, 1.1, 1.2)
"""Of a box: the detector, and edges, often take a frame's inner border for a tile's edge."""
CUT = (1.15, 2.0)
"""How many times longer than broad a box may be that is a part of a square tile."""
SAME_SIZE = 0.25
"""Log of a side over a tile's, within which a thing may be a tile."""
STEEPEST = 0.45
"""Log of how much larger one tile looks than another: a camera that looks down at 45° sees them so, near and far."""
BOX_SIZE, NONE = 0.4, 0.5
"""Likewise, of the detector's box: a lamp may burn a third of a tile white, while coins and prints are smaller yet.
What is so far off is asked about, whatever it shows; as likely as not it is none."""
PLAIN_FILL = 0.95
"""Of its four sides' area: what fills them so and is as large as a tile is asked about, whatever it shows."""
SIDES_PX = (40.0, 400.0)
"""How long a tile's sides are where no tile tells it: of a picture of a stash."""
BARE_FIT, TABLE_FIT, MOST_FIT = 0.8, 0.2, 0.995
"""How well a face correlates at least where none, and how much more where all, of a place shows the table's own
colours, and at most: a floor's slab with its joints is like a plain face in a frame (up to 0.990; true tiles have 0.999
and more), the table round a coin like a ground with a print on it (0.86)."""
FRAME = np.array([[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8], [0.5, 0.5]])
"""Places of a picture, as shares, at which it is measured how large a tile looks."""


def read_stash(image: Image, deck: Deck, recogniser: Recogniser) -> list[Piece]:
    """Read a BGR picture: every coin and research tile in it; what is found but not known has the label None."""
    detections, unlike = spread.at_first(image)
    tiles = _tiles(image, detections, unlike, deck, recogniser) if deck.research else ()
    namings = [compared(image, tile, deck) for tile in tiles]
    beside = coins.Tiles([tile.corners_px for tile in tiles], surest(tiles, namings))
    found = coins.found(image, detections, unlike, beside, deck, recogniser) if deck.coins else []
    named: list[tuple[Kind, Naming]] = [("research", n) for n in namings] + [("coin", n) for n in found]
    return [_piece(k, kind, naming, deck) for k, (kind, naming) in enumerate(named)]


def surest(tiles: Sequence[Placed], namings: Sequence[Naming]) -> list[Floats]:
    """Return the corners (4, 2) px of the tiles that are known for sure, else of those that are likely ones."""
    sure = [tile.corners_px for tile, naming in zip(tiles, namings, strict=True) if matching.known(naming)]
    return sure or [tile.corners_px for tile, naming in zip(tiles, namings, strict=True) if naming.label is not None]


def _tiles(
    image: Image, detections: Detections, unlike: Floats, deck: Deck, recogniser: Recogniser
) -> Sequence[Placed]:
    """Return the research tiles, all of one size: what that is, in mm, tells nothing here."""
    matcher = Matcher(image, deck.edition.size_mm, deck.thickness_mm, recogniser, deck.research, "research")
    scores, anything = np.asarray(detections.scores, float), quads.clockwise(np.asarray(detections.corners_px, float))
    cards = np.array([kind == "card" for kind in detections.kinds], bool) & (scores >= LEAST_SCORE)
    boxes, scores = anything[cards], scores[cards]
    round_score = as_disc(detections, boxes)
    known = known_tiles(matcher, boxes[scores >= round_score])  # a tile's round print may be a coin's likeness
    if len(known) == 0:  # the table's own lines may run on from a tile's, which no box then fits
        known = known_tiles(matcher, _plain(silhouettes.anywhere(unlike, *SIDES_PX)))
    if len(known) == 0:
        firm = (scores >= SURE_SCORE) & (round_score == 0)
        return place(matcher, boxes[firm], scores[firm]).pieces if firm.any() else ()
    known = largest(known, STEEPEST)  # a smaller one is a coin's print that is a tile's likeness
    placing = place(matcher, known, np.ones(len(known)))
    if placing.plane is None:  # no camera sees them all as large: the smaller are coins' prints
        alike = largest(known)
        placing = place(matcher, alike, np.ones(len(alike)))
    if placing.plane is None:
        return ()
    tiles = [piece for piece in placing.pieces if piece.naming.label is not None]
    outlines = _outlines(unlike, placing.plane, matcher)
    alike = anything[_tile_sized(placing.plane, matcher, anything, BOX_SIZE)]  # a tile in the table's colours is faint
    tiles += _searched(matcher, placing.plane, np.concatenate([boxes, alike, outlines]), tiles)
    tiles += _unread(matcher, placing.plane, np.concatenate([boxes[scores >= SURE_SCORE], outlines]), tiles)
    return [*tiles, *_burnt(matcher, placing.plane, tiles)]


def largest(quads_px: Floats, most_log: float = SAME_SIZE) -> Floats:
    """Return the quads (n, 4, 2) px that are about as large as the largest, so much smaller (log) at most."""
    side = np.linalg.norm(np.roll(quads_px, -1, axis=1) - quads_px, axis=-1).mean(axis=1)
    alike: Floats = quads_px[np.log(side.max() / side) < most_log]
    return alike


def as_disc(detections: Detections, boxes: Floats) -> Floats:
    """Return how sure the detector is of discs where boxes (n, 4, 2) px lie, (n,): coins; 0 where it sees none."""
    discs = np.array([kind == "disc" for kind in detections.kinds], bool) & (detections.scores >= LEAST_SCORE)
    seen = list(zip(np.asarray(detections.corners_px, float)[discs], detections.scores[discs], strict=True))
    sure = [max((float(s) for disc, s in seen if spread.same_place(box, disc)), default=0.0) for box in boxes]
    return np.array(sure, float)


def _outlines(unlike: Floats, plane: Plane, matcher: Matcher) -> Floats:
    """Return what stands out from the table as a tile does (n, 4, 2) px, which the detector may have missed."""
    sides_px = plane.px_per_mm(plane.to_mm(FRAME * matcher.frame_px)) * np.sqrt(np.prod(matcher.size_mm))
    found = silhouettes.anywhere(unlike, float(sides_px.min()), float(sides_px.max()))
    return _plain([one for one in found if _tile_sized(plane, matcher, one.corners_px[None]).all()])


def _plain(outlines: Sequence[Silhouette]) -> Floats:
    """Return what fills its four sides (n, 4, 2) px, one a place."""
    return _one_a_place([Registration(one.corners_px, one.fill) for one in outlines if one.fill > PLAIN_FILL])


def _tile_sized(plane: Plane, matcher: Matcher, quads_px: Floats, most_log: float = SAME_SIZE) -> npt.NDArray[np.bool_]:
    """Tell which quads (n, 4, 2) px are as large as a tile, (n,)."""
    mm = plane.to_mm(quads_px, matcher.height_mm)
    sides = np.linalg.norm(np.roll(mm, -1, axis=1) - mm, axis=-1)
    off = np.abs(np.log(sides / np.sqrt(np.prod(matcher.size_mm)))).max(axis=1)
    return np.asarray(off < most_log)


def known_tiles(matcher: Matcher, boxes: Floats) -> Floats:
    """Return the corners (n, 4, 2) px of what bears a face of the deck beyond doubt, one a place."""
    found: list[Registration] = []
    for share in GROWN:
        plain = [one.corners_px for one in found if one.correlation > PLAIN_CORRELATION]
        free = np.array([box for box in boxes if not any(spread.same_place(box, other) for other in plain)])
        if len(free):
            middle = free.mean(axis=1, keepdims=True)
            found += _named_where_laid(matcher, middle + (free - middle) * share)
    cut = np.array([box for box in boxes if not any(spread.same_place(box, one.corners_px) for one in found)])
    longer = np.array([quad for box in cut for quad in squared(box)])
    found += _named_where_laid(matcher, longer) if len(longer) else []
    return _one_a_place(borne_out(matcher.image, found))


def squared(box: Floats) -> list[Floats]:
    """Return a box (4, 2) px made as high as it is broad, or as broad as high, to either side; none of a square one.

    The detector takes a line that is printed across a tile for its edge.
    """
    across, down = (box[1] - box[0] + box[2] - box[3]) / 2, (box[3] - box[0] + box[2] - box[1]) / 2
    ratio = float(np.linalg.norm(across) / max(float(np.linalg.norm(down)), 1e-6))
    if not CUT[0] < max(ratio, 1 / max(ratio, 1e-6)) < CUT[1]:
        return []
    more, far, near = (down * (ratio - 1), [2, 3], [0, 1]) if ratio > 1 else (across * (1 / ratio - 1), [1, 2], [0, 3])
    later, earlier = box.copy(), box.copy()
    later[far] += more
    earlier[near] -= more
    return [later, earlier]


def _named_where_laid(matcher: Matcher, boxes: Floats) -> list[Registration]:
    """Lay faces onto boxes (n, 4, 2) px and onto the edges near them; return those that are known where they lie."""
    starts = np.concatenate([boxes, quads.refine(matcher.image, boxes).corners_px])
    return [one[0] for one in laid_and_known(matcher, starts) if one is not None]


def borne_out(image: Image, found: Sequence[Registration], tiles: Sequence[Placed] = ()) -> list[Registration]:
    """Leave out what shows the table's own colours and bears no face so well that it must lie there all the same."""
    corners = [one.corners_px for one in found] + [tile.corners_px for tile in tiles]
    quads_px = np.array(corners).reshape(-1, 4, 2)
    shares = bare.like(image, quads_px, np.ones(len(quads_px), bool)) if found else ()
    needed = np.minimum(BARE_FIT + TABLE_FIT * np.array(shares[: len(found)]), MOST_FIT)
    return [one for one, least in zip(found, needed, strict=True) if one.correlation >= least]


def _one_a_place(found: Sequence[Registration]) -> Floats:
    """Return the corners (n, 4, 2) px of what correlates best at each place."""
    kept: list[Floats] = []
    for one in sorted(found, key=lambda one: -one.correlation):
        if not any(spread.same_place(one.corners_px, other) for other in kept):
            kept.append(one.corners_px)
    return np.array(kept).reshape(-1, 4, 2)


def _searched(matcher: Matcher, plane: Plane, boxes: Floats, tiles: Sequence[Placed]) -> list[Placed]:
    """Return the tiles that are found only now that it is known how large they are."""
    free = _free(boxes, tiles)
    if len(free) == 0:
        return []
    laid, _ = matcher.searched(plane, free)
    whole = [one for one in laid if one is not None and one.correlation > WHOLE]
    new = _free(_one_a_place(borne_out(matcher.image, whole, tiles)), tiles)
    return list(filled(matcher, plane, matcher.rigid(plane, new))) if len(new) else []


def _free(boxes: Floats, tiles: Sequence[Placed]) -> Floats:
    """Return the boxes (n, 4, 2) px that lie where no tile was read."""
    free = [box for box in boxes if not any(spread.same_place(box, tile.corners_px) for tile in tiles)]
    return np.array(free).reshape(-1, 4, 2)


def _unread(matcher: Matcher, plane: Plane, boxes: Floats, tiles: Sequence[Placed]) -> Sequence[Placed]:
    """Return what surely lies there and is as large as a tile, where none was read: that is asked."""
    free = _free(boxes, tiles)
    if len(free) == 0:
        return ()
    alike = free[_tile_sized(plane, matcher, free, BOX_SIZE)]
    unread = filled(matcher, plane, matcher.rigid(plane, alike)) if len(alike) else ()
    whole = _tile_sized(plane, matcher, alike)
    told_of = [one if w else replace(one, naming=_any(matcher)) for one, w in zip(unread, whole, strict=True)]
    kept: list[Placed] = []
    for one in sorted(told_of, key=lambda one: (one.naming.label is None, -one.naming.probability)):
        if not any(spread.same_place(one.corners_px, other.corners_px) for other in kept):
            kept.append(one)
    return kept


def _burnt(matcher: Matcher, plane: Plane, tiles: Sequence[Placed]) -> list[Placed]:
    """Return the places beside tiles that a lamp has burnt white, and where a tile may lie unseen: that is asked."""
    corners = [tile.corners_px for tile in tiles]
    side_mm = float(np.sqrt(np.prod(matcher.size_mm)))
    squares = np.array(burnt.unseen(matcher.image, plane, corners, [None] * len(tiles), side_mm)).reshape(-1, 4, 2)
    return [Placed(plane.to_px(square), square, _any(matcher), 0.0) for square in squares]


def _any(matcher: Matcher) -> Naming:
    """Return the naming of what may be any tile, or none."""
    any_of_them = tuple((label, (1 - NONE) / len(matcher.references)) for label in matcher.references)
    return Naming(((None, NONE), *any_of_them), 0, 0.0, 1.0)


def _piece(number: int, kind: Kind, naming: Naming, deck: Deck) -> Piece:
    label, probability, candidates = told(naming)
    if label is None and not candidates and kind == "research":
        candidates = tuple((one, (1 - probability) / len(deck.research)) for one in deck.research)
    return Piece(number, kind, label, (), 90.0, probability, candidates)
