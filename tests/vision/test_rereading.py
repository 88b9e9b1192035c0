"""A known table, read again where it has changed, comes to the same as reading all of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from decks.deck import find
from synth import evening
from synth.render import Manner, picture
from synth.scene import Scene, scene
from vision.reader import Image, Reading, read
from vision.recogniser import Recogniser
from vision.rereading import Known, changed, reread
from vision.strings.nearness import nearest_distance

MANNER = Manner(width=1280, height=720, most_tilt_deg=25.0, harsh=0.2, mess=0.0)
SEED = 6
NEAR_PX = 3.0
STRING_NEAR_PX = 0.75


def noisy(image: Image, seed: int) -> Image:
    """Return the picture with a sensor's noise."""
    noise = np.random.default_rng(seed).normal(0, 2.0, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def exchanged(made: Scene) -> Scene:
    """Return the scene with two cards of unlike faces in each other's place."""
    pieces = list(made.table.pieces)
    first = next(k for k, p in enumerate(pieces) if p.label not in (None, "back"))
    other = next(k for k, p in enumerate(pieces) if p.label not in (None, "back", pieces[first].label))
    pieces[first], pieces[other] = (
        replace(pieces[first], label=pieces[other].label), replace(pieces[other], label=pieces[first].label),
    )  # fmt: skip
    return replace(made, table=replace(made.table, pieces=tuple(pieces)))


def named(reading: Reading) -> list[tuple[str, str]]:
    """Return what lies there."""
    return sorted((piece.kind, str(piece.label)) for piece in reading.table.pieces)


def test_two_exchanged_cards_are_read_again_and_the_rest_is_kept() -> None:
    deck = find(None, "paper-safari")
    recogniser = Recogniser(deck)
    made = scene(SEED, "paper-safari", deck)
    before = noisy(picture(made, deck, SEED, MANNER)[0], 1)
    after = noisy(picture(exchanged(made), deck, SEED, MANNER)[0], 2)
    known = Known(before, read(before, deck, recogniser))
    assert not changed(before, noisy(before, 3)).any()
    again, whole = reread(after, deck, recogniser, known), read(after, deck, recogniser)
    assert again is not None
    assert named(again) == named(whole)
    places = [corners.mean(0) for corners in again.corners_px.values()]
    off = [min(float(np.linalg.norm(c.mean(0) - place)) for place in places) for c in whole.corners_px.values()]
    assert max(off) < NEAR_PX
    kept = {p.id for p in again.table.pieces} & {p.id for p in known.reading.table.pieces}
    assert len(whole.table.pieces) / 2 < len(kept) < len(whole.table.pieces) - 1
    unlike = np.random.default_rng(0).integers(0, 255, before.shape).astype(np.uint8)
    assert reread(unlike, deck, recogniser, known) is None  # the camera was moved
    assert reread(after[:, :640], deck, recogniser, known) is None


def test_a_string_is_traced_beside_those_that_lie_as_they_did() -> None:
    deck = find(None, "string-safari")
    recogniser = Recogniser(deck)
    tables = [
        evening.string(deck), evening.string(deck, ["lion", "tiger"]), evening.string(deck),
        evening.string(deck, research="cat-3"),
    ]  # fmt: skip
    alone, laid, taken, drawn = (noisy(image, k) for k, image in enumerate(evening.pictured(tables, deck)))
    first = read(alone, deck, recogniser)
    assert [string.name for string in first.table.strings] == ["field"]  # nor is it taken for the other as well
    again, whole = reread(laid, deck, recogniser, Known(alone, first)), read(laid, deck, recogniser)
    assert again is not None
    assert set(again.paths_px) == set(whole.paths_px) == {"field", "research"}
    for name, path in whole.paths_px.items():
        assert np.median(nearest_distance(again.paths_px[name], path)) < STRING_NEAR_PX
    assert again.traced[0].memory is first.traced[0].memory  # it was followed, not traced
    gone = reread(taken, deck, recogniser, Known(laid, again))
    assert gone is not None
    assert set(gone.paths_px) == {"field"}
    still = reread(alone, deck, recogniser, Known(alone, first))
    assert still is not None
    assert (set(still.paths_px), len(still.table.pieces)) == ({"field"}, len(first.table.pieces))
    beside = reread(drawn, deck, recogniser, Known(alone, first))
    assert beside is not None
    assert ("research", "cat-3") in named(beside)
    pushed = np.roll(alone, 12, axis=1)
    slid = reread(pushed, deck, recogniser, Known(alone, first))
    assert slid is None or slid.traced[0].memory is not first.traced[0].memory


@pytest.mark.parametrize("side", [1, 40], ids=["a speck", "a coin"])
def test_specks_are_noise(side: int) -> None:
    plain = np.full((720, 1280, 3), 120, np.uint8)
    spotted = plain.copy()
    spotted[300 : 300 + side, 400 : 400 + side] = 10
    assert changed(plain, spotted).any() == (side == 40)
