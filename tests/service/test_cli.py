"""The console script with bad input: one clear line, exit 2 or 4, never a traceback."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from decks.deck import find
from measuring.footprint import SCRIPT, environment
from scoring.table import Kind, Piece, Table
from service import cli
from service.eyes import NoSuchGameError
from service.reading import seen_of
from service.statuses import UNUSABLE
from vision.reader import Reading

GREY = np.full((480, 640, 3), 128, np.uint8)


def run(*words: str) -> tuple[int, str, str]:
    """Run the console script; return its exit status, standard output and standard error."""
    result = CliRunner().invoke(cli.app, list(words))
    if isinstance(result.exception, cli.Refused):  # `main` turns it into a line and exit 2
        return UNUSABLE, result.output, str(result.exception)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def photograph(folder: Path) -> Path:
    path = folder / "table.jpg"
    cv2.imwrite(str(path), GREY)
    return path


def broken(folder: Path) -> dict[str, Path]:
    """Write one file of each kind that is no usable picture."""
    whole = cv2.imencode(".jpg", np.random.default_rng(0).integers(0, 255, (200, 200, 3), np.uint8))[1].tobytes()
    bomb = cv2.imencode(".png", np.zeros((9000, 9000), np.uint8))[1].tobytes()
    files = {
        "empty.jpg": b"",
        "text.jpg": b"this is no picture",
        "cut.png": bomb[:60],
        "cut.jpg": whole[:300],
        "bomb.png": bomb,
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return {name: folder / name for name in files} | {"missing.jpg": folder / "missing.jpg", "folder": folder}


def test_the_version_is_told() -> None:
    assert run("--version") == (0, f"safari-table {version('safari-table')}\n", "")


@pytest.mark.parametrize("name", ["empty.jpg", "text.jpg", "cut.png", "bomb.png", "missing.jpg", "folder"])
@pytest.mark.parametrize("command", [("score", "--game", "paper-safari"), ("find",)], ids=["score", "find"])
def test_an_unusable_picture_is_one_line_and_exit_2(tmp_path: Path, command: tuple[str, ...], name: str) -> None:
    status, _, said = run(command[0], str(broken(tmp_path)[name]), *command[1:])
    assert status == 2
    assert len(said.strip().splitlines()) == 1
    assert name in said or "Is a directory" in said


def test_of_a_file_far_too_large_nothing_is_read(tmp_path: Path) -> None:
    path = tmp_path / "film.jpg"
    with path.open("wb") as file:
        file.truncate(200 * 2**20)  # it takes no space: nothing is written
    tracemalloc.start()
    try:
        status, _, said = run("find", str(path))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert status == 2
    assert "has 200 MB, at most 24 MB can be read" in said
    assert most < 100 * 2**20


@pytest.mark.parametrize("game", ["paper-safari", "kleine-fotosafari", "string-safari"])
def test_a_picture_without_the_game_is_exit_4_and_says_what_was_found(tmp_path: Path, game: str) -> None:
    status, _, said = run("score", str(photograph(tmp_path)), "--game", game)
    assert status == 4
    assert "looked for" in said
    assert "found" in said
    assert len(said.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--game", "chess"), "chess"),
        (("--game", "paper-safari", "--deck", "no-such-deck"), "no-such-deck"),
        (("--game", "paper-safari", "--turn", "red"), "turn"),
        (("--game", "string-safari", "--turn", "mauve"), "mauve"),
        (("--game", "string-safari", "--target", "fish:3"), "fish"),
        (("--game", "string-safari", "--final", "--players", "red,blue", "--stash", "red"), "--stash"),
        (("--game", "string-safari", "--option", "no_such=1"), "no_such"),
        (("--game", "paper-safari", "--click", "3,4"), "only String Safari"),
        (("--game", "string-safari", "--click", "rope=3,4"), "rope"),
        (("--game", "string-safari", "--click", "3"), "X,Y"),
        (("--game", "string-safari", "--click", "field=9000,4"), "outside"),
        (("--game", "paper-safari", "--picture", "seen.txt"), ".png, .jpg or .webp"),
    ],
    ids=[
        *("game", "deck", "option-of-another-game", "player", "target", "stash", "house-rule"),
        *("click-without-strings", "click-on-no-string", "no-place", "click-outside", "no-picture-file"),
    ],
)
def test_an_unusable_argument_is_one_line_and_exit_2(tmp_path: Path, words: tuple[str, ...], why: str) -> None:
    status, _, said = run("score", str(photograph(tmp_path)), *words)
    assert status == 2
    assert why in said
    assert len(said.strip().splitlines()) == 1


def test_what_cannot_be_served_ends_with_one_line(tmp_path: Path) -> None:
    run = [sys.executable, "-c", "from service.cli import main; main()", "serve", "--host", "192.0.2.1"]
    done = subprocess.run(
        [*run, "--data", str(tmp_path)], capture_output=True, text=True, env=environment(), timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


def test_networks_that_are_not_there_are_one_line(tmp_path: Path) -> None:
    code = "import pathlib; from vision import weights; weights.folder = lambda: pathlib.Path('nowhere');"
    run = [sys.executable, "-c", f"{code} from service.cli import main; main()", "find", str(photograph(tmp_path))]
    done = subprocess.run(run, capture_output=True, text=True, env=environment(), timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "install the package again" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("port", ["-1", "70000", "x"])
@pytest.mark.parametrize("command", ["demo", "serve"])
def test_a_port_that_cannot_be_is_one_line_and_exit_2(command: str, port: str) -> None:
    done = safari_table(command, "--port", port)
    assert done.returncode == 2
    assert "--port" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_whoever_stops_reading_the_answers_is_told_no_more(tmp_path: Path) -> None:
    (tmp_path / "tables.json").write_text('{"game": "paper-safari", "pieces": []}\n' * 2000)
    command = f"{shlex.join((sys.executable, *SCRIPT))} tally tables.json | head -n 1"
    done = subprocess.run(command, shell=True, cwd=tmp_path, env=environment(), capture_output=True, text=True)
    assert json.loads(done.stdout)["game"] == "paper-safari"
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def safari_table(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the console script as a process of its own."""
    return subprocess.run([sys.executable, *SCRIPT, *words], env=environment(), capture_output=True, text=True)


def tile(label: str | None, *chances: float, kind: Kind = "tile") -> Piece:
    faces = tuple((f"face {k}", chance) for k, chance in enumerate(chances))
    corners = ((0.0, 0.0), (40.0, 0.0), (40.0, 40.0), (0.0, 40.0))
    return Piece(0, kind, label, corners, 0.0, max(chances, default=1.0), faces)


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        ([tile("lion")] * 3, True),
        ([tile("lion", 0.9)] * 2 + [tile(None)] * 4, True),
        ([tile("lion", 0.25, 0.25, 0.25, 0.2)] * 4, True),
        ([tile("lion", 0.3, 0.2)] * 2 + [tile(None)] * 4, False),
        ([tile(None)] * 6 + [tile("red", kind="marker")] * 4, False),
        ([tile("lion")] * 2, False),
        ([], False),
    ],
    ids=["sure", "some unknown", "faces alike", "named by a hair", "cubes alone", "too few", "empty"],
)
def test_a_game_is_there_as_far_as_its_pieces_bear_faces_of_the_deck(pieces: list[Piece], shown: bool) -> None:
    deck = find(None, "string-safari")
    table = Table(tuple(replace(piece, id=k) for k, piece in enumerate(pieces)))
    corners = {k: np.zeros((4, 2)) for k in range(len(pieces))}
    reading = Reading(table, corners, {}, (0.0, -1.0), None, (640, 480), len(pieces))
    if shown:
        seen_of(reading, deck)
    else:
        with pytest.raises(NoSuchGameError, match="looked for"):
            seen_of(reading, deck)


def test_find_gives_one_json_object_a_picture(tmp_path: Path) -> None:
    path = str(photograph(tmp_path))
    status, out, _ = run("find", path, path, "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [row["image"] for row in rows] == [{"width": 640, "height": 480}] * 2
    assert all(row["pieces"] == [] for row in rows)


def test_a_whole_picture_is_one_piece_edge_to_edge(tmp_path: Path) -> None:
    _, out, _ = run("find", str(photograph(tmp_path)), "--whole", "--json")
    (piece,) = json.loads(out)["pieces"]
    assert np.ptp(np.array(piece["corners_px"]), axis=0).tolist() == [640.0, 480.0]


def test_a_large_picture_of_a_stash_is_shrunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    large, shapes = tmp_path / "stash.jpg", []
    cv2.imwrite(str(large), np.full((3000, 4000, 3), 128, np.uint8))

    def read_stash(image: np.ndarray, *_: object) -> dict[str, object]:
        shapes.append(image.shape)
        return {}

    monkeypatch.setattr("vision.stash.read_stash", read_stash)
    table = photograph(tmp_path)
    run("score", str(table), "--game", "string-safari", "--final", "--players", "red,blue", "--stash", f"red={large}")
    assert shapes == [(1440, 1920, 3)]
