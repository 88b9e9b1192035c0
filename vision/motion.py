"""Whether a hand is over the table, the table is settling, or it lies still; and whether it has changed since.

Works on a picture shrunk to about 160 px, so an idle table costs next to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.ranks import median

Image = npt.NDArray[np.uint8]
Small = npt.NDArray[np.float32]
"""A shrunk picture, (h, WIDTH_PX, 3)."""
State = Literal["moving", "settling", "still"]

WIDTH_PX = 160  # a card of a table that fills the picture is then still 8 px wide
NOISE_LEVELS = 9.0  # of 255: a webcam's noise after shrinking is under 3; a hand differs from wood by 30 and more
RELATIVE = 0.13  # of a pixel's own level: exposure clips what is bright, so it cannot follow the mean
SIGMAS = 5.0  # of that noise: beyond it is no chance in 14,400 pixels
MOST_NOISE_LEVELS = 30.0  # a webcam by candle light: what differs by more in most places is another table, no noise
MOVING_SHARE = 0.0005  # of the picture: seven pixels of the small one, a finger tip
STILL_S = 0.22  # so long without motion is still: a slow hand has moved on by then
CHANGED_SHARE = 0.00025  # a marker cube put down changes about four pixels
BLUR_PX = 0.7
COVER_SHARE = 0.02  # of the picture: a forearm fills 4 % and more, a card laid at the border less
BUMPED_SHARE = 0.6  # so much changes only when the camera was moved
COVER_S = 4.0  # what lies there so long is no arm: the table is read as it is


@dataclass(frozen=True, slots=True)
class Motion:
    """What the newest frame says.

    `changed`: still, and other than what was last read. `covered`: an arm lies over it, so it is not to be read yet.
    `likely`: not still yet, but no hand is seen any more: worth beginning to read.
    """

    state: State
    changed: bool
    covered: bool = False
    likely: bool = False


class Stillness:
    """Follows frames and says when a table is worth reading."""

    def __init__(self) -> None:
        self._last: Small | None = None
        self._read: Small | None = None
        self._anchor: Small | None = None
        self._still_since: float | None = None
        self._last_s = 0.0

    def look(self, image: Image, at_s: float) -> Motion:
        """Take a frame, (height, width, 3) at `at_s` of any clock, and say how the table lies."""
        now = small(image)
        last, self._last = self._last, now
        last_s, self._last_s = self._last_s, at_s
        if last is None or last.shape != now.shape:
            self._still_since, self._anchor = None, None
            if self._read is not None and self._read.shape != now.shape:
                self._read = None  # another camera or size: nothing to compare with
            return Motion("settling", False)
        share = max(difference(last, now), self._drift(now))
        if share > MOVING_SHARE:
            self._still_since, self._anchor = None, None
            return Motion("moving", False, likely=self._cleared(now))
        if self._still_since is None or self._anchor is None:
            self._still_since, self._anchor = last_s, last  # it has not moved since
        still_s = at_s - self._still_since
        if still_s < STILL_S:
            differs = self._read is not None and self._still(now, still_s).changed
            return Motion("settling", False, likely=differs)
        return self._still(now, still_s)

    def _drift(self, now: Small) -> float:
        """Return how much differs from where stillness began: a slow hand moves little from frame to frame."""
        return 0.0 if self._anchor is None else difference(self._anchor, now)

    def _still(self, now: Small, still_s: float) -> Motion:
        if self._read is None:
            return Motion("still", True)
        if difference(self._read, now) <= CHANGED_SHARE:
            return Motion("still", False)
        arm = still_s < COVER_S and covered(self._read, now)
        return Motion("still", not arm, arm)

    def _cleared(self, now: Small) -> bool:
        """Whether it differs from what was read, and nothing of that reaches in from the border: no hand any more."""
        if self._read is None or difference(self._read, now) <= CHANGED_SHARE:
            return False
        return not any(share > CHANGED_SHARE for share in reaching_in(self._read, now))

    def shows(self, image: Image) -> bool:
        """Whether the newest frame shows what this picture does."""
        picture, last = small(image), self._last
        return last is not None and last.shape == picture.shape and difference(last, picture) <= CHANGED_SHARE

    def mark_read(self, image: Image) -> None:
        """Remember the picture that was read; only what differs from it is a change."""
        self._read = small(image)

    def forget(self) -> None:
        """Forget what was read: the next still picture counts as changed."""
        self._read = None


def small(image: Image, width_px: int = WIDTH_PX) -> Small:
    """Shrink a picture to a width, (h, w, 3) float32, with its mean light divided out."""
    height, width = image.shape[:2]
    size = (width_px, max(1, round(width_px * height / width)))
    step = max(1, width // (3 * width_px))  # a share of the rows is enough; rows are left out without a copy
    shrunk = cv2.resize(image[::step], size, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(shrunk, (0, 0), BLUR_PX).astype(np.float32)
    return np.asarray(soft * (128.0 / (float(soft.mean()) + 1.0)), np.float32)  # so that auto exposure is no motion


def difference(one: Small, other: Small) -> float:
    """Return the share of the picture that differs by more than noise and than the light around it."""
    if float(cv2.absdiff(one, other).max()) <= NOISE_LEVELS:  # a table at rest: nothing else need be worked out
        return 0.0
    return float(changed(one, other).mean())


def changed(one: Small, other: Small) -> npt.NDArray[np.bool_]:
    """Return where two small pictures differ by more than noise, and not by light that changed alike around."""
    delta = np.asarray(cv2.absdiff(one, other), np.float32)
    common = SIGMAS * 1.48 * float(median(delta))  # most of a table is at rest: it shows the noise
    noise = min(max(NOISE_LEVELS, common), MOST_NOISE_LEVELS)
    excess = _most(delta - np.maximum(noise, RELATIVE * np.maximum(one, other)))
    wide = cv2.blur(_most(delta), (31, 31))  # a cloud or lamp changes wide areas alike: take that away
    return np.asarray(excess > np.minimum(wide, 2 * noise))


def _most(values: cv2.typing.MatLike) -> Small:
    """Return the greatest of three channels (h, w, 3): by NumPy's own way it takes twenty times as long."""
    return np.asarray(np.maximum(np.maximum(values[..., 0], values[..., 1]), values[..., 2]), np.float32)


def covered(one: Small, other: Small) -> bool:
    """Return whether something large and new reaches in from the picture's border, as an arm does."""
    return any(COVER_SHARE < share < BUMPED_SHARE for share in reaching_in(one, other))


def reaching_in(one: Small, other: Small) -> list[float]:
    """Return the shares of the picture of all that is new and touches its border."""
    delta = _most(cv2.absdiff(one, other)) > 2 * NOISE_LEVELS
    count, labels, stats, _ = cv2.connectedComponentsWithStats(delta.astype(np.uint8), connectivity=8)
    rim = {*np.unique(labels[[0, -1], :]).tolist(), *np.unique(labels[:, [0, -1]]).tolist()} - {0}
    return [float(stats[i, cv2.CC_STAT_AREA]) / delta.size for i in range(1, count) if i in rim]
