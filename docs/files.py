"""Write docs/files.md, each file of the program in its own first sentence: python docs/files.py."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOC = ROOT / "docs" / "files.md"
FOLDERS = {
    "scoring": "The rules, pure: no pixels, files, clock or chance.",
    "vision": "Pixels in, a table in millimetres out.",
    "vision/strings": "Strings, traced.",
    "datasets/decks": "Deck folders.",
    "datasets/synth": "True scenes, and rendered photographs of them. Not used at run time.",
    "models/training": "What makes the networks. Not used at run time.",
    "models/measuring": "What `evaluate` and `bench` do. Not used at run time.",
    "service": "The command line, the live table, and the page's other half.",
}


def sentence(path: Path) -> str:
    """Return a file's first sentence, or line where that is shorter. ValueError where it has no docstring."""
    told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    if not told:
        raise ValueError(f"{path.relative_to(ROOT)}: no docstring; expected a sentence that says what it is")
    return " ".join(told.split("\n\n")[0].split())


def written() -> str:
    """Return the whole document."""
    lines = ["# Every file in a sentence", "", "Written by `python docs/files.py` from the files' own first words."]
    for folder, what in FOLDERS.items():
        lines += ["", f"## {folder}", "", what, "", "| file | what |", "|---|---|"]
        for path in sorted((ROOT / folder).glob("*.py")):
            if path.read_text(encoding="utf-8").strip():
                lines.append(f"| `{path.name}` | {sentence(path).replace('|', chr(92) + '|')} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    DOC.write_text(written(), encoding="utf-8")
