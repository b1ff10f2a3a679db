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
    from ..eval.cross import pairs_of, play_pairs
    from ..eval.match import play_recorded, summarize
    from ..eval.plan import MatchPlan
    from ..eval.report import cross_report, match_report

    if cross and (partner or other_partner):
        raise OptionsError("expected --cross or partners, got both")
    spec = game_spec(game)
    options = game_options(spec, settings)
    # One agent for each name: who is both A and its own partner is no partner.
    names = dict.fromkeys((first, second, partner, other_partner, *(cross or ())))
    named = {name: make_agent(name, game, options=options) for name in names if name is not None}
    plan = MatchPlan(
        spec=spec,
        options=options,
        agents=(named[first], named[second]),
        partners=(named.get(partner or ""), named.get(other_partner or "")),
        games=games,
        seed=seed,
        batch=batch,
        record=record,
    )
    plans = pairs_of(plan, [named[name] for name in cross]) if cross else [plan]
    title = f"{'pairs' if cross else first} - {second}"
    with progress_bar(title, sum(each.total for each in plans), quiet=as_json) as advance:
        if cross:
            pairs = play_pairs(plans, advance)
            result, report = pairs.to_json(), cross_report(pairs, title=spec.title, seed=seed)
        else:
            match = summarize(play_recorded(plan, advance))
            result, report = match.to_json(), match_report(match, title=spec.title, seed=seed)
    if as_json:
        print_json({"game": game, "config": options.changed(), "seed": seed, **result})
    else:
        console().print(report)
