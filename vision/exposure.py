"""The light on a table, also where the references were photographed in lights of their own.

A face cut from a photograph bears that photograph's exposure and lamp, and the next face another's: what turns such a
reference into what the table shows is not the light on the table. That one all faces tell together, by what white
paper and black ink look like there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.ranks import quantile
from vision.tint import Floats, Light

FEWEST = 5
"""Faces, below which there may be neither white paper nor black ink among them."""
WHITE, BLACK = 245.0, 30.0
"""Printed white and black as clean faces have them."""
WHITEST, BLACKEST = 0.99, 0.01
"""Share of a table's faces that is darker than what is taken for these."""
LEAST_GAIN = 0.03


def on_table(expected: Sequence[Floats]) -> Light | None:
    """Return the light on the table as clean references would tell it; None where too few faces are known.

    expected: (h, w, 3) BGR each, what is to be seen of each face, covers aside.
    """
    if len(expected) < FEWEST:
        return None
    seen = np.concatenate([e.reshape(-1, 3) for e in expected])
    white, black = quantile(seen, WHITEST, axis=0), quantile(seen, BLACKEST, axis=0)
    gain = np.maximum((white - black) / (WHITE - BLACK), LEAST_GAIN)
    return Light(gain, black - gain * BLACK)
