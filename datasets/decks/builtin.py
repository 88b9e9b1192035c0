"""The built-in decks' folders, drawn anew from their deck.toml: `python -m decks.builtin`."""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image as PillowImage

from decks import art, manifest
from decks.deck import BUILTIN
from decks.error import DeckError
from decks.picture import Image

PX_PER_MM = 6.0  # 150 dpi: more than a camera over a table sees; `deck print` draws finer
PAPERS = 128  # colours a picture is kept in: flat paper and its shadows need no more


def drawn(name: str) -> dict[str, Image]:
    """Draw every picture of a built-in deck: its path within the folder → the picture."""
    read, faults = manifest.read(BUILTIN / name)
    if read is None:
        raise DeckError(faults[0])
    return {
        f"{kind}/{label}.png": art.draw(name, read.edition, kind, label, PX_PER_MM)
        for kind, label in art.pictures_of(read.edition)
    }


def packed(image: Image) -> bytes:
    """Return a picture as a small PNG of few colours."""
    few = PillowImage.fromarray(image[..., ::-1]).quantize(PAPERS, dither=PillowImage.Dither.NONE)
    stream = io.BytesIO()
    few.save(stream, "PNG", optimize=True)
    return stream.getvalue()


def write(name: str, folder: Path) -> int:
    """Write a built-in deck's pictures into `folder`; return how many bytes they take."""
    size_bytes = 0
    for path, image in drawn(name).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        size_bytes += (folder / path).write_bytes(packed(image))
    return size_bytes


def main() -> None:
    """Draw the decks that are named on the command line, or all."""
    for name in sys.argv[1:] or art.STYLES:
        print(f"{name}: {write(name, BUILTIN / name) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
