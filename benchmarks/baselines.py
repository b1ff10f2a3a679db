"""The hand-written players: decisions per second in a batch, CPU time, one core.

The positions come from random play, so they stand anywhere in a game. What is timed is `Agent.act`,
its check of the masks included.
"""

from functools import partial

from spelkast.agents.agent import Agent, Views, views_of
from spelkast.agents.registry import baselines, make_agent
from spelkast.cli.speed import rate
from spelkast.envs import games
from spelkast.envs.engine.dtypes import Streams
from spelkast.envs.engine.streams import new_streams

from .kernels import under_way
from .sampling import SPREAD, Json, Rate, in_turns, markdown_table, number

SECONDS = 2.0
"""CPU time per player."""
ROWS = 1024


def measure(*, seconds: float = SECONDS, rows: int = ROWS) -> Json:
    """Decisions per second of every baseline of every game."""
    return {game: {"rows": rows, "agents": _measure_game(game, rows, seconds)} for game in games()}


def table(figures: Json) -> str:
    """The figures as Markdown."""
    rows = [
        [game, agent, figure, number(1000 * facts["rows"] / figure["median"])]
        for game, facts in figures.items()
        for agent, figure in facts["agents"].items()
    ]
    batches = sorted({facts["rows"] for facts in figures.values()})
    last = f"ms for {' or '.join(map(str, batches))} rows"
    return markdown_table(("game", "agent", *(f"decisions/s, {x}" for x in SPREAD), last), rows)


def _measure_game(game: str, rows: int, seconds: float) -> Json:
    batch = under_way(game, rows).batch
    batch.refresh()
    # With records, which some baselines look at.
    views = views_of(batch, streams=new_streams(0, rows, "determinize"))
    players: dict[str, Rate] = {}
    for name in ("random", *baselines(game)):
        agent, streams = make_agent(name, game), new_streams(0, rows, "agents")
        agent.act(views, streams)  # compiles
        players[name] = partial(rate, partial(_act, agent, views, streams))
    return in_turns(players, seconds)


def _act(agent: Agent, views: Views, streams: Streams) -> int:
    return len(agent.act(views, streams))
