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
FITTING, BETTER = 0.93, 0.05
"""A research tile's face correlates so well with what is one, and so much better than the likeliest of the field's: of
17 on drawn tables all had 0.98 and more, and the field's faces at most 0.84 there; a tile with a cube had 0.84."""


def among(matcher: Matcher, deck: Deck, pieces: Sequence[Placed]) -> Mapping[int, Naming]:
    """Tell which pieces of the field's size bear a research tile's face beyond doubt: index → name.

    `matcher`: of the field's faces.
    """
    doubtful = [k for k, p in enumerate(pieces) if p.naming.label is None or p.naming.probability < DOUBTFUL]
    if not deck.research or not doubtful:
        return {}
    row = Matcher(matcher.image, matcher.size_mm, matcher.height_mm, matcher.recogniser, deck.research, "research")
    quads = np.stack([pieces[k].corners_px for k in doubtful])
    as_field = matcher.laid(quads, [pieces[k].naming for k in doubtful])
    told: dict[int, Naming] = {}
    for k, one, other in zip(doubtful, laid_and_known(row, quads), as_field, strict=True):
        if one is not None and one[1].probability > DOUBTFUL:
            least = max(FITTING, other.correlation + BETTER) if other is not None else FITTING
            if one[0].correlation > least:
                told[k] = one[1]
    return told


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
