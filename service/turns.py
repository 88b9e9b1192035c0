"""String Safari as it is played at the table: what a turn asks for, turns, stashes, the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from scoring.answers import PARTS, STASHES
from scoring.events import FinalScored, TurnScored
from scoring.options import MAX_POINTS
from scoring.string_ledger import StringState
from service import boards
from service.eyes import Answer, EyesError, Image
from service.live import Live
from service.schemas import piece_json
from service.session import Play, RefusedError, Session
from service.store import Event as Stored
from service.wishes import SURE_AIM, aims


class Settled(Protocol):
    """The table, as far as turns need it."""

    def playing_of(self, game: str) -> Play:
        """Return the play. RefusedError."""
        ...

    def settled_answer(self, game: str) -> Answer:
        """Return the newest answer, no question open. RefusedError."""
        ...


class Turns:
    """What the players of String Safari do."""

    def __init__(self, session: Session, live: Live, table: Settled) -> None:
        self.session, self.live, self.table = session, live, table

    def set_aim(self, aim: Mapping[str, Any]) -> Stored:
        """Say what the turn's research tile asks for, or which tile the child placed. RefusedError."""
        state = self.table.playing_of("string-safari").ledger.state
        assert isinstance(state, StringState)
        return self.session.note("aim", turns=state.turns, **aim)

    def read_aim(self, image: Image | None) -> list[dict[str, Any]]:
        """Read the turn's research tile from a picture, or from what the camera sees; set where it is the only one.

        Returns what may be meant, likeliest first. RefusedError, EyesError.
        """
        play, frame = self.table.playing_of("string-safari"), self.live.newest()
        seen = image if image is not None else frame.image if frame is not None else None
        if seen is None:
            raise RefusedError("the camera has sent nothing yet")
        tiles = self.live.eyes.stash(seen, play.setup.game, play.setup.deck)
        found = aims(tiles, self.live.deck(play.setup.game, play.setup.deck).get("research", {}))
        if not found:
            raise EyesError("no research tile was found in this picture: lay it in view, or tap what it asks for")
        if len(found) == 1 and found[0]["probability"] >= SURE_AIM:
            self.set_aim({key: found[0][key] for key in ("target", "condition", "tile")})
        return found

    def score_turn(self, marked: int | None, marker_known: bool) -> Stored:
        """Record a turn of String Safari as the string lies; `marked`: the tile the marker goes on. RefusedError."""
        answer = self.table.settled_answer("string-safari")
        play, turn = self.table.playing_of("string-safari"), answer["sheet"].get("turn")
        if turn is None:
            raise RefusedError("say first what the research tile asks for", "no-target")
        if turn["points"] is None:
            raise RefusedError("the string may not lie so: no points yet", "illegal")
        tiles = {piece["id"]: piece for piece in answer["pieces"]}
        tile = tiles.get(marked) if marker_known else self._new_marker(answer, turn["player"], play)
        label = tile["label"] if tile is not None and tile["kind"] == "tile" else None
        if (tile is not None or marked is not None) and label is None:
            raise RefusedError("say which tile the marker goes on", "marker-where")
        event = TurnScored(turn["player"], int(turn["points"]), label, label == "footprints")
        return self.session.act(event, {"lines": turn["lines"], "sheet": answer["sheet"]}, self.live.evidence())

    def type_turn(self, points: int, marked: str | None) -> Stored:
        """Record a turn as the players counted it; `marked`: the animal that the marker went on. RefusedError."""
        play = self.table.playing_of("string-safari")
        state = play.ledger.state
        assert isinstance(state, StringState)
        tiles = self.live.labels(play.setup.game, play.setup.deck).get("tile", [])
        if marked is not None and marked not in tiles:
            raise RefusedError(f"there is no tile {marked}", "marker-where")
        if state.current is None:
            raise RefusedError("all turns are played")
        event = TurnScored(state.current, points, marked, marked == "footprints")
        return self.session.act(event, {"typed": True}, self.live.evidence())

    def _new_marker(self, answer: Answer, player: str, play: Play) -> Mapping[str, Any] | None:
        """Return the enclosed tile on which the player's marker was laid since; None: none was. RefusedError: which?"""
        state = play.ledger.state
        assert isinstance(state, StringState)
        tiles = {piece["id"]: piece for piece in answer["pieces"]}
        on = [
            p["on"] for p in answer["pieces"] if p["kind"] == "marker" and p["label"] == player and p.get("on") in tiles
        ]
        fresh = [tiles[i] for i in on if i in answer["sheet"]["enclosed"]]
        fresh = [tile for tile in fresh if tile["label"] not in state.marked[player]]
        if len(fresh) == 1:
            return dict(fresh[0])
        raise RefusedError("say which tile the marker goes on", "marker-where")

    def set_stash(self, player: str, **held: Any) -> Stored:
        """Say or show what a player holds at the end: coins, research, or pieces of a photograph. RefusedError."""
        play = self.table.playing_of("string-safari")
        if player not in {one.id for one in play.setup.players}:
            raise RefusedError("say whose it is", "stranger")
        known = dict(boards.stash(play, player))
        if "pieces" in held:
            known = {}
            kept = {
                about: word for about, word in boards.stash_words(play).items() if about.partition(":")[0] != player
            }
            self.session.note(boards.STASH_WORDS, words={a: word for a, word in kept.items() if a != STASHES})
        return self.session.note(f"stash:{player}", **{**known, **held})

    def settles(self, about: str, choice: str) -> bool:
        """Take a player's word on a photographed stash or a part of a total; False: it is on neither. RefusedError."""
        play = self.session.play
        players = {one.id for one in play.setup.players} if play is not None else set()
        name, _, part = about.partition(":")
        if play is None or not (about == STASHES or (name in PARTS and part in players) or (part and name in players)):
            return False
        if name in ("coins", "research") and part:
            if not (choice.isascii() and choice.isdigit() and int(choice) <= MAX_POINTS):
                raise RefusedError(f"{choice} is no number of points")
            self.set_stash(part, **{name: int(choice)})
            return True
        before = boards.stash_words(play)
        self.session.note(boards.STASH_WORDS, words={**before, about: choice})
        reading = self.live.desk.judge_again()
        if reading is None or reading.answer is None:
            self.session.note(boards.STASH_WORDS, words=dict(before))
            raise RefusedError(f"{choice} cannot be the answer here: {reading.message if reading else ''}".rstrip(": "))
        return True

    def photograph_stash(self, player: str, image: Image) -> list[dict[str, Any]]:
        """Read a player's coins and research tiles from a photograph of them. RefusedError, EyesError."""
        play = self.table.playing_of("string-safari")
        found = self.live.eyes.stash(image, play.setup.game, play.setup.deck)
        pieces = [piece_json(piece) for piece in found if piece.kind in ("coin", "research")]
        if not pieces:
            raise EyesError("no coins or research tiles were found in this picture")
        self.set_stash(player, pieces=pieces)
        return pieces

    def score_final(self) -> Stored:
        """Record the final scoring as it stands on the sheet. RefusedError."""
        sheet = self.table.settled_answer("string-safari")["sheet"]
        if not sheet.get("winners"):
            raise RefusedError("something is still unknown: type or photograph every player's coins and research tiles")
        totals = {player: int(part["total"]) for player, part in sheet["players"].items()}
        return self.session.act(FinalScored(totals, tuple(sheet["winners"])), {"sheet": sheet}, self.live.evidence())
