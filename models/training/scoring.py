"""How well a detector finds what is in rendered pictures: precision, recall and corners, at one threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from synth.chunks import load
from vision.detector import KINDS, Detector, iou

MATCH = 0.5  # IoU from which a find counts


@dataclass(frozen=True)
class Score:
    """Over all pictures: finds that match, all finds, all pieces; the mean IoU of matches."""

    hits: int
    finds: int
    pieces: int
    overlap: float
    recall_by_kind: tuple[float, ...]

    @property
    def recall(self) -> float:
        """Return the share of pieces that were found."""
        return self.hits / max(1, self.pieces)

    @property
    def precision(self) -> float:
        """Return the share of finds that are pieces."""
        return self.hits / max(1, self.finds)

    @property
    def f1(self) -> float:
        """Return the harmonic mean of both, times the mean overlap: what is kept as best."""
        return 2 * self.hits / max(1, self.finds + self.pieces) * self.overlap

    def __str__(self) -> str:
        kinds = " ".join(f"{k} {r:.3f}" for k, r in zip(KINDS, self.recall_by_kind, strict=True))
        return f"held out: recall {self.recall:.3f} ({kinds}) precision {self.precision:.3f} IoU {self.overlap:.3f}"


def match(found: npt.NDArray[np.float32], true: npt.NDArray[np.float32]) -> list[tuple[int, float]]:
    """Pair finds (n, 4, 2), best first, with truths (m, 4, 2): for each find that matches, which truth and the IoU."""
    free, pairs = set(range(len(true))), []
    for quad in found:
        overlap, which = max(((iou(quad, true[j]), j) for j in free), default=(0.0, -1))
        if overlap >= MATCH:
            free.remove(which)
            pairs.append((which, overlap))
    return pairs


def measure(weights: Path, chunks: Sequence[Path], threads: int = 2) -> Score | None:
    """Score ONNX weights on chunks; None where there are none."""
    detector = Detector(weights.read_bytes(), threads)
    hits, pieces = np.zeros(len(KINDS), int), np.zeros(len(KINDS), int)
    finds, overlaps = 0, []
    for path in chunks:
        chunk = load(path)
        for index in range(len(chunk.jpegs)):
            image, truth = chunk.image(index), chunk.of(index)
            found = detector.look(image, max(image.shape[:2]))
            finds += len(found)
            for k, kind in enumerate(KINDS):
                mine = np.array([i for i, name in enumerate(found.kinds) if name == kind], int)
                quads = truth[truth[:, 0] == k, 1:].reshape(-1, 4, 2)
                pairs = match(found.corners_px[mine], quads)
                overlaps += [o for _, o in pairs]
                hits[k] += len(pairs)
                pieces[k] += len(quads)
    if not pieces.sum():
        return None
    shares = tuple(float(h / max(1, p)) for h, p in zip(hits, pieces, strict=True))
    return Score(int(hits.sum()), finds, int(pieces.sum()), float(np.mean(overlaps or [0])), shares)
