"""The rules themselves: random legal play in batches of every size, on one core.

The move of every row is chosen in compiled code; the observation and the mask of every decision are
written and folded into a checksum. Time is CPU time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from spelkast.envs import games, spec
from spelkast.envs.engine.playouts import RandomPlayouts

from .sampling import SPREAD_HEADER, Json, cells, in_turns, markdown_table, rate

SECONDS = 2.0
"""CPU time per row."""
SIZES = (1, 16, 64, 256, 1024, 4096)
DECISIONS_PER_CALL = 1 << 16
WARM_UP_STEPS = 200
"""So that the rows stand anywhere in their games, not all at the start."""


def under_way(game: str, rows: int, *, seed: int = 0) -> RandomPlayouts:
    """Random play in *rows* rows that stand at different points of their games."""
    playouts = RandomPlayouts(spec(game), rows, seed=seed)
    playouts.run(WARM_UP_STEPS)
    return playouts


def decisions_per_second(playouts: RandomPlayouts, seconds: float) -> float:
    """Of CPU time, in calls so long that calling costs nothing."""
    steps = max(1, DECISIONS_PER_CALL // playouts.batch.size)
    return rate(partial(playouts.run, steps), seconds)


def measure(*, seconds: float = SECONDS, sizes: Sequence[int] = SIZES) -> Json:
    """Decisions per second of every game, by the size of the batch."""
    return {
        game: in_turns(
            {str(n): partial(decisions_per_second, under_way(game, n)) for n in sizes}, seconds
        )
        for game in games()
    }


def table(figures: Json) -> str:
    """The figures as Markdown."""
    rows = [
        [game, size, *cells(figure)]
        for game, sizes in figures.items()
        for size, figure in sizes.items()
    ]
    return markdown_table(("game", "rows", *(f"decisions/s, {x}" for x in SPREAD_HEADER)), rows)
