"""Checkpoints made of others: of a landed network, that training may go on from it, and the mean of several.

An export holds a network's channels levelled within its convolutions. Where training is to go on, they are levelled
apart again, by how they vary over some pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from training.descent import Network, mean_of

BATCHES = 12  # of pictures that tell how a network's channels vary


def landed(network: Network, path: Path, shown: Sequence[Tensor]) -> Network:
    """Give a network the weights of its export at `path`; `shown`: batches of what it is shown."""
    graph = onnx.load(path).graph
    told = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
    convolutions = [[told[name] for name in node.input[1:]] for node in graph.node if node.op_type == "Conv"]
    order = _in_order(network.eval(), shown[0])
    with torch.no_grad():
        for (weight, bias), (convolution, level) in zip(convolutions, order, strict=True):
            convolution.weight.copy_(weight)
            if level is None:
                convolution.bias.copy_(bias)
            else:  # as it stands it passes what it is given, but for the bias
                level.running_mean.zero_()
                level.running_var.fill_(1 - level.eps)
                level.weight.fill_(1)
                level.bias.copy_(bias)
        levels = [level for _, level in order if level is not None]
        for level, (middle, variance) in zip(levels, _varying(network, levels, shown), strict=True):
            level.running_mean.copy_(middle)
            level.running_var.copy_(variance)
            level.weight.copy_((variance + level.eps).sqrt())
            level.bias.add_(middle)
    return network


def averaged(network: Network, paths: Sequence[Path], shown: Sequence[Tensor]) -> Network:
    """Give a network the mean of checkpoints of one descent, levelled anew."""
    network.load_state_dict(mean_of([torch.load(path, weights_only=True) for path in paths]))
    levels = [part for part in network.modules() if isinstance(part, nn.BatchNorm2d)]
    for level in levels:
        level.reset_running_stats()
        level.momentum = None  # the mean over all batches
    network.train()
    with torch.no_grad():
        for batch in shown:
            network(batch)
    network.eval()
    return network


def _in_order(network: nn.Module, batch: Tensor) -> list[tuple[nn.Conv2d, nn.BatchNorm2d | None]]:
    """List a network's convolutions in the order of their work, each with the level that follows it."""
    order: list[nn.Conv2d] = []
    parts = [part for part in network.modules() if isinstance(part, nn.Conv2d)]
    hooks = [part.register_forward_hook(lambda one, *_: order.append(one)) for part in parts]
    with torch.no_grad():
        network(batch)
    for hook in hooks:
        hook.remove()
    rows = [list(row) for row in network.modules() if isinstance(row, nn.Sequential)]
    after = {a: b for row in rows for a, b in pairwise(row) if isinstance(b, nn.BatchNorm2d)}
    return [(one, after.get(one)) for one in order]


def _varying(
    network: nn.Module, levels: Sequence[nn.BatchNorm2d], shown: Sequence[Tensor]
) -> list[tuple[Tensor, Tensor]]:
    """Return the mean and the variance of what each level is given, by channel."""
    sums = {level: torch.zeros(3, level.num_features, dtype=torch.float64) for level in levels}

    def add(level: nn.BatchNorm2d, given: tuple[Tensor]) -> None:
        one = given[0].double().transpose(0, 1).flatten(1)
        sums[level] += torch.stack([torch.full_like(one[:, 0], one.shape[1]), one.sum(1), (one**2).sum(1)])

    hooks = [level.register_forward_pre_hook(add) for level in levels]
    for batch in shown:
        network(batch)
    for hook in hooks:
        hook.remove()
    moments = [(total / count, squares / count) for count, total, squares in sums.values()]
    return [(middle.float(), (square - middle**2).float()) for middle, square in moments]
