"""`spelkast new-game`: a copy of a game under a new name, to be turned into another game."""

from pathlib import Path
from typing import Annotated

import typer

from .options import option

EXAMPLES = ("spelkast new-game snail", "spelkast new-game snail --from slag")
SIMPLEST = "pig"


def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new game: letters, digits, _.")],
    *,
    model: Annotated[
        str, option("GAME", "Game to copy: pig, slag or one of spelkast's.", "--from")
    ] = SIMPLEST,
) -> None:
    """Copy a game under a new name, in a checkout of spelkast.

    Copies rules, page, worked examples, baselines, presets, tests and picture, and lists the new
    packages in pyproject.toml. All tests pass at once. docs/new-game.md describes the next steps.
    """
    from .. import __file__ as package
    from .copying import copy_game

    checkout = Path(str(package)).resolve().parent
    written = copy_game(checkout, model, name)
    for path in written.paths:
        print(path.relative_to(checkout))
    if written.complaint:
        print(written.complaint)
    print(
        f"\n{name} is a game now; check it: spelkast check {name}\n"
        "Then change it file by file, as docs/new-game.md describes."
    )
