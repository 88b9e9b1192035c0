"""Turns played at random by the rulebook, and explained: what was done is always among what is found."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from scoring import foto_moves, paper_moves
from scoring.safari_card import PLACES
from scoring.table import BACK
from tests.scoring.boxes import ANIMALS, PAPER

# ---------------------------------------------------------------- Kleine Fotosafari

Ring = tuple[str, ...]
Look = tuple[Ring, str]
"""The ring and the pile's open card."""


def _all_turns(ring: Ring, pile: str, hidden: Counter[str]) -> Iterator[tuple[str, Look]]:
    """Give every turn that the four actions allow, and how the table then looks."""
    yield "nothing", (ring, pile)
    yield "discard-photo", (ring, pile)
    for i in range(len(ring)):
        j = (i + 1) % len(ring)
        switched = list(ring)
        switched[i], switched[j] = ring[j], ring[i]
        yield "switch-neighbours", (tuple(switched), pile)
        yield "switch-with-pile", ((*ring[:i], pile, *ring[i + 1 :]), ring[i])
    for label in {pile, *(label for label, n in hidden.items() if n > 0)}:
        yield "reveal", (ring, label)


def _same_ring(a: Ring, b: Ring) -> bool:
    return any(a[k:] + a[:k] == b for k in range(len(a)))


def _foto_game(rng: random.Random) -> tuple[Ring, str, Counter[str]]:
    deck = [label for label, n in ANIMALS.items() for _ in range(n)]
    rng.shuffle(deck)
    return tuple(deck[:12]), deck[12], Counter(deck[13:])


def _foto_kinds(before: Look, after: Look) -> frozenset[str]:
    looks = [foto_moves.Snapshot(*look) for look in (before, after)]
    return foto_moves.explain(looks[0], looks[1], dict(ANIMALS)).kinds


@pytest.mark.parametrize("seed", range(12))
def test_every_turn_of_kleine_fotosafari_is_explained_by_what_could_have_been_done(seed: int) -> None:
    rng = random.Random(seed)
    ring, pile, hidden = _foto_game(rng)
    turns = list(_all_turns(ring, pile, hidden))
    for _, after in rng.sample(turns, 12):
        could = {kind for kind, (then, top) in turns if top == after[1] and _same_ring(then, after[0])}
        start = rng.randrange(12)
        assert _foto_kinds((ring, pile), (after[0][start:] + after[0][:start], after[1])) == could


@pytest.mark.parametrize("seed", range(12))
def test_two_turns_of_kleine_fotosafari_are_not_one(seed: int) -> None:
    rng = random.Random(seed)
    ring, pile, hidden = _foto_game(rng)
    turns = list(_all_turns(ring, pile, hidden))
    for _ in range(12):
        _, (then, top) = rng.choice(turns)
        _, after = rng.choice(list(_all_turns(then, top, hidden)))
        could = {kind for kind, (r, t) in turns if t == after[1] and _same_ring(r, after[0])}
        assert _foto_kinds((ring, pile), after) == could


# ---------------------------------------------------------------- Paper Safari

Hand = list[list[str | bool]]


class _Table:
    """A round being played: hands of six, each card its label and whether it lies open; the deck and the discards."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.deck = [label for label, face in PAPER.faces.items() for _ in range(face.count)]
        rng.shuffle(self.deck)
        self.hands = [[(self.deck.pop(), rng.random() < 0.5) for _ in PLACES] for _ in range(rng.randint(2, 4))]
        self.discards = [self.deck.pop() for _ in range(rng.randint(1, 4))]

    def look(self) -> paper_moves.Snapshot:
        """Return what is seen: open cards, and the top of the discards."""
        seats = tuple(
            {place: label if shown else BACK for place, (label, shown) in zip(PLACES, hand, strict=True)}
            for hand in self.hands
        )
        return paper_moves.Snapshot(seats, frozenset(self.discards[-1:]))

    def play(self) -> str:
        """Play one turn by the rules; return what it was."""
        seat = self.rng.randrange(len(self.hands))
        from_deck = self.rng.random() < 0.6
        card = (self.deck if from_deck else self.discards).pop()
        spot = self.rng.randrange(len(PLACES))
        if card == "tarzan":
            return self._tarzan(seat, spot)
        if from_deck and self.rng.random() < 0.3:
            self.discards.append(card)
            return "discard"
        self.discards.append(self.hands[seat][spot][0])
        self.hands[seat][spot] = card, True
        return "exchange"

    def _tarzan(self, seat: int, spot: int) -> str:
        passed = "tarzan"
        for step in range(len(self.hands)):
            hand = self.hands[(seat + step) % len(self.hands)]
            passed, hand[spot] = hand[spot][0], (passed, True)
        self.discards.insert(0, passed)
        return "tarzan"


@pytest.mark.parametrize("seed", range(40))
def test_every_turn_of_paper_safari_is_explained(seed: int) -> None:
    table = _Table(random.Random(seed))
    for _ in range(8):
        before = table.look()
        kind = table.play()
        found = paper_moves.explain(before, table.look(), PAPER)
        assert kind in found.kinds, (before, table.look(), found)


FORBIDDEN = ["cards-swapped", "laid-face-down", "tarzan-discarded", "more-than-one-exchange"]


@pytest.mark.parametrize("rule", FORBIDDEN)
@pytest.mark.parametrize("seed", range(10))
def test_what_no_turn_of_paper_safari_does(rule: str, seed: int) -> None:
    rng = random.Random(seed)
    table = _Table(rng)
    hand = table.hands[0]
    hand[:] = [("lion", True), ("fox", True), ("zebra", True), ("mouse", False), ("monkey", True), ("lion", False)]
    table.discards = [rng.choice(["rabbit", "giraffe"])]
    before = table.look()
    if rule == "cards-swapped":
        i, j = rng.choice([(0, 1), (0, 2), (1, 2), (1, 4)])
        hand[i], hand[j] = hand[j], hand[i]
    elif rule == "laid-face-down":
        hand[rng.choice([0, 1, 2, 4])] = ("rabbit", False)
    elif rule == "tarzan-discarded":
        table.discards.append("tarzan")
    else:
        hand[0], hand[1] = ("rabbit", True), ("elephant", True)
    found = paper_moves.explain(before, table.look(), PAPER)
    assert (found.legal, [p.rule for p in found.problems]) == ((), [rule])
