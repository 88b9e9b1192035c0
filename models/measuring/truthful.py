"""Questions of a final table answered as someone who sees the pieces would: what is wrong then, nobody would know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from scoring.answers import COUNTED, HIDDEN, NONE, STASHES, UNSEEN
from scoring.edition import Edition
from scoring.options import Options
from scoring.referee import judge
from scoring.table import Piece, Table
from service.seen import TableSeen
from synth.scene import Scene

Floats = npt.NDArray[np.floating]

NEAR = 0.6  # of a tile's side: what is read so far from a true tile is that tile
MOST_ROUNDS = 12  # of answering: answers may raise further questions
Answer = Mapping[str, Any]


def answered(
    seen: TableSeen, scene: Scene, read: Mapping[str, Sequence[Piece]], corners_px: Mapping[int, Floats]
) -> tuple[Answer, Answer]:
    """Return the answer as read, and the one after all its questions were answered truly.

    `read`: what was seen of each stash. `corners_px`: of the true table's pieces, by their ids.
    """
    options = {**scene.options, "stash": read}
    first = last = seen.answer(options)
    told: dict[str, str] = {}
    for _ in range(MOST_ROUNDS):
        new = {str(q["piece"]) for q in last["questions"]} - told.keys()
        if not new:
            break
        truth = _truth(seen, scene, read, corners_px, last, told)
        told |= {about: truth.get(about, NONE) for about in new}
        last = seen.answer({**options, "answer": [f"{about}={word}" for about, word in told.items()]})
    return first, last


def _truth(
    seen: TableSeen,
    scene: Scene,
    read: Mapping[str, Sequence[Piece]],
    corners_px: Mapping[int, Floats],
    answer: Answer,
    before: Mapping[str, str],
) -> dict[str, str]:
    """Return the true answers to an answer's questions; none for what is nothing of the deck.

    `before`: what was answered already: no coin or tile is named twice.
    """
    asked = {str(q["piece"]) for q in answer["questions"]}
    named = {about: None if word == NONE else word for about, word in before.items()}
    said: dict[str, str] = {}
    counted, true = True, _players(scene, seen)
    for player, pieces in read.items():
        said[f"coins:{player}"] = str(_in_coins(scene.stashes[player], seen.edition))
        said[f"research:{player}"] = str(_in_corners(scene.stashes[player], seen.edition))
        doubtful = {f"{player}:{p.id}": p for p in pieces if f"{player}:{p.id}" in asked}
        sure = [replace(p, label=named.get(f"{player}:{p.id}", p.label)) for p in pieces]
        sure = [p for p in sure if f"{player}:{p.id}" not in asked]
        told = _stash(scene.stashes[player], sure, doubtful)
        said |= told
        kinds = {"coin", "research"} - ({"coin"} if f"coins:{player}" in asked else set())
        words = [(str(doubtful[about].kind), word) for about, word in told.items()]
        counted = counted and _all_seen(scene.stashes[player], sure, words, kinds)
        said[f"animals:{player}"] = str(true[player]["animals"])
        counted = counted and answer["sheet"]["players"][player]["animals"] in (None, true[player]["animals"])
    said[STASHES] = next(word for word, meant in COUNTED.items() if meant == counted)
    said[UNSEEN] = next(word for word, meant in HIDDEN.items() if meant == _overlooked(seen, scene, corners_px))
    at = {p["id"]: np.mean(p["corners_px"], axis=0) for p in answer["pieces"]}
    marks = {p.on: p.label for p in scene.table.pieces if p.kind == "marker"}
    for piece in (p for p in seen.table.pieces if str(p.id) in asked):
        place = at[piece.id] if piece.on is None else at[piece.on]
        tile = _tile_at(place, scene, corners_px)
        if tile is not None:
            said[str(piece.id)] = str((tile.label if piece.kind == "tile" else marks.get(tile.id)) or NONE)
    return said


def _in_coins(stash: Table, edition: Edition) -> int:
    return sum(edition.coins[str(p.label)] for p in stash.pieces if p.kind == "coin")


def _in_corners(stash: Table, edition: Edition) -> int:
    return sum(edition.research[str(p.label)].points for p in stash.pieces if p.kind == "research")


def _all_seen(true: Table, sure: Sequence[Piece], told: Sequence[tuple[str, str]], kinds: set[str]) -> bool:
    """Tell whether what was read surely, and what is told of the rest, is all that lies there, of these kinds."""
    read = Counter((str(p.kind), str(p.label)) for p in sure if p.label is not None)
    read += Counter(each for each in told if each[1] != NONE)
    there = Counter((str(p.kind), str(p.label)) for p in true.pieces)
    return all(read[key] == there[key] for key in read.keys() | there.keys() if key[0] in kinds)


def _players(scene: Scene, seen: TableSeen) -> Mapping[str, Any]:
    """Return the players' true sheets."""
    told = {**scene.options, "stash": {player: stash.pieces for player, stash in scene.stashes.items()}}
    players: Mapping[str, Any] = judge(scene.table, seen.edition, Options.parse(told, seen.edition)).sheet.to_json()[
        "players"
    ]
    return players


def _overlooked(seen: TableSeen, scene: Scene, corners_px: Mapping[int, Floats]) -> bool:
    """Tell whether a tile or a marker lies there that was not read."""
    read = [(p, _tile_at(np.mean(seen.corners_px[p.id], axis=0), scene, corners_px)) for p in seen.table.pieces]
    tiles = {tile.id for p, tile in read if p.kind == "tile" and tile is not None}
    on = {p.id: tile.id for p, tile in read if p.kind == "tile" and tile is not None}
    marked = {on[p.on] for p, _ in read if p.on in on}
    there = [p for p in scene.table.pieces if p.kind in ("tile", "marker")]
    return any(p.id not in tiles if p.kind == "tile" else p.on not in marked for p in there)


def _tile_at(place_px: Floats, scene: Scene, corners_px: Mapping[int, Floats]) -> Piece | None:
    tiles = [p for p in scene.table.pieces if p.kind == "tile" and p.id in corners_px]
    off = {t.id: float(np.linalg.norm(corners_px[t.id].mean(axis=0) - place_px)) for t in tiles}
    nearest = min(tiles, key=lambda t: off[t.id], default=None)
    if nearest is None:
        return None
    quad = corners_px[nearest.id]
    return nearest if off[nearest.id] < NEAR * float(np.linalg.norm(quad[1] - quad[0])) else None


def _stash(true: Table, sure: Sequence[Piece], doubtful: Mapping[str, Piece]) -> dict[str, str]:
    """Say of each doubtful piece which of those it is that are not among the sure ones."""
    left = Counter((p.kind, p.label) for p in true.pieces) - Counter((p.kind, p.label) for p in sure)
    said: dict[str, str] = {}
    for about, piece in sorted(doubtful.items(), key=lambda each: -each[1].probability):
        likely = [label for label, _ in piece.candidates]
        order = [*likely, *(label for kind, label in left if label not in likely)]
        label = next((one for one in order if left[piece.kind, one] > 0), None)
        left[piece.kind, label] -= label is not None
        said[about] = NONE if label is None else label
    return said
