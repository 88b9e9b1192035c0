"""Rims: discs of about one size on one plane, however they overlap, found by their edges as seen from above."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.plane import Plane

Floats = npt.NDArray[np.floating]
Image = npt.NDArray[np.uint8]

RADIUS_PX = 24.0  # of a disc as it is looked for
MOST_PX = 2400  # of the view: tilted, a picture's far end is long
RADII = (0.92, 0.96, 1.0, 1.04, 1.08)  # of the usual radius
WIDE = (0.76, 0.8, 0.84, 0.88, *RADII, 1.12, 1.16, 1.2, 1.24)  # of what is only roughly known
PRINTED = 0.7  # of the fullest rims: a larger one that is so full is the coin's own, the fuller one its print's
SEED_PX, SEED_STEP_PX = 6, 2  # how far a rough disc's middle is off, and how finely it is looked for
SOFT_PX = 1.0  # σ of the smoothing before edges are looked for
VOTE_SOFT_PX = 1.2  # σ of where a rim's middle is said to be
EDGE, LEAST_EDGE = 6.0, 2.0  # grey levels a px: a full vote, and from where on there is an edge
LEAST_VOTES = 0.15  # of a whole rim's
SAMPLES = 90  # along a rim
REACH_PX = 2  # off it
ALIGNED = 0.9  # cosine between an edge's and a rim's direction
NEAREST = 0.35  # of a radius: of two middles nearer than this the one with more votes counts
MOST = 60  # rims of one picture that are looked at


@dataclass(frozen=True)
class View:
    """The level of the discs' tops seen from above. `low_mm`: of its bottom left corner; `size_px`: width, height."""

    plane: Plane
    height_mm: float
    low_mm: Floats
    mm_per_px: float
    size_px: tuple[int, int]

    def to_mm(self, px: Floats) -> Floats:
        """Return table mm (…, 2) of this view's px (…, 2)."""
        x, y = px[..., 0] * self.mm_per_px, (self.size_px[1] - px[..., 1]) * self.mm_per_px
        return np.stack([self.low_mm[0] + x, self.low_mm[1] + y], axis=-1)

    def to_view(self, mm: Floats) -> Floats:
        """Return this view's px (…, 2) of table mm (…, 2)."""
        off = (mm - self.low_mm) / self.mm_per_px
        return np.stack([off[..., 0], self.size_px[1] - off[..., 1]], axis=-1)

    def of(self, picture: npt.NDArray[np.floating | np.uint8]) -> npt.NDArray[np.floating | np.uint8]:
        """Return the picture (H, W, …) as this view (h, w, …) shows it."""
        seen = cv2.warpPerspective(picture, self.from_picture, self.size_px, flags=cv2.INTER_AREA)
        return np.asarray(seen, picture.dtype)

    @cached_property
    def from_picture(self) -> Floats:
        """Return the homography (3, 3) from the picture's px to this view's; a lens's bend is left out."""
        width, height = self.size_px
        grid = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], np.float32)
        px = self.plane.to_px(self.to_mm(grid.astype(float)), self.height_mm).astype(np.float32)
        return np.asarray(cv2.getPerspectiveTransform(px, grid), float)


@dataclass(frozen=True)
class Rim:
    """One disc: its middle (2,) px of the view, its radius in px, and how much of its rim is an edge, 0 to 1."""

    middle_px: Floats
    radius_px: float
    share: float


@dataclass(frozen=True)
class Edges:
    """The steps (h, w) of the strongest colour, grey levels a px, and their directions (h, w, 2)."""

    step: Floats
    along: Floats

    def at(self, px: Floats, way: Floats) -> npt.NDArray[np.bool_]:
        """Tell where, at px (n, 2), within reach along `way` (n, 2), an edge lies across that way."""
        height, width = self.step.shape
        seen = np.zeros(len(px), bool)
        for off in range(-REACH_PX, REACH_PX + 1):
            x, y = np.rint(px + way * off).astype(int).T
            inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
            x, y = np.clip(x, 0, width - 1), np.clip(y, 0, height - 1)
            seen |= inside & (self.step[y, x] > LEAST_EDGE) & (np.abs((self.along[y, x] * way).sum(axis=1)) > ALIGNED)
        return seen


def view_of(plane: Plane, height_mm: float, radius_mm: float) -> View:
    """Return the view of all that a camera sees, discs of that radius RADIUS_PX large."""
    width, height = plane.width_px, plane.height_px
    frame = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], float)
    corners, mm = plane.to_mm(frame, height_mm), radius_mm / RADIUS_PX
    low, high = corners.min(axis=0), corners.max(axis=0)
    size = np.minimum(np.ceil((high - low) / mm), MOST_PX).astype(int)
    return View(plane, height_mm, low, mm, (int(size[0]), int(size[1])))


def edges(top: Image) -> Edges:
    """Return the edges of a BGR view."""
    soft = cv2.GaussianBlur(top, (0, 0), SOFT_PX).astype(np.float32)
    right, down = cv2.Scharr(soft, cv2.CV_32F, 1, 0) / 32, cv2.Scharr(soft, cv2.CV_32F, 0, 1) / 32
    best = (right**2 + down**2).argmax(axis=2)[..., None]
    right, down = (np.take_along_axis(part, best, axis=2)[..., 0] for part in (right, down))
    step = np.hypot(right, down)
    return Edges(step, np.stack([right, down], axis=-1) / np.maximum(step, 1e-6)[..., None])


def found(seen: Edges) -> list[Rim]:
    """Find all rims of about the usual radius, the fullest first."""
    votes = np.stack([_votes(seen, RADIUS_PX * share) for share in RADII])
    best = votes.max(axis=0).astype(np.float32)
    reach = 2 * int(NEAREST * RADIUS_PX) + 1
    ys, xs = np.nonzero((best >= cv2.dilate(best, np.ones((reach, reach), np.uint8))) & (best > LEAST_VOTES))
    order = np.argsort(-best[ys, xs])[:MOST]
    rims = []
    for x, y in zip(xs[order], ys[order], strict=True):
        middle, radius = np.array([x, y], float), RADIUS_PX * RADII[int(votes[:, y, x].argmax())]
        rims.append(Rim(middle, radius, float(seen.at(middle + around() * radius, around()).mean())))
    return sorted(rims, key=lambda rim: -rim.share)


def near(seen: Edges, middle_px: Floats, radius_px: float | None = None) -> Rim:
    """Return the fullest rim round a rough middle (2,): of that radius, or of any that is about the usual one."""
    steps, ways = np.arange(-SEED_PX, SEED_PX + 1, SEED_STEP_PX), around()
    usual = RADIUS_PX * np.array(RADII) if radius_px is None else [radius_px]
    places = np.array(list(itertools.product(steps, steps, usual)), float)  # (n, 3): off in x and y, radius
    middles, radii = middle_px + places[:, :2], places[:, 2]
    points = middles[:, None] + ways * radii[:, None, None]
    shares = seen.at(points.reshape(-1, 2), np.tile(ways, (len(places), 1))).reshape(len(places), -1).mean(axis=1)
    best = int(shares.argmax())
    return Rim(middles[best], float(radii[best]), float(shares[best]))


def radius_px(seen: Edges, middles_px: Floats) -> float:
    """Return the largest radius with full rims round about these rough middles (n, 2)."""
    window = np.ones((2 * SEED_PX + 1, 2 * SEED_PX + 1), np.uint8)
    x, y = np.rint(middles_px).astype(int).T
    inside = (x >= 0) & (x < seen.step.shape[1]) & (y >= 0) & (y < seen.step.shape[0])
    if not inside.any():
        return RADIUS_PX
    votes = [_votes(seen, RADIUS_PX * share).astype(np.float32) for share in WIDE]
    full = np.array([cv2.dilate(vote, window)[y[inside], x[inside]].mean() for vote in votes])
    if not full.any():
        return RADIUS_PX
    crest = full >= np.maximum(np.append(full[1:], 0), np.append(0, full[:-1]))
    return RADIUS_PX * WIDE[int(np.flatnonzero(crest & (full > PRINTED * full.max())).max())]


def around() -> Floats:
    """Return directions (SAMPLES, 2) all around."""
    turn = np.linspace(0, 2 * np.pi, SAMPLES, endpoint=False)
    return np.stack([np.cos(turn), np.sin(turn)], axis=-1)


def _votes(seen: Edges, radius_px: float) -> Floats:
    """Let each edge vote (h, w) for the middles that it would be the rim of; 1: a whole rim."""
    height, width = seen.step.shape
    ys, xs = np.nonzero(seen.step > LEAST_EDGE)
    weight, way = np.minimum(seen.step[ys, xs] / EDGE, 1.0), seen.along[ys, xs] * radius_px
    total = np.zeros(height * width)
    for sign in (1, -1):
        x, y = np.rint(xs + sign * way[:, 0]).astype(int), np.rint(ys + sign * way[:, 1]).astype(int)
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        total += np.bincount(y[inside] * width + x[inside], weight[inside], minlength=height * width)
    soft = cv2.GaussianBlur(total.reshape(height, width), (0, 0), VOTE_SOFT_PX)
    return np.asarray(soft * VOTE_SOFT_PX**2 / radius_px, float)
