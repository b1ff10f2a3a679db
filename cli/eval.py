"""`spelkast eval`: which of two agents is better, and how sure that is."""

from __future__ import annotations

from typing import Annotated

import typer

from .options import (
    AsJson,
    Game,
    Record,
    Seed,
    Set,
    console,
    game_options,
    game_spec,
    print_json,
    progress_bar,
)

EXAMPLES = (
    "spelkast eval tacocat solid novice",
    "spelkast eval tacocat runs/demo solid --games 2000 --json",
    "spelkast eval tacocat solid random --set tie_rule=arrow --record games.jsonl",
)


def eval(
    game: Game,
    first: Annotated[
        str, typer.Argument(metavar="A", help="An agent: random, a baseline or a run.")
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="The agent that it meets.")],
    *,
    games: Annotated[
        int, typer.Option(min=1, metavar="N", help="Games to play, shared between the sides.")
    ] = 1000,
    seed: Seed = 0,
    settings: Set = None,
    batch: Annotated[
        int,
        typer.Option(
            min=1, metavar="N", help="Games played side by side; does not change the result."
        ),
    ] = 512,
    record: Record = None,
    as_json: AsJson = False,
) -> None:
    """Measure agent A against agent B.

    The score is A's: a win counts 1, a draw 1/2. It comes with two 95 % intervals; an illegal
    action loses its game.
    """
    from ..agents.registry import make_agent
    from ..eval.games import whole_blocks
    from ..eval.match import play_match
    from ..eval.report import match_report
    from ..eval.seating import sides_of

    spec = game_spec(game)
    options = game_options(spec, settings)
    agents = [
        make_agent(text, game, options=options.model_dump(mode="json")) for text in (first, second)
    ]
    total = whole_blocks(games, len(sides_of(spec, options)))
    with progress_bar(f"{first} - {second}", total, quiet=as_json) as advance:
        result = play_match(
            spec,
            options,
            *agents,
            games=games,
            seed=seed,
            batch=batch,
            progress=advance,
            record=record,
        )
    if as_json:
        config = options.changed()
        print_json({"game": game, "config": config, "seed": seed, **result.to_json()})
    else:
        console().print(match_report(result, title=spec.title, seed=seed))
