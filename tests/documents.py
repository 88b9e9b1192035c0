"""The commands that stand in the documents, and the folder of pictures in which they are run."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from decks.deck import Deck, find
from scoring.edition import Game
from scoring.table import Table
from synth.pictures import Pictures
from synth.render import Manner, photograph, picture
from synth.scene import Hand, scene
from synth.textures import Image

ROOT = Path(__file__).parent.parent
OWN = ("README.md", "CONTRIBUTING.md", "models/README.md")
DOCUMENTS = (*(ROOT / name for name in OWN), *sorted(set((ROOT / "docs").glob("*.md")) - {ROOT / "docs" / "files.md"}))
PROGRAMS = ("safari-table", "make", "python", "pip", "pipx", "apt-get", "bash", "export")
PLACEHOLDER = re.compile(r"…|\.\.\.|\||\[|\b[A-Z]{3,}\b|\{|←")
"""A span with one of these is no command to run as it stands."""
FENCE = re.compile(r"^```(?:sh|bash|console)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(safari-table [^`\n]+)`")
CALM = {"most_tilt_deg": 6.0, "harsh": 0.05, "mess": 0.0}
STEP_MM, TALL_MM = 78.0, 100.0


def commands(document: str) -> list[str]:
    """Return the commands of a document's blocks, then those in its sentences that can be run as they stand."""
    found = []
    for block in FENCE.findall(document):
        lines = [line.partition(" #")[0].strip() for line in block.splitlines()]
        found += [line for line in lines if line.split(" ")[0] in PROGRAMS]
    for span in INLINE.findall(document):
        if not PLACEHOLDER.search(span) and span not in found:
            found.append(span)
    return found


def _saved(path: Path, image: Image) -> Path:
    cv2.imwrite(str(path), image, [cv2.IMWRITE_JPEG_QUALITY, 95])
    return path


def _row(deck: Deck, labels: Sequence[str], seed: int) -> Image:
    """Photograph cards side by side, upright."""
    hand = Hand(np.random.default_rng(seed), deck)
    cards = [hand.lay("card", x, (k * STEP_MM, 0.0), deck.edition.size_mm, 90.0) for k, x in enumerate(labels)]
    return photograph(Table(tuple(cards)), deck, seed, Manner(1600, 800, **CALM), Pictures())[0]


def _grid(deck: Deck, labels: Sequence[str]) -> Image:
    """Photograph one player's six cards."""
    hand = Hand(np.random.default_rng(7), deck)
    places = [((k % 3) * STEP_MM, -(k // 3) * TALL_MM) for k in range(len(labels))]
    cards = [hand.lay("card", x, at, deck.edition.size_mm, 90.0) for x, at in zip(labels, places, strict=True)]
    return photograph(Table(tuple(cards)), deck, 7, Manner(960, 720, **CALM), Pictures())[0]


def _table(game: Game, seed: int) -> Image:
    deck = find(None, game)
    return picture(scene(seed, game, deck), deck, seed, Manner(960, 720, **CALM))[0]


ENROLLED = ("fox", "mouse", "rabbit", "monkey", "zebra")
MISREAD = {"game": "paper-safari", "deck": "paper-safari", "pieces": []}


def prepare(folder: Path) -> None:
    """Draw the pictures that the documents speak of, under the names they have there."""
    paper = find(None, "paper-safari")
    faces = [name if name in paper.faces else sorted(paper.faces)[k] for k, name in enumerate(ENROLLED)]
    for name in ("page1.jpg", "photo1.jpg"):
        _saved(folder / name, _row(paper, faces, 4))
    _saved(folder / "photo2.jpg", _row(paper, ("lion", "giraffe", "elephant"), 4))
    _saved(folder / "row.jpg", _row(paper, ("lion", "lion", "zebra", "zebra", "fox"), 5))
    _saved(folder / "table.jpg", _grid(paper, (*faces, faces[0])))
    _saved(folder / "ring.jpg", _table("kleine-fotosafari", 300))
    _saved(folder / "field.jpg", _table("string-safari", 302))
    for name in ("labelled", "misreads"):
        (folder / name).mkdir()
        _saved(folder / name / "one.jpg", _row(paper, faces, 6))
        (folder / name / "one.json").write_text(json.dumps(MISREAD))
