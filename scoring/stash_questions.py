"""Doubts of one player's coins, asked in one question: how many points they make, which settles all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from scoring.certainty import Asked, Choice, Verdict
from scoring.final_readings import FinalReadings, Key
from scoring.readings import may_lie_below
from scoring.sheet import Question

SINGLY = 1
"""So many doubtful coins of a stash are asked about one by one, where all of it is seen; more in one question."""


def in_one(readings: FinalReadings, verdict: Verdict, questions: Sequence[Question]) -> tuple[Question, ...]:
    """Return the questions, those of a stash's coins in one where they are several or a coin may lie under another."""
    by_key = dict(zip((_key(readings, asked) for asked in verdict.asked), questions, strict=True))
    merged: list[Question] = []
    done: set[str] = set()
    for key, question in by_key.items():
        player = key[0]
        together = _together(readings, player, verdict)
        if question.piece not in {asked.doubt.about for asked in together}:
            merged.append(question)
        elif player not in done:
            done.add(player)
            merged.append(_of_coins(readings, player, verdict, together))
    return tuple(merged)


def _key(readings: FinalReadings, asked: Asked) -> Key:
    return readings.keys[readings.doubts.index(asked.doubt)]


def _together(readings: FinalReadings, player: str, verdict: Verdict) -> list[Asked]:
    """Return what is asked of a player's coins where that is one question, else nothing."""
    coins = {piece.id: piece for piece in readings.options.stashes.get(player, ()) if piece.kind == "coin"}
    mine = [asked for asked in verdict.asked if _key(readings, asked)[0] == player]
    mine = [asked for asked in mine if _key(readings, asked)[1] in coins]
    hidden = any(may_lie_below(coins[_key(readings, asked)[1]]) for asked in mine)
    return mine if hidden or len(mine) > SINGLY else []


def _of_coins(readings: FinalReadings, player: str, verdict: Verdict, together: Sequence[Asked]) -> Question:
    """Ask for a player's coins altogether, and say what was seen of them."""
    outcomes = tuple(outcome for asked in together for outcome in asked.outcomes)
    stakes = readings.stakes(outcomes)
    said = dict(zip(readings.keys, verdict.best, strict=True))
    text = f"How many points in coins has {player}? {counted(readings, player, said)} At stake: {stakes}."
    return Question(f"coins:{player}", (), stakes, text)


def counted(readings: FinalReadings, player: str, said: Mapping[Key, Choice]) -> str:
    """Say which coins were seen."""
    coins = [piece for piece in readings.options.stashes[player] if piece.kind == "coin"]
    labels = [said.get((player, piece.id), piece.label) for piece in coins]
    found = Counter(label for label in labels if label is not None)
    worth = readings.edition.coins
    listed = ", ".join(f"{n} × {label}" for label, n in sorted(found.items(), key=lambda each: -worth.get(each[0], 0)))
    points = sum(worth.get(label, 0) * n for label, n in found.items())
    if not found:
        return "None was read for sure."
    return f"Read: {listed}, {points} points, but not every coin is clear, or one may lie under another."
