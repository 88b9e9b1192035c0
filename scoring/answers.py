"""Answers to questions, applied: what a person says of a piece or a string stands above what was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.edition import Edition
from scoring.options import OptionError, Options
from scoring.table import BACK, Piece, Table

NONE = "none"
"""The answer that a piece is none of this deck."""
TOUCHES = ("touching", "clear", "inside", "outside")
LOOPS = ("closed", "open")
PARTS = ("coins", "research", "animals")
"""What a player's total is made of: each can be told as a number."""
STASHES = "stashes"
"""What is asked of all photographed stashes together: whether all was seen, as a coin under another never is."""
COUNTED = {"as counted": True, "otherwise": False}
UNSEEN = "unseen"
"""What is asked of places of a picture in which nothing can be seen."""
HIDDEN = {"nothing": False, "something": True}
LAYOUTS = ("as read", "otherwise")
CLAIMS = ("the claim", "not the claim")
"""The answers to whether a photo card is the one that is claimed."""
VERDICTS = {"right": True, "wrong": False}
TOWARDS, AWAY = "towards", "away"
"""Which way an animal's head points, from the ring's middle."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A table with its answers applied.

    `known`: the pieces whose label or animals are settled. `tiles`: a tile's id to a word of TOUCHES. `strings`: a
    string's name to words of TOUCHES and LOOPS. `photos`: a photo card's id to whether it is right. `turned`: a
    ring card's id to which way it looks. `layout`: whether the cards' layout was confirmed. `claimed`: the photo
    card that is said to be the claim.
    """

    table: Table
    options: Options
    known: frozenset[int] = frozenset()
    tiles: Mapping[int, str] = field(default_factory=dict)
    strings: Mapping[str, frozenset[str]] = field(default_factory=dict)
    photos: Mapping[int, bool] = field(default_factory=dict)
    turned: Mapping[int, str] = field(default_factory=dict)
    layout: bool = False
    claimed: int | None = None


def apply(table: Table, edition: Edition, options: Options) -> Answered:
    """Return the table with all answers applied; OptionError for an answer to nothing, or one that cannot be."""
    result = Answered(table, options)
    for about, said in options.answers.items():
        for word in (w.strip() for w in said.split(",")):
            result = _apply(result, about, word, edition)
    return result


def _apply(so_far: Answered, about: str, word: str, edition: Edition) -> Answered:
    name, colon, part = about.partition(":")
    if about == STASHES:
        return _confirmed(so_far, word)
    if about == UNSEEN:
        return _hidden(so_far, word)
    if colon and name in PARTS:
        return _counted(so_far, name, part, word)
    if colon and name in so_far.options.stashes:
        return _in_stash(so_far, name, part, word, edition)
    if any(string.name == about for string in so_far.table.strings) or about in ("field", "research"):
        if word not in (*TOUCHES[:2], *LOOPS):
            raise _refused(about, word, (*TOUCHES[:2], *LOOPS))
        words = so_far.strings.get(about, frozenset()) | {word}
        return replace(so_far, strings={**so_far.strings, about: words})
    piece = next((p for p in so_far.table.pieces if str(p.id) == about), None)
    if piece is None:
        raise OptionError(f"answer {about}={word}: no piece or string here is called {about!r}")
    return _of_piece(so_far, piece, word, edition)


def _of_piece(so_far: Answered, piece: Piece, word: str, edition: Edition) -> Answered:
    if piece.kind == "tile" and word in TOUCHES:
        return replace(so_far, tiles={**so_far.tiles, piece.id: word})
    if piece.kind == "photo" and word in VERDICTS:
        return replace(so_far, photos={**so_far.photos, piece.id: VERDICTS[word]})
    if piece.kind == "photo" and word == CLAIMS[0]:
        return replace(so_far, claimed=piece.id)
    if piece.kind == "card" and word in (TOWARDS, AWAY):
        return replace(so_far, turned={**so_far.turned, piece.id: word})
    if piece.kind == "card" and word in LAYOUTS:
        return replace(so_far, layout=word == LAYOUTS[0])
    settled = _named(piece, word, edition, str(piece.id))
    pieces = tuple(settled if p.id == piece.id else p for p in so_far.table.pieces)
    if piece.kind == "marker" and settled.label is None:  # no marker at all
        pieces = tuple(p for p in pieces if p.id != piece.id)
    return replace(so_far, table=replace(so_far.table, pieces=pieces), known=so_far.known | {piece.id})


def _named(piece: Piece, word: str, edition: Edition, about: str) -> Piece:
    """Return a piece as it is said to be."""
    if piece.kind == "photo":
        return _photo(piece, word, edition)
    known = labels_of(piece, edition)
    if word != NONE and word not in known:
        raise _refused(about, word, (*known, NONE))
    return replace(piece, label=None if word == NONE else word, candidates=(), probability=1.0)


def _photo(piece: Piece, word: str, edition: Edition) -> Piece:
    sequence = edition.photos.get(word) or _sequence(word, tuple(edition.faces))
    if sequence is None:
        raise OptionError(f"answer {piece.id}={word}: say the photo's animals, left to right, as in lion-zebra-lion")
    label = word if word in edition.photos else None
    return replace(piece, label=label, sequence=sequence, candidates=(), sequence_candidates=(), probability=1.0)


def _sequence(word: str, labels: tuple[str, ...]) -> tuple[str, ...] | None:
    """Read "lion-zebra-lion", where labels may hold hyphens themselves; None where it is no such thing."""
    if word in labels:
        return (word,)
    for label in labels:
        if word.startswith(f"{label}-"):
            rest = _sequence(word[len(label) + 1 :], labels)
            if rest is not None:
                return (label, *rest)
    return None


def labels_of(piece: Piece, edition: Edition) -> tuple[str, ...]:
    """Return the labels that a card, tile, marker, coin or research tile can have."""
    if piece.kind == "marker":
        return edition.markers
    if piece.kind == "coin":
        return tuple(edition.coins)
    if piece.kind == "research":
        return tuple(edition.research)
    return (*edition.faces, BACK)


def _refused(about: str, word: str, known: tuple[str, ...]) -> OptionError:
    return OptionError(f"answer {about}={word}: {word!r} is none of {', '.join(known)}")


def _counted(so_far: Answered, part: str, player: str, word: str) -> Answered:
    """Take the points of a part of a player's total that a question asked for."""
    if player not in so_far.options.players:
        raise OptionError(f"answer {part}:{player}={word}: {player!r} is not among the players")
    if not (word.isascii() and word.isdigit() and len(word) < 7):
        raise OptionError(f"answer {part}:{player}={word}: {word!r} is not a whole number of 0 or more")
    options = so_far.options
    known = {"coins": options.coins, "research": options.research, "animals": options.animals}[part]
    counts: dict[str, Any] = {part: {**known, player: int(word)}}
    return replace(so_far, options=replace(options, **counts))


def _confirmed(so_far: Answered, word: str) -> Answered:
    """Take whether the stashes are as they were read."""
    if word not in COUNTED:
        raise _refused(STASHES, word, tuple(COUNTED))
    return replace(so_far, options=replace(so_far.options, as_counted=COUNTED[word]))


def _hidden(so_far: Answered, word: str) -> Answered:
    """Take whether something lies where nothing can be seen."""
    if word not in HIDDEN:
        raise _refused(UNSEEN, word, tuple(HIDDEN))
    return replace(so_far, options=replace(so_far.options, hidden=HIDDEN[word]))


def _in_stash(so_far: Answered, player: str, piece_id: str, word: str, edition: Edition) -> Answered:
    stash = so_far.options.stashes[player]
    piece = next((p for p in stash if str(p.id) == piece_id), None)
    if piece is None:
        raise OptionError(f"answer {player}:{piece_id}={word}: no piece {piece_id!r} lies in the stash of {player}")
    settled = _named(piece, word, edition, f"{player}:{piece_id}")
    if settled.label is None:  # not of this deck: it counts for nothing
        pieces = tuple(p for p in stash if p.id != piece.id)
    else:
        pieces = tuple(settled if p.id == piece.id else p for p in stash)
    options = replace(so_far.options, stashes={**so_far.options.stashes, player: pieces})
    return replace(so_far, options=options)
