"""`spelkast eval`: which of two agents is better, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

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
    option,
    print_json,
    progress_bar,
)

if TYPE_CHECKING:
    from ..eval.plan import MatchPlan

EXAMPLES = (
    "spelkast eval tacocat solid novice",
    "spelkast eval tacocat runs/demo solid --games 2000 --json",
    "spelkast eval tacocat solid random --set tie_rule=arrow --record games.jsonl",
    "spelkast eval oduludo tactician racer --set players=4",
    "spelkast eval tokken kees racer --partner random",
    "spelkast eval tokken kees racer --cross racer --cross random",
)


@dataclass(frozen=True, kw_only=True)
class Given:
    """What the command line says."""

    game: Game
    first: Annotated[
        str, typer.Argument(metavar="A", help="An agent: random, a baseline or a run.")
    ]
    second: Annotated[str, typer.Argument(metavar="B", help="The agent that it meets.")]
    partner: Annotated[
        str | None, option("C", "Where there are teams: who shares the side of A.")
    ] = None
    other_partner: Annotated[str | None, option("D", "Who shares the sides of B.")] = None
    cross: Annotated[
        list[str] | None,
        option("C", "Every pair of A and these as a team against B; repeat for more."),
    ] = None
    games: Annotated[int, option("N", "Games to play, shared between the sides.", min=1)] = 1000
    seed: Seed = 0
    settings: Set = None
    batch: Annotated[
        int, option("N", "Games played side by side; does not change the result.", min=1)
    ] = 512
    record: Record = None
    as_json: AsJson = False


def eval(given: Given) -> None:
    """Measure agent A against agent B.

    The score is A's share of the first places: a win counts 1, a draw 1/2. It comes with two 95 %
    intervals; an illegal action loses its game.
    """
    from ..eval.cross import play_pairs
    from ..eval.match import play_recorded, summarize
    from ..eval.report import cross_report, match_report

    plans = _plans(given)
    spec, options = plans[0].spec, plans[0].options
    title = f"{'pairs' if given.cross else given.first} - {given.second}"
    total = sum(plan.total for plan in plans)
    with _says_what_is_kept(), progress_bar(title, total, quiet=given.as_json) as advance:
        if given.cross:
            pairs = play_pairs(plans, advance)
            result, report = pairs.to_json(), cross_report(pairs, title=spec.title, seed=given.seed)
        else:
            match = summarize(play_recorded(plans[0], advance))
            result, report = match.to_json(), match_report(match, title=spec.title, seed=given.seed)
    if given.as_json:
        facts = {"game": given.game, "config": options.changed(), "seed": given.seed}
        print_json(facts | result)
    else:
        console().print(report)


@contextmanager
def _says_what_is_kept() -> Iterator[None]:
    """Whoever stops a match hears what is left of it."""
    try:
        yield
    except KeyboardInterrupt as stopped:
        from ..envs.engine.errors import remark

        nothing = "no game is kept; --record FILE keeps each as it ends"
        for note in getattr(stopped, "__notes__", [nothing]):
            remark(f"stopped: {note}")
        raise


def _plans(given: Given) -> list[MatchPlan]:
    """The match, or with --cross those of every pair."""
    from ..agents.registry import make_agent
    from ..envs.engine.errors import OptionsError
    from ..eval.cross import pairs_of
    from ..eval.plan import MatchPlan

    partners, cross = (given.partner, given.other_partner), given.cross or []
    if cross and partners != (None, None):
        raise OptionsError("expected --cross or partners, got both")
    spec = game_spec(given.game)
    options = game_options(spec, given.settings)
    # One agent for each name: who is both A and its own partner is no partner.
    names = dict.fromkeys((given.first, given.second, *partners, *cross))
    named = {
        name: make_agent(name, given.game, options=options) for name in names if name is not None
    }
    plan = MatchPlan(
        spec=spec,
        options=options,
        agents=(named[given.first], named[given.second]),
        partners=(named.get(given.partner or ""), named.get(given.other_partner or "")),
        games=given.games,
        seed=given.seed,
        batch=given.batch,
        record=given.record,
    )
    return pairs_of(plan, [named[name] for name in cross]) if cross else [plan]
