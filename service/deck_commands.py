"""`safari-table deck …`: decks made, filled from photographs, checked, printed, sent and received."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import NoReturn

import click
from click.exceptions import Exit

from service.statuses import CERTAIN, OPEN, UNUSABLE

A_PATH = click.Path(path_type=Path)
"""Whether it is there, and of the kind that is wanted, each command tells in words of its own."""


def fail(message: str) -> NoReturn:
    """End with the one line that says what is wrong and what to do."""
    click.echo(" ".join(message.split()), err=True)
    raise Exit(UNUSABLE)


@click.group(help="Decks: the folders that say how a game's pieces look and what they are worth.")
def deck() -> None:
    """Hold the commands."""


@deck.command("list")
def list_decks() -> None:
    """List the built-in decks: name, game, faces, pieces."""
    from decks.deck import BUILTIN, builtin_names
    from decks.manifest import read

    for name in builtin_names():
        manifest, faults = read(BUILTIN / name)
        if manifest is None:
            fail(faults[0])
        faces = manifest.edition.faces.values()
        click.echo(f"{name:22} {manifest.edition.game:18} {len(faces):3} faces {sum(f.count for f in faces):4} pieces")


@deck.command("new")
@click.argument("folder", type=A_PATH)
@click.option("--game", required=True, help="paper-safari, kleine-fotosafari, string-safari, or any.")
@click.option("--size", help="Width and height of a piece in mm, as 63,88.")
@click.option("--name", help="What the deck is called; left out, its folder's name.")
def new(folder: Path, game: str, size: str | None, name: str | None) -> None:
    """Start a deck: an empty folder with its deck.toml."""
    from decks import writing
    from decks.manifest import FILE_NAME, GAMES, LEAST_MM, MOST_MM

    known = next((g for g in GAMES if g == game), None)
    if known is None:
        fail(f'--game "{game}" is none: name one of {", ".join(GAMES)}')
    if (folder / FILE_NAME).exists() or (folder.exists() and not folder.is_dir()):
        fail(f"{folder}: there is a deck already: name a new folder, or delete that one")
    size_mm = None if size is None else _size(size, LEAST_MM, MOST_MM)
    title = name or folder.resolve().name
    if not title.isprintable():
        fail(f"--name {title!a}: write it in plain text, on one line")
    try:
        (folder / "faces").mkdir(parents=True, exist_ok=True)
        text = writing.begun(known, title, size_mm)
        (folder / FILE_NAME).write_text(text, encoding="utf-8")
    except OSError as error:
        fail(f"{folder}: cannot be written ({error.strerror}): name another folder")
    told = shlex.quote(str(folder))
    click.echo(f"{folder}: started; next: safari-table deck enrol {told} PHOTO --labels fox,lion,…")


@deck.command("enrol")
@click.argument("folder", type=A_PATH)
@click.argument("images", nargs=-1, required=True, type=A_PATH)
@click.option("--labels", required=True, help="The pieces' labels in reading order, with commas; back: the back.")
@click.option("--kind", default="faces", help="faces, research, photos, coins, markers or strings.")
@click.option("--add", is_flag=True, help="Add a further picture of faces that have one.")
@click.option("--replace", is_flag=True, help="Replace the pictures that are there.")
@click.option("--size", help="Width and height in mm where they are not the deck's own.")
def enrol(
    folder: Path, images: tuple[Path, ...], labels: str, kind: str, add: bool, replace: bool, size: str | None
) -> None:
    """Cut the pieces out of photographs and add each as a picture of its face."""
    from decks.deck import DeckError
    from service.deck_enrolling import Enrolling
    from vision.weights import WeightsError

    names = [label.strip() for label in labels.split(",")]
    try:
        job = Enrolling(folder, kind, names, add=add, replace=replace, size_mm=_size(size, 5, 500) if size else None)
        said = job.run(images)
    except (DeckError, WeightsError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename or folder}: cannot be written ({error.strerror}): check the folder")
    for line in said:
        click.echo(line, err=line.startswith("retake"))
    unfilled = "…" in job.toml.read_text(encoding="utf-8")
    fill_in = f"fill in {job.toml} what is printed on each, then " if unfilled else ""
    click.echo(
        f"{folder}: {len(names)} {kind} enrolled; next: {fill_in}safari-table deck check {shlex.quote(str(folder))}"
    )


@deck.command("check")
@click.argument("deck")
def check(deck: str) -> None:
    """Validate a deck, and try how well its faces read: exit 0 at 99% or more, else 3 with the list."""
    from decks.deck import BUILTIN, DeckError, builtin_names, examine
    from service.deck_trial import verdicts
    from vision.weights import WeightsError

    folder = BUILTIN / deck if deck in builtin_names() else Path(deck)
    found, faults = examine(folder)
    for fault in faults:
        click.echo(" ".join(fault.split()), err=True)
    if found is None:
        raise Exit(UNUSABLE)
    try:
        good, lines = verdicts(found)
    except (DeckError, WeightsError) as error:
        fail(str(error))
    for line in lines:
        click.echo(line)
    raise Exit(CERTAIN if good else OPEN)


@deck.command("print")
@click.argument("deck")
@click.argument("out", type=A_PATH)
@click.option("--paper", default="a4", help="a4 or letter.")
@click.option("--backs/--no-backs", default=True, help="A sheet of backs behind each sheet.")
def print_(deck: str, out: Path, paper: str, backs: bool) -> None:
    """Print a deck, true to the mm: a PDF with cut marks and a ruler to measure by."""
    from decks.deck import DeckError, find
    from decks.printing import PAPERS_MM, print_deck

    if paper.lower() not in PAPERS_MM:
        fail(f'--paper "{paper}" is none: name {" or ".join(PAPERS_MM)}')
    try:
        pages = print_deck(find(deck, "any"), out, paper.lower(), backs)
    except (DeckError, ValueError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"{out}: cannot be written ({error.strerror}): name another file")
    click.echo(f"{out}: {pages} pages; print at 100 %, and measure the ruler on the first")


@deck.command("export")
@click.argument("deck")
@click.argument("out", type=A_PATH)
def export(deck: str, out: Path) -> None:
    """Pack a deck into one zip."""
    from decks.archive import pack
    from decks.deck import BUILTIN, DeckError, builtin_names

    try:
        count = pack(BUILTIN / deck if deck in builtin_names() else Path(deck), out)
    except DeckError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{out}: cannot be written ({error.strerror}): name another file")
    click.echo(f"{out}: {count} pictures")


@deck.command("import")
@click.argument("source", type=A_PATH)
@click.argument("folder", type=A_PATH)
def import_(source: Path, folder: Path) -> None:
    """Unpack a deck's zip, checked, into a new folder."""
    from decks.archive import unpack
    from decks.deck import DeckError

    try:
        count = unpack(source, folder)
    except DeckError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{folder}: cannot be written ({error.strerror}): name another folder")
    click.echo(f"{folder}: {count} pictures")


def _size(text: str, least_mm: float, most_mm: float) -> tuple[float, float]:
    """Read "63,88"."""
    try:
        width_mm, height_mm = (float(part) for part in text.replace("x", ",").split(","))
    except ValueError:
        fail(f'--size "{text}": write width and height in mm, as 63,88')
    if not (least_mm <= width_mm <= most_mm and least_mm <= height_mm <= most_mm):
        fail(f'--size "{text}": each must be {least_mm:g} to {most_mm:g} mm')
    return width_mm, height_mm
