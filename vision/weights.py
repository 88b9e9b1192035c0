"""Where the networks' weights lie, and that they are the ones that were measured."""

from __future__ import annotations

import hashlib
import tomllib
from functools import lru_cache
from pathlib import Path

_INSTALLED = Path(__file__).parent / "weights"
_CHECKOUT = Path(__file__).parent.parent / "models" / "weights"


class WeightsError(RuntimeError):
    """Weights that are missing or not the ones that `weights.toml` names."""


def folder() -> Path:
    """Return the folder with `weights.toml`: inside the installed package, or of the checkout."""
    return _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT


@lru_cache(maxsize=8)
def verified(name: str) -> bytes:
    """Read `name`.onnx and check it against the sha256 in `weights.toml`; WeightsError where they differ."""
    table = folder() / "weights.toml"
    path = folder() / f"{name}.onnx"
    if not table.exists() or not path.exists():
        raise WeightsError(f"no weights {path.name} in {folder()}: install the package again, or run `make train`")
    expected = tomllib.loads(table.read_text(encoding="utf-8")).get(name, {}).get("sha256")
    data = path.read_bytes()
    actual = hashlib.sha256(data).hexdigest()
    if actual != expected:
        raise WeightsError(
            f"{path.name}: sha256 {actual[:12]}…, expected {str(expected)[:12]}…: install the package again"
        )
    return data
