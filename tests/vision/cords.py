"""Rendered cords for the string tests: twisted, lit from one side, with a soft shadow, over varied tops."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

SIZE = (480, 360)  # width, height
FIELD_BGR, RESEARCH_BGR = (38, 50, 66), (140, 142, 140)
OVERSAMPLE = 3


@dataclass(frozen=True)
class Cord:
    """A cord to render: its centreline (n, 2), px; closed or not; width, px; colour; how far its shadow falls, px."""

    path_px: Floats
    bgr: tuple[int, int, int] = FIELD_BGR
    closed: bool = True
    width_px: float = 5.0
    shadow_px: tuple[float, float] = (1.5, 1.0)


def loop(centre: tuple[float, float], radius: float, wobble: float = 0.12, seed: int = 0, count: int = 500) -> Floats:
    """A wobbly closed loop."""
    rng = np.random.default_rng(seed)
    t = np.arange(count) * 2 * np.pi / count
    phase = rng.uniform(0, 2 * np.pi, 3)
    r = radius * (
        1 + wobble * (np.sin(2 * t + phase[0]) + 0.5 * np.sin(3 * t + phase[1]) + 0.25 * np.sin(5 * t + phase[2]))
    )
    return np.stack([centre[0] + 1.25 * r * np.cos(t), centre[1] + r * np.sin(t)], 1)


def eight(centre: tuple[float, float], radius: float, count: int = 600) -> Floats:
    """A figure of eight: it crosses itself once, at its centre."""
    t = np.arange(count) * 2 * np.pi / count
    return np.stack([centre[0] + 1.6 * radius * np.sin(t), centre[1] + 1.3 * radius * np.sin(t) * np.cos(t)], 1)


def top(kind: str, seed: int = 0) -> Floats:
    """A table top (h, w, 3) 0-255: plain, wood, cloth or speckle, with uneven light."""
    width, height = SIZE
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    base = {"plain": (150, 165, 175), "wood": (110, 150, 185), "cloth": (110, 150, 100), "speckle": (165, 140, 135)}[
        kind
    ]
    texture = np.zeros((height, width))
    if kind == "wood":
        bend = cv2.GaussianBlur(rng.normal(0, 1, (height, width)), (0, 0), 40)
        texture = 0.05 * np.sin(y * 0.55 + 45 * bend / max(float(np.abs(bend).max()), 1e-9))
    elif kind != "plain":
        texture = np.asarray(cv2.GaussianBlur(rng.normal(0, 0.05, (height, width)), (0, 0), 0.8), np.float64)
    light = 1.05 - 0.35 * (x / width - 0.4) ** 2 - 0.3 * (y / height - 0.6) ** 2
    return np.asarray(np.array(base) * (light * (1 + texture))[..., None])


def render(table: Floats, cords: tuple[Cord, ...], seed: int = 0, noise: float = 2.0) -> Image:
    """Lay cords on a table, first at the bottom, and photograph it: blur, noise, 8 bits."""
    size = (table.shape[1] * OVERSAMPLE, table.shape[0] * OVERSAMPLE)
    scene = np.asarray(cv2.resize(table, size, interpolation=cv2.INTER_LINEAR), np.float64)
    for cord in cords:
        scene = _laid(scene, cord)
    scene = np.asarray(cv2.GaussianBlur(scene, (0, 0), 0.6 * OVERSAMPLE), np.float64)
    photo = cv2.resize(scene, SIZE, interpolation=cv2.INTER_AREA)
    photo = photo + np.random.default_rng(seed).normal(0, noise, photo.shape)
    return np.asarray(np.clip(np.rint(photo), 0, 255), np.uint8)


def _laid(scene: Floats, cord: Cord) -> Floats:
    """One cord with its shadow over a scene, oversampled."""
    points = (cord.path_px + 0.5) * OVERSAMPLE - 0.5
    width = cord.width_px * OVERSAMPLE
    shadow = _drawn(scene.shape[:2], points + np.array(cord.shadow_px) * OVERSAMPLE, cord.closed, width)
    shadow = np.asarray(cv2.GaussianBlur(shadow, (0, 0), 0.35 * width), np.float64)
    scene = scene * (1 - 0.4 * shadow)[..., None]
    cover = _drawn(scene.shape[:2], points, cord.closed, width)
    lit = _drawn(scene.shape[:2], points - np.array(cord.shadow_px) * 0.4 * OVERSAMPLE, cord.closed, width * 0.5)
    shade = 0.85 + 0.25 * cv2.GaussianBlur(lit, (0, 0), 0.15 * width)
    y, x = np.mgrid[0 : scene.shape[0], 0 : scene.shape[1]]
    twist = 1 + 0.06 * np.sin((x + 1.3 * y) * 2 * np.pi / (1.4 * width))
    colour = np.array(cord.bgr) * (shade * twist)[..., None]
    return np.asarray(scene * (1 - cover[..., None]) + colour * cover[..., None])


def _drawn(shape: tuple[int, ...], points: Floats, closed: bool, width: float) -> Floats:
    """The path's band (h, w), 0 or 1: every place nearer to it than half the width."""
    canvas = np.full(shape[:2], 255, np.uint8)
    cv2.polylines(canvas, [np.rint(points * 8).astype(np.int32)], closed, 0, 1, cv2.LINE_8, 3)
    return np.asarray(cv2.distanceTransform(canvas, cv2.DIST_L2, 5) <= width / 2, np.float64)


def distance(path: Floats, truth: Floats, closed: bool = True) -> Floats:
    """How far each point of a path (n, 2) lies from a true centreline (m, 2)."""
    following = np.roll(truth, -1, 0) if closed else truth[1:]
    start = truth if closed else truth[:-1]
    along = following - start
    away = path[:, None] - start[None]
    t = np.clip((away * along).sum(2) / np.maximum((along**2).sum(1), 1e-9), 0, 1)
    return np.asarray(np.linalg.norm(away - t[..., None] * along, axis=2).min(1))
