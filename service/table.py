"""The table that is played at: what to read now, and what the players do there."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from scoring.events import Corrected, PhotoTaken, RoundScored, Undone
from scoring.foto_ledger import FotoState
from service import boards, misreads
from service.claims import FOTO, meant, pick, silenced, still_lying, verdict
from service.eyes import Answer
from service.hub import Hub
from service.live import Live
from service.outlook import Reading, Wish
from service.seen import TableSeen, forbidden_moves
from service.session import Play, RefusedError, Session, Setup
from service.store import Event as Stored
from service.turns import Turns
from service.wishes import house, turn_options, with_house_rules
from service.word import Word, found_again, said, spoken, still_true, top

STRINGS = ("field", "research")  # one that was not seen is asked about too
SLOW = "the camera has sent nothing that could be read in time: try again"
TAKEN_BACK = (Undone.__name__, Corrected.__name__)
"""After these a photo that was taken may be claimed again."""
CLAIM_S = 25.0  # a claim waits so long for its reading


class Table:
    """Joins the session, which remembers, and the loop, which looks."""

    def __init__(self, session: Session, live: Live, hub: Hub) -> None:
        self.session, self.live, self.hub = session, live, hub
        self.settled: dict[str, Word] = {}  # by piece id or string name
        self._in_view: set[str] = {*STRINGS}  # what answers may be about: a word on a hidden piece waits for it
        self._unbound = self._kept_words()  # of another run, until the pieces are seen that they were said of
        self.claim: dict[str, Any] | None = None
        self._rings: list[TableSeen] = []  # the last two still rings that differed
        self._forbidden: list[dict[str, Any]] = []
        self._claims = 0
        self._claiming = threading.Lock()  # who calls first is judged first, and takes the card
        self._publishing = threading.Lock()  # an older state is never told after a newer one
        self._labels: dict[str, list[str]] | None = None  # of the deck that is played with
        self._photos: dict[int, tuple[str | None, float]] = {}  # those in view: what each shows, and how surely
        self._claimed: dict[int, str | None] = {}  # those taken that may still lie there: what each showed
        self.turns = Turns(session, live, self)
        session.on_change = self._changed
        live.desk.wish = self.wish
        live.desk.tell = self.told
        live.desk.met = self.hold_words

    def wish(self) -> Wish | None:
        """Say what is to be read now; None: no game is played."""
        play = self.session.play
        if play is None:
            return None
        options = {**house(play), **turn_options(play)}
        seen = {about: word.choice for about, word in self.settled.items() if about in self._in_view}
        if seen:
            options["answer"] = {**options.get("answer", {}), **seen}
        return Wish(play.setup.game, play.setup.deck, play.setup.strings, options)

    def told(self, reading: Reading) -> dict[str, Any]:
        """Return what everyone may know of a reading: before a claim, nothing of whether a photo is right."""
        told = reading.to_json()
        if told["answer"] is not None:
            told["answer"] = self._said(told["answer"])
        if told["answer"] is not None and told["answer"]["game"] == FOTO:
            quiet = silenced(told["answer"])
            told["answer"] = {**quiet, "problems": [*quiet["problems"], *self._moved(reading.seen)]}
        return told

    def _said(self, answer: Answer) -> Answer:
        """Return an answer whose pieces are what the players say they are."""
        return {**answer, "pieces": said(self.settled, answer["pieces"], self.labels())}

    def begin(self, setup: Setup) -> None:
        """Begin a game by the deck's house rules, and those that were set. RefusedError."""
        deck = self.live.deck(setup.game, setup.deck)
        self.session.start(with_house_rules(setup, deck.get("options", {})))

    def labels(self) -> dict[str, list[str]]:
        """Return the labels that a piece of each kind can bear in the deck that is played with."""
        play = self.session.play
        if self._labels is None and play is not None:
            self._labels = self.live.labels(play.setup.game, play.setup.deck)
        return self._labels or {}

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
        return {**found, "labels": self.labels()}

    def _changed(self, event: Stored | None) -> None:
        if event is not None and event.kind == "start":
            self.settled, self._unbound, self._claimed, self.claim, self._labels = {}, {}, {}, None, None
            self._rings, self._forbidden = [], []
            self.hub.publish("claim", None)
            self.live.read_again()
        elif event is not None:
            if (event.data.get("event") or {}).get("event") in TAKEN_BACK:
                self._claimed = {}
            self.live.desk.judge_again()
        with self._publishing:
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
        self._in_view = {str(piece["id"]) for piece in answer["pieces"]} | {*STRINGS}
        self._photos = {p["id"]: (top(p), p["probability"]) for p in answer["pieces"] if p["kind"] == "photo"}
        self._claimed = still_lying(self._claimed, self._photos)

    def settle(self, about: str, choice: str) -> None:
        """Take a player's word on a piece (its id), a string (its name), or what is asked at the end. RefusedError."""
        if not self.turns.settles(about, choice):
            with self.live.desk.telling:  # what the word is on stays as it is seen now
                self._settle(about, choice)

    def _settle(self, about: str, choice: str) -> None:
        answer = self._answer()
        found = next((p for p in answer["pieces"] if str(p["id"]) == about), None)
        if found is None and about not in {*STRINGS, *(str(s["name"]) for s in answer["strings"])}:
            raise RefusedError(f"no piece {about} lies on the table now")
        before = self.settled
        self.settled = {**before, about: spoken(choice, found, answer["strings"])}
        reading = self.live.desk.judge_again()
        if reading is None or reading.answer is None:
            self.settled = before
            self.live.desk.judge_again()
            raise RefusedError(f"{choice} cannot be the answer here: {reading.message if reading else ''}".rstrip(": "))
        self.session.note("words", words={name: word.to_json() for name, word in self.settled.items()})
        if self.claim is not None and self.claim["valid"] is None:
            self._judge(self.claim["player"], self.claim["photo"], reading)

    def _answer(self) -> Answer:
        reading = self.live.reading
        if reading is None or reading.answer is None:
            raise RefusedError(reading.message if reading is not None else "nothing has been read yet")
        return reading.answer

    def settled_answer(self, game: str) -> Answer:
        """Return the newest answer, refusing where the game is another or a question is open."""
        self.playing_of(game)
        if self.live.desk.surely(CLAIM_S) is None:
            raise RefusedError(SLOW, "slow")
        answer = self._answer()
        if answer["questions"]:
            raise RefusedError(f"first answer: {answer['questions'][0]['message']}", "question-open")
        return answer

    def playing_of(self, game: str) -> Play:
        """Return the play, refusing where no such game is played."""
        play = self.session.play
        if play is None or play.setup.game != game:
            raise RefusedError(f"no game of {game} is played")
        return play

    def report_misread(self, folder: Path, note: str) -> str:
        """Save the picture that was read last, what was read, and what is right by the players' words; its name."""
        play, answer = self.session.play, self._answer()
        reading = self.live.reading
        if play is None or reading is None or reading.seen is None:
            raise RefusedError("nothing has been read yet")
        options = {**house(play), **turn_options(play)}
        return misreads.save(
            folder, reading.frame.image, reading.seen.answer(options), self._said(answer), options, note
        )

    def score_round(self) -> Stored:
        """Record a round of Paper Safari as the table shows it. RefusedError."""
        sheet = self.settled_answer("paper-safari")["sheet"]
        if not sheet["winners"]:
            raise RefusedError("not all six cards of every player are up", "not-complete")
        ids = seating(self.playing_of("paper-safari"), [player["seat"] for player in sheet["players"]])
        totals = {ids[player["seat"]]: int(player["total"]) for player in sheet["players"]}
        winners = tuple(ids[seat] for seat in sheet["winners"])
        told = {"lines": {ids[player["seat"]]: player["lines"] for player in sheet["players"]}}
        return self.session.act(RoundScored(totals, winners), {**told, "sheet": sheet}, self.live.evidence())

    def click(self, player: str, photo: int | None) -> dict[str, Any]:
        """Judge a claim on the table as it lies now, after those that were called before. RefusedError."""
        with self._claiming:
            return self._called(player, photo)

    def _called(self, player: str, photo: int | None) -> dict[str, Any]:
        state = self.playing_of(FOTO).ledger.state
        assert isinstance(state, FotoState)
        if player not in state.players:
            raise RefusedError("say who called", "stranger")
        if state.winners:
            raise RefusedError("the game is over", "game-over")
        reading = self.live.read_as_it_lies(CLAIM_S)
        if reading is None or reading.answer is None:
            raise RefusedError(reading.message if reading is not None else SLOW)
        wanted = state.to_json()["next"][player]
        photos = [p for p in reading.answer["sheet"]["photos"] if p["piece"] not in self._claimed]
        chosen = pick(photos, photo, wanted)
        self._claims += 1
        return self._judge(player, chosen, reading, tapped=photo is not None)

    def _judge(self, player: str, photo: int, reading: Reading, tapped: bool = False) -> dict[str, Any]:
        answer = reading.answer
        assert answer is not None
        answer = meant(answer) if tapped else answer
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
            self._claimed[photo] = self._photos.get(photo, (None, 0.0))[0]
        own = {**self._said(answer), "sheet": {**answer["sheet"], "photos": [shot]}}
        told = {"number": self._claims, "player": player, "photo": photo, "valid": valid, "reason": reason}
        self.claim = {**told, "answer": own}
        self.hub.publish("claim", self.claim)
        return self.claim

    def close_claim(self) -> None:
        """Play on: nothing of the claim is shown any more."""
        self.claim = None
        self.hub.publish("claim", None)


def seating(play: Play, seats: list[int]) -> dict[int, str]:
    """Return which player sits at each grid's seat: as set up or, where the sides differ, in the same order round."""
    sit = {player.seat: player.id for player in play.setup.players}
    if set(seats) == set(sit):
        return sit
    if len(seats) != len(sit):
        raise RefusedError(f"{len(seats)} grids lie on the table, {len(sit)} players play", "players-and-totals")
    return dict(zip(sorted(seats), (sit[seat] for seat in sorted(sit)), strict=True))
