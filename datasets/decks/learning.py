"""Colours learnt from examples: a marker's from its own face, a string's from a picture of it alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from decks.colour import is_colour, parse
from decks.error import DeckError
from decks.picture import Image

Mask = npt.NDArray[np.bool_]

INSIDE = 0.25  # of a marker's face, left out on every side
PAINT, WHITE = 225.0, 250.0  # how bright the brightest channel of the brightest marker is in good light, and of paper
BRIGHTEST = 0.99  # share of a photograph that is darker than what is taken for its brightest thing
SMALL_PX = 480  # a string picture's longer side when it is looked at
WIDE_SHARE = 0.03  # of that side: what is wider is no string
APART = 8.0  # CIELAB: how far a string's colour is from the table's
LEAST_PX = 150  # a string covers at least so much of the small picture
LEAST_SHARE = 0.3  # of that side: a string that lies in view reaches so far


def marker_colours(faces: Sequence[Image], photographs: Sequence[Image]) -> list[str]:
    """Return the colour of each marker's face as "#rrggbb": the median of its inside, in good light.

    A dark photograph shows all colours dark. So all are brightened alike, until the brightest of the markers is as
    bright as paint can be, but nothing in the photographs brighter than white paper.
    """
    seen = [np.median(_inside(face), axis=0) for face in faces]
    brightest = max((float(np.quantile(picture.max(axis=2), BRIGHTEST)) for picture in photographs), default=WHITE)
    gain = min(PAINT / max(float(np.max(seen)), 1.0), WHITE / max(brightest, 1.0))
    return [_written(np.minimum(colour * gain, 255)) for colour in seen]


def misnamed(learnt: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the labels that are colours, yet whose learnt colour is nearer to another such label; with that one."""
    lab = {label: _lab(label) for label in learnt if is_colour(label)}
    nearest = {label: min(lab, key=lambda name: math.dist(lab[name], _lab(learnt[label]))) for label in lab}
    return [(label, other) for label, other in nearest.items() if other != label]


def _lab(colour: str) -> tuple[float, ...]:
    return tuple(cv2.cvtColor(np.array([[parse(colour)]], np.float32) / 255, cv2.COLOR_BGR2LAB)[0, 0].tolist())


def _inside(face: Image) -> Image:
    height, width = face.shape[:2]
    y, x = int(height * INSIDE), int(width * INSIDE)
    return np.asarray(face[y : height - y, x : width - x].reshape(-1, 3), np.uint8)


def string_colour(image: Image) -> str:
    """Return the colour of the one string in a picture as "#rrggbb"; DeckError where there is none to be seen.

    The table is what is left when thin things are smoothed away; of thin things that lie wholly in view the string
    reaches farthest: a table's joints run out of the picture.
    """
    scale = SMALL_PX / max(image.shape[:2])
    small = cv2.resize(image, None, fx=min(scale, 1.0), fy=min(scale, 1.0), interpolation=cv2.INTER_AREA)
    reach = round(max(small.shape[:2]) * WIDE_SHARE) * 2 + 1
    table = cv2.medianBlur(small, reach)
    lab, lab_table = (cv2.cvtColor(i.astype(np.float32) / 255, cv2.COLOR_BGR2LAB) for i in (small, table))
    apart = np.linalg.norm(cv2.GaussianBlur(lab - lab_table, (0, 0), 0.8), axis=2)
    thin = apart > max(APART, 4 * float(np.median(apart)))
    own = max(_whole(thin), key=_reach_px, default=None)
    if own is None or _reach_px(own) < LEAST_SHARE * max(small.shape[:2]):
        raise DeckError(
            "no string is to be seen: lay it alone on a plain table of another colour, wholly in view, in even light"
        )
    own &= apart > np.percentile(apart[own], 50)
    return _written(np.median(small[own].reshape(-1, 3), axis=0))


def _whole(thin: Mask) -> list[Mask]:
    """Return the connected parts of a mask (h, w) that touch no edge of the picture."""
    closed = cv2.morphologyEx(thin.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, marks, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    height, width = thin.shape
    parts = []
    for k in range(1, count):
        x, y, wide, tall, area = stats[k]
        if x > 0 and y > 0 and x + wide < width and y + tall < height and area >= LEAST_PX:
            parts.append((marks == k) & thin)
    return parts


def _reach_px(part: Mask) -> int:
    ys, xs = np.nonzero(part)
    return int(max(np.ptp(xs), np.ptp(ys))) if len(xs) else 0


def _written(bgr: np.ndarray[tuple[int, ...], np.dtype[np.floating]]) -> str:
    blue, green, red = (round(float(value)) for value in bgr)
    return f"#{red:02x}{green:02x}{blue:02x}"
