"""Where a cord is seen, told by a network that has seen many: the only file that knows it.

A grey cord on a grey cloth differs from it by its bright side and its shadow alone, and a print's lines have a cord's
colours: what single lines cannot tell, the look of the whole neighbourhood does.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision import weights
from vision.strings.ground import LOG_OFFSET, Image32

STEP_PX = 2  # of what is shown, between the places that are told
MOST_PX = 1280  # the longer side of a whole picture, at most, as it learnt them: larger ones are made smaller
ROUND_PX = 8  # the network sees pictures whose sides are multiples of this
USUAL_LOG = 4.6  # of a usual pixel


def shown(image: NDArray[np.uint8]) -> Image32:
    """Return what the network is shown of a BGR picture (h, w): (1, 3, rows, columns), as large or a little larger."""
    levels = np.log(np.arange(256, dtype=np.float32) + np.float32(LOG_OFFSET)) - np.float32(USUAL_LOG)
    log = np.asarray(cv2.LUT(image, levels), np.float32)
    down, right = (-side % ROUND_PX for side in image.shape[:2])
    wide = cv2.copyMakeBorder(log, 0, down, 0, right, cv2.BORDER_REPLICATE) if down or right else log
    return np.ascontiguousarray(wide.transpose(2, 0, 1)[None])


class Seer:
    """Tells where cords are seen."""

    def __init__(self, model: bytes) -> None:
        options = onnxruntime.SessionOptions()
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def likely(self, image: NDArray[np.uint8], shrink: float = 1.0) -> Image32:
        """Return how likely a cord is seen (rows, columns), 0 to 1, all over a BGR picture that is made so many times
        smaller, `STEP_PX` apart there.
        """
        if shrink > 1:
            size = max(round(image.shape[1] / shrink), 1), max(round(image.shape[0] / shrink), 1)
            image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        (logit,) = self._session.run(["logit"], {"image": shown(image)})
        rows, columns = (-(-side // STEP_PX) for side in image.shape[:2])
        return np.asarray(1 / (1 + np.exp(-logit[0, :rows, :columns])), np.float32)


@lru_cache(maxsize=1)
def seer() -> Seer:
    """Load the committed network once; WeightsError where it is not the one that was measured."""
    return Seer(weights.verified("cordmap"))
