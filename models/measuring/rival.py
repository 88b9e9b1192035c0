"""Ultralytics' own `predict`, where it is installed: the yardstick for speed. The only file that knows it here."""

from __future__ import annotations

import atexit
import importlib.util
import os
import shutil
import tempfile
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]

ARCHITECTURE = "yolo11n-obb.yaml"
SIDE_PX = 640
THREADS = 2  # as our detector's
QUIET = {"ULTRALYTICS_SAFE_LOAD": "true", "YOLO_AUTOINSTALL": "false", "YOLO_OFFLINE": "true", "YOLO_VERBOSE": "false"}
WHAT = f"{ARCHITECTURE} with random weights, seed 0, predict at {SIDE_PX} px on {THREADS} threads"
"""Its time does not depend on what the weights have learnt; few boxes come out, so that suppressing them is cheap."""
MISSING = "skipped: ultralytics is not installed (pip install 'safari-table[train]')"


def installed() -> bool:
    """Tell whether there is something to compare with."""
    return importlib.util.find_spec("ultralytics") is not None


def predictor() -> Callable[[Image], object]:
    """Return its predict on a BGR picture, on the CPU; ImportError where it is not installed."""
    os.environ.update(QUIET)
    if "YOLO_CONFIG_DIR" not in os.environ:
        os.environ["YOLO_CONFIG_DIR"] = settings = tempfile.mkdtemp(prefix="safari-bench-")
        atexit.register(shutil.rmtree, settings, ignore_errors=True)
    import torch
    from ultralytics import YOLO

    torch.manual_seed(0)
    torch.set_num_threads(THREADS)
    model = YOLO(ARCHITECTURE, task="obb")
    return lambda image: model.predict(image, imgsz=SIDE_PX, device="cpu", verbose=False)
