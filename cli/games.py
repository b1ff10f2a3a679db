"""`spelkast games`: what is in the cupboard."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import AsJson, console, game_spec, print_json

if TYPE_CHECKING:
    from ..envs.engine.spec import GameSpec

EXAMPLES = ("spelkast games", "spelkast games tacocat", "spelkast games --json")


def games(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A game to show in full.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """List the games, or tell one game's options and observation."""
    from .. import envs

    specs = [game_spec(game)] if game else [envs.spec(name) for name in envs.games()]
    if as_json:
        facts = [facts_of(spec) for spec in specs]
        print_json(facts[0] if game else facts)
    elif game:
        _print_game(specs[0])
    else:
        _print_games(specs)


def facts_of(spec: GameSpec) -> dict[str, Any]:
    """What there is to know about a game, as plain JSON."""
    from ..agents.registry import baselines

    options = spec.parse_options(None)
    shape = spec.shape(options)
    return {
        "name": spec.name,
        "title": spec.title,
        "version": spec.version,
        "seats": shape.seats,
        "actions": shape.actions,
        "observation": shape.observation,
        "state": shape.state,
        "agents": ["random", *baselines(spec.name)],
        "options": {
            name: {"default": value, "help": spec.options.model_fields[name].description}
            for name, value in options.model_dump(mode="json").items()
        },
        "segments": [
            {"name": s.name, "size": s.size, "low": s.low, "high": s.high}
            for s in spec.segments_of(options)
        ],
    }


def _print_games(specs: list[GameSpec]) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name, justify in COLUMNS:
        table.add_column(name, justify=justify, no_wrap=name == "name")
    for spec in specs:
        facts = facts_of(spec)
        table.add_row(
            f"[bold]{spec.name}[/bold]",
            spec.title,
            *(str(facts[key]) for key in ("seats", "actions", "observation")),
            ", ".join(facts["agents"]),
        )
    out = console()
    out.print(table)
    out.print("One game in full: [bold]spelkast games NAME[/bold]")


COLUMNS: Any = (
    ("name", "left"),
    ("title", "left"),
    ("seats", "right"),
    ("actions", "right"),
    ("numbers seen", "right"),
    ("agents", "left"),
)


def _print_game(spec: GameSpec) -> None:
    from rich.padding import Padding
    from rich.table import Table

    facts = facts_of(spec)
    out = console()
    out.print(f"[bold]{spec.title}[/bold]  ({spec.name}, version {spec.version})\n")
    table = Table(box=None, show_header=False, padding=(0, 3, 0, 0))
    table.add_row("seats", str(facts["seats"]))
    table.add_row("actions", str(facts["actions"]))
    table.add_row("observation", f"{facts['observation']} numbers")
    table.add_row("full state", f"{facts['state']} numbers")
    table.add_row("agents", ", ".join(facts["agents"]))
    out.print(Padding(table, (0, 2)))
    out.print("\n[bold]Options[/bold]  (--set NAME=VALUE)\n")
    options = Table(box=None, show_header=False, padding=(0, 3, 0, 0))
    for name, option in facts["options"].items():
        options.add_row(name, as_typed(option["default"]), option["help"] or "")
    out.print(Padding(options, (0, 2)))
    out.print("\n[bold]What a player sees[/bold]  (the observation)\n")
    segments = Table(box=None, show_header=False, padding=(0, 3, 0, 0))
    start = 0
    for segment in spec.segments_of(spec.parse_options(None)):
        end = start + segment.size - 1
        where = str(start) if segment.size == 1 else f"{start}-{end}"
        segments.add_row(where, segment.name)
        start = end + 1
    out.print(Padding(segments, (0, 2)))


def as_typed(value: Any) -> str:
    """A value as one types it after `--set`."""
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
