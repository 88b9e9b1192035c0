"""Research tiles on the table: they bear faces of their own and are none of the field's tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from decks.deck import Deck
from vision.matching import Matcher, known
from vision.placing import Placed
from vision.recogniser import Naming
from vision.registration import Registration

Floats = npt.NDArray[np.float64]

WHOLE = 0.8
"""Nothing lies on a research tile: a face that correlates less is another's, or a coin's (true ones of drawn stashes
had 0.94 and more, false ones up to 0.76)."""
DOUBTFUL = 0.98  # what bears one of the field's faces less surely may be a research tile, if it bears that surely
FITTING, LESS = 0.93, 0.5
"""A research tile's face correlates so well with what is one, and leaves so much less unexplained, of 1, than the
likeliest of the field's: on drawn tables a sixth at most, 0.999 beside 0.978 say; a tile with a cube had 0.84."""
NEAR = 1.6  # of a tile's side: what lies so near to one of the row may be of it, whatever the field's faces say


def among(matcher: Matcher, deck: Deck, pieces: Sequence[Placed]) -> Mapping[int, Naming]:
    """Tell which pieces of the field's size bear a research tile's face beyond doubt: index → name.

    `matcher`: of the field's faces. The row lies together: what is beside one that is told is looked at as well.
    """
    doubtful = [k for k, p in enumerate(pieces) if p.naming.label is None or p.naming.probability < DOUBTFUL]
    if not deck.research or not doubtful:
        return {}
    row = Matcher(matcher.image, matcher.size_mm, matcher.height_mm, matcher.recogniser, deck.research, "research")
    told = _told(matcher, row, pieces, doubtful)
    beside = [k for k in range(len(pieces)) if k not in doubtful and _beside(pieces[k], [pieces[i] for i in told])]
    return {**told, **(_told(matcher, row, pieces, beside) if beside else {})}


def _told(matcher: Matcher, row: Matcher, pieces: Sequence[Placed], tried: Sequence[int]) -> dict[int, Naming]:
    """Tell which of the pieces that are tried bear a research tile's face and none of the field's."""
    quads = np.stack([pieces[k].corners_px for k in tried])
    as_field = matcher.laid(quads, [pieces[k].naming for k in tried])
    told: dict[int, Naming] = {}
    for k, one, other in zip(tried, laid_and_known(row, quads), as_field, strict=True):
        if one is None:
            continue
        registration, naming = one
        unexplained = LESS * (1 - other.correlation) if other is not None else 1.0
        sure = naming.probability > DOUBTFUL or pieces[k].naming.label is None
        if sure and registration.correlation > FITTING and 1 - registration.correlation < unexplained:
            told[k] = naming
    return told


def _beside(piece: Placed, row: Sequence[Placed]) -> bool:
    """Tell whether a piece lies beside one of the row."""
    side = float(np.linalg.norm(piece.corners_mm[1] - piece.corners_mm[0]))
    middle = piece.corners_mm.mean(axis=0)
    return any(np.linalg.norm(other.corners_mm.mean(axis=0) - middle) < NEAR * side for other in row)


def laid_and_known(matcher: Matcher, quads_px: Floats) -> list[tuple[Registration, Naming] | None]:
    """Lay faces onto quads (n, 4, 2) px; return those that are known where they lie, None for each other."""
    namings, starts = matcher.named(quads_px, thorough=False)
    laid = matcher.laid(starts, namings)
    whole = [(k, one) for k, one in enumerate(laid) if one is not None and one.correlation > WHOLE]
    told: list[tuple[Registration, Naming] | None] = [None] * len(laid)
    if whole:
        again, corners = matcher.named(np.stack([one.corners_px for _, one in whole]))
        for (k, one), naming, quad in zip(whole, again, corners, strict=True):
            if known(naming):
                told[k] = Registration(quad, one.correlation), naming
    return told
