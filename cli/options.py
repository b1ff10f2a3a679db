"""The arguments that several verbs share, and how their text is read."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from ..envs.engine.spec import GameSpec

Game: TypeAlias = Annotated[
    str, typer.Argument(metavar="GAME", help="A game; `spelkast games` lists them.")
]
Seed: TypeAlias = Annotated[
    int,
    typer.Option("--seed", min=0, metavar="N", help="The same seed gives the same output."),
]
Set: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Set an option of the game; repeat."),
]
AsJson: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print JSON for a program to read, and nothing else.")
]
Record: TypeAlias = Annotated[
    Path | None,
    typer.Option("--record", metavar="FILE", help="Add the games to this file as replays."),
]


def option(metavar: str, text: str, *names: str, **limits: Any) -> Any:
    """An option of the command: what its value is called, its help, and how small it may be."""
    if limits:
        limits["callback"] = _number
    return typer.Option(*names, metavar=metavar, help=text, **limits)


def _number(value: Any) -> Any:
    """*value*, unless it is NaN, which older versions of click find in every range."""
    if value != value:
        raise typer.BadParameter("NaN is not in any range.")
    return value


def game_spec(name: str) -> GameSpec:
    """The game of that name; raises an error that lists the known ones."""
    from .. import envs

    return envs.spec(name)


def game_options(spec: GameSpec, settings: Sequence[str] | None) -> Any:
    """The options of a game after `--set`; raises an error that says what is wrong with which."""
    from ..envs.engine.settings import apply_settings

    options: dict[str, Any] = {}
    apply_settings(options, settings or (), spec.options)
    return spec.parse_options(options)


def print_json(value: Any) -> None:
    """Print *value* for a program to read; JSON's own escapes are no commands to a terminal."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    print("".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text))


def listing(*names: str, right: Sequence[str] = ()) -> Table:
    """An empty table with a column for each of *names*; those in *right* are aligned right."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in names:
        justify: Literal["right", "left"] = "right" if name in right else "left"
        table.add_column(name, justify=justify, no_wrap=name == names[0])
    return table


def console() -> Console:
    """The console for people: colours on a terminal, plain text of 80 columns elsewhere."""
    from rich.console import Console
    from rich.text import Text

    from ..envs.engine.errors import printable

    class AsItIs(Console):
        """Shows text as it is: names and paths are no markup, and no commands to a terminal."""

        def render_str(self, text: str, **how: Any) -> Text:
            lines = "\n".join(map(printable, text.split("\n")))
            return super().render_str(lines, **{**how, "markup": False, "emoji": False})

    return AsItIs(highlight=False)


@contextmanager
def says_when_stopped(what: Callable[[], str]) -> Iterator[None]:
    """Whoever presses Ctrl-C hears *what* is kept."""
    try:
        yield
    except KeyboardInterrupt:
        from ..envs.engine.errors import remark

        remark(f"stopped: {what()}")
        raise


@contextmanager
def progress_bar(what: str, total: int, *, quiet: bool) -> Iterator[Callable[[int], None] | None]:
    """A progress bar on stderr if that is a terminal; yields a function that advances it."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    # What is named after a folder may hold braces and brackets.
    title = TextColumn("{task.description}", markup=False)
    columns = (title, BarColumn(), MofNCompleteColumn(), TimeLeft())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda count: bar.update(task, advance=count)
