"""Photo cards of Kleine Fotosafari: what lies on the table and is longer than a ring card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from decks.deck import Deck
from vision import bare, quads
from vision.crop import rectify
from vision.overlaid import covered_by
from vision.placing import Placing
from vision.plane import Plane
from vision.quads import Quads
from vision.recogniser import Recogniser
from vision.strip import UNREAD, StripReading

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]
Sequences = tuple[tuple[tuple[str, ...], float], ...]

CROP_PX = 96
"""The height at which a photo card is read."""
FORGOTTEN = 0.002
"""Readings less likely than this are not told."""
FEWEST_ANIMALS, MOST_ANIMALS = 3, 5
LEAST_ASPECT = 1.6
"""Three animals side by side are at least this much longer than high."""
SAME_QUAD_PX = 2.0
"""Two fits this near to each other read alike."""
REACHES = (0.12, 0.3)
"""How far off a box's sides may be (as `quads.refine` takes it): long boxes are found less exactly than others."""
BADLY_SEEN, MOST_SKEW = 0.5, 0.12
"""What a reading is worth where a side was not seen, or the quad is this far (rad, log) from a rectangle."""
SURE_SCORE, READ = 0.35, 0.5
"""A box at least this sure is something printed; a weaker one must be read at least this surely."""
SHARPENED = 1.3
"""The power to which a strip's chances are raised, fitted by their likelihood on drawn and path-traced cards."""
SETTLING = 0.06
"""How far its edges are looked for at last, likewise."""
SETTLED = 0.97
"""A quad with all its sides that is read this surely needs no other fit."""
BLANK = 0.75
"""Where no animal is, the likeliest leaves at least this share of the ground unexplained: beyond ends of drawn cards
more in 159 of 162 places; where one is, less in 77 of 78."""
MADE_OF = 0.6
"""Of a box: where ring cards that are known cover so much of it, it is these, lying side by side."""
OF_TABLE, NO_ANIMAL = 0.75, 0.45
"""A slab shows the table's colours on more than the first share (0.84 and more, cards up to 0.61), and each animal
leaves more than the second of its place unexplained (on slabs 0.5 and more; on cards the best one up to 0.43)."""
SIDE_SHARE = (0.3, 1.4)
"""A photo card's shorter side, against a ring card's."""


@dataclass(frozen=True)
class PhotoCard:
    """A photo card. `corners_px`, `corners_mm`: (4, 2) from its printed top-left; `sequences`: readings, best first.

    `strip`: how it was read, where it has no face of its own.
    """

    corners_px: Floats
    corners_mm: Floats
    label: str | None
    sequences: Sequences
    strip: StripReading = UNREAD


@dataclass(frozen=True)
class Others:
    """Boxes (n, 4, 2) px that are no ring cards, and the detector's scores (n,): a weak one must show its animals.

    `cards_px`: the ring cards that are known, (4, 2) each.
    """

    boxes_px: Floats
    scores: Floats
    cards_px: Sequence[Floats] = ()


def others(placing: Placing, cards_px: Sequence[Floats]) -> Others:
    """Return what is no ring card among what was placed; `cards_px`: where the ring cards lie that are known."""
    return Others(placing.others_px, placing.others_score, cards_px)


def photo_cards(image: Image, plane: Plane, others: Others, deck: Deck, recogniser: Recogniser) -> list[PhotoCard]:
    """Read those boxes that have a photo card's shape on the plane."""
    apart = np.array([not _of_cards(box, others.cards_px) for box in others.boxes_px], bool)
    boxes_px, scores = others.boxes_px[apart], others.scores[apart]
    tried: list[tuple[float, PhotoCard]] = []
    read_already: list[Floats] = []
    settled: list[PhotoCard] = []
    for fitted in _fits(image, boxes_px):
        for corners, seen, score, box in zip(fitted.corners_px, fitted.seen, scores, boxes_px, strict=True):
            again = any(np.abs(corners - other).max() < SAME_QUAD_PX for other in read_already)
            if again or any(_amidst(box, card.corners_px) for card in settled):
                continue
            read_already.append(corners)
            card = _shaped(image, plane, corners, deck, recogniser)
            if card is None:
                continue
            if not seen.all() or _skewed(card.corners_mm):  # then the quad may be of a part, and so is what is read
                card = replace(card, sequences=tuple((animals, BADLY_SEEN * p) for animals, p in card.sequences))
            read = _read_as(card)
            if read >= SETTLED:
                settled.append(card)
            if score >= SURE_SCORE or read >= READ:
                # a part of a strip reads as well as all of it: more animals count for more
                animals = len(card.sequences[0][0]) if read >= READ else 0
                tried.append((animals + float(seen.mean()) + read + 0.1 * float(score), card))
    found: list[PhotoCard] = []
    for _, card in sorted(tried, key=lambda item: -item[0]):
        if not _same(found, card):
            grown = _grown(image, plane, card, deck, recogniser)
            found.append(_edged(image, plane, on_itself(image, card, grown, others.cards_px), deck.thickness_mm))
    left = off_table(image, [c for c in found if not _of_cards(c.corners_px, others.cards_px)], others.cards_px)
    return [card if card.label is not None else replace(card, sequences=_sharpened(card.sequences)) for card in left]


def off_table(image: Image, found: Sequence[PhotoCard], cards_px: Sequence[Floats]) -> list[PhotoCard]:
    """Leave out the table's own slabs, where several things were found: they show its colours, and no animal plainly,
    and are not read.

    `cards_px`: the ring's, (4, 2) each. The only thing that was found stays, to be asked about.
    """
    if len(found) < 2:
        return list(found)
    quads_px = np.concatenate([[card.corners_px for card in found], np.reshape(cards_px, (-1, 4, 2))])
    shares = bare.like(image, quads_px, np.ones(len(quads_px), bool))
    slabs = [
        share > OF_TABLE and bool(card.strip.rests) and min(card.strip.rests) > NO_ANIMAL and _read_as(card) < READ
        for card, share in zip(found, shares, strict=False)
    ]
    return [card for card, slab in zip(found, slabs, strict=True) if not slab]


def on_itself(image: Image, card: PhotoCard, grown: PhotoCard, cards_px: Sequence[Floats]) -> PhotoCard:
    """Return the grown card, unless what it grew over shows the table's own colours while the card does not.

    `cards_px`: the ring's, (4, 2) each.
    """
    larger = cv2.contourArea(grown.corners_px.astype(np.float32)) / cv2.contourArea(card.corners_px.astype(np.float32))
    if larger < 1 + 0.5 / MOST_ANIMALS:
        return grown
    quads_px = np.concatenate([[grown.corners_px, card.corners_px], np.reshape(cards_px, (-1, 4, 2))])
    of_all, of_card = bare.like(image, quads_px, np.ones(len(quads_px), bool))[:2]
    return card if of_card < OF_TABLE < (larger * of_all - of_card) / (larger - 1) else grown


def _sharpened(sequences: Sequences) -> Sequences:
    """Make readings of a strip as sure as they were found to be: all 28 that were likelier than 0.8 were right."""
    chances = np.array([*(p for _, p in sequences), max(0.0, 1.0 - sum(p for _, p in sequences))]) ** SHARPENED
    chances = chances / max(float(chances.sum()), 1e-12)
    return tuple((animals, float(p)) for (animals, _), p in zip(sequences, chances, strict=False))


def _of_cards(box: Floats, cards_px: Sequence[Floats]) -> bool:
    """Tell whether a box (4, 2) px is of ring cards (4, 2) that are known: one that is seen lies under nothing."""
    return covered_by(cards_px, box) >= MADE_OF or any(_amidst(card, box) for card in cards_px)


def _amidst(inner_px: Floats, outer_px: Floats) -> bool:
    """Tell whether the middle of a quad (4, 2) px lies within another."""
    x, y = inner_px.mean(0)
    return cv2.pointPolygonTest(outer_px.astype(np.float32), (float(x), float(y)), False) > 0


def _edged(image: Image, plane: Plane, card: PhotoCard, height_mm: float) -> PhotoCard:
    """Settle a card on its edges where all four are seen close by: what was grown was grown by a guess."""
    near = quads.refine(image, card.corners_px[None], SETTLING)
    if not near.seen.all() or _skewed(mm := plane.to_mm(near.corners_px[0], height_mm)):
        return card
    return replace(card, corners_px=near.corners_px[0], corners_mm=mm)


def _fits(image: Image, boxes_px: Floats) -> Iterator[Quads]:
    """Fit boxes (n, 4, 2) px to their edges with a short reach, a long one, and the long one again."""
    yield quads.refine(image, boxes_px, REACHES[0])
    far = quads.refine(image, boxes_px, REACHES[1])
    yield far
    yield quads.refine(image, far.corners_px, REACHES[1])


def _skewed(corners_mm: Floats) -> bool:
    """Tell whether a quad (4, 2) mm is plainly no rectangle."""
    side = np.roll(corners_mm, -1, 0) - corners_mm
    length = np.linalg.norm(side, axis=1)
    turn = np.abs((side * np.roll(side, -1, 0)).sum(1)) / (length * np.roll(length, -1))
    uneven = max(abs(np.log(length[0] / length[2])), abs(np.log(length[1] / length[3])))
    return bool(turn.max() > MOST_SKEW or uneven > MOST_SKEW)


def _grown(image: Image, plane: Plane, card: PhotoCard, deck: Deck, recogniser: Recogniser) -> PhotoCard:
    """Go on at both ends as long as one animal more is read there: a box may have taken a part for the whole."""
    for _ in range(MOST_ANIMALS - FEWEST_ANIMALS):
        if card.label is not None or not card.sequences or len(card.sequences[0][0]) >= MOST_ANIMALS:
            return card
        animals = card.sequences[0][0]
        pitch = (card.corners_mm[1] - card.corners_mm[0] + card.corners_mm[2] - card.corners_mm[3]) / 2 / len(animals)
        for end in ((1, 2), (0, 3)):
            mm = card.corners_mm.copy()
            mm[list(end)] += pitch if end == (1, 2) else -pitch
            corners = plane.to_px(mm, deck.thickness_mm)
            longer = _shaped(image, plane, corners, deck, recogniser, part=card.strip)
            more = longer.sequences[0] if longer is not None and longer.sequences else ((), 0.0)
            kept, new = (more[0][:-1], -1) if end == (1, 2) else (more[0][1:], 0)
            there = longer is not None and bool(longer.strip.rests) and longer.strip.rests[new] < BLANK
            if there and more[1] >= READ and kept == animals:
                card = _shaped(image, plane, corners, deck, recogniser) or card
                break
        else:
            return card
    return card


def _shaped(
    image: Image,
    plane: Plane,
    corners: Floats,
    deck: Deck,
    recogniser: Recogniser,
    part: StripReading | None = None,
) -> PhotoCard | None:
    """Read a quad (4, 2) px where it has a photo card's shape on the plane; `part`: as `strip.read` takes it."""
    mm = plane.to_mm(corners, deck.thickness_mm)
    side = np.linalg.norm(np.roll(mm, -1, 0) - mm, axis=1)
    wide, high = (side[0] + side[2]) / 2, (side[1] + side[3]) / 2
    if wide < high:
        corners, mm, wide, high = np.roll(corners, 1, 0), np.roll(mm, 1, 0), high, wide
    share = high / min(deck.edition.size_mm)
    if wide / max(high, 1e-6) < LEAST_ASPECT or not SIDE_SHARE[0] <= share <= SIDE_SHARE[1]:
        return None
    return _read(image, corners, mm, wide / high, deck, recogniser, part)


def _read_as(card: PhotoCard) -> float:
    """Return how surely a card is read."""
    return card.sequences[0][1] if card.sequences else 0.0


def _same(found: Sequence[PhotoCard], card: PhotoCard) -> bool:
    """Tell whether a card lies where one was found already, or is a part of it."""
    reach = float(np.linalg.norm(card.corners_mm[1] - card.corners_mm[2]))
    middle = card.corners_mm.mean(0)
    return any(
        float(np.linalg.norm(other.corners_mm.mean(0) - middle)) < reach or _amidst(card.corners_px, other.corners_px)
        for other in found
    )


def _read(
    image: Image,
    corners: Floats,
    mm: Floats,
    aspect: float,
    deck: Deck,
    recogniser: Recogniser,
    part: StripReading | None = None,
) -> PhotoCard:
    crop = rectify(image, corners, round(CROP_PX * aspect), CROP_PX)
    if deck.photos:
        naming = recogniser.name([crop], group="photos", turns=2)[0]
        known = [
            (deck.edition.photos[name], p)
            for name, p in naming.candidates
            if name is not None and name in deck.edition.photos
        ]
        if naming.label is not None and known:
            k = naming.quarter_turns
            sequences = tuple((tuple(animals), p) for animals, p in known if p > FORGOTTEN)
            return PhotoCard(np.roll(corners, k, 0), np.roll(mm, k, 0), naming.label, sequences)
    strip = recogniser.read_strip(crop, part)
    k = strip.quarter_turns
    return PhotoCard(np.roll(corners, k, 0), np.roll(mm, k, 0), None, strip.candidates, strip)
