"""Discs as coins: each is named by what it shows, and borne out or not by the deck's face laid onto it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision import discs, likeness, rims
from vision.crop import rectify
from vision.likeness import Likeness
from vision.recogniser import Naming, Recogniser
from vision.rims import Edges, Rim, View

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

CROP_PX = 96
CLEAR = 0.85
"""A face that correlates so well bears a coin out: of 80 true coins in drawn stashes 76 had 0.93 and more, and of 23
other things that were named as coins all had 0.66 and less."""
EVEN, STEEP, MOST = 0.8, 40.0, 8.0
"""Log-odds for a coin: none at the first correlation, so much more at 1 more, and at most so much."""
WELL_SHOWN = 0.6  # of a disc in view: where less is, a face laid onto it tells less
LAID = 2  # faces that are laid onto a disc, the likeliest first; where none of these bears it out, all
TOLD = 1.6  # where no face can be laid on: the rim's share and the name's probability together
LIKELY = 0.3  # how likely a coin must be to be told of


@dataclass(frozen=True)
class Coin:
    """Corners (4, 2) px of its square, its name, its rim; whether its face bears it out."""

    corners_px: Floats
    naming: Naming
    rim: Rim
    clear: bool


@dataclass(frozen=True)
class Top:
    """A picture's coins from above: `edges` and `soft` (h, w, 3) of the view; `faces`: the deck's, unrolled."""

    image: Image
    view: View
    edges: Edges
    soft: npt.NDArray[np.float32]
    recogniser: Recogniser
    faces: Mapping[str, Floats]


def top(image: Image, view: View, recogniser: Recogniser, faces: Mapping[str, Floats]) -> Top:
    """Look at a BGR picture from above."""
    seen = np.asarray(view.of(image), np.uint8)
    return Top(image, view, rims.edges(seen), likeness.soft(seen), recogniser, faces)


def names(image: Image, squares_px: Sequence[Floats], recogniser: Recogniser) -> list[Naming]:
    """Name the discs in squares (4, 2) px."""
    crops = [rectify(image, square, CROP_PX, CROP_PX) for square in squares_px]
    return recogniser.name(crops, group="coins", turns="all")


def named(seen: Top, tried: Sequence[Rim]) -> list[tuple[Naming, Rim]]:
    """Name discs: those that are none of the deck's coins are left out."""
    namings = names(seen.image, [discs.square(seen.view, rim) for rim in tried], seen.recogniser)
    return [(naming, rim) for naming, rim in zip(namings, tried, strict=True) if naming.label is not None]


def settled(seen: Top, tried: Sequence[tuple[Naming, Rim]], before: Sequence[Coin] = ()) -> list[Coin]:
    """Return the coins among named rims, one a place, and those known before; the fullest rims lie on top."""
    coins = list(before)
    for naming, rim in sorted(tried, key=lambda one: -one[0].probability * one[1].share):
        above = [c.rim for c in coins if c.rim.share > rim.share and not _same(c.rim, rim)]
        coin = _borne_out(seen, naming, rim, above)
        if coin is not None and not any(discs.same(coin.corners_px, other.corners_px) for other in coins):
            coins.append(coin)
    return coins


def _same(rim: Rim, other: Rim) -> bool:
    return float(np.linalg.norm(rim.middle_px - other.middle_px)) < 2 * discs.PILE * rim.radius_px


def _borne_out(seen: Top, naming: Naming, rim: Rim, above: Sequence[Rim]) -> Coin | None:
    """Return a coin where a face bears it out, with the rim that it has then; None where hardly one is there."""
    laid: dict[str, Likeness] = {}
    order = [label for label, _ in naming.candidates if label is not None and label in seen.faces]
    for labels in (order[:LAID], order[LAID:]):
        if all(one.correlation < CLEAR for one in laid.values()):
            found = {label: likeness.laid(seen.soft, rim, above, seen.faces[label]) for label in labels}
            laid |= {label: one for label, one in found.items() if one is not None}
    if not laid:
        told = naming.probability + rim.share > TOLD
        return Coin(discs.square(seen.view, rim), naming, rim, clear=False) if told else None
    weighed = _weighed(naming, laid)
    if weighed.probability < LIKELY or weighed.label is None:
        return None
    best = laid.get(weighed.label)
    clear = best is not None and best.correlation > CLEAR
    if best is not None and clear:
        ways = rims.around()
        share = float(seen.edges.at(best.middle_px + ways * best.radius_px, ways).mean())
        rim = Rim(best.middle_px, best.radius_px, max(share, rim.share))
    return Coin(discs.square(seen.view, rim), weighed, rim, clear)


def _weighed(naming: Naming, laid: Mapping[str, Likeness]) -> Naming:
    """Return what a disc is, given how well faces correlate with it; one that was not laid on, as the worst of them."""
    told = {label: _log_odds(one) for label, one in laid.items()}
    least = min(told.values())
    odds = [(label, p * float(np.exp(told.get(label, least) if label else 0.0))) for label, p in naming.candidates]
    total = sum(p for _, p in odds)
    ranked = sorted(((label, p / total) for label, p in odds), key=lambda one: -one[1])
    return dataclasses.replace(naming, candidates=tuple(ranked))


def _log_odds(one: Likeness) -> float:
    return min(one.shown / WELL_SHOWN, 1.0) * float(np.clip(STEEP * (one.correlation - EVEN), -MOST, MOST))
