"""The bundled sample tables: small pictures, each with a toml that says what it shows."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "samples"


class SampleError(ValueError):
    """A sample's toml that cannot be used."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A picture and how it is to be read."""

    name: str
    picture: Path
    game: str
    title: str
    deck: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


def samples(folder: Path = FOLDER) -> tuple[Sample, ...]:
    """Return the samples of a folder, by name; a toml without its picture raises SampleError."""
    return tuple(_sample(path) for path in sorted(folder.glob("*.toml")))


def _sample(path: Path) -> Sample:
    try:
        entry = tomllib.loads(path.read_text(encoding="utf-8"))
        game = str(entry["game"])
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise SampleError(f"{path.name}: {error}") from None
    picture = next((p for ext in ("jpg", "png", "webp") if (p := path.with_suffix(f".{ext}")).exists()), None)
    if picture is None:
        raise SampleError(f"{path.name}: no picture {path.stem}.jpg beside it")
    return Sample(
        name=path.stem,
        picture=picture,
        game=game,
        title=str(entry.get("title", path.stem.replace("-", " "))),
        deck=entry.get("deck"),
        options=dict(entry.get("options", {})),
    )
