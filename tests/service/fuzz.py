"""Let schemathesis loose on the service as it describes itself: make fuzz. Exits with what it says.

The service runs on this machine alone, a game of String Safari begun and a table laid, with eyes that read at once.
Left out are the news, which never end, and the choice of a camera, which would open this machine's own.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.request import Request, urlopen

from tests.service import conftest
from tests.service.bombs import GAME

TILES = {"lion": (200.0, 200.0), "fox": (430.0, 200.0)}
LEFT_OUT = ("/api/events", "/api/camera")
EXAMPLES, SEED, MOST_S = 12, 1, 240


def main(schemathesis: str) -> int:
    """Serve, begin, and run."""
    with tempfile.TemporaryDirectory() as folder:
        site = conftest.module("playing").Site(conftest.KnownEyes(), Path(folder))
        url = site.url.partition("?")[0]
        site.lay("string-safari", conftest.string_table(TILES, (235.0, 220.0, 110.0)))
        headers = {"x-safari-table": "1", "content-type": "application/json"}
        urlopen(Request(f"{url}api/game/new", json.dumps(GAME).encode(), headers), timeout=10).close()
        words = [f"{url}openapi.json", "-H", "x-safari-table: 1", "--checks", "not_a_server_error"]
        words += [word for path in LEFT_OUT for word in ("--exclude-path", path)]
        words += ["--max-examples", str(EXAMPLES), "--seed", str(SEED), "--request-timeout", "30"]
        done = subprocess.run([schemathesis, "run", *words], check=False, timeout=MOST_S, cwd=folder)
        site.stop()
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
