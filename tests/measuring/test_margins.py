"""The margins' measure: what it counts."""

from __future__ import annotations

import pytest

from decks.deck import find
from measuring.margins import Compared, truth
from scoring.geometry import Margin
from synth.scene import scene


@pytest.mark.parametrize(
    ("read", "true", "within", "silent"),
    [
        (Margin(1.0, 0.3, 3.3), Margin(1.5), True, False),
        (Margin(1.0, 0.2, 5.0), Margin(1.5), False, False),
        (Margin(0.5, 0.3, 1.7), Margin(-0.1), True, False),
        (Margin(1.0, 0.3, 3.3), Margin(-0.1), False, True),
        (Margin(-1.0, 0.3, -3.3), Margin(0.4), False, True),
    ],
    ids=["within", "beyond", "doubted", "silent gap", "silent touch"],
)
def test_a_margin_is_within_its_doubt_or_silent(read: Margin, true: Margin, within: bool, silent: bool) -> None:
    pair = Compared(read, true)
    assert (pair.within, pair.silent) == (within, silent)


def test_every_tile_has_a_true_margin() -> None:
    laid = scene(505, "string-safari", find(None, "string-safari"))
    margins = truth(laid.table)
    assert set(margins) == {p.id for p in laid.table.pieces if p.kind == "tile"}
    assert all(margin.sigma_mm == 0 for margin in margins.values())
