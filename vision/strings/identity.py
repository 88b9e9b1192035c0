"""Which string is which: a loop that lies among the tiles as the research string never does is not taken for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scoring.string_field import GUESSED, RESEARCH, Survey, guessed
from scoring.table import Piece, String, Table

MOST_HELD = 0.5
"""The share of all tiles that a turn's string may hold; more, and no field string round it: it may be the field."""
STRAY_SIGMA_MM = 6.0
"""One standard deviation of a string that may be another thing."""


def identified(strings: Sequence[String], pieces: Sequence[Piece]) -> tuple[String, ...]:
    """Return the strings on a table of these pieces, the research string a guess where it may be another thing.

    Joints of a table top, prints and the field string itself can look like it; but it holds some of the tiles, and the
    field string, which lies round them all, holds no fewer.
    """
    survey = Survey(Table(tuple(pieces), tuple(strings)))
    band, field = survey.research, survey.field
    if band is None or guessed(band.string) or not survey.tiles:
        return tuple(strings)
    sure = field is not None and field.closed and not survey.field_guessed
    around = sum(field.holds(tile.centre_mm) for tile in survey.tiles) if field is not None and sure else None
    held = len(survey.held)
    most = MOST_HELD * len(survey.tiles) if around is None else around
    met = held > 0 or any(margin.contact for margin in survey.margins.values())
    if met and held <= most:
        return tuple(strings)
    return tuple(doubted(string) if string.name == RESEARCH else string for string in strings)


def doubted(string: String) -> String:
    """Return a string as one that was not followed: a question, not news."""
    sigma_mm = tuple(max(sigma, STRAY_SIGMA_MM) for sigma in string.sigma_mm)
    return replace(string, visible=min(string.visible, GUESSED), sigma_mm=sigma_mm)
