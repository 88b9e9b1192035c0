"""The referee, beside the games' own doubts."""

from __future__ import annotations

import pytest

from scoring.edition import Edition
from scoring.options import OptionError
from scoring.table import Table
from tests.scoring.judging import judged


def test_a_deck_of_no_game_is_refused() -> None:
    edition = Edition(game="any", name="faces alone", size_mm=(60.0, 60.0))
    with pytest.raises(OptionError, match="the deck faces alone is of no game, so there is nothing to score"):
        judged(Table(), {}, edition)
