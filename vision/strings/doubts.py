"""How sure a line's place is: of the fit, of its shadow, on bridges, and where it may have followed another thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.strings import bends
from vision.strings.centreline import SPACING_PX, Line, Placed, away_from
from vision.strings.ground import Floats, Ground, Mask, likely_at
from vision.strings.mending import stretches
from vision.strings.middles import Centred
from vision.strings.outlines import kept_to_outlines, unfounded_px
from vision.strings.rivals import rivals_px
from vision.strings.strips import on_bare

SYSTEMATIC_PX = 0.18  # what the lens and the cord's twist leave, whatever the fit says
WIDTH_SHARE, WIDTH_PX = 0.05, 0.35  # one σ of a width that was only guessed: of the width, and what blur leaves open
PULL_DOUBT = 0.35  # of the pull of a cord's shadow: how well that is known
RIVAL_SHARE = 0.5  # of how far a place lies that fits as well: it may be either
# where a line runs along a piece's outline and fits so badly, it may be that
OUTLINE_WIDTHS, OUTLINE_MISFIT = 0.5, 0.25
SURELY_CORD = 0.6  # how likely a cord is seen: there its way is not looked for again, nor is it another thing
ALIEN_MISFIT, ISLAND_WIDTHS = 0.6, 2.0  # of the cap: no look of this string; what is seen of it for less is chance
BLANK_MISFIT, HALF_LIKELY = 0.9, (0.2, 0.85)  # of the cap; how likely a cord is that is half seen
BRIDGE_SHARE = 0.12  # px of doubt a px from the nearest seen place, on a bridge


def surely_cord(ground: Ground, line: Line) -> Mask:
    """Where (n,) along a line a cord is seen beyond doubt."""
    return np.asarray(likely_at(ground, line.path_px) > SURELY_CORD)


def founded(
    ground: Ground, line: Line, placed: Placed, outlines_px: Sequence[Floats], table: Mask
) -> tuple[Line, Mask, Mask]:
    """Return a line, seen where it is by its look or as a cord, where (n,) it is a cord for sure, and where (n,) it
    keeps to pieces' outlines.

    A piece's pale border beside a string seems cord as well: it has not the string's look. Over a gap the network runs
    on, as an eye does: there the table's colour shows, `table` (n,). And a short piece of string between long unseen
    stretches is chance.
    """
    kept = kept_to_outlines(line, outlines_px)
    sure = surely_cord(ground, line) & ~(kept & (placed.misfit > ALIEN_MISFIT))
    sure &= line.seen | ~table
    seen = line.seen | (sure & ~placed.bare)
    for start, stop in stretches(seen, line.closed):
        if (stop - start) * SPACING_PX < ISLAND_WIDTHS * line.width_px:
            seen[np.arange(start, stop) % len(seen)] = False
    return replace(line, seen=seen), sure & (seen | placed.bare), kept


def hardly_seen(ground: Ground, line: Line, placed: Placed) -> Mask:
    """Where (n,) along a line nobody can say whether the string runs on, though the table is bare."""
    return half_seen(ground, line, placed) | unhidden(ground, line)


def half_seen(ground: Ground, line: Line, placed: Placed) -> Mask:
    """Where (n,) along a line a cord may be seen on bare table, but nothing of this one's own look is: the network runs
    on over a gap, as an eye does.
    """
    likely = likely_at(ground, line.path_px)
    blank = (placed.misfit > BLANK_MISFIT) & on_bare(ground, line.path_px)
    return np.asarray(blank & (likely > HALF_LIKELY[0]) & (likely < HALF_LIKELY[1]))


def unhidden(ground: Ground, line: Line) -> Mask:
    """Where (n,) a line is not seen, though the table is that could show it."""
    return np.asarray(~line.seen & on_bare(ground, line.path_px))


def lost_px(
    image: NDArray[np.uint8],
    ground: Ground,
    line: Line,
    placed: Placed,
    outlines_px: Sequence[Floats],
    sure: Mask,
    kept: Mask,
) -> Floats:
    """One standard deviation (n,) px of a line's place where it may have followed something else; `sure` and `kept`
    (n,): as `founded` tells them.
    """
    rivals = RIVAL_SHARE * rivals_px(image, ground, line, placed.template)
    rims = OUTLINE_WIDTHS * line.width_px * (kept & (placed.misfit > OUTLINE_MISFIT))
    unfounded = unfounded_px(image, ground, line, outlines_px)
    elsewhere = np.maximum.reduce((rims, bends.doubt_px(line, outlines_px), unfounded))
    elsewhere[sure] = 0.0
    return np.asarray(np.maximum(rivals, elsewhere))


def fit_px(line: Line, bend: Floats, pull: Floats) -> Floats:
    """One standard deviation (n,) of a fitted line's place: of the fit, and of its shadow's pull (n,)."""
    window = max(0.9 * line.width_px / SPACING_PX / 2, 1.0)
    off_px = np.minimum(1 / np.sqrt(np.maximum(bend * 9.0 * window, 1e-6)), line.width_px)
    return np.asarray(np.sqrt(SYSTEMATIC_PX**2 + off_px**2 + (PULL_DOUBT * pull) ** 2))


def bridged_px(line: Line) -> Floats:
    """One standard deviation (n,) of where a line runs between what is seen of it, which grows with the gap."""
    return BRIDGE_SHARE * SPACING_PX * away_from(line.seen, line.closed)


def told_px(line: Line, fit: Floats, centred: Centred | None) -> tuple[Floats, float]:
    """One standard deviation of a line's place (n,) and of its width, from the fit's (n,) and what the network told;
    where the line is not seen, both count.
    """
    if centred is None:
        return fit, WIDTH_SHARE * line.width_px + WIDTH_PX
    return np.where(line.seen, centred.sigma_px, np.hypot(centred.sigma_px, fit)), centred.width_sigma_px
