"""Four-sided pieces by their silhouettes: what stands out from the bare table, and has four straight sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision import quads
from vision.ranks import quantile

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.uint8]

LEVELS = (4.0, 5.5, 8.0, 12.0, 18.0, 27.0)  # σ off the table from which on a place is a piece's; the best one is taken
INSET = 0.12  # of a side, left out at each end: rounded corners
NEAR_SHARE = 0.1  # of the shorter side: a contour's point farther from a side than this is not on it
ROUNDS = 5
MOST_SLANT = 2.0  # a disc seen at a slant of 60° is half as high as broad
LEAST_FILL = 0.9  # of its four sides' area: a silhouette that fills less has other sides than these
OPENED = 0.05  # of the shorter side: threads, crumbs and shadows thinner than this are taken off


@dataclass(frozen=True)
class Silhouette:
    """What stands out. `corners_px`: (4, 2), clockwise; `fill`: how well its four sides hold it, 1: just it."""

    corners_px: Floats
    fill: float


def anywhere(unlike: npt.NDArray[np.floating], least_px: float, most_px: float) -> list[Silhouette]:
    """Find all four-sided things whose sides are about that long."""
    found: list[Silhouette] = []
    for level in LEVELS:
        mask = _cleaned(unlike > level, OPENED * least_px)
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            if least_px**2 * 0.5 < cv2.contourArea(contour) < most_px**2 * 1.5:
                one = _sides(np.asarray(contour, np.int32))
                if one is not None and one.fill > LEAST_FILL:
                    found.append(one)
    return found


def discs(unlike: npt.NDArray[np.floating], least_px: float, most_px: float) -> list[Silhouette]:
    """Find all ellipses about that broad; their corners are those of the disc's circumscribed square, seen upright."""
    found: list[Silhouette] = []
    for level in LEVELS:
        contours, _ = cv2.findContours(
            _cleaned(unlike > level, OPENED * least_px), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
        )
        for contour in contours:
            area = cv2.contourArea(contour)
            if len(contour) < 20 or not least_px**2 * 0.6 < area < most_px**2:
                continue
            centre, axes, turn_deg = cv2.fitEllipse(contour)
            if min(axes) > 0 and max(axes) < MOST_SLANT * min(axes):
                round_share = _roundness(contour[:, 0], centre, axes, turn_deg)
                if round_share > LEAST_FILL:
                    found.append(Silhouette(_square(centre, axes, turn_deg), round_share))
    return found


def _roundness(points: npt.NDArray[np.generic], centre: Sequence[float], axes: Sequence[float], deg: float) -> float:
    """Return 1 less how far, in radii, all but the worst twentieth of the points (n, 2) are off an ellipse."""
    turn = np.radians(deg)
    along = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    radius = np.linalg.norm((points.astype(float) - centre) @ along / (np.asarray(axes) / 2), axis=1)
    return float(1 - quantile(np.abs(radius - 1), 0.95))


def _square(centre: Sequence[float], axes: Sequence[float], turn_deg: float) -> Floats:
    """Return the corners (4, 2) of the square round a disc seen as an ellipse: one pair of its sides runs upwards."""
    turn = np.radians(turn_deg)
    along = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    spread = along @ np.diag([(axes[0] / 2) ** 2, (axes[1] / 2) ** 2]) @ along.T
    right = np.array([np.sqrt(spread[0, 0]), spread[0, 1] / np.sqrt(spread[0, 0])])
    down = np.array([0.0, np.sqrt(max(spread[1, 1] - right[1] ** 2, 0.0))])
    middle = np.asarray(centre, float)
    return np.array([middle - right - down, middle + right - down, middle + right + down, middle - right + down])


def _cleaned(mask: npt.NDArray[np.bool_], opened_px: float) -> Mask:
    """Close small gaps, fill what is enclosed, take off what is thin."""
    size = max(round(opened_px), 1) * 2 + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    solid = cv2.drawContours(np.zeros_like(closed), contours, -1, 1, cv2.FILLED)
    return np.asarray(cv2.morphologyEx(solid, cv2.MORPH_OPEN, kernel), np.uint8)


def _sides(contour: npt.NDArray[np.int32]) -> Silhouette | None:
    """Fit four lines to a contour (n, 1, 2); None where it has no four sides."""
    hull = cv2.convexHull(contour)
    if len(hull) < 4 or cv2.contourArea(hull) < 30:
        return None
    points = contour[:, 0].astype(float)
    start = cv2.approxPolyN(hull, 4, None, -1.0, True).reshape(-1, 2).astype(float)
    if len(start) != 4:
        start = cv2.boxPoints(cv2.minAreaRect(hull)).astype(float)
    quad = quads.clockwise(start[None])[0]
    for _ in range(ROUNDS):
        again = _fitted(points, quad)
        if again is None:
            return None
        quad = again
    area = abs(float(cv2.contourArea(quad.astype(np.float32))))
    if area < 30 or not cv2.isContourConvex(quad.astype(np.float32)):
        return None
    shape = cv2.contourArea(contour)
    both, _ = cv2.intersectConvexConvex(hull.astype(np.float32), quad.astype(np.float32))
    return Silhouette(quad, float(min(both, shape) / max(area, shape, float(cv2.contourArea(hull)))))


def _fitted(points: Floats, quad: Floats) -> Floats | None:
    """Fit each side of a quad (4, 2) to the points (n, 2) near it, and intersect neighbours."""
    lines = []
    side = np.roll(quad, -1, axis=0) - quad
    length = np.linalg.norm(side, axis=1)
    if length.min() < 3:
        return None
    near = NEAR_SHARE * float(length.min())
    for k in range(4):
        along = side[k] / length[k]
        offset = points - quad[k]
        t, d = offset @ along, offset @ np.array([along[1], -along[0]])
        mine = (t > INSET * length[k]) & (t < (1 - INSET) * length[k]) & (np.abs(d) < near)
        if mine.sum() < 5:
            return None
        lines.append(_line(points[mine]))
    corners = [np.cross(lines[k - 1], lines[k]) for k in range(4)]
    if any(abs(c[2]) < 1e-9 for c in corners):
        return None
    return np.array([c[:2] / c[2] for c in corners])


def _line(points: Floats) -> Floats:
    """Fit a line (3,) through points (n, 2), those off it counting less."""
    vx, vy, x, y = np.ravel(cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01))
    return np.array([-vy, vx, vy * x - vx * y], float)


def shifted(quad: Floats, outwards_px: Floats) -> Floats:
    """Move each side k (from corner k on) of a clockwise quad (4, 2) outwards by (4,) px."""
    side = np.roll(quad, -1, axis=0) - quad
    along = side / np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-9)
    normal = np.stack([along[:, 1], -along[:, 0]], axis=1)
    lines = [np.array([*n, -float(n @ (q + n * by))]) for n, q, by in zip(normal, quad, outwards_px, strict=True)]
    corners = [np.cross(lines[k - 1], lines[k]) for k in range(4)]
    return np.array([c[:2] / c[2] for c in corners])
