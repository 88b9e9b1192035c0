"""Kleine Fotosafari's turns: which of the four actions explains the change between two still tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.edition import Edition
from scoring.kleine_fotosafari import pile_label
from scoring.layout import TOWARDS_VIEWER
from scoring.moves import Move, Moves, forbidden
from scoring.options import Options
from scoring.rings import find
from scoring.table import Point, Table

Animals = tuple[str | None, ...]
"""The ring counter-clockwise seen from above; None where an animal is not known."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One still table: the ring, and the pile's open card (None: not seen)."""

    ring: Animals
    pile: str | None


def snapshot(table: Table, near: Point = TOWARDS_VIEWER) -> Snapshot:
    """Return what lies in the ring and on the pile."""
    ring = find(table.pieces, near=near)
    return Snapshot(tuple(p.label for p in ring.places), pile_label(ring))


def moves(
    before: Table,
    after: Table,
    edition: Edition,
    options: Options,
    near: Point = TOWARDS_VIEWER,
    last: Table | None = None,
) -> Moves:
    """Explain the change between two still tables. `last`: the table before the turn before, whose swap must stand."""
    counts = {label: face.count for label, face in edition.faces.items()}
    earlier = None if last is None else snapshot(last, near)
    return explain(snapshot(before, near), snapshot(after, near), counts, earlier)


def explain(before: Snapshot, after: Snapshot, counts: dict[str, int], last: Snapshot | None = None) -> Moves:
    """Explain the change from one snapshot to the next. `last`: the snapshot before the player just before played."""
    if len(before.ring) != len(after.ring):
        return forbidden("ring-changed", f"the ring had {len(before.ring)} animals and now has {len(after.ring)}")
    ring = aligned(before.ring, after.ring)
    now = Snapshot(ring, after.pile)
    changed = [i for i, (a, b) in enumerate(zip(before.ring, ring, strict=True)) if None not in (a, b) and a != b]
    if undoes(before, now, last):
        return forbidden("undone-swap", "this only undoes the switch of the player just before")
    if not changed:
        return ring_kept(before, now, counts)
    if len(changed) == 1:
        return pile_swap(before, now, changed[0])
    if len(changed) == 2:
        return neighbour_swap(before, now, changed)
    animals = ", ".join(f"{before.ring[i]} became {ring[i]}" for i in changed)
    return forbidden("more-than-one-switch", f"one turn switches one pair, but {animals}")


def aligned(before: Animals, after: Animals) -> Animals:
    """Turn a ring so that it agrees best with what it was: where it starts depends on the look, not on the game."""
    if not after:
        return after
    return max(
        (after[k:] + after[:k] for k in range(len(after))),
        key=lambda ring: sum(a == b for a, b in zip(before, ring, strict=True)),
    )


def undoes(before: Snapshot, after: Snapshot, last: Snapshot | None) -> bool:
    """A switch that simply reverses the one made just before is not allowed."""
    if last is None or len(last.ring) != len(before.ring):
        return False
    ring = aligned(before.ring, last.ring)
    pile_switched = before.pile != last.pile and before.pile in last.ring and last.pile in before.ring
    differ = sum(a != b for a, b in zip(ring, before.ring, strict=True))
    switched = (differ == 2 and before.pile == last.pile) or (differ == 1 and pile_switched)
    return switched and after == Snapshot(ring, last.pile)


def ring_kept(before: Snapshot, after: Snapshot, counts: dict[str, int]) -> Moves:
    """Another card may be brought to the top of the pile; else a photo was discarded, or equal animals switched."""
    if before.pile != after.pile and None not in (before.pile, after.pile):
        held = before.ring.count(after.pile)
        if after.pile in counts and held >= counts[str(after.pile)]:
            return forbidden("more-than-the-box-holds", f"the pile can hold no further {after.pile}")
        text = f"{after.pile} was brought to the top of the pile"
        return Moves((Move("reveal", text, (str(after.pile),)),))
    legal = [
        Move("nothing", "nothing changed"),
        Move("discard-photo", "a photo card was discarded and another drawn"),
        Move("reveal", "a card like the open one was brought to the top of the pile", _one(after.pile)),
    ]
    legal += [
        Move("switch-neighbours", f"two neighbouring {a}s were switched", (a, a))
        for a in sorted(set(_pairs(before.ring)))
    ]
    if before.pile is not None and before.pile in before.ring:
        legal.append(
            Move(
                "switch-with-pile",
                f"a {before.pile} was switched with the open {before.pile}",
                (before.pile, before.pile),
            )
        )
    return Moves(tuple(legal))


def _one(label: str | None) -> tuple[str, ...]:
    return () if label is None else (label,)


def _pairs(ring: Sequence[str | None]) -> Iterator[str]:
    """Give the animals that stand beside their like."""
    for a, b in zip(ring, (*ring[1:], *ring[:1]), strict=True):
        if a is not None and a == b:
            yield a


def pile_swap(before: Snapshot, after: Snapshot, at: int) -> Moves:
    """Any animal of the ring may be switched with the pile's open card."""
    old, new = str(before.ring[at]), str(after.ring[at])
    if before.pile not in (None, new):
        return forbidden("not-the-open-card", f"{new} came into the ring, but the pile's open card was {before.pile}")
    if after.pile not in (None, old):
        return forbidden("not-onto-the-pile", f"{old} left the ring, but the pile's open card is {after.pile}")
    return Moves((Move("switch-with-pile", f"{old} of the ring was switched with the open {new}", (old, new)),))


def neighbour_swap(before: Snapshot, after: Snapshot, changed: Sequence[int]) -> Moves:
    """Two animals directly beside each other may be switched."""
    i, j = changed
    a, b = str(before.ring[i]), str(before.ring[j])
    if (after.ring[i], after.ring[j]) != (b, a):
        return forbidden("more-than-one-switch", f"{a} became {after.ring[i]} and {b} became {after.ring[j]}")
    if (j - i) % len(before.ring) not in (1, len(before.ring) - 1):
        return forbidden("not-neighbours", f"{a} and {b} were switched, but are not neighbours")
    if None not in (before.pile, after.pile) and before.pile != after.pile:
        return forbidden("more-than-one-action", f"{a} and {b} were switched, and the pile's open card was changed too")
    return Moves((Move("switch-neighbours", f"{a} and {b} were switched", (a, b)),))
