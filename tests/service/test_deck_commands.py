"""`safari-table deck …`: exit status, one line for what cannot be, and what is written."""

from __future__ import annotations

import tomllib
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from click.testing import CliRunner, Result

from decks import trial
from decks.deck import find, load
from decks.picture import Image
from scoring.edition import Game
from service import deck_enrolling
from service.deck_commands import deck as app

Floats = npt.NDArray[np.float64]
CELL_PX = 150


def deck(*words: object) -> Result:
    """Run a `safari-table deck` command."""
    return CliRunner().invoke(app, [str(word) for word in words])


def laid(faces: list[Image], columns: int, path: Path) -> Floats:
    """Write a picture with faces in rows on gray; return their corners (n, 4, 2) px."""
    rows = -(-len(faces) // columns)
    image = np.full((rows * CELL_PX + 40, columns * CELL_PX + 40, 3), 118, np.uint8)
    corners = []
    for k, face in enumerate(faces):
        size = (100, round(100 * face.shape[0] / face.shape[1]))
        x, y = 30 + k % columns * CELL_PX, 20 + k // columns * CELL_PX
        image[y : y + size[1], x : x + size[0]] = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
        corners.append(np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size + (x, y) - 0.5)
    cv2.imwrite(str(path), image)
    return np.array(corners)


@pytest.fixture
def lying(monkeypatch: pytest.MonkeyPatch) -> dict[str, Floats]:
    """Let pieces be found where a test lays them, not by the network: the corners under "at"."""
    held = {"at": np.zeros((0, 4, 2))}

    def found(images: list[Image], size_mm: tuple[float, float], height_mm: float, *more: object) -> list[Floats]:
        return [held["at"] for _ in images]

    monkeypatch.setattr(deck_enrolling, "found", found)
    return held


def faces_of(name: str, *labels: str) -> list[Image]:
    """Return a built-in deck's faces."""
    return [find(name, "any").faces[label][0] for label in labels]


def test_list_names_every_built_in_deck() -> None:
    result = deck("list")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 5
    assert "paper-safari" in result.stdout


@pytest.mark.parametrize("game", ["paper-safari", "kleine-fotosafari", "string-safari", "any"])
def test_new_starts_a_deck(tmp_path: Path, game: Game) -> None:
    assert deck("new", tmp_path / "mine", "--game", game, "--size", "60,61").exit_code == 0
    written = tomllib.loads((tmp_path / "mine/deck.toml").read_text())
    assert written["game"] == game
    assert written["tile_mm" if game == "string-safari" else "card_mm"] == [60, 61]


REFUSED = [
    ("new: no such game", ("new", "x", "--game", "chess"), "chess"),
    ("new: size of one", ("new", "x", "--game", "any", "--size", "60"), "write width and height"),
    ("new: size of nothing", ("new", "x", "--game", "any", "--size", "0,5"), "10 to 400"),
    ("new: a name of two lines", ("new", "x", "--game", "any", "--name", "a\nb"), "on one line"),
    ("check: no folder", ("check", "/nowhere"), "no such file"),
    ("print: no deck", ("print", "nothing", "x.pdf"), "there is no deck"),
    ("print: no paper", ("print", "paper-safari", "x.pdf", "--paper", "a9"), "a4 or letter"),
    ("print: no folder", ("print", "kleine-fotosafari", "/nowhere/x.pdf"), "cannot be written"),
    ("export: no deck", ("export", "/nowhere", "x.zip"), "no such file"),
    ("import: no zip", ("import", "/nowhere.zip", "y"), "no such file"),
    ("enrol: no deck", ("enrol", "/nowhere", "x.jpg", "--labels", "a"), "no deck here"),
]


@pytest.mark.parametrize(("words", "said"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_what_cannot_be_is_one_line_and_exit_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = deck(*words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [(b'game = "any"\nname = "d\xe9"\n', "UTF-8"), (b'game = "any"\nn = ' + b"9" * 5000, "not TOML"), (b"", "game")],
    ids=["latin", "endless number", "empty"],
)
@pytest.mark.parametrize("words", [("enrol", "mine", "x.jpg", "--labels", "a"), ("check", "mine")], ids=lambda w: w[0])
def test_a_deck_toml_that_cannot_be_read_is_one_line_and_exit_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], text: bytes, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/deck.toml").write_bytes(text)
    test_what_cannot_be_is_one_line_and_exit_2(tmp_path, monkeypatch, words, said)


def test_a_deck_is_enrolled_and_reads_its_own_faces(tmp_path: Path, lying: dict[str, Floats]) -> None:
    labels = ("fox", "zebra", "lion", "elephant", "back")
    lying["at"] = laid(faces_of("paper-safari", *labels), 3, tmp_path / "photo.png")[::-1]
    deck("new", tmp_path / "mine", "--game", "paper-safari")
    result = deck("enrol", tmp_path / "mine", tmp_path / "photo.png", "--labels", ",".join(labels))
    assert result.exit_code == 0, result.stderr
    assert "mine/found-1.png: what was cut, numbered" in result.stdout
    drawn, photo = (cv2.imread(str(tmp_path / name)) for name in ("mine/found-1.png", "photo.png"))
    assert not np.array_equal(np.asarray(drawn), np.asarray(photo))
    toml = (tmp_path / "mine/deck.toml").read_text()
    assert [f'[faces."{label}"]' in toml for label in labels] == [True] * 4 + [False]
    for value, label in enumerate(labels[:4]):
        toml = toml.replace(f'[faces."{label}"]\n', f'[faces."{label}"]\nvalue = {value}\n')
    (tmp_path / "mine/deck.toml").write_text(toml)
    made = load(tmp_path / "mine")
    assert set(made.faces) == set(labels)
    for label, face in zip(labels, faces_of("paper-safari", *labels), strict=True):
        small = cv2.resize(face, (100, 140), interpolation=cv2.INTER_AREA).astype(float)
        assert np.abs(cv2.resize(made.faces[label][0], (100, 140)) - small).mean() < 6, label


def test_a_further_picture_is_added_and_an_old_one_replaced(tmp_path: Path, lying: dict[str, Floats]) -> None:
    lying["at"] = laid(faces_of("kleine-fotosafari", "lion"), 1, tmp_path / "photo.png")
    deck("new", tmp_path / "mine", "--game", "kleine-fotosafari")
    words = ("enrol", tmp_path / "mine", tmp_path / "photo.png", "--labels", "lion")
    assert deck(*words).exit_code == 0
    again = deck(*words)
    assert again.exit_code == 2
    assert "--add" in again.stderr
    assert deck(*words, "--add").exit_code == 0
    assert deck(*words, "--add").exit_code == 0
    assert sorted(p.name for p in (tmp_path / "mine/faces").iterdir()) == ["lion-2.png", "lion-3.png", "lion.png"]
    assert deck(*words, "--replace").exit_code == 0
    assert [p.name for p in (tmp_path / "mine/faces").iterdir()] == ["lion.png"]
    assert len(load(tmp_path / "mine").faces["lion"]) == 1


def test_a_count_that_differs_is_drawn_and_nothing_is_written(tmp_path: Path, lying: dict[str, Floats]) -> None:
    lying["at"] = laid(faces_of("kleine-fotosafari", "lion", "zebra"), 2, tmp_path / "photo.png")
    deck("new", tmp_path / "mine", "--game", "kleine-fotosafari")
    result = deck("enrol", tmp_path / "mine", tmp_path / "photo.png", "--labels", "lion,zebra,giraffe")
    assert result.exit_code == 2
    assert "found 2 pieces, 3 labels" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    drawn = cv2.imread(str(tmp_path / "mine/found-1.png"))
    assert drawn is not None
    assert (drawn != cv2.imread(str(tmp_path / "photo.png"))).any()
    assert not list((tmp_path / "mine/faces").iterdir())


BAD_LABELS = [
    ("twice", "lion,lion", "comes twice"),
    ("a path", "../lion", "names a file"),
    ("nothing", "lion,", "plain text"),
]


@pytest.mark.parametrize(("labels", "said"), [b[1:] for b in BAD_LABELS], ids=[b[0] for b in BAD_LABELS])
def test_labels_that_cannot_be(tmp_path: Path, labels: str, said: str) -> None:
    deck("new", tmp_path / "mine", "--game", "kleine-fotosafari")
    result = deck("enrol", tmp_path / "mine", tmp_path / "photo.png", "--labels", labels)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_poor_face_is_named_with_the_retake_that_helps(tmp_path: Path, lying: dict[str, Floats]) -> None:
    faces = [np.asarray(cv2.GaussianBlur(faces_of("kleine-fotosafari", "lion")[0], (0, 0), 20), np.uint8)]
    lying["at"] = laid([*faces, *faces_of("kleine-fotosafari", "zebra")], 2, tmp_path / "photo.png")
    deck("new", tmp_path / "mine", "--game", "kleine-fotosafari")
    result = deck("enrol", tmp_path / "mine", tmp_path / "photo.png", "--labels", "lion,zebra")
    assert result.exit_code == 0
    (line,) = result.stderr.splitlines()
    assert line.startswith('retake "lion": blurred')


def test_a_face_cut_beside_its_edges_is_named(tmp_path: Path, lying: dict[str, Floats]) -> None:
    at = laid(faces_of("kleine-fotosafari", "lion", "zebra", "elephant", "giraffe"), 2, tmp_path / "photo.png")
    at[1] += 0.045 * (at[1, 1] - at[1, 0])
    lying["at"] = at
    deck("new", tmp_path / "mine", "--game", "kleine-fotosafari")
    result = deck("enrol", tmp_path / "mine", tmp_path / "photo.png", "--labels", "lion,zebra,elephant,giraffe")
    (line,) = result.stderr.splitlines()
    assert line.startswith('retake "zebra": it')


@pytest.mark.parametrize(("kind", "name"), [("research", "carnivore-2"), ("coins", "5")])
def test_research_tiles_and_coins_are_enrolled(tmp_path: Path, lying: dict[str, Floats], kind: str, name: str) -> None:
    face = getattr(find("string-safari", "any"), kind)[name][0]
    lying["at"] = laid([face], 1, tmp_path / "photo.png")
    deck("new", tmp_path / "mine", "--game", "string-safari")
    result = deck("enrol", tmp_path / "mine", tmp_path / "photo.png", "--kind", kind, "--labels", name)
    assert result.exit_code == 0, result.stderr
    assert (tmp_path / f"mine/{kind}/{name}.png").is_file()
    assert f'[{kind}."{name}"]' in (tmp_path / "mine/deck.toml").read_text()


def test_photo_cards_are_enrolled_with_their_animals(tmp_path: Path, lying: dict[str, Floats]) -> None:
    photo = np.asarray(np.hstack(faces_of("kleine-fotosafari", "lion", "zebra", "lion")), np.uint8)
    lying["at"] = laid([photo], 1, tmp_path / "photo.png")
    deck("new", tmp_path / "mine", "--game", "kleine-fotosafari")
    words = ("--kind", "photos", "--size", "96,32", "--labels", "lion zebra lion")
    assert deck("enrol", tmp_path / "mine", tmp_path / "photo.png", *words).exit_code == 0
    written = tomllib.loads((tmp_path / "mine/deck.toml").read_text())
    assert written["photos"] == {"lion-zebra-lion": {"sequence": ["lion", "zebra", "lion"]}}


def test_markers_are_learnt_from_examples(tmp_path: Path, lying: dict[str, Floats]) -> None:
    blocks = [np.full((60, 60, 3), colour, np.uint8) for colour in ((38, 49, 225), (180, 90, 40))]
    lying["at"] = laid(blocks, 2, tmp_path / "photo.png")
    deck("new", tmp_path / "mine", "--game", "string-safari")
    assert (
        deck("enrol", tmp_path / "mine", tmp_path / "photo.png", "--kind", "markers", "--labels", "red,blue").exit_code
        == 0
    )
    written = tomllib.loads((tmp_path / "mine/deck.toml").read_text())["markers"]
    assert (written["red"], written["blue"], written["green"]) == ("#e13126", "#285ab4", "green")


def test_a_string_is_learnt_from_a_picture_of_it(tmp_path: Path) -> None:
    image = np.full((400, 600, 3), (150, 175, 200), np.uint8)
    cv2.ellipse(image, (300, 200), (200, 120), 0, 0, 360, (40, 50, 70), 8, cv2.LINE_AA)
    cv2.imwrite(str(tmp_path / "string.png"), image)
    deck("new", tmp_path / "mine", "--game", "string-safari")
    result = deck("enrol", tmp_path / "mine", tmp_path / "string.png", "--kind", "strings", "--labels", "field")
    assert result.exit_code == 0, result.stderr
    assert tomllib.loads((tmp_path / "mine/deck.toml").read_text())["strings"]["field"] == "#463228"


def test_check_lists_every_fault(tmp_path: Path) -> None:
    (tmp_path / "deck.toml").write_text('game = "any"\nhue = 1\n[faces."fox"]\ncount = 0\n')
    result = deck("check", tmp_path)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 2


def test_check_tells_twins_apart_from_good_decks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "LOOKS", 4)
    (tmp_path / "faces").mkdir()
    (tmp_path / "deck.toml").write_text('game = "any"\ncard_mm = [60, 60]\n')
    for name in ("lion", "twin"):
        cv2.imwrite(str(tmp_path / f"faces/{name}.png"), faces_of("kleine-fotosafari", "lion")[0])
    result = deck("check", tmp_path)
    assert result.exit_code == 3
    assert any(
        '"twin" was taken for "lion"' in line or '"lion" was taken for "twin"' in line
        for line in result.stdout.splitlines()
    )


def test_a_deck_travels_as_a_zip(tmp_path: Path) -> None:
    assert deck("export", "kleine-fotosafari", tmp_path / "deck.zip").exit_code == 0
    assert deck("import", tmp_path / "deck.zip", tmp_path / "back").exit_code == 0
    assert load(tmp_path / "back").edition == find("kleine-fotosafari", "any").edition


def test_a_deck_is_printed(tmp_path: Path) -> None:
    assert deck("print", "kleine-fotosafari", tmp_path / "deck.pdf", "--no-backs").exit_code == 0
    assert (tmp_path / "deck.pdf").read_bytes().startswith(b"%PDF-")
