"""Whether a cut-out face is good enough to read by, in words, each with the retake that would help."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from decks.picture import Image

LEAST_WIDTH_PX = 80  # below it, details of 1 mm are lost on a card
GLARE_SHARE = 0.10
BLUR_SHARE = 1 / 48  # of the face's width, an edge's σ: what reads well has at most 1/55, what is out of focus 1/44
EDGE_CONTRAST, LEAST_CONTRAST = 40.0, 12.0  # grey levels: fainter edges do not tell how sharp a picture is
FAINT_SHARE = 0.6  # of the strongest: in a dark or pale picture edges of so much contrast tell it too
WAYS = 4  # directions in which edges are looked at, each for itself
WAY_SHARE, FEWEST_PX = 0.02, 20  # of all edges' px, and so many px: fewer do not tell of a direction
LEAST_STEEP = 0.02  # of the contrast round about, a px: what is flatter lies beside an edge
WHITE = 250  # a channel at least this bright is burnt out


def faults(face: Image, corners_px: npt.ArrayLike, picture_size: tuple[int, int]) -> tuple[str, ...]:
    """Say all that is wrong with a face cut from a picture of (width, height) px; empty: nothing."""
    quad = np.asarray(corners_px, float).reshape(4, 2)
    said = []
    if side := cut_off(quad, picture_size):
        said.append(f"cut off at the picture's {side}: move the camera so that the whole piece is in view")
    width_px = min(math.dist(quad[0], quad[1]), math.dist(quad[2], quad[3]))
    if width_px < LEAST_WIDTH_PX:
        said.append(
            f"only {int(width_px)} px wide, at least {LEAST_WIDTH_PX}: go nearer, or lay fewer pieces in one picture"
        )
    share = glare(face)
    if share > GLARE_SHARE:
        said.append(
            f"glare over {share:.0%} of it: move the lamp, tilt the piece away from the light, or take a darker picture"
        )
    sigma_px = blur_px(face)
    if sigma_px > face.shape[1] * BLUR_SHARE:
        said.append(f"blurred (an edge is {2 * sigma_px:.0f} px wide): hold the camera still, let it focus, add light")
    return tuple(said)


def cut_off(quad: npt.NDArray[np.float64], picture_size: tuple[int, int]) -> str | None:
    """Name the picture's edge that cuts the piece off, or return None. A corner on the very edge is in view."""
    width, height = picture_size
    beyond = {
        "left": -float(quad[:, 0].min()),
        "right": float(quad[:, 0].max()) - width,
        "top": -float(quad[:, 1].min()),
        "foot": float(quad[:, 1].max()) - height,
    }
    side = max(beyond, key=lambda name: beyond[name])
    return f"{side} edge" if beyond[side] > 1.0 else None


def glare(face: Image) -> float:
    """Return the share of the face that is burnt out, its outer tenth left aside (frames are white by right)."""
    height, width = face.shape[:2]
    y, x = height // 10, width // 10
    inside = face[y : height - y, x : width - x]
    return float(np.mean(inside.min(axis=2) >= WHITE))


def blur_px(face: Image) -> float:
    """Return the σ of the face's sharpest edges, in px, in the direction in which they are softest; 0: there are none.

    A camera that was shaken blurs the edges across its way alone.
    """
    gray = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY)
    reach = max(face.shape[1] // 12, 3) * 2 + 1
    square = np.ones((reach, reach), np.uint8)
    smooth = cv2.GaussianBlur(gray.astype(np.float32), (0, 0), 0.7)
    contrast = cv2.dilate(smooth, square) - cv2.erode(smooth, square)
    right, down = cv2.Scharr(smooth, cv2.CV_32F, 1, 0) / 32, cv2.Scharr(smooth, cv2.CV_32F, 0, 1) / 32
    steep = np.hypot(right, down) / np.maximum(contrast, 1.0)
    edge = contrast > min(EDGE_CONTRAST, max(LEAST_CONTRAST, FAINT_SHARE * float(contrast.max())))
    way = np.floor(np.arctan2(down, right) / np.pi * WAYS + 0.5).astype(int) % WAYS
    least = max(WAY_SHARE * int(edge.sum()), FEWEST_PX)
    told = [steep[edge & (steep > LEAST_STEEP) & (way == k)] for k in range(WAYS)]
    sharpest = [float(np.percentile(one, 98)) for one in told if len(one) >= least]
    return 1 / (math.sqrt(2 * math.pi) * min(sharpest)) if sharpest else 0.0
