"""True tables of the three games: what lies there, what was asked, and so what the sheet must say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from decks.deck import Deck
from scoring.edition import Game
from scoring.options import Options
from scoring.referee import judge
from scoring.sheet import Answer
from scoring.table import Kind, Piece, Table
from synth.textures import Rng
from synth.things import rectangle


def _nothing() -> MappingProxyType[str, object]:
    return MappingProxyType({})


@dataclass(frozen=True)
class Scene:
    """One true table.

    `table`: what counts, in the order in which it was laid. `options`: what `tally` would be told. `variety`: what is
    special about it, in words. `beside`: what else lies there and disturbs nothing (ids go on from the table's).
    `stashes`: a player's own photograph of coins and research tiles, as a table each.
    """

    game: Game
    seed: int
    variety: str
    table: Table
    options: Mapping[str, object] = field(default_factory=_nothing)
    beside: tuple[Piece, ...] = ()
    stashes: Mapping[str, Table] = field(default_factory=dict)

    def answer(self, deck: Deck) -> Answer:
        """Return what the rules say of it."""
        told = dict(self.options)
        if self.stashes:
            told["stash"] = {player: stash.pieces for player, stash in self.stashes.items()}
        return judge(self.table, deck.edition, Options.parse(told, deck.edition))


class Hand:
    """Gives out ids and cards while a scene is being laid."""

    def __init__(self, rng: Rng, deck: Deck) -> None:
        self.rng, self.deck = rng, deck
        stock = [label for label, face in deck.edition.faces.items() for _ in range(face.count)]
        self._stock: list[str] = [stock[i] for i in rng.permutation(len(stock))]
        self._next = 0

    def draw(self) -> str:
        """Draw a card's label; where the box is used up, any label."""
        labels = list(self.deck.edition.faces)
        return self._stock.pop() if self._stock else labels[self.rng.integers(len(labels))]

    def lay(
        self,
        kind: Kind,
        label: str | None,
        centre: tuple[float, float],
        size: tuple[float, float],
        up_deg: float,
        **more: object,
    ) -> Piece:
        """Make a piece with the next id."""
        corners = tuple((float(x), float(y)) for x, y in rectangle(centre, size, up_deg))
        piece = Piece(self._next, kind, label, corners, float(up_deg % 360), **more)  # type: ignore[arg-type]  # fields by name
        self._next += 1
        return piece


def scene(seed: int, game: Game, deck: Deck) -> Scene:
    """Lay one true table of a game with a deck; the same seed and deck give the same table."""
    from synth import foto_scene, paper_scene, string_scene

    makers: dict[str, Callable[[int, Rng, Hand], Scene]] = {
        "paper-safari": paper_scene.lay,
        "kleine-fotosafari": foto_scene.lay,
        "string-safari": string_scene.lay,
    }
    if game not in makers:
        raise ValueError(f"no scenes of game {game!r}: expected one of {', '.join(makers)}")
    rng = np.random.default_rng([seed, *game.encode()])
    return makers[game](seed, rng, Hand(rng, deck))
