"""What can be wrong with pieces in any game: names the deck does not know, more than the box holds, no shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from scoring.layout import pose
from scoring.sheet import Problem
from scoring.table import BACK, Piece


def unknown_labels(pieces: Sequence[Piece], known: Collection[str]) -> list[Problem]:
    """Every label is a face of the deck or its back."""
    return [
        Problem("unknown-label", (p.id,), f"piece {p.id}: the deck has no {p.label!r}")
        for p in pieces
        if p.label is not None and p.label != BACK and p.label not in known
    ]


def too_many(pieces: Sequence[Piece], counts: Mapping[str, int]) -> list[Problem]:
    """No more of a face lie on the table than the box holds."""
    seen = Counter(p.label for p in pieces)
    return [
        Problem(
            "more-than-the-box-holds",
            tuple(p.id for p in pieces if p.label == label),
            f"{seen[label]} {label} on the table, the box holds {count}",
        )
        for label, count in counts.items()
        if seen[label] > count
    ]


def shapeless(pieces: Sequence[Piece]) -> list[Problem]:
    """Every piece has four finite corners and an area."""
    return [
        Problem("bad-outline", (p.id,), f"piece {p.id}: its outline is not four finite corners around an area")
        for p in pieces
        if pose(p) is None
    ]


def same_ids(pieces: Sequence[Piece]) -> list[Problem]:
    """No two pieces bear one id."""
    seen = Counter(p.id for p in pieces)
    return [Problem("same-id", (i,), f"{n} pieces bear the id {i}") for i, n in seen.items() if n > 1]
