"""Photographs of true scenes: exact labels."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from decks.deck import find
from scoring.edition import Game
from scoring.table import Piece, Table
from synth.pictures import Pictures
from synth.render import Manner, photograph, picture, strip
from synth.scene import scene

GAMES: tuple[Game, ...] = ("paper-safari", "kleine-fotosafari", "string-safari")


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_picture(game: Game) -> None:
    deck = find(None, game)
    made = scene(5, game, deck)
    one, labels = picture(made, deck, 9)
    two, _ = picture(made, deck, 9)
    assert one.shape == (480, 640, 3)
    np.testing.assert_array_equal(one, two)
    assert set(labels.pieces) == {p.id for p in (*made.table.pieces, *made.beside)}
    assert set(labels.strings) == {s.name for s in made.table.strings}


@pytest.mark.parametrize("game", GAMES)
def test_all_that_counts_is_in_view(game: Game) -> None:
    deck = find(None, game)
    for seed in range(6):
        made = scene(seed, game, deck)
        _, labels = picture(made, deck, seed, Manner(width=480, height=360, mess=0.0))
        for piece in made.table.pieces:
            corners = labels.pieces[piece.id].corners_px
            assert (corners > -1).all()
            assert (corners < (480, 360)).all()


def test_a_piece_with_its_own_colour_is_seen_at_its_label() -> None:
    deck = find(None, "string-safari")
    cube = Piece(0, "marker", "red", ((-4.5, 4.5), (4.5, 4.5), (4.5, -4.5), (-4.5, -4.5)))
    image, labels = photograph(Table((cube,)), deck, 1, Manner(harsh=0.0, mess=0.0), Pictures())
    x, y = labels.pieces[0].corners_px.mean(0).round().astype(int)
    blue, green, red = image[y, x].astype(int)
    assert red > blue + 60
    assert red > green + 60


def test_what_covers_a_tile_is_named() -> None:
    deck = find(None, "string-safari")
    found = 0
    for seed in range(40):
        made = scene(seed, "string-safari", deck)
        if made.variety == "straddling":
            _, labels = picture(made, deck, seed, Manner(mess=0.0))
            touching = made.answer(deck).sheet.to_json()["touching"]
            found += any("research" in labels.hidden_by[k] for k in touching)
    assert found


def test_a_strip_shows_its_animals_in_order() -> None:
    deck = find(None, "kleine-fotosafari")
    image = strip(deck, ("lion", "zebra", "lion"))
    assert image.shape == (144, 288, 3)
    np.testing.assert_array_equal(image[:, 9:99], image[:, 189:279])
    assert (image[:, 9:99] != image[:, 99:189]).any()


def test_an_empty_table_is_a_picture_without_labels() -> None:
    image, labels = photograph(Table(), find(None, "paper-safari"), 1, Manner(mess=0.0), Pictures())
    assert image.shape == (480, 640, 3)
    assert not labels.pieces
    assert not labels.strings


def test_a_mirrored_lamp_brightens_a_part_of_the_picture() -> None:
    dull, shiny = (
        photograph(Table(), find(None, "paper-safari"), 1, Manner(320, 240, 0.0, 0.0, 0.0, gloss), Pictures())[0]
        for gloss in (0.0, 1.0)
    )
    light = [cv2.resize(one, (32, 24), interpolation=cv2.INTER_AREA).mean(axis=2) for one in (dull, shiny)]
    more = light[1] - light[0]
    assert float(np.quantile(more, 0.02)) > -10
    assert float(np.quantile(more, 0.98)) > 40
