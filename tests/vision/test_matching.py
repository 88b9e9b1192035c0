"""What is searched for is found where a face bears it out: how well it lies there, and how surely it is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest

from decks.deck import find
from vision.matching import Laid, Matcher, unproven
from vision.plane import Plane
from vision.recogniser import Naming, Recogniser
from vision.registration import Registration, Way

Floats = npt.NDArray[np.float64]
PLANE = Plane(640, 480, (0.0, 0.0), 600.0, 640.0)
QUAD = np.array([[[200.0, 200.0], [260.0, 200.0], [260.0, 260.0], [200.0, 260.0]]])


@dataclass(frozen=True)
class Told(Matcher):
    """Names every quad a lion, `named` so surely, and lays the lion onto it `alike` so well."""

    sure: float = 1.0
    alike: float = 1.0

    def snapped(self, plane: Plane, quads_px: Floats) -> Floats:
        return quads_px

    def named(
        self, quads_px: Floats, *, thorough: bool = True, known: Mapping[int, Naming] | None = None
    ) -> tuple[list[Naming], Floats]:
        return [Naming((("lion", self.sure), (None, 1 - self.sure)), 0, 0.0, 1.0) for _ in quads_px], quads_px

    def laid(self, quads_px: Floats, namings: Sequence[Naming], way: Way = "rough") -> Laid:
        return [Registration(quad, self.alike) for quad in quads_px]


@pytest.mark.parametrize(
    ("alike", "sure", "marked", "there", "found"),
    [
        pytest.param(0.8, 0.9, False, False, True, id="laid on well"),
        pytest.param(0.8, 0.7, False, False, False, id="laid on well, hardly named"),
        pytest.param(0.66, 0.9998, False, False, False, id="laid on badly: half a photo card and the table"),
        pytest.param(0.66, 0.9998, True, False, True, id="laid on badly: a cube may lie on it"),
        pytest.param(0.66, 0.9, True, False, False, id="laid on badly and not named for sure, for all a cube"),
        pytest.param(0.66, 0.9, False, True, True, id="laid on badly, but a piece lies there"),
        pytest.param(0.55, 0.9998, True, True, False, id="not laid on"),
    ],
)
def test_a_face_is_found_where_it_lies_beyond_doubt(
    alike: float, sure: float, marked: bool, there: bool, found: bool
) -> None:
    eyes = Recogniser(find(None, "kleine-fotosafari"))
    matcher = Told(np.zeros((480, 640, 3), np.uint8), (60.0, 60.0), 0.0, eyes, {}, "faces", marked, sure, alike)
    laid, _ = matcher.searched(PLANE, QUAD, there=there)
    assert (laid[0] is not None) is found


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param((("lion", 0.996), (None, 0.004)), ((None, 0.502), ("lion", 0.498)), id="named for sure"),
        pytest.param((("lion", 1.0),), ((None, 0.5), ("lion", 0.5)), id="named beyond doubt"),
        pytest.param(((None, 0.9), ("lion", 0.1)), ((None, 0.95), ("lion", 0.05)), id="hardly named"),
    ],
)
def test_what_could_not_be_laid_on_may_be_none_of_the_deck(
    before: tuple[tuple[str | None, float], ...], after: tuple[tuple[str | None, float], ...]
) -> None:
    told = unproven(Naming(before, 0, 0.0, 1.0)).candidates
    assert [label for label, _ in told] == [label for label, _ in after]
    assert [p for _, p in told] == pytest.approx([p for _, p in after])
    assert sum(p for _, p in told) == pytest.approx(1)
