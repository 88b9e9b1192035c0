"""String Safari's end: coins, research tiles and marked animals of each player, and who wins."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from scoring.edition import Edition
from scoring.options import Options
from scoring.sheet import Line, Problem, Question
from scoring.string_field import Named
from scoring.table import Piece

Labels = Mapping[tuple[str, int], str | None]
"""Readings of stash pieces that replace what the stash says: (player, piece id) → label."""


@dataclass(frozen=True, slots=True)
class PlayerFinal:
    """One player's end. None: not known."""

    coins: int | None
    research: int | None
    animals: int | None
    lines: tuple[Line, ...]

    @property
    def total(self) -> int | None:
        """The sum of the three, once all are known."""
        if self.coins is None or self.research is None or self.animals is None:
            return None
        return self.coins + self.research + self.animals

    def to_json(self) -> dict[str, Any]:
        """Return it as the contract writes it."""
        parts = {"coins": self.coins, "research": self.research, "animals": self.animals, "total": self.total}
        return {**parts, "lines": [line.to_json() for line in self.lines]}


@dataclass(frozen=True, slots=True)
class FinalSheet:
    """The final scoring. `players`: in turn order, first player first. `shared`: ties are shared (children's rules)."""

    players: Mapping[str, PlayerFinal]
    shared: bool = False

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has the most points; in a tie the one farthest from the first player. None until all totals are known."""
        totals = {player: sheet.total for player, sheet in self.players.items()}
        known = {player: total for player, total in totals.items() if total is not None}
        if not totals or len(known) < len(totals):
            return ()
        first = [player for player, total in known.items() if total == max(known.values())]
        return tuple(first) if self.shared else (first[-1],)

    def to_json(self) -> dict[str, Any]:
        """Return it as the contract writes it; `tie`: what broke or shared one, else null."""
        players = {player: sheet.to_json() for player, sheet in self.players.items()}
        return {"players": players, "winners": list(self.winners), "tie": self.tie}

    @property
    def tie(self) -> str | None:
        """Say what broke or shared a tie; None where there was none."""
        if not self.winners:
            return None
        most = self.players[self.winners[0]].total
        tied = [player for player, sheet in self.players.items() if sheet.total == most]
        if len(tied) == 1:
            return None
        if self.shared:
            return f"{' and '.join(tied)} share the game with {most} points each"
        others = " and ".join(p for p in tied if p != self.winners[0])
        return f"tied with {others} at {most}, {self.winners[0]} is farther from the first player in turn order"

    def outcome(self) -> Hashable:
        """Return what counts: each player's parts, and the winners."""
        parts = tuple((player, s.coins, s.research, s.animals) for player, s in self.players.items())
        return parts, self.winners


def final_sheet(named: Named, edition: Edition, options: Options, labels: Labels = MappingProxyType({})) -> FinalSheet:
    """Return the final scoring; `labels` overrides what the stashes' pieces are."""
    return FinalSheet({p: _player(p, named, edition, options, labels) for p in options.players}, options.children)


def _player(player: str, named: Named, edition: Edition, options: Options, labels: Labels) -> PlayerFinal:
    stash = options.stashes.get(player)
    if options.as_counted is False and photographed(player, options):
        stash = None  # what was read there does not stand
    coins = _part("coins", player, options.coins.get(player), stash, edition.coins, labels)
    if options.children:
        return PlayerFinal(_sum(coins), 0, 0, coins or ())
    corners = {tile_name: tile.points for tile_name, tile in edition.research.items()}
    research = _part("research", player, options.research.get(player), stash, corners, labels)
    animals, known = animal_lines(player, named)
    if player in options.animals:
        animals, known = (Line("animal", options.animals[player], (), "animals: as told"),), True
    elif options.hidden or (options.as_counted is False and photographed(player, options)):
        known = False
    lines = (*(coins or ()), *(research or ()), *animals)
    return PlayerFinal(_sum(coins), _sum(research), _sum(animals) if known else None, lines)


def photographed(player: str, options: Options) -> bool:
    """Tell whether a player's stash was read in a photograph: of what is told, nothing is in doubt.

    A photograph in which nothing was read is known by the others'.
    """
    stash = options.stashes.get(player)
    if stash is None:
        return False
    return any(piece.candidates for piece in stash or [p for other in options.stashes.values() for p in other])


def _sum(lines: tuple[Line, ...] | None) -> int | None:
    return None if lines is None else sum(line.points for line in lines)


_KINDS = {"coins": "coin", "research": "research"}


def _part(
    part: str,
    player: str,
    typed: int | None,
    stash: tuple[Piece, ...] | None,
    worth: Mapping[str, int],
    labels: Labels,
) -> tuple[Line, ...] | None:
    """Return the lines of a player's coins or research tiles: typed, else from the stash; None where not known."""
    if typed is not None:
        return (Line(part, typed, (), f"{part}: {typed}, as told"),)
    if stash is None:
        return None
    alike: dict[str, list[int]] = {}
    for piece in stash:
        if piece.kind != _KINDS[part]:
            continue
        label = labels.get((player, piece.id), piece.label)
        if label is None and (player, piece.id) in labels:
            continue  # none of this deck, so it is worth nothing
        if label is None or label not in worth:
            return None
        alike.setdefault(label, []).append(piece.id)
    return tuple(_alike(part, label, worth[label], tuple(ids)) for label, ids in alike.items())


def _alike(part: str, label: str, each: int, ids: tuple[int, ...]) -> Line:
    """Return the line of all coins, or research tiles, of one face: how many were seen is so told."""
    text = f"{label} is worth {each}" if len(ids) == 1 else f"{len(ids)} × {label}, each worth {each}"
    return Line(part, each * len(ids), ids, text)


def animal_lines(player: str, named: Named) -> tuple[tuple[Line, ...], bool]:
    """Return a line for each animal with the player's marker, and whether all of them are known."""
    lines: list[Line] = []
    known = True
    for tile_id, marks in named.marks.items():
        face = named.faces[tile_id]
        if None in marks or (player in marks and face is None):
            known = False
        elif player in marks and face is not None and face.food is not None:
            lines.append(Line("animal", face.points or 0, (tile_id,), f"{face.label} bears a marker of {player}"))
    return tuple(lines), known


def part_questions(sheet: FinalSheet, options: Options) -> tuple[Question, ...]:
    """Ask for coins and research tiles that were neither typed nor shown."""
    return tuple(q for player, parts in sheet.players.items() for q in _asked(player, parts, options))


_MARKED = "How many points have the animals that bear a marker of {}?"


def _asked(player: str, parts: PlayerFinal, options: Options) -> Iterator[Question]:
    if options.hidden and parts.animals is None:
        yield Question(f"animals:{player}", (), f"the total of {player}", _MARKED.format(player))
    if player in options.stashes and not (options.as_counted is False and photographed(player, options)):
        return  # what the stash shows is asked of piece by piece
    if parts.coins is None:
        yield Question(f"coins:{player}", (), f"the total of {player}", f"How many points in coins has {player}?")
    if parts.research is None:
        text = f"How many points do {player}'s research tiles show in their corners?"
        yield Question(f"research:{player}", (), f"the total of {player}", text)
    if options.as_counted is False and not options.hidden and parts.animals is None:
        yield Question(f"animals:{player}", (), f"the total of {player}", _MARKED.format(player))


def stash_problems(edition: Edition, options: Options) -> tuple[Problem, ...]:
    """List stash pieces that the deck does not know, and stashes of nobody who plays."""
    found: list[Problem] = []
    for player, pieces in options.stashes.items():
        for piece in pieces:
            known = edition.coins if piece.kind == "coin" else edition.research if piece.kind == "research" else None
            if known is not None and piece.label is not None and piece.label not in known:
                text = f"the deck has no {piece.kind} {piece.label!r}, in the stash of {player}"
                found.append(Problem("unknown-label", (piece.id,), text))
    for player in {*options.stashes, *options.coins, *options.research}:
        if player not in options.players:
            found.append(Problem("stranger", (), f"{player} has coins or research tiles but is not among the players"))
    return tuple(sorted(found, key=lambda p: p.message))


def marker_owner_problems(named: Named, options: Options) -> tuple[Problem, ...]:
    """List markers of nobody who plays."""
    strangers = {m for marks in named.marks.values() for m in marks if m is not None and m not in options.players}
    return tuple(
        Problem("stranger", tuple(i for i, marks in named.marks.items() if m in marks), f"{m} is not among the players")
        for m in sorted(strangers)
    )
