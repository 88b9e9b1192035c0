"""Routes of the setup wizard: a test read, and decks that are enrolled piece by piece, or taken in as a zip."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, Field

from scoring.edition import ACTIVITIES, FAMILIES, FOODS, LANDS
from service import pictures
from service.bodies import GAME
from service.claims import FOTO, silenced
from service.eyes import EyesError, Image
from service.live import Live

FACE_SIDE_PX = 240
Traits = Literal["food", "family", "activity", "land"]
KNOWN = {"food": FOODS, "family": FAMILIES, "activity": ACTIVITIES, "land": LANDS}


class Trial(BaseModel):
    """What a test read is to look for."""

    game: GAME
    deck: str | None = Field(None, max_length=400)
    strings: dict[str, Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]] = Field(default_factory=dict)


TARGET = rf"^({'|'.join((*FOODS, *FAMILIES, *ACTIVITIES, 'all', 'families'))}):[1-9]$"
SAID = {
    "faces": ("value", "points", "count", "copies_neighbour"),
    "research": ("target", "condition", "points", "count"),
    "coins": ("worth",),
    "photos": ("count",),
    "markers": (),
}
"""What a deck says of each kind of piece, besides a face's traits."""
KINDS = {
    "paper-safari": ("faces",),
    "kleine-fotosafari": ("faces", "photos"),
    "string-safari": ("faces", "research", "coins", "markers"),
}
"""What can be enrolled of each game."""


class Piece(BaseModel):
    """The piece that lies alone before the camera, and what the deck is to say of it.

    `kind`: as `deck enrol --kind`; of a photo card `label` is its animals, with spaces, of a marker the colour's name.
    """

    deck: str = Field(min_length=1, max_length=40)
    game: GAME
    kind: Literal["faces", "research", "coins", "photos", "markers"] = "faces"
    label: str = Field(min_length=1, max_length=120)
    target: str | None = Field(None, pattern=TARGET)
    condition: Literal["rocky", "edge"] | None = None
    worth: int | None = Field(None, ge=1, le=99)
    value: int | None = Field(None, ge=-99, le=99)
    points: int | None = Field(None, ge=0, le=99)
    count: int | None = Field(None, ge=1, le=99)
    traits: dict[Traits, str] = Field(default_factory=dict)
    copies_neighbour: bool | None = None

    def values(self) -> dict[str, Any]:
        """Return what was said, by the deck's own keys. EyesError for a trait that is none."""
        wrong = next((f"{key} {value!r}" for key, value in self.traits.items() if value not in KNOWN[key]), None)
        if wrong is not None:
            raise EyesError(f"there is no {wrong}")
        if self.kind not in KINDS[self.game]:
            raise EyesError(f"{self.game} has no {self.kind}")
        if self.kind != "faces" and self.traits:
            raise EyesError(f"{self.kind} have no {next(iter(self.traits))}")
        said = {key: getattr(self, key) for key in SAID[self.kind]}
        kept: dict[str, Any] = {key: value for key, value in said.items() if value is not None}
        kept.update({str(key): value for key, value in self.traits.items()})
        return kept


def router(live: Live) -> APIRouter:
    """Build the routes."""
    routes = APIRouter(tags=["setup"])

    def newest() -> Image:
        frame = live.camera.latest() if live.camera is not None else None
        if frame is None:
            raise HTTPException(409, "the camera has sent nothing yet")
        return frame.image

    @routes.post("/api/camera/test")
    def test(trial: Trial) -> dict[str, Any]:
        """Read what the camera sees now, for a game that has not begun."""
        seen = _plainly(lambda: live.eyes.look(newest(), trial.game, trial.deck, trial.strings))
        answer: dict[str, Any] = _plainly(lambda: seen.answer({}))
        return silenced(answer) if trial.game == FOTO else answer

    @routes.post("/api/decks/face")
    def face(wish: Piece) -> dict[str, Any]:
        """Add the piece that lies alone before the camera to a deck of one's own: a face, or what else the game has."""
        eyes: Any = live.eyes
        if not hasattr(eyes, "enrol"):
            raise HTTPException(409, "this service cannot enrol decks")
        cut = _plainly(lambda: eyes.enrol(newest(), wish.deck, wish.game, wish.kind, wish.label, wish.values()))
        shown = None if cut.face is None else base64.b64encode(pictures.jpeg(cut.face, 85, FACE_SIDE_PX)).decode()
        told = {"label": wish.label, "picture": shown, "colour": cut.colour}
        return {**told, "faults": cut.faults, "lacks": cut.lacks}

    @routes.post("/api/decks/import")
    async def take_in(deck: Annotated[str, Query(min_length=1, max_length=40)], request: Request) -> dict[str, Any]:
        """Add a deck's zip, the body, to one's own."""
        eyes: Any = live.eyes
        if not hasattr(eyes, "take_in"):
            raise HTTPException(409, "this service cannot take decks in")
        packed = await request.body()
        return {"deck": deck, "pictures": await run_in_threadpool(_plainly, lambda: eyes.take_in(deck, packed))}

    return routes


def _plainly(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except EyesError as error:
        raise HTTPException(422, str(error)) from None
