"""An answer in words, for people who read a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def told(answer: Mapping[str, Any]) -> str:
    """Return the answer (the contract's JSON) as lines of text: the sheet with reasons, problems, questions."""
    sheet, game = answer["sheet"], answer["game"]
    if game == "paper-safari":
        lines = _paper(sheet)
    elif game == "kleine-fotosafari":
        lines = _foto(sheet)
    elif "players" in sheet:
        lines = _final(sheet)
    else:
        lines = _string(answer)
    lines += [f"problem: {p['message']}" for p in answer["problems"]]
    lines += [
        f"question ({q['changes']}): {q['message']}  --answer {q['piece']}={'|'.join(q['choices'])}"
        for q in answer["questions"]
    ]
    return "\n".join(lines)


def _reasons(lines: Any) -> list[str]:
    return [f"  {line['points']:+d}  {line['reason']}" for line in lines]


def _paper(sheet: Mapping[str, Any]) -> list[str]:
    out = []
    for player in sheet["players"]:
        total = player["total"] if player["complete"] else f"{player['visible_total']} so far"
        out += [f"seat {player['seat']}: {total}", *_reasons(player["lines"])]
    if sheet["winners"]:
        out.append("winner: " + ", ".join(f"seat {seat}" for seat in sheet["winners"]))
    return out


def _foto(sheet: Mapping[str, Any]) -> list[str]:
    out = ["ring: " + " ".join(str(label) for label in sheet["ring"])]
    for photo in sheet["photos"]:
        verdict = "is there" if photo["valid"] else "is not there"
        out += [
            f"photo {' '.join(photo['sequence'] or ['?'])}: {verdict}",
            *(f"  {line['reason']}" for line in photo["lines"]),
        ]
    return out


def _string(answer: Mapping[str, Any]) -> list[str]:
    sheet = answer["sheet"]
    names = {piece["id"]: piece["label"] for piece in answer["pieces"]}
    out = ["enclosed: " + (", ".join(str(names.get(k)) for k in sheet["enclosed"]) or "nothing")]
    if sheet["touching"]:
        out.append("touching: " + ", ".join(str(names.get(k)) for k in sheet["touching"]))
    out.append("the placement is " + ("legal" if sheet["legal"] else "not legal"))
    turn = sheet.get("turn")
    if turn:
        out += [
            f"{turn['player']}: {'no points' if turn['points'] is None else turn['points']}",
            *_reasons(turn["lines"]),
        ]
    return out


def _final(sheet: Mapping[str, Any]) -> list[str]:
    out = []
    for player, held in sheet["players"].items():
        out += [
            f"{player}: {held['total'] if held['total'] is not None else 'not known yet'}",
            *_reasons(held["lines"]),
        ]
    if sheet["winners"]:
        out.append("winner: " + ", ".join(sheet["winners"]))
    return out
