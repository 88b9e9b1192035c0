"""Claims of Kleine Fotosafari: which photo card is meant, what the verdict is, and what is kept quiet before. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.answers import CLAIMS
from service.eyes import Answer
from service.session import RefusedError

FOTO = "kleine-fotosafari"


def pick(photos: list[dict[str, Any]], wished: int | None, wanted: int | None) -> int:
    """Return the photo card that is meant: the wished one, or the only one of the level. RefusedError."""
    if wished is not None:
        if wished not in {photo["piece"] for photo in photos}:
            raise RefusedError("this photo card lies not beside the ring, or was taken already")
        return wished
    if not photos:
        raise RefusedError("no photo card lies beside the ring: lay it down, then call", "no-photo")
    right_level = [photo for photo in photos if photo["sequence"] is None or len(photo["sequence"]) == wanted]
    if len(right_level or photos) > 1:
        raise RefusedError("several photo cards lie there: tap the one that is meant", "which-photo")
    return int((right_level or photos)[0]["piece"])


SURE = 0.9
"""A card that was taken is another card now where it shows other animals with at least this probability."""


def still_lying(
    claimed: Mapping[int, str | None], photos: Mapping[int, tuple[str | None, float]]
) -> dict[int, str | None]:
    """Return which cards that were taken still lie there; `photos`: what is in view shows, and how surely.

    A card laid in the place of a taken one is found under its id: it has left in between, or shows other animals.
    """
    return {
        photo: shown
        for photo, shown in claimed.items()
        if photo in photos and not (photos[photo][0] != shown and photos[photo][1] >= SURE)
    }


def meant(answer: Answer) -> Answer:
    """Return an answer without the question which photo card is meant: who called has said it."""
    return {**answer, "questions": [q for q in answer["questions"] if tuple(q["choices"]) != CLAIMS]}


def verdict(shot: Mapping[str, Any], answer: Answer) -> tuple[bool | None, str]:
    """Return whether a photo is right, None where a question is open, and why."""
    if answer["questions"]:
        return None, str(answer["questions"][0]["message"])
    if shot["sequence"] is None or shot["valid"] is None:
        return None, "the photo card could not be read"
    lines = shot.get("lines") or []
    return bool(shot["valid"]), str(lines[0]["reason"]) if lines else ", ".join(shot["sequence"])


def silenced(answer: Answer) -> Answer:
    """Return an answer without anything that tells whether a photo card in view is right."""
    photos = {photo["piece"] for photo in answer["sheet"].get("photos", ())}
    problems = [problem for problem in answer["problems"] if not photos & set(problem["pieces"])]
    sheet = {**answer["sheet"], "photos": []}
    return {**answer, "certain": True, "questions": [], "problems": problems, "sheet": sheet}
