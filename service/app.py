"""The service as one ASGI app, built from explicit arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import HTTPException, RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException as StarletteHTTPException

from service import gallery, pictures, routes_demo, routes_game, routes_live, routes_service, routes_setup
from service.eyes import Eyes
from service.guard import Access, Guard
from service.hub import Hub
from service.live import Live
from service.routes_service import Parts
from service.session import Session
from service.store import Store, StoreError
from service.table import Table
from vision.weights import WeightsError

WEB = Path(__file__).parent / "web"


def create_app(
    eyes: Eyes,
    *,
    samples: tuple[gallery.Sample, ...] = (),
    store: Store | None = None,
    live: Live | None = None,
    hub: Hub | None = None,
    access: Access | None = None,
) -> FastAPI:
    """Build the app: the sample tables, or with `store`, `live` and `hub` the live table. The caller stops `live`."""
    access = access or Access()
    app = FastAPI(title="Safari Table", version=routes_service.version(), docs_url=None, redoc_url=None)
    app.add_middleware(Guard, access=access, most_bytes=pictures.MAX_BYTES)
    _speak_plainly(app)
    parts = Parts(hub, live, store) if hub is not None and live is not None and store is not None else None
    app.include_router(routes_service.router(eyes, access, parts))
    table = _add_table(app, parts) if parts is not None else None
    app.include_router(routes_demo.router(eyes, samples, lambda: table.playing if table is not None else None))
    _add_pages(app)
    return app


def _add_table(app: FastAPI, parts: Parts) -> Table:
    session = Session(parts.store)
    session.resume()
    table = Table(session, parts.live, parts.hub)
    parts.hub.publish("game", table.game_json())
    app.state.table = table
    app.include_router(routes_live.router(parts.hub, parts.live, parts.store, lambda: _game_id(session)))
    app.include_router(routes_game.router(table))
    app.include_router(routes_setup.router(parts.live))
    return table


def _game_id(session: Session) -> str | None:
    return session.play.game if session.play is not None else None


def _add_pages(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    @app.get("/overlay", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(WEB / "index.html", headers={"cache-control": "no-cache"})

    app.mount("/web", StaticFiles(directory=WEB), name="web")


def _speak_plainly(app: FastAPI) -> None:
    """Make every error one JSON object with one line."""

    @app.exception_handler(StarletteHTTPException)
    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: StarletteHTTPException) -> JSONResponse:
        detail: Any = error.detail
        return JSONResponse(detail if isinstance(detail, dict) else {"error": str(detail)}, error.status_code)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        said = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
        return JSONResponse({"error": said.encode(errors="replace").decode()}, 422)  # it may repeat a broken name

    @app.exception_handler(StoreError)
    @app.exception_handler(WeightsError)
    async def broken(request: Request, error: StoreError | WeightsError) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 503)
