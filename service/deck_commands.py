"""`safari-table deck …`: decks made, filled from photographs, checked, printed, sent and received."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn

import typer

app = typer.Typer(
    no_args_is_help=True, help="Decks: the folders that say how a game's pieces look and what they are worth."
)

CERTAIN, UNUSABLE, OPEN = 0, 2, 3
Folder = Annotated[Path, typer.Argument(help="A deck folder.")]


def fail(message: str) -> NoReturn:
    """End with the one line that says what is wrong and what to do."""
    typer.echo(" ".join(message.split()), err=True)
    raise typer.Exit(UNUSABLE)


@app.command("list")
def list_decks() -> None:
    """List the built-in decks: name, game, faces, pieces."""
    from decks.deck import BUILTIN, builtin_names
    from decks.manifest import read

    for name in builtin_names():
        manifest, faults = read(BUILTIN / name)
        if manifest is None:
            fail(faults[0])
        faces = manifest.edition.faces.values()
        typer.echo(f"{name:22} {manifest.edition.game:18} {len(faces):3} faces {sum(f.count for f in faces):4} pieces")


@app.command("new")
def new(
    folder: Folder,
    game: Annotated[str, typer.Option(help="paper-safari, kleine-fotosafari, string-safari, or any.")],
    size: Annotated[str | None, typer.Option(help="Width and height of a piece in mm, as 63,88.")] = None,
    name: Annotated[str | None, typer.Option(help="What the deck is called; left out, its folder's name.")] = None,
) -> None:
    """Start a deck: an empty folder with its deck.toml."""
    from decks import writing
    from decks.manifest import FILE_NAME, GAMES, LEAST_MM, MOST_MM

    known = next((g for g in GAMES if g == game), None)
    if known is None:
        fail(f'--game "{game}" is none: name one of {", ".join(GAMES)}')
    if (folder / FILE_NAME).exists() or (folder.exists() and not folder.is_dir()):
        fail(f"{folder}: there is a deck already: name a new folder, or delete that one")
    size_mm = None if size is None else _size(size, LEAST_MM, MOST_MM)
    try:
        (folder / "faces").mkdir(parents=True, exist_ok=True)
        text = writing.begun(known, name or folder.resolve().name, size_mm)
        (folder / FILE_NAME).write_text(text, encoding="utf-8")
    except OSError as error:
        fail(f"{folder}: cannot be written ({error.strerror}): name another folder")
    typer.echo(f"{folder}: started; next: safari-table deck enrol {folder} PHOTO --labels fox,lion,…")


@app.command("enrol")
def enrol(
    folder: Folder,
    images: Annotated[list[Path], typer.Argument(help="Photographs with the pieces in reading order.")],
    labels: Annotated[str, typer.Option(help="The pieces' labels in reading order, with commas; back: the back.")],
    kind: Annotated[str, typer.Option(help="faces, research, photos, coins, markers or strings.")] = "faces",
    add: Annotated[bool, typer.Option("--add", help="Add a further picture of faces that have one.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Replace the pictures that are there.")] = False,
    size: Annotated[str | None, typer.Option(help="Width and height in mm where they are not the deck's own.")] = None,
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
        typer.echo(line, err=line.startswith("retake"))
    typer.echo(f"{folder}: {len(names)} {kind} enrolled; next: safari-table deck check {folder}")


@app.command("check")
def check(deck: Annotated[str, typer.Argument(help="A deck folder, or a built-in deck's name.")]) -> None:
    """Validate a deck, and try how well its faces read: exit 0 at 99% or more, else 3 with the list."""
    from decks.deck import BUILTIN, DeckError, builtin_names, examine
    from service.deck_trial import verdicts
    from vision.weights import WeightsError

    folder = BUILTIN / deck if deck in builtin_names() else Path(deck)
    found, faults = examine(folder)
    for fault in faults:
        typer.echo(" ".join(fault.split()), err=True)
    if found is None:
        raise typer.Exit(UNUSABLE)
    try:
        good, lines = verdicts(found)
    except (DeckError, WeightsError) as error:
        fail(str(error))
    for line in lines:
        typer.echo(line)
    raise typer.Exit(CERTAIN if good else OPEN)


@app.command("print")
def print_(
    deck: Annotated[str, typer.Argument(help="A built-in deck's name, or a deck folder.")],
    out: Annotated[Path, typer.Argument(help="The PDF to write.")],
    paper: Annotated[str, typer.Option(help="a4 or letter.")] = "a4",
    backs: Annotated[bool, typer.Option("--backs/--no-backs", help="A sheet of backs behind each sheet.")] = True,
) -> None:
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
    typer.echo(f"{out}: {pages} pages; print at 100 %, and measure the ruler on the first")


@app.command("export")
def export(
    deck: Annotated[str, typer.Argument(help="A deck folder, or a built-in deck's name.")],
    out: Annotated[Path, typer.Argument(help="The zip to write.")],
) -> None:
    """Pack a deck into one zip."""
    from decks.archive import pack
    from decks.deck import BUILTIN, DeckError, builtin_names

    try:
        count = pack(BUILTIN / deck if deck in builtin_names() else Path(deck), out)
    except DeckError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{out}: cannot be written ({error.strerror}): name another file")
    typer.echo(f"{out}: {count} pictures")


@app.command("import")
def import_(
    source: Annotated[Path, typer.Argument(help="A deck's zip.")],
    folder: Annotated[Path, typer.Argument(help="The new folder to unpack it into.")],
) -> None:
    """Unpack a deck's zip, checked, into a new folder."""
    from decks.archive import unpack
    from decks.deck import DeckError

    try:
        count = unpack(source, folder)
    except DeckError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{folder}: cannot be written ({error.strerror}): name another folder")
    typer.echo(f"{folder}: {count} pictures")


def _size(text: str, least_mm: float, most_mm: float) -> tuple[float, float]:
    """Read "63,88"."""
    try:
        width_mm, height_mm = (float(part) for part in text.replace("x", ",").split(","))
    except ValueError:
        fail(f'--size "{text}": write width and height in mm, as 63,88')
    if not (least_mm <= width_mm <= most_mm and least_mm <= height_mm <= most_mm):
        fail(f'--size "{text}": each must be {least_mm:g} to {most_mm:g} mm')
    return width_mm, height_mm
