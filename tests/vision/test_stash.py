"""A player's stash: coins apart, overlapping and stacked, research tiles; and what rims are told by."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from decks.deck import Deck, find
from scoring.table import Table
from synth.pictures import Pictures
from synth.render import Manner, photograph
from synth.scene import Hand
from synth.stash_scene import COIN_MM, RESEARCH_MM
from vision import coins, explained, facing, likeness, rims, spread
from vision.detector import Detections, Kind
from vision.matching import Matcher
from vision.placing import Placed
from vision.recogniser import Naming, Recogniser
from vision.registration import Registration
from vision.stash import STEEPEST, as_disc, borne_out, known_tiles, largest, read_stash, squared, surest

MANNER = Manner(width=960, height=720, most_tilt_deg=20.0, harsh=0.1, mess=0.0)
COINS = ("1", "10", "5", "2", "1", "5")
TILES = ("cat-3", "dog-4-edge")


@pytest.fixture(scope="module")
def deck() -> Deck:
    """Return the built-in deck."""
    return find(None, "string-safari")


@pytest.fixture(scope="module")
def recogniser(deck: Deck) -> Recogniser:
    """Return its recogniser, with the references prepared once."""
    return Recogniser(deck)


def stash(deck: Deck, step: float, stacked: bool) -> Table:
    """Lay coins in rows of three, `step` breadths apart, the last one on the one before it where they are stacked."""
    hand = Hand(np.random.default_rng(1), deck)
    places = [(-70 + k % 3 * step * COIN_MM, k // 3 * 1.3 * COIN_MM) for k in range(len(COINS))]
    if stacked:
        places[-1] = places[-2][0] + 1.2, places[-2][1] + 0.7
    pieces = [
        hand.lay("coin", label, place, (COIN_MM, COIN_MM), 50.0 * k)
        for k, (label, place) in enumerate(zip(COINS, places, strict=True))
    ]
    for k, label in enumerate(TILES):
        pieces.append(hand.lay("research", label, (30 + k * 48.0, 5.0), (RESEARCH_MM, RESEARCH_MM), 90.0 + 5 * k))
    return Table(tuple(pieces))


@pytest.mark.parametrize(
    ("step", "stacked", "coins"),
    [
        (1.3, False, COINS),
        (0.8, False, COINS),
        (1.3, True, (*COINS[:4], COINS[5])),  # the covered one cannot be seen
    ],
    ids=["apart", "overlapping", "stacked"],
)
def test_each_coin_and_tile_is_read(
    deck: Deck, recogniser: Recogniser, step: float, stacked: bool, coins: tuple[str | None, ...]
) -> None:
    image, _ = photograph(stash(deck, step, stacked), deck, 11, MANNER, Pictures())
    pieces = read_stash(image, deck, recogniser)
    assert Counter(p.label for p in pieces if p.kind == "coin") == Counter(coins)
    assert Counter(p.label for p in pieces if p.kind == "research") == Counter(TILES)
    assert all(p.probability > 0.9 for p in pieces if p.label is not None)


def test_a_tile_cut_at_its_inner_frame_is_found_by_growing_it(deck: Deck, recogniser: Recogniser) -> None:
    image, labels = photograph(stash(deck, 1.3, False), deck, 5, MANNER, Pictures())
    tiles = np.stack([labels.pieces[k].corners_px for k in (len(COINS), len(COINS) + 1)])
    middle = tiles.mean(axis=1, keepdims=True)
    matcher = Matcher(image, deck.edition.size_mm, deck.thickness_mm, recogniser, deck.research, "research")
    found = known_tiles(matcher, middle + (tiles - middle) * 0.84)
    assert len(found) == len(TILES)
    assert np.abs(np.sort(found.mean(axis=1), axis=0) - np.sort(tiles.mean(axis=1), axis=0)).max() < 2


def test_a_tile_that_no_box_fits_is_found_by_what_stands_out(
    deck: Deck, recogniser: Recogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    lone = Hand(np.random.default_rng(1), deck).lay("research", "cat-3", (0, 0), (RESEARCH_MM, RESEARCH_MM), 95.0)
    image, _ = photograph(Table((lone,)), deck, 5, MANNER, Pictures())
    _, unlike = spread.at_first(image)
    nothing = Detections(np.zeros((0, 4, 2), np.float32), (), np.zeros(0, np.float32))
    monkeypatch.setattr(spread, "at_first", lambda _: (nothing, unlike))
    assert [(p.kind, p.label) for p in read_stash(image, deck, recogniser)] == [("research", "cat-3")]


@pytest.mark.parametrize("kind", ["card", "marker"])
def test_a_tile_that_is_faint_is_looked_for_where_anything_of_its_size_is_seen(
    deck: Deck, recogniser: Recogniser, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    image, labels = photograph(stash(deck, 1.3, False), deck, 5, MANNER, Pictures())
    tiles = np.stack([labels.pieces[k].corners_px for k in (len(COINS), len(COINS) + 1)]).astype(np.float32)
    seen = Detections(tiles, ("card", kind), np.array([0.9, 0.06], np.float32))
    monkeypatch.setattr(spread, "at_first", lambda _: (seen, np.zeros(image.shape[:2], np.float32)))
    assert Counter(p.label for p in read_stash(image, deck, recogniser) if p.kind == "research") == Counter(TILES)


def test_an_empty_table_is_an_empty_stash(deck: Deck, recogniser: Recogniser) -> None:
    assert read_stash(np.full((480, 640, 3), 120, np.uint8), deck, recogniser) == []


def discs(*middles: tuple[float, float]) -> npt.NDArray[np.uint8]:
    """Paint discs of the usual radius, the later ones on the earlier ones."""
    image = np.full((200, 300, 3), 90, np.uint8)
    for k, (x, y) in enumerate(middles):
        shade = (200 - 60 * (k % 2), 180, 60 + 50 * (k % 3))
        cv2.circle(image, (round(x * 16), round(y * 16)), round(rims.RADIUS_PX * 16), shade, -1, cv2.LINE_AA, 4)
    return image


@pytest.mark.parametrize(
    "middles",
    [(), ((60.0, 60.0),), ((60.0, 60.0), (98.0, 60.0), (136.0, 60.0)), ((80.0, 80.0), (110.0, 100.0), (75.0, 118.0))],
    ids=["none", "one", "a row, each on the last", "three round one place"],
)
def test_rims_are_found_though_they_overlap(middles: tuple[tuple[float, float], ...]) -> None:
    found = [rim for rim in rims.found(rims.edges(discs(*middles))) if rim.share > 0.55]
    best = [min((float(np.linalg.norm(rim.middle_px - m)) for rim in found), default=99.0) for m in middles]
    assert all(off < 2.0 for off in best)
    assert len(found) == len(middles)


def rims_at(*middles: tuple[float, float]) -> list[rims.Rim]:
    """Return discs of the usual radius as they are known."""
    return [rims.Rim(np.array(middle), rims.RADIUS_PX, 1.0) for middle in middles]


ROW = ((60.0, 60.0), (98.0, 60.0), (136.0, 60.0))


def test_what_lies_under_another_explains_a_rim_and_nothing_else_does() -> None:
    seen = rims.edges(discs(*ROW))
    assert explained.shares(seen, rims_at(*ROW)).min() > 0.95
    assert explained.shares(seen, rims_at(ROW[0])).max() < 0.8  # a disc lies on it that is not known
    assert explained.shares(seen, rims_at((220.0, 150.0))).max() < 0.1
    assert explained.shares(seen, []).shape == (0,)


@pytest.mark.parametrize(
    ("known", "left", "more"),
    [(ROW, (), False), (ROW[:2], ROW[2:], True), (ROW[:2], ((250.0, 150.0),), False)],
    ids=["all known", "one beside them is not", "no rim there"],
)
def test_a_rim_beside_known_ones_is_a_coin_that_may_be_there(
    known: tuple[tuple[float, float], ...], left: tuple[tuple[float, float], ...], more: bool
) -> None:
    assert explained.left_over(rims.edges(discs(*ROW)), rims_at(*known), rims_at(*left)) is more


@pytest.mark.parametrize(
    ("shown", "radius", "cover", "least", "most"),
    [
        ("5", 24.0, False, 0.9, 1.0),
        ("5", 21.5, False, 0.9, 1.0),
        ("5", 24.0, True, 0.9, 1.0),
        ("2", 24.0, False, -1.0, 0.8),
    ],
    ids=["as it is", "a printed ring was taken for the rim", "partly under another", "another face"],
)
def test_a_face_bears_a_disc_out_at_any_turn_as_far_as_it_is_in_view(
    deck: Deck, shown: str, radius: float, cover: bool, least: float, most: float
) -> None:
    side = 2 * round(rims.RADIUS_PX)
    view = np.full((120, 120, 3), 90, np.uint8)
    turned = cv2.warpAffine(
        cv2.resize(deck.coins[shown][0], (side, side), interpolation=cv2.INTER_AREA),
        cv2.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), 70.0, 1.0),
        (side, side),
    )
    inside = np.hypot(*(np.indices((side, side)) - (side - 1) / 2)) < rims.RADIUS_PX
    view[36 : 36 + side, 36 : 36 + side][inside] = turned[inside]
    middle = np.full(2, 36 + (side - 1) / 2)
    above = [rims.Rim(middle + np.array([24.0, 0.0]), rims.RADIUS_PX, 1.0)] if cover else []
    if cover:
        cv2.circle(view, (round(middle[0] + 24), round(middle[1])), side // 2, (20, 200, 240), -1)
    faces = likeness.unrolled(deck.coins)
    found = likeness.laid(likeness.soft(view), rims.Rim(middle + np.array([1.5, -1.0]), radius, 1.0), above, faces["5"])
    assert found is not None
    assert least <= found.correlation <= most
    assert shown != "5" or found.radius_px == pytest.approx(rims.RADIUS_PX, abs=1.2)


def test_prints_of_the_cloth_that_no_face_bears_out_are_no_coins() -> None:
    rng, cloth = np.random.default_rng(2), np.full((480, 640, 3), (200, 210, 205), np.float32)
    for x in range(60, 640, 110):
        for y in range(60, 480, 110):
            cv2.circle(cloth, (x, y), 30, (40, 60, 190), -1)
    cv2.circle(cloth, (115, 115), 30, (190, 60, 160), -1)
    image = np.asarray((cloth + rng.normal(0, 3, cloth.shape)).clip(0, 255), np.uint8)
    rim, name = rims_at((0.0, 0.0))[0], Naming((("5", 0.9),), 0, 0.0, 1.0)

    def disc(x: float, y: float, clear: bool) -> facing.Coin:
        return facing.Coin(np.array([[x, y], [x + 60, y], [x + 60, y + 60], [x, y + 60]]) - 30, name, rim, clear)

    print_of_it, coin, borne_out = disc(280, 280, False), disc(115, 115, False), disc(390, 280, True)
    assert coins.not_printed(image, [], []) == []
    assert coins.not_printed(image, [borne_out, print_of_it, coin], []) == [borne_out, coin]


@pytest.mark.parametrize(
    ("x", "correlation", "kept"),
    [
        pytest.param(40, 0.99, False, id="a slab of the floor, like a plain face"),
        pytest.param(40, 0.998, True, id="a face in the floor's colours, laid on exactly"),
        pytest.param(240, 0.86, False, id="the floor round a coin, like a ground with a print"),
        pytest.param(440, 0.82, True, id="another thing than the floor"),
    ],
)
def test_what_shows_the_tables_colours_is_no_tile_unless_its_face_fits_exactly(
    x: int, correlation: float, kept: bool
) -> None:
    floor = np.random.default_rng(4).normal(130, 3, (480, 640, 3))
    cv2.circle(floor, (300, 180), 30, (40, 60, 190), -1)
    floor[120:240, 440:560] = 40
    image = np.asarray(floor.clip(0, 255), np.uint8)
    corners = np.array([[x, 120], [x + 120, 120], [x + 120, 240], [x, 240]], float)
    one = Registration(corners, correlation)
    assert borne_out(image, [one]) == [one] * kept
    assert borne_out(image, []) == []


def test_a_disc_of_which_too_little_shows_is_not_compared(deck: Deck) -> None:
    hidden, over = rims_at((60.0, 60.0)), rims_at((62.0, 60.0))
    faces = likeness.unrolled(deck.coins)
    assert likeness.laid(likeness.soft(discs((60.0, 60.0))), hidden[0], over, faces["5"]) is None


def test_a_face_too_flat_to_tell_anything_is_not_laid_on() -> None:
    assert likeness.unrolled({"gold": (np.full((60, 60, 3), 120, np.uint8),)}) == {}


def test_a_box_is_a_disc_as_surely_as_the_detector_sees_one_there() -> None:
    square = np.array([[0, 0], [40, 0], [40, 40], [0, 40]], float)
    coin, pile, tile = square, square + 100, square * 4 + 200
    corners = np.array([coin + 2, pile, pile + 1, tile, tile * 0.2 + 224], np.float32)
    seen = Detections(
        corners, ("disc", "disc", "disc", "card", "disc"), np.array([0.8, 0.3, 0.5, 0.9, 0.4], np.float32)
    )
    np.testing.assert_allclose(as_disc(seen, np.array([coin, pile, tile, square + 900])), [0.8, 0.5, 0, 0])
    nothing = Detections(np.zeros((0, 4, 2), np.float32), (), np.zeros(0, np.float32))
    assert as_disc(nothing, np.zeros((0, 4, 2))).shape == (0,)
    assert as_disc(nothing, coin[None]) == [0]


@pytest.mark.parametrize(
    ("named", "telling"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([("cat-3", 0.999), ("cat-3", 0.6), (None, 0.7)], [0], id="those known for sure"),
        pytest.param([(None, 0.9), ("cat-3", 0.6)], [1], id="likely ones where none is sure"),
        pytest.param([(None, 0.9)], [], id="what is likely none tells no scale"),
    ],
)
def test_the_scale_of_coins_is_told_by_the_surest_tiles(
    named: list[tuple[str | None, float]], telling: list[int]
) -> None:
    namings = [Naming((one,), 0, 0.0, 1.0) for one in named]
    tiles = [Placed(np.full((4, 2), float(k)), np.zeros((4, 2)), n, 1.0) for k, n in enumerate(namings)]
    assert [int(quad[0, 0]) for quad in surest(tiles, namings)] == telling


@pytest.mark.parametrize(
    ("sides_px", "kept"),
    [([184.0, 80.0], [0]), ([80.0, 184.0, 170.0], [1, 2]), ([184.0], [0])],
    ids=["a coin's print beside a tile", "two tiles, one farther off", "one alone"],
)
def test_what_is_smaller_than_tiles_is_none(sides_px: list[float], kept: list[int]) -> None:
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    quads_px = np.array([square * side + [200.0 * k, 90.0] for k, side in enumerate(sides_px)])
    assert np.array_equal(largest(quads_px), quads_px[kept])


@pytest.mark.parametrize(
    ("high", "sides"),
    [pytest.param(60.0, 2, id="cut"), pytest.param(98.0, 0, id="square"), pytest.param(30.0, 0, id="a strip")],
)
def test_a_box_that_is_cut_short_is_made_square_to_either_side(high: float, sides: int) -> None:
    box = np.array([[0, 0], [100, 0], [100, high], [0, high]], float)
    for turned in (box, box[:, ::-1]):
        found = squared(turned)
        assert len(found) == sides
        for quad in found:
            assert np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1) == pytest.approx(100.0)
        if found:
            assert found[0].mean(axis=0) + found[1].mean(axis=0) == pytest.approx(2 * turned.mean(axis=0))


@pytest.mark.parametrize(
    ("sides_px", "kept"),
    [([199.0, 104.0], [0]), ([199.0, 135.0], [0, 1]), ([199.0], [0])],
    ids=["a coin's print of a tile's likeness", "a tile far off", "one alone"],
)
def test_tiles_of_one_picture_look_about_as_large(sides_px: list[float], kept: list[int]) -> None:
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    quads_px = np.array([square * side + [200.0 * k, 90.0] for k, side in enumerate(sides_px)])
    assert np.array_equal(largest(quads_px, STEEPEST), quads_px[kept])


def test_where_no_rim_is_seen_coins_are_as_broad_as_was_thought() -> None:
    bare = rims.edges(np.full((200, 200, 3), 90, np.uint8))
    assert rims.radius_px(bare, np.array([[100.0, 100.0]])) == rims.RADIUS_PX
