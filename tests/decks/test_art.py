"""The drawn decks: that their folders are what the code draws, and that no face is like another."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from decks import art, builtin, signs
from decks.animals import FIGURES, figure
from decks.deck import BUILTIN, find
from decks.paper import Drawing, Sheet
from decks.picture import Image, read

SAME = 3.0  # grey levels on average: what keeping few colours, and another OpenCV's rounding, may change
APART_30PX = 14.0  # root mean square grey levels at 30 px: less cannot be told at a glance


@pytest.mark.parametrize("name", art.STYLES)
def test_a_built_in_folder_is_what_the_code_draws(name: str) -> None:
    drawn = builtin.drawn(name)
    kept = {path.relative_to(BUILTIN / name).as_posix() for path in (BUILTIN / name).glob("*/*.png")}
    assert kept == set(drawn)
    for path, image in drawn.items():
        there = read(BUILTIN / name / path)
        assert there.shape == image.shape
        assert np.abs(there.astype(float) - image).mean() < SAME, path


def test_the_built_in_decks_are_small() -> None:
    assert sum(path.stat().st_size for path in BUILTIN.rglob("*") if path.is_file()) < 4_000_000


def small(image: Image) -> npt.NDArray[np.float64]:
    """Return a face as seen from afar, without colour."""
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(gray, (30, 30), interpolation=cv2.INTER_AREA), float)


def on_white(drawing: Drawing, side: int = 30) -> Image:
    """Draw a figure alone."""
    sheet = Sheet(side, side, "#8a8a8a")
    sheet.lay(drawing, side / 2, side / 2, side * 0.45)
    return sheet.picture()


def distance(a: Image, b: Image) -> float:
    """Return how far two pictures are apart without colour, as one who sees none does."""
    return float(np.sqrt(np.mean((small(a) - small(b)) ** 2)))


def test_no_two_figures_are_alike_without_colour() -> None:
    drawn = {name: on_white(figure(name) or ()) for name in FIGURES}
    near = {(a, b): distance(drawn[a], drawn[b]) for a, b in itertools.combinations(drawn, 2)}
    worst = min(near, key=lambda pair: near[pair])
    assert near[worst] > APART_30PX, worst


def test_every_figure_is_upright_for_all_to_see() -> None:
    for name in FIGURES:
        image = on_white(figure(name) or ())
        for turns in (1, 2, 3):
            assert distance(image, np.asarray(np.rot90(image, turns)).copy()) > APART_30PX, (name, turns)


@pytest.mark.parametrize(
    "group", [signs.FOOD, signs.FAMILY, signs.ACTIVITY, signs.CONDITION], ids=["food", "family", "hour", "condition"]
)
def test_signs_differ_in_shape(group: dict[str, Drawing]) -> None:
    shapes = {
        name: on_white(tuple(type(s)(s.outline, "#202020", 0.0) for s in drawing)) for name, drawing in group.items()
    }
    for a, b in itertools.combinations(shapes, 2):
        assert distance(shapes[a], shapes[b]) > APART_30PX, (a, b)


@pytest.mark.parametrize("deck", ["string-safari", "string-safari-purple"])
def test_coins_differ_in_print_however_they_lie(deck: str) -> None:
    coins = {}
    for name, (picture,) in find(deck, "any").coins.items():
        inside = small(picture[30:-30, 30:-30])
        coins[name] = (inside - inside.mean()) / inside.std()
    turned = {
        name: [
            cv2.warpAffine(coin, cv2.getRotationMatrix2D((14.5, 14.5), deg, 1), (30, 30)) for deg in range(0, 360, 15)
        ]
        for name, coin in coins.items()
    }
    middle = np.hypot(*(np.mgrid[:30, :30] - 14.5)) < 14
    for a, b in itertools.permutations(coins, 2):
        assert min(float(np.abs(coins[a] - coin)[middle].mean()) for coin in turned[b]) > 0.3, (a, b)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("paper-safari", {"faces": 50, "research": 0, "photos": 0}),
        ("woodland-safari", {"faces": 52, "research": 0, "photos": 0}),
        ("kleine-fotosafari", {"faces": 24, "research": 0, "photos": 48}),
        ("string-safari", {"faces": 44, "research": 30, "photos": 0}),
        ("string-safari-purple", {"faces": 44, "research": 30, "photos": 0}),
    ],
)
def test_a_box_holds_what_its_rulebook_counts(name: str, counts: dict[str, int]) -> None:
    edition = find(name, "any").edition
    held = {
        "faces": sum(face.count for face in edition.faces.values()),
        "research": sum(tile.count for tile in edition.research.values()),
        "photos": len(edition.photos),
    }
    assert held == counts


def test_paper_safari_has_the_likely_values() -> None:
    faces = find("paper-safari", "paper-safari").edition.faces
    animals = sorted(f.value for label, f in faces.items() if f.value is not None and label != "tarzan")
    assert animals == [-2, 0, 1, 3, 4, 5, 6, 7, 8, 9, 10]
    assert (faces["fox"].value, faces["elephant"].value, faces["tarzan"].value) == (-2, 10, 10)


def test_string_safari_has_37_animals_and_7_lands() -> None:
    faces = find("string-safari", "string-safari").edition.faces
    assert sum(f.count for f in faces.values() if f.land is None) == 37
    assert sum(f.count for f in faces.values() if f.land is not None) == 7
    assert faces["rocky-area"].count == 2


@pytest.mark.parametrize(("name", "rim"), [("string-safari", 0.035), ("string-safari-purple", 0.075)])
@pytest.mark.parametrize("land", ["bushes", "forest", "water-hole", "footprints", "rocky-area"])
def test_a_lands_words_and_signs_keep_clear_of_its_frame(name: str, rim: float, land: str) -> None:
    face = read(BUILTIN / name / "faces" / f"{land}.png")
    side, seam = len(face), max(round(len(face) * 0.015), 2)
    inner = round(side * rim) + 1
    middle = slice(round(side * 0.25), round(side * 0.75))
    for band in (face[inner : inner + seam, middle], face[side - inner - seam : side - inner, middle]):
        assert band.max(axis=2).min() > 90  # no ink
