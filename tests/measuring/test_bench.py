"""`bench`: its clocks, its slopes, and that the stages it names are there. No time is asserted."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from decks.deck import find
from measuring import bench, live, rival, stages, subjects
from measuring.footprint import run
from measuring.growth import Growth, over_events, over_pieces
from measuring.stopwatch import Stopwatch, alternating
from scoring.edition import GAMES, Game
from service.cli import Refused
from vision.recogniser import Recogniser


@pytest.mark.parametrize(
    ("points", "each", "power"),
    [
        (((1, 2.0), (10, 20.0), (100, 200.0)), 2.0, 1.0),
        (((1, 5.0), (10, 5.0), (100, 5.0)), 0.0, 0.0),
        (((1, 1.0), (10, 100.0), (100, 10_000.0)), 104.6, 2.0),
    ],
    ids=["proportional", "constant", "square"],
)
def test_slopes(points: tuple[tuple[float, float], ...], each: float, power: float) -> None:
    found = Growth("pieces", "ms", points)
    assert found.each == pytest.approx(each, abs=0.1)
    assert found.power == pytest.approx(power, abs=1e-6)


def test_a_stage_inside_another_is_not_counted_twice() -> None:
    watch = Stopwatch()
    inner = watch.around("inner", lambda: sum(range(300_000)))
    watch.around("outer", lambda: [inner(), inner()])()
    assert watch.calls == {"inner": 2, "outer": 1}
    assert watch.spent["outer"] < watch.spent["inner"]


def test_things_that_are_compared_take_turns() -> None:
    order: list[str] = []
    alternating({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, rounds=2)
    assert order == ["a", "b"] * 3


def test_every_stage_of_a_table_with_strings_is_seen() -> None:
    image, deck = subjects.strings(640, 360)
    found = stages.costs(image, deck, Recogniser(deck), rounds=1).stages_ms
    assert {"decode", "detect", "name faces", "place", "markers", "strings", "judge"} <= set(found)
    assert set(found) <= {"decode", *stages.STAGES, "rest of reading", "judge"}


@pytest.mark.parametrize("count", [0, 1, 5, 30])
def test_as_many_cards_are_laid_as_are_asked_for_and_none_on_another(count: int) -> None:
    _, deck = subjects.cards(1, 64, 48)
    pieces = subjects.laid(deck, count).pieces
    centres = [p.centre_mm for p in pieces]
    assert len(pieces) == count
    least = min(deck.edition.size_mm)
    assert all(abs(a[0] - b[0]) > least or abs(a[1] - b[1]) > least for a in centres for b in centres if a is not b)


def test_growth_has_a_point_for_each_size() -> None:
    assert [x for x, _ in over_pieces((6, 9)).points] == [6, 9]
    assert {name: [x for x, _ in g.points] for name, g in over_events((1, 20)).items()} == {
        "open": [1, 20],
        "add one": [1, 20],
        "tell": [1, 20],
    }


def test_a_process_tells_its_own_cost_and_status() -> None:
    took = run("deck", "check", "no-such-deck")
    assert took.status == 2
    assert took.cpu_s > 0
    assert took.memory_mib > 1


@pytest.mark.parametrize("game", GAMES)
def test_each_step_of_an_evening_is_one_move_from_the_last(game: Game) -> None:
    deck = find(None, game)
    laid = live.steps(game, deck)
    seen = [{(p.kind, p.label, p.outline_mm) for p in table.pieces} for table in laid]
    strings = [table.strings for table in laid]
    assert all(a != b or c != d for (a, b), (c, d) in zip(pairwise(seen), pairwise(strings), strict=True))
    assert all(len(a ^ b) <= 4 for a, b in pairwise(seen))


def test_what_was_lived_is_told_by_game() -> None:
    told = live.Lived(0.12, {"paper-safari": (0.3, 0.5, 0.4), "string-safari": ()}).to_json()
    assert (told["idle_share_of_a_core"], told["after_hand_s_median paper-safari"]) == (0.12, 0.4)
    assert told["after_hand_s_median string-safari"] is None


def test_without_ultralytics_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rival, "installed", lambda: False)
    assert bench.lines("against", bench.against()) == [f"against: compared {rival.MISSING}"]


def test_a_report_holds_a_plot_for_each_growth(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    growth = {"pieces": Growth("pieces", "ms", ((5, 1.0), (50, 2.0))).to_json(), "none": {}}
    monkeypatch.setattr(bench, "PARTS", {"growth": lambda: growth})
    assert bench.run_bench(None, tmp_path / "b.json", tmp_path / "b.html") == 0
    assert json.loads((tmp_path / "b.json").read_text()) == {"growth": growth}
    assert (tmp_path / "b.html").read_text().count("<svg") == 1
    assert "power" in capsys.readouterr().out


def test_an_unknown_part_is_refused() -> None:
    with pytest.raises(Refused, match="colour"):
        bench.run_bench("stages,colour", None, None)
