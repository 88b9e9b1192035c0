"""Misreads that players report: picture, what was read of it, and what is right, in the form of the labelled tables."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from service import pictures
from service.eyes import Answer, Image
from service.schemas import piece_json

QUALITY = 95  # a misread is looked at closely
KEPT = 200  # so many at most: they are a few hundred kB each


class MisreadError(ValueError):
    """A report that cannot be saved; one line."""


def save(folder: Path, image: Image, read: Answer, right: Answer, options: Mapping[str, Any], note: str) -> str:
    """Write NAME.jpg and NAME.json, and return the name. MisreadError.

    `read`: the answer as the picture was read; `right`: with the players' corrections.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if len(list(folder.glob("*.json"))) >= KEPT:
            raise MisreadError(f"{folder} holds {KEPT} reports already: send them on and remove them")
        name = f"{right['game'].rsplit('-', 1)[0]}-{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() // 1000 % 1000:03d}"
        told = {**labelled(right, options), "name": name, "note": note, "reading": read}
        (folder / f"{name}.jpg").write_bytes(pictures.jpeg(image, QUALITY))
        (folder / f"{name}.json").write_text(json.dumps(told, ensure_ascii=False, indent=1), encoding="utf-8")
    except OSError as error:
        raise MisreadError(f"the report cannot be written ({error.strerror or error})") from None
    return name


def labelled(right: Answer, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is right as a labelled table: pieces and strings in px, and the game's own answer."""
    kept = ("id", "kind", "label", "corners_px", "on", "sequence")
    return {
        "game": right["game"],
        "deck": right["deck"],
        "width": right["image"]["width"],
        "height": right["image"]["height"],
        "options": {key: _told(key, value) for key, value in options.items() if key != "answer"},
        "pieces": [{key: piece[key] for key in kept if key in piece} for piece in right["pieces"]],
        "strings": [{"name": s["name"], "points_px": s.get("path_px", [])} for s in right["strings"]],
        "answer": _answer(right["game"], right["sheet"], options),
    }


def _told(key: str, value: Any) -> Any:
    """Return an option as plain values: a stash's pieces as an answer writes them."""
    return {player: [piece_json(p) for p in pieces] for player, pieces in value.items()} if key == "stash" else value


def _answer(game: str, sheet: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
    if game == "paper-safari":
        return [{key: player[key] for key in ("seat", "grid", "total")} for player in sheet["players"]]
    if game == "kleine-fotosafari":
        photo = next(iter(sheet["photos"]), None)
        claim = {"photo": photo["sequence"], "valid": photo["valid"]} if photo is not None else {}
        return {"ring": sheet["ring"], **claim}
    if "enclosed" not in sheet:
        return {"players": sheet["players"]}
    turn = sheet.get("turn") or {}
    category, _, points = str(options.get("target") or "").partition(":")
    aim = {"me": options["turn"], "target": ["", category, int(points)]} if points.isdigit() else {}
    told = {key: sheet[key] for key in ("enclosed", "touching", "legal", "touches_field")}
    return {**told, "turn_points": turn.get("points"), **aim, "condition": options.get("condition") or "none"}
