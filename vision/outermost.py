"""A faint edge beyond a printed frame: a dark border on a dark table is hardly seen, yet all pieces have it alike.

Along one side it may be fainter than the table's own grain. Over all sides of all pieces the grain is evened out, and
a line as far out on every one of the four sides is their edge.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision import framing
from vision import plane as planes
from vision.ranks import median

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

REACH, LEAST = 0.2, 0.03
"""Of the shorter side: how far out it is looked, and from where on: nearer lies the edge's own foot."""
FAINT, SIDES = 0.06, 8.0
"""A line counts from so many votes on, where so many pieces tell of it; on drawn dark-framed pieces frames had 0.09 and
more beyond them, and edges 0.03 and less."""
STEEP, RING = 2.5, 0.35
"""Along a line, sides together change colour so much more steeply than where least so between it and them, of which the
inner share is left out: a shadow only fades away."""
BESIDE, BEYOND = 1.0, (0.5, 1.3)
"""Of the pieces' sides: so far beside and beyond a side lies the middle of a neighbour, whose edges are no other's."""
WITHOUT, SOFT = 0.6, 2.5
"""Of how far out a line lies: how far it is looked round it, the frame within out of view; and how soft, in looks."""
TIMES = 2
"""Frames within frames that are left behind, at most."""
SLID = 0.006
"""Of the shorter side: how far the middle one of the pieces may slide onto the new line. A frame lies alike within each
piece's edge (drawn ones slid 0.2%); on blotches of a table pieces slide each its own way (1.3%)."""
OUTWARD = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, -1.0], [-1.0, 0.0]])
"""Top, right, foot, left: which way out is, to the right and up."""


@dataclass(frozen=True)
class Pieces:
    """Corners (n, 4, 2) px of pieces of a size, mm, that lie at a height above the table, and where each belongs."""

    corners_px: Floats
    size_mm: tuple[float, float]
    height_mm: float


def outermost(image: Image, pieces: Pieces) -> Floats:
    """Return the corners (n, 4, 2) px, moved out where all sides have a line farther out."""
    corners, size_mm, height_mm = pieces.corners_px, pieces.size_mm, pieces.height_mm
    sizes = np.broadcast_to(np.asarray(size_mm, float), (len(corners), 2))
    frame_px = (image.shape[1], image.shape[0])
    for _ in range(TIMES):
        plane = planes.fit(corners, sizes, frame_px, height_mm=height_mm)
        if plane is None:
            break
        rects = planes.rectangles(plane.to_mm(corners, height_mm), sizes)
        border = framing.look(image, plane, rects, height_mm, REACH * min(size_mm))
        out_mm = _beyond(border, _free(rects), min(size_mm))
        if out_mm is None:
            break
        grown = plane.to_px(planes.rectangles(rects, sizes + 2 * out_mm), height_mm)
        anew = planes.fit(grown, sizes, frame_px, height_mm=height_mm)
        if anew is None:
            break
        last = ((WITHOUT * float(out_mm.min()) / min(size_mm), SOFT),)
        laid = framing.frame(image, anew, grown, size_mm, height_mm, last).corners_px
        slid_mm = np.linalg.norm((anew.to_mm(laid, height_mm) - anew.to_mm(grown, height_mm)).mean(axis=1), axis=-1)
        if median(slid_mm) > SLID * min(size_mm):
            break
        corners = laid
    return corners


def _free(rects_mm: Floats) -> npt.NDArray[np.bool_]:
    """Tell beyond which sides (n, 4) of rectangles (n, 4, 2) mm no neighbour lies."""
    middle = rects_mm.mean(axis=1)
    axes = np.stack([rects_mm[:, 1] - rects_mm[:, 0], rects_mm[:, 0] - rects_mm[:, 3]], axis=1)  # right, up
    ways = (middle - middle[:, None])[:, :, None]  # (n, n, 1, 2)
    off = (ways * axes[:, None]).sum(axis=-1) / (axes**2).sum(axis=-1)[:, None]  # (n, n, 2), in sides
    out, beside = off @ OUTWARD.T, np.abs(off @ OUTWARD[:, ::-1].T)
    near = (out > BEYOND[0]) & (out < BEYOND[1]) & (beside < BESIDE)
    return np.asarray(~near.any(axis=1))


def _beyond(border: framing.Border, free: npt.NDArray[np.bool_], side_mm: float) -> Floats | None:
    """Return how far out, mm, lines lie that all four sides have, those that are free (n, 4); None: there are none.

    Frames may be as broad on the left as on the right, and at the top as at the foot: (2,), across and along.
    """
    counts = free.sum(axis=0)
    if not counts.all():
        return None
    straight = border.votes[:, :, len(framing.TURNS) // 2]  # (n, 4, LOOKS)
    votes = framing.softened((straight * free[..., None]).sum(axis=0) / counts[:, None], framing.LAST_SOFT)
    together = (border.steps * free[..., None, None]).sum(axis=0) / counts[:, None, None]  # (4, LOOKS, 3)
    steps = framing.softened(np.linalg.norm(together, axis=-1), framing.LAST_SOFT)
    least = FAINT * max(float(np.sqrt(SIDES / counts.min())), 1.0)
    out = []
    for pair in ([1, 3], [0, 2]):
        both, fades = votes[pair].min(axis=0), steps[pair]
        peak = np.append(np.insert((both[1:-1] > both[:-2]) & (both[1:-1] >= both[2:]), 0, False), False)
        told = np.flatnonzero(peak & (both >= least) & (border.looks_mm > LEAST * side_mm))
        told = told[[_steep(fades, int(k)) for k in told]] if len(told) else told
        if len(told) == 0:
            return None
        out.append(float(border.looks_mm[told[both[told].argmax()]]))
    return np.array(out)


def _steep(steps: Floats, at: int) -> bool:
    """Tell whether colours change at a look `at` more steeply than between it and the side, on each (2, LOOKS)."""
    middle = framing.LOOKS // 2
    ring = steps[:, middle + round(RING * (at - middle)) : at]
    return bool((steps[:, at] > STEEP * ring.min(axis=1)).all())
