"""What the state of a game asks of the reader: the options of its next reading. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from scoring.house import HouseRuleError, value_of
from scoring.string_ledger import StringState
from scoring.table import Piece
from service import boards
from service.schemas import stashes_from
from service.session import Play, RefusedError, Setup

LIKELY_AIM, SURE_AIM = 0.5, 0.95
"""A research tile that is read so surely may be meant; and so surely needs nobody's tap."""


def house(play: Play) -> dict[str, Any]:
    """Return the set-up's house rules as options of a reading."""
    rules = play.setup.options.get("option")
    return {"option": dict(rules)} if rules else {}


def with_house_rules(setup: Setup, of_deck: Mapping[str, Any]) -> Setup:
    """Return a set-up that says how many victory cards win, where a house rule does. RefusedError for one that is none.

    `of_deck`: the deck's own house rules; those of the set-up stand above them.
    """
    told = setup.options.get("option") or {}
    if not isinstance(told, Mapping):
        raise RefusedError("option: expected house rules' names and values", "house-rule")
    try:
        known = {name: value_of(setup.game, name, value) for name, value in {**of_deck, **told}.items()}
    except HouseRuleError as error:
        raise RefusedError(str(error), "house-rule") from None
    if "victory_cards" not in known or "victory_cards" in setup.options:
        return setup
    return replace(setup, options={**setup.options, "victory_cards": int(known["victory_cards"])})


def turn_options(play: Play) -> dict[str, Any]:
    """Return the options that String Safari's state asks for: the turn, or the final scoring."""
    state = play.ledger.state
    if not isinstance(state, StringState):
        return {}
    children = {"children": True} if state.children else {}
    if state.played:
        return {**children, "final": True, "players": list(state.players), **held_at_the_end(play, state)}
    aim = boards.aim(play)
    if aim is None or (aim["target"] is None and aim["placed"] is None):
        return {}
    told = {key: value for key, value in aim.items() if value is not None and key != "tile"}
    bore = {label for labels in state.marked.values() for label in labels}
    laid = {"laid": True} if "marker" in told and told["marker"] not in bore else {}
    return {"turn": state.current, **children, **told, **laid}


def aims(pieces: Iterable[Piece], tiles: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return what the research tiles among the pieces ask for, likeliest first, one each; `tiles`: as the deck says."""
    best: dict[str, float] = {}
    for piece in pieces:
        label = piece.label if piece.kind == "research" else None
        if label is not None and label in tiles and piece.probability >= LIKELY_AIM:
            best[label] = max(piece.probability, best.get(label, 0.0))
    ordered = sorted(best.items(), key=lambda pair: -pair[1])
    return [{"tile": label, "probability": round(p, 4), **tiles[label]} for label, p in ordered]


def held_at_the_end(play: Play, state: StringState) -> dict[str, Any]:
    """Return every player's coins (as counted in play, unless told or shown), research tiles and stash."""
    stashes = {player: boards.stash(play, player) for player in state.players}
    shown = {player: held["pieces"] for player, held in stashes.items() if "pieces" in held}
    coins = {
        p: stashes[p].get("coins", state.coins[p]) for p in state.players if "coins" in stashes[p] or p not in shown
    }
    research = {player: held["research"] for player, held in stashes.items() if "research" in held}
    told = {"coins": coins, "research": research, **({"stash": stashes_from(shown)} if shown else {})}
    words = boards.stash_words(play)
    return {**told, "answer": dict(words)} if words else told
