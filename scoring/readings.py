"""Doubts of labels: what each doubtful piece can be, and how many of each face the box still holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Protocol

from scoring.answers import NONE
from scoring.certainty import FAINT, PLAUSIBLE, Asked, Choice, Doubt, Pooled, Verdict, odds_of, weigh
from scoring.sheet import Question
from scoring.table import BACK, Piece


class Readings(Protocol):
    """One table of one game, read in several ways."""

    @property
    def doubts(self) -> Sequence[Doubt]:
        """All that can be read in several ways."""
        ...

    @property
    def limits(self) -> Mapping[Pooled, int]:
        """How many of each face the box still holds for the doubts."""
        ...

    def outcome(self, choices: tuple[Choice, ...]) -> Hashable:
        """Return what counts where the doubts are settled so."""
        ...

    def question(self, asked: Asked) -> Question:
        """Put a doubt into words."""
        ...


Choices = tuple[Choice, ...]
Picker = Callable[[Choices], Choices]


def picker(places: Sequence[int]) -> Picker:
    """Return what picks the choices at these places: for thousands of readings, so it takes no time."""
    if len(places) > 1:
        return itemgetter(*places)
    return itemgetter(slice(places[0], places[0] + 1) if places else slice(0))


def weighed(readings: Readings) -> tuple[Verdict, tuple[Question, ...]]:
    """Return the best reading's choices, and the questions."""
    if not readings.doubts:
        return Verdict((), ()), ()
    verdict = weigh(readings.doubts, readings.limits, readings.outcome)
    return verdict, tuple(readings.question(asked) for asked in verdict.asked)


def label_doubt(
    piece: Piece,
    labels: Sequence[str],
    matters: Callable[[Choice], Hashable],
    pool: str | None,
    about: int | str | None = None,
) -> Doubt | None:
    """Return a piece's doubt, or None where it has one reading."""
    found = chances(piece, labels)
    if len(found) < 2:
        return None
    choices, probabilities = tuple(found), tuple(found.values())
    return Doubt(
        piece.id if about is None else about, choices, odds_of(probabilities), tuple(map(matters, choices)), pool
    )


def chances(piece: Piece, labels: Sequence[str]) -> Mapping[Choice, float]:
    """Return what a piece can be, most probable first.

    A piece without a label can be any, or none at all; so can another with what probability its candidates leave (but
    where a marker's do, none stands there). A candidate that the deck does not know is none of it.
    """
    known = {*labels, BACK}
    if may_be_none(piece):
        return {None: piece.probability, **dict(piece.candidates)}
    if piece.label is None:
        listed = [label for label, _ in piece.candidates if label in known]
        return dict.fromkeys((*(listed if len(listed) > 1 else labels), None), 1.0)
    if piece.probability == 1.0 and not piece.candidates:
        return {piece.label: 1.0}
    found: dict[Choice, float] = {}
    for label, probability in dict([(piece.label, piece.probability), *piece.candidates]).items():
        choice = label if label in known else None
        found[choice] = found.get(choice, 0.0) + probability
    left = 1.0 - sum(found.values())
    rest = (None,) if piece.kind == "marker" and piece.candidates else (*labels, None)
    others = [label for label in rest if label not in found] if left >= FAINT else []
    found |= dict.fromkeys(others, left / max(len(others), 1))
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


def may_be_none(piece: Piece) -> bool:
    """Tell whether a piece stands for a coin, or a research tile, that is likelier none than any: it is not counted."""
    likelier = piece.label is None and bool(piece.candidates) and piece.probability < 1.0
    return likelier and piece.kind in ("coin", "research")


def limits_left(pieces: Iterable[Piece], counts: Mapping[str, int], pool: str, doubtful: set[int]) -> dict[Pooled, int]:
    """Return how many of each face the box still holds, beside the pieces that are read for sure."""
    used = Counter(p.label for p in pieces if p.id not in doubtful and sure(p))
    return {(pool, label): max(count - used[label], 0) for label, count in counts.items()}


def sure(piece: Piece) -> bool:
    """Tell whether a piece's label is so sure that no other piece can be the one that it seems to be."""
    return dict(piece.candidates).get(str(piece.label), piece.probability) >= 1.0 - PLAUSIBLE


def words(choices: Iterable[Choice]) -> tuple[str, ...]:
    """Return choices as a question shows them."""
    return tuple(NONE if c is None else c for c in choices)


def either(texts: Iterable[str]) -> str:
    """Join texts as "a, b or c", each once."""
    *most, last = dict.fromkeys(texts)
    return f"{', '.join(most)} or {last}" if most else last


def points_at_stake(points: Iterable[int | None], illegal: str = "nothing, being illegal") -> str:
    """Say which points are at stake: "3 or 0 points", "0 to 9 points"."""
    found = list(dict.fromkeys(points))
    numbers = [p for p in found if p is not None]
    if len(numbers) > MOST_NUMBERS:
        text = f"{min(numbers)} to {max(numbers)} points"
    else:
        text = f"{either(map(str, numbers))} point{'' if numbers == [1] else 's'}" if numbers else ""
    return either([t for t in (text, illegal if None in found else "") if t])


MOST_NUMBERS = 3
"""More possible totals than this are told as a range."""
