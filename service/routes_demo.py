"""Routes of the sample tables, and of a picture from the viewer's own machine."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import FileResponse

from service import pictures
from service.claims import FOTO, silenced
from service.eyes import Answer, Eyes, EyesError, Seen
from service.gallery import Sample
from service.pictures import PictureError


class Reading:
    """Reads one picture at a time, and remembers what it saw on the samples."""

    def __init__(self, eyes: Eyes) -> None:
        self.eyes = eyes
        self._lock = threading.Lock()
        self._known: dict[str, tuple[Seen, float]] = {}

    def picture(self, data: bytes, game: str, deck: str | None, options: dict[str, Any]) -> Answer:
        """Read an encoded picture; the answer also says how long it took. PictureError, EyesError."""
        seen, seconds = self._look(data, game, deck)
        return {**seen.answer(options), "seconds": round(seconds, 3)}

    def sample(self, sample: Sample, answers: dict[str, str]) -> Answer:
        """Read a sample, once, and judge it with these answers to its questions. EyesError."""
        if sample.name not in self._known:
            self._known[sample.name] = self._look(sample.picture.read_bytes(), sample.game, sample.deck)
        seen, seconds = self._known[sample.name]
        options = {**sample.options, "answer": answers} if answers else dict(sample.options)
        return {**seen.answer(options), "seconds": round(seconds, 3)}

    def _look(self, data: bytes, game: str, deck: str | None) -> tuple[Seen, float]:
        image = pictures.decode(data, pictures.READ_SIDE_PX)
        with self._lock:
            started = time.perf_counter()
            return self.eyes.look(image, game, deck), time.perf_counter() - started


def router(eyes: Eyes, samples: tuple[Sample, ...], playing: Callable[[], str | None] = lambda: None) -> APIRouter:
    """Build the routes over these samples; `playing`: the game that is played, of which no picture tells too much."""
    routes = APIRouter(tags=["pictures"])
    reading = Reading(eyes)
    by_name = {sample.name: sample for sample in samples}

    def named(name: str) -> Sample:
        if name not in by_name:
            raise HTTPException(404, f"no sample {name!r}")
        return by_name[name]

    @routes.get("/api/samples")
    def list_samples() -> list[dict[str, Any]]:
        """List the bundled sample tables."""
        return [{"name": s.name, "title": s.title, "game": s.game, "picture": f"/samples/{s.name}"} for s in samples]

    @routes.get("/samples/{name}")
    def sample_picture(name: str) -> FileResponse:
        """Send a sample's picture."""
        return FileResponse(named(name).picture, headers={"cache-control": "max-age=3600"})

    @routes.get("/api/samples/{name}/answer")
    def sample_answer(name: str, answer: Annotated[list[str] | None, Query()] = None) -> Answer:
        """Read a sample table; `answer=PIECE=CHOICE` settles a question."""
        return _said(lambda: reading.sample(named(name), pairs(answer or [])))

    @routes.post("/api/read")
    async def read_picture(
        request: Request,
        game: str,
        deck: str | None = None,
        options: str = "{}",
        answer: Annotated[list[str] | None, Query()] = None,
    ) -> Answer:
        """Read the picture in the request's body, once, for any game and deck."""
        data = await request.body()
        asked = _object(options)
        if answer:
            asked["answer"] = pairs(answer)
        told = await run_in_threadpool(lambda: _said(lambda: reading.picture(data, game, deck, asked)))
        return silenced(told) if game == playing() == FOTO else told

    return routes


def pairs(texts: list[str]) -> dict[str, str]:
    """Split "PIECE=CHOICE" texts; 422 where one has no equals sign."""
    if any("=" not in text for text in texts):
        raise HTTPException(422, "an answer is written PIECE=CHOICE, as 4=lion")
    return dict(text.split("=", 1) for text in texts)


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise HTTPException(422, "options are a JSON object")
    return value


def _said(work: Any) -> Answer:
    try:
        answer: Answer = work()
    except (PictureError, EyesError) as error:
        raise HTTPException(422, str(error)) from None
    return answer
