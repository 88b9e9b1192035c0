"""How the live service's cost grows with those who watch: a real service, real sockets."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import cv2
import numpy as np
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from measuring.footprint import fetched, serving
from measuring.growth import TABLE_CARDS, Growth
from measuring.subjects import cards

VIEWERS = (1, 5, 10, 25, 50)
WATCHED_S, SETTLE_S = 3.0, 1.0
FPS, VIDEO_S = 15, 30
VIDEO_PX = (1280, 720)
PICTURE_S = 5.0  # a viewer waits so long for a frame
ONLY_LINUX = "skipped: the service's CPU is read from /proc, which this system has not"


def measurable() -> bool:
    """Tell whether another process's CPU can be read here."""
    return sys.platform == "linux"


def over_viewers() -> tuple[Growth, Growth]:
    """Let more and more viewers watch the live picture; return the service's CPU a second, and frames a viewer."""
    costs, frames = [], []
    with tempfile.TemporaryDirectory() as folder:
        video = _video(Path(folder) / "table.avi")
        for count in VIEWERS:
            cost, seen = _watched(video, Path(folder) / f"{count}.sqlite", count)
            costs.append((float(count), cost))
            frames.append((float(count), seen))
    return Growth("viewers", "ms of CPU a second", tuple(costs)), Growth(
        "viewers", "frames a second each", tuple(frames)
    )


def _video(path: Path) -> Path:
    """Write a short recording in which something moves all the time."""
    image, _ = cards(TABLE_CARDS, *VIDEO_PX)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, VIDEO_PX)
    for k in range(FPS * VIDEO_S):
        writer.write(np.roll(image, 2 * k, axis=1))
    writer.release()
    return path


def _watched(video: Path, data: Path, viewers: int) -> tuple[float, float]:
    """Return the service's ms of CPU a second while so many watch, and the frames a second that each of them got."""
    with serving("serve", "--camera", str(video), "--port", "0", "--data", str(data)) as service:
        frames = [0] * viewers
        stop = threading.Event()
        fetched(service.address)
        threads = [threading.Thread(target=_watch, args=(service.address, frames, k, stop)) for k in range(viewers)]
        for thread in threads:
            thread.start()
        stop.wait(SETTLE_S)
        before, started, seen = cpu_ms(service.pid), time.monotonic(), sum(frames)
        stop.wait(WATCHED_S)
        spent, took, seen = cpu_ms(service.pid) - before, time.monotonic() - started, sum(frames) - seen
        stop.set()
        for thread in threads:
            thread.join()
    return spent / took, seen / viewers / took


def cpu_ms(pid: int) -> float:
    """Return the CPU that a process has used, all threads, in ms."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def _watch(address: str, frames: list[int], number: int, stop: threading.Event) -> None:
    """Watch as a page does: say that a frame was shown, and get the next one."""
    where = urlsplit(address)
    with connect(f"ws://{where.netloc}/ws/frames", max_size=None) as socket:
        while not stop.is_set():
            try:
                socket.recv(PICTURE_S)
                socket.send("shown")
            except (TimeoutError, ConnectionClosed):
                return
            frames[number] += 1
