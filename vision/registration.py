"""A face in the picture laid exactly onto its own reference: the corners follow, whatever its frame and the table.

Edges alone cannot tell a frame's inner border from a piece's edge, and some edges are not to be seen at all (a green
frame on a green cloth). The deck's own picture of the face can: enhanced correlation (ECC, Evangelidis and Psarakis
2008) finds the homography under which both agree best, whatever the light's gain and offset.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.ranks import median

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

REFERENCE_PX = 96
"""The shorter side at which faces are compared: enough to place a corner to a fifth of a px of a 1280 px frame."""
MARGIN_SHARE = 0.16
"""How much of the surroundings is looked at, as a share of the shorter side."""
SOFTNESS_PX = 1.1
"""One σ of a photograph's own blur: a reference sharper than the picture it is laid onto comes out too small."""
INSET_SHARE = 0.03
"""How much of the reference's rim is left out: there a blurred picture shows the table as well."""
MOST_STEPS = 40
LEAST_GAIN = 1e-4
SMOOTHING_PX = 3
"""Both are smoothed this widely before the rim is cut off; smoothed after it, as OpenCV would, faces shrink by 1%."""
MIN_CORRELATION = 0.5
"""Below this the two do not show the same thing, or are too much hidden to be laid onto one another."""


@dataclass(frozen=True)
class Registration:
    """Where a face lies. `corners_px`: (4, 2) in the reference's own order; `correlation`: 1 is a perfect match."""

    corners_px: Floats
    correlation: float


def grid(reference: Image) -> tuple[int, int]:
    """Return the width and height (px) at which a reference is laid onto pictures."""
    h, w = reference.shape[:2]
    scale = REFERENCE_PX / min(w, h)
    return round(w * scale), round(h * scale)


def register(image: Image, corners_px: Floats, reference: Image, *, rigid: bool = False) -> Registration | None:
    """Lay the reference onto the picture, starting from corners (4, 2) px, its top-left first.

    None where the two do not agree.

    `rigid`: the starting quad already has the right shape (the plane is known); it is only shifted and turned.
    """
    width, height = grid(reference)
    margin = max(4, round(MARGIN_SHARE * min(width, height)))
    to_crop = np.asarray(
        cv2.getPerspectiveTransform(corners_px.astype(np.float32), _box(width, height, margin)), np.float64
    )
    crop, side_px = _crop(image, corners_px, to_crop, width + 2 * margin, height + 2 * margin)
    blur = max(0.3, SOFTNESS_PX * min(width, height) / max(side_px, 1.0))
    small = np.asarray(cv2.resize(reference, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    soft = _softened(small, crop, margin, blur)
    axis = _contrast_axis(soft)
    seen = _smooth(crop.astype(np.float32) @ axis)
    inset = round(INSET_SHARE * min(width, height))
    core = _smooth(soft @ axis)[inset : height - inset, inset : width - inset]
    warp = np.eye(3, dtype=np.float32)
    warp[:2, 2] = margin + inset
    motion = cv2.MOTION_EUCLIDEAN if rigid else cv2.MOTION_HOMOGRAPHY
    stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, MOST_STEPS, LEAST_GAIN)
    start = warp[:2] if rigid else warp
    try:
        everywhere = np.full(seen.shape, 255, np.uint8)
        correlation, found = cv2.findTransformECC(core, seen, start.copy(), motion, stop, everywhere, 1)
    except cv2.error:  # OpenCV's way of saying that the two do not converge
        return None
    if correlation < MIN_CORRELATION:
        return None
    full = np.vstack([found, [0, 0, 1]]) if rigid else found
    placed = cv2.perspectiveTransform(_box(width, height, 0)[None] - np.float32(inset), full.astype(np.float64))
    corners = cv2.perspectiveTransform(placed, np.linalg.inv(to_crop))[0].astype(float)
    return Registration(corners, float(correlation)) if _sane(corners, corners_px) else None


def _softened(face: Image, crop: Image, margin: int, blur: float) -> npt.NDArray[np.float32]:
    """Blur a face (h, w, 3) as it lies in the crop, `margin` px from its sides: at its rim the table shines in."""
    around = np.ones(crop.shape[:2], bool)
    around[margin // 2 : -(margin // 2), margin // 2 : -(margin // 2)] = False
    laid = np.empty(crop.shape, np.float32)
    laid[:] = median(crop[around], axis=0)
    laid[margin:-margin, margin:-margin] = face
    soft = cv2.GaussianBlur(laid, (0, 0), blur)[margin:-margin, margin:-margin]
    return np.asarray(soft, np.float32)


def _smooth(grey: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(grey, (SMOOTHING_PX, SMOOTHING_PX), 0), np.float32)


def _box(width: int, height: int, margin: int) -> npt.NDArray[np.float32]:
    """Return a grid's outer corners (4, 2), its pixels' centres being whole numbers."""
    x0, y0, x1, y1 = margin - 0.5, margin - 0.5, margin + width - 0.5, margin + height - 0.5
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)


def _crop(
    image: Image, corners_px: Floats, to_crop: npt.NDArray[np.float64], width: int, height: int
) -> tuple[Image, float]:
    """Warp the surroundings of the quad, smoothed first where that shrinks them; and the quad's side in px."""
    side_px = float(np.linalg.norm(np.roll(corners_px, -1, 0) - corners_px, axis=1).min())
    shrink = side_px / min(width, height)
    source, offset = image, np.eye(3)
    if shrink > 1.3:
        low = np.maximum(np.floor(corners_px.min(0) - 0.4 * side_px), 0).astype(int)
        high = np.ceil(corners_px.max(0) + 0.4 * side_px).astype(int) + 1
        part = image[low[1] : high[1], low[0] : high[0]]
        if part.size:
            source = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.45 * shrink), np.uint8)
            offset[:2, 2] = low
    crop = cv2.warpPerspective(
        source, to_crop @ offset, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(crop, np.uint8), side_px


def _contrast_axis(face: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the colour direction (3,) along which the face (h, w, 3) varies most."""
    flat = face.reshape(-1, 3)
    mean = np.full(len(flat), 1 / len(flat), np.float32) @ flat
    flat = flat - mean
    axis = np.linalg.eigh(flat.T @ flat)[1][:, -1]
    return (axis * (1.0 if axis.sum() >= 0 else -1.0)).astype(np.float32)


def _sane(corners: Floats, before: Floats) -> bool:
    """Tell whether the quad kept its shape: convex, and no corner moved by over a quarter of a side."""
    side = np.linalg.norm(np.roll(before, -1, 0) - before, axis=1).min()
    edge = np.roll(corners, -1, 0) - corners
    after = np.roll(edge, -1, 0)
    turn = edge[:, 0] * after[:, 1] - edge[:, 1] * after[:, 0]
    near = float(np.linalg.norm(corners - before, axis=1).max()) < 0.25 * side
    return bool(np.isfinite(corners).all() and (turn > 0).all() and near)
