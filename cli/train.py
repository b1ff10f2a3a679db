"""`spelkast train`: an AI opponent by self-play, in a folder that can be stopped and resumed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import Game, console

EXAMPLES = (
    "spelkast train tacocat --config demo --out runs/demo",
    "spelkast train tacocat --set steps=2_000_000 --set ppo.learning_rate=3e-4",
    "spelkast train tacocat --config my.toml --seed 7",
    "spelkast train tacocat --resume runs/demo",
    "spelkast eval tacocat runs/demo solid",
)


def train(
    game: Game,
    *,
    config: Annotated[
        str | None,
        typer.Option(metavar="F", help="A preset (demo, standard) or a TOML file."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="Change one key of the configuration; repeat."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="The folder of the new run; by default runs/GAME-N."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="Go on with the run in this folder, exactly."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Same seed, machine and versions, same weights."),
    ] = None,
) -> None:
    """Train a network by self-play and measure it against baselines.

    Ctrl-C saves and says how to go on. docs/training.md lists every key of the configuration.
    """
    from ..envs import spec
    from ..envs.engine.errors import OptionsError
    from ..train.config import load_config
    from ..train.run import train as run

    name = spec(game).name
    if resume is not None:
        if config is not None or settings or out is not None or seed is not None:
            raise OptionsError(
                "expected --resume alone: a run goes on with its own configuration and folder, "
                "got other options beside it"
            )
        run(name, out=resume, resume=True, console=console())
        return
    values = load_config(
        name, config, [*(settings or ()), *([f"seed={seed}"] if seed is not None else [])]
    )
    run(name, config=values, out=out or _next_folder(name), console=console())


def _next_folder(game: str) -> Path:
    """The first of runs/GAME-1, runs/GAME-2, ... that does not exist."""
    number = 1
    while (folder := Path("runs") / f"{game}-{number}").exists():
        number += 1
    return folder
