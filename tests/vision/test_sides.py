"""A card's sides are told from the table, whatever its grain; a patch of that grain is not."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from synth.pictures import Pictures
from synth.tabletops import boards, carpet, wood
from vision import sides

Image = npt.NDArray[np.uint8]
TOPS = {"wood": wood, "boards": boards, "carpet": carpet}
QUAD = np.array([[150.0, 120.0], [260.0, 130.0], [250.0, 290.0], [140.0, 280.0]])


def top(name: str, seed: int) -> Image:
    return np.asarray(TOPS[name](np.random.default_rng(seed), Pictures(()), 480), np.uint8)


@pytest.mark.parametrize("name", TOPS)
@pytest.mark.parametrize("seed", range(4))
def test_a_card_differs_from_the_table_along_all_its_sides(name: str, seed: int) -> None:
    image = top(name, seed)
    away = int(image.mean() + 128) % 256
    cv2.fillConvexPoly(image, np.rint(QUAD).astype(np.int32), (away, away, away))
    (card,), (seen,) = sides.told(image, QUAD[None])
    assert card.all()
    assert seen.all()


@pytest.mark.parametrize("name", TOPS)
def test_few_patches_of_a_table_have_two_sides_that_differ(name: str) -> None:
    patches = QUAD + np.random.default_rng(0).uniform(-100, 100, (40, 1, 2))
    passed = [(sides.told(top(name, seed), patches)[0].sum(1) >= 2).mean() for seed in range(6)]
    assert np.mean(passed) < 0.25


@pytest.mark.parametrize(
    ("move", "in_view"),
    [((0, 0), [1, 1, 1, 1]), ((0, -135), [0, 1, 1, 1]), ((-250, 0), [0, 1, 0, 0]), ((-600, 0), [0, 0, 0, 0])],
    ids=["inside", "over the top", "over the left", "outside"],
)
def test_what_is_out_of_view_tells_nothing(move: tuple[int, int], in_view: list[int]) -> None:
    told, seen = sides.told(top("wood", 0), QUAD[None] + np.array(move))
    assert seen[0].tolist() == [bool(k) for k in in_view]
    assert not (told & ~seen).any()


def test_no_quads_no_sides() -> None:
    told, seen = sides.told(top("wood", 0), np.zeros((0, 4, 2)))
    assert told.shape == seen.shape == (0, 4)
