"""Pieces laid apart, found without references: what stands out from the bare table, and how many the labels say."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision import bare, fitting, silhouettes, spread
from vision.detector import Detections, Kind
from vision.fitting import FIRM, SURE, Candidate
from vision.plane import Plane
from vision.silhouettes import Silhouette

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]
SIZE_MM = (40.0, 40.0)
CAMERA = Plane(width_px=960, height_px=640, tilt_xy=(0.35, 0.1), distance_mm=420.0, focal_px=1000.0)
BARE: Floats = np.zeros((0, 4, 2))


def tiles(count: int) -> Floats:
    """Return tiles (n, 4, 2) mm in rows, each turned a little."""
    rng = np.random.default_rng(3)
    out = []
    for k in range(count):
        a = rng.uniform(-0.1, 0.1)
        corners = np.array([[-20, 20], [20, 20], [20, -20], [-20, -20]], float)
        turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        out.append(corners @ turn + (k % 4 * 56 - 84, 28 - k // 4 * 56))
    return np.array(out).reshape(-1, 4, 2)


def picture(laid: Floats) -> Image:
    """Paint tiles of all colours on a grained table under a lamp, a frame inside each."""
    rng = np.random.default_rng(4)
    grain = cv2.resize(rng.normal(0, 7, (640, 60)).astype(np.float32), (960, 640))[..., None]
    lamp = 0.6 + 0.5 * np.exp(-(np.linspace(-2, 2, 960) ** 2))[None, :, None]
    image = np.clip((np.array((95, 105, 125)) + grain) * lamp, 0, 255).astype(np.uint8)
    fine = cv2.resize(image, None, fx=4, fy=4, interpolation=cv2.INTER_LINEAR)
    for tile in laid:
        middle = tile.mean(axis=0)
        for share in (1.0, 0.86, 0.4):
            px = (CAMERA.to_px(middle + (tile - middle) * share) + 0.5) * 4 - 0.5
            dark, light = rng.integers(0, 60, 3), rng.integers(170, 255, 3)
            cv2.fillPoly(fine, [np.round(px).astype(np.int32)], (dark if share != 0.86 else light).tolist())
    small = cv2.resize(fine, (960, 640), interpolation=cv2.INTER_AREA).astype(float)
    return np.asarray(np.clip(cv2.GaussianBlur(small, (0, 0), 0.8) + rng.normal(0, 3, small.shape), 0, 255), np.uint8)


def test_pieces_stand_out_from_a_grained_table_under_a_lamp() -> None:
    laid = tiles(8)
    image = picture(laid)
    unlike = bare.unlike(image, BARE)
    for tile in laid:
        x, y = CAMERA.to_px(tile.mean(axis=0)).round().astype(int)
        assert unlike[y, x] > 8
    assert np.median(unlike) < 3


def test_a_picture_full_of_pieces_has_no_bare_table() -> None:
    everywhere = np.array([[[0, 0], [100, 0], [100, 80], [0, 80]]], float)
    assert (bare.unlike(np.full((80, 100, 3), 90, np.uint8), everywhere) == 0).all()


def floor(slab_px: int) -> Image:
    """Paint a floor of slabs with dark joints."""
    grain = np.random.default_rng(6).normal(0, 4, (640, 960, 1))
    image = np.clip(np.array([120, 130, 140]) + grain, 0, 255).astype(np.uint8)
    image[::slab_px] = image[1::slab_px] = image[:, ::slab_px] = image[:, 1::slab_px] = 50
    return np.asarray(image, np.uint8)


@pytest.mark.parametrize("slab_px", [120, 160, 310])
def test_a_slab_shows_the_floors_own_colours_and_a_tile_does_not(slab_px: int) -> None:
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float) * slab_px
    tile, slab, outside = square * 0.8 + 20, square + slab_px, square + 2000
    image = np.asarray(cv2.fillPoly(floor(slab_px), [tile.astype(np.int32)], (30, 160, 220)), np.uint8)
    shares = bare.like(image, [tile, slab, outside], [True, True, False])
    assert shares[0] < 0.1
    assert shares[1] > 0.8
    assert shares[2] == 0
    assert bare.like(image, BARE, []).shape == (0,)


def test_where_no_table_is_seen_nothing_is_said_to_look_like_it() -> None:
    everywhere = np.array([[[0, 0], [960, 0], [960, 640], [0, 640]]], float)
    assert (bare.like(floor(160), everywhere, [True]) == 0).all()


def detected(boxes: list[Floats], kinds: tuple[Kind, ...], scores: list[float]) -> Detections:
    """Return what a detector may find."""
    corners = np.array(boxes, np.float32).reshape(-1, 4, 2)
    return Detections(corners, kinds, np.array(scores, np.float32))


def test_markers_are_of_one_size_and_a_faint_one_that_stands_out_may_be_one() -> None:
    square = np.array([[0, 0], [30, 0], [30, 30], [0, 30]], float)
    cubes = [np.add(square, (100 * k, 50)) for k in range(1, 5)]
    unlike = np.zeros((200, 600), np.float32)
    for cube in cubes:
        cv2.fillPoly(unlike, [cube.astype(np.int32)], 50)
    can = np.add(square * (3, 4), (450, 20))
    kinds: tuple[Kind, ...] = ("marker", "marker", "card", "card", "marker", "disc")
    seen = detected([*cubes[:3], can, cubes[3], cubes[3]], kinds, [0.9, 0.8, 0.6, 0.9, 0.2, 0.9])
    found = spread.cubes(seen, np.asarray(unlike, float))
    assert len(found.corners_px) == 4
    assert sorted(found.evidence.round(1)) == [0.6, 1.0, 1.0, 1.0]
    assert len(spread.cubes(detected([], (), []), np.asarray(unlike, float)).corners_px) == 0


def test_what_has_an_inner_frames_outline_is_as_large_as_its_fellows() -> None:
    true = CAMERA.to_px(tiles(8))
    inner = [quad.mean(0) + (0.7 if k == 3 else 1.01) * (quad - quad.mean(0)) for k, quad in enumerate(true)]
    candidates = [Candidate((Silhouette(quad, 0.98),), box, 0.9) for quad, box in zip(inner, true, strict=True)]
    found = fitting.placed(picture(tiles(8)), candidates, SIZE_MM, 0.0)
    error = np.linalg.norm(CAMERA.to_mm(found.corners_px) - tiles(8), axis=-1)
    assert len(error) == 8
    assert np.min([np.roll(error, k, axis=1) for k in range(4)], axis=0).max() < 0.8


@pytest.mark.parametrize("count", [0, 1, 8])
def test_silhouettes_of_all_pieces_are_found(count: int) -> None:
    true = CAMERA.to_px(tiles(count))
    found = silhouettes.anywhere(bare.unlike(picture(tiles(count)), BARE), 50, 200)
    best = [
        min(
            (
                np.linalg.norm(np.roll(quad, k, axis=0) - one.corners_px, axis=1).max()
                for one in found
                for k in range(4)
            ),
            default=np.inf,
        )
        for quad in true
    ]
    assert all(error < 3 for error in best)
    assert all(np.linalg.norm(true.mean(1) - one.corners_px.mean(0), axis=1).min() < 12 for one in found)


def test_what_is_round_has_no_four_sides_and_what_has_is_not_round() -> None:
    unlike = np.zeros((200, 300), np.float32)
    cv2.ellipse(unlike, (80, 100), (40, 30), 20, 0, 360, 50, -1)
    cv2.fillPoly(unlike, [np.array([[180, 60], [260, 70], [250, 150], [170, 140]])], 50)
    (square,) = {s.corners_px.round().tobytes() for s in silhouettes.anywhere(unlike, 40, 120)}
    assert np.frombuffer(square).reshape(4, 2).mean(axis=0) == pytest.approx((215, 105), abs=2)
    for disc in silhouettes.discs(unlike, 40, 120):
        assert disc.corners_px.mean(axis=0) == pytest.approx((80, 100), abs=1)
        up = disc.corners_px[0] - disc.corners_px[3]
        assert up[0] == pytest.approx(0, abs=1e-6)
        assert up[1] < -55


@pytest.mark.parametrize("by_px", [(0, 0, 0, 0), (2, -1, 3, 0.5)], ids=["not at all", "each its own way"])
def test_sides_are_moved_and_moved_back(by_px: tuple[float, ...]) -> None:
    quad = np.array([[10, 10], [90, 20], [80, 100], [5, 90]], float)
    there = silhouettes.shifted(quad, np.array(by_px))
    np.testing.assert_allclose(silhouettes.shifted(there, -np.array(by_px)), quad, atol=1e-9)


@pytest.mark.parametrize("extra", ["none", "a doubtful piece", "a thing of another size"])
def test_pieces_are_placed_exactly_and_doubts_weighed(extra: str) -> None:
    true = CAMERA.to_px(tiles(8))
    rough = [quad.mean(0) + 1.02 * (quad - quad.mean(0)) for quad in true]
    scores = [0.9] * 7 + [0.1 if extra == "a doubtful piece" else 0.9]
    candidates = [Candidate((Silhouette(quad, 0.98),), quad, score) for quad, score in zip(rough, scores, strict=True)]
    if extra == "a thing of another size":
        candidates.append(Candidate((Silhouette(rough[0] * 0.3 + 30, 0.98),), rough[0] * 0.3 + 30, 0.9))
    found = fitting.placed(picture(tiles(8)), candidates, SIZE_MM, 0.0)
    assert len(found.corners_px) == 8
    assert (found.evidence >= FIRM).sum() == (7 if extra == "a doubtful piece" else 8)
    error = np.linalg.norm(CAMERA.to_mm(found.corners_px) - tiles(8), axis=-1)
    assert np.min([np.roll(error, k, axis=1) for k in range(4)], axis=0).max() < 0.8


def test_nothing_is_placed_where_nothing_was_seen() -> None:
    found = fitting.placed(picture(tiles(0)), [], SIZE_MM, 0.0)
    assert len(found.corners_px) == len(found.evidence) == 0


@pytest.mark.parametrize(
    ("evidence", "wanted", "taken"),
    [
        ([], None, 0),
        ([], 3, 0),
        ([2.4, 1.2, 0.9], None, 2),
        ([2.4, 1.2, 0.9, 0.4], 3, 3),
        ([2.4, 1.2, 0.4, 0.1], 4, 2),
        ([2.4, 1.2, 0.6, 0.1], 4, 3),
        ([2.4, 2.3, 1.2], 2, 2),
        ([2.4, 2.3, 2.2], 2, 3),
    ],
    ids=[
        "empty",
        "none found",
        "not told",
        "one needed",
        "too doubtful",
        "one of two",
        "one is something else",
        "one too many",
    ],
)
def test_as_many_count_as_the_labels_say_if_that_can_be(evidence: list[float], wanted: int | None, taken: int) -> None:
    least = spread.threshold(np.array(evidence), wanted)
    assert (np.array(evidence) >= least).sum() == taken
    assert least <= FIRM
    assert SURE < FIRM


def test_one_place_is_one_candidate() -> None:
    quad = np.array([[10, 10], [60, 10], [60, 60], [10, 60]], float)
    outlines = [Silhouette(quad, 0.97), Silhouette(quad + 2, 0.99), Silhouette(quad + 100, 0.95)]
    found = spread.gathered(outlines, np.array([quad + 4, np.add(quad, (300, 0))]), np.array([0.8, 0.6]))
    assert [(len(c.outlines), c.score) for c in found] == [(2, 0.8), (1, 0.0), (0, 0.6)]
    assert spread.gathered([], BARE, np.zeros(0)) == []
