"""The console script `safari-table`: arguments in, answers and exit statuses out."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from service.deck_commands import app as deck_app  # light: it imports what is heavy inside its functions

CERTAIN, UNUSABLE, OPEN, NO_GAME = 0, 2, 3, 4
INTERRUPTED = 130
"""Exit statuses: answered for certain; unusable arguments or input; open questions; no such game."""

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__)
app.add_typer(deck_app, name="deck")

Images = Annotated[list[Path], typer.Argument(help="Photographs of a table.")]
Game = Annotated[str, typer.Option(help="paper-safari, kleine-fotosafari or string-safari.")]
DeckName = Annotated[Optional[str], typer.Option(help="A built-in deck's name or a deck folder.")]  # noqa: UP045  # typer reads Optional
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


class Refused(Exception):  # noqa: N818  # it is not an error of ours: the input was refused
    """Input that cannot be used; one line: what, why, and what to do."""


def main() -> None:
    """Run the console script; every refusal is one line on standard error."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its matrices are small: more threads only wait for each other
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # it would look through all that is installed for them
    os.environ.setdefault("OPENCV_LOG_LEVEL", "OFF")  # what its decoders note of a broken file is said in our own line
    try:
        status = app(standalone_mode=False)
    except Refused as refusal:
        status = _refuse(str(refusal))
    except (typer.Abort, KeyboardInterrupt):
        status = INTERRUPTED
    except Exception as error:
        if not hasattr(error, "format_message"):  # what a wrong command line raises, whichever click typer brings
            raise
        status = _refuse(f"{error.format_message()} See `safari-table --help`.")
    sys.exit(status or CERTAIN)


def _refuse(why: str) -> int:
    typer.echo(f"safari-table: {' '.join(why.split())}", err=True)
    return UNUSABLE


def picture(path: Path) -> Any:
    """Read a picture file as BGR; Refused in one line where it cannot be used."""
    from service.pictures import PictureError, load

    try:
        return load(path)
    except OSError as error:
        raise Refused(f"{path}: cannot be read: {error.strerror or error}") from None
    except PictureError as error:
        raise Refused(f"{path}: {error}") from None


def game_options(**given: Any) -> dict[str, Any]:
    """Return the options that were given, as the rules read them."""
    return {name: value for name, value in given.items() if value}


@app.command()
def score(
    images: Images,
    game: Game,
    deck: DeckName = None,
    as_json: AsJson = False,
    picture_out: Annotated[Optional[Path], typer.Option("--picture", help="Write the annotated picture here.")] = None,  # noqa: UP045
    turn: Annotated[Optional[str], typer.Option(help="String Safari: whose turn it is.")] = None,  # noqa: UP045
    target: Annotated[Optional[str], typer.Option(help="The research target, as carnivore:3.")] = None,  # noqa: UP045
    condition: Annotated[Optional[str], typer.Option(help="rocky or edge.")] = None,  # noqa: UP045
    children: Annotated[bool, typer.Option(help="The rules for children.")] = False,
    placed: Annotated[Optional[str], typer.Option(help="Children's rules: the animal just placed.")] = None,  # noqa: UP045
    marker: Annotated[Optional[str], typer.Option(help="Children's rules: the animal to be marked.")] = None,  # noqa: UP045
    laid: Annotated[bool, typer.Option(help="Children's rules: the turn's marker lies on it already.")] = False,
    setup: Annotated[bool, typer.Option(help="Check the set-up.")] = False,
    players: Annotated[Optional[str], typer.Option(help="How many, or their markers in turn order.")] = None,  # noqa: UP045
    final: Annotated[bool, typer.Option(help="The end of the game.")] = False,
    stash: Annotated[Optional[list[str]], typer.Option(help="PLAYER=IMAGE of coins and research tiles.")] = None,  # noqa: UP045
    coins: Annotated[Optional[list[str]], typer.Option(help="PLAYER=N points in coins.")] = None,  # noqa: UP045
    research: Annotated[Optional[list[str]], typer.Option(help="PLAYER=N points of research tiles.")] = None,  # noqa: UP045
    answer: Annotated[Optional[list[str]], typer.Option(help="PIECE=CHOICE settles a question.")] = None,  # noqa: UP045
    option: Annotated[Optional[list[str]], typer.Option(help="NAME=VALUE sets a house rule.")] = None,  # noqa: UP045
) -> None:
    """Score photographs of a table."""
    options = game_options(
        turn=turn, target=target, condition=condition, children=children, placed=placed, marker=marker, laid=laid,
        setup=setup, players=players, final=final, coins=coins, research=research, answer=answer, option=option,
    )  # fmt: skip
    if picture_out is not None and len(images) > 1:
        raise Refused("--picture takes one photograph: name one image, or leave --picture out")
    from service import scoring_run

    raise typer.Exit(scoring_run.score(images, game, deck, options, stash or [], as_json, picture_out))


@app.command()
def find(
    images: Images,
    deck: DeckName = None,
    whole: Annotated[bool, typer.Option(help="The picture is one piece, edge to edge.")] = False,
    strings: Annotated[Optional[str], typer.Option(help="NAME=COLOUR,… as field=dark brown,research=gray.")] = None,  # noqa: UP045
    as_json: AsJson = False,
) -> None:
    """Tell what lies in any picture, no game."""
    from service import scoring_run

    raise typer.Exit(scoring_run.find(images, deck, whole, strings, as_json))


@app.command(context_settings={"allow_extra_args": False})
def tally(
    file: Annotated[str, typer.Argument(help="A JSON file, or - for standard input.")],
    game: Annotated[Optional[str], typer.Option(help="The game, where the tables do not say.")] = None,  # noqa: UP045
    deck: DeckName = None,
    turn: Optional[str] = None,  # noqa: UP045
    target: Optional[str] = None,  # noqa: UP045
    condition: Optional[str] = None,  # noqa: UP045
    children: bool = False,
    placed: Optional[str] = None,  # noqa: UP045
    marker: Optional[str] = None,  # noqa: UP045
    laid: bool = False,
    setup: bool = False,
    players: Optional[str] = None,  # noqa: UP045
    final: bool = False,
    coins: Optional[list[str]] = None,  # noqa: UP045
    research: Optional[list[str]] = None,  # noqa: UP045
    answer: Optional[list[str]] = None,  # noqa: UP045
    option: Optional[list[str]] = None,  # noqa: UP045
) -> None:
    """Apply the rules alone to tables as JSON."""
    from service import tally as tallying

    options = game_options(
        turn=turn, target=target, condition=condition, children=children, placed=placed, marker=marker, laid=laid,
        setup=setup, players=players, final=final, coins=coins, research=research, answer=answer, option=option,
    )  # fmt: skip
    raise typer.Exit(tallying.run(file, game, deck, options))


@app.command()
def demo(port: Annotated[int, typer.Option(help="Where to serve.")] = 8700) -> None:
    """Serve the page on bundled sample tables: no camera, no network."""
    from service import serving

    raise typer.Exit(serving.demo(port))


@app.command()
def serve(
    camera: Annotated[
        str, typer.Option(help="A device number, a video file, a folder of pictures, or an rtsp/http URL.")
    ] = "0",
    port: Annotated[int, typer.Option(help="Where to serve.")] = 8700,
    host: Annotated[str, typer.Option(help="Which address to listen on; 0.0.0.0 lets phones join.")] = "127.0.0.1",
    data: Annotated[Optional[Path], typer.Option(help="Where games are kept.")] = None,  # noqa: UP045
) -> None:
    """Serve the live table."""
    from service import serving

    raise typer.Exit(serving.serve(camera, host, port, data))


PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
"""A module of its own reads these words, `--help` too."""


@app.command(context_settings=PASSED_ON)
def synth(context: typer.Context) -> None:
    """Render training pictures: safari-table synth FOLDER [--chunks N] …"""
    raise typer.Exit(_module("synth.chunks", context.args))


@app.command(context_settings=PASSED_ON)
def train(context: typer.Context) -> None:
    """Train both networks: safari-table train [--work FOLDER] [--hours H] [--minutes M]."""
    if importlib.util.find_spec("ultralytics") is None:
        raise Refused("training needs more packages: pip install 'safari-table[train]', or run `make train`")
    raise typer.Exit(_module("training.everything", context.args))


@app.command()
def evaluate(
    folders: Annotated[list[Path], typer.Argument(help="Folders of labelled pictures.")],
    json_out: Annotated[Optional[Path], typer.Option("--json", help="Write the figures here.")] = None,  # noqa: UP045
    html_out: Annotated[Optional[Path], typer.Option("--html", help="Write the report here.")] = None,  # noqa: UP045
    only: Annotated[Optional[str], typer.Option(help="One game.")] = None,  # noqa: UP045
    decks: Annotated[Optional[Path], typer.Option(help="Decks that stand in for the tables' own.")] = None,  # noqa: UP045
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
) -> None:
    """Measure how well labelled pictures are read."""
    from measuring import evaluate as measuring

    raise typer.Exit(measuring.run(folders, json_out, html_out, only, decks, jobs))


@app.command()
def bench(
    only: Annotated[Optional[str], typer.Option(help="stages,against,footprint,growth,live: some of them.")] = None,  # noqa: UP045
    json_out: Annotated[Optional[Path], typer.Option("--json", help="Write the figures here.")] = None,  # noqa: UP045
    html_out: Annotated[Optional[Path], typer.Option("--html", help="Write the report here.")] = None,  # noqa: UP045
) -> None:
    """Measure what reading, serving and keeping cost."""
    from measuring import bench as measuring

    raise typer.Exit(measuring.run_bench(only, json_out, html_out))


def _module(name: str, words: list[str]) -> int:
    """Run a module in a process of its own, which may load what run time must not; return its exit status."""
    return subprocess.run([sys.executable, "-m", name, *words]).returncode


def write_json(value: Any) -> None:
    """Write one JSON object as a line."""
    typer.echo(json.dumps(value, separators=(",", ":"), allow_nan=False))


if __name__ == "__main__":
    main()
