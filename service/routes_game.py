"""Routes of the game that is played: begin, claim, score, undo, correct, answer, export."""

from __future__ import annotations

import base64
import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi import Path as InPath
from fastapi.concurrency import run_in_threadpool

from service import pictures
from service.bodies import Aim, Claim, Correction, GameWish, Misread, Stash, Turn, TypedTurn, Word
from service.eyes import EyesError
from service.misreads import MisreadError
from service.pictures import PictureError
from service.session import Player, RefusedError, Setup
from service.store import MOST_SEQ
from service.table import Table


def refusing(work: Callable[[], Any]) -> Any:
    """Do the work; what the rules or the reader refuse becomes a 409 with one line, and the rule's name."""
    try:
        return work()
    except RefusedError as error:
        raise HTTPException(409, {"error": str(error), "rule": error.rule}) from None
    except (EyesError, PictureError, MisreadError) as error:
        raise HTTPException(422, str(error)) from None


def router(table: Table) -> APIRouter:
    """Build the routes."""
    routes = APIRouter(tags=["game"])
    _play(routes, table)
    _string_safari(routes, table)
    _record(routes, table)
    return routes


def _done(table: Table, work: Callable[[], Any]) -> dict[str, Any]:
    refusing(work)
    return table.state()


def _play(routes: APIRouter, table: Table) -> None:
    session = table.session

    @routes.get("/api/state")
    def state() -> dict[str, Any]:
        """Say how the game stands; null: none is played."""
        return table.state()

    @routes.post("/api/game/new")
    def new(wish: GameWish) -> dict[str, Any]:
        """Begin a game; the one before stays in the store."""
        return _done(table, lambda: table.begin(setup_from(wish)))

    @routes.post("/api/game/round")
    def score_round() -> dict[str, Any]:
        """Score a round of Paper Safari as it lies."""
        return _done(table, table.score_round)

    @routes.post("/api/game/claim")
    def claim(wish: Claim) -> dict[str, Any]:
        """Judge a photo claim of Kleine Fotosafari on the table as it lies now."""
        judged: dict[str, Any] = refusing(lambda: table.click(wish.player, wish.photo))
        return judged

    @routes.post("/api/game/claim/close")
    def close_claim() -> dict[str, Any]:
        """Play on after a claim."""
        return _done(table, table.close_claim)

    @routes.post("/api/game/answer")
    def answer(word: Word) -> dict[str, Any]:
        """Settle a question, or correct what a piece was read as."""
        return _done(table, lambda: table.settle(str(word.piece), word.choice))

    @routes.post("/api/misread")
    def misread(wish: Misread) -> dict[str, Any]:
        """Save the picture, what was read and what is right, on this machine, as a labelled table."""
        if session.store.path == ":memory:":
            raise HTTPException(409, "this service keeps nothing")
        folder = Path(session.store.path).parent / "misreads"
        return {"name": refusing(lambda: table.report_misread(folder, wish.note))}


def setup_from(wish: GameWish) -> Setup:
    """Return a set-up with an id for each player. RefusedError."""
    by_colour = wish.game == "string-safari"
    if by_colour and any(player.colour is None for player in wish.players):
        raise RefusedError("every player of String Safari has a marker colour", "player-names")
    players = tuple(
        Player(str(one.colour) if by_colour else f"p{k}", one.name, one.seat, one.colour)
        for k, one in enumerate(wish.players, 1)
    )
    if wish.game == "paper-safari" and len({player.seat for player in players}) < len(players):
        raise RefusedError("two players sit at the same side: choose another", "player-names")
    return Setup(wish.game, wish.deck, players, wish.options, wish.strings)


def _string_safari(routes: APIRouter, table: Table) -> None:
    @routes.post("/api/game/aim")
    def aim(wish: Aim) -> dict[str, Any]:
        """Say what the turn's research tile asks for."""
        return _done(table, lambda: table.turns.set_aim(wish.model_dump()))

    @routes.post("/api/game/aim/read")
    async def read_aim(request: Request) -> dict[str, Any]:
        """Read the research tile from the photograph in the body, or, without one, from what the camera sees."""
        data = await request.body()
        shown = bool(data) and not request.headers.get("content-type", "").startswith("application/json")
        work = lambda: table.turns.read_aim(pictures.decode(data, pictures.STASH_SIDE_PX) if shown else None)  # noqa: E731 (passed on to a thread)
        return {"choices": await run_in_threadpool(refusing, work)}

    @routes.post("/api/game/turn")
    def turn(wish: Turn) -> dict[str, Any]:
        """Score a turn of String Safari as the string lies."""
        return _done(table, lambda: table.turns.score_turn(wish.marked, "marked" in wish.model_fields_set))

    @routes.post("/api/game/turn/typed")
    def typed_turn(wish: TypedTurn) -> dict[str, Any]:
        """Record a turn of String Safari as the players counted it."""
        return _done(table, lambda: table.turns.type_turn(wish.points, wish.marked))

    @routes.post("/api/game/stash")
    def stash(wish: Stash) -> dict[str, Any]:
        """Say what a player's coins and research tiles are worth at the end."""
        held = {key: value for key, value in wish.model_dump(exclude_unset=True).items() if key != "player"}
        return _done(table, lambda: table.turns.set_stash(wish.player, **held))

    @routes.post("/api/game/stash/picture")
    async def stash_picture(request: Request, player: str) -> dict[str, Any]:
        """Read a player's coins and research tiles from a photograph of them."""
        data = await request.body()
        work = lambda: table.turns.photograph_stash(player, pictures.decode(data, pictures.STASH_SIDE_PX))  # noqa: E731 (passed on to a thread)
        return {"pieces": await run_in_threadpool(refusing, work)}

    @routes.post("/api/game/final")
    def final() -> dict[str, Any]:
        """Record the final scoring of String Safari."""
        return _done(table, table.turns.score_final)


def _record(routes: APIRouter, table: Table) -> None:
    session = table.session

    @routes.post("/api/game/undo")
    def undo() -> dict[str, Any]:
        """Take the last entry back."""
        return _done(table, session.undo)

    @routes.post("/api/game/redo")
    def redo() -> dict[str, Any]:
        """Let the entry that was taken back stand again."""
        return _done(table, session.redo)

    @routes.post("/api/game/correct")
    def correct(wish: Correction) -> dict[str, Any]:
        """Say what really happened at an entry."""
        return _done(table, lambda: session.correct(wish.seq, wish.instead))

    @routes.get("/api/game/evidence/{seq}.jpg", response_class=Response)
    def evidence(seq: Annotated[int, InPath(ge=0, le=MOST_SEQ)]) -> Response:
        """Send the picture that an entry was scored from."""
        jpeg = session.store.evidence(seq)
        if jpeg is None:
            raise HTTPException(404, f"no picture was kept with entry {seq}")
        return Response(jpeg, media_type="image/jpeg", headers={"cache-control": "max-age=86400"})

    @routes.get("/api/game/export.json", response_class=Response)
    def export_json() -> Response:
        """Export the game: how it stands, and every event as it was stored, with the picture it was scored from."""
        game = _played(table)
        pictured = session.store.with_evidence(game["id"])
        events = [{**e.to_json(), "picture": _picture(e.seq, pictured)} for e in session.store.events(game["id"])]
        text = json.dumps({"game": game, "events": events}, ensure_ascii=False, indent=1)
        return _download(text, "application/json", "game.json")

    def _picture(seq: int, pictured: frozenset[int]) -> str | None:
        jpeg = session.store.evidence(seq) if seq in pictured else None
        return None if jpeg is None else f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}"

    @routes.get("/api/game/export.csv", response_class=Response)
    def export_csv() -> Response:
        """Export the record as a table."""
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow(["entry", "at", "what", "taken back", "text"])
        for entry in _played(table)["log"]:
            writer.writerow([entry["seq"], entry["at"], entry["what"], entry["undone"], cell(entry["text"])])
        return _download(out.getvalue(), "text/csv; charset=utf-8", "game.csv")


def cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t") else text


def _played(table: Table) -> dict[str, Any]:
    game = table.game_json()
    if game is None:
        raise HTTPException(404, "no game has been begun")
    return game


def _download(text: str, kind: str, name: str) -> Response:
    return Response(text, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})
