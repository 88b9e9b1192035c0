"""The three games as people play them, from pictures of tables to the ledger."""

from __future__ import annotations

import base64
import contextlib
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import pytest

from measuring import truth
from scoring.table import Piece, Table

Evening = Any  # the fixture's own class lives in conftest.py, which tests cannot import
BESIDE = ((-60.0, 10.0), (-40.0, 10.0), (-40.0, -10.0), (-60.0, -10.0))  # of a coin, mm
PAPER, FOTO, STRING = "paper-safari", "kleine-fotosafari", "string-safari"
RING = ["lion", "zebra", "elephant", "zebra", "giraffe", "elephant", "lion", "giraffe", "zebra"]
RING += ["elephant", "giraffe", "zebra"]
LOW = ["fox", "meerkat", "flamingo", "zebra", "fox", "fox"]
HIGH = ["leopard", "lion", "elephant", "hippopotamus", "crocodile", "giraffe"]


def begin(evening: Evening, game: str, players: list[dict[str, Any]], **more: Any) -> None:
    """Begin a game."""
    evening.post("/api/game/new", game=game, players=players, **more)


def paper(evening: Evening) -> None:
    """Begin Paper Safari for two, across from each other."""
    begin(evening, PAPER, [{"name": "Anna", "seat": 0}, {"name": "Ben", "seat": 2}])


def foto(evening: Evening, **more: Any) -> None:
    """Begin Kleine Fotosafari for two."""
    begin(evening, FOTO, [{"name": "Anna"}, {"name": "Ben"}], **more)


def string(evening: Evening) -> None:
    """Begin String Safari for three."""
    begin(evening, STRING, [{"name": n, "colour": c} for n, c in (("Anna", "red"), ("Ben", "blue"), ("Cem", "yellow"))])


class TestPaperSafari:
    """Live totals, rounds, victory cards."""

    def test_a_round_is_scored_from_the_table(self, evening: Evening, tables: Any) -> None:
        paper(evening)
        answer = evening.lay(PAPER, tables.paper_table(LOW, HIGH))
        game = evening.post("/api/game/round")["game"]
        totals = {"p1": answer["sheet"]["players"][0]["total"], "p2": answer["sheet"]["players"][1]["total"]}
        assert game["board"]["rounds"] == [{"round": 1, "totals": totals, "winners": ["p1"]}]
        assert game["board"]["victories"] == {"p1": 1, "p2": 0}
        assert game["log"][-1]["evidence"]
        assert evening.client.get(f"/api/game/evidence/{game['log'][-1]['seq']}.jpg").content[:2] == b"\xff\xd8"

    def test_a_running_round_is_not_scored(self, evening: Evening, tables: Any) -> None:
        paper(evening)
        evening.lay(PAPER, tables.paper_table(LOW, ["back", *HIGH[1:]]))
        assert evening.post("/api/game/round", 409)["rule"] == "not-complete"

    def test_three_victories_win(self, evening: Evening, tables: Any) -> None:
        paper(evening)
        evening.lay(PAPER, tables.paper_table(LOW, HIGH))
        for _ in range(3):
            game = evening.post("/api/game/round")["game"]
        assert (game["finished"], game["winners"]) == (True, ["p1"])
        assert evening.post("/api/game/round", 409)["rule"] == "game-over"

    @pytest.mark.parametrize(
        ("deck", "told", "goal"),
        [({}, {}, 3), ({"victory_cards": 2}, {}, 2), ({"victory_cards": 2}, {"victory_cards": "1"}, 1)],
        ids=["usual", "the deck's", "told"],
    )
    def test_a_house_rule_says_how_many_victories_win(
        self, evening: Evening, deck: Any, told: Any, goal: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        decks = [{**d, "options": deck if d["game"] == PAPER else {}} for d in evening.eyes.decks()]
        monkeypatch.setattr(evening.eyes, "decks", lambda: decks)
        begin(evening, PAPER, [{"name": "Anna", "seat": 0}, {"name": "Ben", "seat": 2}], options={"option": told})
        assert evening.game["board"]["goal"] == goal

    def test_undo_redo_and_correct(self, evening: Evening, tables: Any) -> None:
        paper(evening)
        evening.lay(PAPER, tables.paper_table(LOW, HIGH))
        scored = evening.post("/api/game/round")["game"]
        undone = evening.post("/api/game/undo")["game"]
        assert (undone["board"]["victories"]["p1"], undone["can_redo"], undone["log"][-1]["undone"]) == (0, True, True)
        assert evening.post("/api/game/redo")["game"]["board"] == scored["board"]
        seq = scored["log"][-1]["seq"]
        instead = {"event": "RoundScored", "totals": {"p1": 9, "p2": 5}, "winners": ["p2"]}
        corrected = evening.post("/api/game/correct", seq=seq, instead=instead)["game"]
        assert corrected["board"]["victories"] == {"p1": 0, "p2": 1}
        assert evening.post("/api/game/undo")["game"]["board"] == scored["board"]

    @pytest.mark.parametrize(
        ("instead", "rule"),
        [
            ({"event": "RoundScored", "totals": {"p1": 9, "p2": 5}, "winners": ["p1"]}, "lowest-total-wins"),
            ({"event": "Undone"}, "nothing-to-correct"),
            ({"event": "Nonsense"}, "no-such-event"),
            ({}, "no-such-event"),
        ],
        ids=["the wrong winner", "no game event", "unknown", "empty"],
    )
    def test_what_cannot_be_is_refused(self, instead: Any, rule: str, evening: Evening, tables: Any) -> None:
        paper(evening)
        evening.lay(PAPER, tables.paper_table(LOW, HIGH))
        game = evening.post("/api/game/round")["game"]
        told = evening.post("/api/game/correct", 409, seq=game["log"][-1]["seq"], instead=instead)
        assert told["rule"] == rule
        assert evening.game["board"] == game["board"]

    def test_a_question_is_answered_before_a_round_is_scored(self, evening: Evening, tables: Any) -> None:
        paper(evening)
        doubt = tables.doubtful(tables.paper_table(LOW, HIGH), 6, ("leopard", 0.6), ("zebra", 0.4))
        answer = evening.lay(PAPER, doubt)
        assert [q["piece"] for q in answer["questions"]] == [6]
        assert evening.post("/api/game/round", 409)["rule"] == "question-open"
        evening.post("/api/game/answer", piece=6, choice="zebra")
        assert evening.live.reading is not None
        assert evening.live.reading.answer is not None
        assert evening.live.reading.answer["sheet"]["players"][1]["grid"][0][0] == "zebra"
        assert evening.post("/api/game/round")["game"]["board"]["victories"]["p1"] == 1

    def test_an_answer_ends_with_the_card_it_was_given_for(self, evening: Evening, tables: Any) -> None:
        paper(evening)
        table = tables.doubtful(tables.paper_table(LOW, HIGH), 6, ("leopard", 0.6), ("zebra", 0.4))
        evening.lay(PAPER, table)
        evening.post("/api/game/answer", piece=6, choice="zebra")
        moved = replace(table.piece(6), outline_mm=tuple((x + 4, y) for x, y in table.piece(6).outline_mm))
        again = evening.lay(PAPER, Table(tuple(moved if p.id == 6 else p for p in table.pieces)))
        assert [q["piece"] for q in again["questions"]] == [6]

    def test_a_choice_that_cannot_be_is_refused(self, evening: Evening, tables: Any) -> None:
        paper(evening)
        evening.lay(PAPER, tables.paper_table(LOW, HIGH))
        assert "unicorn" in evening.post("/api/game/answer", 409, piece=6, choice="unicorn")["error"]
        assert evening.live.reading is not None
        assert evening.live.reading.answer is not None
        assert "no piece 99" in evening.post("/api/game/answer", 409, piece=99, choice="lion")["error"]


class TestKleineFotosafari:
    """Claims."""

    def test_a_right_claim_is_taken(self, evening: Evening, tables: Any) -> None:
        foto(evening)
        evening.lay(FOTO, tables.ring_table(RING, ["lion", "zebra", "elephant"]))
        claim = evening.post("/api/game/claim", player="p1")
        assert (claim["valid"], claim["player"]) == (True, "p1")
        assert evening.game["board"]["taken"]["p1"] == {"3": 1, "4": 0, "5": 0}

    def test_a_mirrored_claim_costs_nothing(self, evening: Evening, tables: Any) -> None:
        foto(evening)
        evening.lay(FOTO, tables.ring_table(RING, ["elephant", "elephant", "lion"]))
        claim = evening.post("/api/game/claim", player="p2")
        assert claim["valid"] is False
        assert claim["reason"]
        assert evening.game["board"]["taken"]["p2"] == {"3": 0, "4": 0, "5": 0}
        assert evening.game["log"][-1]["event"]["right"] is False

    def test_a_photo_of_a_level_not_reached_is_refused(self, evening: Evening, tables: Any) -> None:
        foto(evening)
        evening.lay(FOTO, tables.ring_table(RING, RING[:4]))
        assert evening.post("/api/game/claim", player="p1")["valid"] is False
        assert evening.game["board"]["taken"]["p1"]["4"] == 0

    @pytest.mark.parametrize("photo", [None, RING[:3], ["zebra", "lion", "zebra"]], ids=["none", "right", "wrong"])
    def test_before_a_claim_nothing_tells_whether_a_photo_is_right(
        self, photo: list[str] | None, evening: Evening, tables: Any
    ) -> None:
        foto(evening)
        evening.lay(FOTO, tables.ring_table(RING, photo))
        told = evening.hub.newest("reading")["answer"]
        assert (told["sheet"]["photos"], told["questions"], told["certain"]) == ([], [], True)
        assert "valid" not in str(told)

    @pytest.mark.parametrize(
        ("steps", "expected"),
        [([(0, 1)], []), ([(0, 4)], ["named"]), ([(0, 1), (0, 1)], ["undone-swap"])],
        ids=["neighbours", "not neighbours", "undone"],
    )
    def test_an_illegal_or_undone_swap_is_named(
        self, steps: list[tuple[int, int]], expected: list[str], evening: Evening, tables: Any
    ) -> None:
        foto(evening)
        ring = list(RING)
        evening.lay(FOTO, tables.ring_table(ring))
        for a, b in steps:
            ring[a], ring[b] = ring[b], ring[a]
            evening.lay(FOTO, tables.ring_table(ring))
        rules = [problem["rule"] for problem in evening.hub.newest("reading")["answer"]["problems"]]
        assert len(rules) == len(expected)
        assert expected in ([], ["named"]) or rules == expected

    def test_a_taken_photo_is_not_taken_again(self, evening: Evening, tables: Any) -> None:
        foto(evening)
        evening.lay(FOTO, tables.ring_table(RING, RING[:3]))
        evening.post("/api/game/claim", player="p1")
        assert evening.post("/api/game/claim", 409, player="p2")["rule"] == "no-photo"

    @pytest.mark.parametrize("taken_away", [True, False], ids=["taken away first", "laid over it"])
    def test_the_next_photo_in_its_place_can_be_claimed(self, taken_away: bool, evening: Evening, tables: Any) -> None:
        foto(evening)
        evening.lay(FOTO, tables.ring_table(RING, RING[:3]))
        evening.post("/api/game/claim", player="p1")
        if taken_away:
            evening.lay(FOTO, tables.ring_table(RING))
        evening.lay(FOTO, tables.ring_table(RING, RING[1:4]))
        assert evening.post("/api/game/claim", player="p2")["valid"] is True
        assert evening.game["board"]["taken"]["p2"]["3"] == 1

    def test_a_claim_that_was_taken_back_can_be_made_again(self, evening: Evening, tables: Any) -> None:
        foto(evening)
        evening.lay(FOTO, tables.ring_table(RING, RING[:3]))
        evening.post("/api/game/claim", player="p1")
        evening.post("/api/game/undo")
        assert evening.post("/api/game/claim", player="p2")["valid"] is True

    def test_a_word_on_a_card_that_has_left_holds_up_nothing(self, evening: Evening, tables: Any) -> None:
        foto(evening)
        evening.lay(FOTO, tables.doubtful(tables.ring_table(RING), 1, ("zebra", 0.6), ("giraffe", 0.4)))
        evening.post("/api/game/answer", piece=1, choice="giraffe")
        without = tables.ring_table(RING)
        answer = evening.lay(FOTO, replace(without, pieces=tuple(p for p in without.pieces if p.id != 1)))
        assert len(answer["pieces"]) == 11

    def test_the_last_photo_wins(self, evening: Evening, tables: Any) -> None:
        foto(evening, options={"goal": {"3": 1}})
        evening.lay(FOTO, tables.ring_table(RING, RING[:3]))
        evening.post("/api/game/claim", player="p2")
        assert (evening.game["finished"], evening.game["winners"]) == (True, ["p2"])
        assert evening.post("/api/game/claim", 409, player="p1")["rule"] == "game-over"

    @pytest.mark.parametrize(
        ("player", "said"), [("p9", "who called"), ("p1", "no photo card")], ids=["a stranger", "no photo"]
    )
    def test_what_is_no_claim(self, player: str, said: str, evening: Evening, tables: Any) -> None:
        foto(evening)
        evening.lay(FOTO, tables.ring_table(RING))
        assert said in evening.post("/api/game/claim", 409, player=player)["error"]

    def test_a_disputed_claim_waits_for_its_question(self, evening: Evening, tables: Any) -> None:
        foto(evening)
        ring = [*RING[:6], "zebra", "elephant", "giraffe", "zebra", "elephant", "zebra"]  # the photo is there but once
        table = tables.doubtful(tables.ring_table(ring, ring[:3]), 1, ("zebra", 0.6), ("giraffe", 0.4))
        evening.lay(FOTO, table)
        claim = evening.post("/api/game/claim", player="p1")
        assert (claim["valid"], [q["piece"] for q in claim["answer"]["questions"]]) == (None, [1])
        evening.post("/api/game/answer", piece=1, choice="zebra")
        assert evening.hub.newest("claim")["valid"] is True
        assert evening.game["board"]["taken"]["p1"]["3"] == 1


TILES = {
    "lion": (200.0, 200.0), "gazelle": (270.0, 200.0), "fox": (200.0, 270.0), "wolf": (270.0, 270.0),
    "footprints": (235.0, 130.0), "kudu": (430.0, 200.0), "tiger": (430.0, 270.0),
}  # fmt: skip
INSIDE = (235.0, 200.0, 120.0)


class TestStringSafari:
    """Turns, markers, the end."""

    def test_a_turn_is_scored_as_the_string_lies(self, evening: Evening, tables: Any) -> None:
        string(evening)
        evening.lay(STRING, tables.string_table(TILES, INSIDE, {"gazelle": "red"}))
        assert evening.post("/api/game/turn", 409)["rule"] == "no-target"
        evening.post("/api/game/aim", target="carnivore:3")
        assert evening.live.reading is not None
        assert evening.live.reading.answer is not None
        points = evening.live.reading.answer["sheet"]["turn"]["points"]
        board = evening.post("/api/game/turn")["game"]["board"]
        assert (board["coins"]["red"], board["turn"], board["marked"]["red"]) == (points, "blue", ["gazelle"])
        assert points > 0
        assert (board["markers"]["red"], board["aim"]) == (5, None)

    def test_a_marker_that_was_not_seen_is_told(self, evening: Evening, tables: Any) -> None:
        string(evening)
        answer = evening.lay(STRING, tables.string_table(TILES, INSIDE))
        evening.post("/api/game/aim", target="all:1")
        assert evening.post("/api/game/turn", 409)["rule"] == "marker-where"
        assert evening.post("/api/game/turn", 409, marked=99)["rule"] == "marker-where"
        tile = next(p["id"] for p in answer["pieces"] if p["label"] == "footprints")
        board = evening.post("/api/game/turn", marked=tile)["game"]["board"]
        assert (board["marked"]["red"], board["two_tiles"]) == (["footprints"], ["red"])

    def test_a_touching_string_scores_nothing_yet(self, evening: Evening, tables: Any) -> None:
        string(evening)
        evening.lay(STRING, tables.string_table(TILES, (235.0, 200.0, 75.0)))
        evening.post("/api/game/aim", target="all:1")
        assert evening.post("/api/game/turn", 409)["rule"] == "illegal"

    @pytest.mark.parametrize("marked", ["gazelle", "footprints", None], ids=["marker", "footprints", "no marker"])
    def test_a_turn_that_cannot_be_read_is_typed(self, evening: Evening, marked: str | None) -> None:
        string(evening)
        game = evening.post("/api/game/turn/typed", points=7, marked=marked)["game"]
        board, entry = game["board"], game["log"][-1]
        assert (board["coins"]["red"], board["turn"]) == (7, "blue")
        assert (board["marked"]["red"], board["two_tiles"]) == (
            [marked] if marked else [],
            ["red"] * (marked == "footprints"),
        )
        assert entry["values"]["typed"]
        assert evening.post("/api/game/undo")["game"]["board"]["coins"]["red"] == 0

    @pytest.mark.parametrize(
        ("told", "status"),
        [
            ({"points": -1}, 422),
            ({"points": 2.5}, 422),
            ({"points": 10**9}, 422),
            ({}, 422),
            ({"points": 3, "marked": "unicorn"}, 409),
        ],
        ids=["below zero", "half a point", "too many", "no points", "no such animal"],
    )
    def test_what_no_turn_can_be_is_not_recorded(self, evening: Evening, told: dict[str, Any], status: int) -> None:
        string(evening)
        evening.post("/api/game/turn/typed", status, **told)
        assert evening.game["board"]["turn"] == "red"

    def test_the_end_is_scored_from_markers_coins_and_research(self, evening: Evening, tables: Any) -> None:
        string(evening)
        marked = {"lion": "red", "fox": "blue", "kudu": "yellow"}
        evening.lay(STRING, tables.string_table(TILES, INSIDE))
        for _ in range(18):
            evening.post("/api/game/aim", target="all:1")
            evening.post("/api/game/turn", marked=None)
        assert (evening.game["board"]["phase"], evening.game["board"]["turn"]) == ("final", None)
        evening.lay(STRING, tables.string_table(TILES, None, marked))
        assert "research" in evening.post("/api/game/final", 409)["error"]
        for player, research in (("red", 5), ("blue", 0), ("yellow", 2)):
            evening.post("/api/game/stash", player=player, research=research)
        evening.post("/api/game/stash", player="blue", coins=200)
        game = evening.post("/api/game/final")["game"]
        sheet = next(e for e in game["log"] if e["what"] == "FinalScored")["values"]["sheet"]["players"]
        assert sheet["red"]["coins"] == game["board"]["coins"]["red"]
        assert game["board"]["totals"] == {player: part["total"] for player, part in sheet.items()}
        assert (game["finished"], game["winners"]) == (True, ["blue"])

    def test_what_is_asked_of_a_photographed_stash_is_answered_once_a_photograph(
        self, evening: Evening, tables: Any
    ) -> None:
        string(evening)
        evening.lay(STRING, tables.string_table(TILES, INSIDE))
        for _ in range(18):
            evening.post("/api/game/aim", target="all:1")
            evening.post("/api/game/turn", marked=None)
        evening.lay(STRING, tables.string_table(TILES, None, {"lion": "red"}))
        for player in ("blue", "yellow"):
            evening.post("/api/game/stash", player=player, research=0)
        coin = Piece(0, "coin", "5", BESIDE, probability=0.9999, candidates=(("5", 0.9999), ("2", 0.0001)))
        picture = cv2.imencode(".png", evening.eyes.picture(STRING, Table((coin,))))[1].tobytes()
        for _ in range(2):  # a word on one photograph is none on the next
            asked = evening.client.post(
                "/api/game/stash/picture?player=red", content=picture, headers={"x-safari-table": "1"}
            )
            assert asked.status_code == 200, asked.text
            assert "Is this what each player has?" in evening.post("/api/game/final", 409)["error"]
            evening.post("/api/game/answer", piece="stashes", choice="as counted")
        evening.post("/api/game/answer", 409, piece="stashes", choice="perhaps")
        evening.post("/api/game/answer", piece="coins:red", choice="7")
        evening.post("/api/game/answer", 409, piece="coins:red", choice="many")
        game = evening.post("/api/game/final")["game"]
        sheet = next(e for e in game["log"] if e["what"] == "FinalScored")["values"]["sheet"]["players"]
        assert sheet["red"]["coins"] == 7


def test_a_game_goes_on_after_a_restart(evening: Evening, tables: Any) -> None:
    paper(evening)
    evening.lay(PAPER, tables.paper_table(LOW, HIGH))
    before = evening.post("/api/game/round")["game"]
    after = tables.reopened(evening)
    assert after == before


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"game": "chess", "players": [{"name": "A"}]}, "game"),
        ({"game": PAPER, "players": []}, "players"),
        ({"game": STRING, "players": [{"name": "A", "colour": "red"}]}, "players"),
        ({"game": STRING, "players": [{"name": str(k), "colour": "red"} for k in range(3)]}, "same marker"),
        ({"game": STRING, "players": [{"name": str(k)} for k in range(3)]}, "marker colour"),
        ({"game": PAPER, "players": [{"name": "A", "seat": 1}, {"name": "B", "seat": 1}]}, "same side"),
        ({"game": FOTO, "players": [{"name": "A"}, {"name": "B"}], "options": {"goal": {"x": 1}}}, "goal"),
        ({"game": FOTO, "players": [{"name": "A"}, {"name": "B"}], "options": {"goal": 7}}, "goal"),
        ({"game": FOTO, "players": [{"name": "A"}, {"name": "B"}], "options": {"option": 7}}, "house rules"),
        ({"game": FOTO, "players": [{"name": "A"}, {"name": "B"}], "options": {"option": {"reding": 1}}}, "reading?"),
    ],
    ids=[
        *("no such game", "nobody", "too few", "one colour twice", "no colour", "one side twice"),
        *("goal", "goal type", "house rules' type", "house rule"),
    ],
)
def test_a_game_that_cannot_be_is_refused(wish: dict[str, Any], said: str, evening: Evening) -> None:
    told = evening.client.post("/api/game/new", json=wish, headers={"x-safari-table": "1"})
    assert told.status_code in (409, 422)
    assert said in told.json()["error"].lower() or said in told.json()["error"]
    assert evening.get("/api/state")["game"] is None


WISH = '{"game": "kleine-fotosafari", "players": [{"name": "A"}, {"name": "B"}], %s}'


@pytest.mark.parametrize(
    "more",
    [
        '"options": {"goal": {"3": 1e999}}',
        '"options": {"goal": {"3": NaN}}',
        '"options": {"note": -Infinity}',
        '"options": {"note": "\\ud800"}',
        '"options": {"\\udfff": 1}',
        '"strings": {"\\ud800": "#000000"}',
        f'"options": {{"note": {"[" * 3000 + "]" * 3000}}}',
        f'"options": {{"note": {"[" * 400 + "1" + "]" * 400}}}',
    ],
    ids=["endless", "no number", "endless note", "broken text", "broken key", "broken name", "nested", "nested less"],
)
def test_what_cannot_be_kept_as_json_is_refused_and_the_next_game_is_kept(more: str, evening: Evening) -> None:
    headers = {"x-safari-table": "1", "content-type": "application/json"}
    told = evening.client.post("/api/game/new", content=WISH % more, headers=headers)
    assert told.status_code in (400, 422)
    assert told.json()["error"]
    foto(evening)
    assert evening.game["saved"]


def test_a_body_that_does_not_end_is_cut(evening: Evening) -> None:
    parts = (b'{"game": "', *(b"x" * 2**20 for _ in range(40)))
    headers = {"x-safari-table": "1", "content-type": "application/json"}
    told = evening.client.post("/api/game/new", content=iter(parts), headers=headers)
    assert (told.status_code, told.json()["error"]) == (413, "at most 24 MB can be sent")


def test_of_two_who_call_at_once_one_takes_the_photo(
    evening: Evening, tables: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    foto(evening)
    evening.lay(FOTO, tables.ring_table(RING, RING[:3]))
    read, both = evening.live.read_as_it_lies, threading.Barrier(2)

    def slowly(timeout_s: float) -> Any:
        with contextlib.suppress(threading.BrokenBarrierError):
            both.wait(0.5)  # two that are not judged one after the other meet here
        return read(timeout_s)

    monkeypatch.setattr(evening.live, "read_as_it_lies", slowly)
    told: list[int] = []

    def call(player: str) -> None:
        body = {"player": player}
        told.append(evening.client.post("/api/game/claim", json=body, headers={"x-safari-table": "1"}).status_code)

    callers = [threading.Thread(target=call, args=(player,)) for player in ("p1", "p2")]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(20)
    assert sorted(told) == [200, 409]
    assert sorted(photos["3"] for photos in evening.game["board"]["taken"].values()) == [0, 1]


def test_an_older_state_is_not_told_after_a_newer_one(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    string(evening)
    evidence, slow = evening.store.with_evidence, threading.Event()

    def held(game: str) -> frozenset[int]:
        if not slow.is_set():
            slow.set()
            time.sleep(0.3)
        return frozenset(evidence(game))

    monkeypatch.setattr(evening.store, "with_evidence", held)
    first = threading.Thread(target=evening.app_table.turns.type_turn, args=(1, None))
    first.start()
    assert slow.wait(10)
    evening.app_table.turns.type_turn(2, None)
    first.join(10)
    assert evening.hub.newest("game")["board"]["coins"] == {"red": 1, "blue": 2, "yellow": 0}


def test_a_misread_of_the_end_is_a_labelled_table(evening: Evening, tables: Any) -> None:
    string(evening)
    for _ in range(18):
        evening.post("/api/game/turn/typed", points=1)
    evening.lay(STRING, tables.string_table(TILES, None, {"lion": "red"}))
    coin = Piece(0, "coin", "5", BESIDE)
    picture = cv2.imencode(".png", evening.eyes.picture(STRING, Table((coin,))))[1].tobytes()
    asked = evening.client.post("/api/game/stash/picture?player=red", content=picture, headers={"x-safari-table": "1"})
    assert asked.status_code == 200
    evening.post("/api/misread")
    (table,) = truth.tables(Path(evening.store.path).parent / "misreads")
    assert [piece.label for piece in table.options["stash"]["red"]] == ["5"]


def test_the_record_can_be_taken_away(evening: Evening, tables: Any) -> None:
    begin(evening, PAPER, [{"name": "=cmd()", "seat": 0}, {"name": "Ben", "seat": 2}])
    evening.lay(PAPER, tables.paper_table(LOW, HIGH))
    evening.post("/api/game/round")
    told = evening.get("/api/game/export.json")
    assert [event["kind"] for event in told["events"]] == ["start", "act"]
    assert told["events"][0]["picture"] is None
    head, _, picture = told["events"][1]["picture"].partition(",")
    assert (head, base64.b64decode(picture)[:2]) == ("data:image/jpeg;base64", b"\xff\xd8")
    rows = evening.client.get("/api/game/export.csv").text.splitlines()
    assert rows[0] == "entry,at,what,taken back,text"
    assert "'=cmd() wins" in rows[2]
