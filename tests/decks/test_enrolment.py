"""Cutting faces out of photographs: order, turn, corners, colours."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from decks import enrolment, quality
from decks.deck import find
from decks.picture import Image

Floats = npt.NDArray[np.float64]
CARD_MM = (63.0, 88.0)
GAP_MM = 22.0
FRAME_PX = (1280, 900)


def camera(tilt_deg: float, skew_deg: float, about_mm: tuple[float, float]) -> Floats:
    """Return the 3×3 map from table mm (y down) to px of a camera that looks at `about_mm`."""
    t, s = math.radians(tilt_deg), math.radians(skew_deg)
    turn = np.array([[math.cos(s), -math.sin(s), 0], [math.sin(s), math.cos(s), 0], [0, 0, 1]])
    tilt = np.array([[1, 0, 0], [0, math.cos(t), 0], [0, math.sin(t) / 900, 1]])  # 900 mm away
    place = np.array([[1, 0, -about_mm[0]], [0, 1, -about_mm[1]], [0, 0, 1]])
    frame = np.array([[1.35, 0, FRAME_PX[0] / 2], [0, 1.35, FRAME_PX[1] / 2], [0, 0, 1]])
    return np.asarray(frame @ tilt @ turn @ place, float)


def spread(rows: tuple[int, ...], view: Floats, jitter_deg: float = 5.0) -> list[Floats]:
    """Return the corners (4, 2) px of cards in rows, each turned and moved a little, in reading order."""
    rng = np.random.default_rng(5)
    quads = []
    for r, count in enumerate(rows):
        for c in range(count):
            turn = math.radians(rng.uniform(-jitter_deg, jitter_deg))
            middle = np.array([c * (CARD_MM[0] + GAP_MM), r * (CARD_MM[1] + GAP_MM)]) + rng.uniform(-4, 4, 2)
            corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * CARD_MM / 2
            turned = corners @ np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]]) + middle
            seen = np.concatenate([turned, np.ones((4, 1))], axis=1) @ view.T
            quads.append(seen[:, :2] / seen[:, 2:])
    return quads


@pytest.mark.parametrize("tilt_deg", [0, 25, 45])
@pytest.mark.parametrize("skew_deg", [-25, 0, 18])
@pytest.mark.parametrize("rows", [(1,), (5,), (3, 3), (5, 5, 2), (1, 1, 1), (4, 1)], ids=str)
def test_pieces_are_read_in_rows_however_askew(rows: tuple[int, ...], skew_deg: float, tilt_deg: float) -> None:
    true = spread(rows, camera(tilt_deg, skew_deg, (150, 100)))
    rng = np.random.default_rng(1)
    order = rng.permutation(len(true))
    mixed = [np.roll(true[k], rng.integers(4), axis=0)[:: rng.choice([-1, 1])] for k in order]
    quads = [enrolment.upright(quad, CARD_MM) for quad in mixed]
    read = [quads[i] for row in enrolment.rows(quads) for i in row]
    np.testing.assert_allclose(read, true)


@pytest.mark.parametrize("lean_deg", [-25, 0, 20])
@pytest.mark.parametrize("rows", [(4,), (3, 2), (4, 4)], ids=str)
def test_rows_of_discs_may_lean_though_a_disc_does_not_show_it(rows: tuple[int, ...], lean_deg: int) -> None:
    square, a = np.array([[-10, -10], [10, -10], [10, 10], [-10, 10]], float), math.radians(lean_deg)
    lean = np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
    discs = [square + np.array([34.0 * c, 34.0 * r]) @ lean for r, count in enumerate(rows) for c in range(count)]
    order = np.random.default_rng(2).permutation(len(discs))
    read = [int(order[i]) for row in enrolment.rows([discs[k] for k in order]) for i in row]
    assert read == sorted(read)


def test_nothing_found_is_no_row() -> None:
    assert enrolment.rows([]) == []
    assert enrolment.cuttings(np.zeros((10, 10, 3), np.uint8), np.zeros((0, 4, 2)), CARD_MM) == ()


TURNS = [
    ("oblong, upright", CARD_MM, 8, 0),
    ("oblong, leaning", CARD_MM, -40, 0),
    ("oblong, wide, leaning", (88.0, 63.0), 30, 0),
    ("square, past the corner", (60.0, 60.0), 50, 3),
    ("square, leaning", (60.0, 60.0), 40, 0),
]


@pytest.mark.parametrize(("size_mm", "turn_deg", "first"), [t[1:] for t in TURNS], ids=[t[0] for t in TURNS])
def test_the_top_is_the_side_nearest_the_pictures_top(
    size_mm: tuple[float, float], turn_deg: float, first: int
) -> None:
    a = math.radians(turn_deg)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size_mm / 2
    quad = corners @ np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]]) + 200
    np.testing.assert_allclose(enrolment.upright(np.roll(quad, 2, axis=0), size_mm), np.roll(quad, -first, axis=0))


def photograph(faces: list[Image], quads: list[Floats]) -> Image:
    """Lay faces on a gray table, four times finer than the picture is kept."""
    fine = np.full((FRAME_PX[1] * 4, FRAME_PX[0] * 4, 3), 120, np.uint8)
    for face, quad in zip(faces, quads, strict=True):
        height, width = face.shape[:2]
        own = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(own, (np.asarray(quad, np.float32) + 0.5) * 4 - 0.5)
        size = (fine.shape[1], fine.shape[0])
        laid = cv2.warpPerspective(face, warp, size, flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full((height, width), 255, np.uint8), warp, size)
        fine[mask > 127] = laid[mask > 127]
    return np.asarray(cv2.resize(fine, FRAME_PX, interpolation=cv2.INTER_AREA), np.uint8)


def test_faces_come_out_straight_upright_and_in_their_own_colours() -> None:
    deck = find("paper-safari", "paper-safari")
    faces = [pictures[0] for pictures in deck.faces.values()][:6]
    quads = spread((3, 3), camera(30, 10, (90, 60)))
    image = photograph(faces, quads)
    cut = enrolment.cuttings(image, quads[::-1], CARD_MM)
    assert len(cut) == len(faces)
    for cutting, face in zip(cut, faces, strict=True):
        height, width = cutting.image.shape[:2]
        assert width / height == pytest.approx(63 / 88, abs=0.01)
        wanted = cv2.resize(face, (width, height), interpolation=cv2.INTER_AREA)
        soft = [cv2.GaussianBlur(i, (0, 0), 1.5).astype(float) for i in (cutting.image, wanted)]
        assert np.abs(soft[0] - soft[1]).mean() < 4
        assert np.abs((soft[0] - soft[1]).mean(axis=(0, 1))).max() < 1.5


def test_numbers_are_drawn_on_a_copy() -> None:
    quads = spread((2,), camera(0, 0, (40, 0)))
    image = np.full((FRAME_PX[1], FRAME_PX[0], 3), 120, np.uint8)
    drawn = enrolment.numbered(image, enrolment.cuttings(image, quads, CARD_MM))
    assert (image == 120).all()
    assert (drawn != 120).any()


FACE = find("paper-safari", "paper-safari").faces["zebra"][0]


def seen(width_px: int, blur_px: float = 0.7, gleam: float = 0.0) -> Image:
    """Return the zebra as a camera sees it."""
    image = cv2.resize(FACE, (width_px, width_px * 88 // 63), interpolation=cv2.INTER_AREA)
    image = cv2.GaussianBlur(image, (0, 0), blur_px)
    image[int(image.shape[0] * (0.5 - gleam / 2)) : int(image.shape[0] * (0.5 + gleam / 2))] = 255
    return np.asarray(image, np.uint8)


QUALITY = [
    ("good", 120, 0.8, 0.0, (10, 10), None),
    ("good, large", 300, 1.5, 0.0, (10, 10), None),
    ("small", 60, 0.6, 0.0, (10, 10), "only 60 px wide"),
    ("blurred", 120, 5.0, 0.0, (10, 10), "blurred"),
    ("glare", 120, 0.8, 0.3, (10, 10), "glare over"),
    ("cut off on the left", 120, 0.8, 0.0, (-9, 10), "left edge"),
    ("cut off at the foot", 120, 0.8, 0.0, (10, 400), "foot edge"),
]


@pytest.mark.parametrize(
    ("width", "blur", "gleam", "at", "said"), [q[1:] for q in QUALITY], ids=[q[0] for q in QUALITY]
)
def test_quality_is_said_in_words(width: int, blur: float, gleam: float, at: tuple[int, int], said: str | None) -> None:
    face = seen(width, blur, gleam)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (face.shape[1], face.shape[0]) + at
    faults = quality.faults(face, corners, (500, 500))
    assert len(faults) == (said is not None)
    assert said is None or said in faults[0]


@pytest.mark.parametrize("exposed", [1.0, 0.5, 0.25], ids=["in good light", "dim", "dark"])
@pytest.mark.parametrize("noise", [0.0, 3.0], ids=["", "noisy"])
@pytest.mark.parametrize(("blur_share", "blurred"), [(0.006, False), (0.012, False), (0.03, True), (0.05, True)])
def test_blur_is_told_in_any_light_and_none_where_there_is_none(
    exposed: float, noise: float, blur_share: float, blurred: bool
) -> None:
    deck = find("paper-safari", "paper-safari")
    rng = np.random.default_rng(3)
    for (face,) in list(deck.faces.values())[:6]:
        small = cv2.resize(face, (120, 168), interpolation=cv2.INTER_AREA).astype(np.float32)
        light = cv2.GaussianBlur(small, (0, 0), 120 * blur_share) * exposed
        image = np.clip(light + rng.normal(0, noise, light.shape), 0, 255).astype(np.uint8)
        assert (quality.blur_px(image) > 120 * quality.BLUR_SHARE) == blurred


@pytest.mark.parametrize("turn_deg", [0, 35, 90, 140])
@pytest.mark.parametrize(("share", "blurred"), [(0.03, False), (0.14, True)], ids=["steady", "shaken"])
def test_a_shaken_camera_blurs_one_way_alone(turn_deg: float, share: float, blurred: bool) -> None:
    for face in [pictures[0] for pictures in find("paper-safari", "paper-safari").faces.values()][:6]:
        small = cv2.resize(face, (120, 168), interpolation=cv2.INTER_AREA)
        size = 25
        kernel = np.zeros((size * 8, size * 8), np.float32)
        tip = np.array([math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))]) * 120 * share / 2 * 8
        start, end = (size * 4 - tip).round().astype(int), (size * 4 + tip).round().astype(int)
        cv2.line(kernel, start.tolist(), end.tolist(), (1.0,), 8)
        small_kernel = cv2.resize(kernel, (size, size), interpolation=cv2.INTER_AREA)
        image = np.asarray(cv2.filter2D(small, -1, small_kernel / small_kernel.sum()), np.uint8)
        assert (quality.blur_px(image) > 120 * quality.BLUR_SHARE) == blurred


def test_a_plain_face_is_not_called_blurred() -> None:
    assert quality.blur_px(np.full((120, 80, 3), 90, np.uint8)) == 0
