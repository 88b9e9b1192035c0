"""An evening: one camera, one light, tables that follow each other; and its film."""

from __future__ import annotations

import itertools
from pathlib import Path

import cv2
import numpy as np

from decks.deck import find
from synth import evening
from synth.render import Manner

SMALL = Manner(640, 360, most_tilt_deg=15.0, harsh=0.1, mess=0.0)


def test_only_what_was_touched_looks_other_than_before() -> None:
    deck = find(None, "kleine-fotosafari")
    swapped = [*evening.RING[:3], *evening.RING[4:2:-1], *evening.RING[5:]]
    before, after = evening.pictured([evening.foto(deck), evening.foto(deck, swapped)], deck, 1, SMALL)
    differs = np.abs(before.astype(int) - after).max(2) > 0
    assert 0.005 < differs.mean() < 0.06  # two of thirteen cards, and the compression's blocks around them


def test_a_film_is_still_but_for_noise_and_the_arm(tmp_path: Path) -> None:
    deck = find(None, "paper-safari")
    laid = evening.paper(deck, [[["fox"] * 6, ["lion"] * 6], [["fox"] * 6, ["lion"] * 5 + ["zebra"]]])
    shown = evening.pictured(laid, deck, 1, SMALL)
    capture = cv2.VideoCapture(str(evening.film(tmp_path / "film.avi", shown, 0.4, 0.4)))
    frames = []
    while (got := capture.read())[0]:
        frames.append(got[1].astype(int))
    capture.release()
    assert len(frames) == 18
    moved = [float((np.abs(a - b).max(2) > 40).mean()) for a, b in itertools.pairwise(frames)]
    assert max(moved[:5] + moved[12:]) < 0.001 < min(moved[5:12])
