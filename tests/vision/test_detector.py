"""The detector: its numbers decoded, its finds settled, and the committed weights on a picture of our own."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from synth.compose import Drawn, Sun, compose
from synth.things import Layout, Thing, rectangle
from synth.view import look
from vision.detector import BASE, KINDS, Detections, Detector, Kind, decode, iou, settle, suppress

Floats = npt.NDArray[np.float32]
SIDE = 256


def encoded(quad: Floats, kind: int, score: float, stride: int = 16) -> tuple[Floats, int]:
    """Write what the network should say of a parallelogram, at the place of this stride nearest its middle."""
    raw = np.zeros((10, sum((SIDE // s) ** 2 for s in (8, 16, 32))), np.float32)
    u, v = (quad[1] - quad[0]) / 2, (quad[3] - quad[0]) / 2
    middle = quad.mean(0)
    cells = SIDE // stride
    column, row = (int(np.clip(m // stride, 0, cells - 1)) for m in middle)
    before = {8: 0, 16: (SIDE // 8) ** 2, 32: (SIDE // 8) ** 2 + (SIDE // 16) ** 2}[stride]
    at = before + row * cells + column
    extent = np.outer(u, u) + np.outer(v, v)
    size = (extent[0, 0] + extent[1, 1]) / 2
    p, q = (extent[0, 0] - extent[1, 1]) / 2 / size, extent[0, 1] / size
    bare = np.sqrt(1 - p * p - q * q)
    values, vectors = np.linalg.eigh(extent)
    turned = vectors @ np.diag(values**-0.5) @ vectors.T @ u
    turn = 4 * np.arctan2(turned[1], turned[0])
    raw[kind, at] = score
    raw[3:5, at] = (middle - (np.array([column, row]) + 0.5) * stride) / stride
    raw[5:, at] = np.log(np.sqrt(size) / (BASE * stride)), p / bare, q / bare, np.cos(turn), np.sin(turn)
    return raw, at


QUADS = [
    pytest.param(rectangle((120, 100), (63, 88), 90), id="upright"),
    pytest.param(rectangle((120, 100), (60, 60), 45), id="square on its corner"),
    pytest.param(rectangle((90, 160), (60, 60), 1), id="square a degree off"),
    pytest.param(rectangle((128, 128), (126, 42), 17), id="strip"),
    pytest.param(np.array([[60.0, 60], [120, 80], [110, 140], [50, 120]]), id="sheared by perspective"),
]


@pytest.mark.parametrize("quad", QUADS)
@pytest.mark.parametrize("stride", [8, 16, 32])
def test_decoding_gives_back_the_corners(quad: Floats, stride: int) -> None:
    quad = quad[::-1] if _turns_left(quad) else quad  # clockwise as seen, y down
    raw, _ = encoded(quad.astype(np.float32), 0, 0.9, stride)
    corners, kinds, scores = decode(raw, SIDE, SIDE, 0.5)
    assert kinds.tolist() == [0]
    assert scores == pytest.approx([0.9])
    apart = min(float(np.abs(np.roll(corners[0], k, 0) - quad).max()) for k in range(4))
    assert apart < 0.05


def _turns_left(quad: Floats) -> bool:
    a, b = quad[1] - quad[0], quad[2] - quad[1]
    return float(a[0] * b[1] - a[1] * b[0]) < 0


def test_decoding_nothing_gives_nothing() -> None:
    raw = np.zeros((10, sum((SIDE // s) ** 2 for s in (8, 16, 32))), np.float32)
    corners, kinds, scores = decode(raw, SIDE, SIDE, 0.5)
    assert corners.shape == (0, 4, 2)
    assert len(kinds) == len(scores) == 0


SQUARE = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float32)


def moved(x: float, y: float = 0.0, side: float = 10.0) -> Floats:
    """A square from this corner on."""
    return np.asarray(SQUARE * (side / 10) + (x, y), np.float32)


@pytest.mark.parametrize(
    ("shift", "overlap"),
    [(0.0, 1.0), (5.0, 1 / 3), (10.0, 0.0), (50.0, 0.0)],
    ids=["same", "half", "touching", "apart"],
)
def test_iou(shift: float, overlap: float) -> None:
    assert iou(SQUARE, moved(shift)) == pytest.approx(overlap, abs=1e-5)


@pytest.mark.parametrize(
    ("shifts", "kinds", "kept"),
    [
        pytest.param([], [], [], id="nothing"),
        pytest.param([0, 1, 30], [0, 0, 0], [0, 2], id="the better of two"),
        pytest.param([0, 1], [0, 2], [0, 1], id="a marker on a card stays"),
        pytest.param([0, 3, 6], [0, 0, 0], [0, 2], id="what was dropped drops nobody"),
    ],
)
def test_suppression(shifts: list[float], kinds: list[int], kept: list[int]) -> None:
    corners = np.array([moved(s) for s in shifts], np.float32).reshape(-1, 4, 2)
    assert suppress(corners, np.array(kinds, int)) == kept


def one_pass(*finds: tuple[float, float, float, Kind, float]) -> Detections:
    """One pass's finds, each x, y, side, kind, score."""
    corners = np.array([moved(x, y, side) for x, y, side, _, _ in finds], np.float32).reshape(-1, 4, 2)
    kinds = tuple(kind for _, _, _, kind, _ in finds)
    return Detections(corners, kinds, np.array([score for *_, score in finds], np.float32))


NINE: tuple[tuple[float, float, float, Kind, float], ...] = tuple(
    (20.0 + 30 * (k % 3), 20.0 + 30 * (k // 3), 15.0, "card", 0.6) for k in range(9)
)


@pytest.mark.parametrize(
    ("looks", "kept"),
    [
        pytest.param([one_pass()], [], id="nothing"),
        pytest.param(
            [one_pass((0, 0, 40, "card", 0.7)), one_pass((2, 2, 40, "card", 0.8))], [0.8], id="one piece, two passes"
        ),
        pytest.param(
            [one_pass((0, 0, 90, "card", 0.7)), one_pass((20, 20, 30, "card", 0.8))], [0.7], id="a picture on a card"
        ),
        pytest.param(
            [one_pass((0, 0, 90, "card", 0.7)), one_pass((20, 20, 9, "marker", 0.5))], [0.7, 0.5], id="a cube on a card"
        ),
        pytest.param([one_pass((0, 0, 90, "card", 0.7), (30, 30, 30, "disc", 0.8))], [0.7], id="a round picture"),
        pytest.param([one_pass((0, 0, 90, "card", 0.7), (0, 0, 30, "disc", 0.8))], [0.8, 0.7], id="a coin on a card"),
        pytest.param([one_pass((0, 0, 120, "card", 0.7)), one_pass(*NINE)], [0.6] * 9, id="a loop around nine tiles"),
        pytest.param(
            [one_pass((0, 0, 120, "card", 0.7)), one_pass(*((x, y, side, "card", 0.3) for x, y, side, *_ in NINE))],
            [0.7],
            id="a card with nine pictures",
        ),
        pytest.param([one_pass((20, 20, 25, "card", 0.5)), one_pass(*NINE)], [0.6] * 9, id="a loop around one of nine"),
        pytest.param(
            [one_pass((15, 15, 25, "card", 0.8)), one_pass(*NINE)], [0.8, *[0.6] * 8], id="a larger card among nine"
        ),
        pytest.param(
            [one_pass(*((x, y, 25, "card", 0.8) for x, y, *_ in NINE)), one_pass(*NINE)],
            [0.8] * 9,
            id="nine cards with a frame",
        ),
        pytest.param([one_pass((0, 0, 40, "card", 0.7), (25, 0, 40, "card", 0.6))], [0.7, 0.6], id="two that overlap"),
    ],
)
def test_passes_are_settled(looks: list[Detections], kept: list[float]) -> None:
    assert settle(looks).scores.tolist() == pytest.approx(kept)


COARSE = one_pass((0, 0, 90, "card", 0.7))


@pytest.mark.parametrize(
    ("fine", "kept"),
    [
        pytest.param((20.0, 20.0, 30.0, "card", 0.8), [0.8, 0.7], id="a surer picture, or a card in a false find"),
        pytest.param((4.0, 4.0, 70.0, "card", 0.8), [0.8, 0.7], id="so too where most of it overlaps"),
        pytest.param((20.0, 20.0, 30.0, "card", 0.6), [0.7], id="a picture less sure than its card"),
        pytest.param((2.0, 2.0, 90.0, "card", 0.8), [0.8], id="one piece, two passes"),
    ],
)
def test_a_surer_find_and_what_is_around_it_are_both_told_to_who_knows_the_deck(
    fine: tuple[float, float, float, Kind, float], kept: list[float]
) -> None:
    assert settle([COARSE, one_pass(fine)], both=True).scores.tolist() == pytest.approx(kept)


@pytest.mark.parametrize(
    ("side", "kept"), [(16.0, [0.7, *[0.6] * 8, 0.4]), (7.0, [0.7, *[0.6] * 8])], ids=["as large", "smaller"]
)
def test_a_faint_find_as_large_as_the_other_cards_is_told_with_what_is_around_it(
    side: float, kept: list[float]
) -> None:
    others = [find for find in NINE if find[:2] != (50.0, 50.0)]
    looks = [one_pass((45, 45, 34, "card", 0.7)), one_pass(*others, (50.0, 50.0, side, "card", 0.4))]
    assert sorted(settle(looks, both=True).scores.tolist(), reverse=True) == pytest.approx(kept)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector()


@pytest.mark.parametrize("shape", [(40, 30), (720, 1280), (1, 1), (2000, 300)], ids=str)
def test_a_blank_picture_holds_nothing(detector: Detector, shape: tuple[int, int]) -> None:
    assert len(detector.detect(np.full((*shape, 3), 128, np.uint8))) == 0


def cards_drawn(spots: list[tuple[float, float]], px_per_mm: float) -> Drawn:
    """Draw cards on wood."""
    face = np.full((88, 63, 3), 245, np.uint8)
    face[20:68, 15:48] = (60, 90, 170)
    things = tuple(Thing(rectangle(s, (63, 88), 90 + 20 * k), face, "card") for k, s in enumerate(spots))
    wood = np.full((64, 64, 3), (60, 90, 120), np.uint8)
    return compose(Layout(things, wood, 10.0), look(640, 480, px_per_mm=px_per_mm, tilt_deg=15), Sun())


def test_a_part_is_looked_at_as_finely_as_the_whole(detector: Detector) -> None:
    image = cards_drawn([(-80.0, 0.0), (80.0, 10.0)], 1.6).image
    whole, part = detector.detect(image), detector.detect(image[:, :320], of_px=640)
    left = whole.corners_px[whole.corners_px.mean(1)[:, 0] < 320]
    assert (len(whole), len(left), len(part)) == (2, 1, 1)
    assert iou(left[0], part.corners_px[0]) > 0.9


@pytest.mark.parametrize("px_per_mm", [0.8, 1.6, 4.0], ids=["small", "middle", "close"])
def test_cards_are_found_where_they_lie(detector: Detector, px_per_mm: float) -> None:
    spots = [(0.0, 0.0)] if px_per_mm > 3 else [(-80.0, 0.0), (0.0, 0.0), (80.0, 10.0)]
    drawn = cards_drawn(spots, px_per_mm)
    found = detector.detect(drawn.image)
    assert set(found.kinds) <= set(KINDS)
    cards = found.corners_px[[k == "card" for k in found.kinds]]
    for label in drawn.labels:
        assert max((iou(label.corners_px.astype(np.float32), c) for c in cards), default=0.0) > 0.6
    assert len(cards) == len(spots)
