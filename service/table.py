"""The table that is played at: what to read now, and what the players do there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.events import FinalScored, PhotoTaken, RoundScored, TurnScored
from scoring.foto_ledger import FotoState
from scoring.string_ledger import StringState
from service import boards
from service.claims import FOTO, pick, silenced, verdict
from service.eyes import Answer, EyesError, Image
from service.hub import Hub
from service.live import Live, Reading, Wish
from service.schemas import piece_json
from service.seen import TableSeen, forbidden_moves
from service.session import Play, RefusedError, Session
from service.store import Event as Stored
from service.wishes import house, turn_options
from service.word import Word, found_again, spoken, still_true

STRINGS = ("field", "research")  # one that was not seen is asked about too
CLAIM_S = 12.0  # a claim waits so long for its reading


class Table:
    """Joins the session, which remembers, and the loop, which looks."""

    def __init__(self, session: Session, live: Live, hub: Hub) -> None:
        self.session, self.live, self.hub = session, live, hub
        self.settled: dict[str, Word] = {}  # by piece id or string name
        self._unbound = self._kept_words()  # of another run, until the pieces are seen that they were said of
        self.claim: dict[str, Any] | None = None
        self._rings: list[TableSeen] = []  # the last two still rings that differed
        self._forbidden: list[dict[str, Any]] = []
        self._claims = 0
        self._labels: dict[str, list[str]] | None = None  # of the deck that is played with
        self._claimed: set[int] = set()
        session.on_change = self._changed
        live.wish = self.wish
        live.tell = self.told
        live.met = self.hold_words

    def wish(self) -> Wish | None:
        """Say what is to be read now; None: no game is played."""
        play = self.session.play
        if play is None:
            return None
        options = {**house(play), **turn_options(play)}
        answers = {about: word.choice for about, word in self.settled.items()}
        if answers:
            options["answer"] = answers
        return Wish(play.setup.game, play.setup.deck, play.setup.strings, options)

    def told(self, reading: Reading) -> dict[str, Any]:
        """Return what everyone may know of a reading: before a claim, nothing of whether a photo is right."""
        told = reading.to_json()
        if told["answer"] is not None and told["answer"]["game"] == FOTO:
            quiet = silenced(told["answer"])
            told["answer"] = {**quiet, "problems": [*quiet["problems"], *self._moved(reading.seen)]}
        return told

    def _moved(self, seen: Any) -> list[dict[str, Any]]:
        """Name a change of the ring that no legal action explains, until the ring changes again."""
        if not isinstance(seen, TableSeen):
            return []
        before = self._rings[-1] if self._rings else None
        if before is None or not seen.same_ring(before):
            last = self._rings[-2] if len(self._rings) > 1 else None
            found = () if before is None else forbidden_moves(before, seen, last)
            self._rings = [*self._rings[-1:], seen]
            self._forbidden = [problem.to_json() for problem in found]
        return self._forbidden

    @property
    def playing(self) -> str | None:
        """The game that is played now and not over."""
        play = self.session.play
        over = play is None or play.ledger.state is None or play.ledger.state.winners
        return None if play is None or over else play.setup.game

    def state(self) -> dict[str, Any]:
        """Return the game that is played, or null, and how it is kept."""
        return {"game": self.game_json(), "trouble": self.session.trouble}

    def game_json(self) -> dict[str, Any] | None:
        """Return the state of the game that is played."""
        play, store = self.session.play, self.session.store
        if play is None:
            return None
        evidence = store.with_evidence(play.game)
        found = boards.game_json(play, store.last_seq(), self.session.saved, evidence)
        if self._labels is None:
            self._labels = self.live.labels(play.setup.game, play.setup.deck)
        return {**found, "labels": self._labels}

    def _changed(self, event: Stored | None) -> None:
        if event is not None and event.kind == "start":
            self.settled, self._unbound, self._claimed, self.claim, self._labels = {}, {}, set(), None, None
            self._rings, self._forbidden = [], []
            self.hub.publish("claim", None)
            self.live.read_again()
        elif event is not None:
            self.live.judge_again()
        self.hub.publish("game", self.game_json())
        trouble = {"message": f"Not on disk yet: {self.session.trouble}"} if self.session.trouble else None
        if trouble != self.hub.newest("trouble"):
            self.hub.publish("trouble", trouble)

    def _kept_words(self) -> dict[str, Word]:
        play = self.session.play
        kept = play.notes.get("words", {}).get("words", {}) if play is not None else {}
        return {about: Word.from_json(word) for about, word in kept.items()}

    def hold_words(self, answer: Answer) -> None:
        """Keep the players' words on what lies as it did; drop those on pieces that may have been exchanged since."""
        held = {**found_again(self._unbound, answer), **still_true(self.settled, answer)}
        self._unbound = {}
        self.settled = held

    def settle(self, about: str, choice: str) -> None:
        """Take a player's word on a piece (its id) or string (its name). RefusedError."""
        answer = self._answer()
        found = next((p for p in answer["pieces"] if str(p["id"]) == about), None)
        if found is None and about not in {*STRINGS, *(str(s["name"]) for s in answer["strings"])}:
            raise RefusedError(f"no piece {about} lies on the table now")
        before = dict(self.settled)
        self.settled[about] = spoken(choice, found, answer["strings"])
        reading = self.live.judge_again()
        if reading is None or reading.answer is None:
            self.settled = before
            self.live.judge_again()
            raise RefusedError(f"{choice} cannot be the answer here: {reading.message if reading else ''}".rstrip(": "))
        self.session.note("words", words={name: word.to_json() for name, word in self.settled.items()})
        if self.claim is not None and self.claim["valid"] is None:
            self._judge(self.claim["player"], self.claim["photo"], reading)

    def _answer(self) -> Answer:
        reading = self.live.reading
        if reading is None or reading.answer is None:
            raise RefusedError(reading.message if reading is not None else "nothing has been read yet")
        return reading.answer

    def _settled_answer(self, game: str) -> Answer:
        """Return the newest answer, refusing where the game is another or a question is open."""
        self._play(game)
        self.live.read_surely(CLAIM_S)
        answer = self._answer()
        if answer["questions"]:
            raise RefusedError(f"first answer: {answer['questions'][0]['message']}", "question-open")
        return answer

    def _play(self, game: str) -> Play:
        play = self.session.play
        if play is None or play.setup.game != game:
            raise RefusedError(f"no game of {game} is played")
        return play

    def score_round(self) -> Stored:
        """Record a round of Paper Safari as the table shows it. RefusedError."""
        sheet = self._settled_answer("paper-safari")["sheet"]
        if not sheet["winners"]:
            raise RefusedError("not all six cards of every player are up", "not-complete")
        ids = seating(self._play("paper-safari"), [player["seat"] for player in sheet["players"]])
        totals = {ids[player["seat"]]: int(player["total"]) for player in sheet["players"]}
        winners = tuple(ids[seat] for seat in sheet["winners"])
        told = {"lines": {ids[player["seat"]]: player["lines"] for player in sheet["players"]}}
        return self.session.act(RoundScored(totals, winners), {**told, "sheet": sheet}, self.live.evidence())

    def click(self, player: str, photo: int | None) -> dict[str, Any]:
        """Judge a claim on the table as it lies now. RefusedError."""
        state = self._play(FOTO).ledger.state
        assert isinstance(state, FotoState)
        if player not in state.players:
            raise RefusedError("say who called", "stranger")
        if state.winners:
            raise RefusedError("the game is over", "game-over")
        reading = self.live.read_now(CLAIM_S)
        if reading is None or reading.answer is None:
            raise RefusedError(reading.message if reading is not None else "the camera has sent nothing yet")
        wanted = state.to_json()["next"][player]
        photos = [p for p in reading.answer["sheet"]["photos"] if p["piece"] not in self._claimed]
        chosen = pick(photos, photo, wanted)
        self._claims += 1
        return self._judge(player, chosen, reading)

    def _judge(self, player: str, photo: int, reading: Reading) -> dict[str, Any]:
        answer = reading.answer
        assert answer is not None
        shot = next((p for p in answer["sheet"]["photos"] if p["piece"] == photo), None)
        if shot is None:
            raise RefusedError("the photo card is not beside the ring any more")
        valid, reason = verdict(shot, answer)
        if valid is not None:
            event = PhotoTaken(player, tuple(shot["sequence"]), valid)
            try:
                self.session.act(event, {"reason": reason}, self.live.evidence())
            except RefusedError as refused:
                valid, reason = False, str(refused)
        if valid:
            self._claimed.add(photo)
        own = {**answer, "sheet": {**answer["sheet"], "photos": [shot]}}
        told = {"number": self._claims, "player": player, "photo": photo, "valid": valid, "reason": reason}
        self.claim = {**told, "answer": own}
        self.hub.publish("claim", self.claim)
        return self.claim

    def close_claim(self) -> None:
        """Play on: nothing of the claim is shown any more."""
        self.claim = None
        self.hub.publish("claim", None)

    def set_aim(self, aim: Mapping[str, Any]) -> Stored:
        """Say what the turn's research tile asks for, or which tile the child placed. RefusedError."""
        state = self._play("string-safari").ledger.state
        assert isinstance(state, StringState)
        return self.session.note("aim", turns=state.turns, **aim)

    def score_turn(self, marked: int | None, marker_known: bool) -> Stored:
        """Record a turn of String Safari as the string lies; `marked`: the tile the marker goes on. RefusedError."""
        answer = self._settled_answer("string-safari")
        play, turn = self._play("string-safari"), answer["sheet"].get("turn")
        if turn is None:
            raise RefusedError("say first what the research tile asks for", "no-target")
        if turn["points"] is None:
            raise RefusedError("the string may not lie so: no points yet", "illegal")
        tiles = {piece["id"]: piece for piece in answer["pieces"]}
        tile = tiles.get(marked) if marker_known else self._new_marker(answer, turn["player"], play)
        label = tile["label"] if tile is not None else None
        event = TurnScored(turn["player"], int(turn["points"]), label, label == "footprints")
        return self.session.act(event, {"lines": turn["lines"], "sheet": answer["sheet"]}, self.live.evidence())

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
        play = self._play("string-safari")
        if player not in {one.id for one in play.setup.players}:
            raise RefusedError("say whose it is", "stranger")
        known = dict(boards.stash(play, player))
        if "pieces" in held:
            known = {}
        return self.session.note(f"stash:{player}", **{**known, **held})

    def photograph_stash(self, player: str, image: Image) -> list[dict[str, Any]]:
        """Read a player's coins and research tiles from a photograph of them. RefusedError, EyesError."""
        play = self._play("string-safari")
        found = self.live.eyes.stash(image, play.setup.game, play.setup.deck)
        pieces = [piece_json(piece) for piece in found if piece.kind in ("coin", "research")]
        if not pieces:
            raise EyesError("no coins or research tiles were found in this picture")
        self.set_stash(player, pieces=pieces)
        return pieces

    def score_final(self) -> Stored:
        """Record the final scoring as it stands on the sheet. RefusedError."""
        sheet = self._settled_answer("string-safari")["sheet"]
        if not sheet.get("winners"):
            raise RefusedError("something is still unknown: type or photograph every player's coins and research tiles")
        totals = {player: int(part["total"]) for player, part in sheet["players"].items()}
        return self.session.act(FinalScored(totals, tuple(sheet["winners"])), {"sheet": sheet}, self.live.evidence())


def seating(play: Play, seats: list[int]) -> dict[int, str]:
    """Return which player sits at each grid's seat: as set up or, where the sides differ, in the same order round."""
    sit = {player.seat: player.id for player in play.setup.players}
    if set(seats) == set(sit):
        return sit
    if len(seats) != len(sit):
        raise RefusedError(f"{len(seats)} grids lie on the table, {len(sit)} players play", "players-and-totals")
    return dict(zip(sorted(seats), (sit[seat] for seat in sorted(sit)), strict=True))
