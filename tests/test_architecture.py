"""The arrows of the design: who may import whom, and what run time must never load."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = {
    "scoring": ROOT / "scoring",
    "vision": ROOT / "vision",
    "decks": ROOT / "datasets" / "decks",
    "synth": ROOT / "datasets" / "synth",
    "service": ROOT / "service",
    "training": ROOT / "models" / "training",
    "measuring": ROOT / "models" / "measuring",
}
MAY_USE = {
    "scoring": set[str](),
    "decks": {"scoring"},
    "vision": {"scoring", "decks"},
    "service": {"scoring", "decks", "vision"},
    "synth": {"scoring", "decks"},
    "training": {"scoring", "decks", "vision", "synth", "measuring"},
    "measuring": {"scoring", "decks", "vision", "service", "synth"},
}
TRAINING_ONLY = {"torch", "torchvision", "ultralytics", "synth", "training", "measuring"}


def imported(path: Path) -> set[str]:
    """Return the top-level packages that a file imports outside functions marked by TYPE_CHECKING."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("package", sorted(MAY_USE))
def test_a_package_imports_only_what_its_arrows_allow(package: str) -> None:
    forbidden = set(SOURCES) - MAY_USE[package] - {package}
    if package == "service":
        forbidden -= {"synth", "training", "measuring"}  # the commands about them call them, inside functions only
    wrong = {
        str(path.relative_to(ROOT)): sorted(used)
        for path in sorted(SOURCES[package].rglob("*.py"))
        if (used := imported(path) & forbidden)
    }
    assert wrong == {}


@pytest.mark.parametrize(
    "module",
    [
        "scoring.referee",
        "decks.deck",
        "vision.reader",
        "service.cli",
        "service.app",
        "service.scoring_run",
        "service.serving",
    ],
)
def test_run_time_loads_nothing_of_training(module: str) -> None:
    code = f"import sys, {module}; print('\\n'.join(sorted({{m.split('.')[0] for m in sys.modules}})))"
    paths = [str(ROOT), str(ROOT / "datasets"), str(ROOT / "models")]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {paths!r}\n{code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(done.stdout.split()) & TRAINING_ONLY == set()


@pytest.mark.parametrize(
    "module", ["service.scoring_run", "scoring.string_referee", "vision.strings", "vision.rereading"]
)
def test_scoring_a_photograph_does_not_wait_for_scipy(module: str) -> None:
    paths = [str(ROOT), str(ROOT / "datasets")]
    code = f"import sys; sys.path[:0] = {paths!r}; import {module}; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_scoring_is_pure() -> None:
    impure = {"cv2", "PIL", "time", "datetime", "random", "os", "pathlib", "io", "socket", "sqlite3"}
    wrong = {
        path.name: sorted(used) for path in sorted(SOURCES["scoring"].glob("*.py")) if (used := imported(path) & impure)
    }
    assert wrong == {}


CODE_FROM_DATA = {"pickle", "marshal", "shelve", "dill", "joblib", "ctypes", "subprocess"}
"""Packages that run what a file or a text names."""
SHELLS = {"system", "popen", "execv", "execve", "spawnv", "eval", "exec", "compile", "__import__"}


def reached(path: Path) -> set[str]:
    """Return what of a file could run code that it is given."""
    found = imported(path) & CODE_FROM_DATA
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        found |= {"allow_pickle"} & {keyword.arg for keyword in node.keywords if keyword.arg}
        called = ast.unparse(node.func)
        found |= {called.removeprefix("os.")} & SHELLS
    return found


@pytest.mark.parametrize("package", ["scoring", "vision", "decks", "service"])
def test_nothing_at_run_time_unpickles_or_reaches_a_shell(package: str) -> None:
    wrong = {path.name: used for path in sorted(SOURCES[package].rglob("*.py")) if (used := reached(path))}
    commands = {"cli.py": {"subprocess"}}  # `synth` and `train`: the project's own modules, from its own command line
    assert wrong == (commands if package == "service" else {})
