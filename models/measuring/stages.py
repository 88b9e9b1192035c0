"""What reading one picture costs, stage by stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from decks.deck import Deck
from measuring.stopwatch import Spent, Stopwatch, middle, once, watching
from service.pictures import decode
from service.reading import seen_in
from vision.recogniser import Recogniser
from vision.threads import alone

Image = npt.NDArray[np.uint8]

STAGES: Mapping[str, tuple[str, ...]] = {
    "detect": ("vision.detector:Detector.detect",),
    "name faces": ("vision.recogniser:Recogniser.name",),
    "lay faces on": ("vision.matching:lay",),
    "place": ("vision.reader:place",),
    "look into gaps": ("vision.gaps:found", "vision.reader:filled"),
    "photo cards": ("vision.reader:photo_cards",),
    "markers": ("vision.markers:find",),
    "strings": ("vision.strings:trace",),
}
"""Each stage and its functions; what a stage inside another takes is not counted twice."""
JPEG_QUALITY = 92


@dataclass(frozen=True)
class Costs:
    """One picture: what it was read as, the whole, and each stage's CPU in ms, the rest of the whole among them."""

    pieces: int
    whole: Spent
    stages_ms: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        stages = {name: round(ms, 2) for name, ms in self.stages_ms.items()}
        return {"pieces": self.pieces, "whole": self.whole.to_json(), "stages_cpu_ms": stages}


def costs(image: Image, deck: Deck, recogniser: Recogniser, rounds: int) -> Costs:
    """Decode, read and judge a picture so many times, once before; the median of each."""
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
    pieces = len(seen_in(image, deck, recogniser).answer({})["pieces"])
    rows, wholes = [], []
    for _ in range(rounds):
        row, whole = _round(data, deck, recogniser)
        rows.append(row)
        wholes.append(whole)
    names = [name for name in rows[0] if any(name in row for row in rows)]
    return Costs(pieces, middle(wholes), {name: median(row.get(name, 0.0) for row in rows) for name in names})


def _round(data: bytes, deck: Deck, recogniser: Recogniser) -> tuple[dict[str, float], Spent]:
    """Time the stages, one after the other on one core, then the whole as it is done."""
    with alone(), watching(STAGES) as watch:
        read = watch.around("rest of reading", lambda image: seen_in(image, deck, recogniser))
        judge = watch.around("judge", lambda seen: seen.answer({}))
        judge(read(watch.around("decode", decode)(data)))
    return _ordered(watch), once(lambda: seen_in(decode(data), deck, recogniser).answer({}))


def _ordered(watch: Stopwatch) -> dict[str, float]:
    order = ("decode", *STAGES, "rest of reading", "judge")
    return {name: watch.spent[name] for name in order if name in watch.spent}
