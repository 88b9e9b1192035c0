"""What the program costs as a whole: start-up, first page, memory. Each is a fresh process, measured from outside."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

SCRIPT = ("-c", "from service.cli import main; main()")
_RUN = """
import json, resource, subprocess, sys, time
started = time.perf_counter()
quiet = subprocess.DEVNULL
status = subprocess.run(sys.argv[1:], stdout=quiet, stderr=quiet).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([time.perf_counter() - started, used.ru_utime + used.ru_stime, used.ru_maxrss, status]))
"""
PATIENCE_S = 120.0
PAUSE_S = 0.05
MIB = 2**20
_PER_MAXRSS = 1 / MIB if sys.platform == "darwin" else 1024 / MIB  # bytes there, KiB elsewhere


@dataclass(frozen=True)
class Process:
    """A process that has ended: its wall and CPU time in s, the most memory it held in MiB, and its exit status."""

    wall_s: float
    cpu_s: float
    memory_mib: float
    status: int

    def to_json(self) -> dict[str, float]:
        """Return it as plain values."""
        return {"wall_s": round(self.wall_s, 3), "cpu_s": round(self.cpu_s, 3), "memory_mib": round(self.memory_mib, 1)}


@dataclass(frozen=True)
class Service:
    """A service that runs. `took`: what it took in all, one item once it has ended."""

    address: str
    pid: int
    took: list[Process]


def _command(words: Sequence[str]) -> list[str]:
    return [sys.executable, *SCRIPT, *words]


def environment() -> dict[str, str]:
    """Return an environment in which a child imports what this process imports."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}


def ended(child: subprocess.Popen[str], started: float) -> Process:
    """End a child and return what it took: `wait4` tells of this child alone, and Linux how much memory it held."""
    held = _held_mib(child.pid)
    child.terminate()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    cpu = used.ru_utime + used.ru_stime
    return Process(time.perf_counter() - started, cpu, held or used.ru_maxrss * _PER_MAXRSS, child.returncode)


def _held_mib(pid: int) -> float | None:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / MIB
    return None


def run(*words: str) -> Process:
    """Run `safari-table` to its end, from a small process: a child's memory begins with its parent's."""
    command = [sys.executable, "-c", _RUN, *_command(words)]
    told = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment(), check=True).stdout
    wall, cpu, memory, status = json.loads(told)
    return Process(wall, cpu, memory * _PER_MAXRSS, status)


@contextlib.contextmanager
def serving(*words: str) -> Iterator[Service]:
    """Run a serving command until the context ends. RuntimeError where it does not start."""
    started = time.perf_counter()
    child = subprocess.Popen(_command(words), stdout=subprocess.PIPE, text=True, env=environment())
    took: list[Process] = []
    try:
        yield Service(_address(child), child.pid, took)
    finally:
        took.append(ended(child, started))
        if child.stdout is not None:
            child.stdout.close()


def _address(child: subprocess.Popen[str]) -> str:
    assert child.stdout is not None
    line = child.stdout.readline()
    address = line.strip().rpartition(" ")[2]
    if not address.startswith("http"):
        raise RuntimeError(f"the service did not start: it said {line!r}, expected an address")
    return address


def first_page() -> dict[str, float]:
    """Return how long `demo` takes from its start to its first page, and what it then has used."""
    started = time.perf_counter()
    with serving("demo", "--port", "0") as service:
        body = fetched(service.address)
        wall = time.perf_counter() - started
    return {**service.took[0].to_json(), "wall_s": round(wall, 3), "page_bytes": len(body)}


def fetched(address: str) -> bytes:
    """Fetch a page, waiting until it is there. TimeoutError."""
    ends = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends:
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
            return bytes(answer.read())
        time.sleep(PAUSE_S)
    raise TimeoutError(f"{address}: no page in {PATIENCE_S:g} s")
