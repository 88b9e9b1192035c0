"""Random rings of Kleine Fotosafari, judged a second time by plain code that shares nothing with the product's."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from scoring.options import Options
from scoring.referee import judge
from scoring.table import Table
from tests.scoring.boxes import ANIMALS, FOTO
from tests.scoring.ring_tables import Habits, Laid, lay


def _random_claim(rng: random.Random) -> tuple[Laid, tuple[str, ...]]:
    """A ring and a photo: a run of it, a run mirrored, or any animals."""
    laid = lay(rng, Habits(away=rng.choice([0, 0, 1, 2])))
    labels = {p.id: str(p.label) for p in laid.table.pieces}
    ring = [labels[i] for i in laid.ring if i is not None]
    length, start, step = rng.choice([3, 4, 5]), rng.randrange(12), rng.choice([1, 1, -1])
    photo = tuple(ring[(start + step * k) % 12] for k in range(length))
    if rng.random() < 0.3:
        photo = tuple(rng.choice(sorted(ANIMALS)) for _ in range(length))
    pieces = tuple(replace(p, sequence=photo) if p.id == laid.claim else p for p in laid.table.pieces)
    return replace(laid, table=Table(pieces)), photo


def _starts(laid: Laid, photo: tuple[str, ...], step: int) -> set[int | None]:
    """The cards from which on the photo's animals stand so, none of them turned away."""
    labels = {p.id: p.label for p in laid.table.pieces}
    found = set()
    for start in range(12):
        run = [laid.ring[(start + step * k) % 12] for k in range(len(photo))]
        if all(i is not None and labels[i] == want and i not in laid.away for i, want in zip(run, photo, strict=True)):
            found.add(run[0])
    return found


@pytest.mark.parametrize("seed", range(120))
def test_a_second_scorer_agrees(seed: int) -> None:
    rng = random.Random(seed)
    laid, photo = _random_claim(rng)
    reading = rng.choice(["outside", "outside", "inside"])
    answer = judge(laid.table, FOTO, Options(house={"reading": reading}))
    sheet = answer.sheet.to_json()
    starts = _starts(laid, photo, 1 if reading == "outside" else -1)
    ring = sheet["pieces"]
    assert any(ring[k:] + ring[:k] == laid.ring for k in range(12))
    (claim,) = sheet["photos"]
    assert (claim["piece"], tuple(claim["sequence"])) == (laid.claim, photo)
    assert claim["valid"] is bool(starts)
    assert {ring[k] for k in claim["starts"]} == starts
    assert sheet["pile"] == laid.pile
    assert answer.certain


def test_random_claims_are_of_all_kinds() -> None:
    found = [len(_starts(*_random_claim(random.Random(seed)), 1)) for seed in range(120)]
    assert {min(n, 2) for n in found} == {0, 1, 2}
