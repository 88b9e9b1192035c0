"""Paper Safari's turns: what a player did between two still tables, and what no player may do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scoring.edition import Edition
from scoring.grids import Grids, find
from scoring.layout import TOWARDS_VIEWER
from scoring.moves import Move, Moves, forbidden
from scoring.options import Options
from scoring.safari_card import PLACES, Place
from scoring.table import BACK, Point, Table

GAME = "paper-safari"
TARZAN = "tarzan"
"""The card that must be laid and is passed on; another edition names its own by the house rule `passing_card`."""

Cards = Mapping[Place, str | None]
"""One player's cards by place; None where a card is not seen or not known."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One still table: each seat's cards, the face-up labels beside them (the discards), and whether a deck is seen."""

    seats: tuple[Cards, ...]
    discards: frozenset[str]
    deck: bool = False

    def count(self, label: str) -> int:
        """Return how many of a face lie open."""
        held = Counter(card for cards in self.seats for card in cards.values())
        return held[label] + (label in self.discards)


@dataclass(frozen=True, slots=True)
class Change:
    """One place that shows another card than before."""

    seat: int
    place: Place
    old: str
    new: str

    @property
    def where(self) -> str:
        """Say where, as the player sees it."""
        return f"seat {self.seat}, row {self.place[0] + 1}, column {self.place[1] + 1}"

    @property
    def turned_up(self) -> bool:
        """Whether a card that lay face down shows its face: it, or another in its place."""
        return self.old == BACK and self.new != BACK


def snapshot(laid: Grids) -> Snapshot:
    """Return what lies where."""
    seats = tuple(
        {(r, c): None if (card := grid.rows[r][c]) is None else card.label for r, c in PLACES} for grid in laid.grids
    )
    beside = frozenset(c.label for c in laid.loose if c.label is not None)
    return Snapshot(seats, beside - {BACK}, BACK in beside)


def moves(before: Table, after: Table, edition: Edition, options: Options, near: Point = TOWARDS_VIEWER) -> Moves:
    """Explain the change between two still tables by one player's turn, a set-up step or the round's end."""
    passing = str(options.rule(GAME, "passing_card"))
    return explain(snapshot(find(before.pieces, near)), snapshot(find(after.pieces, near)), edition, passing)


def explain(before: Snapshot, after: Snapshot, edition: Edition, passing: str = TARZAN) -> Moves:
    """Explain the change from one snapshot to the next. `passing`: the label of the card that is passed on (Tarzan)."""
    if len(before.seats) != len(after.seats):
        return forbidden("players-changed", f"{len(before.seats)} grids before, {len(after.seats)} after")
    changes = tuple(_changes(before, after))
    if not changes:
        return nothing_moved(before, after, edition, passing)
    tried = (
        new_deal(before, after),
        first_cards(before, changes),
        tarzan_passed(before, after, changes, passing),
        exchange(before, after, changes, edition, passing),
        round_end(before, after, changes, passing),
    )
    found = [t for t in tried if t is not None]
    legal = tuple(move for t in found for move in t.legal)
    return Moves(legal) if legal else (*found, forbidden_change(changes))[0]


def _changes(before: Snapshot, after: Snapshot) -> Iterator[Change]:
    for seat, (was, now) in enumerate(zip(before.seats, after.seats, strict=True)):
        for place in PLACES:
            old, new = was[place], now[place]
            if old is not None and new is not None and old != new:
                yield Change(seat, place, old, new)


def _more(label: str, snap: Snapshot, edition: Edition) -> bool:
    """Tell whether the box holds one more of a face than lie open."""
    face = edition.faces.get(label)
    return face is None or snap.count(label) < face.count


def nothing_moved(before: Snapshot, after: Snapshot, edition: Edition, passing: str) -> Moves:
    """A card drawn from the deck may go straight to the discards, but Tarzan must be laid."""
    new, turned_over = after.discards - before.discards, _shuffled(before, after)
    if passing in new and not turned_over:
        return forbidden("tarzan-discarded", f"{passing} was discarded: it must replace one of the player's cards")
    legal = [] if new else [Move("nothing", "nothing changed")]
    legal += [Move("shuffle", f"the deck ran out: {c} was turned over beside a new one", (c,)) for c in turned_over]
    top = sorted((new or after.discards) - {passing})
    legal += [
        Move("discard", f"{c} was drawn from the deck and discarded", (c,)) for c in top if _more(c, before, edition)
    ]
    legal += [
        Move("exchange", f"seat {seat} exchanged {card} for another {card}", (card, card), seat)
        for seat, cards in enumerate(before.seats)
        for card in sorted({c for c in cards.values() if c in top})
        if _more(card, before, edition) or card in before.discards
    ]
    legal += _all_alike(before, edition, passing)
    return (
        Moves(tuple(legal))
        if legal
        else forbidden("more-than-the-box-holds", f"another {' and '.join(top)} was discarded, the box holds no more")
    )


def _shuffled(before: Snapshot, after: Snapshot) -> list[str]:
    """Return the card turned over beside a deck that is there again: the discards were shuffled when it ran out."""
    return sorted(after.discards) if after.deck and not before.deck and before.discards else []


def _all_alike(before: Snapshot, edition: Edition, passing: str) -> Iterator[Move]:
    """Where every player has the passing card in one place, another laid there is passed round and nothing shows."""
    if len(before.seats) > 1 and (passing in before.discards or _more(passing, before, edition)):
        for place in PLACES:
            if all(cards[place] == passing for cards in before.seats):
                yield Move("tarzan", f"another {passing} was laid on a {passing}, and passed on", (passing, passing))


def new_deal(before: Snapshot, after: Snapshot) -> Moves | None:
    """After a round all cards are dealt anew: six face down each, of which each player then turns one."""
    over = any(BACK not in cards.values() for cards in before.seats)
    fresh = all(sum(card == BACK for card in cards.values()) >= len(PLACES) - 1 for cards in after.seats)
    return Moves((Move("new-deal", "a new round was dealt"),)) if over and fresh else None


def first_cards(before: Snapshot, changes: tuple[Change, ...]) -> Moves | None:
    """At the set-up each player turns one of the six face-down cards."""
    seats = Counter(c.seat for c in changes)
    untouched = all(all(card in (BACK, None) for card in before.seats[seat].values()) for seat in seats)
    if not untouched or max(seats.values()) > 1 or not all(c.turned_up for c in changes):
        return None
    return Moves(tuple(Move("first-card", f"seat {c.seat} turned {c.new}", (c.new,), c.seat) for c in changes))


def exchange(
    before: Snapshot, after: Snapshot, changes: tuple[Change, ...], edition: Edition, passing: str
) -> Moves | None:
    """A drawn card replaces one of the player's own, face up; the replaced card goes face up to the discards."""
    if len(changes) > 1 or changes[0].new in (BACK, passing):
        return None
    change = changes[0]
    if change.old != BACK and after.discards and change.old not in after.discards:
        return forbidden(
            "replaced-card-not-discarded", f"{change.where}: {change.old} was replaced, but is not on the discards"
        )
    sources = ["discards"] if change.new in before.discards else []
    if not sources and not _more(change.new, before, edition):
        return forbidden("more-than-the-box-holds", f"{change.where}: the box holds no further {change.new}")
    if _more(change.new, before, edition) and not (change.old == BACK and _just_turned(before, after, edition)):
        sources.append("deck")
    if not sources:
        return forbidden(
            "turned-up", f"{change.where}: {change.new} was turned up, not exchanged: no card came to the discards"
        )
    legal = [
        Move(
            "exchange",
            f"{change.where}: {change.new} from the {source} for {change.old}",
            (change.new, change.old),
            change.seat,
        )
        for source in sources
    ]
    return Moves(tuple(legal))


def _just_turned(before: Snapshot, after: Snapshot, edition: Edition) -> bool:
    """Tell whether the discards show that no card came to them: the same ones, of which the box holds no more."""
    return (
        bool(after.discards)
        and after.discards == before.discards
        and not any(_more(c, after, edition) for c in after.discards)
    )


def tarzan_passed(before: Snapshot, after: Snapshot, changes: tuple[Change, ...], passing: str) -> Moves | None:
    """Tarzan must be laid; the card it replaces goes to the left, each player replacing the card in the same place."""
    laid = [c for c in changes if c.new == passing]
    broken: list[str] = []
    for start in (*laid, *_laid_on_its_like(before, after, laid)):
        fault = _chain_fault(before, after, start)
        rest = [c for c in changes if c.place != start.place]
        if fault is None and (not rest or _turned_at_the_end(after, rest)):
            players = len(before.seats)
            text = f"{start.where}: {passing} was laid" + (", and all passed their cards on" if players > 1 else "")
            return Moves((Move("tarzan", text, (passing, start.old), start.seat),))
        broken.append(fault or f"{rest[0].where}: {rest[0].old} became {rest[0].new}, which {passing} does not explain")
    return forbidden("tarzan-chain-broken", "; ".join(broken[: len(laid)])) if laid else None


def _laid_on_its_like(before: Snapshot, after: Snapshot, laid: list[Change]) -> Iterator[Change]:
    """Give the places in a chain where the passing card may have replaced another like it, so that nothing shows."""
    for place, card in sorted({(c.place, c.new) for c in laid}):
        for seat, (was, now) in enumerate(zip(before.seats, after.seats, strict=True)):
            if was[place] == now[place] == card:
                yield Change(seat, place, card, card)


def _chain_fault(before: Snapshot, after: Snapshot, start: Change) -> str | None:
    """Return where a chain of passed cards is not followed; None where it is, all the way round."""
    players, passed = len(before.seats), start.old
    for step in range(1, players):
        seat = (start.seat + step) % players
        got, had = after.seats[seat][start.place], before.seats[seat][start.place]
        where = f"seat {seat}, row {start.place[0] + 1}, column {start.place[1] + 1}"
        if got == BACK:
            return f"{where}: the passed card must be laid face up"
        if passed != BACK and got is not None and got != passed:
            return f"{where}: {passed} was passed on, but {got} lies there"
        passed = BACK if had is None else had
    new = after.discards - before.discards if before.discards and start.new not in before.discards else ()
    return f"{passed} lies on the discards: the last card goes under them" if players > 1 and passed in new else None


def _turned_at_the_end(after: Snapshot, changes: list[Change]) -> bool:
    """Tell whether these are the cards turned up when the round is over: all lie face up, these lay face down."""
    return all(c.turned_up for c in changes) and all(BACK not in cards.values() for cards in after.seats)


def round_end(before: Snapshot, after: Snapshot, changes: tuple[Change, ...], passing: str) -> Moves | None:
    """When one player's six are face up the others turn theirs; the last exchange may fall into the same look."""
    turned = [c for c in changes if c.turned_up]
    others = [c for c in changes if not c.turned_up]
    if len(others) > 1 or not _turned_at_the_end(after, turned) or any(c.new == passing for c in others):
        return None
    over = any(BACK not in cards.values() for cards in before.seats)
    hidden = Counter(c.seat for c in turned)
    last = [c for c in turned if hidden[c.seat] == 1] if not others else [c for c in others if c.seat not in hidden]
    if not over and not last:
        return None
    if over and others:
        return forbidden(
            "exchange-after-the-end", f"{others[0].where}: the round was over, {others[0].old} may not be exchanged"
        )
    return Moves((Move("round-end", "the round is over: all cards were turned up", tuple(c.new for c in turned)),))


def forbidden_change(changes: tuple[Change, ...]) -> Moves:
    """Name what no rule allows: a card laid face down, cards that changed places, more than one card changed."""
    for c in changes:
        if c.new == BACK:
            return forbidden("laid-face-down", f"{c.where}: {c.old} was laid face down")
    for seat in sorted({c.seat for c in changes}):
        own = [c for c in changes if c.seat == seat]
        if len(own) > 1 and Counter(c.old for c in own) == Counter(c.new for c in own):
            text = f"seat {seat}: {' and '.join(c.old for c in own)} changed places"
            return forbidden("cards-swapped", text)
    text = "; ".join(f"{c.where}: {c.old} became {c.new}" for c in changes)
    return forbidden("more-than-one-exchange", f"one turn exchanges one card, but {text}")
