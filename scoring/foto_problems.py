"""What is wrong with a table of Kleine Fotosafari: all of it, and never an exception."""

from __future__ import annotations

import math

from scoring.edition import Edition
from scoring.layout import TOWARDS_VIEWER, pose
from scoring.options import Options
from scoring.pieces import same_ids, shapeless, too_many, unknown_labels
from scoring.rings import RING_SIZE, Ring, find
from scoring.sheet import Problem
from scoring.table import BACK, Piece, Point, Table

OVERLAP = 0.5
"""Two ring cards nearer than this many card sides lie on each other."""


def problems(table: Table, edition: Edition, options: Options, near: Point = TOWARDS_VIEWER) -> tuple[Problem, ...]:
    """List everything that is wrong with a table."""
    cards = tuple(p for p in table.pieces if p.kind == "card")
    ring = find(table.pieces, near=near)
    return (
        *same_ids(table.pieces),
        *shapeless(table.pieces),
        *unknown_labels(cards, edition.faces),
        *too_many(cards, {label: face.count for label, face in edition.faces.items()}),
        *ring_size(ring),
        *unseen_places(ring),
        *unread_cards(ring),
        *face_down(ring),
        *turned_away(ring),
        *overlapping(ring),
        *stray_cards(ring),
        *no_open_card(ring),
        *unclear_claim(ring),
        *unknown_animals(ring, edition),
    )


def ring_size(ring: Ring) -> tuple[Problem, ...]:
    """Twelve animals form the ring."""
    if not ring.places:
        return (Problem("no-ring", (), "no cards lie in a ring"),)
    if len(ring.places) == RING_SIZE:
        return ()
    ids = tuple(c.id for c in ring.cards)
    return (Problem("ring-size", ids, f"the ring has {len(ring.places)} cards, not {RING_SIZE}"),)


def unseen_places(ring: Ring) -> tuple[Problem, ...]:
    """Every card of the ring is seen."""
    gaps = sum(p.card is None for p in ring.places)
    return (Problem("ring-gap", (), f"the ring has room for {gaps} more, not seen"),) if gaps else ()


def unread_cards(ring: Ring) -> tuple[Problem, ...]:
    """Every card of the ring is known."""
    return tuple(Problem("unread-card", (c.id,), f"card {c.id} is not known") for c in ring.cards if c.label is None)


def face_down(ring: Ring) -> tuple[Problem, ...]:
    """The cards of the ring lie face up."""
    return tuple(
        Problem("face-down", (c.id,), f"card {c.id} of the ring lies face down") for c in ring.cards if c.label == BACK
    )


def turned_away(ring: Ring) -> tuple[Problem, ...]:
    """Heads point to the middle."""
    return tuple(
        Problem("turned-away", (p.card.id,), f"{p.label}'s head is turned {p.turned_deg:.0f}° from the middle")
        for p in ring.places
        if p.card is not None and p.turned_away and p.label != BACK
    )


def overlapping(ring: Ring) -> tuple[Problem, ...]:
    """No two cards of the ring lie on each other."""
    cards = ring.cards
    return tuple(
        Problem("cards-overlap", (a.id, b.id), f"{_name(a)} and {_name(b)} lie on each other")
        for a, b in zip(cards, (*cards[1:], *cards[:1]), strict=True)
        if (at := pose(a)) is not None and math.dist(a.centre_mm, b.centre_mm) < OVERLAP * at.width_mm
    )


def stray_cards(ring: Ring) -> tuple[Problem, ...]:
    """Animal cards lie in the ring or the pile."""
    return tuple(
        Problem("stray-card", (c.id,), f"{_name(c)} lies neither in the ring nor in its middle")
        for c in ring.strays
        if c.label is not None
    )


def no_open_card(ring: Ring) -> tuple[Problem, ...]:
    """The pile's topmost card lies face up."""
    if ring.pile and ring.pile[0].label == BACK:
        return (Problem("pile-closed", (ring.pile[0].id,), "the pile in the middle shows no open card"),)
    return ()


def unclear_claim(ring: Ring) -> tuple[Problem, ...]:
    """One photo card at a time is laid beside the ring."""
    if len(ring.claims) < 2:
        return ()
    return (Problem("claim-unclear", tuple(c.id for c in ring.claims), "more than one photo card may be the claim"),)


def unknown_animals(ring: Ring, edition: Edition) -> tuple[Problem, ...]:
    """A photo card shows animals of the deck."""
    return tuple(
        Problem("unknown-label", (p.id,), f"photo card {p.id}: the deck has no {animal!r}")
        for p in ring.claims
        for animal in sorted(set(p.sequence or ()) - set(edition.faces))
    )


def _name(card: Piece) -> str:
    return f"card {card.id} ({card.label or 'not known'})"
