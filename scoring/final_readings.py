"""String Safari's end, read in several ways: marked animals, whose marker, coins and research tiles of the stashes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace

from scoring.answers import Answered
from scoring.certainty import Asked, Choice, Doubt, Pooled, Verdict
from scoring.edition import Edition, face_of
from scoring.paper_readings import MOST_NAMED
from scoring.readings import either, label_doubt, limits_left, points_at_stake, words
from scoring.sheet import Question
from scoring.string_field import Named, Survey, name
from scoring.string_final import FinalSheet, final_sheet
from scoring.table import BACK, Piece

Key = tuple[str, int]
"""("", id) of a piece on the table, or (player, id) of one in a player's stash."""


STRANGER = 0.001
"""How often a marker on the table is of nobody who plays, against one that was read wrongly to begin with."""


class FinalReadings:
    """The table and the stashes at the end, with the doubts of what counts then."""

    def __init__(self, answered: Answered, edition: Edition) -> None:
        self.survey = Survey(answered.table)
        self.options, self.edition, self.answered = answered.options, edition, answered
        found = dict(self._doubts())
        self.keys = tuple(found)
        self.doubts: tuple[Doubt, ...] = tuple(found.values())
        self.limits: Mapping[Pooled, int] = self._limits()

    def _doubts(self) -> Iterator[tuple[Key, Doubt]]:
        marked = set(self.survey.tile_of.values())
        for piece in (*self.survey.tiles, *self.survey.markers):
            if piece.id in self.answered.known or (piece.kind == "tile" and piece.id not in marked):
                continue
            if piece.kind == "tile":
                doubt = label_doubt(
                    _unread(piece, self.edition.faces), tuple(self.edition.faces), self._animal, "faces"
                )
            else:
                doubt = label_doubt(_of_players(piece, self.options.players), self.edition.markers, self._owner, None)
            if doubt is not None:
                yield ("", piece.id), doubt
        for player, stash in self.options.stashes.items():
            for piece in stash:
                pool: Mapping[str, object] = self.edition.coins if piece.kind == "coin" else self.edition.research
                if piece.kind not in ("coin", "research"):
                    continue
                counted = "research" if piece.kind == "research" else None
                doubt = label_doubt(_unread(piece, pool), tuple(pool), self._worth, counted, f"{player}:{piece.id}")
                if doubt is not None:
                    yield (player, piece.id), doubt

    def _limits(self) -> Mapping[Pooled, int]:
        if not self.doubts:
            return {}
        animals = {label: face.count for label, face in self.edition.faces.items()}
        tiles = {tile_name: tile.count for tile_name, tile in self.edition.research.items()}
        known = [
            p
            for player, stash in self.options.stashes.items()
            for p in stash
            if p.kind == "research" and p.label != BACK and (player, p.id) not in self.keys
        ]
        doubtful = {i for owner, i in self.keys if not owner}
        faces = limits_left(self.survey.tiles, animals, "faces", doubtful)
        return {**faces, **limits_left(known, tiles, "research", set())}

    def _animal(self, label: Choice) -> Hashable:
        face = face_of(self.edition, label)
        return None if face is None else face.points or 0

    def _owner(self, label: Choice) -> Hashable:
        return label if label in self.options.players else None

    def _worth(self, label: Choice) -> Hashable:
        if label is None:
            return None
        tile = self.edition.research.get(label)
        return ("worth", self.edition.coins.get(label)) if tile is None else ("corner", tile.points)

    def _labels(self, choices: tuple[Choice, ...]) -> dict[Key, Choice]:
        return dict(zip(self.keys, choices, strict=True))

    def _named(self, said: Mapping[Key, Choice]) -> Named:
        """Return what the tiles and markers on the table are where the doubts are settled so."""
        labels = {i: label for (owner, i), label in said.items() if not owner}
        named = name(self.survey, self.edition, labels)
        none = {t.id for t in self.survey.tiles if t.id in self.answered.known and t.label not in self.edition.faces}
        none |= {i for i, label in labels.items() if label is None}  # none of this deck, so it gives nothing
        return replace(named, marks={i: marks for i, marks in named.marks.items() if i not in none})

    def read(self, choices: tuple[Choice, ...]) -> Survey:
        """Return the survey where the doubts are settled so."""
        return self.survey.relabelled({i: label for (owner, i), label in self._labels(choices).items() if not owner})

    def named(self, choices: tuple[Choice, ...]) -> Named:
        """Return what the tiles and markers on the table are where the doubts are settled so."""
        return self._named(self._labels(choices))

    def sheet(self, verdict: Verdict) -> FinalSheet:
        """Return the best reading's sheet; a part with a piece that is asked of, not read at all, is not known."""
        asked = {id(each.doubt) for each in verdict.asked}
        said = {
            key: label
            for key, label, doubt in zip(self.keys, verdict.best, self.doubts, strict=True)
            if not (id(doubt) in asked and len(set(doubt.odds)) == 1 and None in doubt.choices)
        }
        return final_sheet(self._named(said), self.edition, self.options, said)

    def outcome(self, choices: tuple[Choice, ...]) -> Hashable:
        """Return what counts where the doubts are settled so."""
        said = self._labels(choices)
        return final_sheet(self._named(said), self.edition, self.options, said).outcome()

    def question(self, asked: Asked) -> Question:
        """Put a doubt into words."""
        choices = words(asked.choices)
        which = f": {either(choices)}" if len(choices) <= MOST_NAMED else ""
        stakes = self.stakes(asked.outcomes)
        owner, _ = self.keys[self.doubts.index(asked.doubt)]
        what = f"lies in the stash of {owner}" if owner else "is this"
        return Question(asked.doubt.about, choices, stakes, f"Which piece {what}{which}? At stake: {stakes}.")

    def stakes(self, outcomes: Sequence[Hashable]) -> str:
        """Say whose total is at stake between these outcomes, and the winner."""
        read = [o for o in outcomes if isinstance(o, tuple)]
        texts = []
        for k, player in enumerate(self.options.players):
            parts = [players[k][1:] for players, _ in read]
            if len(set(parts)) > 1:
                totals = [None if None in p else sum(p) for p in parts]
                texts.append(f"{points_at_stake(totals, 'no total')} of {player}")
        if len({winners for _, winners in read}) > 1:
            texts.append("who wins")
        return " and ".join(texts)


def _of_players(piece: Piece, players: Sequence[str]) -> Piece:
    """Return a marker with what else it may be weighed: those of nobody who plays stayed in the box."""
    if not piece.candidates:
        return piece
    odds = {label: p * (1.0 if label in players else STRANGER) for label, p in piece.candidates}
    none = 1.0 - sum(p for _, p in piece.candidates)
    total = sum(odds.values()) + max(none, 0.0)
    told = tuple(sorted(((label, p / total) for label, p in odds.items()), key=lambda each: -each[1]))
    return replace(piece, label=told[0][0], probability=told[0][1], candidates=told)


def _unread(piece: Piece, known: Mapping[str, object]) -> Piece:
    """Return a piece without its label where that is worth nothing: face down, or of no face of the deck."""
    return piece if piece.label is None or piece.label in known else replace(piece, label=None, candidates=())
