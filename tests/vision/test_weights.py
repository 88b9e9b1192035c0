"""The networks' weights: ONNX alone, each the one that was measured."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from vision import weights

NAMES = sorted(path.stem for path in weights.folder().glob("*.onnx"))


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let the weights lie where a test may spoil them."""
    folder = tmp_path / "weights"
    shutil.copytree(weights.folder(), folder)
    monkeypatch.setattr(weights, "folder", lambda: folder)
    weights.verified.cache_clear()
    yield folder
    weights.verified.cache_clear()


def test_there_is_nothing_but_onnx_and_what_is_known_of_it() -> None:
    assert {path.suffix for path in weights.folder().iterdir() if path.is_file()} <= {".onnx", ".toml"}
    told = tomllib.loads((weights.folder() / "weights.toml").read_text(encoding="utf-8"))
    assert {name for name, one in told.items() if isinstance(one, dict) and "sha256" in one} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_weights_are_the_ones_that_were_measured(name: str, copied: Path) -> None:
    assert weights.verified(name) == (copied / f"{name}.onnx").read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_changed_weights_are_refused(name: str, copied: Path) -> None:
    path = copied / f"{name}.onnx"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(weights.WeightsError, match="sha256"):
        weights.verified(name)


def test_missing_weights_are_named(copied: Path) -> None:
    with pytest.raises(weights.WeightsError, match=r"no weights nothing\.onnx"):
        weights.verified("nothing")
