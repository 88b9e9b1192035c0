"""Places of which a lamp's light leaves nothing to see: burnt white, where neither the table nor a tile is white.

What lies there, a marked tile or a cube on a tile, cannot be read, and that nothing lies there cannot be told either.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.crop import rectify
from vision.plane import Plane
from vision.ranks import median, quantile

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Outline = tuple[tuple[float, float], ...]

SOFT_PX = 5  # so broad a mean takes the sensor's noise away
BURNT, BELOW = 240.0, 8.0  # grey levels of the darkest channel: at least, and so near to the picture's brightest
BRIGHTEST = 0.999  # share of the places that are darker than what is taken for the brightest
LEAST = 0.0005  # of the picture burnt: less is a gleam
TABLE, INK = 200.0, 90.0  # the darkest channel of a table, and of a face's inks, that would not be white unburnt
PLAIN = 0.1  # of the places beside the tiles: where more is not burnt, that tells how white the table is
STEP, ROUND = 0.25, 2.0  # of a tile's side: how finely places are looked at, and how far round the tiles
APART = 0.8  # of a tile's side, from a tile's middle on: nearer than that no other one lies
FULL = 0.9  # of a tile's round: so much of it is burnt where one may lie unseen
GRID_PX = 72  # a tile's side where it is laid beside its face
MARKER_MM, WHOLE = 9.0, 0.97  # what may stand on a tile, and how much of its place is burnt where it is not seen
TOLD = 0.5  # of the dark ink round about, and more, is burnt: then white paper is not what is white there


def unseen(
    image: Image, plane: Plane, tiles_px: Sequence[Floats], faces: Sequence[Image | None], side_mm: float
) -> tuple[Outline, ...]:
    """Return squares in mm, as large as tiles, in which a tile, or a marker on a tile, may lie unseen.

    `tiles_px`: (4, 2) of the tiles that were read, and their `faces`, None where not known.
    """
    darkest = cv2.blur(image, (SOFT_PX, SOFT_PX)).min(axis=2)
    white = darkest >= max(BURNT, float(quantile(darkest.ravel(), BRIGHTEST)) - BELOW)
    if white.mean() < LEAST or not len(tiles_px):
        return ()
    middles = plane.to_mm(np.stack(list(tiles_px)).mean(axis=1))
    hidden = [
        middle
        for corners, face, middle in zip(tiles_px, faces, middles, strict=True)
        if face is not None and _on_tile(white, corners, face, side_mm)
    ]
    return tuple(_square(p, side_mm) for p in (*_of_tiles(darkest, white, plane, middles, side_mm), *hidden))


def _square(middle: Floats, side_mm: float) -> Outline:
    x, y, half = float(middle[0]), float(middle[1]), side_mm / 2
    return ((x - half, y + half), (x + half, y + half), (x + half, y - half), (x - half, y - half))


def _of_tiles(darkest: Floats, white: Mask, plane: Plane, middles: Floats, side_mm: float) -> list[Floats]:
    """Return the middles (2,) mm of burnt places where a tile may lie, a side apart, where the table is not white."""
    low, high = middles.min(axis=0) - ROUND * side_mm, middles.max(axis=0) + ROUND * side_mm
    xs, ys = (np.arange(low[k], high[k], STEP * side_mm) for k in (0, 1))
    grid = np.stack(np.meshgrid(xs, ys), axis=-1)  # (h, w, 2)
    free = np.linalg.norm(grid[:, :, None] - middles, axis=-1).min(axis=-1) > APART * side_mm
    seen = _at(plane, grid, darkest, -1.0)
    whole = _at(plane, grid, white, 0.0)
    bare, plain = free & (seen >= 0), free & (seen >= 0) & (whole == 0)
    if plain.sum() <= PLAIN * bare.sum() or float(median(seen[plain])) > TABLE:
        return []
    reach = np.linspace(-0.45, 0.45, 7) * side_mm
    around = np.stack(np.meshgrid(reach, reach), axis=-1).reshape(-1, 2)
    around = around[np.hypot(*around.T) <= 0.46 * side_mm]
    share = np.mean([_at(plane, grid + off, white, 0.0) for off in around], axis=0)
    found = (free & (share >= FULL)).astype(np.uint8)
    count, parts = cv2.connectedComponents(found, connectivity=8)
    return [place for k in range(1, count) for place in _spread(grid[parts == k], side_mm)]


def _spread(places: Floats, side_mm: float) -> list[Floats]:
    """Return some of places (n, 2), the one amidst them first: each other one is nearer than a side to one of these."""
    order = places[np.argsort(np.linalg.norm(places - places.mean(axis=0), axis=1), kind="stable")]
    chosen: list[Floats] = []
    for place in order:
        if all(np.linalg.norm(place - other) > side_mm for other in chosen):
            chosen.append(place)
    return chosen


def _at(plane: Plane, places_mm: Floats, picture: npt.NDArray[np.generic], outside: float) -> Floats:
    """Return a picture's values (…,) at places (…, 2) mm."""
    x, y = np.rint(plane.to_px(places_mm.reshape(-1, 2))).astype(int).T
    height, width = picture.shape
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    values = picture[y.clip(0, height - 1), x.clip(0, width - 1)].astype(float)
    return np.where(inside, values, outside).reshape(places_mm.shape[:-1])


def _on_tile(white: Mask, corners_px: Floats, face: Image, side_mm: float) -> bool:
    """Tell whether a marker may stand unseen on a tile (4, 2) px whose face is known."""
    burnt = (rectify(white.astype(np.uint8) * 255, corners_px, GRID_PX, GRID_PX) > 127).astype(np.float32)
    broad = MARKER_MM / side_mm * GRID_PX
    reach = int(np.ceil(broad / 2))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disc = (np.hypot(x, y) <= broad / 2).astype(np.float32)
    hidden = cv2.filter2D(burnt, -1, disc / disc.sum(), borderType=cv2.BORDER_CONSTANT) >= WHOLE
    if not hidden.any():
        return False
    inks = cv2.resize(face, (GRID_PX, GRID_PX), interpolation=cv2.INTER_AREA).min(axis=2) < INK
    told, all_inks = (cv2.GaussianBlur(m.astype(np.float32), (0, 0), broad) for m in (inks * burnt, inks))
    return bool((hidden & (told > TOLD * all_inks) & (told > 0)).any())
