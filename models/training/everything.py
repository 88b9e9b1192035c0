"""Train all networks from nothing: python -m training.everything [--work FOLDER] [--hours 1.6] [--minutes 90].

Pictures are rendered first; then the detector, the recogniser and the cords' two networks are trained, one after
another. What an earlier run left goes on. Landing the result is a step of its own (`python -m training.landing`), after
it was measured.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from synth.chunks import OneLine

CHUNKS, HELD_OUT = 40, 2
"""How many chunks of pictures are rendered to learn from, and to judge by."""


def steps(work: Path, hours: float, minutes: float) -> list[list[str]]:
    """Return the modules to run, in order, each with its arguments."""
    data = str(work / "pictures")
    return [
        ["synth.chunks", data, "--held-out", "--chunks", str(HELD_OUT)],
        ["synth.chunks", data, "--chunks", str(CHUNKS)],
        ["training.detector", "--data", data, "--out", str(work / "detector"), "--hours", str(hours)],
        ["training.recogniser", "--out", str(work / "recogniser"), "--minutes", str(minutes)],
        ["training.cords", "--out", str(work / "cords"), "--minutes", str(minutes)],
        ["training.cordmap", "--out", str(work / "cordmap"), "--minutes", str(minutes)],
    ]


def main() -> None:
    """Run every step; end with the first that fails."""
    parser = OneLine(prog="python -m training.everything", description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("runs"))
    parser.add_argument("--hours", type=float, default=1.6, help="of the detector")
    parser.add_argument("--minutes", type=float, default=90.0, help="of each of the other networks")
    args = parser.parse_args()
    root = Path(__file__).parent.parent.parent
    paths = os.pathsep.join(str(root / part) for part in (".", "datasets", "models"))
    for module, *words in steps(args.work, args.hours, args.minutes):
        done = subprocess.run([sys.executable, "-m", module, *words], env={**os.environ, "PYTHONPATH": paths})
        if done.returncode:
            sys.exit(done.returncode)


if __name__ == "__main__":
    main()
