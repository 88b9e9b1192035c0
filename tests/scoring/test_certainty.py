"""Questions: the fewest that fix what counts, against brute force over all readings."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Hashable
from itertools import combinations, product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import doubt_tree, fewest
from scoring.certainty import PLAUSIBLE, Choice, Doubt, Pooled, Verdict, odds_of, weigh
from scoring.doubt_tree import NEGLECTED
from scoring.fewest import smallest_questions

LABELS = ("a", "b", "c", "d")
Worth = dict[tuple[Choice, ...], int]


def doubt(about: int, odds: dict[str, float], pool: str | None = "faces", same: tuple[str, ...] = ()) -> Doubt:
    """Return a doubt; the labels in `same` come to the same for the rules."""
    choices: tuple[Choice, ...] = tuple(odds)
    matters: tuple[Hashable, ...] = tuple("same" if c in same else c for c in odds)
    return Doubt(about, choices, odds_of(list(odds.values())), matters, pool)


Weighed = tuple[float, tuple[Choice, ...]]
"""A reading's odds and its choices."""


def _all(doubts: list[Doubt], limits: dict[Pooled, int]) -> list[Weighed]:
    """Every reading that the box allows, by trying all; a choice as probable as all that come to the same."""
    wanted = Counter((str(d.pool), str(c)) for d in doubts if d.pool for c in d.choices)
    scarce = {key for key, n in limits.items() if wanted[key] > n}
    told = [
        [(m, (d.pool, c) in scarce and c) for c, m in zip(d.choices, d.matters, strict=True)] for d in doubts
    ]  # choices with the same are one
    shares = [[sum(o for o, k in zip(d.odds, kinds, strict=True) if k == kind) for kind in kinds]
              for d, kinds in zip(doubts, told, strict=True)]  # fmt: skip
    stands = [
        [max((o, -j) for j, o in enumerate(d.odds) if kinds[j] == kind)[1] == -c for c, kind in enumerate(kinds)]
        for d, kinds in zip(doubts, told, strict=True)
    ]
    found = []
    for reading in product(*(range(len(d.choices)) for d in doubts)):
        labels = tuple(d.choices[c] for d, c in zip(doubts, reading, strict=True))
        used = Counter((str(d.pool), str(label)) for d, label in zip(doubts, labels, strict=True) if d.pool)
        if all(stands[i][c] for i, c in enumerate(reading)) and all(n <= limits.get(key, n) for key, n in used.items()):
            found.append((prod(shares[i][c] / max(shares[i]) for i, c in enumerate(reading)), labels))
    best = max((odds for odds, _ in found), default=0.0)
    return _all(doubts, {}) if best < PLAUSIBLE and limits else found


def _plausible(weighed: list[Weighed]) -> list[tuple[Choice, ...]]:
    """The readings that are not too improbable."""
    best = max(odds for odds, _ in weighed)
    return [labels for odds, labels in weighed if odds >= PLAUSIBLE * best * (1 - 1e-9)]


def _left_open(weighed: list[Weighed], best: tuple[Choice, ...], asked: tuple[int, ...], worth: Worth) -> float:
    """How probably the outcome is not the best reading's where the questions are answered as it has them."""
    left = [
        (odds, worth[labels] == worth[best]) for odds, labels in weighed if all(labels[i] == best[i] for i in asked)
    ]
    return sum(odds for odds, same in left if not same) / sum(odds for odds, _ in left)


def _fixes(questions: tuple[int, ...], readings: list[tuple[Choice, ...]], results: list[Hashable]) -> bool:
    seen: dict[tuple[Choice, ...], Hashable] = {}
    keys = [tuple(reading[i] for i in questions) for reading in readings]
    return all(seen.setdefault(key, result) == result for key, result in zip(keys, results, strict=True))


def _fewest(readings: list[tuple[Choice, ...]], results: list[Hashable], n: int) -> int:
    return next(k for k in range(n + 1) if any(_fixes(q, readings, results) for q in combinations(range(n), k)))


def _asked(verdict: Verdict, doubts: list[Doubt]) -> tuple[int, ...]:
    return tuple(doubts.index(a.doubt) for a in verdict.asked)


_ODDS = st.dictionaries(
    st.sampled_from(LABELS), st.sampled_from([0.9, 0.5, 0.3, 0.1, 0.04, 0.008, 0.003]), min_size=1, max_size=3
)


@st.composite
def _tables(draw: st.DrawFn) -> tuple[list[Doubt], dict[Pooled, int], Worth]:
    same = draw(st.sampled_from([(), ("a", "b"), ("b", "c", "d")]))
    pools = draw(st.sampled_from(["faces", None]))
    doubts = [doubt(i, draw(_ODDS), pools, same) for i in range(draw(st.integers(1, 4)))]
    limits = {("faces", label): draw(st.integers(0, 2)) for label in LABELS}
    kinds = sorted({str(m) for d in doubts for m in d.matters})
    worth = {k: draw(st.integers(0, 2)) for k in kinds}
    shape = draw(st.sampled_from(["sum", "first", "both", "none"]))

    def result(labels: tuple[Choice, ...]) -> int:
        values = [worth["same" if c in same else str(c)] for c in labels]
        return {"sum": sum(values), "first": values[0], "both": min(values), "none": 0}[shape]

    readings = product(*(d.choices for d in doubts))
    return doubts, limits, {labels: result(labels) for labels in readings}


@settings(max_examples=150, deadline=None, derandomize=True)
@given(_tables())
def test_the_questions_are_as_few_as_by_brute_force_and_fix_the_score(
    drawn: tuple[list[Doubt], dict[Pooled, int], Worth],
) -> None:
    doubts, limits, results = drawn
    verdict = weigh(doubts, limits, lambda labels: results[labels])
    weighed = _all(doubts, limits)
    readings = _plausible(weighed)
    outcomes: list[Hashable] = [results[r] for r in readings]
    asked = _asked(verdict, doubts)
    fewest = _fewest(readings, outcomes, len(doubts))
    assert verdict.best in readings
    assert _fixes(asked, readings, outcomes)
    assert _left_open(weighed, verdict.best, asked, results) <= NEGLECTED + 0.001  # below FAINT nothing is summed
    sets = [q for q in combinations(range(len(doubts)), fewest) if _fixes(q, readings, outcomes)]
    enough = [q for q in sets if _left_open(weighed, verdict.best, q, results) <= NEGLECTED - 0.001]
    assert len(asked) == fewest or len(enough) < len(sets)  # more only where the faint readings add up
    if len(asked) == fewest:
        for a in verdict.asked:
            assert set(a.choices) >= {r[doubts.index(a.doubt)] for r in readings}


ODDS_CASES = [
    pytest.param([], (), id="none"),
    pytest.param([0.8, 0.2], (1.0, 0.25), id="shares of the best"),
    pytest.param([0.0, 0.0], (1.0, 1.0), id="nothing known"),
]


@pytest.mark.parametrize(("probabilities", "odds"), ODDS_CASES)
def test_odds(probabilities: list[float], odds: tuple[float, ...]) -> None:
    assert odds_of(probabilities) == pytest.approx(odds)


def test_without_doubts_nothing_is_asked() -> None:
    assert weigh([], {}, lambda _: 0) == Verdict((), ())


def test_a_doubt_that_changes_nothing_is_not_asked() -> None:
    assert weigh([doubt(1, {"a": 0.5, "b": 0.5})], {}, lambda _: 7).asked == ()


def test_the_box_holds_no_fifth() -> None:
    doubts = [doubt(1, {"a": 0.6, "b": 0.4})]
    verdict = weigh(doubts, {("faces", "a"): 0}, lambda labels: labels[0])
    assert (verdict.best, verdict.asked) == (("b",), ())


def test_where_the_box_itself_must_be_wrong_its_counts_are_left_aside() -> None:
    doubts = [doubt(1, {"a": 1.0, "b": 0.004})]
    assert weigh(doubts, {("faces", "a"): 0}, lambda labels: labels[0]) == Verdict(("a",), ())


def test_one_answer_can_settle_two_doubts_by_the_counts() -> None:
    doubts = [doubt(1, {"a": 0.5, "b": 0.5}), doubt(2, {"a": 0.5, "b": 0.5})]
    limits = {("faces", "a"): 1, ("faces", "b"): 1}
    assert len(weigh(doubts, limits, lambda labels: labels).asked) == 1


def test_stakes_of_doubts_that_matter_only_together() -> None:
    doubts = [doubt(1, {"a": 0.6, "b": 0.4}), doubt(2, {"a": 0.6, "b": 0.4})]
    verdict = weigh(doubts, {}, lambda labels: labels == ("b", "b"))
    assert [a.outcomes for a in verdict.asked] == [(False, True), (False, True)]


ADD_UP = [
    pytest.param([0.003] * 6, (), id="six that together are still improbable"),
    pytest.param([0.009], (), id="one that is improbable"),
    pytest.param([0.009] * 6, (0, 1, 2, 3), id="six that are too probable together"),
    pytest.param([0.001, 0.009, 0.001, 0.008, 0.006], (1,), id="the most telling one is asked"),
    pytest.param([0.009, 0.3, 0.009, 0.009], (0, 1), id="beside one that is doubtful itself"),
    pytest.param([1e-5] * 240, (), id="what counts in no sum"),
    pytest.param([0.009] * 60, tuple(range(58)), id="sixty"),
]


@pytest.mark.parametrize(("odds", "asked"), ADD_UP)
def test_what_is_improbable_piece_by_piece_may_add_up(odds: list[float], asked: tuple[int, ...]) -> None:
    doubts = [doubt(i, {"a": 1.0, "b": p}, None) for i, p in enumerate(odds)]
    verdict = weigh(doubts, {}, lambda labels: labels.count("b"))
    assert _asked(verdict, doubts) == asked
    assert all(a.choices == ("a", "b") and a.outcomes[:2] == (0, 1) for a in verdict.asked)


def test_too_many_improbable_readings_are_summed_doubt_by_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doubt_tree, "MOST_FAINT", 6)
    doubts = [doubt(i, {"a": 1.0, "b": p}, None) for i, p in enumerate([0.5, *[0.009] * 6])]
    assert _asked(weigh(doubts, {}, lambda labels: labels.count("b")), doubts) == (0, 1, 2, 3, 4)


def test_choices_that_come_to_the_same_add_up() -> None:
    labels = [f"b{k}" for k in range(40)]
    one = Doubt(1, ("a", *labels), (1.0, *[0.008] * 40), ("a", *["b"] * 40))
    (asked,) = weigh([one], {}, lambda chosen: chosen[0] == "a").asked
    assert (asked.choices, asked.outcomes) == (("a", *labels), (True, False))


def test_what_is_left_of_many_cards_adds_up() -> None:
    others = [f"b{k}" for k in range(8)]
    doubts = [Doubt(i, ("a", *others), (1.0, *[1.5e-4] * 8), ("a", *others)) for i in range(30)]
    verdict = weigh(doubts, {}, lambda labels: labels.count("a"))
    assert len(verdict.asked) == 13  # 17 are left, each wrong with 0.12%: two in a hundred
    assert weigh(doubts[:16], {}, lambda labels: labels.count("a")).asked == ()


@pytest.mark.parametrize("limits", [{}, {("faces", "a"): 10}], ids=["no counts", "counts"])
def test_more_doubts_than_any_box_has_pieces(limits: dict[Pooled, int]) -> None:
    doubts = [doubt(i, {"a": 0.6, "b": 0.4}) for i in range(2000)]
    verdict = weigh(doubts, limits, lambda labels: labels[0])
    assert (set(verdict.best), len(verdict.asked)) == ({"a"}, 2000)


def test_what_changes_nothing_does_not_add_up() -> None:
    doubts = [doubt(i, {"a": 1.0, "b": 0.009}, None) for i in range(60)]
    assert weigh(doubts, {}, lambda labels: labels[0]).asked == ()


def test_thirty_pieces_with_ten_in_doubt_take_under_50_ms() -> None:
    doubts = [doubt(i, {"a": 0.5, "b": 0.5}) for i in range(10)]
    spent = []
    for _ in range(5):
        start = time.process_time()
        verdict = weigh(doubts, {("faces", "a"): 20}, lambda labels: tuple(labels[:5]).count("a"))
        spent.append(time.process_time() - start)
        assert _asked(verdict, doubts) == (0, 1, 2, 3, 4)
    assert min(spent) < 0.05 * SLACK


SLACK = 6
"""A test machine may be this much slower, or busier, than a plain one, and coverage slows it further."""


def test_too_many_readings_ask_of_every_doubt() -> None:
    doubts = [doubt(i, {"a": 0.5, "b": 0.5, "c": 0.5}) for i in range(9)]
    doubts.append(doubt(9, {"a": 1.0, "b": 0.009}))  # but not of one that is none on its own
    verdict = weigh(doubts, {}, lambda labels: labels[0])
    assert _asked(verdict, doubts) == tuple(range(9))
    assert verdict.asked[0].choices == ("a", "b", "c")
    assert verdict.asked[0].outcomes == ("a", "b", "c")
    assert verdict.asked[1].outcomes == ("a",)


MOST = [
    pytest.param(4, (0, 1, 2), id="found out among the last"),
    pytest.param(6, (0, 1, 2), id="found out at the last"),
    pytest.param(7, (0,), id="just not too many"),
]


@pytest.mark.parametrize(("most", "asked"), MOST)
def test_too_many_readings_that_the_box_allows(
    monkeypatch: pytest.MonkeyPatch, most: int, asked: tuple[int, ...]
) -> None:
    monkeypatch.setattr(doubt_tree, "MOST_READINGS", most)
    doubts = [doubt(i, {"a": 0.5, "b": 0.5}) for i in range(3)]
    verdict = weigh(doubts, {("faces", "a"): 2}, lambda labels: labels[0])
    assert _asked(verdict, doubts) == asked


def test_a_search_without_end_is_given_up() -> None:
    doubts = [doubt(i, {"a": 0.5, "b": 0.5}) for i in range(30)]
    start = time.process_time()
    verdict = weigh(doubts, {("faces", "a"): 10, ("faces", "b"): 10}, lambda labels: labels[0])
    assert len(verdict.asked) == 30
    assert time.process_time() - start < 5.0 * SLACK


def test_what_leaves_two_readings_open_is_not_tried_again() -> None:
    readings, fields = [0b000, 0b100, 0b011, 0b111], [0b100, 0b010, 0b001]  # the last two go together
    assert smallest_questions(readings, ["x", "x", "y", "y"], fields) == (1,)


def test_too_many_sets_of_questions_ask_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fewest, "MOST_SETS", 1)
    assert smallest_questions([0b001, 0b110], ["x", "y"], [0b100, 0b010, 0b001]) == (0, 1, 2)


def test_what_is_hardly_possible_at_all_is_left_out() -> None:
    assert weigh([doubt(1, {"a": 1.0, "b": 1e-6})], {}, lambda labels: labels) == Verdict(("a",), ())
