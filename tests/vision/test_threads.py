"""Shared work comes back in order, whatever the cores do, and what fails says so."""

from __future__ import annotations

import threading

import pytest

from vision import threads
from vision.threads import each


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([3], [9], id="one"),
        pytest.param(range(50), [n * n for n in range(50)], id="many, in order"),
    ],
)
def test_each_in_order(items: list[int], expected: list[int]) -> None:
    assert each(lambda n: n * n, items) == expected


def test_what_fails_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        each(lambda n: 1 / n, [2, 1, 0])


def test_a_share_is_not_shared_again() -> None:
    def inner(_: int) -> set[str]:
        return set(each(lambda _: threading.current_thread().name, range(8)))

    assert all(len(names) == 1 for names in each(inner, range(4)))


def test_a_single_core_does_all_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_pool", lambda: None)
    assert set(each(lambda _: threading.current_thread(), range(4))) == {threading.current_thread()}


def test_alone_nothing_is_shared() -> None:
    with threads.alone():
        assert set(each(lambda _: threading.current_thread(), range(4))) == {threading.current_thread()}


@pytest.mark.parametrize("cores", [1, 2])
def test_what_is_done_meanwhile_is_done_at_the_end(monkeypatch: pytest.MonkeyPatch, cores: int) -> None:
    if cores == 1:
        monkeypatch.setattr(threads, "_pool", lambda: None)
    done = []
    squares, _ = threads.both(lambda: each(lambda n: n * n, range(4)), lambda: done.append(True))
    assert squares == [0, 1, 4, 9]
    assert done == [True]


@pytest.mark.parametrize(("aside", "within"), [(0, 1), (1, 0)], ids=["aside", "within"])
def test_what_fails_meanwhile_is_raised(aside: int, within: int) -> None:
    with pytest.raises(ZeroDivisionError):
        threads.both(lambda: 1 / within, lambda: 1 / aside)


def test_several_cores_work_at_once() -> None:
    if threads._pool() is None:
        pytest.skip("a single core")
    begun = threading.Event()
    waited, _ = threads.both(lambda: begun.wait(10), begun.set)
    assert waited
