"""What `score` and `find` do with each photograph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from decks.deck import Deck, DeckError
from decks.deck import find as find_deck
from scoring.edition import GAMES
from scoring.options import OptionError, Options
from scoring.string_field import RESEARCH
from scoring.table import Point
from service import finding
from service.cli import Refused, picture, write_json
from service.eyes import EyesError, Image, NoSuchGameError
from service.reading import seen_in
from service.statuses import CERTAIN, NO_GAME, OPEN
from service.told import told
from vision.reader import USUAL_STRINGS, Clicked
from vision.recogniser import Recogniser

NOTHING = ("no-grid", "no-ring", "no-tiles")
"""Problems that say that the game is not there."""
PICTURES = (".png", ".jpg", ".webp")
"""What an annotated picture can be written as."""


def score(
    images: Sequence[Path],
    game: str,
    deck_name: str | None,
    options: dict[str, Any],
    stashes: Sequence[str],
    as_json: bool,
    picture_out: Path | None,
    clicks: Sequence[str] = (),
) -> int:
    """Score photographs, an answer each; return the exit status."""
    if game not in GAMES:
        raise Refused(f"--game {game}: is none of {', '.join(GAMES)}")
    if picture_out is not None and picture_out.suffix.lower() not in PICTURES:
        raise Refused(f"--picture {picture_out}: name a {', '.join(PICTURES[:-1])} or {PICTURES[-1]} file")
    deck = _deck(deck_name, game)
    clicked = _clicked(clicks, deck)
    recogniser = Recogniser(deck)
    if stashes:
        options = {**options, "stash": _stashes(stashes, deck, recogniser)}
    try:
        Options.parse(options, deck.edition)
    except OptionError as error:
        raise Refused(str(error)) from None
    worst = CERTAIN
    for path in images:
        worst = max(worst, _one(path, deck, recogniser, options, as_json, picture_out, clicked))
    return worst


def _clicked(texts: Sequence[str], deck: Deck) -> Clicked:
    """Read "field=412,300", or "412,300" on the research string: places px by string. Refused where it is not so."""
    places: dict[str, list[Point]] = {}
    names = tuple(deck.string_colours or USUAL_STRINGS)
    for text in texts:
        if deck.edition.game != "string-safari":
            raise Refused(f"--click {text}: only String Safari has strings")
        before, _, place = text.rpartition("=")
        name = before or RESEARCH
        if name not in names:
            raise Refused(f"--click {text}: no string {name!r}; there are {' and '.join(names)}")
        try:
            x, y = (float(number) for number in place.split(","))
        except ValueError:
            raise Refused(f"--click {text}: write X,Y or NAME=X,Y in px, as in research=412,300") from None
        places.setdefault(name, []).append((x, y))
    return places


def _inside(clicked: Clicked, image: Image, path: Path) -> None:
    """Refuse places that are not in the picture (h, w, 3)."""
    height, width = image.shape[:2]
    for name, places in clicked.items():
        for x, y in places:
            if not (0 <= x < width and 0 <= y < height):
                raise Refused(f"--click {name}={x:g},{y:g}: outside of {path}, which is {width} by {height} px")


def _one(
    path: Path,
    deck: Deck,
    recogniser: Recogniser,
    options: Mapping[str, Any],
    as_json: bool,
    picture_out: Path | None,
    clicked: Clicked,
) -> int:
    image = picture(path)
    _inside(clicked, image, path)
    try:
        answer = seen_in(image, deck, recogniser, clicked=clicked).answer(options)
    except NoSuchGameError as error:
        click.echo(f"safari-table: {path}: {error}", err=True)
        return NO_GAME
    except EyesError as error:
        raise Refused(f"{path}: {error}") from None
    if picture_out is not None:
        _write_picture(picture_out, image, answer)
    if as_json:
        write_json(answer)
    else:
        click.echo(told(answer))
    nothing = next((p for p in answer["problems"] if p["rule"] in NOTHING), None)
    if nothing is not None:
        click.echo(f"safari-table: {path}: no {answer['game']} here: {nothing['message']}", err=True)
        return NO_GAME
    return CERTAIN if answer["certain"] else OPEN


def _write_picture(path: Path, image: Any, answer: Mapping[str, Any]) -> None:
    import cv2

    from vision.draw import annotated

    data = cv2.imencode(path.suffix.lower(), annotated(image, answer, told(answer).splitlines()))[1]
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise Refused(f"--picture {path}: cannot be written: {error.strerror or error}") from None


def _stashes(given: Sequence[str], deck: Deck, recogniser: Recogniser) -> dict[str, Any]:
    from service.pictures import STASH_SIDE_PX, shrunk
    from vision.stash import read_stash

    held = {}
    for text in given:
        player, equals, name = text.partition("=")
        if not equals:
            raise Refused(f"--stash {text}: write PLAYER=IMAGE")
        held[player.strip()] = read_stash(shrunk(picture(Path(name.strip())), STASH_SIDE_PX), deck, recogniser)
    return held


def _deck(name: str | None, game: str) -> Deck:
    try:
        return find_deck(name, game)
    except DeckError as error:
        raise Refused(str(error)) from None


def find(images: Sequence[Path], deck_name: str | None, whole: bool, strings: str | None, as_json: bool) -> int:
    """Tell what lies in each picture; return the exit status."""
    deck = _deck(deck_name, "any") if deck_name is not None else None
    recogniser = Recogniser(deck) if deck is not None else None
    colours = finding.colours(strings)
    for path in images:
        found = finding.found(picture(path), deck, recogniser, whole, colours)
        if as_json:
            write_json(found)
        else:
            named = ", ".join(str(p["label"] or p["kind"]) for p in found["pieces"]) or "nothing"
            click.echo(f"{path}: {named}")
    return CERTAIN
