"""What the game's routes are sent, each checked before anything is done with it."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field

MOST_LEVELS = 20  # of lists and objects within one another: nothing that is told has more than three


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    if not _flat(values, MOST_LEVELS):
        raise ValueError(f"it is nested deeper than {MOST_LEVELS} levels")
    try:
        json.dumps(values, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        raise ValueError("a number is infinite or none at all, or a text is broken") from None
    return values


def _flat(value: Any, levels: int) -> bool:
    """Tell whether lists and objects lie no more than so many levels within one another."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return not inner or (levels > 0 and all(_flat(one, levels - 1) for one in inner))


Name = Annotated[str, Field(min_length=1, max_length=60)]
Plain = Annotated[dict[str, Any], AfterValidator(_plain)]
"""Values that can be stored, and told to a browser, as JSON."""
GAME = Literal["paper-safari", "kleine-fotosafari", "string-safari"]


class PlayerWish(BaseModel):
    """A player: their name, where they sit (Paper Safari), the colour of their markers (String Safari)."""

    name: Name
    seat: int = Field(0, ge=0, le=11)
    colour: str | None = Field(None, max_length=40)


class GameWish(BaseModel):
    """A game to begin."""

    game: GAME
    deck: str | None = Field(None, max_length=400)
    players: list[PlayerWish] = Field(min_length=1, max_length=12)
    options: Plain = Field(default_factory=dict)
    strings: dict[Name, Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]] = Field(default_factory=dict)


class Claim(BaseModel):
    """ "Click!": who called, and which photo card is meant where several lie there."""

    player: Name
    photo: int | None = None


class Word(BaseModel):
    """A player's word on a piece, by its id, or on a string, by its name."""

    piece: int | Name
    choice: Name


class Aim(BaseModel):
    """What the turn is about: the research tile's target and condition; with children's rules the placed tile."""

    target: str | None = Field(None, max_length=40)
    condition: Literal["rocky", "edge"] | None = None
    placed: str | None = Field(None, max_length=60)
    marker: str | None = Field(None, max_length=60)
    tile: str | None = Field(None, max_length=60)


class Turn(BaseModel):
    """The end of a turn: the tile that the marker goes on; left out, it is looked for; null: on none."""

    marked: int | None = None


class TypedTurn(BaseModel):
    """A turn as the players counted it: its points, and the animal that the marker went on; null: on none."""

    points: int = Field(ge=0, le=1000)
    marked: str | None = Field(None, max_length=60)


class Stash(BaseModel):
    """What a player holds at the end."""

    player: Name
    coins: int | None = Field(None, ge=0, le=100_000)
    research: int | None = Field(None, ge=0, le=100_000)


class Misread(BaseModel):
    """A report that something was misread; what is right was said as corrections before."""

    note: str = Field("", max_length=500)


class Correction(BaseModel):
    """What really happened at an entry of the record."""

    seq: int
    instead: Plain
