"""Stashes of coins and research tiles, asked about in as few questions as can be.

How many points one player's coins make settles all doubts of them; whether all was seen is asked of all together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from scoring.answers import COUNTED, STASHES
from scoring.certainty import Asked, Choice, Verdict
from scoring.final_readings import FinalReadings, Key
from scoring.options import Options
from scoring.readings import may_be_none
from scoring.sheet import Question
from scoring.string_field import Named
from scoring.string_final import animal_lines, photographed

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


def confirmation(readings: FinalReadings, verdict: Verdict, asked: Sequence[Question]) -> tuple[Question, ...]:
    """Ask once whether what was read in photographs is all that lies there: a coin under another is never seen."""
    options, said = readings.options, dict(zip(readings.keys, verdict.best, strict=True))
    told = {*(f"coins:{p}" for p in options.coins), *(f"research:{p}" for p in options.research)}
    told |= {str(question.piece) for question in asked}
    told |= {f"research:{p}" for p in options.players if options.children}
    shown = [p for p in options.players if photographed(p, options)]
    players = [p for p in shown if not {f"coins:{p}", f"research:{p}"} <= told]
    if options.as_counted is not None or not players:
        return ()
    named = readings.named(verdict.best)
    each = "; ".join(f"{p}: {counted(readings, p, said)}{_marked(p, named, options)}" for p in players)
    text = f"Is this what each player has? {each}. A coin under another is not seen."
    changes = " and ".join(f"the total of {player}" for player in players)
    return (Question(STASHES, tuple(COUNTED), changes, text),)


def _key(readings: FinalReadings, asked: Asked) -> Key:
    return readings.keys[readings.doubts.index(asked.doubt)]


def _together(readings: FinalReadings, player: str, verdict: Verdict) -> list[Asked]:
    """Return what is asked of a player's coins where that is one question, else nothing."""
    coins = {piece.id: piece for piece in readings.options.stashes.get(player, ()) if piece.kind == "coin"}
    mine = [asked for asked in verdict.asked if _key(readings, asked)[0] == player]
    mine = [asked for asked in mine if _key(readings, asked)[1] in coins]
    hidden = any(may_be_none(coins[_key(readings, asked)[1]]) for asked in mine)
    return mine if hidden or len(mine) > SINGLY else []


def _of_coins(readings: FinalReadings, player: str, verdict: Verdict, together: Sequence[Asked]) -> Question:
    """Ask for a player's coins altogether, and say what was seen of them."""
    outcomes = tuple(outcome for asked in together for outcome in asked.outcomes)
    stakes = readings.stakes(outcomes)
    said = dict(zip(readings.keys, verdict.best, strict=True))
    seen = f"Read: {counted(readings, player, said)}, but not every coin is clear, or one may lie under another."
    text = f"How many points in coins has {player}? {seen} At stake: {stakes}."
    return Question(f"coins:{player}", (), stakes, text)


def _marked(player: str, named: Named, options: Options) -> str:
    """Say how many animals with a player's marker were read."""
    lines = () if options.children else animal_lines(player, named)[0]
    return f", {_of(len(lines), 'animal')} with {sum(line.points for line in lines)}" if lines else ""


def counted(readings: FinalReadings, player: str, said: Mapping[Key, Choice]) -> str:
    """Say what was read in a player's stash."""
    edition, stash = readings.edition, readings.options.stashes[player]
    labels = [(p.kind, said.get((player, p.id), p.label)) for p in stash]
    coins = Counter(label for kind, label in labels if kind == "coin" and label is not None)
    worth = {label: edition.coins.get(label, 0) for label in coins}
    listed = [f"{coins[label]} × {label}, " for label in sorted(coins, key=lambda each: -worth[each])]
    told = f"{''.join(listed)}{sum(worth[label] * n for label, n in coins.items())} points in coins"
    tiles = [edition.research[label].points for _, label in labels if label is not None and label in edition.research]
    return told + (f", {_of(len(tiles), 'research tile')} with {sum(tiles)}" if tiles else "")


def _of(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
