"""The recogniser's network through ONNX Runtime; the only file that knows it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import onnxruntime

from decks.deck import Image
from vision import weights
from vision.crop import Floats, squeezed
from vision.naming import Calibration
from vision.threads import each

SIDE_PX = 64
BATCH = 16
"""Crops at a time: more leave a processor's cache. Each batch runs on one core, several batches at once."""


class Embedder:
    """Embeds crops: a reference counts by its direction, a query's length is how sure the network is of it."""

    def __init__(self, model: bytes) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self.calibration = Calibration.parse(self._session.get_modelmeta().custom_metadata_map)

    def embed(self, crops: Sequence[Image]) -> Floats:
        """Embed crops (h, w, 3) BGR of any size; (n, d)."""
        parts = each(self._run, [crops[i : i + BATCH] for i in range(0, len(crops), BATCH)])
        return np.concatenate(parts) if parts else np.zeros((0, 1), dtype=np.float32)

    def _run(self, crops: Sequence[Image]) -> Floats:
        planes = np.stack([squeezed(crop, SIDE_PX) for crop in crops]).transpose(0, 3, 1, 2)
        (out,) = self._session.run(["embeddings"], {"crops": np.ascontiguousarray(planes, dtype=np.float32)})
        return np.asarray(out, dtype=np.float32)


@lru_cache(maxsize=1)
def embedder() -> Embedder:
    """Load the committed network once; WeightsError where it is not the one that was measured."""
    return Embedder(weights.verified("recogniser"))


def directions(embeddings: Floats) -> Floats:
    """Scale embeddings to length one, as references are kept."""
    lengths = np.linalg.norm(embeddings, axis=1, keepdims=True)
    return np.asarray(embeddings / np.maximum(lengths, 1e-6), dtype=np.float32)
