"""Printed decks: sizes true to the mm, every piece as often as the box holds it."""

from __future__ import annotations

import re
import shutil
import subprocess
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from decks import printing
from decks.deck import find
from decks.pdf import POINTS_PER_MM, Document

BUILT_IN = ("paper-safari", "woodland-safari", "kleine-fotosafari", "string-safari", "string-safari-purple")
LAID = re.compile(rb"q ([\d.]+) 0\.0000 0\.0000 ([\d.]+) ([\d.]+) ([\d.]+) cm /P(\d+) Do Q")


def pages(path: Path) -> list[list[tuple[float, ...]]]:
    """Return for each page the pictures laid on it: width, height, x, y in mm, and the picture's number."""
    found = []
    for stream in re.findall(
        rb"/Filter /FlateDecode /Length \d+ >>\nstream\n(.*?)\nendstream", path.read_bytes(), re.DOTALL
    ):
        laid = LAID.findall(zlib.decompress(stream))
        found.append([(*(float(v) / POINTS_PER_MM for v in one[:4]), float(one[4])) for one in laid])
    return found


@pytest.mark.parametrize("paper", printing.PAPERS_MM)
@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("paper-safari", {(63.0, 88.0): 62}),
        ("kleine-fotosafari", {(60.0, 60.0): 24, (96.0, 44.0): 21, (126.0, 44.0): 15, (156.0, 44.0): 12}),
        ("string-safari", {(40.0, 40.0): 74, (22.0, 22.0): 160}),
    ],
)
def test_every_piece_is_printed_at_its_size(
    tmp_path: Path, name: str, sizes: dict[tuple[float, float], int], paper: str
) -> None:
    path = tmp_path / "deck.pdf"
    count = printing.print_deck(find(name, "any"), path, paper, backs=False)
    found = pages(path)
    assert len(found) == count
    laid = [(round(w, 2), round(h, 2)) for page in found for w, h, *_ in page]
    assert {size: laid.count(size) for size in set(laid)} == sizes
    width_mm, height_mm = printing.PAPERS_MM[paper]
    for page in found:
        for w, h, x, y, _ in page:
            assert printing.EDGE_MM - 0.01 <= x <= width_mm - printing.EDGE_MM - w + 0.01
            assert printing.EDGE_MM - 0.01 <= y <= height_mm - printing.EDGE_MM - h + 0.01


def test_backs_lie_behind_their_fronts_when_turned_over_the_long_edge(tmp_path: Path) -> None:
    path = tmp_path / "deck.pdf"
    printing.print_deck(find("kleine-fotosafari", "any"), path)
    found = pages(path)
    for front, behind in zip(found[1::2], found[2::2], strict=True):
        mirrored = sorted((round(210 - x - w, 2), round(y, 2)) for w, _, x, y, _ in behind)
        assert mirrored == sorted((round(x, 2), round(y, 2)) for _, _, x, y, _ in front)
        assert len({number for *_, number in behind}) == 1


@pytest.mark.parametrize(
    ("size_mm", "page_mm", "count"),
    [((63, 88), (210, 297), 9), ((63, 88), (215.9, 279.4), 9), ((40, 40), (210, 297), 24), ((190, 280), (210, 297), 1)],
    ids=["cards on a4", "cards on letter", "tiles", "one"],
)
def test_as_many_as_a_page_holds(size_mm: tuple[float, float], page_mm: tuple[float, float], count: int) -> None:
    assert len(printing.grid(size_mm, page_mm)) == count


def test_a_piece_larger_than_the_page_is_refused() -> None:
    with pytest.raises(ValueError, match="larger than the page"):
        printing.grid((300, 300), (210, 297))


def test_a_picture_is_stored_once(tmp_path: Path) -> None:
    document = Document("once")
    number = document.add_picture(np.full((50, 50, 3), 200, np.uint8))
    for _ in range(3):
        document.page(210, 297).picture(number, 10, 10, 50, 50)
    document.save(tmp_path / "once.pdf")
    assert (tmp_path / "once.pdf").read_bytes().count(b"/Subtype /Image") == 1


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="needs poppler's pdftoppm to look at the page")
@pytest.mark.parametrize(
    ("name", "paper"),
    [(name, "letter") for name in BUILT_IN] + [("kleine-fotosafari", "a4"), ("string-safari-purple", "a4")],
)
def test_rasterised_pages_show_outlines_within_a_third_of_a_mm(tmp_path: Path, name: str, paper: str) -> None:
    path = tmp_path / "deck.pdf"
    printing.print_deck(find(name, "any"), path, paper, backs=False)
    found = pages(path)
    first = {(round(w), round(h)): number for number, page in reversed([*enumerate(found, 1)]) for w, h, *_ in page}
    assert len(first) == {"kleine-fotosafari": 4}.get(name, 2 if name.startswith("string") else 1)
    for number in first.values():
        outlines = rasterised(path, number)
        page_mm = printing.PAPERS_MM[paper][1]
        for w, h, x, y, _ in found[number - 1]:
            expected = np.array([x, page_mm - y - h, x + w, page_mm - y])
            assert np.abs(outlines - expected).max(axis=1).min() < 0.3


def rasterised(path: Path, number: int, dpi: int = 200) -> NDArray[np.float64]:
    """Return what is printed on a page, (n, 4): left, top, right, foot in mm."""
    one = ["-f", str(number), "-l", str(number), "-singlefile", "-png"]
    subprocess.run(["pdftoppm", "-r", str(dpi), *one, path, path.with_suffix("")], check=True)
    gray = cv2.imread(str(path.with_suffix(".png")), cv2.IMREAD_GRAYSCALE)
    assert gray is not None
    printed = cv2.morphologyEx((gray < 225).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(printed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    boxes = np.array([cv2.boundingRect(c) for c in contours], float) * 25.4 / dpi
    return np.concatenate([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], axis=1)
