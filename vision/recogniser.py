"""A rectified face → which label of the deck, which way is up, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from decks.deck import Deck, Image
from vision import correlation, figurefit, strip
from vision.crop import Floats, disc_only, rectify, spun, turned
from vision.figurefit import Figure
from vision.strip import StripReading

__all__ = ["Group", "Naming", "Recogniser", "StripReading", "Turns", "rectify"]

Group = Literal["faces", "research", "photos", "coins"]
Turns = Literal[4, 2, "all"]

DISC_STEP_DEG = 15.0  # between two turns in which a disc's reference is kept
TURNS_DEG: Mapping[Turns, tuple[float, ...]] = {
    4: (0.0, 90.0, 180.0, 270.0),
    2: (0.0, 180.0),
    "all": tuple(DISC_STEP_DEG * i for i in range(round(360 / DISC_STEP_DEG))),
}
CORRELATION_GAIN = 30.0  # log-odds a unit of correlation
NONE_CORRELATION = 0.55  # a face that correlates no better than this is as likely not of the deck


@dataclass(frozen=True, slots=True)
class Naming:
    """What a crop shows.

    candidates: labels and probabilities, best first, summing to 1; None: not of this deck.
    quarter_turns: how often the crop must be turned clockwise by 90° to be upright, if it is the best label;
    turned_deg: the same as an angle, clockwise (discs: any angle); turn_probability: how sure that turn is.
    """

    candidates: tuple[tuple[str | None, float], ...]
    quarter_turns: int
    turned_deg: float
    turn_probability: float

    @property
    def label(self) -> str | None:
        """The likeliest label; None: not of this deck."""
        return self.candidates[0][0]

    @property
    def probability(self) -> float:
        """How likely the likeliest is."""
        return self.candidates[0][1]


NOT_OF_THIS_DECK = Naming(candidates=((None, 1.0),), quarter_turns=0, turned_deg=0.0, turn_probability=0.25)


@dataclass(frozen=True)
class _References:
    """A group's references in every turn: m rows, grouped by label and turn."""

    labels: tuple[str, ...]
    turns_deg: tuple[float, ...]
    row_label: tuple[int, ...]  # (m,) index into labels
    row_turn: tuple[int, ...]  # (m,) index into turns_deg
    features: Floats  # (m, …)


class Recogniser:
    """Names crops by a deck's reference pictures; a reference is prepared once, when first needed."""

    def __init__(self, deck: Deck) -> None:
        self._pictures: dict[Group, Mapping[str, tuple[Image, ...]]] = {
            "faces": deck.faces,
            "research": deck.research,
            "photos": deck.photos,
            "coins": deck.coins,
        }
        self._references: dict[tuple[Group, Turns], _References] = {}
        self._figures: tuple[Figure, ...] | None = None

    def name(self, crops: Sequence[Image], *, group: Group = "faces", turns: Turns = 4) -> list[Naming]:
        """Name crops (h, w, 3) BGR, each one piece edge to edge, by the group's references.

        turns: 4 for square pieces, 2 for others (crops whose aspect fits), "all" for discs.
        """
        references = self._prepared(group, turns)
        if not references.labels:
            return [NOT_OF_THIS_DECK for _ in crops]
        seen = [disc_only(crop) for crop in crops] if turns == "all" else list(crops)
        scores = correlation.scores(seen, references.features)
        return [_naming(row, references) for row in scores]

    def read_strip(self, crop: Image) -> StripReading:
        """Read a photo card without a face of its own: (h, w, 3), edge to edge, long side level, either way up."""
        if self._figures is None:
            self._figures = figurefit.figures(self._pictures["faces"])
        return strip.read(crop, self._figures)

    def _prepared(self, group: Group, turns: Turns) -> _References:
        key = (group, turns)
        if key not in self._references:
            self._references[key] = _prepare(self._pictures[group], turns)
        return self._references[key]


def _prepare(pictures: Mapping[str, tuple[Image, ...]], turns: Turns) -> _References:
    labels, turns_deg = tuple(pictures), TURNS_DEG[turns]
    rows: list[Image] = []
    row_label: list[int] = []
    row_turn: list[int] = []
    for i, label in enumerate(labels):
        for picture in pictures[label]:
            for j, deg in enumerate(turns_deg):
                rows.append(_as_seen(picture, deg, disc=turns == "all"))
                row_label.append(i)
                row_turn.append(j)
    return _References(labels, turns_deg, tuple(row_label), tuple(row_turn), correlation.features(rows))


def _as_seen(picture: Image, deg: float, *, disc: bool) -> Image:
    """Turn an upright reference so that turning it clockwise by `deg` makes it upright again."""
    return spun(disc_only(picture), -deg) if disc else turned(picture, -round(deg / 90))


def _naming(scores: Floats, references: _References) -> Naming:
    """scores: (m,) one a reference row."""
    best = np.full((len(references.labels), len(references.turns_deg)), -1.0)
    np.maximum.at(best, (np.array(references.row_label), np.array(references.row_turn)), scores)
    logits = np.append(best.max(axis=1), NONE_CORRELATION) * CORRELATION_GAIN
    odds = np.exp(logits - logits.max())
    probabilities = odds / odds.sum()
    names: tuple[str | None, ...] = (*references.labels, None)
    order = np.argsort(-probabilities, kind="stable")
    candidates = tuple((names[k], float(probabilities[k])) for k in order)
    top = next(k for k in order if names[k] is not None)
    turns = np.exp(CORRELATION_GAIN * (best[top] - best[top].max()))
    turn = int(turns.argmax())
    deg = references.turns_deg[turn]
    return Naming(candidates, round(deg / 90) % 4, deg, float(turns[turn] / turns.sum()))
