"""The boxes that the rules' tests play with."""

from __future__ import annotations

from scoring.edition import Edition, Face

VALUES = {
    "fox": -2,
    "mouse": 0,
    "rabbit": 1,
    "monkey": 3,
    "zebra": 4,
    "giraffe": 5,
    "leopard": 6,
    "hippopotamus": 7,
    "crocodile": 8,
    "lion": 9,
    "elephant": 10,
    "tarzan": 10,
}

PAPER = Edition(
    game="paper-safari",
    name="test",
    size_mm=(63, 88),
    faces={
        **{label: Face(label, count=4, value=value) for label, value in VALUES.items()},
        "safari": Face("safari", count=2, copies_neighbour=True),
    },
)
ANIMALS = {"elephant": 7, "zebra": 7, "giraffe": 6, "lion": 4}
FOTO = Edition(
    game="kleine-fotosafari",
    name="test",
    size_mm=(60, 60),
    faces={label: Face(label, count=count) for label, count in ANIMALS.items()},
)
