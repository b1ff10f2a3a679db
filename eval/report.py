"""The result of a match, as a person wants to read it."""

from __future__ import annotations

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from .match import MatchResult


def match_report(result: MatchResult, *, title: str, seed: object) -> RenderableType:
    """The counts by side, the score with its intervals, and a verdict."""
    first, second = result.first, result.second
    sides = len(result.per_seat)
    lines = [
        Text.assemble((title, "bold"), ": ", (first, "bold"), " against ", (second, "bold")),
        Text(f"{result.deals} deals, each played from {_both(sides)}; seed {seed}"),
    ]
    if result.games != result.requested:
        lines.append(
            Text(f"({result.requested} games were asked for; {result.games} make whole deals)")
        )
    return Group(*lines, _counts(result), _score(result), Text(), verdict(result))


def verdict(result: MatchResult) -> Text:
    """What may be said about the two agents, from the interval over deals."""
    first, second = result.first, result.second
    if result.illegal:
        who = [n for n, count in zip((first, second), result.illegal_by, strict=True) if count]
        return Text(
            f"{' and '.join(who)} tried {result.illegal} illegal actions: no verdict.",
            style="bold red",
        )
    if first == second:
        return Text("An agent against itself: no verdict.")
    if result.pair_low > 0.5:
        return Text(f"{first} is better than {second}.", style="bold")
    if result.pair_high < 0.5:
        return Text(f"{second} is better than {first}.", style="bold")
    return Text(f"These {result.games} games do not tell which of the two is better.")


def _both(sides: int) -> str:
    return "both sides" if sides == 2 else f"all {sides} sides"


def _counts(result: MatchResult) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=True)
    table.add_column(Text(result.first))
    for name in ("games", "wins", "draws", "losses", "score"):
        table.add_column(name, justify="right")
    for side in result.per_seat:
        seats = " and ".join(map(str, side.seats))
        name = f"in seat{'s' * (len(side.seats) > 1)} {seats}"
        table.add_row(name, *_numbers(side.games, side.wins, side.draws, side.losses, side.score))
    table.add_section()
    table.add_row(
        "in all",
        *_numbers(result.games, result.wins, result.draws, result.losses, result.score),
        style="bold",
    )
    return table


def _numbers(*values: float) -> list[str]:
    *counts, score = values
    return [*(f"{int(count):,}" for count in counts), percent(score)]


def percent(score: float) -> str:
    """A share of 1 as "63.4 %"."""
    return f"{100 * score:.1f} %"


def _between(low: float, high: float) -> str:
    return f"{100 * low:.1f} – {percent(high)}"


def _score(result: MatchResult) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 1))
    table.add_row("score", percent(result.score), "(wins + draws / 2) / games")
    wilson = _between(result.low, result.high)
    table.add_row("95 % interval", wilson, "Wilson, as if all games were independent")
    paired = _between(result.pair_low, result.pair_high)
    table.add_row("95 % by deals", paired, "from the mean of each deal's games")
    difference = f"{result.score_difference:+.2f}"
    table.add_row("score difference", difference, "per game, in the points of the game")
    table.add_row("illegal actions", str(result.illegal), "")
    if result.truncated:
        table.add_row("cut off", str(result.truncated), "games that the cap on decisions ended")
    per_game = result.decisions / result.games
    speed = f"{result.games_per_second:,.0f} games/s, {per_game:.0f} decisions per game"
    table.add_row("played", f"{result.seconds:.1f} s", speed)
    return table
