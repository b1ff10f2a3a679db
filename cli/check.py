"""`spelkast check`: does a game keep the promises of the engine?"""

from dataclasses import asdict
from typing import Annotated

import typer

from .options import AsJson, Game, Seed, Set, console, game_options, game_spec, option, print_json

EXAMPLES = (
    "spelkast check tacocat",
    "spelkast check tacocat --games 20 --set tie_rule=arrow",
)


def check(
    game: Game,
    *,
    games: Annotated[
        int, option("N", "Random games to play; more games find rarer faults.", min=1)
    ] = 4,
    seed: Seed = 0,
    settings: Set = None,
    as_json: AsJson = False,
) -> None:
    """Check that a game keeps the engine's contract.

    It may be a game of your own. Tests masks, notation, hidden information, rewards, copies and
    determinism, and runs PettingZoo's own tests. A broken promise is reported in one line, with
    exit code 1.
    """
    from ..envs.engine.contract import check_game
    from ..envs.engine.errors import ContractError, remark

    spec = game_spec(game)
    options = game_options(spec, settings)
    try:
        report = check_game(spec, options=options, games=games, seed=seed)
    except ContractError as error:
        if as_json:
            print_json({"game": game, "kept": False, "broken": str(error)})
        else:
            remark(str(error))
        raise typer.Exit(1) from None
    if as_json:
        print_json({"kept": True, **asdict(report)})
        return
    out = console()
    for promise in report.promises:
        out.print(f"  kept  {promise.replace('_', ' ')}")
    out.print(
        f"\n{spec.name} keeps all {len(report.promises)} promises, "
        f"in {report.games} random games of {report.decisions:,} decisions."
    )
