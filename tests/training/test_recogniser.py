"""The recogniser's training: decks drawn alike from a seed, a falling loss, an export that is the checkpoint."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch")

from training import calibration, facedecks, facedrawing, recogniser, weathering  # noqa: E402  # only where torch is installed
from training.embedding import INPUT_PX, Embedding, Naming, export, load, save  # noqa: E402
from vision.embedding import Embedder, embedder  # noqa: E402
from vision.naming import Calibration  # noqa: E402

pytestmark = pytest.mark.train

FITTED = Calibration(1.0, 2.0, 1.0, 0.5, 1.0, 1.0, 1.0, 4.0, 0.5, 0.6, 0.1)


def _picture(seed: int) -> facedrawing.Image:
    rng = np.random.default_rng(seed)
    picture = np.zeros((60, 60, 4), dtype=np.uint8)
    for _ in range(4):
        centre, ink = rng.integers(10, 50, 2).tolist(), rng.integers(0, 255, 3).tolist()
        cv2.circle(picture, centre, int(rng.integers(5, 20)), (*ink, 255), -1)
    return picture


ART = [_picture(seed) for seed in range(12)]


@pytest.mark.parametrize("mix", [facedecks.HARD, facedecks.USUAL], ids=["hard", "usual"])
def test_a_deck_is_the_same_from_the_same_seed(mix: facedecks.Mix) -> None:
    decks = [facedecks.deck(np.random.default_rng(3), ART, 9, mix) for _ in range(2)]
    assert len(decks[0]) == 9
    assert all(face.shape == (facedrawing.SIDE_PX, facedrawing.SIDE_PX, 3) for face in decks[0])
    assert all(np.array_equal(a, b) for a, b in zip(*decks, strict=True))


def test_faces_of_a_deck_differ() -> None:
    faces = facedecks.deck(np.random.default_rng(1), ART, 6)
    assert not np.array_equal(faces[0], faces[1])


@pytest.mark.parametrize(
    "weather", [weathering.HARSH, weathering.TABLE, weathering.SCANNED], ids=["harsh", "table", "scan"]
)
def test_weather_keeps_the_crop_s_shape_and_spares_scans(weather: weathering.Weather) -> None:
    face = facedecks.deck(np.random.default_rng(4), ART, 1)[0]
    seen = weathering.weathered(face, weather, np.random.default_rng(0), INPUT_PX)
    plain = cv2.resize(face, (INPUT_PX, INPUT_PX), interpolation=cv2.INTER_AREA)
    assert seen.shape == (INPUT_PX, INPUT_PX, 3)
    off = float(np.abs(seen.astype(int) - plain.astype(int)).mean())
    assert off > 0.5
    assert weather is not weathering.SCANNED or off < 25


def _pairs(seed: int) -> recogniser.Table:
    rng = np.random.default_rng(seed)
    return recogniser.lay(facedecks.deck(rng, ART, 8), rng, weathering.SCANNED, 0.1)


def test_the_loss_falls() -> None:
    torch.manual_seed(0)
    network, naming = Embedding(), Naming()
    parameters = [*network.parameters(), *naming.parameters()]
    optimiser = torch.optim.AdamW(parameters, lr=2e-3)
    table = _pairs(5)
    losses = [recogniser._step(network, naming, optimiser, parameters, table) for _ in range(12)]
    assert losses[-1] < 0.7 * losses[0]


def test_an_alien_s_right_answer_is_none() -> None:
    table = _pairs(6)
    n = len(table.same)
    told = np.concatenate([table.same & ~table.alien[:, None], table.alien[:, None]], axis=1)
    sure = torch.from_numpy(np.where(told, 20.0, 0.0))
    wrong = torch.from_numpy(np.where(told, 0.0, 20.0))
    assert float(recogniser.loss_of(sure, table)) < 1e-3 * n
    assert float(recogniser.loss_of(wrong, table)) > 5.0


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    """An untrained network's checkpoint."""
    torch.manual_seed(1)
    save(Embedding(), Naming(), tmp_path / "last.pt")
    return tmp_path / "last.pt"


def test_the_export_embeds_as_the_checkpoint(checkpoint: Path) -> None:
    onnx_path = checkpoint.with_suffix(".onnx")
    export(checkpoint, onnx_path, FITTED.to_mapping())
    embedder = Embedder(onnx_path.read_bytes())
    crops = list(np.random.default_rng(2).integers(0, 255, (3, INPUT_PX, INPUT_PX, 3), dtype=np.uint8))
    network, naming = load(checkpoint)
    with torch.no_grad():
        planes = torch.from_numpy(np.stack(crops).transpose(0, 3, 1, 2).astype(np.float32))
        expected = (network(planes) * naming.gain).numpy()
    assert embedder.calibration == FITTED
    assert embedder.embed(crops) == pytest.approx(expected, abs=1e-3)
    assert embedder.embed([]).shape[0] == 0


def test_calibration_says_how_reliable_it_is(checkpoint: Path) -> None:
    fitted, top1, reliable = recogniser.calibrate(checkpoint, ART, decks=2, faces=6)
    assert 0 <= top1 <= 1
    assert reliable.bins
    assert 0 <= reliable.error <= 1
    assert f"error {reliable.error:.3f}" in calibration.plot(reliable)
    assert Calibration.parse(fitted.to_mapping()).embedding == pytest.approx(fitted.embedding, rel=1e-4)


def test_the_landed_network_is_judged_and_drawn(tmp_path: Path) -> None:
    top1, reliable = recogniser.judge(embedder(), ART, decks=2, faces=6)
    calibration.report(tmp_path, top1, reliable)
    assert f"error {reliable.error:.3f}" in (tmp_path / "reliability.svg").read_text(encoding="utf-8")
    assert 0 <= top1 <= 1


@pytest.mark.parametrize("write", [lambda p: None, lambda p: p.write_text("x")], ids=["nothing", "no picture"])
def test_a_folder_without_pictures_gives_no_art(tmp_path: Path, write: Callable[[Path], object]) -> None:
    write(tmp_path / "a.txt")
    assert facedecks.load_art(tmp_path) == []


def test_without_pictures_nothing_is_trained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        recogniser.main(["--art", str(tmp_path), "--out", str(tmp_path / "out")])
    assert "no two pictures" in capsys.readouterr().err
