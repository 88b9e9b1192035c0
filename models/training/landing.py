"""Land trained weights in models/weights: python -m training.landing NAME FILE.onnx key=value…"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from pathlib import Path

WEIGHTS = Path(__file__).parent.parent / "weights"


def land(name: str, data: bytes, facts: dict[str, str | int | float], folder: Path = WEIGHTS) -> None:
    """Write `name`.onnx and its table in weights.toml; the other networks' tables stay as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    table = folder / "weights.toml"
    text = table.read_text(encoding="utf-8") if table.exists() else ""
    lines = [
        f"[{name}]",
        f'sha256 = "{hashlib.sha256(data).hexdigest()}"',
        *(f"{k} = {json.dumps(v)}" for k, v in facts.items()),
    ]
    others = re.sub(rf"(?ms)^\[{name}\]\n.*?(?=^\[|\Z)", "", text).strip()
    (folder / f"{name}.onnx").write_bytes(data)
    table.write_text((others + "\n\n" if others else "") + "\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Land weights as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m training.landing", description=__doc__)
    parser.add_argument("name", choices=("detector", "recogniser", "cords", "cordmap"))
    parser.add_argument("file", type=Path)
    parser.add_argument("facts", nargs="*", help="what to note, as key=value")
    args = parser.parse_args()
    if wordless := [fact for fact in args.facts if "=" not in fact]:
        parser.error(f"{wordless[0]}: write key=value")
    land(args.name, args.file.read_bytes(), dict(fact.split("=", 1) for fact in args.facts))


if __name__ == "__main__":
    main()
