"""Train the detector: python -m training.detector --data FOLDER --out FOLDER [--hours 1.6]. Resumes by itself.

The pictures are rendered beforehand by `python -m synth.chunks FOLDER`; chunks that appear meanwhile are picked up.
Every augmentation is in the renderer; here pictures are only mirrored and turned by quarters.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
import torch

from synth.chunks import Chunk, draw, load, save
from synth.pictures import Pictures
from training.network import Detector, Loss, export
from training.scoring import Score, measure

BATCH = 8
PEAK_RATE = 2e-3
DECAY = 0.02  # of the weights, AdamW
WARM_UP_STEPS = 150
LAST_RATE = 0.02  # of the peak
MEMORY = 0.998  # of the averaged weights that are kept
SAVE_S = 240.0  # between checkpoints
JUDGE_S = 600.0  # between validations
CLIP = 10.0  # gradient norm
SMOKE_STEPS = 60  # of a smoke run: a minute on one core


@dataclass
class Progress:
    """How far a run has come; `spent_s` is time in training, over all its sessions."""

    steps: int = 0
    spent_s: float = 0.0
    best: float = -1.0


class Pool:
    """All training pictures of a folder, as JPEG bytes in memory."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._chunks: dict[Path, Chunk] = {}
        self._looked_s = -math.inf

    def refresh(self) -> None:
        """Read chunks that have appeared since, at most once a minute."""
        if time.monotonic() - self._looked_s < 60:
            return
        self._looked_s = time.monotonic()
        present = sorted(self._folder.glob("train-*.npz"))
        self._chunks = {p: self._chunks.get(p) or load(p) for p in present}

    def batch(self, rng: np.random.Generator, count: int) -> tuple[torch.Tensor, list[torch.Tensor]]:
        """Draw pictures (count, 3, side, side) in 0…1 and their truths."""
        self.refresh()
        chunks = list(self._chunks.values())
        if not chunks:
            raise FileNotFoundError(f"no train-*.npz in {self._folder}: run `python -m synth.chunks {self._folder}`")
        images, truths = [], []
        for _ in range(count):
            chunk = chunks[rng.integers(len(chunks))]
            index = int(rng.integers(len(chunk.jpegs)))
            image, truth = turned(chunk.image(index), chunk.of(index), int(rng.integers(8)))
            images.append(image)
            truths.append(torch.from_numpy(truth))
        return tensor(np.stack(images)), truths


def turned(image: np.ndarray, truth: np.ndarray, way: int) -> tuple[np.ndarray, np.ndarray]:
    """Mirror and turn a square picture and its truth (m, 9) in one of eight ways; corners stay clockwise."""
    side = image.shape[0]
    truth = truth.copy()
    quad = truth[:, 1:].reshape(-1, 4, 2)
    if way & 4:
        image = image[:, ::-1]
        quad[..., 0] = side - 1 - quad[..., 0]
        quad[:] = quad[:, [1, 0, 3, 2]]
    for _ in range(way & 3):
        image = np.rot90(image)
        quad[:] = np.stack([quad[..., 1], side - 1 - quad[..., 0]], -1)
    return image, truth


def tensor(images: np.ndarray) -> torch.Tensor:
    """Turn pictures (b, h, w, 3) uint8 into the network's input, (b, 3, h, w) in 0…1, channels last in memory."""
    return torch.from_numpy(np.ascontiguousarray(images)).permute(0, 3, 1, 2).float().div_(255)


def rate(progress: Progress, hours: float, peak: float) -> float:
    """Return the learning rate: warm up by steps, then a cosine over the time that the run has."""
    share = min(1.0, progress.spent_s / (hours * 3600))
    cosine = LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + math.cos(math.pi * share))
    return peak * cosine * min(1.0, (progress.steps + 1) / WARM_UP_STEPS)


def average(mean: torch.nn.Module, network: torch.nn.Module, steps: int) -> None:
    """Move the averaged weights towards the network's (in place), faster at first."""
    keep = MEMORY * (1 - math.exp(-steps / 400))
    with torch.no_grad():
        for m, n in zip(mean.state_dict().values(), network.state_dict().values(), strict=True):
            if m.dtype.is_floating_point:
                m.mul_(keep).add_(n, alpha=1 - keep)


def groups(network: torch.nn.Module) -> list[dict[str, object]]:
    """Split parameters: weights decay, biases and norms do not."""
    weights = [p for p in network.parameters() if p.ndim > 1]
    return [
        {"params": weights, "weight_decay": DECAY},
        {"params": [p for p in network.parameters() if p.ndim <= 1], "weight_decay": 0.0},
    ]


class Run:
    """One training run in its folder."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args, self.folder = args, args.out
        self.folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(args.seed)
        self.network = Detector(args.family, args.width).to(memory_format=torch.channels_last)
        self.mean = copy.deepcopy(self.network)
        self.optimiser = torch.optim.AdamW(groups(self.network), lr=PEAK_RATE, betas=(0.9, 0.99))
        self.progress = Progress()
        self.pool, self.loss = Pool(args.data), Loss()
        self._resume()

    def _resume(self) -> None:
        path = self.folder / "last.pt"
        if not path.exists():
            return
        state = torch.load(path, weights_only=True)
        self.network.load_state_dict(state["network"])
        self.mean.load_state_dict(state["mean"])
        if not self.args.restart:
            self.optimiser.load_state_dict(state["optimiser"])
            self.progress = Progress(**state["progress"])

    def save(self) -> None:
        """Write the checkpoint, whole or not at all."""
        part = self.folder / "last.part"
        state = {
            "network": self.network.state_dict(),
            "mean": self.mean.state_dict(),
            "optimiser": self.optimiser.state_dict(),
        }
        torch.save({**state, "progress": asdict(self.progress)}, part)
        part.rename(self.folder / "last.pt")
        export(self.mean, self.folder / "last.onnx")

    def judge(self) -> Score | None:
        """Measure the averaged weights on the held-out pictures, and keep them where they are the best so far."""
        score = measure(self.folder / "last.onnx", sorted(self.args.data.glob("held-out-*.npz")))
        if score is not None and score.f1 > self.progress.best:
            self.progress.best = score.f1
            (self.folder / "best.onnx").write_bytes((self.folder / "last.onnx").read_bytes())
        return score

    def step(self, rng: np.random.Generator) -> dict[str, float]:
        """Learn from one batch."""
        images, truths = self.pool.batch(rng, BATCH)
        for group in self.optimiser.param_groups:
            group["lr"] = rate(self.progress, self.args.hours, self.args.rate)
        self.network.train()
        raw = self.network(images.contiguous(memory_format=torch.channels_last))
        loss, parts = self.loss(raw, truths, *images.shape[2:])
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), CLIP)
        self.optimiser.step()
        self.progress.steps += 1
        average(self.mean, self.network, self.progress.steps)
        return parts

    def train(self) -> None:
        """Learn until the time is up."""
        saved = judged = began = time.monotonic()
        rng = np.random.default_rng(self.args.seed + self.progress.steps)
        sums: dict[str, float] = {}
        while self.progress.spent_s < self.args.hours * 3600:
            for name, value in self.step(rng).items():
                sums[name] = sums.get(name, 0.0) * 0.98 + value * 0.02
            now = time.monotonic()
            self.progress.spent_s, began = self.progress.spent_s + now - began, now
            if self.progress.steps % 50 == 0:
                print(json.dumps({**asdict(self.progress), **{k: round(v, 4) for k, v in sums.items()}}), flush=True)
            if now - saved > SAVE_S:
                self.save()
                saved = now
                if now - judged > JUDGE_S:
                    print(self.judge(), flush=True)
                    judged = now
        self.save()
        print(self.judge(), flush=True)


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m training.detector", description=__doc__)
    parser.add_argument("--data", type=Path, help="chunks, by synth.chunks")
    parser.add_argument("--out", type=Path, help="checkpoints and exports; a run that is there goes on")
    parser.add_argument("--hours", type=float, default=1.6)
    parser.add_argument("--family", choices=("11", "26"), default="11")
    parser.add_argument("--width", type=float, default=0.125)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=PEAK_RATE, help="the highest learning rate")
    parser.add_argument("--restart", action="store_true", help="keep the weights, begin the schedule anew")
    parser.add_argument(
        "--smoke",
        action="store_true",
        help="a real run in a minute on a few small pictures, to see that all parts work",
    )
    args = parser.parse_args(arguments)
    if not args.smoke and not (args.data and args.out):
        parser.error("say --data and --out, or --smoke")
    return args


def smoke(args: argparse.Namespace) -> bool:
    """Render a little, train a little, export, score; tell whether the loss fell."""
    with tempfile.TemporaryDirectory() as folder:
        args.data, args.out = Path(folder) / "data", Path(folder) / "run"
        for seed, name in ((1, "train"), (2, "train"), (3, "held-out")):
            save(draw(seed, 24, 160, Pictures()), args.data / f"{name}-{seed:06d}.npz")
        run = Run(args)
        rng = np.random.default_rng(0)
        losses = [sum(run.step(rng).values()) for _ in range(SMOKE_STEPS)]
        run.save()
        first, last = np.mean(losses[:10]), np.mean(losses[-10:])
        print(f"loss {first:.2f} to {last:.2f} in {SMOKE_STEPS} steps; {run.judge()}", flush=True)
        return bool(last < first)


def main() -> None:
    """Train as the command line says."""
    args = parse()
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    if args.smoke:
        sys.exit(0 if smoke(args) else "the loss did not fall")
    Run(args).train()


if __name__ == "__main__":
    main()
