"""String Safari tables: field, land and animal tiles, markers, and a research string in every legal and illegal way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from shapely.geometry import LineString, Polygon

from scoring.string_problems import MARKERS_EACH
from scoring.table import Piece, String, Table
from synth import loops, stash_scene
from synth.scene import Hand, Scene
from synth.textures import Rng
from synth.things import Outline, rectangle

VARIETIES = (
    "legal",
    "legal",
    "legal",
    "touching",
    "straddling",
    "open",
    "self-crossing",
    "edge",
    "children",
    "setup",
    "final",
    "final",
)
STASHES = "final, stashes"
MARKER_MM = 9.0
FINGER_MM = 15.0  # tiles lie at least a finger's breadth apart


def lay(seed: int, rng: Rng, hand: Hand, variety: str | None = None) -> Scene:
    """Lay one table: `variety` names what is special about it; None: any."""
    variety = variety or VARIETIES[rng.integers(len(VARIETIES))]
    width_mm = hand.deck.string_width_mm or float(rng.uniform(2.2, 3.4))
    size = hand.deck.edition.size_mm
    count = 10 if variety == "children" else int(rng.integers(18, 24))
    radius = float(np.hypot(*size) + FINGER_MM) * float(np.sqrt(count + 4)) * 0.56
    outlines = _places(rng, size, count, radius)
    field = loops.wobbly(rng, radius + max(size) * 0.75 + 18, (0.0, 0.0), 0.05)
    research, keep = (None, list(range(len(outlines))))
    if variety not in ("setup", "final", STASHES):
        research, keep = _research(rng, variety, outlines, field, width_mm)
    tiles = [_tile(hand, outlines[k], label) for k, label in zip(keep, _labels(hand, variety, len(keep)), strict=True)]
    strings = [_string("field", field, width_mm, True)]
    if research is not None:
        strings.append(_string("research", research, width_mm, variety != "open"))
    options = _options(rng, hand, variety, tiles)
    likely = {"final": 0.45, STASHES: 0.45, "setup": 0.0, "children": 0.12}.get(variety, 0.12)
    players = options["players"] if variety in ("final", STASHES) else list(hand.deck.edition.markers)
    cubes = _markers(rng, hand, tiles, players, likely)  # type: ignore[arg-type]  # _options lists them
    table = Table((*tiles, *cubes), tuple(strings))
    box = _research_box(rng, hand)
    beside = _row(rng, hand, radius, box) if rng.random() < 0.3 else ()
    if variety == STASHES or (variety == "final" and rng.random() < 0.6):
        stashes = {str(p): stash_scene.lay(rng, hand, box) for p in options["players"]}  # type: ignore[attr-defined]  # a list by _options
        options = {k: v for k, v in options.items() if k not in ("coins", "research")}
        return Scene("string-safari", seed, STASHES, table, options, beside, stashes)
    return Scene("string-safari", seed, variety, table, options, beside)


def _places(rng: Rng, size: tuple[float, float], count: int, radius: float) -> list[Outline]:
    """Scatter tiles a finger's breadth apart."""
    outlines: list[Outline] = []
    shapes: list[Polygon] = []
    for _ in range(6000):
        if len(outlines) == count:
            break
        turn, r = rng.uniform(0, 2 * np.pi), radius * np.sqrt(rng.random())
        outline = rectangle((float(r * np.cos(turn)), float(r * np.sin(turn))), size, float(rng.uniform(0, 360)))
        shape = Polygon(outline)
        if all(shape.distance(other) > FINGER_MM for other in shapes):
            outlines.append(outline)
            shapes.append(shape)
    return outlines


def _labels(hand: Hand, variety: str, count: int) -> list[str]:
    """Choose the tiles: all the land tiles and animals for the rest; the children's game has animals alone."""
    faces = hand.deck.edition.faces
    lands = [label for label, face in faces.items() if face.land is not None for _ in range(face.count)]
    animals = [label for label, face in faces.items() if face.food is not None]
    lands = [] if variety == "children" else lands[: max(0, count - 1)]
    order = hand.rng.permutation(len(animals))
    chosen = [*lands, *(animals[order[i % len(order)]] for i in range(count - len(lands)))]
    return [chosen[i] for i in hand.rng.permutation(count)]


def _tile(hand: Hand, outline: Outline, label: str) -> Piece:
    up = outline[0] + outline[1] - outline[2] - outline[3]
    centre = outline.mean(0)
    up_deg = float(np.rad2deg(np.arctan2(up[1], up[0])))
    return hand.lay("tile", label, (float(centre[0]), float(centre[1])), hand.deck.edition.size_mm, up_deg)


def _string(name: str, path: Outline, width_mm: float, closed: bool) -> String:
    return String(name, closed, tuple((float(x), float(y)) for x, y in path), width_mm)


def _research(
    rng: Rng, variety: str, outlines: list[Outline], field: Outline, width: float
) -> tuple[Outline, list[int]]:
    """Draw the research string, and say which tiles stay: in a legal table those that it would touch are left out."""
    centres = np.array([o.mean(0) for o in outlines])
    start = centres[rng.integers(len(centres))]
    near = np.argsort(np.hypot(*(centres - start).T))[: int(rng.integers(2, 7))]
    clear = width / 2 + float(rng.choice([0.6, 1.5, 4.0, 8.0])) + float(rng.uniform(0, 2))
    path = loops.around([outlines[k] for k in near], clear)
    if variety == "edge":
        outer = int(np.hypot(*centres.T).argmax())  # next to the field string, so that nothing lies between
        near = np.array([outer])
        path = _reaching(loops.around([outlines[outer]], clear + 5), field)
    everyone = list(range(len(outlines)))
    apart = [k for k in everyone if LineString([*path, path[0]]).distance(Polygon(outlines[k])) > width / 2 + 0.4]
    if variety in ("touching", "straddling"):
        victim = int(near[rng.integers(len(near))])
        path = _pressed(path, outlines[victim], width, deep=variety == "straddling")
        apart = sorted({*apart, victim})
    if variety == "self-crossing":
        path = loops.crossed(path) if rng.random() < 0.5 else loops.looped(path, rng, float(rng.uniform(6, 14)))
        apart = [k for k in everyone if LineString([*path, path[0]]).distance(Polygon(outlines[k])) > width / 2 + 0.4]
    if variety == "open":
        path = loops.opened(path, rng, float(rng.uniform(15, 60)))
    return path, apart


def _pressed(path: Outline, victim: Outline, width: float, *, deep: bool) -> Outline:
    """Push the string onto a tile that it surrounds: over its rim, or through its middle."""
    centre = victim.mean(0)
    gap = np.hypot(*(path - centre).T)
    nearest = int(gap.argmin())
    reach = np.minimum(np.abs(np.arange(len(path)) - nearest), len(path) - np.abs(np.arange(len(path)) - nearest))
    side = float(np.hypot(*(victim[1] - victim[0])))
    weight = np.exp(-((reach * loops.STEP_MM / (side * 0.6)) ** 2))[:, None]
    target = 0.0 if deep else side / 2 - width * 0.2
    pull = (centre - path[nearest]) / max(float(gap[nearest]), 1e-9) * max(0.0, float(gap[nearest]) - target)
    return loops.smoothed(path + pull * weight, 3)


def _reaching(path: Outline, field: Outline) -> Outline:
    """Draw the string out to the nearest place of the field string, so that their bands meet."""
    gaps = np.hypot(path[:, None, 0] - field[None, :, 0], path[:, None, 1] - field[None, :, 1])
    here, there = np.unravel_index(int(gaps.argmin()), gaps.shape)
    reach = np.minimum(np.abs(np.arange(len(path)) - here), len(path) - np.abs(np.arange(len(path)) - here))
    weight = np.exp(-((reach * loops.STEP_MM / (8 + 0.4 * gaps.min())) ** 2))[:, None]
    return loops.smoothed(path + (field[there] - path[here]) * 1.02 * weight, 2.5)


def _markers(rng: Rng, hand: Hand, tiles: list[Piece], players: list[str], likely: float) -> list[Piece]:
    """Stand cubes on some of the tiles that may bear one: animals, and footprints; no player's beyond what he has."""
    cubes: list[Piece] = []
    hands = [player for player in players for _ in range(MARKERS_EACH[len(players)])]
    hands = [hands[i] for i in rng.permutation(len(hands))]
    for tile in tiles:
        if hand.deck.edition.faces[str(tile.label)].land in (None, "footprints") and hands and rng.random() < likely:
            x, y = tile.centre_mm
            place = x + float(rng.uniform(-8, 8)), y + float(rng.uniform(-8, 8))
            cube = hand.lay("marker", hands.pop(), place, (MARKER_MM, MARKER_MM), float(rng.uniform(0, 360)))
            cubes.append(replace(cube, on=tile.id))
    return cubes


def _options(rng: Rng, hand: Hand, variety: str, tiles: list[Piece]) -> dict[str, object]:
    """Say what was asked of the table."""
    edition = hand.deck.edition
    players = [str(p) for p in rng.permutation(list(edition.markers))[: int(rng.integers(3, 6))]]
    if variety == "setup":
        return {"setup": True, "players": len(players)}
    if variety in ("final", STASHES):
        return {
            "final": True,
            "players": players,
            "coins": {p: int(rng.integers(0, 40)) for p in players},
            "research": {p: int(rng.integers(0, 9)) for p in players},
        }
    if variety == "children":
        return {"children": True, "placed": str(tiles[rng.integers(len(tiles))].label)}
    tile = list(edition.research.values())[rng.integers(len(edition.research))] if edition.research else None
    told: dict[str, object] = {"turn": players[0], "target": tile.target if tile else "all:1"}
    if variety == "edge" or (tile and tile.condition):
        told["condition"] = "edge" if variety == "edge" else tile.condition if tile else None
    return told


def _research_box(rng: Rng, hand: Hand) -> list[str]:
    """Return all research tiles of the box, shuffled."""
    tiles = [name for name, tile in hand.deck.edition.research.items() for _ in range(tile.count)]
    return [tiles[i] for i in rng.permutation(len(tiles))]


def _row(rng: Rng, hand: Hand, radius: float, box: list[str]) -> tuple[Piece, ...]:
    """Lay the open row of research tiles outside the field, taken out of the box (in place)."""
    size = stash_scene.RESEARCH_MM
    return tuple(
        hand.lay(
            "research",
            box.pop(),
            (radius * 1.35 + size * 2, (k - 1.5) * (size + 8)),
            (size, size),
            90 + float(rng.normal(0, 5)),
        )
        for k in range(min(4, len(box)))
    )
