"""Pictures for faces and table tops: a folder of clip art with alpha, or shapes drawn here where there is none."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from synth.textures import Rng, colour

Cutout = npt.NDArray[np.uint8]
"""BGRA, uint8, (height, width, 4)."""

CLIP_ART = Path("/usr/share/openclipart/png")  # where Debian's openclipart-png lays its pictures
HELD_OUT = ("food", "transportation", "plants", "tools", "electronics")
"""Folders whose pictures are for validation alone."""
NEVER = ("emot", "smil", "emoji", "face_")
"""Parts of names that are left out: emoticons are kept for measuring."""
CARDS = "cards"  # the folder of pictures of whole playing cards
LONGEST_PX = 160  # a picture is kept at most this long: faces are rarely larger in a training picture
MOST_PX = 3_000_000  # a few are posters that take seconds to read
POOL = 300  # pictures in memory at once
RENEWAL = 0.1  # the share of draws that read a new picture from disk


def paths(folder: Path = CLIP_ART, *, held_out: bool = False) -> list[Path]:
    """List the folder's png files of one split, sorted; emoticons are left out."""
    found = sorted(p for p in folder.rglob("*.png") if not any(part in p.name.lower() for part in NEVER))
    return [p for p in found if (p.relative_to(folder).parts[0] in HELD_OUT) == held_out]


class Pictures:
    """A pool of cut-out pictures that renews itself as it is drawn from."""

    def __init__(self, files: Iterable[Path] = ()) -> None:
        """Keep the list of files; an empty list draws procedural shapes alone."""
        found = list(files)
        self._cards = [p for p in found if CARDS in p.parts]
        self._files = [p for p in found if CARDS not in p.parts]
        self._pool: list[Cutout] = []

    def playing_card(self, rng: Rng) -> Cutout | None:
        """Draw the picture of a whole playing card, for faces alone; None where there is none."""
        return _read(self._cards[rng.integers(len(self._cards))]) if self._cards else None

    def draw(self, rng: Rng) -> Cutout:
        """Draw one picture, BGRA, at most LONGEST_PX long."""
        if not self._files or rng.random() < 0.1:
            return blob(rng)
        if len(self._pool) < POOL or rng.random() < RENEWAL:
            fresh = _read(self._files[rng.integers(len(self._files))])
            if fresh is None:
                return blob(rng)
            if len(self._pool) < POOL:
                self._pool.append(fresh)
            else:
                self._pool[rng.integers(POOL)] = fresh
            return fresh
        return self._pool[rng.integers(len(self._pool))]


def _read(path: Path) -> Cutout | None:
    """Read a png as BGRA, shrunk; None where it is unreadable, tiny or too large to be worth the time."""
    with path.open("rb") as file:
        header = file.read(24)  # a png's width and height stand at bytes 16 and 20
    if int.from_bytes(header[16:20], "big") * int.from_bytes(header[20:24], "big") > MOST_PX:
        return None
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.dtype != np.uint8 or min(picture.shape[:2]) < 8:
        return None
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGRA)
    elif picture.shape[2] == 3:
        picture = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
    scale = LONGEST_PX / max(picture.shape[:2])
    if scale < 1:
        size = max(4, round(picture.shape[1] * scale)), max(4, round(picture.shape[0] * scale))
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(picture)


def blob(rng: Rng, side: int = 96) -> Cutout:
    """Draw an iconic shape: a polygon, star, ring, heart-like or leaf-like curve in one or two colours."""
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    lobes, depth = rng.integers(2, 9), rng.uniform(0, 0.6)
    radius = 1 - depth * (0.5 + 0.5 * np.cos(lobes * turn)) ** rng.uniform(0.4, 3)
    if rng.random() < 0.3:
        corners = rng.integers(3, 8)
        radius = np.cos(np.pi / corners) / np.cos((turn % (2 * np.pi / corners)) - np.pi / corners)
    stretch = rng.uniform(0.5, 1)
    points = np.stack([np.cos(turn) * radius * stretch, np.sin(turn) * radius], 1) * side * 0.48 + side / 2
    picture = np.zeros((side, side, 4), np.uint8)
    outline = points.round().astype(np.int32)
    cv2.fillPoly(picture, [outline], (*colour(rng, saturation=(0, 1), value=(0, 1)).tolist(), 255), cv2.LINE_AA)
    inner = ((points - side / 2) * rng.uniform(0.2, 0.8) + side / 2).round().astype(np.int32)
    if rng.random() < 0.6:
        cv2.fillPoly(picture, [inner], (*colour(rng, saturation=(0, 1), value=(0, 1)).tolist(), 255), cv2.LINE_AA)
    if rng.random() < 0.4:
        cv2.polylines(picture, [outline], True, (0, 0, 0, 255), int(rng.integers(1, 5)), cv2.LINE_AA)
    return picture


def paste(image: npt.NDArray[np.uint8], cutout: Cutout, centre: tuple[float, float], size: tuple[float, float]) -> None:
    """Lay a cut-out into a picture that is being drawn (in place), stretched to `size`, clipped at the edges."""
    width, height = max(2, round(size[0])), max(2, round(size[1]))
    shrink = width * height < cutout.shape[0] * cutout.shape[1]
    patch = cv2.resize(cutout, (width, height), interpolation=cv2.INTER_AREA if shrink else cv2.INTER_LINEAR)
    x0, y0 = round(centre[0] - width / 2), round(centre[1] - height / 2)
    ax, ay = max(0, x0), max(0, y0)
    bx, by = min(image.shape[1], x0 + width), min(image.shape[0], y0 + height)
    if ax >= bx or ay >= by:
        return
    patch = patch[ay - y0 : by - y0, ax - x0 : bx - x0]
    alpha = patch[..., 3:].astype(np.float32) / 255
    under = image[ay:by, ax:bx]
    image[ay:by, ax:bx] = (under + (patch[..., :3].astype(np.float32) - under) * alpha).astype(np.uint8)
