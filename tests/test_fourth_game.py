"""The worked example of CONTRIBUTING.md: a fourth game, from its rules to a photograph."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import cv2
import numpy as np
import pytest

from decks.deck import find
from scoring.edition import Edition, Face
from scoring.table import Piece, Table
from synth.pictures import Pictures
from synth.render import Manner, photograph

FILE = Path(__file__).parent.parent / "docs" / "fourth-game" / "caravan.py"
MOST_LINES = 200
STEP_MM, SIZE_MM = 70.0, (63.0, 88.0)


@pytest.fixture(scope="module")
def caravan() -> ModuleType:
    spec = importlib.util.spec_from_file_location("caravan", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their own module up
    spec.loader.exec_module(module)
    return module


def card(number: int, label: str, x: float, y: float = 0.0) -> Piece:
    (w, h) = SIZE_MM
    corners = ((x - w / 2, y + h / 2), (x + w / 2, y + h / 2), (x + w / 2, y - h / 2), (x - w / 2, y - h / 2))
    return Piece(number, "card", label, corners)


def laid(text: str) -> Table:
    return Table(tuple(card(k, label, k * STEP_MM) for k, label in enumerate(text.split())))


EDITION = Edition("any", "any", SIZE_MM, {label: Face(label, 4) for label in ("lion", "fox", "ape")})


@pytest.mark.parametrize(
    ("text", "total", "rules"),
    [
        ("", 0, []),
        ("lion", 0, []),
        ("lion lion", 3, ["group", "ends-alike"]),
        ("lion lion lion fox", 3, ["group"]),
        ("lion fox lion", 2, ["ends-alike"]),
        ("fox lion lion ape ape ape", 4, ["group", "group"]),
        ("back back lion", 0, []),
    ],
    ids=["none", "one", "two-alike", "three", "ends", "two-groups", "face-down-is-no-kind"],
)
def test_the_rules(caravan: ModuleType, text: str, total: int, rules: list[str]) -> None:
    answer = caravan.judge(laid(text), EDITION)
    told = answer.sheet.to_json()
    assert told["total"] == total
    assert [line["rule"] for line in told["lines"]] == rules
    assert answer.certain


@pytest.mark.parametrize(("near", "row"), [((0.0, -1.0), ["lion", "fox"]), ((0.0, 1.0), ["fox", "lion"])])
def test_left_is_where_the_player_sees_it(caravan: ModuleType, near: tuple[float, float], row: list[str]) -> None:
    assert caravan.judge(laid("lion fox"), EDITION, near).sheet.to_json()["row"] == row


def test_a_card_off_the_row_and_one_face_down_are_told(caravan: ModuleType) -> None:
    table = Table((*laid("lion fox back").pieces, card(3, "ape", 3 * STEP_MM, 60.0)))
    assert [p.rule for p in caravan.judge(table, EDITION).problems] == ["face-down", "off-the-row"]


@pytest.mark.parametrize(("text", "asked"), [("lion fox ape", True), ("fox fox ape", False)], ids=["at-stake", "not"])
def test_a_doubt_is_a_question_where_it_changes_the_total(caravan: ModuleType, text: str, asked: bool) -> None:
    """The last card may be the lion: beside the first one's kind the row's ends are alike."""
    *known, last = laid(text).pieces
    doubtful = replace(last, probability=0.7, candidates=(("ape", 0.7), ("lion", 0.3)))
    assert bool(caravan.judge(Table((*known, doubtful)), EDITION).questions) == asked


def test_a_photograph_is_read_and_scored(
    caravan: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deck = find("paper-safari", "any")
    table = laid("lion lion zebra zebra zebra lion")
    image, _ = photograph(table, deck, 3, Manner(960, 480, most_tilt_deg=15.0, harsh=0.1, mess=0.0), Pictures())
    cv2.imwrite(str(tmp_path / "row.png"), np.ascontiguousarray(image))
    caravan.main(str(tmp_path / "row.png"), "paper-safari")
    assert capsys.readouterr().out.strip().splitlines()[-1].startswith("6 points")


def test_it_stays_an_example_that_can_be_read_in_one_go() -> None:
    assert len(FILE.read_text(encoding="utf-8").splitlines()) < MOST_LINES
