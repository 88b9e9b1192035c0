"""What is sent from outside: whatever it is, it costs a bounded time and memory, and it lies upright."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

from decks import picture
from service import pictures

MOST_CPU_S, MOST_MB = 10.0, 450.0
"""What any upload may cost: 64 megapixels are 192 MB once decoded, a second time while they are turned or shrunk."""
TURNS = range(1, 9)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Send everything to every route of the real service, in a process of its own."""
    script = Path(__file__).with_name("bombs.py")
    told = subprocess.run(
        [sys.executable, str(script), str(tmp_path_factory.mktemp("served"))],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    return [json.loads(line) for line in told.stdout.splitlines()]


def test_no_upload_costs_more_than_it_may(rows: list[dict[str, Any]]) -> None:
    assert len({row["path"].split("?")[0] for row in rows}) == 5
    assert len(rows) > 80
    assert [row for row in rows if row["cpu_s"] > MOST_CPU_S or row["mb"] > MOST_MB] == []


def test_what_is_no_picture_or_deck_is_refused_in_one_line(rows: list[dict[str, Any]]) -> None:
    taken = {(row["path"].split("?")[0], row["sent"]) for row in rows if row["status"] < 400}
    assert {sent for path, sent in taken} <= {sent for _, sent in taken if sent.endswith("whole")}
    assert {path for path, _ in taken} == {"/api/photograph", "/api/decks/import"}
    assert max(row["status"] for row in rows) < 500
    refused = [row for row in rows if row["status"] >= 400]
    assert [row for row in refused if "\n" in row["said"] or '"error":' not in row["said"]] == []


def turned(turn: int, mode: str, kind: str) -> bytes:
    """Return a picture, its left half red, with this EXIF turn."""
    image = Pillow.new("RGB", (96, 64), "blue")
    image.paste("red", (0, 0, 48, 64))
    exif = Pillow.Exif()
    exif[0x0112] = turn
    out = io.BytesIO()
    image.convert(mode).save(out, kind, exif=exif, **({"quality": 95} if kind == "JPEG" else {}))
    return out.getvalue()


def redness(image: Any, turn: int) -> float:
    """Return how red that side is to which the turn brings the red half."""
    assert (image.shape[1] > image.shape[0]) == (turn < 5)
    red = image[:, :, 2].astype(int) - image[:, :, 0]
    width, height = image.shape[1] // 3, image.shape[0] // 3
    left, right, top = red[:, :width], red[:, -width:], red[:height]
    sides = {1: left, 2: right, 3: right, 4: left, 5: top, 6: top, 7: red[-height:], 8: red[-height:]}
    return float(np.mean(sides[turn]))


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("most_side_px", [None, 70, 24], ids=["as it is", "shrunk", "shrunk by the decoder"])
def test_a_photograph_lies_upright(turn: int, most_side_px: int | None) -> None:
    assert redness(pictures.decode(turned(turn, "RGB", "JPEG"), most_side_px), turn) > 180


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("mode", "kind"), [("RGB", "JPEG"), ("RGB", "PNG"), ("RGBA", "PNG"), ("RGB", "WEBP")])
def test_a_face_lies_upright(turn: int, mode: str, kind: str) -> None:
    assert redness(picture.decode(turned(turn, mode, kind)), turn) > 180


@pytest.mark.parametrize("turn", TURNS)
def test_a_photograph_from_a_phone_is_laid_upright(turn: int, evening: Any) -> None:
    sent = turned(turn, "RGB", "JPEG")
    told = evening.client.post("/api/photograph", content=sent, headers={"x-safari-table": "1"}).json()
    assert (told["width"], told["height"]) == ((96, 64) if turn < 5 else (64, 96))
    frame = evening.live.camera.wait(0, 5.0)
    assert redness(frame.image, turn) > 180


def test_a_table_that_is_laid_is_shrunk_to_what_is_read_in_time() -> None:
    out = io.BytesIO()
    Pillow.new("RGB", (6000, 3000)).save(out, "JPEG")
    assert pictures.decode(out.getvalue(), pictures.TABLE_SIDE_PX).shape == (1280, 2560, 3)
    assert pictures.decode(out.getvalue()).shape == (3000, 6000, 3)
