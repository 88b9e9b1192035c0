"""Every command that stands in the docs is run, in order, as it stands or with cheaper options; or it is said where."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from measuring.footprint import fetched
from tests.documents import DOCUMENTS, ROOT, commands, prepare

ANSWERED = (0, 3)
"""Answered for certain, or with questions: the documents' pictures may leave one open."""
CHEAPER = {
    r"safari-table bench\b.*": "safari-table bench --only against",
    r"python -m synth\.chunks (\S+)(.*--held-out)?.*": r"python -m synth.chunks \1 --chunks 1 --size 2",
    r"python -m measuring\.rendered (\S+).*": r"python -m measuring.rendered \1 --count 1",
    r"python docs/fourth-game/": f"{sys.executable} {ROOT}/docs/fourth-game/",
}
ELSEWHERE = {
    r"make (test|check|fuzz|docs-check|wheel-check|train-check)": ".ci/run",
    r"make demo": "Makefile",
    r"make train": "Makefile",
    r"bash \.ci/run": ".ci/run",
    r"apt-get install .*": ".ci/run",
    r"pipx? install .*": ".ci/wheel.py",
    r"python docs/files\.py": "tests/test_house.py",
    r"python -m training\..*": "tests/training/test_detector.py",
    r"export PYTHONPATH=.*": "pyproject.toml",
}
"""What needs another machine, the network or hours, and the file that has it done."""
MOST_S = 240


def environment(folder: Path) -> dict[str, str]:
    """Return an environment in which `safari-table` and `python` are the tested ones, and data goes into the folder."""
    paths = os.pathsep.join(str(ROOT / part) for part in (".", "datasets", "models"))
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    return {**os.environ, "PATH": path, "PYTHONPATH": paths, "XDG_DATA_HOME": str(folder / "data")}


def served(command: str, folder: Path) -> None:
    """Start a serving command, fetch its page, and end it."""
    words = [*command.split(), "--port", "0"]
    with subprocess.Popen(words, cwd=folder, env=environment(folder), stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout is not None
            address = child.stdout.readline().strip().rpartition(" ")[2]
            assert address.startswith("http://127.0.0.1:"), f"{command}: no address"
            assert b"<html" in fetched(address)
        finally:
            child.terminate()


def filled_in(folder: Path) -> None:
    """Fill in what is printed on newly enrolled cards, as a person does."""
    for path in folder.glob("*/deck.toml"):
        path.write_text(re.sub(r'^(\[faces\."[^"]+"\])\n(?!value)', r"\1\nvalue = 3\n", path.read_text(), flags=re.M))


def ran(command: str, folder: Path) -> None:
    """Run a command in a shell; it must answer."""
    for pattern, cheaper in CHEAPER.items():
        command = re.sub(rf"^{pattern}", cheaper, command)
    done = subprocess.run(
        command, shell=True, cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=MOST_S
    )
    assert done.returncode in ANSWERED, f"{command}: exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"


def elsewhere(command: str) -> str | None:
    """Return the file that has a command done; None: it is run here."""
    return next((where for pattern, where in ELSEWHERE.items() if re.fullmatch(pattern, command)), None)


@pytest.mark.docs
@pytest.mark.parametrize("document", DOCUMENTS, ids=[str(path.relative_to(ROOT)) for path in DOCUMENTS])
def test_every_command_of_a_document_works(document: Path, tmp_path: Path) -> None:
    here = [c for c in commands(document.read_text(encoding="utf-8")) if elsewhere(c) is None]
    if here:
        prepare(tmp_path)
    for command in here:
        if re.match(r"safari-table (demo|serve)\b", command):
            served(command, tmp_path)
        else:
            ran(command, tmp_path)
        if command.startswith("safari-table deck enrol"):
            filled_in(tmp_path)


@pytest.mark.parametrize("where", sorted(set(ELSEWHERE.values())))
def test_what_is_run_elsewhere_is_run_there(where: str) -> None:
    assert (ROOT / where).is_file()


@pytest.mark.parametrize("target", ["check", "test", "fuzz", "docs-check", "wheel-check", "train-check"])
def test_ci_runs_what_the_docs_promise(target: str) -> None:
    assert f"make {target}" in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("```sh\nsafari-table demo  # a page\n```", ["safari-table demo"]),
        ("```\ngame = 1\nmake test\n```", ["make test"]),
        ("```toml\nmake = 1\n```", []),
        ("say `safari-table deck list` and `safari-table serve --camera SOURCE`", ["safari-table deck list"]),
    ],
    ids=["empty", "comment", "plain-block", "another-language", "placeholder"],
)
def test_commands_are_found_in_a_document(text: str, found: list[str]) -> None:
    assert commands(text) == found


def test_every_link_of_a_document_leads_somewhere() -> None:
    missing = [
        f"{document.relative_to(ROOT)}: {target}"
        for document in DOCUMENTS
        for target in re.findall(r"\]\(([^)#\s]+)\)", document.read_text(encoding="utf-8"))
        if "://" not in target and not (document.parent / target).exists()
    ]
    assert missing == []
