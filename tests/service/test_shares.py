"""Many tables told by several processes: the same answers, in the same order, as by one."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import TextIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service import shares
from service.shares import Share, cut, told
from service.tally import run
from tests.service.tallying import paper_table

ANYTHING = st.recursive(st.none() | st.text(max_size=4), lambda v: st.lists(v) | st.dictionaries(st.text(), v))


@pytest.fixture
def three(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut every text in three, however short."""
    monkeypatch.setattr(shares, "LEAST_SHARE", 1)
    monkeypatch.setattr(shares, "MOST_SHARES", 3)
    monkeypatch.setattr(shares, "_processors", lambda: 3)


@pytest.mark.usefixtures("three")
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.dictionaries(st.text(max_size=3), ANYTHING, max_size=3), max_size=8), st.sampled_from([None, 1]))
def test_a_text_is_cut_between_its_tables(values: list[dict[str, object]], indent: int | None) -> None:
    text = "\n".join(json.dumps(v, indent=indent) for v in values)
    found = cut(text)
    assert "".join(s.text for s in found) == text
    assert [s.line for s in found] == ["".join(p.text for p in found[:k]).count("\n") for k in range(len(found))]
    decoder, read = json.JSONDecoder(), []
    for share in found:
        rest = share.text.strip()
        while rest:
            value, end = decoder.raw_decode(rest)
            read.append(value)
            rest = rest[end:].strip()
    assert read == values


def test_one_table_is_one_share() -> None:
    assert cut('{"pieces": []}') == [Share('{"pieces": []}', 0)]


@pytest.mark.usefixtures("three")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")  # the helpers only score tables
@pytest.mark.parametrize("faulty", [None, 1, 4, 8], ids=["none", "in the first", "in the second", "in the last"])
def test_shares_answer_as_one_process_does(tmp_path: Path, faulty: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [json.dumps({**paper_table(), "options": {}}) for _ in range(8)]
    lines[6] = '{"pieces": []}'  # no such game
    if faulty is not None:
        lines[faulty - 1] = '{"pieces": 5}'
    path = tmp_path / "tables.jsonl"
    path.write_text("\n".join(lines))
    answers = []
    for processors in (3, 1):
        monkeypatch.setattr(shares, "_processors", lambda n=processors: n)
        out, err = io.StringIO(), io.StringIO()
        answers.append((run(str(path), "paper-safari", out=out, err=err), out.getvalue(), err.getvalue()))
    assert answers[0] == answers[1]
    assert answers[0][0] == (4 if faulty is None else 2)


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_share_whose_process_fails_is_answered_here() -> None:
    here, out = os.getpid(), io.StringIO()

    def tell(share: Share, out: TextIO, err: TextIO) -> int:
        if os.getpid() != here:
            raise MemoryError
        out.write(share.text)
        return share.line

    assert list(told([Share("a", 0), Share("b", 3)], tell, out, io.StringIO())) == [0, 3]
    assert out.getvalue() == "ab"
