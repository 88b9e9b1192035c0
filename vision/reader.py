"""One still photograph and a deck → a Table: pieces and strings in millimetres, with their doubts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from decks.deck import Deck
from scoring.edition import Game
from scoring.table import Kind, Piece, Point, String, Table
from vision import burnt, gaps, markers, openrow, overlaid
from vision.closer import look as look_closer
from vision.detector import Detections, Detector
from vision.matching import Matcher
from vision.photocards import PhotoCard, others, photo_cards
from vision.placing import Placed, Placing, filled, place
from vision.plane import Plane
from vision.ranks import median
from vision.recogniser import NOT_OF_THIS_DECK, Naming, Recogniser
from vision.threads import both
from vision.tint import Light

if TYPE_CHECKING:
    from vision.rounding import Rounding
    from vision.strings import Standing, TracedString

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]
Clicked = Mapping[str, Sequence[Point]]

FORGOTTEN = 0.002  # candidates less likely than this are not told
KIND: Mapping[str, Kind] = {"paper-safari": "card", "kleine-fotosafari": "card", "string-safari": "tile", "any": "card"}
LEAST_SCORE = 0.12
"""Boxes this weak are still looked at: the deck's faces tell which of them are pieces."""
MARKER_MM = 9.0
USUAL_STRINGS = {"field": "dark brown", "research": "gray"}
LIKELY_WIDTH_MM, WIDTH_FACTOR = (1.2, 6.0), 1.8
"""What is wider or narrower is a joint of the table top, no game's cord; nor is what is so far from a deck's width."""


@dataclass(frozen=True)
class Reading:
    """What one photograph shows.

    `corners_px`: piece id → (4, 2), its printed top-left first. `paths_px`: string's name → (n, 2) centreline.
    `near`: the direction on the table to the picture's bottom edge. `plane`: None where nothing of the deck was found.
    """

    table: Table
    corners_px: Mapping[int, Floats]
    paths_px: Mapping[str, Floats]
    near: Point
    plane: Plane | None
    size_px: tuple[int, int]
    found: int  # how many printed things of any kind were detected
    light: Light | None = None  # on the table, where it was told
    rounding: Rounding | None = None  # of tiles, where it was measured
    traced: tuple[TracedString, ...] = ()  # its strings, as they lie in the picture


@lru_cache(maxsize=1)
def detector() -> Detector:
    """Return the one detector of this process."""
    return Detector()


def read(
    image: Image,
    deck: Deck,
    recogniser: Recogniser | None = None,
    string_colours: Mapping[str, str] | None = None,
    clicked: Clicked | None = None,
) -> Reading:
    """Read a table of the deck's game from a BGR picture (h, w, 3).

    `recogniser`: of this deck, where one is at hand. `string_colours`: stand in for the deck's. `clicked`: places px on
    strings, by name, which teach their colours.
    """
    eyes, size_px = recogniser or Recogniser(deck), (image.shape[1], image.shape[0])
    matcher = matcher_of(image, deck, eyes)
    found = _detected(matcher)
    placing = _placed(matcher, found)
    if placing.plane is None or not placing.pieces:
        return Reading(Table(), {}, {}, (0.0, -1.0), placing.plane, size_px, len(found))
    plane, game = placing.plane, deck.edition.game
    pieces, corners = _laid_out(matcher, plane, placing.pieces, game)
    strings: tuple[TracedString, ...] = ()
    light = cut = None
    if game == "kleine-fotosafari":
        for photo in photo_cards(image, plane, others(placing, overlaid.known(pieces, corners)), deck, eyes):
            corners[len(pieces)] = photo.corners_px
            pieces.append(photo_of(len(pieces), photo))
        pieces, corners = overlaid.apart(pieces, corners)
    if game == "string-safari":
        cut = _rounding(image, placing.pieces, deck)
        pieces = [cut.of(p) for p in pieces] if cut is not None else pieces
        pieces, tiles = row_apart(matcher, deck, placing.pieces, pieces)
        cubes, light = markers_on(image, tiles, deck, eyes)
        for marker in cubes:
            corners[len(pieces)] = marker.corners_px
            pieces.append(marker_of(len(pieces), marker, plane, deck.thickness_mm))
        strings = strings_on(image, plane, deck, list(corners.values()), string_colours, clicked)
    laid = strings_of(strings, plane, deck, pieces)
    return Reading(
        Table(tuple(pieces), laid, _unseen(image, plane, placing.pieces, deck, eyes)),
        corners,
        {s.name: s.path_px for s in strings},
        _near(plane),
        plane,
        size_px,
        len(found),
        light,
        cut,
        strings,
    )


def matcher_of(image: Image, deck: Deck, recogniser: Recogniser) -> Matcher:
    """Return what lays a deck's faces onto a picture of its game."""
    edition, marked = deck.edition, bool(deck.marker_colours)
    return Matcher(image, edition.size_mm, deck.thickness_mm, recogniser, deck.faces, marked=marked)


def _laid_out(
    matcher: Matcher, plane: Plane, placed: Sequence[Placed], game: Game
) -> tuple[list[Piece], dict[int, Floats]]:
    """Return the pieces that were placed and those in the layout's gaps; and their corners px, by id."""
    pieces = [card_of(k, p, KIND[game]) for k, p in enumerate(placed)]
    more = filled(matcher, plane, gaps.found(matcher, plane, pieces, game, _near(plane)))
    pieces += [card_of(k, p, KIND[game]) for k, p in enumerate(more, len(pieces))]
    return pieces, {k: p.corners_px for k, p in enumerate((*placed, *more))}


def row_apart(
    matcher: Matcher, deck: Deck, placed: Sequence[Placed], pieces: Sequence[Piece], field: Collection[int] = ()
) -> tuple[list[Piece], list[Placed]]:
    """Return the pieces, research tiles beside the field as such; and what was placed, these as none of its faces.

    `pieces` begins with what was placed. `field`: those of it that are tiles of the field for certain.
    """
    open_to = [k for k in range(len(placed)) if k not in field]
    found = openrow.among(matcher, deck, [placed[k] for k in open_to])
    row, told = {open_to[k]: naming for k, naming in found.items()}, list(pieces)
    for k, naming in row.items():
        told[k] = card_of(pieces[k].id, replace(placed[k], naming=naming), "research")
    return told, [replace(p, naming=NOT_OF_THIS_DECK) if k in row else p for k, p in enumerate(placed)]


def _rounding(image: Image, tiles: Sequence[Placed], deck: Deck) -> Rounding | None:
    """Measure how round the tiles are cut, by those that are placed best."""
    from vision.rounding import rounding

    width_mm, height_mm = deck.edition.size_mm
    best = sorted((t for t in tiles if t.naming.label is not None), key=lambda t: t.sigma_px)
    return rounding(image, [t.corners_px for t in best], width_mm) if width_mm == height_mm else None


def _detected(matcher: Matcher) -> Detections:
    """Find what is printed, while the deck's faces are prepared where this is the first picture."""
    detect = partial(detector().detect, matcher.image, least_score=LEAST_SCORE, both=True)
    return both(detect, lambda: matcher.recogniser.prepare(matcher.group, matcher.turns))[0]


def _placed(matcher: Matcher, found: Detections) -> Placing:
    cards = np.array([kind == "card" for kind in found.kinds], bool)
    closer = partial(look_closer, detector(), matcher.image)
    return place(matcher, found.corners_px[cards].astype(float), found.scores[cards].astype(float), closer)


def _near(plane: Plane) -> Point:
    middle, bottom = plane.to_mm(
        np.array([[plane.width_px / 2, plane.height_px / 2], [plane.width_px / 2, plane.height_px - 1.0]])
    )
    way = (bottom - middle) / max(float(np.linalg.norm(bottom - middle)), 1e-9)
    return float(way[0]), float(way[1])


def told(naming: Naming) -> tuple[str | None, float, tuple[tuple[str, float], ...]]:
    """Return a naming as a piece bears it: label, probability, other candidates worth telling."""
    candidates = tuple((label, p) for label, p in naming.candidates if label is not None and p >= FORGOTTEN)
    return naming.label, naming.probability, candidates[:6]


def outline(corners_mm: Floats) -> tuple[tuple[Point, ...], float]:
    """Return corners (4, 2) mm as an outline, and which way its top points (deg)."""
    up = (corners_mm[0] + corners_mm[1] - corners_mm[2] - corners_mm[3]) / 2
    return tuple((float(x), float(y)) for x, y in corners_mm), float(np.degrees(np.arctan2(up[1], up[0])))


def card_of(number: int, placed: Placed, kind: Kind) -> Piece:
    label, probability, candidates = told(placed.naming)
    shape, up = outline(placed.corners_mm)
    scale = np.linalg.norm(placed.corners_px[1] - placed.corners_px[0]) / np.linalg.norm(
        placed.corners_mm[1] - placed.corners_mm[0]
    )
    return Piece(number, kind, label, shape, up, probability, candidates, sigma_mm=float(placed.sigma_px / scale))


def photo_of(number: int, photo: PhotoCard) -> Piece:
    shape, up = outline(photo.corners_mm)
    best = photo.sequences[0] if photo.sequences else (None, 0.0)
    return Piece(number, "photo", photo.label, shape, up, best[1], (), None, best[0], photo.sequences)


def markers_on(
    image: Image, pieces: Sequence[Placed], deck: Deck, recogniser: Recogniser, light: Light | None = None
) -> tuple[list[markers.Marker], Light | None]:
    faces = _faces(pieces, recogniser)
    corners = [p.corners_px for p in pieces]
    return markers.find(image, corners, faces, min(deck.edition.size_mm), deck.marker_colours, light)


def _faces(pieces: Sequence[Placed], recogniser: Recogniser) -> list[Image | None]:
    """Return each piece's reference, None where it is not known."""
    labels, size = [p.naming.label for p in pieces], (markers.GRID_PX, markers.GRID_PX)
    return [recogniser.picture("faces", label, size) if label is not None else None for label in labels]


def _unseen(
    image: Image, plane: Plane, tiles: Sequence[Placed], deck: Deck, recogniser: Recogniser
) -> tuple[burnt.Outline, ...]:
    """Return the places where a tile, a marker or a photo card may lie unseen; Paper Safari asks of its gaps."""
    if (game := deck.edition.game) not in ("string-safari", "kleine-fotosafari"):
        return ()
    faces = _faces(tiles, recogniser) if game == "string-safari" else [None] * len(tiles)
    return burnt.unseen(image, plane, [p.corners_px for p in tiles], faces, min(deck.edition.size_mm))


def marker_of(number: int, marker: markers.Marker, plane: Plane, thickness_mm: float) -> Piece:
    shape, up = outline(plane.to_mm(marker.corners_px, thickness_mm + MARKER_MM))
    (label, probability), *_ = marker.candidates
    told_ones = tuple((name, p) for name, p in marker.candidates if p >= FORGOTTEN)
    return Piece(number, "marker", label, shape, up, probability, told_ones, on=marker.tile)


def strings_on(
    image: Image,
    plane: Plane,
    deck: Deck,
    hidden_px: Sequence[Floats],
    colours: Mapping[str, str] | None,
    clicked: Clicked | None = None,
    standing: Standing | None = None,
) -> tuple[TracedString, ...]:
    """Trace the strings of these colours, else of the deck's; `hidden_px`: quads (4, 2) that may hide them.

    `clicked`: as `read` takes it. `standing`: those that lie there for certain.
    """
    from vision.strings import NOTHING, trace  # only here: what it loads takes longer than reading cards does

    colours, width_px = colours or deck.string_colours or USUAL_STRINGS, _string_px(plane, deck)
    known = standing or NOTHING
    return trace(image, colours, hidden_px=list(hidden_px), width_px=width_px, samples=clicked, standing=known)


def _likely(width_mm: float, deck: Deck) -> bool:
    """Tell whether what was traced can be a string of this deck."""
    least, most = LIKELY_WIDTH_MM
    if deck.string_width_mm is not None:
        least, most = deck.string_width_mm / WIDTH_FACTOR, deck.string_width_mm * WIDTH_FACTOR
    return least <= width_mm <= most


def _string_px(plane: Plane, deck: Deck) -> float | None:
    if deck.string_width_mm is None:
        return None
    return deck.string_width_mm * float(plane.px_per_mm(np.zeros((1, 2)))[0])


def strings_of(traced: Sequence[TracedString], plane: Plane, deck: Deck, pieces: Sequence[Piece]) -> tuple[String, ...]:
    """Take traced strings to the table, among its pieces."""
    if not traced:
        return ()
    from vision.strings.identity import identified

    return identified([string_of(s, plane, deck) for s in traced], pieces)


def string_of(traced: TracedString, plane: Plane, deck: Deck) -> String:
    """Take a traced string to the table: its axis lies half its width above it."""
    from scoring.string_field import guessed
    from vision.strings.identity import doubted

    level = plane.to_mm(traced.path_px)
    scale = plane.px_per_mm(level)
    width_mm = float(median(traced.widths_px / scale))
    path = plane.to_mm(traced.path_px, width_mm / 2)
    sigma = np.hypot(traced.sigma_px, traced.width_sigma_px / 2) / scale
    path_mm, sigma_mm = tuple((float(x), float(y)) for x, y in path), tuple(float(s) for s in sigma)
    closed = traced.closed and not traced.gaps
    string = String(traced.name, closed, path_mm, width_mm, float(traced.visible), sigma_mm)
    # more often than not the tracer lost it
    return string if closed and _likely(width_mm, deck) and not guessed(string) else doubted(string)
