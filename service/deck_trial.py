"""How well a deck reads: its faces rendered under hard light, named again by the recogniser; colours compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from decks import trial
from decks.deck import Deck
from decks.picture import Image
from scoring.table import BACK
from vision.recogniser import Group, Recogniser, Turns

SQUARE_SHARE = 0.02  # sides that differ by less make a piece that can lie in four ways
MOST_LINES = 40
NAMES: Mapping[Group, str] = {"faces": "faces", "research": "research tiles", "photos": "photo cards", "coins": "coins"}


def verdicts(deck: Deck) -> tuple[bool, tuple[str, ...]]:
    """Return whether the deck reads at 99% or more, and what there is to say, a line each."""
    recogniser = Recogniser(deck)
    good, lines = True, []
    for group, turns, pictures in _groups(deck):
        seen = trial.looks(pictures, square=turns != 2)
        named = recogniser.name([look.image for look in seen], group=group, turns=turns)
        wrong, share = trial.confusions((look.label, one.label) for look, one in zip(seen, named, strict=True))
        passed = share >= trial.PASS_SHARE
        good = good and passed
        lines.append(f"{len(pictures)} {NAMES[group]}: {share:.1%} of {len(seen)} renderings in hard light read right")
        if not passed:
            lines += [_advice(deck, group, one) for one in wrong[:MOST_LINES]]
    close = [*_close("markers", deck.marker_colours), *_close("strings", deck.string_colours)]
    return good and not close, (*lines, *close, *_hints(deck))


def _groups(deck: Deck) -> Iterator[tuple[Group, Turns, Mapping[str, tuple[Image, ...]]]]:
    """Yield each group of faces that is told apart from its fellows, and the ways in which a piece may lie."""
    width_mm, height_mm = deck.edition.size_mm
    square = abs(width_mm - height_mm) <= SQUARE_SHARE * max(width_mm, height_mm)
    groups: tuple[tuple[Group, Turns, Mapping[str, tuple[Image, ...]]], ...] = (
        ("faces", 4 if square else 2, deck.faces),
        ("research", 4 if square else 2, deck.research),
        ("photos", 2, deck.photos),
        ("coins", "all", deck.coins),
    )
    return (group for group in groups if group[2])


def _advice(deck: Deck, group: Group, one: trial.Confusion) -> str:
    """Say which face was taken for which, how often, and what helps."""
    kind = "" if group == "faces" else f" --kind {group}"
    more = f"`safari-table deck enrol {deck.folder} PHOTO --add{kind} --labels {one.label}`"
    if one.taken_for is None:
        return f'"{one.label}" was not known in {one.share:.0%}: add a picture of it in your own light: {more}'
    return (
        f'"{one.label}" was taken for "{one.taken_for}" in {one.share:.0%}: add pictures of both: {more}; '
        "if they are alike in print, mark one with a sticker and enrol it so"
    )


def _close(kind: str, colours: Mapping[str, str]) -> list[str]:
    """Name colours that are too near to each other."""
    return [
        f'{kind} "{a}" and "{b}" are nearly of one colour (CIELAB distance {apart:.0f}): take another {kind[:-1]}, '
        f"or learn their colours with `deck enrol --kind {kind}`"
        for a, b, apart in trial.close_colours(colours)
    ]


def _hints(deck: Deck) -> Iterator[str]:
    """Yield what may be added."""
    if BACK not in deck.faces:
        yield "there is no picture of the back (faces/back.png): a piece that lies face down is then not known as such"
    bare = [name for name in deck.edition.research if name not in deck.research]
    if bare:
        yield f"{len(bare)} research tiles have no picture: they are not read from a photograph of a player's tiles"
