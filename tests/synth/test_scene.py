"""True scenes: each variety is what it says it is, by the rules themselves."""

from __future__ import annotations

import pytest

from decks.deck import Deck, find
from scoring.edition import Game
from synth import foto_scene, paper_scene, string_scene
from synth.scene import Scene, scene

GAMES: tuple[Game, ...] = ("paper-safari", "kleine-fotosafari", "string-safari")
SEEDS = range(40)


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    name: Game = request.param
    return name


@pytest.fixture(scope="module")
def deck(game: Game) -> Deck:
    return find(None, game)


def scenes(game: Game, variety: str) -> list[tuple[Scene, Deck]]:
    """All of the seeds' scenes of one variety."""
    deck = find(None, game)
    return [(s, deck) for s in (scene(k, game, deck) for k in SEEDS) if variety in s.variety]


def test_the_same_seed_gives_the_same_scene(game: Game, deck: Deck) -> None:
    assert scene(3, game, deck) == scene(3, game, deck)
    assert scene(3, game, deck).table != scene(4, game, deck).table


def test_ids_are_unique_and_every_scene_has_an_answer(game: Game, deck: Deck) -> None:
    for seed in range(12):
        made = scene(seed, game, deck)
        pieces = [*made.table.pieces, *made.beside]
        assert len({p.id for p in pieces}) == len(pieces)
        assert made.answer(deck).certain or "missing" in made.variety  # a card that is not seen is asked for


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(ValueError, match="chess"):
        scene(1, "chess", find(None, "paper-safari"))  # type: ignore[arg-type]  # that is the test


@pytest.mark.parametrize("variety", paper_scene.VARIETIES)
def test_paper_varieties(variety: str) -> None:
    made = scenes("paper-safari", variety)
    assert made
    for one, deck in made:
        sheet = one.answer(deck).sheet.to_json()
        complete = [p["complete"] for p in sheet["players"]]
        assert len(complete) == int(one.variety[0])
        assert all(complete) == (variety not in ("face-down", "missing") or all(complete))
        if variety == "missing":
            assert not any(complete)


@pytest.mark.parametrize("variety", sorted(set(foto_scene.VARIETIES)))
def test_foto_varieties(variety: str) -> None:
    made = scenes("kleine-fotosafari", variety)
    assert made
    for one, deck in made:
        answer = one.answer(deck)
        photos = answer.sheet.to_json()["photos"]
        ring = [str(p.label) for p in one.table.pieces[: foto_scene.RING]]
        for photo in photos:
            if variety in ("valid", "over the closing point", "wrong", "mirrored"):
                assert photo["valid"] == foto_scene.found(ring, tuple(photo["sequence"]))
        if variety == "wrong":
            assert not photos[0]["valid"]
        if variety == "none":
            assert not photos
        if variety == "turned-away":
            assert "turned-away" in {p.rule for p in answer.problems}


@pytest.mark.parametrize(
    ("variety", "rule"),
    [
        ("legal", None),
        ("edge", None),
        ("touching", "string-touches-tile"),
        ("straddling", "string-touches-tile"),
        ("open", "string-open"),
        ("self-crossing", "string-crosses-itself"),
    ],
)
def test_string_varieties(variety: str, rule: str | None) -> None:
    made = [(s, d) for s, d in scenes("string-safari", variety) if s.variety == variety]
    assert made
    for one, deck in made:
        answer = one.answer(deck)
        problems = {p.rule for p in answer.problems}
        sheet = answer.sheet.to_json()
        if rule:
            assert rule in problems
            assert not sheet["legal"]
        else:
            assert sheet["legal"], problems
            assert sheet["enclosed"]
        if variety == "edge":
            assert sheet["touches_field"]


def test_string_final_and_its_stashes() -> None:
    made = scenes("string-safari", "final")
    assert any(s.stashes for s, _ in made)
    for one, deck in made:
        players = one.answer(deck).sheet.to_json()["players"]
        assert set(players) == set(one.options["players"])  # type: ignore[call-overload]  # a list of names
        assert all(p["total"] is not None for p in players.values())


def test_every_string_variety_comes_up() -> None:
    deck = find(None, "string-safari")
    seen = {scene(k, "string-safari", deck).variety.split(",")[0] for k in range(80)}
    assert seen == set(string_scene.VARIETIES)
