"""Training the detector: labels turn with pictures, the loss teaches, the exported network says the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch")
pytest.importorskip("ultralytics")

from synth.chunks import draw, save  # noqa: E402  # after the check for torch
from synth.pictures import Pictures  # noqa: E402
from training import detector as training  # noqa: E402
from training.network import Detector, Loss, anchors, covariance, export  # noqa: E402
from vision import detector as runtime  # noqa: E402


@pytest.mark.parametrize("way", range(8))
def test_labels_turn_with_their_picture(way: int) -> None:
    image = np.zeros((64, 64, 3), np.uint8)
    image[10:20, 30:50] = 255
    quad = np.array([[30, 10], [49, 10], [49, 19], [30, 19]], np.float32)
    turned, truth = training.turned(image, np.concatenate([[0], quad.ravel()])[None].astype(np.float32), way)
    corners = truth[0, 1:].reshape(4, 2)
    low, high = corners.min(0).astype(int), corners.max(0).astype(int)
    assert turned[low[1] : high[1] + 1, low[0] : high[0] + 1].min() == 255
    assert turned.sum() == image.sum()
    a, b, _, d = corners
    assert (b - a)[0] * (d - a)[1] - (b - a)[1] * (d - a)[0] > 0


def test_the_loss_falls_on_a_picture_seen_again() -> None:
    torch.manual_seed(0)
    chunk = draw(5, 2, 128, Pictures())
    images = training.tensor(np.stack([chunk.image(i) for i in range(2)]))
    truths = [torch.from_numpy(chunk.of(i)) for i in range(2)]
    network, loss = Detector(width=0.125).train(), Loss()
    optimiser = torch.optim.AdamW(network.parameters(), lr=2e-3)
    values = []
    for _ in range(25):
        value, _ = loss(network(images), truths, 128, 128)
        optimiser.zero_grad()
        value.backward()
        optimiser.step()
        values.append(float(value.detach()))
    assert min(values[-5:]) < 0.5 * values[0]


def test_a_batch_of_bare_tables_is_learnt_from_too() -> None:
    network = Detector(width=0.125).train()
    value, parts = Loss()(network(torch.zeros(2, 3, 64, 64)), [torch.zeros(0, 9)] * 2, 64, 64)
    value.backward()
    assert set(parts) == {"kinds"}


def test_the_exported_network_says_what_the_trained_one_says(tmp_path: Path) -> None:
    torch.manual_seed(1)
    network = Detector(width=0.125).eval()
    export(network, tmp_path / "d.onnx")
    image = torch.rand(1, 3, 96, 160)
    with torch.no_grad():
        raw = network(image)
    session = runtime.Detector((tmp_path / "d.onnx").read_bytes(), 1)._session
    exported = session.run(None, {"images": image.numpy()})[0]
    np.testing.assert_allclose(exported[:, :3], raw[:, :3].sigmoid().numpy(), atol=1e-4)
    np.testing.assert_allclose(exported[:, 3:], raw[:, 3:].numpy(), atol=2e-3)


def test_training_and_run_time_decode_alike() -> None:
    torch.manual_seed(2)
    raw = torch.randn(1, 10, 64 + 16 + 4)
    raw[:, :3] = raw[:, :3].sigmoid()
    points, strides = anchors(64, 64)
    centre, extent = covariance(raw[:, 3:].transpose(1, 2), points, strides)
    corners, kinds, scores = runtime.decode(raw[0].numpy(), 64, 64, 0.0)
    order = np.argsort(-raw[0, :3].max(0).values.numpy(), kind="stable")
    np.testing.assert_allclose(corners.mean(1), centre[0].numpy()[order], atol=1e-2)
    u, v = (corners[:, 1] - corners[:, 0]) / 2, (corners[:, 3] - corners[:, 0]) / 2
    own = np.stack([u[:, 0] ** 2 + v[:, 0] ** 2, u[:, 1] ** 2 + v[:, 1] ** 2, u[:, 0] * u[:, 1] + v[:, 0] * v[:, 1]], 1)
    np.testing.assert_allclose(own, extent[0].numpy()[order], rtol=2e-3, atol=0.5)
    assert len(kinds) == len(scores) == 84


def test_a_short_run_leaves_weights_and_resumes(tmp_path: Path) -> None:
    save(draw(1, 8, 96, Pictures()), tmp_path / "data" / "train-000001.npz")
    save(draw(2, 3, 96, Pictures()), tmp_path / "data" / "held-out-000002.npz")
    arguments = ["--data", str(tmp_path / "data"), "--out", str(tmp_path / "run"), "--hours", "0.002"]
    run = training.Run(training.parse(arguments))
    run.train()
    assert run.progress.steps > 0
    assert (tmp_path / "run" / "last.onnx").exists()
    again = training.Run(training.parse(arguments))
    assert again.progress.steps == run.progress.steps
