"""Deck folders whose faces are random pictures: the rules of a built-in deck in a dress that nothing was trained on."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from decks.library import located
from decks.manifest import FILE_NAME
from synth.faces import tile
from synth.pictures import Pictures

SIDE_PX = 200
PRINTED = ("faces", "research", "coins")


def write(folder: Path, seed: int, pictures: Pictures, game: str) -> Path:
    """Write a deck of the game's built-in rules, each printed face drawn anew with `pictures`; return the folder."""
    base = located(None, game)
    rng = np.random.default_rng([seed, 5])
    for kind in (k for k in PRINTED if (base / k).is_dir()):
        (folder / kind).mkdir(parents=True, exist_ok=True)
        for path in sorted((base / kind).glob("*.png")):
            cv2.imwrite(str(folder / kind / path.name), tile(rng, pictures, SIDE_PX, SIDE_PX))
    shutil.copy(base / FILE_NAME, folder / FILE_NAME)
    return folder


def offer(parser: argparse.ArgumentParser) -> None:
    """Let a measurement's command line say of which decks it is: named ones, and random ones where there is art."""
    parser.add_argument("--deck", action="append", default=[], help="a deck's name or folder; may be repeated")
    parser.add_argument("--art", type=Path, help="PNG pictures for random faces and table tops")
    parser.add_argument("--random", type=int, default=3, help="decks of random faces, where there is --art")


def chosen(args: argparse.Namespace, folder: Path, game: str) -> tuple[Sequence[str], Pictures]:
    """Return the names of the decks that a command line asks for, and its pictures; random ones are kept in folder.

    Without any, the game's own.
    """
    pictures = Pictures(sorted(args.art.rglob("*.png")) if args.art else ())
    folders = [folder / "decks" / f"{game}-random-{k}" for k in range(args.random if args.art else 0)]
    drawn = [str(one if one.is_dir() else write(one, k, pictures, game)) for k, one in enumerate(folders)]
    return [*args.deck, *drawn] or [game], pictures
