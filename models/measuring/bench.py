"""Measure what reading, serving and keeping cost: `safari-table bench`. docs/measuring.md says how to read it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from decks.deck import Deck
from measuring import growth, page, rival, subjects, viewers
from measuring.charts import chart
from measuring.footprint import first_page, run
from measuring.growth import Growth
from measuring.live import lived
from measuring.stages import costs
from measuring.stopwatch import alternating
from measuring.subjects import Image
from service.cli import Refused
from service.gallery import samples
from service.reading import seen_in
from service.schemas import piece_json
from service.statuses import CERTAIN
from vision.recogniser import Recogniser
from vision.strings import follow, trace

Figures = dict[str, Any]

ROUNDS = 5
CARDS = 30
TALLIED = 1000


def stages() -> Figures:
    """Return each stage's cost on a table of 30 cards, and on one with strings."""
    image, deck = subjects.cards(CARDS)
    strung, string_deck = subjects.strings()
    return {
        f"{CARDS} cards": costs(image, deck, Recogniser(deck), ROUNDS).to_json(),
        "tiles, markers and two strings": costs(strung, string_deck, Recogniser(string_deck), ROUNDS).to_json(),
        **following(strung, string_deck),
    }


def following(image: Image, deck: Deck) -> Figures:
    """Return what tracing both strings anew costs, and what finding them again in the next frame does."""
    laid = trace(image, deck.string_colours)
    works = {
        "strings, traced anew": lambda: trace(image, deck.string_colours),
        "strings, followed": lambda: [follow(one, image) for one in laid],
    }
    return {name: spent.to_json() for name, spent in alternating(works, ROUNDS).items()}


def against() -> Figures:
    """Return our whole read beside Ultralytics' predict, on the same frame, turn by turn."""
    if not rival.installed():
        return {"compared": rival.MISSING}
    image, deck = subjects.cards(CARDS)
    recogniser, predict = Recogniser(deck), rival.predictor()
    ours, theirs = f"ours: the whole read of {CARDS} cards", "ultralytics predict alone"
    times = alternating({ours: lambda: seen_in(image, deck, recogniser), theirs: lambda: predict(image)}, ROUNDS)
    wall = times[ours].wall_ms / times[theirs].wall_ms
    cpu = times[ours].cpu_ms / times[theirs].cpu_ms
    told = {name: spent.to_json() for name, spent in times.items()}
    return {"compared": rival.WHAT, **told, "ratio": {"wall": round(wall, 2), "cpu": round(cpu, 2)}}


def footprint() -> Figures:
    """Return start-up and memory of fresh processes."""
    found: Figures = {"safari-table --help": run("--help").to_json()}
    for sample in samples():
        words = ("score", str(sample.picture), "--game", sample.game, "--json")
        turn = [word for key, value in sample.options.items() for word in (f"--{key}", str(value))]
        found[f"score, {sample.game}"] = run(*words, *turn).to_json()
    found[f"tally, {TALLIED} tables of Paper Safari"] = tallied().to_json()
    found["demo, to the first page"] = first_page()
    return found


def tallied() -> Any:
    """Return what judging many tables takes."""
    import tempfile

    _, deck = subjects.cards(1)
    rows = []
    for seed in range(TALLIED):
        table = subjects.laid(deck, 12, seed)
        rows.append(json.dumps({"game": "paper-safari", "pieces": [piece_json(p, None) for p in table.pieces]}))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tables.json"
        path.write_text("\n".join(rows), encoding="utf-8")
        return run("tally", str(path))


def watching() -> Figures:
    """Return what the live table costs, and how it grows with viewers."""
    if not viewers.measurable():
        return {"skipped": viewers.ONLY_LINUX}
    cost, frames = viewers.over_viewers()
    return {"table": lived().to_json(), "viewers": cost.to_json(), "frames": frames.to_json()}


def growing() -> Figures:
    """Return how cost grows with pieces, pixels and events."""
    kept = {f"events, to {name}": found for name, found in growth.over_events().items()}
    series: dict[str, Growth] = {"pieces": growth.over_pieces(), "pixels": growth.over_pixels(), **kept}
    return {name: found.to_json() for name, found in series.items()}


PARTS: Mapping[str, Callable[[], Figures]] = {
    "stages": stages, "against": against, "footprint": footprint, "growth": growing, "live": watching,
}  # fmt: skip


def run_bench(only: str | None, json_out: Path | None, html_out: Path | None) -> int:
    """Measure the parts asked for, in order; return the exit status. Refused."""
    wanted = [name.strip() for name in only.split(",")] if only else list(PARTS)
    unknown = sorted(set(wanted) - set(PARTS))
    if unknown:
        raise Refused(f"--only {only}: {', '.join(unknown)} is none of {', '.join(PARTS)}")
    found: Figures = {}
    for name in wanted:
        found[name] = PARTS[name]()
        click.echo("\n".join(lines(name, found[name])))
    try:
        if json_out is not None:
            json_out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        if html_out is not None:
            html_out.write_text(html(found), encoding="utf-8")
    except OSError as error:
        raise Refused(f"{error.filename}: cannot be written: {error.strerror}") from None
    return CERTAIN


def lines(part: str, figures: Any) -> list[str]:
    """Return figures as text, a line a value or small mapping."""
    if not isinstance(figures, Mapping):
        return [f"{part}: {page.cell(figures)}"]
    if all(not isinstance(value, Mapping) for value in figures.values()):
        return [f"{part}: " + ", ".join(f"{key} {page.cell(value)}" for key, value in figures.items())]
    return [line for key, value in figures.items() for line in lines(f"{part} · {key}", value)]


def html(found: Figures) -> str:
    """Return the report as one page, with a plot of each growth."""
    parts: list[str] = []
    for part, figures in found.items():
        parts.append(page.heading(part))
        parts.append(page.charts(_plots(figures)))
        told = [line.split(": ", 1) for key, value in figures.items() for line in lines(key, value)]
        parts.append(page.table(["what", "figures"], told, words=True))
    return page.page("Safari Table: what it costs", parts)


def _plots(figures: Mapping[str, Any]) -> list[str]:
    plots = []
    for name, told in figures.items():
        if isinstance(told, Mapping) and "points" in told:
            slope = f"{name}: {told['each']} each, power {told['power']}"
            plots.append(chart(slope, told["what"], told["unit"], {name: told["points"]}, log=True))
    return plots
