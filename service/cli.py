"""The console script `safari-table`: arguments in, answers and exit statuses out."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.exceptions import Exit

from service.deck_commands import deck  # light: it imports what is heavy inside its functions
from service.statuses import CERTAIN, INTERRUPTED, UNHEARD, UNUSABLE

PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
"""A module of its own reads these words, `--help` too."""

Run = TypeVar("Run", bound=Callable[..., Any])


class Refused(Exception):  # noqa: N818  # it is not an error of ours: the input was refused
    """Input that cannot be used; one line: what, why, and what to do."""


def main() -> None:
    """Run the console script; every refusal is one line on standard error."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its matrices are small: more threads only wait for each other
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # it would look through all that is installed for them
    os.environ.setdefault("OPENCV_LOG_LEVEL", "OFF")  # what its decoders note of a broken file is said in our own line
    try:
        status = app(standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left to write goes nowhere
        status = UNHEARD
    except Refused as refusal:
        status = _refuse(str(refusal))
    except (click.Abort, KeyboardInterrupt):
        status = INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as wordless:
        wordless.show()
        status = UNUSABLE
    except click.ClickException as error:
        status = _refuse(f"{error.format_message()} See `safari-table --help`.")
    except RuntimeError as error:
        from vision.weights import WeightsError  # light, and seldom needed

        if not isinstance(error, WeightsError):
            raise
        status = _refuse(str(error))
    sys.exit(status or CERTAIN)


def _refuse(why: str) -> int:
    click.echo(f"safari-table: {' '.join(why.split())}", err=True)
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


GAME_OPTIONS = (
    click.option("--turn", help="String Safari: whose turn it is."),
    click.option("--target", help="The research target, as carnivore:3."),
    click.option("--condition", help="rocky or edge."),
    click.option("--children", is_flag=True, help="The rules for children."),
    click.option("--placed", help="Children's rules: the animal just placed."),
    click.option("--marker", help="Children's rules: the animal to be marked."),
    click.option("--laid", is_flag=True, help="Children's rules: the turn's marker lies on it already."),
    click.option("--setup", is_flag=True, help="Check the set-up."),
    click.option("--players", help="How many, or their markers in turn order."),
    click.option("--final", is_flag=True, help="The end of the game."),
    click.option("--coins", multiple=True, help="PLAYER=N points in coins."),
    click.option("--research", multiple=True, help="PLAYER=N points of research tiles."),
    click.option("--answer", multiple=True, help="PIECE=CHOICE settles a question."),
    click.option("--option", multiple=True, help="NAME=VALUE sets a house rule."),
)
IMAGES = click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
DECK = click.option("--deck", help="A built-in deck's name or a deck folder.")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
PORT = click.option("--port", type=click.IntRange(0, 65535), default=8700, help="Where to serve; 0: any free port.")
JSON_OUT = click.option("--json", "json_out", type=click.Path(path_type=Path), help="Write the figures here.")
HTML_OUT = click.option("--html", "html_out", type=click.Path(path_type=Path), help="Write the report here.")


def game_options(run: Run) -> Run:
    """Let a command take what the players tell the referee."""
    for option in reversed(GAME_OPTIONS):
        run = option(run)
    return run


def given(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that were given, as the rules read them."""
    return {name: value for name, value in options.items() if value}


@click.group(help=__doc__)
@click.version_option(package_name="safari-table", message="%(package)s %(version)s")
def app() -> None:
    """Hold the commands."""


app.add_command(deck)


@app.command()
@IMAGES
@click.option("--game", required=True, help="paper-safari, kleine-fotosafari or string-safari.")
@DECK
@AS_JSON
@click.option("--picture", "picture_out", type=click.Path(path_type=Path), help="Write the annotated picture here.")
@click.option("--stash", multiple=True, help="PLAYER=IMAGE of coins and research tiles.")
@click.option("--click", "clicks", multiple=True, help="X,Y or NAME=X,Y px on a string: this is its colour.")
@game_options
def score(
    images: tuple[Path, ...],
    game: str,
    deck: str | None,
    as_json: bool,
    picture_out: Path | None,
    stash: tuple[str, ...],
    clicks: tuple[str, ...],
    **options: Any,
) -> None:
    """Score photographs of a table."""
    if picture_out is not None and len(images) > 1:
        raise Refused("--picture takes one photograph: name one image, or leave --picture out")
    from service import scoring_run

    raise Exit(scoring_run.score(images, game, deck, given(options), stash, as_json, picture_out, clicks))


@app.command()
@IMAGES
@DECK
@click.option("--whole", is_flag=True, help="The picture is one piece, edge to edge.")
@click.option("--strings", help="NAME=COLOUR,… as field=dark brown,research=gray.")
@AS_JSON
def find(images: tuple[Path, ...], deck: str | None, whole: bool, strings: str | None, as_json: bool) -> None:
    """Tell what lies in any picture, no game."""
    from service import scoring_run

    raise Exit(scoring_run.find(images, deck, whole, strings, as_json))


@app.command()
@click.argument("file")
@click.option("--game", help="The game, where the tables do not say.")
@DECK
@game_options
def tally(file: str, game: str | None, deck: str | None, **options: Any) -> None:
    """Apply the rules alone to tables as JSON; FILE: many tables, one after the other, or - for standard input."""
    from service import tally as tallying

    raise Exit(tallying.run(file, game, deck, given(options)))


@app.command()
@PORT
def demo(port: int) -> None:
    """Serve the page on bundled sample tables: no camera, no network."""
    from service import serving

    raise Exit(serving.demo(port))


@app.command()
@click.option("--camera", default="0", help="A device number, a video file, a folder of pictures, or an rtsp/http URL.")
@PORT
@click.option("--host", default="127.0.0.1", help="Which address to listen on; 0.0.0.0 lets phones join.")
@click.option("--data", type=click.Path(path_type=Path), help="Where games are kept.")
def serve(camera: str, port: int, host: str, data: Path | None) -> None:
    """Serve the live table."""
    from service import serving

    raise Exit(serving.serve(camera, host, port, data))


@app.command(context_settings=PASSED_ON)
@click.pass_context
def synth(context: click.Context) -> None:
    """Render training pictures: safari-table synth FOLDER [--chunks N] …"""
    raise Exit(_module("synth.chunks", context.args))


@app.command(context_settings=PASSED_ON)
@click.pass_context
def train(context: click.Context) -> None:
    """Train all networks: safari-table train [--work FOLDER] [--hours H] [--minutes M]."""
    from importlib.util import find_spec

    if find_spec("ultralytics") is None:
        raise Refused("training needs more packages: pip install 'safari-table[train]', or run `make train`")
    raise Exit(_module("training.everything", context.args))


@app.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@JSON_OUT
@HTML_OUT
@click.option("--only", help="One game.")
@click.option("--decks", type=click.Path(path_type=Path), help="Decks that stand in for the tables' own.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, help="Processes.")
def evaluate(
    folders: tuple[Path, ...],
    json_out: Path | None,
    html_out: Path | None,
    only: str | None,
    decks: Path | None,
    jobs: int,
) -> None:
    """Measure how well labelled pictures are read."""
    from measuring import evaluate as measuring

    raise Exit(measuring.run(folders, json_out, html_out, only, decks, jobs))


@app.command()
@click.option("--only", help="stages,against,footprint,growth,live: some of them.")
@JSON_OUT
@HTML_OUT
def bench(only: str | None, json_out: Path | None, html_out: Path | None) -> None:
    """Measure what reading, serving and keeping cost."""
    from measuring import bench as measuring

    raise Exit(measuring.run_bench(only, json_out, html_out))


def _module(name: str, words: list[str]) -> int:
    """Run a module in a process of its own, which may load what run time must not; return its exit status."""
    import subprocess

    return subprocess.run([sys.executable, "-m", name, *words]).returncode


def write_json(value: Any) -> None:
    """Write one JSON object as a line."""
    click.echo(json.dumps(value, separators=(",", ":"), allow_nan=False))


if __name__ == "__main__":
    main()
