"""A table that was read before, read again where it has changed: what lies as it did keeps what was read of it.

The camera stands still, so the plane is known; only pieces in changed places are looked for, laid on and named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np
import numpy.typing as npt

from decks.deck import Deck
from scoring.table import Piece
from vision import motion, overlaid, quads
from vision import plane as planes
from vision.matching import Matcher
from vision.photocards import Others, photo_cards
from vision.placing import FRAME_LOG, UNREAD_LOG, WEAK_SCORE, Placed, distinct, filled, size_off
from vision.plane import Plane
from vision.reader import (
    KIND,
    LEAST_SCORE,
    Reading,
    card_of,
    detector,
    marker_of,
    markers_on,
    matcher_of,
    photo_of,
    row_apart,
    strings_of,
    strings_on,
)
from vision.recogniser import Recogniser

if TYPE_CHECKING:
    from vision.strings import TracedString

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.uint8]

LOOK_PX = 480  # the width at which two pictures are compared: a 10 px string is then 4 px wide
GROWN = 9  # of those px: a piece that lies so near to a change is looked at again, its shadow may have moved
SPECK = 3  # of those px: so few that changed together are noise
MOST_CHANGED = 0.3  # of the picture: more has changed where the camera was moved
MOST_PIECES = 9  # that have to be read again: then reading all takes no longer, and is surer
AROUND = 1.0  # of a piece's longer side, beside what has changed: what lies about tells the detector what it sees
WHOLLY_SEEN = 0.9  # of a string: then nothing of it lies elsewhere
STRING_SHARE = 0.0002  # of the picture: so much that changed beside all pieces may be the string


@dataclass(frozen=True)
class Known:
    """A picture and what was read of it."""

    image: Image
    reading: Reading


def reread(
    image: Image, deck: Deck, recogniser: Recogniser, known: Known, string_colours: Mapping[str, str] | None = None
) -> Reading | None:
    """Read a picture (h, w, 3) of a table that is known from the same place; None where all must be read."""
    if known.reading.plane is None or image.shape != known.image.shape:
        return None
    mask = changed(known.image, image)
    if float(mask.mean()) > MOST_CHANGED:
        return None
    pieces = known.reading.table.pieces
    lost = {p.id for p in pieces if _touched(mask, known.reading.corners_px[p.id], image.shape[1])}
    lost |= {p.id for p in pieces if p.on in lost}
    if len(lost) > MOST_PIECES:
        return None
    again = _Again(image, deck, recogniser, known.reading, known.reading.plane, mask, frozenset(lost))
    return again.reading(string_colours)


def changed(before: Image, now: Image) -> Mask:
    """Return where two pictures of one size differ, (LOOK_PX · h/w, LOOK_PX): 1, grown; 0 elsewhere."""
    differs = motion.changed(motion.small(before, LOOK_PX), motion.small(now, LOOK_PX)).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(differs, connectivity=8)
    large = np.flatnonzero(stats[:count, cv2.CC_STAT_AREA] >= SPECK)
    kept = np.isin(labels, large[large > 0]).astype(np.uint8)
    return np.asarray(cv2.dilate(kept, np.ones((GROWN, GROWN), np.uint8)), np.uint8)


def _filled(corners_px: Floats, shape: tuple[int, ...], width_px: int) -> Mask:
    """Return a quad (4, 2) px of a picture of this width, filled in a mask's shape."""
    inside = np.zeros(shape, np.uint8)
    scaled = np.round(np.asarray(corners_px) * shape[1] / width_px).astype(np.int32)
    cv2.fillConvexPoly(inside, scaled, 1)
    return inside


def _touched(mask: Mask, corners_px: Floats, width_px: int) -> bool:
    return bool((mask & _filled(corners_px, mask.shape, width_px)).any())


@dataclass(frozen=True)
class _Again:
    """One rereading: the picture, what was read before, where it has changed, and the pieces that are read anew."""

    image: Image
    deck: Deck
    recogniser: Recogniser
    before: Reading
    plane: Plane
    mask: Mask
    lost: frozenset[int]

    def reading(self, string_colours: Mapping[str, str] | None) -> Reading:
        """Put together what was kept and what is new."""
        game = self.deck.edition.game
        kept = [p for p in self.before.table.pieces if p.id not in self.lost]
        corners = {p.id: self.before.corners_px[p.id] for p in kept}
        boxes, scores = self._boxes(kept)
        placed, others, other_scores = self._placed(boxes, scores)
        new, corners_new = self._pieces(placed)
        if game == "kleine-fotosafari" and len(others):
            beside = Others(others, other_scores, overlaid.known((*kept, *new), corners | corners_new))
            for photo in photo_cards(self.image, self.plane, beside, self.deck, self.recogniser):
                corners_new[self._first + len(new)] = photo.corners_px
                new.append(photo_of(self._first + len(new), photo))
        corners |= corners_new
        if game == "kleine-fotosafari":
            left, corners = overlaid.apart((*kept, *new), corners)
            kept, new = ([p for p in left if (p in kept) == old] for old in (True, False))
        strings, traced = self.before.table.strings, self.before.traced
        if game == "string-safari" and self._strings_changed(corners):
            traced = self._traced(corners, string_colours)
            strings = strings_of(traced, self.plane, self.deck, [*kept, *new])
        table = replace(self.before.table, pieces=(*kept, *new), strings=strings)
        paths = {s.name: s.path_px for s in traced}
        return replace(self.before, table=table, corners_px=corners, paths_px=paths, traced=traced)

    @property
    def _first(self) -> int:
        """The first new piece's id."""
        return max((p.id for p in self.before.table.pieces), default=-1) + 1

    @cached_property
    def _matcher(self) -> Matcher:
        return matcher_of(self.image, self.deck, self.recogniser)

    def _pieces(self, placed: Sequence[Placed]) -> tuple[list[Piece], dict[int, Floats]]:
        """Return what was placed as pieces, what stands on it after it, and their corners px by id."""
        game, cut, first = self.deck.edition.game, self.before.rounding, self._first
        new = [card_of(first + k, p, KIND[game]) for k, p in enumerate(placed)]
        new = [cut.of(p) for p in new] if cut is not None else new
        corners = {piece.id: p.corners_px for piece, p in zip(new, placed, strict=True)}
        if game != "string-safari":
            return new, corners
        lay_px = [
            self.before.corners_px[p.id] for p in self.before.table.pieces if p.id in self.lost and p.kind == "tile"
        ]
        field = [k for k, p in enumerate(placed) if _on_any(p.corners_px, lay_px)]
        new, tiles = row_apart(self._matcher, self.deck, placed, new, field)
        for marker in markers_on(self.image, tiles, self.deck, self.recogniser, self.before.light)[0]:
            found = marker_of(first + len(new), marker, self.plane, self.deck.thickness_mm)
            corners[found.id] = marker.corners_px
            new.append(replace(found, on=None if found.on is None else first + found.on))
        return new, corners

    def _boxes(self, kept: Sequence[Piece]) -> tuple[Floats, Floats]:
        """Find what is printed in the changed places and does not lie on a kept piece: boxes (n, 4, 2) px, scores."""
        left, top, right, bottom = self._window()
        if left == right:
            return self._with_places(np.zeros((0, 4, 2)), np.zeros(0))
        part, of_px = self.image[top:bottom, left:right], max(self.image.shape[:2])
        found = detector().detect(part, least_score=LEAST_SCORE, both=True, of_px=of_px)
        cards = np.array([kind == "card" for kind in found.kinds], bool)
        boxes, scores = quads.clockwise(found.corners_px[cards].astype(float)), found.scores[cards].astype(float)
        boxes += np.array([left, top])
        width = self.image.shape[1]
        known = [self.before.corners_px[p.id] for p in kept if p.kind != "marker"]
        chosen = np.array([_touched(self.mask, box, width) and not _on_any(box, known) for box in boxes], bool)
        return self._with_places(boxes[chosen], scores[chosen])

    def _window(self, more_px: Sequence[Floats] = ()) -> tuple[int, int, int, int]:
        """Return the upright part of the picture that holds what has changed, and these points (n, 2) px, and a piece's
        breadth around: left, top, right, bottom px.
        """
        size_px, scale = np.array(self.image.shape[1::-1]), self.image.shape[1] / self.mask.shape[1]
        places = np.concatenate([np.argwhere(self.mask)[:, ::-1] * scale, *more_px])
        if not len(places):
            return 0, 0, 0, 0
        beside = AROUND * max(self.deck.edition.size_mm) * float(self.plane.px_per_mm(np.zeros((1, 2)))[0])
        left, top = np.maximum(places.min(0) - beside, 0).astype(int).tolist()
        right, bottom = np.minimum(places.max(0) + scale + beside, size_px).astype(int).tolist()
        return left, top, right, bottom

    def _with_places(self, boxes: Floats, scores: Floats) -> tuple[Floats, Floats]:
        """Add where lost pieces lay, as boxes that nobody found: another card may lie there, or the same one turned."""
        kind = KIND[self.deck.edition.game]
        lost = [self.before.corners_px[p.id] for p in self.before.table.pieces if p.id in self.lost and p.kind == kind]
        if not lost:
            return boxes, scores
        return np.concatenate([boxes, np.stack(lost)]), np.concatenate([scores, np.zeros(len(lost))])

    def _placed(self, boxes: Floats, scores: Floats) -> tuple[tuple[Placed, ...], Floats, Floats]:
        """Lay the deck's pieces onto boxes (n, 4, 2) px; return them, and the boxes that are something else."""
        if len(boxes) == 0:
            return (), boxes, scores
        matcher = self._matcher
        boxes = planes.lengthwise(boxes, matcher.sizes(len(boxes)))
        off = size_off(matcher, self.plane, boxes)
        like = off < FRAME_LOG
        if not like.any():
            return (), boxes, scores
        rects = matcher.rigid(self.plane, boxes[like])
        laid, _ = matcher.searched(self.plane, rects)
        sure = np.array([found is not None for found in laid], bool)
        rects = np.stack([rect if found is None else found.corners_px for found, rect in zip(laid, rects, strict=True)])
        old = scores[like] == 0  # where a piece lay: what is there now bears a face, or the piece was taken away
        ours = sure | old | ((scores[like] >= WEAK_SCORE) & (off[like] < UNREAD_LOG))
        apart = distinct(rects, scores[like] + sure, ours)
        placed = filled(matcher, self.plane, matcher.rigid(self.plane, rects[apart])) if apart.any() else ()
        taken = (old & ~sure)[apart]
        placed = tuple(p for p, gone in zip(placed, taken, strict=True) if not gone or p.naming.label is not None)
        others = (off >= UNREAD_LOG) & (scores > 0)
        return placed, boxes[others], scores[others]

    def _strings_changed(self, corners: Mapping[int, Floats]) -> bool:
        """Tell whether something changed beside all pieces, or a string was not seen before."""
        if len(self.before.table.strings) < 2:
            return True
        rest = self.mask.copy()
        for quad in (*corners.values(), *(self.before.corners_px[k] for k in self.lost)):
            inside = _filled(quad, rest.shape, self.image.shape[1])
            rest[cv2.dilate(inside, np.ones((GROWN, GROWN), np.uint8)) > 0] = 0
        return float(rest.mean()) > STRING_SHARE

    def _traced(
        self, corners: Mapping[int, Floats], string_colours: Mapping[str, str] | None
    ) -> tuple[TracedString, ...]:
        """Follow the strings that lie as they did; trace the others where something has changed, or they lay."""
        from vision.strings import Standing

        strings = tuple(now for s in self.before.traced if s.closed and (now := self._followed(s)) is not None)
        names = {s.name for s in strings}
        moved = [s.path_px for s in self.before.traced if s.name not in names]
        hidden = list(corners.values())
        if strings:
            standing = Standing(strings, self._window(moved))
            traced = strings_on(self.image, self.plane, self.deck, hidden, string_colours, standing=standing)
            if all(s.name in names or (s.closed and s.visible > WHOLLY_SEEN) for s in traced):
                return traced
        return strings_on(self.image, self.plane, self.deck, hidden, string_colours)

    def _followed(self, string: TracedString) -> TracedString | None:
        """Return a string as it lies now; None where it was moved, or something was laid onto it."""
        from vision.strings import follow

        now = follow(string, self.image)
        if now is None:
            return None
        at = np.rint(string.path_px * self.mask.shape[1] / self.image.shape[1]).astype(int)
        height, width = self.mask.shape
        met = self.mask[at[:, 1].clip(0, height - 1), at[:, 0].clip(0, width - 1)] > 0
        return now if now.seen[met].sum() == string.seen[met].sum() else None


def _on_any(quad_px: Floats, others_px: Sequence[Floats]) -> bool:
    """Tell whether a quad's middle lies on another one (4, 2) px."""
    x, y = quad_px.mean(0)
    return any(cv2.pointPolygonTest(o.astype(np.float32), (float(x), float(y)), False) > 0 for o in others_px)
