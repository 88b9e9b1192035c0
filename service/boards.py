"""How a game stands, as the page shows it. Pure: a play in, plain values out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.events import FinalScored, GameStarted, PhotoTaken, RoundScored, TurnScored
from scoring.foto_ledger import FotoState
from scoring.paper_ledger import PaperState
from scoring.string_ledger import StringState
from service.session import Play
from service.store import Event as Stored

STASH_WORDS = "stash-words"
"""The note of what was answered of the photographed stashes."""


def game_json(play: Play, seq: int, saved: bool, evidence: frozenset[int]) -> dict[str, Any]:
    """Return the whole state of a game."""
    state = play.ledger.state
    winners = list(state.winners) if state is not None else []
    return {
        "id": play.game,
        "seq": seq,
        "game": play.setup.game,
        "deck": play.setup.deck,
        "players": play.setup.to_json()["players"],
        "options": dict(play.setup.options),
        "strings": dict(play.setup.strings),
        "board": board(play),
        "winners": winners,
        "finished": bool(winners),
        "can_undo": len(play.ledger.entries) > 1,
        "can_redo": bool(play.undone),
        "saved": saved,
        "log": log(play, evidence),
    }


def board(play: Play) -> dict[str, Any]:
    """Return what the game's scoreboard shows."""
    state = play.ledger.state
    if isinstance(state, PaperState):
        return _paper(play, state)
    if isinstance(state, FotoState):
        return _foto(state)
    assert isinstance(state, StringState)
    return _string(play, state)


def _paper(play: Play, state: PaperState) -> dict[str, Any]:
    rounds = [event for event in play.happened if isinstance(event, RoundScored)]
    return {
        "turn": None if state.winners else state.first,
        "goal": state.needed,
        "victories": dict(state.victories),
        "rounds": [
            {"round": k, "totals": dict(event.totals), "winners": list(event.winners)}
            for k, event in enumerate(rounds, 1)
        ],
    }


def _foto(state: FotoState) -> dict[str, Any]:
    goal = {str(animals): n for animals, n in sorted(state.goal.items())}
    taken = {
        player: {level: sum(str(n) == level for n in photos) for level in goal}
        for player, photos in state.taken.items()
    }
    return {"turn": None, "goal": goal, "taken": taken, "next": state.to_json()["next"]}


def _string(play: Play, state: StringState) -> dict[str, Any]:
    phase = "over" if state.winners else "final" if state.played else "play"
    research = {player: stash(play, player).get("research") for player in state.players}
    return {
        "turn": state.current,
        "round": state.round,
        "rounds": state.rounds,
        "phase": phase,
        "children": state.children,
        "coins": dict(state.coins),
        "markers": dict(state.markers),
        "marked": {player: list(tiles) for player, tiles in state.marked.items()},
        "two_tiles": sorted(state.two_tiles),
        "research": research,
        "declared": {player: dict(stash(play, player)) for player in state.players},
        "totals": dict(state.totals),
        "aim": aim(play),
    }


def aim(play: Play) -> Mapping[str, Any] | None:
    """Return what was said of the turn that is now: its target, or the children's placed tile; None: nothing yet."""
    state, note = play.ledger.state, play.notes.get("aim")
    if not isinstance(state, StringState) or note is None or note.get("turns") != state.turns:
        return None
    return {key: note.get(key) for key in ("target", "condition", "placed", "marker", "tile")}


def stash(play: Play, player: str) -> Mapping[str, Any]:
    """Return what was said or photographed of a player's coins and research tiles."""
    note = play.notes.get(f"stash:{player}", {})
    return {key: note[key] for key in ("coins", "research", "pieces") if note.get(key) is not None}


def stash_words(play: Play) -> Mapping[str, str]:
    """Return what was answered of the photographed stashes."""
    words: Mapping[str, str] = play.notes.get(STASH_WORDS, {}).get("words", {})
    return words


def log(play: Play, evidence: frozenset[int]) -> list[dict[str, Any]]:
    """Return what happened, oldest first; what was taken back and can stand again comes last."""
    standing = [_entry(play, event, False, evidence) for event in play.standing]
    return standing + [_entry(play, event, True, evidence) for event in reversed(play.undone)]


def _entry(play: Play, event: Stored, undone: bool, evidence: frozenset[int]) -> dict[str, Any]:
    act = event.data["event"]
    told = event.data.get("told") or {}
    return {
        "seq": event.seq,
        "at": event.at,
        "what": act["event"],
        "values": {**_values(play, act), **told},
        "event": act,
        "undone": undone,
        "evidence": event.seq in evidence,
        "text": sentence(play, act),
    }


def names(play: Play) -> dict[str, str]:
    """Return each player's name by their id."""
    return {player.id: player.name for player in play.setup.players}


def _values(play: Play, act: Mapping[str, Any]) -> dict[str, Any]:
    known = names(play)
    found: dict[str, Any] = {}
    if "player" in act:
        found["player"] = known.get(act["player"], act["player"])
    if "winners" in act:
        found["winners"] = " + ".join(known.get(player, player) for player in act["winners"])
    if "totals" in act:
        found["totals"] = ", ".join(f"{known.get(player, player)} {n}" for player, n in act["totals"].items())
    return found


def sentence(play: Play, act: Mapping[str, Any]) -> str:
    """Return an entry in one English sentence, for the export."""
    values = _values(play, act)
    what = act["event"]
    if what == GameStarted.__name__:
        return f"{play.setup.game} begins: {', '.join(names(play).values())}"
    if what in (RoundScored.__name__, FinalScored.__name__):
        return f"{values['winners']} wins: {values['totals']}"
    if what == PhotoTaken.__name__:
        verdict = "takes the photo" if act.get("right", True) else "called Click! wrongly"
        return f"{values['player']} {verdict}: {', '.join(act['sequence'])}"
    if what == TurnScored.__name__:
        marked = f", marker on {act['marked']}" if act.get("marked") else ""
        return f"{values['player']} scores {act['points']}{marked}"
    if what == "Corrected":
        return f"corrected: {sentence(play, act['instead'])}"
    return str(what)
