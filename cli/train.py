"""`spelkast train`: training by self-play, in a folder from which it can be resumed."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from .options import Game, console, option

EXAMPLES = (
    "spelkast train tacocat --config demo --out runs/demo",
    "spelkast train tacocat --set steps=2_000_000 --set ppo.learning_rate=3e-4",
    "spelkast train tacocat --config my.toml --seed 7",
    "spelkast train tacocat --resume runs/demo",
    "spelkast eval tacocat runs/demo solid",
)


@dataclass(frozen=True, kw_only=True)
class Given:
    """What the command line says."""

    game: Game
    config: Annotated[str | None, option("F", "A preset (demo, standard) or a TOML file.")] = None
    settings: Annotated[
        list[str] | None,
        option("NAME=VALUE", "Change one key of the configuration; repeat.", "--set"),
    ] = None
    out: Annotated[
        Path | None, option("RUN", "The folder of the new run; by default runs/GAME-N.")
    ] = None
    resume: Annotated[Path | None, option("RUN", "Continue the run in this folder, exactly.")] = (
        None
    )
    seed: Annotated[
        int | None, option("N", "The same seed, machine and versions give the same weights.", min=0)
    ] = None


def train(given: Given) -> None:
    """Train a network by self-play and measure it against baselines.

    Ctrl-C saves and prints how to continue. docs/training.md lists every key of the configuration.
    """
    from ..agents.files import new_folder
    from ..envs import spec
    from ..envs.engine.errors import OptionsError
    from ..train.config import load_config
    from ..train.run import train as run

    name, seed = spec(given.game).name, given.seed
    if given.resume is not None:
        if given != Given(game=given.game, resume=given.resume):
            raise OptionsError(
                "expected --resume alone, since a run continues with its own configuration and "
                "folder, got other options as well"
            )
        run(name, out=given.resume, resume=True, console=console())
        return
    settings = [*(given.settings or ()), *([] if seed is None else [f"seed={seed}"])]
    values = load_config(name, given.config, settings)
    run(name, config=values, out=given.out or new_folder(Path("runs"), name), console=console())
