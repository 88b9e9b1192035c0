"""Labelled tables to measure on where there are no photographs: python -m measuring.rendered FOLDER [--count 10].

Rendered by `synth` with the built-in decks: truth is exact, and reality is kinder and harsher than this in other ways.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from decks.deck import find
from scoring.edition import GAMES, Game
from service.reading import FIRST_PX
from synth.render import Labels, Manner, picture
from synth.scene import Scene, scene

MANNER = Manner(width=1280, height=960, most_tilt_deg=30.0, harsh=0.2, mess=0.1)
SEEN = 0.3
"""A piece of which less is in view is not asked for."""
JPEG_QUALITY = 92


def write(folder: Path, game: Game, seed: int, manner: Manner = MANNER) -> Path:
    """Render one table into a folder, picture and JSON; return the JSON's path."""
    deck = find(None, game)
    made = scene(seed, game, deck)
    image, labels = picture(made, deck, seed, manner)
    path = folder / f"{game}-{seed:04d}.json"
    cv2.imwrite(str(path.with_suffix(".jpg")), image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    told = {**_table(made, labels), "sheet": made.answer(deck).sheet.to_json(), "variety": made.variety}
    path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return path


def _table(made: Scene, labels: Labels) -> dict[str, Any]:
    pieces = [
        {"id": p.id, "kind": p.kind, "label": p.label, "corners_px": _told(labels.pieces[p.id].corners_px)}
        for p in (*made.table.pieces, *made.beside)
        if p.id in labels.pieces and labels.pieces[p.id].visible >= SEEN
    ]
    strings = [{"name": name, "points_px": _told(path)} for name, path in labels.strings.items()]
    return {"game": made.game, "deck": None, "pieces": pieces, "strings": strings, "options": dict(made.options)}


def _told(points_px: npt.NDArray[np.floating]) -> list[list[float]]:
    """Return px (n, 2) as answers count them."""
    told: list[list[float]] = (points_px + FIRST_PX).round(3).tolist()
    return told


def main() -> None:
    """Render so many tables of each game."""
    parser = argparse.ArgumentParser(prog="python -m measuring.rendered", description=main.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=10, help="of each game")
    parser.add_argument("--seed", type=int, default=1000, help="of the first; the next ones follow")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    for game in GAMES:
        for seed in range(args.seed, args.seed + args.count):
            print(write(args.folder, game, seed), flush=True)


if __name__ == "__main__":
    main()
