"""A trial of a deck: each face rendered as a hard camera would see it, to be read back by whoever reads.

The trial is seeded: the same deck gives the same pictures.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from decks.colour import parse
from decks.picture import Image

LOOKS = 12  # renderings of each face
SIDE_PX = (44, 110)  # how wide a face is seen: from a full table in a 1280 px picture to a close one
BLUR_SHARE = (0.006, 0.025)  # σ of the blur, of the face's width: from sharp to a camera that has not focused
JITTER_SHARE = 0.02  # how far a found corner may be from the true one, of the face's width
PASS_SHARE = 0.99
COLOUR_APART = 24.0  # CIELAB distance: nearer colours are one under a yellow lamp


@dataclass(frozen=True)
class Look:
    """One rendering of a face: what it is, and how often it was turned clockwise by 90°."""

    label: str
    image: Image
    quarter_turns: int


@dataclass(frozen=True)
class Confusion:
    """A face that was taken for another (None: for none of the deck's) in this share of its renderings."""

    label: str
    taken_for: str | None
    share: float


def looks(pictures: Mapping[str, tuple[Image, ...]], square: bool, seed: int = 1) -> tuple[Look, ...]:
    """Render every face LOOKS times, its pictures by turns, turned at random (by halves where it is not square)."""
    rng = np.random.default_rng(seed)
    made = []
    for label, several in pictures.items():
        for k in range(LOOKS):
            turns = int(rng.integers(4)) if square else 2 * int(rng.integers(2))
            seen = hard(several[k % len(several)], rng)
            made.append(Look(label, np.asarray(np.rot90(seen, -turns)).copy(), turns))
    return tuple(made)


def hard(face: Image, rng: np.random.Generator) -> Image:
    """Return the face as a camera sees it in hard light: askew, blurred, shaded, tinted, with a gleam and noise."""
    width = int(rng.integers(*SIDE_PX))
    height = max(round(width * face.shape[0] / face.shape[1]), 8)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    found = corners + rng.uniform(-JITTER_SHARE, JITTER_SHARE, (4, 2)).astype(np.float32)
    inside = cv2.resize(face, (width * 2, height * 2), interpolation=cv2.INTER_AREA)
    size = np.array([width, height], np.float32)
    warp = cv2.getPerspectiveTransform(found * size * 2 - 0.5, corners * size - 0.5)
    seen = cv2.warpPerspective(inside, warp, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    light = cv2.GaussianBlur(seen.astype(np.float32), (0, 0), max(width * rng.uniform(*BLUR_SHARE), 0.3)) / 255
    light = light ** rng.uniform(0.75, 1.35) * _shade(width, height, rng)[..., None] * rng.uniform(0.86, 1.1, 3)
    light = light + _gleam(width, height, rng)[..., None]
    light = light + rng.normal(0, rng.uniform(0.005, 0.03), light.shape)
    return np.asarray(np.clip(light * 255, 0, 255), np.uint8)


def confusions(named: Iterable[tuple[str, str | None]]) -> tuple[tuple[Confusion, ...], float]:
    """Return which faces were taken for which, worst first, and the share read right, from (true, read) pairs."""
    pairs = Counter(named)
    total: Counter[str] = Counter()
    for (label, _), number in pairs.items():
        total[label] += number
    wrong = [Confusion(label, read, n / total[label]) for (label, read), n in pairs.items() if read != label]
    right = sum(n for (label, read), n in pairs.items() if read == label)
    return tuple(sorted(wrong, key=lambda c: (-c.share, c.label))), right / max(sum(total.values()), 1)


def close_colours(colours: Mapping[str, str]) -> tuple[tuple[str, str, float], ...]:
    """Return the labels whose colours are too near to tell apart, with their distance in CIELAB."""
    labels = list(colours)
    lab = np.array([_lab(colours[label]) for label in labels]).reshape(-1, 3)
    return tuple(
        (a, b, math.dist(lab[i], lab[j]))
        for i, a in enumerate(labels)
        for j, b in enumerate(labels)
        if i < j and math.dist(lab[i], lab[j]) < COLOUR_APART
    )


def _lab(colour: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    pixel = np.array([[parse(colour)]], np.float32) / 255
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_BGR2LAB)[0, 0], np.float32)


def _shade(width: int, height: int, rng: np.random.Generator) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Return a slope of light across the face, at times the edge of a shadow."""
    angle = rng.uniform(0, 2 * math.pi)
    y, x = np.mgrid[0:height, 0:width]
    along = (x / width - 0.5) * math.cos(angle) + (y / height - 0.5) * math.sin(angle)
    slope = rng.uniform(0.4, 1.1) + rng.uniform(0.0, 0.5) * along
    if rng.random() < 0.3:
        slope = slope * np.where(along > rng.uniform(-0.4, 0.4), 1.0, rng.uniform(0.45, 0.8))
    return np.asarray(slope, np.float32)


def _gleam(width: int, height: int, rng: np.random.Generator) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Return a soft gleam somewhere on the face, on two of five faces."""
    if rng.random() > 0.4:
        return np.zeros((height, width), np.float32)
    y, x = np.mgrid[0:height, 0:width]
    u, v, size = rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0.08, 0.25)
    distance = np.hypot(x / width - u, (y / height - v) * height / width) / size
    return np.asarray(rng.uniform(0.15, 0.6) * np.exp(-(distance**2)), np.float32)
