"""Descent: steps down a loss for so many minutes, the mean of the last weights kept on disk; and its command line."""

from __future__ import annotations

import argparse
import copy
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import torch
from torch import Tensor, nn

WARM_STEPS, STEPS_KEPT = 200, 100
SLOW, FIRST_SLOW = 0.01, 0.5
"""The share of each step in the mean of weights: later on, and in the first steps, which are worth forgetting."""

Network = TypeVar("Network", bound=nn.Module)


def descend(
    network: Network,
    wrong: Callable[[Network], Tensor],
    judged: Callable[[Network], object],
    minutes: float,
    out: Path,
    rate: float,
) -> Network:
    """Train for so long on what `wrong` returns at each step; the mean of the last steps' weights is kept in
    out/last.pt every 100 steps, what is `judged` of it printed, and returned.
    """
    mean = copy.deepcopy(network)
    optimiser = torch.optim.AdamW(network.parameters(), rate, weight_decay=1e-4)
    begun, step = time.monotonic(), 0
    while (done := (time.monotonic() - begun) / (60 * minutes)) < 1:
        step += 1
        optimiser.param_groups[0]["lr"] = rate * min(1.0, step / WARM_STEPS) * (1 - done) ** 0.7
        loss = wrong(network)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        with torch.no_grad():
            for slow, now in zip(mean.parameters(), network.parameters(), strict=True):
                slow.lerp_(now, SLOW if step > STEPS_KEPT else FIRST_SLOW)
            for slow, now in zip(mean.buffers(), network.buffers(), strict=True):
                slow.copy_(now)
        if step % STEPS_KEPT == 0:
            save(mean, out / "last.pt")
            print(f"{step} steps: loss {float(loss.detach()):.4f}, {judged(mean)}", flush=True)
    save(mean, out / "last.pt")
    return mean


def save(network: nn.Module, path: Path) -> None:
    """Write a checkpoint, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    torch.save(network.state_dict(), partial)
    os.replace(partial, path)


def loaded(network: Network, path: Path) -> Network:
    """Give a network the weights of a checkpoint."""
    network.load_state_dict(torch.load(path, weights_only=True))
    return network


def mean_of(states: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """Return the mean of checkpoints of one descent: it holds where each has learnt its own pictures too well.

    Wortsman et al., "Model soups" (2022).
    """
    stacks = {name: torch.stack([state[name].double() for state in states]) for name in states[0]}
    return {name: stack.mean(0).to(states[0][name].dtype) for name, stack in stacks.items()}


def options(about: str | None, out: str, rate: float) -> argparse.ArgumentParser:
    """Return the command line that trainings have in common."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0, help="0: judge and export what --resume holds")
    parser.add_argument("--out", type=Path, default=Path(out))
    parser.add_argument("--resume", type=Path, help="a checkpoint to start from")
    parser.add_argument("--rate", type=float, default=rate, help="the highest learning rate")
    parser.add_argument("--seed", type=int, default=0)
    return parser


def chosen(parser: argparse.ArgumentParser, arguments: list[str] | None) -> argparse.Namespace:
    """Read a command line, refusing to judge nothing; on one thread, as others share the cores."""
    told = parser.parse_args(arguments)
    if told.minutes <= 0 and told.resume is None:
        parser.error("with --minutes 0, name the checkpoint to judge and export: --resume FILE")
    torch.set_num_threads(1)
    return told
