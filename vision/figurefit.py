"""How well a printed figure explains a place of a picture: even ground round it, and the figure in some light."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from decks.deck import Image
from vision.crop import Floats
from vision.cutout import figure_box, filled, separate
from vision.threads import each

FACE_PX = 96  # faces are cut out at this height
FIGURE_SHARE = (0.03, 0.85)  # of a face: a figure outside this was not found; the face's middle stands for it
PICTURES = 2  # of a face, at most, are cut out
MARGIN = 0.12  # of the figure's longer side: ground seen round it
NOISE = 5.0  # grey levels that no figure explains
LIGHT_PRIOR = (0.0, 0.03, 0.1, 0.1)  # against a gain, an offset, and their drifts along the strip
CLIPPED = 252.0  # grey levels: a photograph shows no more
STENCILS = 2000  # kept: all sizes of a deck's figures, a few kB each
FREE = 4  # columns a channel, with which a window's ground and figure are explained
SOFTNESS_PX = 0.6  # a photograph is softer than a scan
OWN_LIGHT = 0.3  # against a figure's light of its own, in shares of what its window tells


@dataclass(frozen=True, eq=False)  # each is itself alone: its stencils are kept by it
class Figure:
    """A face's figure, or the whole face: its box's picture and how much of each px it covers."""

    label: str
    picture: Floats  # (h, w, 3), of a face FACE_PX high
    cover: Floats  # (h, w) in 0..1


@dataclass(frozen=True, slots=True)
class Stencil:
    """A figure at one size with its margin, and orthonormal columns over its window, a channel each."""

    high: int
    wide: int
    cover: Floats  # (px,)
    light: Floats  # (px, 3)
    round: Floats  # (px, 2): ground where the figure is not
    columns: Floats  # (3, px, FREE + 2): ground and the figure with a gain and an offset; then ground alone


def figures(faces: Mapping[str, Sequence[Image]]) -> tuple[tuple[Figure, ...], tuple[Figure, ...]]:
    """Cut the figures out of a deck's faces, and take the faces whole as well; the back is none.

    A photo card shows its animals on a ground of its own, or as small framed prints.
    """
    shown = [(label, one) for label, several in faces.items() if label != "back" for one in several[:PICTURES]]
    return tuple(each(lambda face: cut_out(*face), shown)), tuple(whole(*face) for face in shown)


def whole(label: str, face: Image) -> Figure:
    """Take a face (h, w, 3) as it is, ground and all."""
    small = _shrunk(face)
    return Figure(label, small.astype(np.float32), np.ones(small.shape[:2], np.float32))


def _shrunk(face: Image) -> Image:
    size_px = max(8, round(face.shape[1] * FACE_PX / face.shape[0])), FACE_PX
    return np.asarray(cv2.resize(face, size_px, interpolation=cv2.INTER_AREA), np.uint8)


def cut_out(label: str, face: Image) -> Figure:
    """Cut the figure out of a face (h, w, 3), edge to edge, upright."""
    parts = separate(_shrunk(face))
    solid = filled(parts.figure)
    if not FIGURE_SHARE[0] < float((solid > 0).mean()) < FIGURE_SHARE[1]:
        high, wide = solid.shape
        solid = np.zeros_like(solid)
        cv2.ellipse(solid, (wide // 2, high // 2), (round(wide * 0.4), round(high * 0.4)), 0, 0, 360, 255, -1)
    box = figure_box(solid)
    assert box is not None  # neither a figure of that share nor the ellipse is empty
    cut = np.s_[box.top : box.bottom, box.left : box.right]
    return Figure(label, parts.picture[cut], (solid[cut] / 255).astype(np.float32))


@lru_cache(maxsize=STENCILS)
def stencil(figure: Figure, scale: float) -> Stencil:
    """Scale a figure and prepare its columns."""
    high, wide = (max(3, round(side * scale)) for side in figure.cover.shape)
    pad = round(MARGIN * max(high, wide)) + 1
    cover = cv2.resize(figure.cover, (wide, high), interpolation=cv2.INTER_AREA)
    light = cv2.resize(figure.picture, (wide, high), interpolation=cv2.INTER_AREA)
    cover = _soft(cv2.copyMakeBorder(cover, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0.0))
    light = _soft(cv2.copyMakeBorder(light, pad, pad, pad, pad, cv2.BORDER_REPLICATE))
    rows = np.repeat(np.linspace(-1, 1, cover.shape[0], dtype=np.float32), cover.shape[1])
    even = np.stack([np.ones_like(rows), rows], axis=1)
    a, lit = cover.reshape(-1), light.reshape(-1, 3) / np.float32(128)
    ground = (1 - a)[:, None] * even
    free = [_orthonormal(np.column_stack([ground, a, a * lit[:, c] + 1e-4 * rows])) for c in range(3)]
    columns = np.concatenate([np.stack(free), np.stack([_orthonormal(even)] * 3)], axis=2)
    return Stencil(cover.shape[0], cover.shape[1], a, lit, _orthonormal(ground), columns)


def _orthonormal(columns: Floats) -> Floats:
    return np.asarray(np.linalg.qr(columns)[0], np.float32)


def _soft(picture: npt.NDArray[Any]) -> Floats:
    return cv2.GaussianBlur(picture, (0, 0), SOFTNESS_PX).astype(np.float32, copy=False)


def windows(picture: Floats, stencil: Stencil, centres_px: Floats) -> Floats:
    """Return the picture's parts under the stencil, (places, 3, px); beyond its border the border repeats."""
    pad = max(stencil.high, stencil.wide) // 2 + 1
    padded = cv2.copyMakeBorder(picture, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
    planes = np.ascontiguousarray(padded.transpose(2, 0, 1))
    down, right = planes.shape[1] - stencil.high, planes.shape[2] - stencil.wide
    lefts = np.round(centres_px[:, 0] - stencil.wide / 2).astype(int) + pad
    tops = np.round(centres_px[:, 1] - stencil.high / 2).astype(int) + pad
    channel, row, column = planes.strides
    shape = down + 1, right + 1, 3, stencil.high, stencil.wide
    views = np.lib.stride_tricks.as_strided(planes, shape, (row, column, channel, row, column), writeable=False)
    return np.asarray(views[tops.clip(0, down), lefts.clip(0, right)].reshape(len(centres_px), 3, -1), np.float32)


def rest(parts: Floats, stencil: Stencil) -> Floats:
    """Return the share of each window's unevenness that the figure, in any light, leaves unexplained, (places,)."""
    energy = np.einsum("pcx,pcx->p", parts, parts)
    seen = parts.transpose(1, 0, 2) @ stencil.columns  # (3, places, FREE + 2)
    told = np.einsum("cpk,cpk->pk", seen, seen)
    left = energy[:, None] - np.stack([told[:, :FREE].sum(axis=1), told[:, FREE:].sum(axis=1)], axis=1)
    return _share(left[:, 0], left[:, 1], parts.shape[2])


def rest_in_light(parts: Floats, stencil: Stencil, gain: Floats, offset: Floats) -> Floats:
    """Return the same in a known light, gain and offset (3,) a channel.

    A window may be in a lamp that the card mirrors: its contrast and brightness, all channels alike, may differ a bit.
    """
    ground = parts @ stencil.columns[0, :, FREE:]
    even = np.einsum("pcx,pcx->p", parts, parts) - np.einsum("pck,pck->p", ground, ground)
    left = _off_ground(parts - (stencil.cover[:, None] * np.minimum(stencil.light * gain + offset, CLIPPED)).T, stencil)
    lamps = np.stack([stencil.cover * (stencil.light * gain).T, np.tile(stencil.cover, (3, 1))])
    own = _off_ground(lamps, stencil).reshape(2, -1)
    normal, pulls = own @ own.T, left.reshape(len(left), -1) @ own.T
    normal = normal * (1 + OWN_LIGHT * np.eye(2, dtype=np.float32)) + 1e-3 * np.eye(2, dtype=np.float32)
    told = (pulls * np.linalg.solve(normal, pulls.T).T).sum(axis=1)
    return _share(np.einsum("pcx,pcx->p", left, left) - told, even, parts.shape[2])


def _off_ground(parts: Floats, stencil: Stencil) -> Floats:
    """Take even ground round the figure out of windows (places, 3, px)."""
    return np.asarray(parts - (parts @ stencil.round) @ stencil.round.T, np.float32)


def _share(with_figure: Floats, even: Floats, px: int) -> Floats:
    noise = np.float32(NOISE**2 * px * 3)
    return np.asarray((with_figure.clip(0) + noise) / (even.clip(0) + noise), dtype=np.float32)


def common_light(seen: Sequence[tuple[Floats, Stencil]], along: Floats) -> tuple[Floats, Floats]:
    """Return gains and offsets (n, 3) a channel in which these n windows (3, px) best show their figures.

    One light for all, its gain and offset drifting with `along` (n,), in -1..1; a drift needs evidence.
    """
    n = len(seen)
    gains, offsets = np.ones((n, 3), dtype=np.float32), np.zeros((n, 3), dtype=np.float32)
    drift = np.stack([np.ones(n), along], axis=1)  # (n, 2)
    for c in range(3):
        normal, target = np.zeros((4, 4)), np.zeros(4)
        for (part, figure), place in zip(seen, drift, strict=True):
            columns = np.stack([figure.cover * figure.light[:, c], figure.cover], axis=1)
            columns = columns - figure.round @ (figure.round.T @ columns)
            terms = np.kron(place[None, :], columns)  # (px, 4): gain, offset, their drifts
            normal += terms.T @ terms
            target += terms.T @ part[c]
        prior = np.diag(np.array(LIGHT_PRIOR) * normal[1, 1]) + 1e-6 * np.eye(4)
        gain, offset, gain_drift, offset_drift = np.linalg.solve(normal + prior, target)
        gains[:, c], offsets[:, c] = gain + gain_drift * along, offset + offset_drift * along
    return gains.clip(5.0, 300.0), offsets
