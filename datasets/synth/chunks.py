"""Training pictures on disk: chunks of JPEG bytes with their labels, made by `python -m synth.chunks`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import cv2
import numpy as np
import numpy.typing as npt

from synth.heaps import picture
from synth.pictures import CLIP_ART, Pictures, paths
from synth.textures import Image
from synth.things import CLASSES

QUALITY = 94  # the chunk's own JPEG: hardly seen beside the camera's that is drawn into the picture
MOST_DIGITS = 9
LEAST_SIDE_PX = 64
"""A smaller picture holds no piece that could be learnt from."""


@dataclass(frozen=True)
class Chunk:
    """Pictures and labels: `labels` (n, 10) float32 rows of picture index, class index, four corners in px."""

    jpegs: tuple[npt.NDArray[np.uint8], ...]
    labels: npt.NDArray[np.float32]

    def image(self, index: int) -> Image:
        """Decode one picture."""
        return np.asarray(cv2.imdecode(self.jpegs[index], cv2.IMREAD_COLOR), np.uint8)

    def of(self, index: int) -> npt.NDArray[np.float32]:
        """Return one picture's rows of class index and corners, (m, 9)."""
        return self.labels[self.labels[:, 0] == index, 1:]


def draw(seed: int, count: int, side_px: int, pictures: Pictures) -> Chunk:
    """Draw one chunk; the same seed and code give the same pictures."""
    rng = np.random.default_rng(seed)
    jpegs, rows = [], []
    for index in range(count):
        image, labels = picture(rng, pictures, side_px)
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        jpegs.append(np.asarray(data, np.uint8).ravel())
        for label in labels:
            if label.kind in CLASSES:
                rows.append([index, CLASSES.index(label.kind), *label.corners_px.ravel()])
    return Chunk(tuple(jpegs), np.array(rows, np.float32).reshape(-1, 10))


def save(chunk: Chunk, path: Path) -> None:
    """Write a chunk; the file appears under its name only when it is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    sizes = np.array([len(j) for j in chunk.jpegs])
    part = path.with_suffix(".part.npz")
    np.savez(part, bytes=np.concatenate(chunk.jpegs), sizes=sizes, labels=chunk.labels)
    part.rename(path)


def load(path: Path) -> Chunk:
    """Read a chunk."""
    with np.load(path, allow_pickle=False) as data:
        ends = np.cumsum(data["sizes"])[:-1]
        return Chunk(tuple(np.split(data["bytes"], ends)), data["labels"])


class OneLine(argparse.ArgumentParser):
    """A command line whose refusals are one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and exit with status 2."""
        self.exit(2, f"{self.prog}: {' '.join(message.split())}; see `{self.prog} --help`\n")


def whole(least: int) -> Callable[[str], int]:
    """Return what reads a whole number of at least `least`; ArgumentTypeError where it is none."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdecimal() or len(text) > MOST_DIGITS or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least {least}")
        return int(text)

    return read


def main() -> None:
    """Draw chunks into a folder."""
    parser = OneLine(prog="safari-table synth", description=main.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--chunks", type=whole(0), default=40)
    parser.add_argument("--size", type=whole(1), default=250, help="pictures a chunk")
    parser.add_argument("--side", type=whole(LEAST_SIDE_PX), default=320, help="px")
    parser.add_argument("--seed", type=whole(0), default=1, help="of the first chunk; the next ones follow")
    parser.add_argument("--held-out", action="store_true", help="pictures for validation: other sources")
    parser.add_argument("--clip-art", type=Path, default=CLIP_ART, help="a folder of png files; missing: shapes alone")
    args = parser.parse_args()
    try:
        args.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"{args.folder}: cannot be written: {error.strerror}")
    cv2.setNumThreads(1)
    pictures = Pictures(paths(args.clip_art, held_out=args.held_out))
    for seed in range(args.seed, args.seed + args.chunks):
        path = args.folder / f"{'held-out' if args.held_out else 'train'}-{seed:06d}.npz"
        if not path.exists():
            save(draw(seed, args.size, args.side, pictures), path)
            print(path, flush=True)


if __name__ == "__main__":
    main()
