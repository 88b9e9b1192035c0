"""What all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the training tests alone unless they are asked for: ultralytics changes Pillow when it is imported."""
    asked = "train" in str(config.getoption("markexpr")) and "not train" not in str(config.getoption("markexpr"))
    return None if asked or "training" not in collection_path.parts else True
