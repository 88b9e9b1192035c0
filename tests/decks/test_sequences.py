"""The photo cards' sequences."""

from __future__ import annotations

from collections import Counter

import pytest

from decks.deck import find
from decks.sequences import HOW_MANY, possible, well_chosen

BOX = {"elephant": 7, "zebra": 7, "giraffe": 6, "lion": 4}


def test_the_deck_holds_the_well_chosen_photos() -> None:
    assert tuple(find("kleine-fotosafari", "kleine-fotosafari").edition.photos.values()) == well_chosen(BOX)


def test_photos_are_possible_and_none_is_another_or_its_mirror() -> None:
    photos = list(find("kleine-fotosafari", "kleine-fotosafari").edition.photos.values())
    assert Counter(len(photo) for photo in photos) == HOW_MANY
    assert all(possible(photo, BOX) for photo in photos)
    assert len({min(photo, photo[::-1]) for photo in photos}) == len(photos)


def test_animals_are_shown_about_as_often_as_the_box_holds_them() -> None:
    shown = Counter(label for photo in well_chosen(BOX) for label in photo)
    for label, count in BOX.items():
        assert shown[label] / shown.total() == pytest.approx(count / 24, abs=0.04)


@pytest.mark.parametrize(
    ("photo", "expected"),
    [
        ((), False),
        (("lion", "lion", "lion"), False),
        (("lion", "zebra", "lion"), True),
        (("cow", "zebra", "lion"), False),
        (("lion", "lion", "zebra", "lion", "lion", "zebra", "lion"), False),
    ],
    ids=["empty", "three in a row", "possible", "no such animal", "more than the box holds"],
)
def test_possible(photo: tuple[str, ...], expected: bool) -> None:
    assert possible(photo, BOX) is expected


def test_too_many_are_refused() -> None:
    with pytest.raises(ValueError, match="only 1 photos"):
        well_chosen({"lion": 2}, {2: 3})
