"""Prove the wheel: its size and contents, and that a fresh environment scores a sample and serves the demo with it.

python .ci/wheel.py WHEEL [PYTHON…]: one fresh environment for each interpreter; without one, this interpreter's own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

MOST_MB = 40.0
NEEDED = (
    "vision/weights/detector.onnx",
    "vision/weights/recogniser.onnx",
    "vision/weights/cords.onnx",
    "vision/weights/weights.toml",
    "decks/builtin/paper-safari/deck.toml",
    "decks/builtin/kleine-fotosafari/faces/lion.png",
    "decks/builtin/string-safari/deck.toml",
    "service/web/index.html",
    "service/web/lang/de.json",
    "service/samples/paper-three-players.jpg",
)
SCORE = """
from service.gallery import samples
one = next(s for s in samples() if s.game == "paper-safari")
import subprocess, sys, service
assert "site-packages" in service.__file__, service.__file__
sys.exit(subprocess.run([sys.argv[1], "score", str(one.picture), "--game", one.game]).returncode)
"""
TRIES, PAUSE_S = 600, 0.1
ANSWERED = (0, 3)  # for certain, or with a question


def contents(wheel: Path) -> None:
    """Check what the wheel holds, and how large it is."""
    megabytes = wheel.stat().st_size / 1e6
    names = set(zipfile.ZipFile(wheel).namelist())
    missing = [name for name in NEEDED if name not in names]
    strays = sorted(name for name in names if name.startswith("tests/") or name.endswith(".pt"))
    assert not missing, f"the wheel lacks {missing}"
    assert not strays, f"the wheel holds {strays}"
    assert megabytes < MOST_MB, f"the wheel has {megabytes:.1f} MB, at most {MOST_MB} wanted"
    print(f"{wheel.name}: {megabytes:.1f} MB, {len(names)} files", flush=True)


def environment() -> dict[str, str]:
    """Return an environment that shows nothing of the checkout."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def installed(python: str, wheel: Path, folder: Path) -> Path:
    """Install the wheel into a fresh environment; return the folder of its commands."""
    subprocess.run([python, "-m", "venv", str(folder)], check=True, env=environment())
    bin_folder = folder / "bin"
    subprocess.run(
        [bin_folder / "python", "-m", "pip", "install", "--quiet", str(wheel)], check=True, env=environment()
    )
    return bin_folder


def scored(commands: Path, folder: Path) -> None:
    """Score a bundled sample from a folder that is not the checkout."""
    run = [str(commands / "python"), "-c", SCORE, str(commands / "safari-table")]
    done = subprocess.run(run, cwd=folder, env=environment(), capture_output=True, text=True)
    assert done.returncode in ANSWERED, f"score: exit {done.returncode}: {done.stdout}{done.stderr}"
    assert "seat 0" in done.stdout, done.stdout


def fetched(address: str) -> str:
    """Fetch an address, waiting until something listens there."""
    for _ in range(TRIES):
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:
                return str(answer.read().decode())
        except urllib.error.URLError:
            time.sleep(PAUSE_S)
    raise TimeoutError(f"{address}: nothing listens there after {TRIES * PAUSE_S:g} s")


def first_page(commands: Path, folder: Path) -> float:
    """Serve the demo and fetch its page; return the CPU time to get there, in s."""
    before, started = os.times(), time.monotonic()
    command = [str(commands / "safari-table"), "demo", "--port", "0"]
    child = subprocess.Popen(command, cwd=folder, env=environment(), stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None
        address = child.stdout.readline().strip().rpartition(" ")[2]
        page, samples = fetched(address), fetched(f"{address}api/samples")
    finally:
        child.terminate()
        child.wait(30)
    assert "<html" in page, page[:200]
    assert samples.count('"name"') >= 3, samples
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    print(f"demo: first page after {time.monotonic() - started:.1f} s, {cpu:.1f} s of CPU", flush=True)
    return cpu


def main() -> None:
    """Check a wheel with each interpreter."""
    wheel, pythons = Path(sys.argv[1]).resolve(), sys.argv[2:] or [sys.executable]
    contents(wheel)
    for python in pythons:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            commands = installed(python, wheel, folder / "venv")
            version = subprocess.run([commands / "python", "--version"], capture_output=True, text=True, check=True)
            print(f"{version.stdout.strip()}: installed", flush=True)
            scored(commands, folder)
            first_page(commands, folder)


if __name__ == "__main__":
    main()
