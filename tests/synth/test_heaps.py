"""Random training pictures and their chunks on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from synth.chunks import draw, load, main, save
from synth.compose import compose
from synth.heaps import LEAST_VISIBLE, heap, picture, wanted
from synth.pictures import Pictures, blob, paste, paths
from synth.things import CLASSES


def test_the_same_seed_gives_the_same_pictures() -> None:
    one, two = (draw(7, 3, 128, Pictures()) for _ in range(2))
    np.testing.assert_array_equal(one.labels, two.labels)
    np.testing.assert_array_equal(one.image(2), two.image(2))


def test_a_chunk_survives_the_disk(tmp_path: Path) -> None:
    chunk = draw(3, 4, 128, Pictures())
    save(chunk, tmp_path / "train-000003.npz")
    back = load(tmp_path / "train-000003.npz")
    np.testing.assert_array_equal(back.labels, chunk.labels)
    assert len(back.jpegs) == 4
    for index in range(4):
        np.testing.assert_array_equal(back.image(index), chunk.image(index))
        assert len(back.of(index)) == (chunk.labels[:, 0] == index).sum()
    assert [p.name for p in tmp_path.iterdir()] == ["train-000003.npz"]


def test_wanted_labels_are_visible_pieces_clockwise() -> None:
    rng = np.random.default_rng(11)
    seen = set()
    for _ in range(25):
        layout, view, sun = heap(rng, Pictures(), 192)
        for label in wanted(compose(layout, view, sun)):
            assert label.kind in CLASSES
            assert label.visible >= LEAST_VISIBLE
            a, b, _, d = label.corners_px
            assert (b - a)[0] * (d - a)[1] - (b - a)[1] * (d - a)[0] > 0  # y down: clockwise as seen
            seen.add(label.kind)
    assert seen == set(CLASSES)


def test_a_picture_is_bgr_of_the_asked_size() -> None:
    image, _ = picture(np.random.default_rng(1), Pictures(), 160)
    assert image.shape == (160, 160, 3)
    assert image.dtype == np.uint8


def test_held_out_pictures_are_other_pictures(tmp_path: Path) -> None:
    for name in ("food/apple.png", "animals/cat.png", "animals/smiley_cat.png", "people/emoticon.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert [p.name for p in paths(tmp_path)] == ["cat.png"]
    assert [p.name for p in paths(tmp_path, held_out=True)] == ["apple.png"]
    assert paths(tmp_path / "missing") == []


@pytest.mark.parametrize(
    "centre", [(5.0, 5.0), (-40.0, 5.0), (0.0, 0.0), (9.0, 30.0)], ids=["inside", "outside", "corner", "below"]
)
def test_pasting_clips_at_the_edges(centre: tuple[float, float]) -> None:
    image = np.zeros((10, 10, 3), np.uint8)
    paste(image, blob(np.random.default_rng(2)), centre, (8, 8))
    assert image.shape == (10, 10, 3)
    assert image.any() == (centre in ((5.0, 5.0), (0.0, 0.0)))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "folder"),
        (("out", "--nope"), "--nope"),
        (("out", "--chunks", "many"), "many"),
        (("out", "--side", "1"), "at least 64"),
        (("out", "--size", "0"), "at least 1"),
        (("out", "--seed", "-1"), "-1"),
        (("a-file", "--chunks", "1", "--size", "1"), "cannot be written"),
    ],
    ids=["nothing", "unknown", "no number", "tiny", "none a chunk", "negative", "a file for a folder"],
)
def test_what_cannot_be_drawn_is_one_line(
    words: tuple[str, ...],
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "a-file").write_text("not a folder")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["synth", *words])
    with pytest.raises(SystemExit) as left:
        main()
    said = capsys.readouterr().err
    assert left.value.code == 2
    assert why in said
    assert len(said.splitlines()) == 1
