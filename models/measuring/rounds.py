"""Rounds of the card games and turns of String Safari, rendered: python -m measuring.rounds FOLDER --game GAME.

The pictures are drawn once into FOLDER and stay there. `--deck` names decks; `--art` a folder of PNG pictures that
nothing was trained on, for decks of random faces and for the table tops.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from decks.deck import Deck, find
from measuring import randomdeck
from scoring.sheet import Answer
from scoring.table import Piece
from service.eyes import NoSuchGameError
from service.reading import seen_in
from synth.pictures import Pictures
from synth.render import Manner, picture
from synth.scene import Scene, scene
from synth.string_scene import STASHES
from vision.recogniser import Recogniser

GAMES = ("paper-safari", "kleine-fotosafari", "string-safari")
MOST_TILT_DEG, HARSH, MESS = 35.0, 0.3, 0.3
JPEG_QUALITY = 92
PLAIN = 0.3  # of a piece: of what is less in view nobody can say what it is
NO_LAYOUT = ("no-grid", "no-ring")  # problems that say that nothing was scored
Image = np.typing.NDArray[np.uint8]


@dataclass(frozen=True)
class RoundRow:
    """How one round was read.

    `state`: right, silent (wrong and not asked), asked, failed, or due (asked, as the true table is, as a piece is
    hidden, or as stashes are photographed apart). `why`: what differs, and the questions.
    """

    name: str
    state: str
    why: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join((f"{self.name} {self.state}", *(f"    {line}" for line in self.why)))


@dataclass(frozen=True)
class Drawn:
    """A round as it was drawn. `hidden`: ids of pieces hardly in view; `middles_px`: (2,) of each piece."""

    scene: Scene
    image: Image
    hidden: frozenset[int]
    middles_px: dict[int, np.typing.NDArray[np.floating]]


def drawn(path: Path, scene: Scene, deck: Deck, manner: Manner, pictures: Pictures) -> Drawn:
    """Draw a round where it is not there yet; `path`: its picture's."""
    told = path.with_suffix(".json")
    if not told.exists():
        image, labels = picture(scene, deck, scene.seed, manner, pictures)
        cv2.imwrite(str(path), image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        places = {i: [round(one.visible, 3), one.corners_px.round(2).tolist()] for i, one in labels.pieces.items()}
        told.write_text(json.dumps(places), encoding="utf-8")
    places = json.loads(told.read_text(encoding="utf-8"))
    counted = {p.id for p in scene.table.pieces}
    hidden = frozenset(int(i) for i, (visible, _) in places.items() if visible < PLAIN and int(i) in counted)
    image = np.asarray(cv2.imread(str(path)), np.uint8)
    return Drawn(scene, image, hidden, {int(i): np.mean(corners, axis=0) for i, (_, corners) in places.items()})


def judged(name: str, made: Drawn, deck: Deck, recogniser: Recogniser) -> RoundRow:
    """Read one round and judge what counts of it."""
    true = made.scene.answer(deck)
    try:
        seen = seen_in(made.image, deck, recogniser)
    except NoSuchGameError as error:
        return RoundRow(name, "failed", (str(error),))
    told = seen.answer(dict(made.scene.options))
    middles = {i: np.mean(corners, axis=0) for i, corners in seen.corners_px.items()}
    why = [
        *_differences(made, seen.table.pieces, middles),
        *(f"? {q['piece']}: {q['message']}" for q in told["questions"]),
    ]
    same = _counts(told["sheet"]) == _counts(true.sheet.to_json())
    if any(problem["rule"] in NO_LAYOUT for problem in told["problems"]):
        state = "failed"
    elif told["questions"]:
        state = "due" if made.hidden or _asks(true) or made.scene.variety == STASHES else "asked"
    else:
        state = "right" if same else "silent"
    return RoundRow(name, state, (made.scene.variety, *why))


def _asks(answer: Answer) -> bool:
    """Tell whether even the true table leaves something to ask."""
    return bool(answer.questions)


def _counts(sheet: Any) -> object:
    """Return what counts: photos' verdicts; a set-up; a turn's points; or each player's total and what shows, and who
    wins.
    """
    if "setup" in sheet:
        return sheet["setup"]
    if "turn" in sheet:
        return sheet["legal"], sheet["turn"] and sheet["turn"]["points"]
    if "photos" in sheet:
        return [photo["valid"] for photo in sheet["photos"]]
    if isinstance(sheet["players"], dict):  # String Safari's
        return {name: player["total"] for name, player in sheet["players"].items()}, sheet["winners"]
    return [(p["total"], p["visible_total"]) for p in sheet["players"]], sheet["winners"]


def _differences(
    made: Drawn, read: Sequence[Piece], middles_px: dict[int, np.typing.NDArray[np.floating]]
) -> list[str]:
    """Say which pieces were missed, misread or read where none lies."""
    told, left = [], {p.id: p for p in read}
    for piece in (*made.scene.table.pieces, *made.scene.beside):
        off = {i: float(np.linalg.norm(middles_px[i] - made.middles_px[piece.id])) for i in left}
        nearest = min(off, key=lambda i: off[i], default=None)
        if nearest is None or off[nearest] > NEAR_PX:
            told += [f"missed {piece.kind} {piece.label} at {made.middles_px[piece.id].round().tolist()}"]
            continue
        found = left.pop(nearest)
        want, have = (p.sequence or p.label for p in (piece, found))
        if want != have:
            told.append(f"{piece.kind} {want} read as {have} ({found.probability:.2f}), id {found.id}")
    return [*told, *(f"extra {p.kind} {p.label} ({p.probability:.2f}), id {p.id}" for p in left.values())]


NEAR_PX = 15.0


def main() -> None:
    """Draw, read and judge so many rounds, the decks by turns."""
    parser = argparse.ArgumentParser(prog="python -m measuring.rounds", description=main.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--game", choices=GAMES, required=True)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1000, help="of the first; the next ones follow")
    parser.add_argument("--size", default="1280x720", help="of the picture, in px")
    parser.add_argument("--tilt", type=float, default=MOST_TILT_DEG, help="of the camera at most, in degrees")
    parser.add_argument("--harsh", type=float, default=HARSH, help="how bad the light is, 0 to 1")
    parser.add_argument("--mess", type=float, default=MESS, help="how much lies about, 0 to 1")
    parser.add_argument("--gloss", type=float, default=0.0, help="how likely the cards mirror a lamp, 0 to 1")
    randomdeck.offer(parser)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    names, pictures = randomdeck.chosen(args, args.folder, args.game)
    decks = [find(name, args.game) for name in names]
    eyes = [Recogniser(deck) for deck in decks]
    width, height = (int(side) for side in args.size.split("x"))
    manner = Manner(width, height, args.tilt, args.harsh, args.mess, args.gloss)
    states, shine = Counter[str](), f"-{args.gloss:g}" if args.gloss else ""
    for seed in range(args.seed, args.seed + args.count):
        deck, name = decks[seed % len(decks)], f"{args.game}-{seed}-{args.size}-{args.tilt:g}-{args.harsh:g}{shine}"
        made = drawn(args.folder / f"{name}.jpg", scene(seed, args.game, deck), deck, manner, pictures)
        row = judged(name, made, deck, eyes[seed % len(decks)])
        states[row.state] += 1
        print(row, flush=True)
    print(f"{args.count} rounds: " + ", ".join(f"{state} {n}" for state, n in states.most_common()))


if __name__ == "__main__":
    main()
