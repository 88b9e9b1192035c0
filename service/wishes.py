"""What the state of a game asks of the reader: the options of its next reading. Pure."""

from __future__ import annotations

from typing import Any

from scoring.string_ledger import StringState
from service import boards
from service.schemas import stashes_from
from service.session import Play


def house(play: Play) -> dict[str, Any]:
    """Return the set-up's house rules as options of a reading."""
    rules = play.setup.options.get("option")
    return {"option": dict(rules)} if rules else {}


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
    return {"turn": state.current, **children, **{key: value for key, value in aim.items() if value is not None}}


def held_at_the_end(play: Play, state: StringState) -> dict[str, Any]:
    """Return every player's coins (as counted in play, unless told or shown), research tiles and stash."""
    stashes = {player: boards.stash(play, player) for player in state.players}
    shown = {player: held["pieces"] for player, held in stashes.items() if "pieces" in held}
    coins = {
        p: stashes[p].get("coins", state.coins[p]) for p in state.players if "coins" in stashes[p] or p not in shown
    }
    research = {player: held["research"] for player, held in stashes.items() if "research" in held}
    return {"coins": coins, "research": research, **({"stash": stashes_from(shown)} if shown else {})}
