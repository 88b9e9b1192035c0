"""String Safari's end on rendered tables, a photograph of each stash: python -m measuring.finals FOLDER [--count 10].

The pictures are drawn once into FOLDER and stay there. `--deck` names decks; `--art` a folder of PNG pictures that
nothing was trained on, for decks of random faces and for the table tops.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from decks.deck import Deck, find
from measuring import randomdeck
from measuring.truthful import answered
from scoring.answers import STASHES
from scoring.table import Piece, Table
from service.reading import seen_in
from synth import string_scene
from synth.pictures import Pictures
from synth.render import Manner, PieceLabel, photograph, picture
from synth.scene import Hand, Scene
from vision import burnt
from vision.crop import rectify
from vision.recogniser import Recogniser
from vision.stash import read_stash

GAME = "string-safari"
MANNER = Manner(width=1280, height=960, most_tilt_deg=30.0, harsh=0.3, mess=0.3)
JPEG_QUALITY = 95
SIDE_PX, INK = 48, 200  # a piece as it is laid beside its face; the darkest channel of inks that burn white
PLAIN = 0.3  # of a coin or tile: of what is less in view nobody can say what it is
Image = np.typing.NDArray[np.uint8]
PARTS = ("coins", "research", "animals")


@dataclass(frozen=True)
class PlayerRow:
    """How one player's end was read.

    `right`: the total as read, before any question was answered. `hidden`: a coin, a research tile or a marked animal
    is out of sight, so that nobody could tell the total. `silent`: wrong even after all questions are answered truly,
    or hidden and not asked. `asked`: by a question of its own, more than by the one that closes every final table.
    `wrong`: the parts that differ. `stash`: what was missed and what was read too much.
    """

    player: str
    right: bool
    hidden: bool
    silent: bool
    asked: bool
    wrong: tuple[str, ...]
    stash: str

    def __str__(self) -> str:
        state = "SILENT" if self.silent else "hidden" if self.hidden else "right" if self.right else "wrong"
        told = [*self.wrong, *([self.stash] if self.stash else [])]
        return f"  {self.player:7} {state}{' asked' if self.asked else ''}  {'; '.join(told)}".rstrip()


@dataclass(frozen=True)
class Drawn:
    """A table as it was drawn. `hidden`: ids of stash pieces hardly in view; `corners_px`: (4, 2) of each piece."""

    scene: Scene
    hidden: frozenset[int]
    corners_px: Mapping[int, np.typing.NDArray[np.floating]]


def drawn(folder: Path, name: str, seed: int, deck: Deck, pictures: Pictures) -> Drawn:
    """Draw a table and its stashes where they are not there yet."""
    rng = np.random.default_rng([seed, 41])
    scene = string_scene.lay(seed, rng, Hand(rng, deck), string_scene.STASHES)
    told = folder / f"{name}.json"
    if not told.exists():
        seen: dict[int, PieceLabel] = {}
        image, labels = picture(scene, deck, seed, MANNER, pictures)
        _save(folder / f"{name}.jpg", image)
        seen |= dict(_in_view(image, scene.table, labels.pieces, deck))
        for k, (player, stash) in enumerate(scene.stashes.items()):
            image, labels = photograph(stash, deck, seed * 10 + k, MANNER, pictures)
            _save(folder / f"{name}-{player}.jpg", image)
            seen |= dict(_in_view(image, stash, labels.pieces, deck))
        places = {i: [round(one.visible, 3), one.corners_px.round(2).tolist()] for i, one in seen.items()}
        told.write_text(json.dumps(places), encoding="utf-8")
    places = json.loads(told.read_text(encoding="utf-8"))
    hidden = frozenset(int(i) for i, (visible, _) in places.items() if visible < PLAIN)
    return Drawn(scene, hidden, {int(i): np.array(corners) for i, (_, corners) in places.items()})


def _in_view(
    image: Image, table: Table, labels: Mapping[int, PieceLabel], deck: Deck
) -> Iterator[tuple[int, PieceLabel]]:
    """Yield each piece with the share of it that can be seen: what a lamp burns white cannot."""
    shelves = {"tile": deck.faces, "research": deck.research, "coin": deck.coins}
    for i, one in labels.items():
        piece = next((p for p in table.pieces if p.id == i), None)
        faces = shelves.get(piece.kind, {}).get(str(piece.label)) if piece is not None else None
        lost = _lost(image, one.corners_px, faces[0]) if faces else 0.0
        yield i, replace(one, visible=one.visible * (1 - lost))


def _lost(image: Image, corners_px: np.typing.NDArray[np.floating], face: Image) -> float:
    """Return what share of a face's inks, all that is not white paper, is burnt white in a picture."""
    crop = cv2.blur(rectify(image, corners_px, SIDE_PX, SIDE_PX), (3, 3)).min(axis=2)
    inks = cv2.resize(face, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA).min(axis=2) < INK
    return float((crop[inks] >= burnt.BURNT).mean()) if inks.any() else 0.0


def _save(path: Path, image: np.typing.NDArray[np.uint8]) -> None:
    cv2.imwrite(str(path), image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])


def judged(
    table: Drawn, answers: tuple[Mapping[str, Any], Mapping[str, Any]], read: Mapping[str, list[Piece]], deck: Deck
) -> Iterator[PlayerRow]:
    """Judge, player by player, an answer and what its questions, answered, make of it; `read`: of each stash."""
    (answer, settled), true = answers, table.scene.answer(deck).sheet.to_json()
    for player, want in true["players"].items():
        got, after = (one["sheet"]["players"][player] for one in (answer, settled))
        about = [q["piece"] for q in answer["questions"] if _touches(q, player)]
        stash = table.scene.stashes[player]
        marked = {p.on for p in table.scene.table.pieces if p.kind == "marker" and p.label == player}
        buried = any(p.id in table.hidden for p in stash.pieces) or not marked.isdisjoint(table.hidden)
        right, asked = got["total"] == want["total"], any(piece != STASHES for piece in about)
        wrong = [f"{part} {got[part]} for {want[part]}" for part in PARTS if got[part] != want[part]]
        wrong += [f"{part} {after[part]} when answered" for part in PARTS if after[part] != want[part]]
        silent = after["total"] != want["total"] or (buried and not about)
        differences = _differences(stash, read[player], table.hidden)
        yield PlayerRow(player, right, buried, silent, asked, tuple(wrong), differences)


def _touches(question: Mapping[str, Any], player: str) -> bool:
    """Tell whether a question puts this player's total at stake."""
    return f"of {player}" in question["changes"] or question["changes"].endswith(f"total of {player}")


def _differences(stash: Table, read: Sequence[Piece], hidden: frozenset[int]) -> str:
    want = Counter((p.kind, p.label) for p in stash.pieces if p.id not in hidden)
    have = Counter((p.kind, p.label) for p in read)
    missed, extra = want - have, have - want
    buried = sum(p.id in hidden for p in stash.pieces)
    told = [f"missed {_named(missed)}"] if missed else []
    told += [f"extra {_named(extra)}"] if extra else []
    return ", ".join([*told, *([f"{buried} hidden"] if buried else [])])


def _named(counter: Counter[tuple[Any, str | None]]) -> str:
    return " ".join(f"{kind}:{label}" + (f"×{n}" if n > 1 else "") for (kind, label), n in counter.items())


def table(
    folder: Path, name: str, seed: int, deck: Deck, recogniser: Recogniser, pictures: Pictures
) -> list[PlayerRow]:
    """Draw one table, read it as `score --final --stash …` does, and judge each player's end."""
    made = drawn(folder, name, seed, deck, pictures)
    started = time.process_time()
    read = {
        p: read_stash(cv2.imread(str(folder / f"{name}-{p}.jpg")), deck, recogniser)  # type: ignore[arg-type]  # just written
        for p in made.scene.stashes
    }
    seen = seen_in(cv2.imread(str(folder / f"{name}.jpg")), deck, recogniser)  # type: ignore[arg-type]
    answers = answered(seen, made.scene, read, made.corners_px)
    answer, _ = answers
    rows = list(judged(made, answers, read, deck))
    spent = time.process_time() - started
    print(f"{name} ({deck.edition.name}): {len(answer['questions'])} questions, {spent:.1f} s of CPU", flush=True)
    for question in answer["questions"]:
        print(f"    ? {question['piece']}: {question['message']}")
    print("\n".join(map(str, rows)), flush=True)
    return rows


def summary(rows: Sequence[PlayerRow]) -> str:
    """Return the figures in a line: of those whose pieces are all in view, and of the others."""
    seen, hidden = ([row for row in rows if row.hidden is so] for so in (False, True))
    n, right = max(len(seen), 1), sum(row.right for row in seen)
    unasked = sum(not row.asked for row in seen if not row.right)
    parts = Counter(text.split()[0] for row in seen if not row.right for text in row.wrong if "answered" not in text)
    told = f"{len(rows)} players, silent {sum(row.silent for row in rows)}: {len(seen)} in view, right {right} "
    told += f"({right / n:.3f}), asked {sum(row.asked for row in seen)}, wrong by the closing question alone {unasked}"
    told += "".join(f", {part} {count}" for part, count in parts.items())
    alone = sum(row.asked for row in hidden)
    return f"{told}; {len(hidden)} hidden, asked {alone}, by the closing question alone {len(hidden) - alone}"


def main() -> None:
    """Draw, read and judge so many tables, the decks by turns."""
    parser = argparse.ArgumentParser(prog="python -m measuring.finals", description=main.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=5000, help="of the first; the next ones follow")
    randomdeck.offer(parser)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    names, pictures = randomdeck.chosen(args, args.folder, GAME)
    decks = [find(name, GAME) for name in names]
    eyes = [Recogniser(deck) for deck in decks]
    rows: list[PlayerRow] = []
    for seed in range(args.seed, args.seed + args.count):
        k = seed % len(decks)
        rows += table(args.folder, f"final-{seed}", seed, decks[k], eyes[k], pictures)
    print(summary(rows))


if __name__ == "__main__":
    main()
