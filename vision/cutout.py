"""A cut-out: the figure of a printed picture, taken off its frame and its smooth ground."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from decks.deck import Image
from vision.crop import Floats
from vision.ranks import median, quantile

MAX_FRAME = 0.16  # of the shorter side: no frame is wider
FRAME_STEP = 12.0  # grey levels a px: an edge all along a side that is stronger than this ends a frame
CURVATURE_PRIOR = 0.02  # a ground is rather even than curved
ROUNDS = 10  # of reweighting while the ground is fitted
GROUND_SIGMA = 6.0  # grey levels: least spread of a ground round its fit (noise, paper)
FIGURE_SIGMAS = 3.5  # off the ground by more than this: figure
EDGE_GAPS = 0.12  # of a side: this much of a frame's edge may be interrupted
RIM = 0.86  # of the half side: the ground is fitted outside it
SMALLEST_FIGURE = 0.01  # of the picture: smaller spots are dirt or noise


@dataclass(frozen=True, slots=True)
class Ground:
    """A picture without its frame, the ground fitted to it, and what stands out from it."""

    picture: Floats  # (h, w, 3) inside the frame
    ground: Floats  # (h, w, 3)
    figure: npt.NDArray[np.uint8]  # (h, w) 255: figure


@dataclass(frozen=True, slots=True)
class Box:
    """A box in px of a picture, right and bottom excluded."""

    left: int
    top: int
    right: int
    bottom: int


def separate(picture: Image) -> Ground:
    """Take a printed picture's frame off and part its figures from its ground, which is smooth: even or shaded."""
    inner = _inside_frame(picture.astype(np.float32))
    ground, sigma = _fit(inner)
    soft = cv2.GaussianBlur(inner - ground, (0, 0), 0.8)
    off = np.sqrt((soft * soft).sum(axis=2))
    figure = (off > FIGURE_SIGMAS * sigma).astype(np.uint8) * 255
    return Ground(inner, ground, _without_dirt(figure))


def figure_box(figure: npt.NDArray[np.uint8]) -> Box | None:
    """Return the box round all figure px; None where there are none."""
    if not figure.any():
        return None
    x, y, width, height = cv2.boundingRect(figure)
    return Box(x, y, x + width, y + height)


def filled(figure: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Fill the holes of a figure: an eye of the ground's colour is no hole in the animal."""
    outlines, _ = cv2.findContours(figure, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    solid = np.zeros_like(figure)
    cv2.drawContours(solid, outlines, -1, 255, cv2.FILLED)
    return solid


def _inside_frame(picture: Floats) -> Floats:
    """Cut off the frame: on each side, up to and with the deepest strong edge that runs all along it."""
    height, width = picture.shape[:2]
    deepest = max(2, round(MAX_FRAME * min(height, width)))
    steps_y = np.abs(np.diff(picture, axis=0)).max(axis=2)[:, width // 8 : width - width // 8]
    steps_x = np.abs(np.diff(picture, axis=1)).max(axis=2)[height // 8 : height - height // 8]
    along_x, along_y = quantile(steps_y, EDGE_GAPS, axis=1), quantile(steps_x, EDGE_GAPS, axis=0)
    top, bottom = _frame_px(along_x, deepest), _frame_px(along_x[::-1], deepest)
    left, right = _frame_px(along_y, deepest), _frame_px(along_y[::-1], deepest)
    return picture[top : height - bottom, left : width - right]


def _frame_px(edge: Floats, deepest: int) -> int:
    strong = np.flatnonzero(edge[:deepest] > FRAME_STEP)
    return int(strong[-1]) + 2 if len(strong) else 1


def _fit(inner: Floats) -> tuple[Floats, float]:
    """Fit a surface of second order to the ground, along the rim; figures that reach it lose their weight."""
    height, width = inner.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1).reshape(-1, 6)
    flat = inner.reshape(-1, 3)
    rim = (np.maximum(np.abs(x), np.abs(y)) > RIM).reshape(-1)
    seen, rim_terms = flat[rim], terms[rim]
    weight = np.ones(len(seen), dtype=np.float32)
    sigma, fit = GROUND_SIGMA, np.zeros((6, 3), dtype=np.float32)
    for _ in range(ROUNDS):
        weighted = rim_terms * weight[:, None]
        normal = rim_terms.T @ weighted + CURVATURE_PRIOR * len(seen) * np.diag([0, 0.1, 0.1, 1, 1, 1]).astype(
            np.float32
        )
        fit = np.linalg.solve(normal, weighted.T @ seen)
        off = np.sqrt(((seen - rim_terms @ fit) ** 2).sum(axis=1))
        sigma = max(GROUND_SIGMA, 1.2 * float(median(off)))
        weight = (1 / (1 + (off / sigma) ** 2)).astype(np.float32)
    ground = terms @ fit
    return ground.reshape(inner.shape).astype(np.float32), sigma


def _without_dirt(figure: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    count, labels, stats, _ = cv2.connectedComponentsWithStats(figure, connectivity=8)
    keep = stats[:, cv2.CC_STAT_AREA] >= SMALLEST_FIGURE * figure.size
    keep[0] = False
    return (keep[labels] * 255).astype(np.uint8) if count > 1 else figure
