"""The cords' training: strips drawn alike from a seed, a falling loss, an export that is the checkpoint."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from training import cords  # noqa: E402  # only where torch is installed
from training.cordstrips import ROWS, Strips, strips  # noqa: E402
from vision.strings import middles  # noqa: E402
from vision.strings.middles import COLUMNS  # noqa: E402

pytestmark = pytest.mark.train


def _drawn(seed: int, count: int = 6) -> Strips:
    return strips(torch.Generator().manual_seed(seed), count)


def test_strips_are_the_same_from_the_same_seed_and_whole() -> None:
    one, same, other = _drawn(1), _drawn(1), _drawn(2)
    assert torch.equal(one.ratio, same.ratio)
    assert not torch.equal(one.ratio, other.ratio)
    assert one.ratio.shape == (6, 3, ROWS, COLUMNS)
    assert one.foreign.shape == (6, ROWS, COLUMNS)
    assert all(bool(torch.isfinite(part).all()) for part in (one.ratio, one.angle, one.middle, one.width, one.scale))
    assert bool(((one.foreign >= 0) & (one.foreign <= 1)).all())


def test_a_strip_changes_most_where_its_cord_is_said_to_lie() -> None:
    drawn = _drawn(3, 60)
    off = drawn.ratio.abs().mean(1)
    at = (torch.arange(COLUMNS) + 0.5) / COLUMNS * 2 * middles.SPAN - middles.SPAN
    away = (at[None, None] - drawn.middle[..., None]).abs()
    assert float(off[away < 0.4].mean()) > 1.5 * float(off[(away > 1) & (drawn.foreign == 0)].mean())


def test_the_loss_falls_along_its_slopes() -> None:
    torch.manual_seed(0)
    network, drawn = cords.Cords(), _drawn(9, 12)
    optimiser = torch.optim.AdamW(network.parameters(), 2e-3)
    losses = []
    for _ in range(25):
        wrong = cords.loss(network, drawn)
        optimiser.zero_grad()
        wrong.backward()
        optimiser.step()
        losses.append(float(wrong.detach()))
    assert losses[-1] < losses[0] - 0.3


def test_what_was_trained_is_kept_and_exported_as_it_is(tmp_path: Path) -> None:
    torch.manual_seed(0)
    held, before = _drawn(9, 24), cords.Cords().row.weight.clone()
    torch.manual_seed(0)
    network = cords.train(0.05, tmp_path, seed=1)
    assert not torch.equal(network.row.weight, before)
    assert torch.equal(cords.load(tmp_path / "last.pt").row.weight, network.row.weight)
    cords.export(network, tmp_path / "cords.onnx")
    rows = 40
    ratio = held.ratio[0, :, :rows].permute(1, 2, 0).double().numpy() + 1
    found = middles.Finder((tmp_path / "cords.onnx").read_bytes()).find(
        ratio, held.foreign[0, :rows].double().numpy(), held.angle[0, :rows].double().numpy(), middles.USUAL_WIDTH_PX
    )
    shown = [part[:1, ..., :rows, :] if part.ndim == 4 else part[:1, :rows] for part in cords.shown(held)[:2]]
    with torch.no_grad():
        expected = network(*shown, torch.zeros(1))
    assert np.allclose(found[0], expected[0][0].numpy(), atol=1e-4)
    assert np.allclose(found[1], expected[1][0].exp().numpy(), rtol=1e-3)
    assert found[2] == pytest.approx(float(expected[2].exp()), rel=1e-3)


def test_judging_is_of_strips_that_stay_the_same() -> None:
    network = cords.Cords()
    assert cords.judged(network, 8) == cords.judged(network, 8)


def test_what_is_to_be_judged_must_be_named() -> None:
    with pytest.raises(SystemExit):
        cords.main(["--minutes", "0"])
