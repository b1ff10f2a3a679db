"""`spelkast bench`: the speed of a game's rules on this machine."""

from typing import Annotated, Any

import typer

from .options import AsJson, Game, Seed, Set, console, game_options, game_spec, option, print_json

EXAMPLES = (
    "spelkast bench tacocat",
    "spelkast bench tacocat --json --seconds 5",
    "spelkast bench tacocat --signature",
)


def bench(
    game: Game,
    *,
    batch: Annotated[int, option("N", "Games side by side.", min=1, max=1_000_000)] = 1024,
    seconds: Annotated[float, option("S", "CPU time per measurement.", min=0.01, max=3600)] = 2.0,
    signature: Annotated[
        bool, typer.Option("--signature", help="Print only the signature of the game's behaviour.")
    ] = False,
    seed: Seed = 0,
    settings: Set = None,
    as_json: AsJson = False,
) -> None:
    """Measure how fast a game runs on one core.

    Moves are random and legal; time is CPU time. In a batch, compiled code chooses the moves and
    writes every observation and mask. The signature is eight hex digits that stay the same as long
    as the game behaves the same.
    """
    from . import speed

    spec = game_spec(game)
    options = game_options(spec, settings)
    facts: dict[str, Any] = {"game": game, "signature": speed.signature(spec, options)}
    if not signature:
        decisions = speed.batch_speed(spec, options, rows=batch, seconds=seconds, seed=seed)
        plies = speed.environment_speed(spec, options, seconds=seconds, seed=seed)
        facts |= {
            "config": options.changed(),
            "batch": batch,
            "seconds": seconds,
            "batch_decisions_per_second": round(decisions),
            "environment_plies_per_second": round(plies),
        }
    if as_json:
        print_json(facts)
    elif signature:
        print(f"{game} {facts['signature']}")
    else:
        _print_speeds(spec.title, facts)


def _print_speeds(title: str, facts: dict[str, Any]) -> None:
    decisions, plies = facts["batch_decisions_per_second"], facts["environment_plies_per_second"]
    out = console()
    out.print(f"{title}, random legal play on one core, CPU time\n")
    out.print(
        f"  {decisions:>12,}  decisions/s in a batch of {facts['batch']}, chosen by the kernel"
    )
    out.print(f"  {plies:>12,}  plies/s of the PettingZoo environment, last() and step()")
    out.print(f"  {facts['signature']:>12}  signature of the game's behaviour")
