"""Decks enrolled from rendered photographs, and what is read with them: python -m measuring.enrolled FOLDER.

As a family does it: rows of research tiles, coins and markers are photographed and enrolled; what is refused, or asked
to be taken again, is taken again. Then stashes and markers on tiles, photographed with the pieces themselves, are read
with the enrolled deck and, to compare, with the deck that the pieces were drawn from.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from decks import writing
from decks.deck import Deck, DeckError, find, paths_by_label
from decks.manifest import FILE_NAME
from decks.picture import Image, read
from measuring import randomdeck
from measuring.beside import Right, markers_read, stash_read
from scoring.edition import Game
from scoring.table import Kind, Piece, Table
from service.deck_enrolling import MARKER_MM, Enrolling
from synth import stash_scene, string_scene
from synth.pictures import Pictures
from synth.render import Labels, Manner, photograph, picture
from synth.scene import Hand
from synth.things import rectangle
from vision.recogniser import Recogniser

GAME: Game = "string-safari"
MANNER = Manner(width=1280, height=720, most_tilt_deg=30.0, harsh=0.3, mess=0.3)
AT_ONCE, COLUMNS = 15, 5
"""Pieces in one photograph, and in one row."""
MOST_PHOTOGRAPHS = 5
"""Of the same pieces: whoever is asked for more gives up."""
KINDS: dict[str, tuple[Kind, float]] = {
    "research": ("research", stash_scene.RESEARCH_MM),
    "coins": ("coin", stash_scene.COIN_MM),
    "markers": ("marker", MARKER_MM),
}
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Taken:
    """One photograph of a spread: what was said of it, and how far corners are off, as a share of the side."""

    labels: tuple[str, ...]
    said: tuple[str, ...]
    refused: str | None
    off: tuple[float, ...]

    def again(self) -> tuple[str, ...]:
        """Return the labels that are to be photographed again."""
        if self.refused is not None:
            return self.labels
        told = [line for line in self.said if line.startswith("retake")]
        return tuple(label for label in self.labels if any(f'"{label}"' in line for line in told))


def rows(rng: np.random.Generator, kind: Kind, labels: Sequence[str], side_mm: float) -> Table:
    """Lay pieces in reading order, in rows that run askew, each a little off its place and turned a little."""
    step = side_mm * (1 + rng.uniform(0.2, 0.8))
    skew, jitter = float(rng.normal(0, 6)), float(rng.uniform(0, 5))
    turn = np.deg2rad(skew)
    way = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    pieces = []
    for k, label in enumerate(labels):
        place = way @ np.array([k % COLUMNS * step, -(k // COLUMNS) * step]) + rng.normal(0, side_mm * 0.03, 2)
        up = 90 + skew + float(rng.normal(0, jitter))
        corners = rectangle((float(place[0]), float(place[1])), (side_mm, side_mm), up)
        pieces.append(Piece(k, kind, label, tuple((float(x), float(y)) for x, y in corners), up))
    return Table(tuple(pieces))


def spread(folder: Path, group: str, labels: Sequence[str], deck: Deck, seed: int, pictures: Pictures) -> Taken:
    """Photograph one spread and enrol it into the folder."""
    kind, side_mm = KINDS[group]
    table = rows(np.random.default_rng([seed, 3]), kind, labels, side_mm)
    image, seen = photograph(table, deck, seed, MANNER, pictures)
    path = folder / f"{group}-{seed}.png"
    cv2.imwrite(str(path), image)
    job = Enrolling(folder / "deck", group, labels, replace=True)
    try:
        said = job.run([path])
    except DeckError as error:
        return Taken(tuple(labels), (), str(error), ())
    return Taken(tuple(labels), tuple(said), None, _off(job, image, seen))


def _off(job: Enrolling, image: Image, seen: Labels) -> tuple[float, ...]:
    """Return how far the corners that were cut are off the true ones, the worst of each piece."""
    if job.kind == "markers":
        return ()
    off = []
    for cutting, (_, true) in zip(job.cut([image])[0], sorted(seen.pieces.items()), strict=True):
        side = float(np.linalg.norm(true.corners_px[1] - true.corners_px[0]))
        if job.kind == "coins":
            far = np.linalg.norm(cutting.corners_px.mean(axis=0) - true.corners_px.mean(axis=0))
        else:
            far = np.linalg.norm(cutting.corners_px - true.corners_px, axis=1).max()
        off.append(float(far) / side)
    return tuple(off)


def enrolled(folder: Path, deck: Deck, seed: int, pictures: Pictures) -> tuple[Deck, list[Taken]]:
    """Enrol a deck's research tiles, coins and markers as a family would; return the deck as it reads then."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "deck" / "faces").mkdir(parents=True)
    text = writing.begun(GAME, "mine", deck.edition.size_mm)
    (folder / "deck" / FILE_NAME).write_text(text, encoding="utf-8")
    shelf = {"research": list(deck.research), "coins": list(deck.coins), "markers": list(deck.marker_colours)}
    taken: list[Taken] = []
    for number, (group, labels) in enumerate(shelf.items()):
        for start in range(0, len(labels), AT_ONCE):
            first = seed * 1000 + number * 100 + start * MOST_PHOTOGRAPHS
            taken += _until_good(folder, group, labels[start : start + AT_ONCE], deck, first, pictures)
    return _as_read(folder / "deck", deck), taken


def _until_good(
    folder: Path, group: str, labels: Sequence[str], deck: Deck, first: int, pictures: Pictures
) -> list[Taken]:
    """Photograph and enrol pieces, again as far as that is asked for."""
    taken: list[Taken] = []
    while labels and len(taken) < MOST_PHOTOGRAPHS:
        taken.append(spread(folder, group, labels, deck, first + len(taken), pictures))
        print(_line(group, taken[-1]), flush=True)
        labels = taken[-1].again()
    return taken


def _line(group: str, one: Taken) -> str:
    worst = f"corners off {max(one.off):.1%} at worst" if one.off else ""
    return "\n".join([f"  {len(one.labels)} {group}: {one.refused or worst}", *(f"    {line}" for line in one.said)])


def _as_read(folder: Path, deck: Deck) -> Deck:
    """Return a deck with the pictures and colours that a folder has, as far as it has any."""
    own = {
        kind: {
            label: tuple(read(path) for path in paths)
            for label, paths in paths_by_label(folder / kind, getattr(deck, kind)).items()
        }
        for kind in ("research", "coins")
    }
    learnt = writing.readable((folder / FILE_NAME).read_text(encoding="utf-8")).get("markers", {})
    colours = {label: str(learnt.get(label, "white")) for label in deck.marker_colours}
    return replace(deck, research=own["research"], coins=own["coins"], marker_colours=colours)


def tried(
    folder: Path, name: str, seed: int, decks: dict[str, tuple[Deck, Recogniser]], clean: Deck, pictures: Pictures
) -> dict[tuple[str, str], Right]:
    """Photograph a stash and a table with the clean deck's pieces; read both with each of the decks."""
    rng = np.random.default_rng([seed, 9])
    hand = Hand(rng, clean)
    box = [label for label, tile in clean.edition.research.items() for _ in range(tile.count)]
    stash = stash_scene.lay(rng, hand, [box[i] for i in rng.permutation(len(box))])
    image, seen = photograph(stash, clean, seed, MANNER, pictures)
    cv2.imwrite(str(folder / f"{name}-stash.png"), image)
    scene = string_scene.lay(seed, rng, Hand(rng, clean), "final")
    table, shown = picture(scene, clean, seed, MANNER, pictures)
    cv2.imwrite(str(folder / f"{name}-table.png"), table)
    rows: dict[tuple[str, str], Right] = {}
    for which, (deck, recogniser) in decks.items():
        judged = stash_read(image, stash, seen, deck, recogniser)
        judged["marker"] = markers_read(table, scene.table, shown, deck, recogniser)
        rows |= {(which, kind): one for kind, one in judged.items()}
        print(f"  {name} {which}: " + "; ".join(f"{kind} {one}" for kind, one in judged.items()), flush=True)
    return rows


def _one_deck(
    folder: Path, seed: int, tries: int, clean: Deck, pictures: Pictures
) -> tuple[list[Taken], list[tuple[tuple[str, str], Right]]]:
    """Enrol one deck and read so many stashes and tables with it."""
    print(f"deck {seed} ({clean.folder.name})", flush=True)
    own, taken = enrolled(folder, clean, seed, pictures)
    decks = {"enrolled": (own, Recogniser(own)), "clean": (clean, Recogniser(clean))}
    rows: list[tuple[tuple[str, str], Right]] = []
    for k in range(tries):
        rows += tried(folder, f"{seed}-{k}", seed * 100 + k, decks, clean, pictures).items()
    return taken, rows


def summary(taken: Sequence[Taken], rows: Sequence[tuple[tuple[str, str], Right]]) -> str:
    """Return the figures, a line each."""
    off = np.array([far for one in taken for far in one.off] or [0.0])
    again = sum(line.startswith("retake") for one in taken for line in one.said)
    lines = [
        f"{len(taken)} photographs, {sum(one.refused is not None for one in taken)} refused, {again} faces to retake; "
        f"cut off their corners by {np.median(off):.1%}, 95%: {np.quantile(off, 0.95):.1%}, worst {off.max():.1%}"
    ]
    for which, kind in dict.fromkeys(key for key, _ in rows):
        several = [one for key, one in rows if key == (which, kind)]
        there, right = sum(one.there for one in several), sum(one.right for one in several)
        silent = sum(one.silent for one in several)
        lines.append(f"{which}: {right} of {there} {kind}: {right / max(there, 1):.2%}; silently wrong: {silent}")
    return "\n".join(lines)


def main() -> None:
    """Enrol so many decks by turns, read so many stashes and tables with each, and sum up."""
    parser = argparse.ArgumentParser(prog="python -m measuring.enrolled", description=main.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=6, help="decks to enrol")
    parser.add_argument("--tries", type=int, default=6, help="stashes and tables for each")
    parser.add_argument("--seed", type=int, default=100, help="of the first deck; the next ones follow")
    randomdeck.offer(parser)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    names, pictures = randomdeck.chosen(args, args.folder, GAME)
    taken: list[Taken] = []
    rows: list[tuple[tuple[str, str], Right]] = []
    for seed in range(args.seed, args.seed + args.count):
        clean = find(names[seed % len(names)], GAME)
        more, read_with = _one_deck(args.folder / f"deck-{seed}", seed, args.tries, clean, pictures)
        taken, rows = taken + more, rows + read_with
    print(summary(taken, rows))


if __name__ == "__main__":
    main()
