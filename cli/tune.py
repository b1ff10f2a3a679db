"""`spelkast tune`: evolving the numbers that a baseline weighs with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import (
    Game,
    Seed,
    Set,
    console,
    game_options,
    game_spec,
    option,
    says_when_stopped,
)

if TYPE_CHECKING:
    from rich.console import Console

    from ..train.tuning import Limit, Tuning

EXAMPLES = (
    "spelkast tune toedeloe hoarder --minutes 10 --out my.toml",
    "spelkast tune toedeloe hoarder --against scorer --jobs 1",
    "spelkast eval toedeloe my.toml hoarder",
)
KEPT = "every whole generation is kept; the same command continues"
LINE_SECONDS = 15.0
"""Between two lines where there is no terminal."""


@dataclass(frozen=True, kw_only=True)
class Given:
    """What the command line says."""

    game: Game
    baseline: Annotated[
        str, typer.Argument(metavar="BASELINE", help="A baseline that has parameters.")
    ]
    against: Annotated[
        list[str] | None,
        option("AGENT", "Whom candidates meet; by default the baseline; repeat for more."),
    ] = None
    minutes: Annotated[
        float, option("M", "Time for all generations, earlier ones too.", min=0.01, max=100_000)
    ] = 10
    generations: Annotated[
        int | None, option("N", "End after so many, if that is earlier.", min=1)
    ] = None
    games: Annotated[
        int, option("N", "Games of a candidate against each opponent.", min=1, max=100_000)
    ] = 160
    out: Annotated[
        Path | None, option("FILE", "The agent file; by default GAME-BASELINE.toml.")
    ] = None
    seed: Seed = 0
    settings: Set = None
    jobs: Annotated[
        int | None, option("N", "Processes; by default one for each core.", min=1, max=1024)
    ] = None


def tune(given: Given) -> None:
    """Evolve the numbers of a baseline and write an agent file.

    All candidates of a generation play the same deals from all sides. The same command goes on
    where it was stopped, and ends with a match on fresh deals against each opponent.
    """
    import json

    from ..train.display import results_table
    from ..train.tuning import Limit, TuningPlan, measure
    from ..train.tuning import tune as run
    from ..train.workers import cores

    spec = game_spec(given.game)
    plan = TuningPlan(
        game=spec.name,
        baseline=given.baseline,
        against=tuple(given.against or [given.baseline]),
        games=given.games,
        seed=given.seed,
        options=json.dumps(game_options(spec, given.settings).changed()),
    )
    out = given.out or Path(f"{spec.name}-{given.baseline}.toml")
    jobs, shown = given.jobs or cores(), console()
    limit = Limit(minutes=given.minutes, generations=given.generations)
    with says_when_stopped(lambda: KEPT), _progress(shown, limit) as show:
        for tuning in run(plan, out, limit, jobs=jobs):
            show(tuning)
    results = measure(tuning, out, jobs=jobs)
    shown.print(results_table(str(out), {result.second: result for result in results}))


@contextmanager
def _progress(console: Console, limit: Limit) -> Iterator[Callable[[Tuning], None]]:
    """Shows how a tuning goes: one line that changes on a terminal, now and then one elsewhere."""
    from time import monotonic

    from rich.text import Text

    from ..envs.engine.errors import printable

    last = monotonic()

    def note(tuning: Tuning) -> None:
        nonlocal last
        if monotonic() - last >= LINE_SECONDS or limit.is_reached(tuning):
            last = monotonic()
            console.print(_status(tuning, limit), soft_wrap=True)

    if not console.is_terminal:
        yield note
        return
    with console.status("the first generation") as status:
        # A name in brackets is a name, no style.
        yield lambda tuning: status.update(Text(printable(_status(tuning, limit))))


def _status(tuning: Tuning, limit: Limit) -> str:
    """How far a tuning is, and how the last candidates did."""
    number = len(tuning.generations)
    scores = tuning.generations[-1].scores if number else []
    met = zip(tuning.plan.against, scores, strict=False)
    shown = ", ".join(f"{score:.0%} against {name}" for name, score in met)
    minutes = f"{tuning.seconds / 60:.1f} of {limit.minutes:g} minutes"
    return f"generation {number}, {minutes}" + (f", candidates score {shown}" if shown else "")
