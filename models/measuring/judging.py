"""A reading against the truth: which piece is which, and whether the game's own answer is right. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from measuring.truth import Array, TruePiece, TrueTable

NEAR, NEAR_MARKER = 0.4, 1.2
"""A piece is found where a find's centre lies within this share of its side; a marker's side is a few px."""


@dataclass(frozen=True)
class Verdict:
    """`right`: the whole answer. `scored`: what decides the game (totals, verdict, legality, enclosure, points)."""

    right: bool
    scored: bool
    why: str = ""


def paired(truth: Sequence[TruePiece], found: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    """Pair true pieces with the nearest find of a like kind, by their indices; each find once."""
    pairs: dict[int, int] = {}
    centres = [np.asarray(f["corners_px"], float).mean(0) for f in found]
    for i, piece in enumerate(truth):
        marker = piece.kind == "marker"
        reach = (NEAR_MARKER if marker else NEAR) * float(np.linalg.norm(piece.corners_px[1] - piece.corners_px[0]))
        off = {
            j: float(np.linalg.norm(centres[j] - piece.corners_px.mean(0)))
            for j in set(range(len(found))) - set(pairs.values())
            if (found[j]["kind"] == "marker") == marker
        }
        nearest = min(off, key=lambda j: off[j], default=None)
        if nearest is not None and off[nearest] < reach:
            pairs[i] = nearest
    return pairs


def labelled(piece: TruePiece, found: Mapping[str, Any]) -> bool:
    """Tell whether a find bears its piece's label; a photo card's animals are judged with the sheet."""
    return piece.kind == "photo" or found["label"] == piece.label


def upright(piece: TruePiece, corners_px: Array) -> bool:
    """Tell whether the printed top-left corner comes first."""
    return int(np.linalg.norm(corners_px - piece.corners_px[0], axis=1).argmin()) == 0


def corner_errors(piece: TruePiece, corners_px: Array) -> list[float]:
    """Return how far off each corner is, in px, whichever comes first."""
    gaps = np.linalg.norm(piece.corners_px[:, None] - corners_px[None], axis=2)
    return [float(v) for v in gaps.min(1)]


def judge(truth: TrueTable, got: Mapping[str, Any]) -> Verdict:
    """Judge an answer as `score --json` writes it."""
    pairs = paired(truth.pieces, got["pieces"])
    if truth.answer is None:
        wrong = [
            p.label for i, p in enumerate(truth.pieces) if i not in pairs or not labelled(p, got["pieces"][pairs[i]])
        ]
        return Verdict(not wrong, not wrong, f"not read as {', '.join(map(str, wrong))}" if wrong else "")
    return {"paper-safari": _paper, "kleine-fotosafari": _foto, "string-safari": _string}[truth.game](truth, got, pairs)


def _paper(truth: TrueTable, got: Mapping[str, Any], pairs: Mapping[int, int]) -> Verdict:
    players, wanted = got["sheet"]["players"], truth.answer
    if len(players) != len(wanted):
        return Verdict(False, False, f"{len(players)} grids, {len(wanted)} true")
    owner = {got["pieces"][j]["id"]: truth.pieces[i].seat for i, j in pairs.items()}
    right = scored = True
    why = []
    for player in players:
        want = _same_player(player, owner, wanted)
        if want is None:
            return Verdict(False, False, "a grid of no player")
        turned = [row[::-1] for row in player["grid"][::-1]]
        if want["grid"] not in (player["grid"], turned):
            right = False
            why.append(f"grid {player['grid']} for {want['grid']}")
        if player["total"] != want["total"]:
            right = scored = False
            why.append(f"total {player['total']} for {want['total']}")
    return Verdict(right, scored, "; ".join(why))


def _same_player(
    player: Mapping[str, Any], owner: Mapping[int, int | None], wanted: Sequence[Mapping[str, Any]]
) -> Mapping[str, Any] | None:
    """Return the true grid that most of a grid's cards belong to; by its seat where the truth does not say whose."""
    seats = Counter(owner[k] for row in player["pieces"] for k in row if owner.get(k) is not None)
    seat = seats.most_common(1)[0][0] if seats else player["seat"]
    return next((want for want in wanted if want["seat"] == seat), None)


def _foto(truth: TrueTable, got: Mapping[str, Any], pairs: Mapping[int, int]) -> Verdict:
    want, ring, photos = truth.answer, got["sheet"]["ring"], got["sheet"]["photos"]
    turns = [ring[k:] + ring[:k] for k in range(max(len(ring), 1))]
    if "photo" not in want:  # nobody had claimed one
        return Verdict(want["ring"] in turns, True, "" if want["ring"] in turns else f"ring {ring} for {want['ring']}")
    if len(photos) != 1:
        return Verdict(False, False, f"{len(photos)} photo cards")
    verdict = photos[0]["valid"] == want["valid"]
    why = [
        text
        for wrong, text in (
            (not verdict, f"verdict {photos[0]['valid']} for {want['valid']}"),
            (want["ring"] not in turns, f"ring {ring} for {want['ring']}"),
            (photos[0]["sequence"] != want["photo"], f"photo {photos[0]['sequence']} for {want['photo']}"),
        )
        if wrong
    ]
    return Verdict(not why, verdict, "; ".join(why))


def _string(truth: TrueTable, got: Mapping[str, Any], pairs: Mapping[int, int]) -> Verdict:
    want, sheet = truth.answer, got["sheet"]
    if "players" in want:
        return _final(want["players"], sheet["players"])
    if sheet["legal"] != want["legal"]:
        return Verdict(False, False, f"legal {sheet['legal']} for {want['legal']}")
    ids = {truth.pieces[i].id: got["pieces"][j]["id"] for i, j in pairs.items()}
    inside = {ids.get(k, f"missed {k}") for k in want["enclosed"]}
    if want["legal"] and inside != set(sheet["enclosed"]):
        return Verdict(False, False, f"enclosed {_sorted(sheet['enclosed'])} for {_sorted(inside)}")
    points = (sheet.get("turn") or {}).get("points")
    same = points == want["turn_points"]
    return Verdict(same, same, "" if same else f"points {points} for {want['turn_points']}")


def _final(want: Mapping[str, Any], players: Mapping[str, Any]) -> Verdict:
    """Judge the end of String Safari: every player's total."""
    wrong = [
        f"{name}: {players.get(name, {}).get('total')} for {held['total']}"
        for name, held in want.items()
        if players.get(name, {}).get("total") != held["total"]
    ]
    return Verdict(not wrong, not wrong, "; ".join(wrong))


def _sorted(values: Any) -> list[str]:
    return sorted(str(v) for v in values)
