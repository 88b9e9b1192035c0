"""The common light: told from pieces named for sure, it tells colours apart that a lamp confuses."""

from __future__ import annotations

import numpy as np
import pytest

from vision import light
from vision.correlation import SIDE_PX
from vision.crop import Floats


def faces(n: int, seed: int) -> Floats:
    """Make n faces of two even colours each: a rim and an inside."""
    rng = np.random.default_rng(seed)
    made = np.zeros((n, SIDE_PX, SIDE_PX, 3), dtype=np.float32)
    for k in range(n):
        made[k] = rng.uniform(40, 230, 3)
        made[k, 6:-6, 6:-6] = rng.uniform(40, 230, 3)
    return made


def lit(printed: Floats, centres_px: Floats, gain: tuple[float, float, float]) -> Floats:
    """See faces under a coloured lamp that fades to the right."""
    fade = np.exp(-0.4 * centres_px[:, 0] / 1000)
    seen = printed * np.array(gain, dtype=np.float32) * fade[:, None, None, None]
    return np.asarray(seen.clip(0, 255), dtype=np.float32)


CENTRES_PX = np.random.default_rng(0).uniform(0, 1000, (8, 2)).astype(np.float32)


@pytest.mark.parametrize(
    "gain",
    [
        pytest.param((1.0, 1.0, 1.0), id="daylight"),
        pytest.param((0.5, 0.8, 1.0), id="bulb"),
        pytest.param((0.9, 0.6, 0.4), id="blue dusk"),
    ],
)
def test_the_light_tells_which_of_two_hues(gain: tuple[float, float, float]) -> None:
    printed = faces(8, 1)
    seen = light.swatches(lit(printed, CENTRES_PX, gain))
    common = light.common(seen[:7], light.swatches(printed)[:7], CENTRES_PX[:7])
    assert common is not None
    as_lit = lit(printed[7:], CENTRES_PX[7:] * 0, gain)  # a face printed in the colours the lamp gives the other
    told = common.evidence(seen[7:8], light.swatches(np.concatenate([printed[7:], as_lit * 0.6])), CENTRES_PX[7:8])[0]
    assert told[0] > -1.0
    assert told[0] > told[1] + 1.0


def test_a_wrongly_named_piece_does_not_bend_the_light() -> None:
    printed = faces(8, 2)
    seen = light.swatches(lit(printed, CENTRES_PX, (0.6, 0.8, 1.0)))
    names = light.swatches(printed)
    names[3] = names[5]
    common = light.common(seen, names, CENTRES_PX)
    assert common is not None
    assert common.evidence(seen[3:4], light.swatches(printed[3:4]), CENTRES_PX[3:4])[0, 0] > -1.5


@pytest.mark.parametrize("n", [0, 1, light.FEWEST - 1])
def test_too_few_pieces_tell_no_light(n: int) -> None:
    printed = faces(max(n, 1), 3)[:n]
    swatches = light.swatches(printed) if n else np.zeros((0, 2, 3), np.float32)
    assert light.common(swatches, swatches, CENTRES_PX[:n]) is None


def test_evidence_is_bounded() -> None:
    printed = faces(8, 4)
    swatches = light.swatches(printed)
    common = light.common(swatches, swatches, CENTRES_PX)
    assert common is not None
    told = common.evidence(swatches[:1], swatches, CENTRES_PX[:1])[0]
    assert float(told.max()) <= 0
    assert float(told.min()) >= -light.MOST


def test_colours_tell_less_where_references_were_photographed_in_several_lights() -> None:
    rng = np.random.default_rng(5)
    centres_px = rng.uniform(0, 1000, (16, 2)).astype(np.float32)
    printed = faces(16, 5)
    seen = light.swatches(lit(printed, centres_px, (0.8, 0.9, 1.0)))
    dim = printed.copy()
    dim[12:] = printed[12:] * np.array((0.25, 0.45, 0.5), np.float32)  # enrolled under another lamp
    names = light.swatches(dim)
    common = light.common(seen[:15], names[:15], centres_px[:15])
    assert common is not None
    told = common.evidence(seen[15:], names, centres_px[15:])[0]
    assert told[15] > -light.MOST / 2  # of the other lamp's too: it is no more than rare
    plain = light.common(seen[:15], light.swatches(printed)[:15], centres_px[:15])
    assert plain is not None
    assert plain.most == light.MOST
