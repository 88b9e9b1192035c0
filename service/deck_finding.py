"""Where the pieces of one size lie in a photograph, exactly: without any reference."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision import plane as planes
from vision import quads
from vision.detector import Detector, Kind
from vision.framing import frame
from vision.plane import Plane

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

SIZE_SHARE = 0.45  # sides that differ by more than this share from the stated size are another thing's
MORE_TRIES = 3
WORTH_MORE = 1.02  # another try goes on while the common border gets at least so much sharper
ROUGH_SHARE = 0.04  # one σ of a refined box's corner, as a share of its shorter side


def found(image: Image, size_mm: tuple[float, float], height_mm: float, kind: Kind = "card") -> Floats:
    """Return the corners (n, 4, 2) px of the pieces of `size_mm`, each clockwise; (0, 4, 2) where none is found."""
    detections = Detector().detect(image)
    chosen = [k for k, what in enumerate(detections.kinds) if what == kind]
    return exact(image, np.asarray(detections.corners_px[chosen], float), size_mm, height_mm)


def exact(image: Image, boxes_px: Floats, size_mm: tuple[float, float], height_mm: float) -> Floats:
    """Fit rough boxes (n, 4, 2) px to the pieces' outer edges; boxes of another size are left out.

    The pieces share one size and one plane: first each on its own, then all as rectangles on that plane, moved together
    to the outermost line that they have in common, so that a printed frame is never taken for the edge.
    """
    if len(boxes_px) == 0:
        return np.zeros((0, 4, 2))
    alone = quads.refine(image, boxes_px).corners_px
    tried = []
    for start in (alone, boxes_px):
        plane, corners = _plane(image, start, size_mm, height_mm)
        if plane is not None:
            tried.append(frame(image, plane, corners, size_mm, height_mm))
    most = max((len(one.corners_px) for one in tried), default=0)
    whole = [one for one in tried if len(one.corners_px) == most]
    if not whole:
        return alone
    best = max(whole, key=lambda one: one.sharpness)
    for _ in range(MORE_TRIES):
        plane, corners = _plane(image, best.corners_px, size_mm, height_mm)
        again = None if plane is None else frame(image, plane, corners, size_mm, height_mm)
        if again is None or len(again.corners_px) < most or again.sharpness < best.sharpness * WORTH_MORE:
            break
        best = again
    return best.corners_px


def _plane(
    image: Image, corners_px: Floats, size_mm: tuple[float, float], height_mm: float
) -> tuple[Plane | None, Floats]:
    """Find the plane on which most quads are of the stated size; return it and those quads."""
    sizes = np.broadcast_to(np.asarray(size_mm, float), (len(corners_px), 2))
    corners = planes.lengthwise(corners_px, sizes)
    side = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=-1).min(axis=1)
    plane = planes.fit(
        corners,
        sizes,
        (image.shape[1], image.shape[0]),
        height_mm=height_mm,
        noise_px=np.maximum(ROUGH_SHARE * side, 1.0),
    )
    if plane is None:
        return None, corners
    mm = _to_mm(plane, corners, height_mm)
    sides = np.linalg.norm(np.roll(mm, -1, axis=1) - mm, axis=-1)
    seen = np.stack([sides[:, [0, 2]].mean(axis=1), sides[:, [1, 3]].mean(axis=1)], axis=1)
    ours = (np.abs(seen / sizes - 1) < SIZE_SHARE).all(axis=1)
    return plane, corners[ours]


def _fitted(image: Image, corners_px: Floats, sizes: Floats, height_mm: float, share: float) -> Plane | None:
    """Fit the plane to quads whose corners are sure to `share` of their shorter side."""
    noise_px = np.maximum(share * _shorter(corners_px), 0.5)
    return planes.fit(corners_px, sizes, (image.shape[1], image.shape[0]), height_mm=height_mm, noise_px=noise_px)


def _shorter(corners_px: Floats) -> Floats:
    """Return each quad's shortest side (n,), px."""
    return np.asarray(np.linalg.norm(np.roll(corners_px, -1, axis=1) - corners_px, axis=-1).min(axis=1), float)


def _to_mm(plane: Plane, corners_px: Floats, height_mm: float) -> Floats:
    return np.asarray(plane.to_mm(corners_px, height_mm), float)
