"""`spelkast eval`: which of two agents is better, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

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

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..agents.agent import Agent
    from ..envs.engine.dtypes import Json
    from ..envs.engine.spec import GameSpec, Options

EXAMPLES = (
    "spelkast eval tacocat solid novice",
    "spelkast eval tacocat runs/demo solid --games 2000 --json",
    "spelkast eval tacocat solid random --set tie_rule=arrow --record games.jsonl",
    "spelkast eval oduludo tactician racer --set players=4",
    "spelkast eval tokken kees racer --partner random",
    "spelkast eval tokken kees racer --cross racer --cross random",
)


def eval(
    game: Game,
    first: Annotated[
        str, typer.Argument(metavar="A", help="An agent: random, a baseline or a run.")
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="The agent that it meets.")],
    *,
    partner: Annotated[
        str | None,
        typer.Option(metavar="C", help="Where there are teams: who shares the side of A."),
    ] = None,
    other_partner: Annotated[
        str | None, typer.Option(metavar="D", help="Who shares the sides of B.")
    ] = None,
    cross: Annotated[
        list[str] | None,
        typer.Option(
            metavar="C", help="Every pair of A and these as a team against B; repeat for more."
        ),
    ] = None,
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

    The score is A's share of the first places: a win counts 1, a draw 1/2. It comes with two 95 %
    intervals; an illegal action loses its game.
    """
    from ..agents.registry import make_agent
    from ..envs.engine.errors import OptionsError

    if cross and (partner or other_partner):
        raise OptionsError("expected --cross or partners, got both")
    spec = game_spec(game)
    options = game_options(spec, settings)
    played = options.model_dump(mode="json")
    # One agent for each name: who is both A and its own partner is no partner.
    names = dict.fromkeys((first, second, partner, other_partner, *(cross or ())))
    named = {name: make_agent(name, game, options=played) for name in names if name is not None}
    how = {"games": games, "seed": seed, "batch": batch, "record": record}
    if cross:
        agents = [named[name] for name in (first, *cross)]
        result, report = _cross(
            spec, options, agents, against=named[second], how=how, quiet=as_json
        )
    else:
        company = [named.get(name) for name in (first, second, partner, other_partner)]
        result, report = _match(spec, options, company, how=how, quiet=as_json)
    if as_json:
        print_json({"game": game, "config": options.changed(), "seed": seed, **result})
    else:
        console().print(report)


def _match(
    spec: GameSpec, options: Options, company: Sequence[Any], *, how: dict[str, Any], quiet: bool
) -> tuple[Json, RenderableType]:
    """A match of A and B with their partners, who may be None; as JSON and for people."""
    from ..eval.games import whole_blocks
    from ..eval.match import play_match
    from ..eval.report import match_report
    from ..eval.seating import seat, sides_of

    first, second, partner, other_partner = company
    mates = {"partner": partner, "other_partner": other_partner}
    table = seat(sides_of(spec, options), first, second, **mates)
    total = whole_blocks(how["games"], table.rotations)
    with progress_bar(f"{first.name} - {second.name}", total, quiet=quiet) as advance:
        result = play_match(spec, options, first, second, progress=advance, **mates, **how)
    return result.to_json(), match_report(result, title=spec.title, seed=how["seed"])


def _cross(
    spec: GameSpec,
    options: Options,
    agents: Sequence[Agent],
    *,
    against: Agent,
    how: dict[str, Any],
    quiet: bool,
) -> tuple[Json, RenderableType]:
    """All pairs of *agents* as teams, as JSON and for people."""
    from ..eval.cross import cross_play, seatings
    from ..eval.games import whole_blocks
    from ..eval.report import cross_report
    from ..eval.seating import sides_of

    tables = seatings(sides_of(spec, options), agents, against)
    total = sum(whole_blocks(how["games"], table.rotations) for table in tables)
    with progress_bar(f"pairs - {against.name}", total, quiet=quiet) as advance:
        result = cross_play(spec, options, agents, against=against, progress=advance, **how)
    return result.to_json(), cross_report(result, title=spec.title, seed=how["seed"])
