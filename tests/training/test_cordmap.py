"""The cords' map's training: pictures drawn alike from a seed, a falling loss, an export that is the checkpoint."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from synth.pictures import Pictures  # noqa: E402
from training import checkpoints, cordmap  # noqa: E402  # only where torch is installed
from training.cordpictures import Picture, picture  # noqa: E402
from training.descent import loaded, save  # noqa: E402
from vision.strings.cordmap import STEP_PX, Seer, shown  # noqa: E402

pytestmark = pytest.mark.train

SIDE_PX = 160


def _drawn(seed: int, count: int = 1) -> list[Picture]:
    rng = np.random.default_rng(seed)
    return [picture(rng, Pictures(), SIDE_PX) for _ in range(count)]


def test_pictures_are_the_same_from_the_same_seed() -> None:
    (one,), (same,), (other,) = _drawn(1), _drawn(1), _drawn(2)
    assert np.array_equal(one.image, same.image)
    assert np.array_equal(one.cords, same.cords)
    assert not np.array_equal(one.image, other.image)
    assert one.image.shape == (SIDE_PX, SIDE_PX, 3)
    assert one.cords.shape == (SIDE_PX, SIDE_PX)


def test_most_pictures_show_cords_on_a_small_part() -> None:
    shares = np.array([(one.cords > 127).mean() for one in _drawn(3, 40)])
    assert (shares > 0.002).mean() > 0.7
    assert np.median(shares) < 0.15


def test_turned_pictures_and_their_cords_are_turned_alike() -> None:
    (one,) = _drawn(1)
    marked = Picture(np.repeat(one.cords[..., None], 3, 2), one.cords)
    for turn in range(8):
        image, true = cordmap.batch([marked], [turn])
        seen = torch.nn.functional.avg_pool2d(image.mean(1, keepdim=True), STEP_PX)[0, 0]
        assert float(seen[true[0] > 0.9].mean()) > float(seen[true[0] < 0.1].mean()) + 1


def test_the_loss_falls_along_its_slopes() -> None:
    torch.manual_seed(0)
    network, drawn = cordmap.CordMap(), _drawn(9, 4)
    optimiser = torch.optim.AdamW(network.parameters(), 3e-3)
    image, true = cordmap.batch(drawn, [0] * 4)
    losses = []
    for _ in range(30):
        wrong = cordmap.loss(network(image), true)
        optimiser.zero_grad()
        wrong.backward()
        optimiser.step()
        losses.append(float(wrong.detach()))
    assert losses[-1] < 0.8 * losses[0]


def test_what_was_trained_is_kept_and_exported_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cordmap, "held_back", lambda: _drawn(7, 2))
    network = cordmap.train(0.05, tmp_path, seed=1).eval()
    kept = loaded(cordmap.CordMap(), tmp_path / "last.pt").eval()
    cordmap.export(network, tmp_path / "cordmap.onnx")
    image = np.ascontiguousarray(_drawn(9)[0].image[:150, :131])
    seen = Seer((tmp_path / "cordmap.onnx").read_bytes()).likely(image)
    with torch.no_grad():
        expected = torch.sigmoid(kept(torch.from_numpy(shown(image))))[0, : seen.shape[0], : seen.shape[1]]
    assert np.allclose(seen, expected.numpy(), atol=1e-4)


def test_training_goes_on_from_what_is_landed(tmp_path: Path) -> None:
    torch.manual_seed(4)
    network, image = cordmap.CordMap(), torch.from_numpy(shown(_drawn(9)[0].image))
    for part in network.modules():
        if isinstance(part, torch.nn.BatchNorm2d):  # as if it had learnt
            torch.nn.init.uniform_(part.weight, 0.5, 2.0)
            torch.nn.init.normal_(part.bias)
            part.running_mean.normal_()
            part.running_var.uniform_(0.5, 2.0)
    cordmap.export(network, tmp_path / "cordmap.onnx")
    drawn = [cordmap.batch(_drawn(seed, 2), [0, 3])[0] for seed in (11, 12)]
    again = checkpoints.landed(cordmap.CordMap(), tmp_path / "cordmap.onnx", drawn)
    with torch.no_grad():
        expected, found = network.eval()(image), again(image)
        levelled = again.train()(drawn[0])
    assert np.allclose(expected.numpy(), found.numpy(), atol=1e-2 * float(expected.abs().max()))
    assert torch.corrcoef(torch.stack([levelled.flatten(), again.eval()(drawn[0]).flatten()]))[0, 1] > 0.9


def test_the_mean_of_a_checkpoint_with_itself_is_it(tmp_path: Path) -> None:
    network, drawn = cordmap.CordMap(), [cordmap.batch(_drawn(11, 2), [0, 3])[0]]
    save(network, tmp_path / "one.pt")
    mean = checkpoints.averaged(cordmap.CordMap(), [tmp_path / "one.pt"] * 2, drawn)
    for name, value in mean.named_parameters():
        assert torch.equal(value, network.get_parameter(name))
    assert float(mean.fine[0][1].running_var.sub(1).abs().max()) > 0.01  # levelled by what it was shown


def test_judging_is_of_pictures_that_stay_the_same() -> None:
    network, held = cordmap.CordMap(), _drawn(7, 2)
    assert cordmap.judged(network, held) == cordmap.judged(network, held)


def test_what_is_to_be_judged_must_be_named() -> None:
    with pytest.raises(SystemExit):
        cordmap.main(["--minutes", "0"])
