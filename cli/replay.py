"""`spelkast replay`: recorded games, played again, checked and shown."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import AsJson, console, game_spec, listing, option, print_json

if TYPE_CHECKING:
    from rich.console import Console

    from ..envs.engine.replay import Moment, Replay
    from ..envs.engine.spec import GameSpec

EXAMPLES = (
    "spelkast eval tacocat solid novice --games 10 --record games.jsonl",
    "spelkast replay games.jsonl",
    "spelkast replay games.jsonl --game 3 --step",
    "spelkast replay games.jsonl --game 3 --svg pictures",
)


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of replays.")],
    *,
    game: Annotated[
        int | None, option("N", "Show this game of the file (the first is 1); default: all.", min=1)
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Show every position of the game.")] = False,
    svg: Annotated[
        Path | None, option("DIR", "Write a picture of every position of the game.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check recorded games, position by position, and show them.

    A single game is shown move by move; several games are listed. With --step on a terminal, Enter
    shows the next position and Ctrl-D ends.
    """
    from ..envs.engine.errors import OptionsError, ReplayError
    from ..envs.engine.replay import read_replays

    if as_json and (step or svg is not None):
        raise OptionsError("expected --json alone or --step and --svg, got both")
    numbered = list(enumerate(read_replays(file), 1))
    if not numbered:
        raise ReplayError(f"expected at least one game, got an empty file {file}")
    if game is None and (step or svg is not None) and len(numbered) > 1:
        raise ReplayError(f"expected --game 1 to {len(numbered)} to say which game of {file}")
    if game is not None:
        if game > len(numbered):
            raise ReplayError(f"expected a game from 1 to {len(numbered)} of {file}, got {game}")
        numbered = [numbered[game - 1]]
    checked = ((number, recorded, _moments(number, recorded)) for number, recorded in numbered)
    if as_json:
        print_json([facts_of(*entry) for entry in checked])
    elif len(numbered) > 1:
        _print_list(checked, file)
    else:
        _show(*next(checked), step=step, svg=svg)


def _moments(number: int, recorded: Replay) -> list[Moment]:
    """The positions of a game, all checked; an error begins with the game's number."""
    from ..envs.engine.errors import ReplayError
    from ..envs.engine.replay import replay_game

    try:
        return list(replay_game(game_spec(recorded.game), recorded))
    except ReplayError as error:
        raise ReplayError(f"game {number}: {error}") from None


def facts_of(number: int, recorded: Replay, moments: list[Moment]) -> dict[str, Any]:
    """A game that has been checked, as plain JSON."""
    return {
        "number": number,
        "game": recorded.game,
        "config": recorded.config,
        "seed": recorded.seed,
        "agents": recorded.agents,
        "moves": len(moments) - 1,
        "verified": True,
        **recorded.result.model_dump(),
    }


def _print_list(checked: Iterator[tuple[int, Replay, list[Moment]]], file: Path) -> None:
    names = ("game", "agents by seat", "scores", "end", "moves")
    table = listing(*names, right=("game", "moves"))
    for number, recorded, moments in checked:
        table.add_row(
            str(number),
            " - ".join(recorded.agents),
            _scores(recorded),
            ending(recorded),
            str(len(moments) - 1),
        )
    out = console()
    out.print(table)
    out.print(f"{table.row_count} games; every position is as recorded.")
    command = f"spelkast replay {quote(str(file))} --game N"
    out.print(f"To see one of them: {command}", soft_wrap=True)


def _scores(recorded: Replay) -> str:
    return " : ".join(f"{score:g}" for score in recorded.result.scores)


def ending(recorded: Replay) -> str:
    """How a game ended, in words."""
    result = recorded.result
    if result.forfeit is not None:
        return f"seat {result.forfeit} lost by an illegal action"
    if result.truncated:
        return "cut off"
    best = max(result.rewards)
    winners = [str(seat) for seat, reward in enumerate(result.rewards) if reward == best]
    if len(winners) == len(result.rewards):
        return "draw"
    return f"seat{'s' * (len(winners) > 1)} {' and '.join(winners)} won"


def _show(
    number: int, recorded: Replay, moments: list[Moment], *, step: bool, svg: Path | None
) -> None:
    spec, out = game_spec(recorded.game), console()
    if svg is not None:
        svg.mkdir(parents=True, exist_ok=True)
    agents = " - ".join(recorded.agents)
    out.print(f"{spec.title}, game {number}: {agents}", soft_wrap=True)
    if step:
        _show_positions(spec, recorded, moments, out=out)
    else:
        for moment in moments:
            out.print(_line(recorded, moment))
    out.print(
        f"{ending(recorded)}, {_scores(recorded)}, after {len(moments) - 1} moves; "
        "every position is as recorded."
    )
    if svg is not None:
        out.print(f"{_draw(spec, moments, svg)} pictures in {svg}")


def _line(recorded: Replay, moment: Moment) -> str:
    """A move and the chance that followed, for a list of moves."""
    chance = " ".join(moment.chance)
    if moment.move is None or moment.seat is None:
        return f"start            {chance}".rstrip()
    who = f"{moment.seat} {recorded.agents[moment.seat]}"
    return f"{moment.number:>4}  {who:<16} {moment.move:<8} {chance}".rstrip()


def _show_positions(
    spec: GameSpec, recorded: Replay, moments: list[Moment], *, out: Console
) -> None:
    waits = sys.stdin.isatty() and sys.stdout.isatty()
    for moment in moments:
        out.print()
        out.print(_line(recorded, moment), style="bold")
        out.print(spec.draw_text(moment.position, viewer=None, last_move=moment.move))
        if waits and moment is not moments[-1]:
            try:
                input("Enter: next position, Ctrl-D: end ")
            except EOFError:
                out.print()
                return


def _draw(spec: GameSpec, moments: list[Moment], folder: Path) -> int:
    digits = len(str(len(moments) - 1))
    for moment in moments:
        picture = spec.draw_svg(moment.position, viewer=None, last_move=moment.move)
        (folder / f"{moment.number:0{digits}}.svg").write_text(picture, "utf-8")
    return len(moments)
