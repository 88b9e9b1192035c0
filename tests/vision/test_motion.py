"""Moving, settling, still; what counts as a change, and what only looks like one."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
import pytest

from vision.motion import COVER_S, STILL_S, Image, Motion, Stillness

RATE = 15.0
SIZE = (720, 1280)
NOISE = [np.random.default_rng(seed).normal(0, 6, (*SIZE, 3)).astype(np.int16) for seed in range(3)]


def table() -> Image:
    """Return a wooden table with cards, (720, 1280, 3)."""
    return _table().copy()


@lru_cache(maxsize=1)
def _table(seed: int = 0) -> Image:
    rng = np.random.default_rng(seed)
    wood = cv2.GaussianBlur(rng.normal(0, 30, (*SIZE, 3)), (0, 0), 8) * 3 + (90, 140, 180)
    picture = np.clip(wood, 0, 255).astype(np.uint8)
    for x in range(200, 1100, 180):
        cv2.rectangle(picture, (x, 250), (x + 110, 400), (230, 235, 240), -1)
        cv2.circle(picture, (x + 55, 325), 40, (40, 90, 200), -1)
    return np.asarray(picture, np.uint8)


def noisy(picture: Image, seed: int) -> Image:
    """Return the picture as a webcam in poor light sees it."""
    return np.asarray(cv2.add(picture, NOISE[seed % len(NOISE)][:, : picture.shape[1]], dtype=cv2.CV_8U), np.uint8)


def watch(stillness: Stillness, picture: Image, seconds: float, start: float, noise: bool = True) -> Motion:
    """Show a picture for a while and return the last word on it."""
    motion = stillness.look(picture, start)
    for k in range(1, int(seconds * RATE)):
        motion = stillness.look(noisy(picture, k) if noise else picture, start + k / RATE)
    return motion


def arm(picture: Image) -> Image:
    """Lay an arm over the table from its lower border."""
    covered = picture.copy()
    cv2.line(covered, (700, 760), (620, 300), (120, 150, 200), 130)
    return np.asarray(covered, np.uint8)


def with_cube(picture: Image) -> Image:
    """Put a 22 px marker cube on a tile."""
    return np.asarray(cv2.rectangle(picture.copy(), (440, 300), (462, 322), (40, 30, 200), -1), np.uint8)


def brighter(picture: Image) -> Image:
    """Change the exposure."""
    return np.asarray(np.clip(picture * 1.18, 0, 255), np.uint8)


def a_cloud(picture: Image) -> Image:
    """Darken one side softly, as a cloud before the window does."""
    shade = np.linspace(0.93, 1.0, picture.shape[1])[None, :, None]
    return np.asarray(np.clip(picture * shade, 0, 255), np.uint8)


def grainy(picture: Image) -> Image:
    """Add the grain of a poor webcam in the evening."""
    return np.asarray(cv2.add(picture, 3 * NOISE[1][::-1], dtype=cv2.CV_8U), np.uint8)


def test_a_first_frame_is_no_change() -> None:
    assert Stillness().look(table(), 0.0) == Motion("settling", False)


def test_a_table_at_rest_is_read_once() -> None:
    stillness = Stillness()
    assert watch(stillness, table(), 1.0, 0.0) == Motion("still", True)
    stillness.mark_read(table())
    assert watch(stillness, table(), 1.0, 1.0) == Motion("still", False)
    stillness.forget()
    assert watch(stillness, table(), 1.0, 2.0).changed


@pytest.mark.parametrize(
    ("alter", "expected"),
    [(with_cube, True), (brighter, False), (a_cloud, False), (lambda picture: picture, False), (grainy, False)],
    ids=["a marker cube", "exposure", "a cloud", "nothing", "grain"],
)
def test_only_what_lies_differently_is_a_change(alter: Callable[[Image], Image], expected: bool) -> None:
    stillness = Stillness()
    watch(stillness, table(), 1.0, 0.0)
    stillness.mark_read(table())
    motion = watch(stillness, alter(table()), 1.0, 1.0)
    assert (motion.state, motion.changed) == ("still", expected)


def test_a_hand_is_motion_and_what_follows_takes_a_moment() -> None:
    stillness = Stillness()
    watch(stillness, table(), 1.0, 0.0)
    assert stillness.look(arm(table()), 1.1).state == "moving"
    assert stillness.look(with_cube(table()), 1.2).state == "moving"
    assert stillness.look(with_cube(table()), 1.25).state == "settling"
    assert stillness.look(with_cube(table()), 1.25 + STILL_S + 0.01).state == "still"


def test_a_slow_hand_is_never_still() -> None:
    stillness = Stillness()
    watch(stillness, table(), 1.0, 0.0)
    states = set()
    for k in range(45):
        picture = cv2.circle(table(), (300 + 3 * k, 560), 60, (120, 150, 200), -1)
        states.add(stillness.look(np.asarray(picture, np.uint8), 1.0 + k / RATE).changed)
    assert states == {False}


def test_an_arm_at_rest_is_not_read_until_it_has_stayed() -> None:
    stillness = Stillness()
    watch(stillness, table(), 1.0, 0.0)
    stillness.mark_read(table())
    resting = watch(stillness, arm(table()), 2.0, 1.0, noise=False)
    assert (resting.state, resting.changed, resting.covered) == ("still", False, True)
    assert watch(stillness, arm(table()), COVER_S + 0.5, 3.0, noise=False).changed


def test_another_size_begins_anew() -> None:
    stillness = Stillness()
    watch(stillness, table(), 1.0, 0.0)
    stillness.mark_read(table())
    half = np.ascontiguousarray(table()[:, :960])
    assert stillness.look(half, 1.0).state == "settling"
    assert watch(stillness, half, 1.0, 1.1).changed


def test_another_table_altogether_is_a_change() -> None:
    stillness = Stillness()
    watch(stillness, table(), 1.0, 0.0)
    stillness.mark_read(table())
    other = np.asarray(np.roll(_table(1)[::-1], 90, axis=1), np.uint8)
    assert stillness.look(other, 1.0).state == "moving"
    assert watch(stillness, other, 1.0, 1.1).changed


def test_the_first_frame_without_the_hand_is_worth_reading() -> None:
    stillness = Stillness()
    watch(stillness, table(), 1.0, 0.0)
    stillness.mark_read(table())
    assert not stillness.look(arm(table()), 1.1).likely
    assert not stillness.look(np.roll(arm(table()), 9, axis=1), 1.17).likely
    assert not stillness.look(table(), 1.24).likely  # nothing was laid
    assert not stillness.look(arm(with_cube(table())), 1.31).likely
    gone = stillness.look(with_cube(table()), 1.38)
    assert (gone.state, gone.likely) == ("moving", True)
    assert stillness.shows(noisy(with_cube(table()), 1))
    assert not stillness.shows(table())
    assert not stillness.shows(table()[::2, ::4])
