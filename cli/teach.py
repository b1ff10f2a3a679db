"""`spelkast teach`: what a strong player makes of many positions, in a file to learn from."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from .options import (
    Game,
    Seed,
    Set,
    console,
    game_options,
    game_spec,
    option,
    progress_bar,
    says_when_stopped,
)

EXAMPLES = (
    "spelkast teach tacocat --teacher search:ismcts,simulations=400 --games 9",
    "spelkast teach tokken --teacher kees --player racer --share 0.1 --games 9",
    "spelkast teach tokken --teacher kees --player runs/x --games 9 --out x.npz",
    "spelkast train tokken --set imitation.data=x.npz",
)


@dataclass(frozen=True, kw_only=True)
class Given:
    """What the command line says."""

    game: Game
    teacher: Annotated[str, option("AGENT", "Who is asked, usually a search.")]
    games: Annotated[int, option("N", "Games to play.", min=1, max=100_000)]
    out: Annotated[Path | None, option("FILE", "The new file; by default GAME-lessons.npz.")] = None
    player: Annotated[
        str | None, option("AGENT", "Who plays the games; by default the teacher.")
    ] = None
    share: Annotated[
        float, option("P", "Share of the decisions that the teacher is asked about.", min=0, max=1)
    ] = 1.0
    jobs: Annotated[
        int | None, option("N", "Processes; by default one for each core.", min=1, max=1024)
    ] = None
    seed: Seed = 0
    settings: Set = None


def teach(given: Given) -> None:
    """Write down what a search makes of positions, to train from.

    Each position comes with the teacher's choice, the share of its visits that each legal action
    got, and the reward that it expects; docs/teaching.md describes the file. Training learns from
    it by `imitation.data`. The same command goes on where it was stopped.
    """
    import json

    from ..envs.engine.errors import OptionsError, expect
    from ..train.teaching import Plan, make_lessons
    from ..train.workers import cores

    has_player = given.player is not None or given.share == 1
    wanted = "--player with --share: a teacher that plays is asked about every decision"
    expect(has_player, wanted, "no player", error=OptionsError)
    spec = game_spec(given.game)
    plan = Plan(
        game=spec.name,
        options=json.dumps(game_options(spec, given.settings).changed()),
        teacher=given.teacher,
        player=given.player,
        share=given.share,
        games=given.games,
        seed=given.seed,
    )
    out = given.out or Path(f"{spec.name}-lessons.npz")
    done, title = 0, f"{given.teacher} teaches"

    def kept() -> str:
        return f"{done:,} of {given.games:,} games are kept; the same command continues"

    with says_when_stopped(kept), progress_bar(title, plan.games, quiet=False) as advance:
        for now in make_lessons(plan, out, jobs=given.jobs or cores()):
            if advance is not None:
                advance(now - done)
            done = now
    console().print(f"{given.games:,} {'game' if given.games == 1 else 'games'} in {out}")
