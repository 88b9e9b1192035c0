"""The recogniser's network: its layers, its log-odds in training, its checkpoints and its export."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

import onnx
import torch
from torch import nn
from torch.nn import functional

from training.descent import mean_of

INPUT_PX = 64
EMBEDDING = 128
WIDTH = 24  # channels of the first stage


class Embedding(nn.Module):  # type: ignore[misc]  # torch is untyped here
    """(n, 3, 64, 64) BGR in 0..255 → (n, 128). Brightness and contrast of a whole crop are taken out first."""

    def __init__(self, width: int = WIDTH) -> None:
        super().__init__()
        w = width
        self.body = nn.Sequential(
            *_stage(3, w, 2), *_stage(w, w, 1),  # 32 x 32
            *_stage(w, 2 * w, 2), *_stage(2 * w, 2 * w, 1),  # 16 x 16
            *_stage(2 * w, 4 * w, 2), *_stage(4 * w, 4 * w, 1),  # 8 x 8
            *_stage(4 * w, 4 * w, 2),  # 4 x 4
            *_stage(4 * w, 40, 1, size=1),
        )  # fmt: skip
        self.head = nn.Linear(40 * 16, EMBEDDING)

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        mean = crops.mean(dim=(1, 2, 3), keepdim=True)
        centred = crops - mean
        spread = (centred * centred).mean(dim=(1, 2, 3), keepdim=True).sqrt()
        features = self.body(centred / (spread + 8.0))  # (n, 40, 4, 4)
        return self.head(features.flatten(1))


def _stage(before: int, after: int, stride: int, size: int = 3) -> tuple[nn.Module, ...]:
    return nn.Conv2d(before, after, size, stride, size // 2, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)


class Naming(nn.Module):  # type: ignore[misc]  # torch is untyped here
    """Log-odds of each reference, and of none of them, from the embeddings of queries and references."""

    def __init__(self) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.tensor(1.0))
        self.none_gain = nn.Parameter(torch.tensor(0.5))
        self.none_bias = nn.Parameter(torch.tensor(0.0))

    def forward(self, queries: torch.Tensor, references: torch.Tensor) -> torch.Tensor:
        """(q, d), (r, d) → (q, r + 1); the last column: none."""
        scaled = queries * self.gain
        directions = functional.normalize(references, dim=1)
        none = scaled.norm(dim=1, keepdim=True) * self.none_gain + self.none_bias
        return torch.cat([scaled @ directions.T, none], dim=1)


def save(network: Embedding, naming: Naming, path: Path) -> None:
    """Write a checkpoint, whole or not at all."""
    partial = path.with_suffix(".partial")
    torch.save({"network": network.state_dict(), "naming": naming.state_dict()}, partial)
    os.replace(partial, path)


def load(path: Path) -> tuple[Embedding, Naming]:
    """Read a checkpoint."""
    state = torch.load(path, weights_only=True)
    network, naming = Embedding(), Naming()
    network.load_state_dict(state["network"])
    naming.load_state_dict(state["naming"])
    return network.eval(), naming.eval()


def averaged(paths: Sequence[Path], out: Path) -> None:
    """Write the mean of checkpoints of one descent."""
    states = [torch.load(path, weights_only=True) for path in paths]
    network, naming = Embedding(), Naming()
    network.load_state_dict(mean_of([state["network"] for state in states]))
    naming.load_state_dict(mean_of([state["naming"] for state in states]))
    save(network, naming, out)


def export(checkpoint: Path, onnx_path: Path, told: Mapping[str, str]) -> None:
    """Write the network as ONNX: `crops` (n, 3, 64, 64) float32 BGR 0..255 → `embeddings` (n, 128), gain applied.

    told: the calibration, kept as the model's metadata.
    """
    network, naming = load(checkpoint)
    with torch.no_grad():
        network.head.weight *= naming.gain
        network.head.bias *= naming.gain
    with warnings.catch_warnings():
        # the exporter that is to replace this one needs one more package
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            network,
            (torch.zeros(1, 3, INPUT_PX, INPUT_PX),),
            str(onnx_path),
            input_names=["crops"],
            output_names=["embeddings"],
            dynamic_axes={"crops": {0: "n"}, "embeddings": {0: "n"}},
            opset_version=17,
            dynamo=False,
        )
    model = onnx.load(str(onnx_path))
    onnx.helper.set_model_props(model, dict(told))
    onnx.save(model, str(onnx_path))
