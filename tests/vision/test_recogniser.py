"""The recogniser on faces drawn here: names, turns, strangers, discs, photo strips, cutting."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest

from decks.deck import Deck, Image
from scoring.edition import Edition
from vision.crop import rectify, spun, turned
from vision.photocards import BLANK
from vision.recogniser import Group, Naming, Recogniser, Turns

SIDE_PX = 96
INKS = ((40, 40, 200), (40, 160, 40), (200, 90, 30), (30, 190, 220), (160, 40, 160), (60, 60, 60))
GROUNDS = ((180, 220, 170), (230, 210, 180), (190, 200, 240), (215, 215, 215))


def figure(kind: int, ground: tuple[int, int, int]) -> Image:
    """Draw one of twelve figures on an even ground; none looks the same after a quarter turn."""
    face = np.full((SIDE_PX, SIDE_PX, 3), ground, dtype=np.uint8)
    ink, dark = INKS[kind % len(INKS)], (20, 20, 20)
    if kind < 6:
        cv2.ellipse(face, (48, 58), (30, 18 + 2 * (kind % 3)), 0, 0, 360, ink, -1)
        cv2.circle(face, (70, 36 + 3 * (kind % 2)), 13, ink, -1)
        cv2.rectangle(face, (30, 70), (37, 88), ink, -1)
        cv2.rectangle(face, (58, 70), (65, 88), ink, -1)
        cv2.circle(face, (74, 33), 3, dark, -1)
    else:
        cv2.fillPoly(face, [np.array([[48, 10], [80, 60], [48, 50 + 4 * (kind % 3)], [16, 60]], np.int32)], ink)
        cv2.line(face, (48, 40), (48, 88), dark, 4 + kind % 3)
        cv2.circle(face, (34 + 5 * (kind % 4), 44), 6, (250, 250, 250), -1)
    return face


def framed(face: Image, ink: tuple[int, int, int] = (250, 250, 250)) -> Image:
    """Frame a face."""
    drawn = face.copy()
    cv2.rectangle(drawn, (0, 0), (SIDE_PX - 1, SIDE_PX - 1), ink, 9)
    return drawn


FACES = {f"animal-{k}": (framed(figure(k, GROUNDS[k % len(GROUNDS)])),) for k in range(12)}


def deck(**groups: Mapping[str, tuple[Image, ...]]) -> Deck:
    """Make a deck of these pictures."""
    empty: dict[str, tuple[Image, ...]] = {}
    return Deck(
        folder=Path(),
        edition=Edition(game="any", name="drawn", size_mm=(60, 60)),
        thickness_mm=0.3,
        faces=groups.get("faces", empty),
        research=groups.get("research", empty),
        photos=groups.get("photos", empty),
        coins=groups.get("coins", empty),
        marker_colours={},
        string_colours={},
        string_width_mm=None,
    )


def photographed(face: Image, seed: int, warm: float = 1.0) -> Image:
    """Photograph a face in dim, sloping, warm light, a little soft and noisy."""
    rng = np.random.default_rng(seed)
    soft = cv2.GaussianBlur(face, (0, 0), 1.2).astype(np.float64)
    slope = np.linspace(0.6, 0.95, face.shape[1])[None, :, None]
    lit = soft * slope * np.array([0.8 / warm, 0.95, 1.0 * warm]) + 12
    return np.asarray((lit + rng.normal(0, 4, face.shape)).clip(0, 255), dtype=np.uint8)


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    """A recogniser of the twelve faces."""
    return Recogniser(deck(faces=FACES))


@pytest.mark.parametrize("quarter_turns", [0, 1, 2, 3])
def test_names_and_turns(recogniser: Recogniser, quarter_turns: int) -> None:
    crops = [turned(photographed(pictures[0], k), -quarter_turns) for k, pictures in enumerate(FACES.values())]
    named = recogniser.name(crops)
    assert [naming.label for naming in named] == list(FACES)
    assert {naming.quarter_turns for naming in named} == {quarter_turns}


def test_a_covered_face_is_still_named(recogniser: Recogniser) -> None:
    crops = []
    for k, pictures in enumerate(FACES.values()):
        crop = photographed(pictures[0], k)
        cv2.rectangle(crop, (50, 52), (72, 74), (30, 30, 210), -1)
        crops.append(crop)
    named = recogniser.name(crops)
    right = sum(naming.label == label for naming, label in zip(named, FACES, strict=True))
    assert right >= len(FACES) - 1
    assert all(naming.label == label for naming, label in zip(named, FACES, strict=True) if naming.probability >= 0.99)


def _noise() -> Image:
    return np.random.default_rng(5).integers(0, 255, (SIDE_PX, SIDE_PX, 3), dtype=np.uint8)


def _phone() -> Image:
    phone = np.full((SIDE_PX, SIDE_PX, 3), 18, dtype=np.uint8)
    cv2.rectangle(phone, (6, 10), (89, 85), (60, 45, 40), -1)
    return phone


@pytest.mark.parametrize(
    "stranger",
    [
        pytest.param(_noise(), id="noise"),
        pytest.param(_phone(), id="phone"),
        pytest.param(np.full((SIDE_PX, SIDE_PX, 3), 200, np.uint8), id="blank"),
    ],
)
def test_a_stranger_is_never_named_for_certain(recogniser: Recogniser, stranger: Image) -> None:
    (naming,) = recogniser.name([stranger])
    assert naming.label is None or naming.probability < 0.9


@pytest.mark.parametrize(
    ("group", "turns"),
    [
        pytest.param("faces", 4, id="square"),
        pytest.param("faces", 2, id="card"),
        pytest.param("coins", "all", id="no coins"),
    ],
)
def test_no_crops(recogniser: Recogniser, group: Group, turns: Turns) -> None:
    assert recogniser.name([], group=group, turns=turns) == []


def test_a_group_without_pictures_names_nothing(recogniser: Recogniser) -> None:
    (naming,) = recogniser.name([FACES["animal-0"][0]], group="photos")
    assert naming.candidates == ((None, 1.0),)


@pytest.mark.parametrize("turns", [4, 2])
def test_probabilities_sum_to_one_best_first(recogniser: Recogniser, turns: Turns) -> None:
    namings: list[Naming] = recogniser.name([photographed(FACES["animal-3"][0], 3), _noise()], turns=turns)
    for naming in namings:
        chances = [chance for _, chance in naming.candidates]
        assert sum(chances) == pytest.approx(1.0)
        assert chances == sorted(chances, reverse=True)
        assert {label for label, _ in naming.candidates} == {*FACES, None}


def test_several_references_of_a_face() -> None:
    odd = cv2.GaussianBlur(FACES["animal-1"][0], (0, 0), 2.0).astype(np.uint8)
    named = Recogniser(deck(faces={**FACES, "animal-1": (odd, FACES["animal-1"][0])})).name([FACES["animal-1"][0]])
    assert named[0].label == "animal-1"


def _coin(ink: tuple[int, int, int], dots: int) -> Image:
    coin = np.full((SIDE_PX, SIDE_PX, 3), 90, dtype=np.uint8)
    cv2.circle(coin, (48, 48), 46, ink, -1)
    for k in range(dots):
        cv2.circle(coin, (30 + 18 * k, 36), 7, (20, 20, 20), -1)
    cv2.rectangle(coin, (36, 60), (60, 68), (20, 20, 20), -1)
    return coin


COINS = {"one": (_coin((40, 110, 180), 1),), "two": (_coin((180, 180, 180), 2),), "three": (_coin((40, 190, 230), 3),)}


@pytest.mark.parametrize("clockwise_deg", [0.0, 40.0, 160.0, 250.0, 333.0])
def test_discs_in_any_turn(clockwise_deg: float) -> None:
    recogniser = Recogniser(deck(coins=COINS))
    crops = [spun(photographed(pictures[0], k), -clockwise_deg) for k, pictures in enumerate(COINS.values())]
    named = recogniser.name(crops, group="coins", turns="all")
    assert [naming.label for naming in named] == list(COINS)
    for naming in named:
        assert abs((naming.turned_deg - clockwise_deg + 180) % 360 - 180) <= 15


STRIP_FACES = {name: FACES[name] for name in ("animal-0", "animal-4", "animal-7", "animal-11")}


def strip(sequence: tuple[int, ...]) -> Image:
    """Lay figures side by side on one ground, framed, as a photo card shows them."""
    ground = (110, 190, 130)
    card = np.full((100, 10 + 68 * len(sequence), 3), ground, dtype=np.uint8)
    for slot, kind in enumerate(sequence):
        small = cv2.resize(figure(kind, ground), (64, 64), interpolation=cv2.INTER_AREA)
        card[18:82, 7 + 68 * slot : 71 + 68 * slot] = small
    cv2.rectangle(card, (0, 0), (card.shape[1] - 1, 99), (250, 250, 250), 7)
    return card


@pytest.mark.parametrize("quarter_turns", [0, 2])
@pytest.mark.parametrize(
    "sequence",
    [
        pytest.param((0, 7, 0), id="three"),
        pytest.param((4, 4, 11, 0), id="four"),
        pytest.param((11, 0, 7, 7, 4), id="five"),
    ],
)
def test_photo_strips(sequence: tuple[int, ...], quarter_turns: int) -> None:
    reading = Recogniser(deck(faces=STRIP_FACES)).read_strip(turned(photographed(strip(sequence), 2), -quarter_turns))
    labels, probability = reading.candidates[0]
    assert labels == tuple(f"animal-{kind}" for kind in sequence)
    assert reading.quarter_turns == quarter_turns
    assert probability > 0.5


@pytest.mark.parametrize("blank", [False, True], ids=["one more", "bare ground"])
def test_a_strip_read_in_part_goes_on_where_an_animal_is(blank: bool) -> None:
    recogniser = Recogniser(deck(faces=STRIP_FACES))
    whole = photographed(strip((4, 4, 11, 0)), 2)
    if blank:
        whole[:, -(whole.shape[1] // 4) :] = np.median(whole[:4].reshape(-1, 3), axis=0)
    part = recogniser.read_strip(whole[:, : whole.shape[1] * 3 // 4])
    more = recogniser.read_strip(whole, part)
    assert len(part.rests) == 3
    assert len(more.rests) == 4
    assert (more.rests[-1] > BLANK) == blank
    assert max(more.rests[:-1]) < BLANK


@pytest.mark.parametrize(
    "crop",
    [
        pytest.param(np.full((60, 600, 3), 90, np.uint8), id="too long"),
        pytest.param(np.full((60, 60, 3), 90, np.uint8), id="square"),
    ],
)
def test_what_is_no_strip_is_not_read(recogniser: Recogniser, crop: Image) -> None:
    assert recogniser.read_strip(crop).candidates == ()


def test_a_strip_of_nothing_is_not_believed(recogniser: Recogniser) -> None:
    blank = np.random.default_rng(1).normal(120, 5, (80, 240, 3)).clip(0, 255).astype(np.uint8)
    reading = recogniser.read_strip(blank)
    assert all(probability < 0.5 for _, probability in reading.candidates)


@pytest.mark.parametrize(
    ("scale", "size"),
    [
        pytest.param(1, 96, id="as large"),
        pytest.param(3, 96, id="shrunk"),
        pytest.param(10, 48, id="shrunk twenty times"),
    ],
)
def test_rectify_returns_the_face(scale: int, size: int) -> None:
    face = FACES["animal-5"][0]
    large = cv2.resize(face, (SIDE_PX * scale, SIDE_PX * scale), interpolation=cv2.INTER_CUBIC).astype(np.uint8)
    picture = np.full((large.shape[0] + 80, large.shape[1] + 60, 3), 40, dtype=np.uint8)
    picture[50 : 50 + large.shape[0], 20 : 20 + large.shape[1]] = large
    left, top, side = 19.5, 49.5, float(SIDE_PX * scale)
    corners_px = np.array([[left, top], [left + side, top], [left + side, top + side], [left, top + side]])
    before = corners_px.copy()
    crop = rectify(picture, corners_px, size, size)
    expected = cv2.resize(face, (size, size), interpolation=cv2.INTER_AREA)
    assert crop.shape == (size, size, 3)
    assert float(np.abs(crop.astype(int) - expected.astype(int)).mean()) < 4.0
    assert np.array_equal(corners_px, before)


def test_rectify_turns_with_its_first_corner() -> None:
    face = FACES["animal-5"][0]
    corners_px = np.array([[-0.5, -0.5], [95.5, -0.5], [95.5, 95.5], [-0.5, 95.5]])
    crop = rectify(face, np.roll(corners_px, -1, axis=0), SIDE_PX, SIDE_PX)
    assert float(np.abs(turned(crop, 1).astype(int) - face.astype(int)).mean()) < 1.0


def test_pieces_of_one_photograph_share_their_light(recogniser: Recogniser) -> None:
    crops = [photographed(pictures[0], k, warm=1.15) for k, pictures in enumerate(FACES.values())]
    centres_px = [(100.0 * (k % 4), 120.0 * (k // 4)) for k in range(len(crops))]
    alone, together = recogniser.name(crops), recogniser.name(crops, centres_px=centres_px)
    assert [naming.label for naming in together] == list(FACES)
    mean = [float(np.mean([naming.probability for naming in named])) for named in (alone, together)]
    assert mean[1] >= mean[0]
