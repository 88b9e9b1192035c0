"""The service as one ASGI app, built from explicit arguments."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import HTTPException, RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles

from service import gallery, routes_demo
from service.eyes import Eyes
from service.guard import Access, Guard

WEB = Path(__file__).parent / "web"
LANGUAGES = ("en", "de", "cs")


def create_app(
    eyes: Eyes,
    *,
    samples: tuple[gallery.Sample, ...] = (),
    access: Access | None = None,
) -> FastAPI:
    """Build the app: the page, the samples."""
    app = FastAPI(title="Safari Table", version=_version(), docs_url=None, redoc_url=None)
    app.add_middleware(Guard, access=access or Access())
    _speak_plainly(app)
    app.include_router(routes_demo.router(eyes, samples))

    @app.get("/api/about", tags=["service"])
    def about() -> dict[str, Any]:
        """Say what this service is and does."""
        return {"name": "Safari Table", "version": _version(), "languages": LANGUAGES, "mode": "demo"}

    _add_pages(app)
    return app


def _version() -> str:
    try:
        return metadata.version("safari-table")
    except metadata.PackageNotFoundError:
        return "0"


def _add_pages(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    @app.get("/overlay", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(WEB / "index.html", headers={"cache-control": "no-cache"})

    app.mount("/web", StaticFiles(directory=WEB), name="web")


def _speak_plainly(app: FastAPI) -> None:
    """Make every error one JSON object with one line."""

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> JSONResponse:
        return JSONResponse({"error": str(error.detail)}, error.status_code)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return JSONResponse({"error": f"{where}: {first['msg']}"}, 422)
