"""`evaluate` on a small rendered folder: figures that can be told beforehand, misses with their pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from measuring import rendered, subjects
from measuring.finds import compared
from measuring.judging import judge
from measuring.truth import Photograph, TrueCard, TruthError, photographs, tables
from scoring.edition import GAMES, Game
from service import cli, misreads
from service.statuses import UNUSABLE
from synth.render import Manner

CARD = {"kind": "card", "label": "fox", "corners_px": [[0, 0], [9, 0], [9, 9], [0, 9]]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of six cards that reads rightly, the same one with a wrong label, and a picture of nothing."""
    found = tmp_path_factory.mktemp("labelled")
    image, deck = subjects.cards(6)
    reading = json.loads(_run("score", str(_write(found / "true.jpg", image)), "--game", "paper-safari", "--json")[1])
    told = {"game": "paper-safari", "deck": None, "tilt_deg": 12.0, "table": "plain", "pieces": reading["pieces"]}
    (found / "true.json").write_text(json.dumps({**told, "sheet": reading["sheet"]}))
    _write(found / "wrong.jpg", image)
    wrong = json.loads(json.dumps({**told, "sheet": reading["sheet"]}))
    wrong["sheet"]["players"][0]["total"] += 1
    wrong["pieces"][0]["label"] = next(label for label in deck.faces if label != wrong["pieces"][0]["label"])
    (found / "wrong.json").write_text(json.dumps(wrong))
    _write(found / "nothing.jpg", np.full((240, 320, 3), 120, np.uint8))
    (found / "nothing.json").write_text(json.dumps({**told, "sheet": reading["sheet"]}))
    return found


def _write(path: Path, image: Any) -> Path:
    cv2.imwrite(str(path), image, [cv2.IMWRITE_JPEG_QUALITY, 95])
    return path


def _run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli.app, list(words))
    if isinstance(result.exception, cli.Refused):
        return UNUSABLE, result.output, str(result.exception)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def test_figures_and_the_picture_of_every_miss(folder: Path, tmp_path: Path) -> None:
    status, said, _ = _run(
        "evaluate", str(folder), "--json", str(tmp_path / "out.json"), "--html", str(tmp_path / "out.html")
    )
    figures = json.loads((tmp_path / "out.json").read_text())["figures"]["tables"]
    assert status == 0
    third = pytest.approx(1 / 3, abs=1e-3)
    assert [figures[name] for name in ("right", "silent", "asked", "failed")] == [third, third, 0, third]
    assert figures["by"]["tilt"]["10–20 °"]["tables"] == 3
    assert figures["stages"]["pieces"] == 18
    assert figures["calibration"]["at_99"] > 0
    html = (tmp_path / "out.html").read_text()
    assert html.count("<figure>") == 2
    assert html.count("data:image/jpeg;base64,") == 2
    assert "http" not in html
    assert "all tables: tables 3" in said


@pytest.mark.parametrize("game", GAMES)
def test_a_rendered_table_is_a_labelled_one(tmp_path: Path, game: Game) -> None:
    """What it is labelled as is judged right, here with the truth in the place of a reading."""
    path = rendered.write(tmp_path, game, 1001, Manner(640, 480))
    (table,) = tables(tmp_path)
    told = json.loads(path.read_text())
    assert judge(table, told).right
    assert table.options == told["options"]
    assert set(table.strings_px) == {s["name"] for s in told["strings"]}


def test_what_report_misread_saves_is_a_labelled_table(tmp_path: Path) -> None:
    image, _ = subjects.cards(6)
    answer = json.loads(_run("score", str(_write(tmp_path / "seen.png", image)), "--game", "paper-safari", "--json")[1])
    misreads.save(tmp_path / "misreads", image, answer, answer, {"option": {"victory_cards": 2}}, "a note")
    assert _run("evaluate", str(tmp_path / "misreads"), "--json", str(tmp_path / "out.json"))[0] == 0
    assert json.loads((tmp_path / "out.json").read_text())["figures"]["tables"]["right"] == 1.0


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("{", "JSONDecodeError"),
        ("[]", "TypeError"),
        (json.dumps({"game": "chess", "pieces": []}), "chess"),
        (json.dumps({"game": "paper-safari", "pieces": [{**CARD, "corners_px": [[0, 0]]}]}), "4 points"),
        (json.dumps({"game": "paper-safari"}), "pieces"),
    ],
    ids=["cut", "no-object", "game", "corners", "no-pieces"],
)
def test_a_json_that_is_no_labelled_table_is_refused_in_one_line(tmp_path: Path, data: str, why: str) -> None:
    (tmp_path / "t.json").write_text(data)
    (tmp_path / "t.jpg").write_bytes(b"")
    with pytest.raises(TruthError, match=why) as refused:
        tables(tmp_path)
    assert "\n" not in str(refused.value)
    assert _run("evaluate", str(tmp_path))[0] == 2


@pytest.mark.parametrize(
    "answer", [[{}], 7, [{"seat": 0, "grid": 1, "total": 2}, {"seat": 1}]], ids=["no seat", "number", "half"]
)
def test_an_answer_that_is_none_is_refused_in_one_line(tmp_path: Path, answer: Any) -> None:
    image, _ = subjects.cards(6)
    _write(tmp_path / "t.png", image)
    (tmp_path / "t.json").write_text(json.dumps({"game": "paper-safari", "pieces": [], "answer": answer}))
    status, _, said = _run("evaluate", str(tmp_path))
    assert status in (0, 2)  # so many grids more or less are a wrong reading
    assert len(said.strip().splitlines()) == (status == 2)


@pytest.mark.parametrize(
    "images",
    [7, [7], [{}], [{"image": "p.jpg", "cards": [{"quad": [1]}]}], [{"image": "p.jpg", "cards": [{"bbox": 1}]}]],
    ids=["number", "numbers", "empty", "quad", "box"],
)
def test_annotations_that_are_none_are_refused_in_one_line(tmp_path: Path, images: Any) -> None:
    (tmp_path / "annotations.json").write_text(json.dumps({"images": images}))
    with pytest.raises(TruthError, match="cannot be used"):
        photographs(tmp_path)


@pytest.mark.parametrize("name", ["", "no-such-folder"], ids=["empty", "missing"])
def test_a_folder_with_nothing_to_measure_is_exit_2(tmp_path: Path, name: str) -> None:
    status, _, said = _run("evaluate", str(tmp_path / name))
    assert status == 2
    assert len(said.strip().splitlines()) == 1


def test_a_turn_is_told_as_score_is_told_it(tmp_path: Path) -> None:
    answer = {"me": "red", "target": ["family", "ape", 2], "condition": "none", "legal": True, "enclosed": []}
    (tmp_path / "t.json").write_text(json.dumps({"game": "string-safari", "pieces": [], "answer": answer}))
    (tmp_path / "t.png").write_bytes(b"")
    (table,) = tables(tmp_path)
    assert table.options == {"turn": "red", "target": "ape:2"}


SQUARE = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], float)


@pytest.mark.parametrize(
    ("finds", "hidden", "hit", "close", "false"),
    [
        ([], False, 0, 0, 0),
        ([SQUARE], False, 1, 1, 0),
        ([np.add(SQUARE, (1, 0))], False, 1, 1, 0),
        ([np.add(SQUARE, (3, 0))], False, 1, 0, 0),
        ([np.add(SQUARE, (8, 0))], False, 0, 0, 1),
        ([SQUARE, np.add(SQUARE, (50, 0))], False, 1, 1, 1),
        ([SQUARE], True, 0, 0, 0),
    ],
    ids=["none", "exact", "near", "rough", "beside", "one-more", "hidden-counts-neither-way"],
)
def test_cards_of_a_photograph(finds: list[Any], hidden: bool, hit: int, close: int, false: int) -> None:
    photo = Photograph(Path("p.jpg"), (TrueCard("ace", SQUARE, True, hidden),), complete=True)
    row = compared(photo, finds)
    assert (row.hit, row.close, row.false) == (hit, close, false)
    assert row.cards == (not hidden)


def test_annotated_photographs_are_found_and_counted(tmp_path: Path) -> None:
    image, _ = subjects.cards(6)
    _write(tmp_path / "p.jpg", image)
    found = json.loads(_run("find", str(tmp_path / "p.jpg"), "--json")[1])["pieces"]
    cards = [{"label": "card", "quad": p["corners_px"]} for p in found]
    images = [{"image": "p.jpg", "kind": "scene", "complete": True, "cards": cards}, {"image": "none.jpg", "cards": []}]
    (tmp_path / "annotations.json").write_text(json.dumps({"images": images}))
    assert len(photographs(tmp_path)) == 1
    status, said, _ = _run("evaluate", str(tmp_path))
    assert status == 0
    assert "recall 1" in said
    assert "precision 1" in said
