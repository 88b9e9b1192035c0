"""Train the network that tells where cords are seen: python -m training.cordmap --minutes 60 --out runs/cordmap.

It learns from pictures that are drawn as it goes; each is shown a few times, turned and mirrored. What it learns is
kept every 100 steps, and `--resume` goes on from there, or from the landed network itself; `--average` takes the mean
of several ends. At the end it is exported; landing it is a step of its own (`python -m training.landing cordmap`),
after tables with strings were measured.
"""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, interpolate, pixel_shuffle, relu

from synth.pictures import Pictures, paths
from training import checkpoints
from training.cordpictures import Picture, picture
from training.descent import chosen, descend, loaded, options, save
from vision.strings.cordmap import STEP_PX, shown

FINE, MIDDLE, COARSE = 8, 16, 32  # channels at steps of two, four and eight px
LEARNING_RATE = 2e-3
SIDE_PX, BATCH, POOL = 448, 4, 400
"""Pictures' side; how many a step learns from, of which one is new; how many are kept to be shown again."""
SEEN_WEIGHT, RARE = 3.0, -3.0  # a cord's places are few: what they count more, and the logit of any place to begin with
HELD_BACK_SEED, HELD_BACK = 7, 48


def conv(of: int, into: int, side: int = 3, step: int = 1, wide: int = 1) -> nn.Sequential:
    """Return a convolution and what levels its channels; `wide`: how far apart the places lie that it looks at."""
    reach = wide * (side - 1) // 2 if step == 1 else (side - step) // 2
    return nn.Sequential(nn.Conv2d(of, into, side, step, reach, dilation=wide, bias=False), nn.BatchNorm2d(into))


class Block(nn.Module):  # type: ignore[misc]  # torch is untyped here
    """A residual block: two convolutions, the first looking `wide` places around."""

    def __init__(self, channels: int, wide: int = 1) -> None:
        super().__init__()
        self.one, self.two = conv(channels, channels, wide=wide), conv(channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        return relu(x + self.two(relu(self.one(x))))


class CordMap(nn.Module):  # type: ignore[misc]  # torch is untyped here
    """A picture → how likely a cord is seen at each place, `STEP_PX` apart, as a logit.

    What a cord is shows at its own width, and what runs on shows farther off: it is looked at in three sizes.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(conv(3, FINE, 4, 2), nn.ReLU(), conv(FINE, FINE), nn.ReLU())
        self.middle = nn.Sequential(conv(FINE, MIDDLE, 4, 2), nn.ReLU(), Block(MIDDLE), Block(MIDDLE))
        wide = (Block(COARSE), Block(COARSE, 2), Block(COARSE, 4))
        self.coarse = nn.Sequential(conv(MIDDLE, COARSE, 4, 2), nn.ReLU(), *wide, conv(COARSE, MIDDLE, 1))
        self.again = nn.Sequential(Block(MIDDLE), Block(MIDDLE), conv(MIDDLE, 4 * FINE, 1))
        self.last = nn.Sequential(conv(FINE, FINE), nn.ReLU(), nn.Conv2d(FINE, 1, 1))
        nn.init.constant_(self.last[-1].bias, RARE)

    def forward(self, image: Tensor) -> Tensor:
        """(n, 3, rows, columns), both multiples of eight → logits (n, rows / STEP_PX, columns / STEP_PX)."""
        fine = self.fine(image)
        middle = self.middle(fine)
        coarse = interpolate(self.coarse(middle), scale_factor=2, mode="bilinear", align_corners=False)
        told = self.last(relu(fine + pixel_shuffle(self.again(relu(middle + coarse)), 2)))
        return torch.squeeze(told, 1)


@dataclass(frozen=True)
class Told:
    """How well held-back pictures are told: the share of cords' places that is found, and of finds that is true."""

    recall: float
    precision: float
    loss: float

    def __str__(self) -> str:
        return f"{self.recall:.3f} of cords found, {self.precision:.3f} of finds true, loss {self.loss:.4f}"


def batch(pictures: Sequence[Picture], turns: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Return what the network is shown of pictures, each in one of eight turns, and what is true."""
    images, true = [], []
    for one, turn in zip(pictures, turns, strict=True):
        image, cords = (np.rot90(v[::-1] if turn >= 4 else v, turn % 4) for v in (one.image, one.cords))
        images.append(shown(np.ascontiguousarray(image)))
        size = cords.shape[1] // STEP_PX, cords.shape[0] // STEP_PX
        true.append(cv2.resize(np.ascontiguousarray(cords), size, interpolation=cv2.INTER_AREA))
    return torch.from_numpy(np.concatenate(images)), torch.from_numpy(np.stack(true)).float() / 255


def loss(logits: Tensor, true: Tensor) -> Tensor:
    """Return how badly places are told, and how little of the cords is covered."""
    single = binary_cross_entropy_with_logits(logits, true, weight=1 + SEEN_WEIGHT * true)
    share = torch.sigmoid(logits)
    both, all_ = (share * true).sum((1, 2)), (share + true).sum((1, 2))
    return single + 0.1 * (1 - (2 * both + 20) / (all_ + 20)).mean()


def judged(network: CordMap, held: Sequence[Picture]) -> Told:
    """Judge a network by pictures that no training draws."""
    network.eval()
    found = true_found = of_cords = losses = 0.0
    for one in held:
        image, true = batch([one], [0])
        with torch.no_grad():
            logits = network(image)
        seen, cord = logits > 0, true > 0.5
        found, of_cords = found + float(seen.sum()), of_cords + float(cord.sum())
        true_found, losses = true_found + float((seen & cord).sum()), losses + float(loss(logits, true))
    return Told(true_found / max(of_cords, 1), true_found / max(found, 1), losses / len(held))


def held_back(count: int = HELD_BACK) -> list[Picture]:
    """Draw pictures, with clip art that training does not use, to judge by."""
    sources, rng = Pictures(paths(held_out=True)), np.random.default_rng(HELD_BACK_SEED)
    return [picture(rng, sources, SIDE_PX) for _ in range(count)]


def train(minutes: float, out: Path, seed: int = 0, resume: Path | None = None, rate: float = LEARNING_RATE) -> CordMap:
    """Train for so long, as `descend` does."""
    rng, sources = np.random.default_rng([seed, 5]), Pictures(paths())
    held = held_back()
    pool: deque[Picture] = deque((picture(rng, sources, SIDE_PX) for _ in range(BATCH)), POOL)

    def wrong(network: CordMap) -> Tensor:
        pool.append(picture(rng, sources, SIDE_PX))
        drawn = [pool[-1], *(pool[int(rng.integers(len(pool)))] for _ in range(BATCH - 1))]
        image, true = batch(drawn, [int(rng.integers(8)) for _ in drawn])
        with torch.autocast("cpu", torch.bfloat16):  # less than half the time where the machine has it
            told = network(image)
        return loss(told.float(), true)

    network = begun(resume) if resume else CordMap()
    return descend(network, wrong, lambda mean: judged(mean, held), minutes, out, rate)


def begun(path: Path) -> CordMap:
    """Return the network of a checkpoint, or of an export."""
    return loaded(CordMap(), path) if path.suffix != ".onnx" else checkpoints.landed(CordMap(), path, some_shown())


def some_shown() -> list[Tensor]:
    """Draw batches of what the network is shown."""
    sources, rng = Pictures(paths()), np.random.default_rng([HELD_BACK_SEED, 1])
    drawn = [[picture(rng, sources, SIDE_PX) for _ in range(BATCH)] for _ in range(checkpoints.BATCHES)]
    return [batch(few, [int(rng.integers(8)) for _ in few])[0] for few in drawn]


def export(network: CordMap, path: Path) -> None:
    """Write a network as ONNX, for pictures of any size."""
    names = {"input_names": ["image"], "output_names": ["logit"]}
    sizes = {"image": {2: "rows", 3: "columns"}, "logit": {1: "rows", 2: "columns"}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch would rather export another way
        example = (torch.zeros(1, 3, 64, 96),)
        torch.onnx.export(network.eval(), example, str(path), dynamic_axes=sizes, dynamo=False, **names)


def main(arguments: list[str] | None = None) -> None:
    """Train, judge, export."""
    parser = options(__doc__, "runs/cordmap", LEARNING_RATE)
    parser.add_argument("--average", type=Path, nargs="+", help="checkpoints whose mean is judged and exported")
    a = chosen(parser, arguments)
    a.out.mkdir(parents=True, exist_ok=True)
    if a.average:
        network = checkpoints.averaged(CordMap(), a.average, some_shown())
    else:
        network = train(a.minutes, a.out, a.seed, a.resume, a.rate) if a.minutes > 0 else begun(a.resume)
    save(network, a.out / "last.pt")
    export(network, a.out / "cordmap.onnx")
    print(judged(network, held_back()))


if __name__ == "__main__":
    main()
