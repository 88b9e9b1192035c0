"""A rectified face → which label of the deck, which way is up, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from decks.deck import Deck, Image
from vision import correlation, covered, embedding, figurefit, light, naming, registration, strip, tints, verification
from vision.crop import Floats, disc_only, rectify, shrunk, spun, squeezed, turned
from vision.fading import compared
from vision.figurefit import Figure
from vision.naming import Doubles, Evidence, Ints
from vision.registration import Face
from vision.strip import StripReading
from vision.threads import each

__all__ = ["Group", "Naming", "Recogniser", "StripReading", "Turns", "rectify"]

Group = Literal["faces", "research", "photos", "coins"]
Turns = Literal[4, 2, "all"]

KEPT_PX = 128  # of a reference's longer side: more than is ever compared
DISC_STEP_DEG = 15.0  # between two turns in which a disc's reference is kept
TURNS_DEG: Mapping[Turns, tuple[float, ...]] = {
    4: (0.0, 90.0, 180.0, 270.0),
    2: (0.0, 180.0),
    "all": tuple(DISC_STEP_DEG * i for i in range(round(360 / DISC_STEP_DEG))),
}


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
    small: Image  # (m, side, side, 3) as the network sees them
    soft: Floats  # (m, side, side, 3) as the correlation compares them
    features: Floats  # (m, …) for the correlation
    directions: Floats  # (m, d) of the network
    tints: Floats  # (m, …) hues
    swatches: Floats  # (m, 2, 3) for the common light

    def row(self, label: str) -> int:
        """Return the row of a label's first picture, upright."""
        return self.row_label.index(self.labels.index(label))


class Recogniser:
    """Names crops by a deck's reference pictures; a reference is prepared once, when first needed."""

    def __init__(self, deck: Deck) -> None:
        self._bare = deck.edition.game in ("paper-safari", "kleine-fotosafari")  # nothing lies on their cards
        self._pictures: dict[Group, Mapping[str, tuple[Image, ...]]] = {
            "faces": deck.faces,
            "research": deck.research,
            "photos": deck.photos,
            "coins": deck.coins,
        }
        self._references: dict[tuple[Group, Turns], _References] = {}
        self._sized: dict[tuple[Group, str, int, tuple[int, int]], Image] = {}
        self._faces: dict[tuple[Group, str, int, tuple[int, int]], Face] = {}
        self._figures: tuple[tuple[Figure, ...], ...] | None = None

    def name(
        self,
        crops: Sequence[Image],
        *,
        group: Group = "faces",
        turns: Turns = 4,
        centres_px: npt.ArrayLike | None = None,
        thorough: bool = True,
        known: Sequence[str] = (),
    ) -> list[Naming]:
        """Name crops (h, w, 3) BGR, each one piece edge to edge, by the group's references.

        turns: 4 for square pieces, 2 for others (crops whose aspect fits), "all" for discs. centres_px: (n, 2), where
        the crops lie in one photograph: then those named for sure tell the light in which the others are seen.
        thorough: look twice at what is not sure, and under what may lie on it; else only at what is quite unsure.
        known: labels of the last crops, upright, which are known: they only tell the light, and are not named.
        """
        if len(crops) == len(known) or not self._pictures[group]:
            return [NOT_OF_THIS_DECK for _ in crops[len(known) :]]
        references = self._prepared(group, turns)
        seen = [disc_only(crop) for crop in crops] if turns == "all" else list(crops)
        soft = correlation.softened(seen)
        count = len(crops) - len(known)
        log_odds = _log_odds(seen[:count], soft[:count], references, thorough)
        if centres_px is not None:
            centres = np.asarray(centres_px, dtype=np.float32).reshape(-1, 2)
            log_odds = _in_common_light(log_odds, soft, references, centres, known)
        namings = _namings(log_odds, references)
        if not (thorough and self._bare and group == "faces" and centres_px is not None):
            return namings
        return [self._in_any_light(crop, one) for crop, one in zip(crops, namings, strict=False)]

    def _in_any_light(self, crop: Image, told: Naming) -> Naming:
        """Return a doubtful card's name anew, compared in a light that may bend over it."""
        if told.probability >= naming.SURE:
            return told
        again = compared(crop, dict(told.candidates), partial(self.picture, "faces"))
        order = sorted(again, key=lambda label: -again[label][0])
        turns = told.quarter_turns if order[0] in (None, told.label) else again[order[0]][1]
        candidates = tuple((label, again[label][0]) for label in order)
        return replace(told, candidates=candidates, quarter_turns=turns, turned_deg=90.0 * turns)

    def prepare(self, group: Group = "faces", turns: Turns = 4) -> None:
        """Prepare a group's references now, which `name` else does when it first needs them."""
        if self._pictures[group]:
            self._prepared(group, turns)

    def picture(self, group: Group, label: str, size_px: tuple[int, int], which: int = 0) -> Image:
        """Return a label's reference shrunk to (width, height) px; it is shrunk once."""
        key = (group, label, which, size_px)
        if key not in self._sized:
            whole = self._pictures[group][label][which]
            self._sized[key] = cv2.resize(whole, size_px, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
        return self._sized[key]

    def face(self, group: Group, label: str, size_px: tuple[int, int], which: int = 0) -> Face:
        """Return a label's reference as it is laid onto pictures at (width, height) px; it is prepared once."""
        key = (group, label, which, size_px)
        if key not in self._faces:
            self._faces[key] = registration.face(self.picture(group, label, size_px, which))
        return self._faces[key]

    def read_strip(self, crop: Image, part: StripReading | None = None) -> StripReading:
        """Read a photo card without a face of its own: (h, w, 3), edge to edge, long side level, either way up.

        `part`: as `strip.read` takes it.
        """
        if self._figures is None:
            self._figures = figurefit.figures(self._pictures["faces"])
        return strip.read(crop, self._figures, part)

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
        for picture in (shrunk(picture, KEPT_PX) for picture in pictures[label]):
            for j, deg in enumerate(turns_deg):
                rows.append(_as_seen(picture, deg, disc=turns == "all"))
                row_label.append(i)
                row_turn.append(j)
    soft = correlation.softened(rows)
    directions = embedding.directions(embedding.embedder().embed(rows))
    return _References(
        labels,
        turns_deg,
        tuple(row_label),
        tuple(row_turn),
        np.stack([squeezed(row, embedding.SIDE_PX) for row in rows]),
        soft,
        correlation.features(soft),
        directions,
        tints.features(soft),
        light.swatches(soft),
    )


def _as_seen(picture: Image, deg: float, *, disc: bool) -> Image:
    """Turn an upright reference so that turning it clockwise by `deg` makes it upright again."""
    return spun(disc_only(picture), -deg) if disc else turned(picture, -round(deg / 90))


def _log_odds(crops: Sequence[Image], soft: Floats, references: _References, thorough: bool) -> Doubles:
    """Return log-odds (n, m + 1): a first look at all, a second one where that leaves a doubt."""
    network = embedding.embedder()
    queries = network.embed(crops)
    correlations, which = correlation.scores(soft, references.features)
    seen = Evidence(
        np.asarray(queries @ references.directions.T, dtype=np.float32),
        correlation.evidence(correlations),
        np.asarray(tints.features(soft) @ references.tints.T, dtype=np.float32),
        np.asarray(np.linalg.norm(queries, axis=1), dtype=np.float32),
    )
    log_odds = naming.first_look(seen, network.calibration)
    doubtful = np.flatnonzero(naming.probabilities(log_odds).max(axis=1) < (naming.SURE if thorough else naming.LIKELY))
    if len(doubtful):
        listed = naming.shortlist(log_odds[doubtful])
        verified = verification.shortlisted(soft[doubtful], references.soft, listed, which[doubtful])
        again = naming.second_look(seen.of(doubtful), listed, verified.scores, network.calibration)
        places = covered.places(naming.probabilities(again).max(axis=1), verified) if thorough else {}
        if places:
            on = np.array(list(places))
            i, lying = doubtful[on], np.stack(list(places.values()))
            small = [squeezed(crops[k], embedding.SIDE_PX) for k in i]
            anew = _under(small, queries[i], soft[i], which[i], lying, seen.of(i), references)
            again[on] = covered.SURER * (again[on] + covered.SHARE * (anew - again[on]))
        log_odds[doubtful] = again
    return log_odds


def _under(
    crops: Sequence[Image],
    queries: Floats,
    soft: Floats,
    which: Ints,
    places: Ints,
    seen: Evidence,
    references: _References,
) -> Doubles:
    """Return crops' log-odds (n, m + 1) anew, what lies at `places` (n, 2) left out; which: (n, m) first warps."""
    calibration = embedding.embedder().calibration
    rows = each(
        lambda k: covered.evidence(crops[k], queries[k], soft[k], places[k], seen.of(np.array([k])), references),
        range(len(crops)),
    )
    rest = naming.joined(rows)
    listed = naming.shortlist(naming.first_look(rest, calibration))
    scores = verification.shortlisted(soft, references.soft, listed, which).scores
    return naming.second_look(rest, listed, scores, calibration)


def _in_common_light(
    log_odds: Doubles, soft: Floats, references: _References, centres_px: Floats, known: Sequence[str]
) -> Doubles:
    """Add to log-odds (n, m + 1) what the colours say in the light of those named for sure, and of the last, `known`.

    soft: (n + known, …); centres_px: (n + known, 2).
    """
    best = log_odds.argmax(axis=1)
    sure = (naming.probabilities(log_odds).max(axis=1) >= naming.TELLS_LIGHT) & (best < len(references.row_label))
    seen = light.swatches(soft)
    rows = np.concatenate([best[sure], [references.row(label) for label in known]]).astype(int)
    telling = np.concatenate([np.flatnonzero(sure), np.arange(len(best), len(seen))])
    common = light.common(seen[telling], references.swatches[rows], centres_px[telling])
    if common is None:
        return log_odds
    told = common.evidence(seen[: len(best)], references.swatches, centres_px[: len(best)])
    none = np.full((len(best), 1), -common.most / 2)
    return np.asarray(log_odds + np.concatenate([told, none], axis=1))


def _namings(log_odds: Doubles, references: _References) -> list[Naming]:
    """log_odds: (n, m + 1) one a reference row, and none. A label's odds are those of its best row."""
    shape = len(references.labels), len(references.turns_deg)
    best = np.full((len(log_odds), *shape), -np.inf)
    cells = np.array(references.row_label) * shape[1] + np.array(references.row_turn)
    np.maximum.at(best.reshape(len(best), -1).T, cells, log_odds[:, :-1].T)
    chances = naming.probabilities(np.concatenate([best.max(axis=2), log_odds[:, -1:]], axis=1))
    names: tuple[str | None, ...] = (*references.labels, None)
    order = np.argsort(-chances, axis=1, kind="stable")
    ranked = np.take_along_axis(chances, order, axis=1)
    turns = naming.probabilities(np.stack([rows[rows.max(axis=1).argmax()] for rows in best]))
    namings = []
    for labels, odds, sure in zip(order.tolist(), ranked.tolist(), turns, strict=True):
        deg = references.turns_deg[int(sure.argmax())]
        candidates = tuple(zip((names[k] for k in labels), odds, strict=True))
        namings.append(Naming(candidates, round(deg / 90) % 4, deg, float(sure.max())))
    return namings
