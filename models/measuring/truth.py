"""What labelled pictures are known to show: tables as JSON beside their pictures, and annotated photographs."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from scoring.edition import GAMES
from service.schemas import stashes_from

Array = npt.NDArray[np.float64]

PICTURES = (".jpg", ".jpeg", ".png", ".webp")
UNSAID = "not said"
NO_CONDITION = ("none", "", None)


class TruthError(ValueError):
    """A folder or a JSON that cannot be measured against; one line: what, and what was expected."""


@dataclass(frozen=True)
class TruePiece:
    """A piece that lies there.

    `corners_px`: (4, 2) from its printed top-left on, clockwise. `id`: as `answer` names it.
    """

    kind: str
    label: str | None
    corners_px: Array
    id: int | None = None
    seat: int | None = None

    @property
    def side_px(self) -> float:
        """The shorter of its sides, as seen."""
        return float(np.linalg.norm(np.roll(self.corners_px, -1, 0) - self.corners_px, axis=1).min())


@dataclass(frozen=True)
class TrueTable:
    """A labelled picture of a table.

    `answer`: what the rules say of it, as the labelled tables write it; None: only the pieces are known. `strings_px`:
    name → (n, 2). `options`: what `score` is told. `conditions`: tilt_deg, table, light, where the JSON says them.
    """

    name: str
    picture: Path
    game: str
    deck: str | None
    pieces: tuple[TruePiece, ...]
    answer: Any = None
    strings_px: Mapping[str, Array] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    conditions: Mapping[str, Any] = field(default_factory=dict)


def tables(folder: Path) -> tuple[TrueTable, ...]:
    """Read every NAME.json of a folder that has a picture beside it, by name. TruthError."""
    if not folder.is_dir():
        raise TruthError(f"{folder}: is no folder; expected one with NAME.jpg and NAME.json for each table")
    found = []
    for path in sorted(folder.glob("*.json")):
        if path.name != "annotations.json":
            found.append(_table(path))
    return tuple(found)


def _table(path: Path) -> TrueTable:
    picture = next((p for ext in PICTURES if (p := path.with_suffix(ext)).exists()), None)
    if picture is None:
        raise TruthError(f"{path}: no picture beside it; expected {path.stem}.jpg")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return _known(path, picture, data)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise TruthError(f"{path}: is no labelled table: {type(error).__name__}: {error}") from None


def _known(path: Path, picture: Path, data: Mapping[str, Any]) -> TrueTable:
    game = data["game"]
    if game not in GAMES:
        raise ValueError(f"game {game!r}: expected one of {', '.join(GAMES)}")
    answer = data["answer"] if "answer" in data else _from_sheet(game, data)
    strings = {s["name"]: np.asarray(s["points_px"], float) for s in data.get("strings", ()) if s.get("points_px")}
    conditions = {key: data[key] for key in ("tilt_deg", "table", "light") if data.get(key) is not None}
    options = dict(data.get("options") or _turn(game, answer))
    if "stash" in options:
        options["stash"] = stashes_from(options["stash"])
    return TrueTable(
        path.stem, picture, game, _deck(path.parent, data.get("deck")), tuple(_piece(p) for p in data["pieces"]),
        answer, strings, options, conditions,
    )  # fmt: skip


def _piece(data: Mapping[str, Any]) -> TruePiece:
    corners = np.asarray(data["corners_px"], float)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise ValueError(f"corners_px of shape {corners.shape}: expected 4 points")
    return TruePiece(data["kind"], data.get("label"), corners, data.get("id"), data.get("seat"))


def _deck(folder: Path, name: str | None) -> str | None:
    """Return the deck folder beside the tables, or beside their folder, as the page's own decks lie; else the name as
    it stands: a built-in deck's, or a folder's.
    """
    for own in (folder / "decks" / str(name), folder.parent / "decks" / str(name)):
        if name and (own / "deck.toml").exists():
            return str(own)
    return name


def _turn(game: str, answer: Any) -> dict[str, Any]:
    """Return the turn that a String Safari table's answer speaks of, as `score` is told it."""
    if game != "string-safari" or not isinstance(answer, Mapping) or "me" not in answer:
        return {}
    _, category, points = answer["target"]
    told = {"turn": answer["me"], "target": f"{category}:{points}"}
    condition = answer.get("condition")
    return told if condition in NO_CONDITION else {**told, "condition": condition}


def _from_sheet(game: str, data: Mapping[str, Any]) -> Any:
    """Return the answer that a corrected reading, with a sheet as `score --json` writes it, stands for."""
    sheet = data.get("sheet")
    if not isinstance(sheet, Mapping):
        return None
    if game == "paper-safari":
        return [{"seat": p["seat"], "grid": p["grid"], "total": p["total"]} for p in sheet["players"]]
    if game == "kleine-fotosafari":
        photo = (sheet["photos"] or [{"sequence": None, "valid": None}])[0]
        return {"ring": sheet["ring"], "photo": photo["sequence"], "valid": photo["valid"]}
    if "legal" not in sheet:
        return {"players": sheet["players"]}
    points = (sheet.get("turn") or {}).get("points")
    return {"legal": sheet["legal"], "enclosed": sheet["enclosed"], "turn_points": points}


@dataclass(frozen=True)
class TrueCard:
    """A card in a photograph.

    `outline_px`: (4, 2), its quadrilateral, or only the box around what is seen of it. `hidden`: mostly covered.
    """

    label: str | None
    outline_px: Array
    quad: bool
    hidden: bool


@dataclass(frozen=True)
class Photograph:
    """An annotated photograph. `complete`: all cards in view are listed, so that false finds count."""

    picture: Path
    cards: tuple[TrueCard, ...]
    complete: bool


def photographs(folder: Path) -> tuple[Photograph, ...]:
    """Read the photographs of a folder's annotations.json that have cards with places. TruthError."""
    return tuple(photo for photo in _annotated(folder) if photo.cards)


def crops(folder: Path) -> Mapping[str, tuple[Path, ...]]:
    """Return label → pictures that are one card each, of labels with at least two. TruthError."""
    found: dict[str, list[Path]] = {}
    with _images(folder) as images:
        for image in images:
            if image.get("kind") == "crop" and len(image["cards"]) == 1:
                found.setdefault(image["cards"][0]["label"], []).append(folder / image["image"])
    return {label: tuple(paths) for label, paths in found.items() if len(paths) > 1}


@contextlib.contextmanager
def _images(folder: Path) -> Iterator[list[dict[str, Any]]]:
    """Give the annotated images, to be read while the context lasts; TruthError where they are not as expected."""
    path = folder / "annotations.json"
    try:
        yield list(json.loads(path.read_text(encoding="utf-8"))["images"])
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise TruthError(f"{path}: cannot be used: {type(error).__name__}: {error}") from None


def _annotated(folder: Path) -> list[Photograph]:
    photos = []
    with _images(folder) as images:
        for image in images:
            cards = tuple(_card(c) for c in image["cards"] if c.get("quad") or c.get("bbox"))
            photos.append(Photograph(folder / image["image"], cards, bool(image.get("complete"))))
    return photos


def _card(data: Mapping[str, Any]) -> TrueCard:
    if data.get("quad"):
        quad = np.asarray(data["quad"], float)
        if quad.shape != (4, 2):
            raise ValueError(f"quad of shape {quad.shape}: expected 4 points")
        return TrueCard(data.get("label"), quad, True, bool(data.get("hidden")))
    left, top, right, bottom = data["bbox"]
    box = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], float)
    return TrueCard(data.get("label"), box, False, bool(data.get("hidden")))
