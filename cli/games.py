"""`spelkast games`: the list of games, and the facts of one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import AsJson, console, game_spec, listing, print_json

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..envs.engine.spec import GameSpec

EXAMPLES = ("spelkast games", "spelkast games tacocat", "spelkast games --json")


def games(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A game to show in full.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """List the games, or show one game's options and observation."""
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
    """The facts of a game as plain JSON."""
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
    names = ("name", "title", "seats", "actions", "numbers seen", "agents")
    table = listing(*names, right=names[2:5])
    for spec in specs:
        facts = facts_of(spec)
        table.add_row(
            spec.name,
            spec.title,
            *(str(facts[key]) for key in ("seats", "actions", "observation")),
            ", ".join(facts["agents"]),
        )
    out = console()
    out.print(table)
    out.print("To see one game in full: spelkast games NAME")


def _print_game(spec: GameSpec) -> None:
    facts, out = facts_of(spec), console()
    out.print(f"{spec.title}  ({spec.name}, version {spec.version})\n", style="bold")
    out.print(
        _grid(
            ("seats", str(facts["seats"])),
            ("actions", str(facts["actions"])),
            ("observation", f"{facts['observation']} numbers"),
            ("full state", f"{facts['state']} numbers"),
            ("agents", ", ".join(facts["agents"])),
        )
    )
    out.print("\nOptions  (--set NAME=VALUE)\n", style="bold")
    options = facts["options"].items()
    out.print(_grid(*((name, as_typed(o["default"]), o["help"] or "") for name, o in options)))
    out.print("\nWhat a player sees  (the observation)\n", style="bold")
    columns = spec.columns_of(spec.parse_options(None)).items()
    out.print(_grid(*((_between(place), name) for name, place in columns)))


def _grid(*rows: Sequence[str]) -> RenderableType:
    """Rows of text, indented, without lines."""
    from rich.padding import Padding
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 3, 0, 0))
    for row in rows:
        table.add_row(*row)
    return Padding(table, (0, 2))


def _between(place: range) -> str:
    """The first and the last column of a segment."""
    return str(place[0]) if len(place) == 1 else f"{place[0]}-{place[-1]}"


def as_typed(value: Any) -> str:
    """A value as one types it after `--set`."""
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
