"""scene(seed) → render → read: the same table comes back, or the reader asks.

Tolerances, over 30 seeds a game on the built-in decks: at least 92% of the pieces are found and rightly named, their
centres within `NEAR_MM` for 85 of 100 (once both frames are laid onto each other); no table is silently wrong; so many
answers are right without a question as `LEAST_RIGHT` says. Some scenes cannot do without one: a card is missing, or the
coins of a stash are on another picture.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pytest

from decks.deck import Deck, find
from scoring.edition import Game
from scoring.options import Options
from scoring.referee import judge
from scoring.sheet import Answer
from scoring.table import Piece, Table
from synth.render import Manner, picture
from synth.scene import Hand, Scene, scene
from vision.reader import Reading, read
from vision.recogniser import Recogniser

GAMES: tuple[Game, ...] = ("paper-safari", "kleine-fotosafari", "string-safari")
SEEDS = range(30)
MANNER = Manner(width=1280, height=960, most_tilt_deg=25.0, harsh=0.2, mess=0.1)
LEAST_RIGHT = {"paper-safari": 0.5, "kleine-fotosafari": 0.3, "string-safari": 0.3}
COINS, ROW = ("10", "5", "1", "2"), ("cat-3", "dog-4-edge", "all-1", "night-2")
BANKS = (0, 10, 13)
LEAST_NAMED = 0.92
NEAR_MM = {"paper-safari": 4.0, "kleine-fotosafari": 1.5, "string-safari": 1.5}
"""Paper's tables are the largest: a scale that is off by 1% is 3 mm at their rim."""


@dataclass(frozen=True)
class Trip:
    """One scene, there and back."""

    scene: Scene
    true: Answer
    read: Answer
    named: int
    off_mm: tuple[float, ...]

    same: bool  # what counts is the same
    pieces: tuple[Piece, ...]  # as read

    @property
    def sure(self) -> bool:
        """Whether an answer was given, and nothing asked."""
        return self.read.certain and not any(p.rule in ("no-grid", "no-ring", "no-tiles") for p in self.read.problems)

    @property
    def right(self) -> bool:
        """Whether what counts is right and nothing was asked."""
        return self.sure and self.same

    @property
    def silent(self) -> bool:
        """Whether what counts is wrong and nothing was asked."""
        return self.sure and not self.same


@lru_cache(maxsize=3)
def held(game: Game) -> tuple[Deck, Recogniser]:
    deck = find(None, game)
    return deck, Recogniser(deck)


@lru_cache(maxsize=3)
def trips(game: Game) -> tuple[Trip, ...]:
    return tuple(trip(game, seed) for seed in SEEDS)


def trip(game: Game, seed: int) -> Trip:
    return there_and_back(scene(seed, game, held(game)[0]))


def there_and_back(made: Scene) -> Trip:
    deck, recogniser = held(made.game)
    image, labels = picture(made, deck, made.seed, MANNER)
    reading = read(image, deck, recogniser)
    answer = judge(reading.table, deck.edition, Options.parse(made.options, deck.edition), reading.near)
    centres = {
        p.id: np.asarray(labels.pieces[p.id].corners_px).mean(0) for p in made.table.pieces if p.id in labels.pieces
    }
    named, off = compared(made.table, reading, centres)
    true = made.answer(deck)
    return Trip(
        made, true, answer, named, off, counts(true, made.table) == counts(answer, reading.table), reading.table.pieces
    )


def counts(answer: Answer, table: Table) -> object:
    """Return what counts of an answer, tiles by their labels: ids differ from table to table."""
    sheet = answer.sheet.to_json()
    if "photos" in sheet:
        return [photo["valid"] for photo in sheet["photos"]]
    if "enclosed" not in sheet:
        return answer.sheet.outcome()
    inside = sorted(str(table.piece(k).label) for k in sheet["enclosed"]) if sheet["legal"] else []
    return (sheet["legal"], inside, (sheet["turn"] or {}).get("points"))


def compared(true: Table, reading: Reading, centres_px: dict[int, np.ndarray]) -> tuple[int, tuple[float, ...]]:
    """Pair pieces by where they are seen; return how many bear their true label, and how far off they lie in mm."""
    pairs = []
    for piece in true.pieces:
        mine = [
            found for found in reading.table.pieces
            if (found.kind == "marker") == (piece.kind == "marker")
            and np.linalg.norm(reading.corners_px[found.id].mean(0) - centres_px[piece.id]) < 15
        ]  # fmt: skip
        if mine:
            pairs.append((piece, mine[0]))
    named = sum(a.label == b.label or a.kind == "photo" for a, b in pairs)
    flat = [(a, b) for a, b in pairs if a.kind != "marker"]
    if len(flat) < 3:
        return named, ()
    a = np.array([complex(*p.centre_mm) for p, _ in flat])
    b = np.array([complex(*q.centre_mm) for _, q in flat])
    turn = np.vdot(b - b.mean(), a - a.mean())
    return named, tuple(np.abs((b - b.mean()) * turn / abs(turn) - (a - a.mean())).tolist())


@pytest.mark.parametrize("game", GAMES)
def test_no_table_is_silently_wrong(game: Game) -> None:
    assert [t.scene.seed for t in trips(game) if t.silent] == []


@pytest.mark.parametrize("game", GAMES)
def test_most_answers_are_right_without_a_question(game: Game) -> None:
    asked = {t.scene.seed: [q.message for q in t.read.questions] for t in trips(game) if not t.right}
    assert len(asked) <= (1 - LEAST_RIGHT[game]) * len(SEEDS), asked


@pytest.mark.parametrize("game", GAMES)
def test_pieces_keep_their_names_and_places(game: Game) -> None:
    done = trips(game)
    assert sum(t.named for t in done) >= LEAST_NAMED * sum(len(t.scene.table.pieces) for t in done)
    off = [mm for t in done for mm in t.off_mm]
    assert np.quantile(off, 0.85) < NEAR_MM[game]


@pytest.mark.parametrize("seed", BANKS)
def test_the_bank_and_the_open_row_beside_the_field_disturb_nothing(seed: int) -> None:
    made = scene(seed, "string-safari", held("string-safari")[0])
    hand = Hand(np.random.default_rng(seed), held("string-safari")[0])
    reach = max(abs(x) for string in made.table.strings for x, _ in string.path_mm) + 45.0
    bank = [hand.lay("coin", label, (-reach, 26.0 * k - 40), (22.0, 22.0), 70.0 * k) for k, label in enumerate(COINS)]
    row = [hand.lay("research", t, (reach, 48.0 * k - 70), (40.0, 40.0), 90 + 4 * k) for k, t in enumerate(ROW)]
    beside = tuple(replace(p, id=900 + p.id) for p in (*bank, *row))
    other = there_and_back(replace(made, beside=beside))
    assert other.right
    assert not {p.label for p in other.pieces if p.kind == "tile"} - {p.label for p in made.table.pieces}
    assert {p.label for p in other.pieces if p.kind == "research"} == set(ROW)
