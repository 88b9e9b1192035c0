"""A stash's tile named with doubt, compared with its likeliest faces: laid on, shadows and lamps' light taken off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from decks.deck import Deck
from vision import lamplit, patchwise
from vision.naming import SURE
from vision.openrow import WHOLE
from vision.placing import Placed
from vision.recogniser import Naming
from vision.registration import register
from vision.relit import relit

Image = npt.NDArray[np.uint8]

PLAIN_CORRELATION = 0.9
"""Where a tile's face correlates less, a better place, and another light, is still looked for."""
COMPARED, WORSE, UNFIT = 3, 0.03, 0.05
"""Of a doubtful tile so many faces are laid on; one that correlates so much less than the best loses all but this."""
NOT_LAID = 0.1
"""What is left of the chance of a face that cannot be laid onto a tile's place at all: the table's own squares, mostly,
but also a tile in a hard shadow."""
EVEN = 0.96
"""In even light a tile's own face correlates so well, others to 0.95: below that no correlation tells them apart."""
PATCHED, LIKE, LIKER, HARDLY_NONE = 5, 0.9, 0.02, 0.1
"""So many faces are then compared patch by patch; one that is so like is e times as likely as one less like by so much,
and none of them has but this share of its chance: in a shadow the right face is like to 0.94, the next to 0.90."""
LAMPLIT, CLEARER, NO_TILE = 0.97, 0.005, 0.02
"""What fits so well once a lamp's light is taken off is that face, e times as likely as one that fits so much less, and
hardly none of them: on drawn stashes the right face fits to 0.975 and better, by 0.015 better than the next."""


def compared(image: Image, tile: Placed, deck: Deck) -> Naming:
    """Return a doubtful tile's name once its likeliest faces are laid onto it: one that does not fit is hardly it."""
    naming = tile.naming
    if naming.label is None:
        return _lamplit(image, tile, deck) or naming
    if naming.probability >= SURE:
        return naming
    fits: dict[str | None, float] = {
        label: _fit(image, tile, deck, label) for label, _ in naming.candidates[:COMPARED] if label is not None
    }
    best = max(fits.values())
    if best >= EVEN:
        labels = [label for label, _ in _with_none(naming)]
        return _reweighed(naming, {one: 1.0 if fits.get(one, 0.0) > best - WORSE else UNFIT for one in labels})
    told = _lamplit(image, tile, deck) or _patched(image, tile, deck)
    laid: set[str | None] = {None, *(one for one, fit in fits.items() if fit > WHOLE)}
    return told or _reweighed(naming, {one: 1.0 if one in laid else NOT_LAID for one, _ in _with_none(naming)})


def _patched(image: Image, tile: Placed, deck: Deck) -> Naming | None:
    """Return the name of a tile by its likeliest faces' patches, as shadows on either would have it; None for none."""
    labels = [label for label, _ in tile.naming.candidates[:PATCHED] if label is not None]
    alike = {label: patchwise.likeness(image, tile.corners_px, deck.research[label][0]) for label in labels}
    best = max(alike.values())
    if best < LIKE:
        return None
    shares: dict[str | None, float] = {None: HARDLY_NONE}
    shares |= {label: float(np.exp((one - best) / LIKER)) for label, one in alike.items()}
    return _reweighed(tile.naming, shares)


def _lamplit(image: Image, tile: Placed, deck: Deck) -> Naming | None:
    """Return the name of a tile that a lamp's light washes out, or burns in part; None where no face fits."""
    laid = lamplit.fits(image, tile.corners_px, {label: pictures[0] for label, pictures in deck.research.items()})
    best = max((one.correlation for one in laid.values()), default=0.0)
    if best < LAMPLIT:
        return None
    shares: dict[str | None, float] = {None: NO_TILE}
    shares |= {label: float(np.exp((one.correlation - best) / CLEARER)) for label, one in laid.items()}
    return _reweighed(tile.naming, shares)


def _reweighed(naming: Naming, shares: Mapping[str | None, float]) -> Naming:
    """Return a naming of whose candidates only these shares are left."""
    odds = [(label, shares.get(label, 0.0) * p) for label, p in _with_none(naming)]
    total = sum(p for _, p in odds)
    return replace(naming, candidates=tuple(sorted(((label, p / total) for label, p in odds), key=lambda one: -one[1])))


def _with_none(naming: Naming) -> list[tuple[str | None, float]]:
    """Return a naming's candidates with none of the deck's among them: at least as likely as the rest that is told."""
    least = 1.0 - naming.probability
    return [(label, p if label is not None else max(p, least)) for label, p in naming.candidates]


def _fit(image: Image, tile: Placed, deck: Deck, label: str | None) -> float:
    """Return how well a face correlates with a tile, 0 where not at all; where a shadow's edge crosses it, without."""
    if label is None:
        return 0.0
    face = deck.research[label][0]
    laid = register(image, tile.corners_px, face)
    fit = laid.correlation if laid is not None else 0.0
    lit = relit(image, tile.corners_px, face) if fit < PLAIN_CORRELATION else None
    again = register(lit.image, lit.corners_px, face) if lit is not None else None
    return max(fit, again.correlation if again is not None else 0.0)
