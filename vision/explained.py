"""Coins explained: every place of a coin's rim is an edge, or lies under another coin; other rims are doubts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision import rims
from vision.rims import Edges, Floats, Rim

WHOLE = 0.85
"""A coin's rim is explained to this share at least: of 416 coins in drawn stashes, 414 had 0.85 and more, and of what
was taken for a coin where none lay all had less than 0.8."""
CLEAR = 0.93
"""Below it another coin may lie on this one, or there is none: 6 of the 416 had less."""
COVERING = 1.05  # radii round a coin: there its rim may hide another's
TOUCHED, BURIED = 0.03, 0.45  # of a rim that lies under known coins: one beside them; below a coin it is its own edge


def shares(seen: Edges, coins: Sequence[Rim]) -> Floats:
    """Return to what share each coin's rim is explained, (n,)."""
    return np.array([_explained(seen, coin, [o for o in coins if o is not coin]) for coin in coins], float)


def left_over(seen: Edges, coins: Sequence[Rim], found: Sequence[Rim]) -> bool:
    """Tell whether there are rims beside known coins, partly under them, that are explained if a coin lies there.

    `found`: rims where no coin is known.
    """
    for rim in found:
        under = float(_hidden(rim, coins).mean())
        if TOUCHED < under < BURIED and _explained(seen, rim, coins) >= WHOLE:
            return True
    return False


def _explained(seen: Edges, rim: Rim, others: Sequence[Rim]) -> float:
    ways = rims.around()
    edge = seen.at(rim.middle_px + ways * rim.radius_px, ways)
    return float((edge | _hidden(rim, others)).mean())


def _hidden(rim: Rim, others: Sequence[Rim]) -> npt.NDArray[np.bool_]:
    """Tell which places of a rim lie under one of the others, (SAMPLES,)."""
    places = rim.middle_px + rims.around() * rim.radius_px
    under = [np.linalg.norm(places - o.middle_px, axis=1) < COVERING * o.radius_px for o in others]
    return np.any(under, axis=0) if under else np.zeros(len(places), bool)
