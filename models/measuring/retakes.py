"""Spoiled photographs of faces, and what `deck enrol` says of them: python -m measuring.retakes FOLDER.

Rows of faces are rendered and spoiled by turns: out of focus, shaken, a gleam on one piece, small, one piece cut off by
the picture's edge. Counted are the spoiled faces that are told, and the good ones that are accused; faces that are cut
at another outline than their own are spoiled too.
"""

from __future__ import annotations

import argparse
import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from decks import quality, writing
from decks.deck import Deck, DeckError, find
from decks.manifest import FILE_NAME
from decks.picture import Image
from measuring import randomdeck
from scoring.edition import Game
from scoring.table import Kind, Piece, Table
from service.deck_enrolling import Enrolling
from synth.pictures import Pictures
from synth.render import Manner, photograph
from synth.things import rectangle

Floats = npt.NDArray[np.float64]
Rng = np.random.Generator

WAYS = ("none", "focus", "shaken", "gleam", "small", "cut off", "none")
MANNER = Manner(width=1280, height=720, most_tilt_deg=25.0, harsh=0.25, mess=0.2)
PIECES, COLUMNS = 8, 4
GOOD_BLUR, BAD_BLUR = 1 / 70, 1 / 40
"""Of a face's width, an edge's σ: what is a good face for sure, and what a blurred one."""
GOOD_GLEAM, BAD_GLEAM = 0.08, 0.14
"""Of a face: how much of it a gleam burns on a good one at most, and on a spoiled one at least."""
GOOD_OFF, BAD_OFF = 0.02, 0.035
"""Of a face's width: how far the worst corner is off where it is cut well at worst, and where it is cut wrongly."""
WORDS = {"blurred": "blurred", "gleam": "glare", "small": "px wide", "cut off": "cut off", "outline": "outline"}
"""Faults by what is said of them."""


@dataclass(frozen=True)
class Spoiled:
    """A photograph (h, w, 3), its pieces' corners (n, 4, 2) px, and by piece what is wrong, and what may be so."""

    image: Image
    corners_px: Floats
    bad: tuple[frozenset[str], ...]
    doubtful: tuple[frozenset[str], ...]


def rows(rng: Rng, kind: Kind, labels: Sequence[str], size_mm: tuple[float, float]) -> Table:
    """Lay pieces in reading order, in rows that run askew."""
    pieces, gap, skew = [], 1 + rng.uniform(0.15, 0.5), float(rng.normal(0, 5))
    turn = np.deg2rad(skew)
    way = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    for k, label in enumerate(labels):
        step = np.array([k % COLUMNS * size_mm[0], -(k // COLUMNS) * size_mm[1]]) * gap
        x, y = (float(v) for v in way @ step + rng.normal(0, min(size_mm) * 0.02, 2))
        up = 90 + skew + float(rng.normal(0, 3))
        outline = tuple((float(a), float(b)) for a, b in rectangle((x, y), size_mm, up))
        pieces.append(Piece(k, kind, label, outline, up))
    return Table(tuple(pieces))


def spoiled(rng: Rng, image: Image, corners_px: Floats, way: str) -> Spoiled:
    """Spoil a photograph in that way, more or less."""
    if way in ("focus", "shaken"):
        return _blurred(rng, image, corners_px, way)
    if way == "gleam":
        which = int(rng.integers(len(corners_px)))
        lit, share = _gleam(rng, image, corners_px[which])
        return _told(lit, corners_px, way, [which] * (share > BAD_GLEAM), [which] * (share > GOOD_GLEAM))
    if way == "small":
        return _small(rng, image, corners_px)
    if way == "cut off":
        cropped, corners, which = _cropped(rng, image, corners_px)
        return _told(cropped, corners, way, [which], [which])
    return _told(image, corners_px, way, (), ())


def _blurred(rng: Rng, image: Image, corners_px: Floats, way: str) -> Spoiled:
    """Return the picture out of focus, or of a camera that moved."""
    width = np.linalg.norm(corners_px[:, 1] - corners_px[:, 0], axis=1)
    sigma = float(np.median(width)) * float(rng.uniform(1 / 120, 1 / 15))
    soft = _shaken(rng, image, sigma * np.sqrt(12)) if way == "shaken" else cv2.GaussianBlur(image, (0, 0), sigma)
    noise = rng.normal(0, rng.uniform(0.5, 4), image.shape)
    grained = np.asarray(np.clip(soft + noise, 0, 255), np.uint8)
    share = sigma / width
    return _told(grained, corners_px, "blurred", np.flatnonzero(share > BAD_BLUR), np.flatnonzero(share > GOOD_BLUR))


def _small(rng: Rng, image: Image, corners_px: Floats) -> Spoiled:
    """Return the picture so small that some faces may be narrower than they must be."""
    width = np.linalg.norm(corners_px[:, 1] - corners_px[:, 0], axis=1)
    scale = min(float(rng.uniform(45, 110) / np.median(width)), 1.0)
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    corners = (corners_px + 0.5) * scale - 0.5
    across = np.linalg.norm(corners[:, [1, 2]] - corners[:, [0, 3]], axis=-1).min(axis=1)
    least = quality.LEAST_WIDTH_PX
    return _told(small, corners, "small", np.flatnonzero(across < least - 3), np.flatnonzero(across < least + 3))


def _told(image: Image, corners_px: Floats, fault: str, bad: Iterable[int], doubtful: Iterable[int]) -> Spoiled:
    """Put together a photograph in which pieces `bad` have a fault, and those of `doubtful` may have it."""
    which, maybe = set(bad), set(doubtful)
    faults = [tuple(frozenset([fault] if k in some else []) for k in range(len(corners_px))) for some in (which, maybe)]
    return Spoiled(image, corners_px, faults[0], faults[1])


def _shaken(rng: Rng, image: Image, long_px: float) -> Image:
    """Return the picture as a camera gives it that moved by so much."""
    half, turn = long_px / 2, rng.uniform(0, np.pi)
    size = 2 * int(np.ceil(half)) + 3
    kernel = np.zeros((size * 8, size * 8), np.float32)
    tip = np.array([np.cos(turn), np.sin(turn)]) * half * 8
    start, end = (size * 4 - tip).round().astype(int), (size * 4 + tip).round().astype(int)
    cv2.line(kernel, start.tolist(), end.tolist(), (1.0,), 8)
    small = cv2.resize(kernel, (size, size), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.filter2D(image, -1, small / small.sum()), np.uint8)


def _gleam(rng: Rng, image: Image, quad: Floats) -> tuple[Image, float]:
    """Return the picture with a lamp's gleam on a piece, and the share of the piece that it burns white."""
    height, width = image.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    middle = quad.mean(axis=0) + (quad[rng.integers(4)] - quad.mean(axis=0)) * rng.uniform(0, 0.6)
    reach = np.sqrt(cv2.contourArea(quad.astype(np.float32))) * rng.uniform(0.15, 0.6)
    off = np.hypot(x - middle[0], (y - middle[1]) * rng.uniform(0.6, 1.6)) / reach
    light = rng.uniform(250, 700) * np.exp(-(off**2))
    lit = np.clip(image + light[..., None], 0, 255).astype(np.uint8)
    inside = cv2.fillConvexPoly(np.zeros((height, width), np.uint8), quad.round().astype(np.int32), (1,)) > 0
    burnt = (lit.min(axis=2) >= quality.WHITE) & (image.min(axis=2) < quality.WHITE)
    return lit, float(burnt[inside].mean())


def _cropped(rng: Rng, image: Image, corners_px: Floats) -> tuple[Image, Floats, int]:
    """Return the picture cropped so that its outermost piece on one side loses a part, and that piece."""
    side = int(rng.integers(4))
    along, sign = side % 2, 1 if side < 2 else -1
    far = (sign * corners_px[..., along]).max(axis=1)
    which = int(far.argmax())
    low = float((sign * corners_px[which, :, along]).min())
    edge = int(sign * (far[which] - (far[which] - low) * rng.uniform(0.06, 0.5)))
    cut = [slice(None), slice(None)]
    cut[1 - along] = slice(None, edge) if sign > 0 else slice(edge, None)
    corners = corners_px.copy()
    if sign < 0:
        corners[..., along] -= edge
    return np.ascontiguousarray(image[cut[0], cut[1]]), corners, which


@dataclass(frozen=True)
class Said:
    """What was said of one photograph: by piece the faults named; of all of them, why it was refused."""

    told: tuple[frozenset[str], ...]
    off: tuple[float, ...]
    refused: str | None


def enrolled(folder: Path, deck: Deck, spoilt: Spoiled, labels: Sequence[str], game: Game) -> Said:
    """Enrol a photograph into a new folder; tell what is said of each face, and how far off it was cut, in widths."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "faces").mkdir(parents=True)
    text = writing.begun(game, "mine", deck.edition.size_mm)
    (folder / FILE_NAME).write_text(text, encoding="utf-8")
    path = folder / "photo.png"
    cv2.imwrite(str(path), spoilt.image)
    job = Enrolling(folder, "faces", labels)
    try:
        lines = job.run([path])
    except DeckError as error:
        return Said((), (), str(error))
    told = [
        frozenset(k for k, word in WORDS.items() if any(f'"{label}"' in line and word in line for line in lines))
        for label in labels
    ]
    off = []
    for cutting, true in zip(job.cut([spoilt.image])[0], spoilt.corners_px, strict=True):
        far = np.linalg.norm(cutting.corners_px - true, axis=1).max()
        off.append(float(far / np.linalg.norm(true[1] - true[0])))
    return Said(tuple(told), tuple(off), None)


def judged(spoilt: Spoiled, said: Said, way: str) -> Counter[tuple[str, str]]:
    """Count a photograph's faces by fault and what was said: told or passed over, accused or rightly not."""
    counts: Counter[tuple[str, str]] = Counter()
    if said.refused is not None:
        counts["cut off" if way == "cut off" else f"refused: {way}", "told"] += 1
        return counts
    for bad, doubtful, told, off in zip(spoilt.bad, spoilt.doubtful, said.told, said.off, strict=True):
        wrong = bad | (frozenset(["outline"]) if off > BAD_OFF else frozenset())
        maybe = doubtful | (frozenset(["outline"]) if off > GOOD_OFF else frozenset())
        for fault in wrong:
            counts[fault, "told" if fault in told else "told otherwise" if told else "passed over"] += 1
        if not maybe:
            counts["good", "accused" if told else "rightly not"] += 1
            for fault in told:
                counts["good", f"as {fault}"] += 1
    return counts


def tried(folder: Path, deck: Deck, seed: int, pictures: Pictures) -> Counter[tuple[str, str]]:
    """Photograph, spoil and enrol one spread."""
    rng = np.random.default_rng([seed, 21])
    game, way = deck.edition.game, WAYS[seed % len(WAYS)]
    faces = [label for label in deck.faces if label != "back"]
    labels = [faces[k] for k in rng.permutation(len(faces))[:PIECES]]
    table = rows(rng, "tile" if game == "string-safari" else "card", labels, deck.edition.size_mm)
    image, seen = photograph(table, deck, seed, MANNER, pictures)
    spoilt = spoiled(rng, image, np.array([seen.pieces[k].corners_px for k in range(len(labels))]), way)
    said = enrolled(folder / f"{seed}", deck, spoilt, labels, game)
    counts = judged(spoilt, said, way)
    print(f"  {seed} {way} ({deck.folder.name}): {said.refused or _line(labels, spoilt, said)}", flush=True)
    return counts


def _line(labels: Sequence[str], spoilt: Spoiled, said: Said) -> str:
    return "; ".join(
        f"{label} {','.join(sorted(bad)) or '-'} told {','.join(sorted(told)) or '-'}, off {off:.1%}"
        for label, bad, told, off in zip(labels, spoilt.bad, said.told, said.off, strict=True)
        if bad or told or off > GOOD_OFF
    )


def main() -> None:
    """Enrol so many spoiled spreads of faces, and sum up what was said."""
    parser = argparse.ArgumentParser(prog="python -m measuring.retakes", description=main.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=42)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--game", default="paper-safari")
    randomdeck.offer(parser)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    names, pictures = randomdeck.chosen(args, args.folder, args.game)
    total: Counter[tuple[str, str]] = Counter()
    for seed in range(args.seed, args.seed + args.count):
        total += tried(args.folder, find(names[seed // len(WAYS) % len(names)], args.game), seed, pictures)
    for (fault, what), count in sorted(total.items()):
        print(f"{fault}: {count} {what}")


if __name__ == "__main__":
    main()
