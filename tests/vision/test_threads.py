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
