"""What players said of pieces and strings, and for how long it holds: until what they spoke of was touched. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scoring.answers import LOOPS, TOUCHES

SAME_CORNER = 0.03  # of a side: a piece that was touched lies at least so far off
SAME_PATH = 1 / 250  # of the picture's width: a string that was touched lies somewhere at least so far off
KEPT_POINTS = 48  # of a string's path: enough to tell whether it lies as it did
ABOUT_STRINGS = frozenset((*TOUCHES, *LOOPS))
"""Words that say how a string lies, of itself or beside a tile: another string's way ends them."""

Path = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Word:
    """A player's word on a piece or a string, and how everything that it rests on lay and looked then.

    `corners_px`, `top`: the piece's, and the label that it looked most like; empty and None for a string. `paths_px`:
    the strings', where the word is about how they lie.
    """

    choice: str
    corners_px: Path = ()
    top: str | None = None
    paths_px: Mapping[str, Path] = field(default_factory=dict)

    def holds(self, piece: Mapping[str, Any] | None, strings: Sequence[Mapping[str, Any]], width_px: float) -> bool:
        """Whether all still lies and looks as it did: else the word was on something else. `piece`: None: a string."""
        if piece is not None and not (_lies(piece, self.corners_px) and top(piece) == self.top):
            return False
        now = {str(s["name"]): s["path_px"] for s in strings}
        return all(
            name in now and _along(path, now[name], SAME_PATH * width_px) for name, path in self.paths_px.items()
        )

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        corners = [list(corner) for corner in self.corners_px]
        paths = {name: [list(point) for point in path] for name, path in self.paths_px.items()}
        return {"choice": self.choice, "corners_px": corners, "top": self.top, "paths_px": paths}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Word:
        """Read it back."""
        paths = {name: _path(points) for name, points in data["paths_px"].items()}
        return cls(data["choice"], _path(data["corners_px"]), data["top"], paths)


def spoken(choice: str, piece: Mapping[str, Any] | None, strings: Sequence[Mapping[str, Any]]) -> Word:
    """Take a word on a piece of an answer, or on a string (None), as all lies now."""
    corners = _path(piece["corners_px"]) if piece is not None else ()
    about = piece is None or choice in ABOUT_STRINGS
    paths = {str(s["name"]): _thinned(s["path_px"]) for s in strings} if about else {}
    return Word(choice, corners, top(piece) if piece is not None else None, paths)


def still_true(words: Mapping[str, Word], answer: Mapping[str, Any]) -> dict[str, Word]:
    """Return those words, by piece id or string name, that hold on a newly read answer; an unseen piece's do."""
    pieces = {str(piece["id"]): piece for piece in answer["pieces"]}
    names = {str(s["name"]) for s in answer["strings"]}
    width = float(answer["image"]["width"])
    return {
        about: word
        for about, word in words.items()
        if (about not in pieces and about not in names and word.corners_px)
        or word.holds(pieces.get(about), answer["strings"], width)
    }


def found_again(words: Mapping[str, Word], answer: Mapping[str, Any]) -> dict[str, Word]:
    """Return words of another run of the program, under the ids that the pieces they were said of have now."""
    found: dict[str, Word] = {}
    width = float(answer["image"]["width"])
    for about, word in words.items():
        if not word.corners_px:
            if word.holds(None, answer["strings"], width):
                found[about] = word
            continue
        same = (p for p in answer["pieces"] if word.holds(p, answer["strings"], width))
        found.update({str(piece["id"]): word for piece in same})
    return found


def said(
    words: Mapping[str, Word], pieces: Sequence[Mapping[str, Any]], labels: Mapping[str, Sequence[str]]
) -> list[Mapping[str, Any]]:
    """Return an answer's pieces as the players say they are; `labels`: a kind of piece → the labels it can bear."""
    told: list[Mapping[str, Any]] = []
    for piece in pieces:
        word = words.get(str(piece["id"]))
        choice = word.choice if word is not None else None
        if choice in labels.get(piece["kind"], ()):
            told.append({**piece, "label": choice})
        elif choice is not None and piece["kind"] == "photo":
            seen = (list(sequence) for sequence, _ in piece.get("sequence_candidates", ()))
            animals = next((sequence for sequence in seen if "-".join(sequence) == choice), choice.split("-"))
            told.append({**piece, "sequence": animals} if set(animals) <= set(labels.get("card", ())) else piece)
        else:
            told.append(piece)
    return told


def top(piece: Mapping[str, Any]) -> str | None:
    """Return the label that a piece looks most like, a photo card its animals."""
    if piece.get("sequence"):
        return "-".join(piece["sequence"])
    candidates = piece.get("candidates") or [[piece.get("label"), 1.0]]
    return candidates[0][0] if candidates else None


def _lies(piece: Mapping[str, Any], corners_px: Path) -> bool:
    corners = piece["corners_px"]
    side = math.dist(corners[0], corners[1])
    return all(math.dist(a, b) <= SAME_CORNER * side + 1 for a, b in zip(corners, corners_px, strict=True))


def _along(path: Path, other: Sequence[Sequence[float]], reach_px: float) -> bool:
    """Whether every point of a path lies near another path."""
    if not path or len(other) < 2:
        return not path and not len(other)
    points, ends = np.asarray(path, float)[:, None], np.asarray(other, float)
    start, step = ends[:-1], np.diff(ends, axis=0)
    share = ((points - start) * step).sum(-1) / np.maximum((step**2).sum(-1), 1e-9)  # (n, m): along each stretch
    nearest = start + np.clip(share, 0, 1)[..., None] * step
    return bool((np.sqrt(((points - nearest) ** 2).sum(-1)).min(1) <= reach_px).all())


def _thinned(path: Sequence[Sequence[float]]) -> Path:
    step = max(1, len(path) // KEPT_POINTS)
    return _path(path[::step])


def _path(points: Sequence[Sequence[float]]) -> Path:
    return tuple((round(float(x), 2), round(float(y), 2)) for x, y in points)
