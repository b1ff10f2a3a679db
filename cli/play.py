"""`spelkast play`: you against an agent, in the terminal."""

from __future__ import annotations

import secrets
import sys
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

from .options import Game, Record, Set, game_options, game_spec, option

if TYPE_CHECKING:
    from ..agents.agent import Agent
    from ..envs.engine.spec import GameSpec

EXAMPLES = (
    "spelkast play tacocat",
    "spelkast play tacocat --against novice --seat 1 --seed 7",
    "spelkast play tacocat --against runs/demo@best --record mine.jsonl",
)


@dataclass(frozen=True, kw_only=True)
class Given:
    """What the command line says."""

    game: Game
    against: Annotated[
        str | None,
        option("AGENT", "random, a baseline or a run; by default the strongest baseline."),
    ] = None
    seat: Annotated[int, option("N", "Where you sit.", min=0)] = 0
    seed: Annotated[int | None, option("N", "Which deal; by default a new one.", min=0)] = None
    position: Annotated[
        Path | None, option("FILE", "Begin with the position in this JSON file.")
    ] = None
    settings: Set = None
    record: Record = None


def play(given: Given) -> None:
    """Play a game against an agent.

    Type a move in the game's notation or its number; ? lists your moves, q leaves. You see what
    your seat may know and nothing else.
    """
    from ..agents.files import read_json_object
    from ..envs.engine.errors import OptionsError, printable
    from ..envs.engine.replay import append_replays, check_record
    from ..play.table import Table

    spec, position, record = game_spec(given.game), given.position, given.record
    start = None if position is None else read_json_object(position, "a position")
    options = _options(spec, given.settings, start)
    seats = spec.shape(options).seats
    if given.seat >= seats:
        raise OptionsError(f"expected --seat 0 to {seats - 1} of {given.game}, got {given.seat}")
    if record is not None:
        check_record(record)
    table = Table(
        spec,
        options,
        _opponent(given.game, given.against, options),
        seat=given.seat,
        seed=secrets.randbelow(1_000_000) if given.seed is None else given.seed,
        ask=_ask,
        say=print,
        position=start,
    )
    finished = table.play()
    if record is not None and finished is not None:
        append_replays(record, [finished])
        print(f"Recorded: spelkast replay {printable(quote(str(record)))}")


def _ask(prompt: str) -> str:
    """A line of the person; shown if it was not typed, so that the output reads the same."""
    from ..envs.engine.errors import printable

    line = input(prompt)
    if not sys.stdin.isatty():
        print(printable(line))
    return line


def _options(spec: GameSpec, settings: list[str] | None, start: dict[str, Any] | None) -> Any:
    """The options of `--set`, or those of the position."""
    config = (start or {}).get("config")
    if settings or not isinstance(config, dict):
        return game_options(spec, settings)
    return spec.parse_options(config)


def _opponent(game: str, against: str | None, options: Any) -> Agent:
    from ..agents.registry import baselines, make_agent

    name = (baselines(game) or ["random"])[-1] if against is None else against
    return make_agent(name, game, options=options)
