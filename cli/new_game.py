"""`spelkast new-game`: a game that works, under a name of its own, to be turned into another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

EXAMPLES = ("spelkast new-game snail", "spelkast new-game snail --from tacocat")
SIMPLEST = "pig"


def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new game: letters, digits, _.")],
    *,
    model: Annotated[
        str,
        typer.Option("--from", metavar="GAME", help="The game to copy: pig, or one that is here."),
    ] = SIMPLEST,
) -> None:
    """Copy a game under a new name, in a checkout of spelkast.

    Copies rules, page, worked examples, baselines, presets, tests and picture, and names the new
    packages in pyproject.toml. All tests are green at once. docs/new-game.md says how to go on.
    """
    from .. import __file__ as package
    from .copying import copy_game

    checkout = Path(str(package)).parent
    written = copy_game(checkout, model, name)
    for path in written.paths:
        print(path.relative_to(checkout))
    if written.complaint:
        print(written.complaint)
    print(
        f"\n{name} is a game now: spelkast check {name}. "
        "Then change it file by file, as docs/new-game.md says."
    )
