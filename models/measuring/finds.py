"""Annotated photographs, read as `find` reads them: cards found, false finds, and crops named by another picture."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shapely import Polygon, box

from decks.deck import load
from measuring.truth import Photograph, TrueCard
from service.finding import found
from service.pictures import PictureError, decode
from vision.recogniser import Recogniser

FOUND_IOU, CLOSE_IOU, HIDDEN_IOU = 0.5, 0.8, 0.3
"""From which overlap on a card counts as found; as found closely; and from which a find lies on a hidden card."""
CROP_MM = (56, 87)
"""What crops are said to measure; a picture edge to edge is named whatever its size."""
LOOSE = ("coin", "marker")


@dataclass(frozen=True)
class PhotoRow:
    """One photograph. Cards that are hidden are in none of the counts; `finds`, `false` only where all are listed."""

    picture: Path
    cards: int
    hit: int
    quads: int
    close: int
    finds: int
    false: int
    failed: str = ""
    missed_px: tuple[Any, ...] = ()
    false_px: tuple[Any, ...] = ()

    @property
    def missed(self) -> bool:
        """Whether anything about it is wrong."""
        return bool(self.failed) or self.hit < self.cards or self.false > 0


@dataclass(frozen=True)
class CropRow:
    """One crop, and what it was read as."""

    picture: Path
    label: str
    best: str | None
    said: float | None  # None: not named


def measure(photo: Photograph) -> PhotoRow:
    """Find what lies in one photograph and compare."""
    try:
        image = decode(photo.picture.read_bytes())
    except (OSError, PictureError) as error:
        return PhotoRow(photo.picture, sum(not c.hidden for c in photo.cards), 0, 0, 0, 0, 0, str(error))
    pieces = [p for p in found(image, None, None, False, {})["pieces"] if p["kind"] not in LOOSE]
    return compared(photo, [p["corners_px"] for p in pieces])


def compared(photo: Photograph, finds_px: Sequence[Any]) -> PhotoRow:
    """Match each card with the find that overlaps it most; cards that are plainly seen choose first."""
    shapes = [Polygon(f).buffer(0) for f in finds_px]
    free, best = set(range(len(shapes))), dict[int, float]()
    for i in sorted(range(len(photo.cards)), key=lambda i: photo.cards[i].hidden):
        card = photo.cards[i]
        overlap, j = max(((_iou(card, shapes[j]), j) for j in free), default=(0.0, -1))
        best[i] = overlap
        if overlap >= (HIDDEN_IOU if card.hidden else FOUND_IOU):
            free.discard(j)
    seen = [i for i, card in enumerate(photo.cards) if not card.hidden]
    hit = [i for i in seen if best[i] >= FOUND_IOU]
    quads = [i for i in seen if photo.cards[i].quad]
    close = sum(best[i] >= CLOSE_IOU for i in quads)
    missed = tuple(photo.cards[i].outline_px.tolist() for i in seen if i not in hit)
    false = tuple(finds_px[j] for j in sorted(free)) if photo.complete else ()
    finds = len(shapes) if photo.complete else 0
    return PhotoRow(photo.picture, len(seen), len(hit), len(quads), close, finds, len(false), "", missed, false)


def _iou(card: TrueCard, find: Polygon) -> float:
    true = Polygon(card.outline_px).buffer(0)
    shape = find if card.quad else box(*find.bounds)
    union = true.union(shape).area
    return float(true.intersection(shape).area / union) if union else 0.0


def named(crops: Mapping[str, Sequence[Path]]) -> list[CropRow]:
    """Name each of two crops of a face by the other one, both ways round."""
    return [row for reference, query in ((0, 1), (1, 0)) for row in _way(crops, reference, query)] if crops else []


def _way(crops: Mapping[str, Sequence[Path]], reference: int, query: int) -> list[CropRow]:
    with tempfile.TemporaryDirectory() as folder:
        deck = load(_deck(Path(folder), {label: paths[reference] for label, paths in crops.items()}))
        recogniser = Recogniser(deck)
        rows = []
        for label, paths in crops.items():
            (piece,) = found(decode(paths[query].read_bytes()), deck, recogniser, True, {})["pieces"]
            best = piece["label"] or next((name for name, _ in piece["candidates"]), None)
            rows.append(CropRow(paths[query], label, best, piece["probability"] if piece["label"] else None))
        return rows


def _deck(folder: Path, faces: Mapping[str, Path]) -> Path:
    """Write a deck of faces alone, a picture each."""
    (folder / "faces").mkdir()
    for label, path in faces.items():
        shutil.copy(path, folder / "faces" / f"{label}{path.suffix.lower()}")
    lines = ['game = "any"', 'name = "crops"', f"card_mm = [{CROP_MM[0]}, {CROP_MM[1]}]"]
    (folder / "deck.toml").write_text("\n".join([*lines, *(f'[faces."{label}"]' for label in faces)]) + "\n")
    return folder
