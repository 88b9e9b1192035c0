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


class Face(BaseModel):
    """The piece that lies alone before the camera, and what the deck is to say of it."""

    deck: str = Field(min_length=1, max_length=40)
    game: GAME
    label: str = Field(min_length=1, max_length=40)
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
        said = {key: getattr(self, key) for key in ("value", "points", "count", "copies_neighbour")}
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
    def face(wish: Face) -> dict[str, Any]:
        """Add the piece that lies alone before the camera to a deck of one's own."""
        eyes: Any = live.eyes
        if not hasattr(eyes, "enrol"):
            raise HTTPException(409, "this service cannot enrol decks")
        cut = _plainly(lambda: eyes.enrol(newest(), wish.deck, wish.game, wish.label, wish.values()))
        shown = pictures.jpeg(cut.face, 85, FACE_SIDE_PX)
        return {"label": wish.label, "picture": base64.b64encode(shown).decode(), "faults": cut.faults}

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
