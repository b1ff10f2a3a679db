"""Rounds and standings as tables for the terminal."""

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from .sheets import SIDES, Pair, Sheet, Time
from .standings import Standing, standings
from .teams import Team


def round_report(
    teams: Sequence[Team], sheets: Sequence[Sheet], number: int, *, is_final: bool
) -> RenderableType:
    """A round of those that have been played, and the standings after it."""
    until = [sheet for sheet in sheets if sheet.round <= number]
    title = "Final standings" if is_final else f"Standings after round {number}"
    return Group(
        round_table(teams, [sheet for sheet in until if sheet.round == number]),
        standings_table(teams, until, title=title),
    )


def round_table(teams: Sequence[Team], places: Sequence[Pair]) -> RenderableType:
    """Who met at which table of a round and how it ended; for pairs, who will meet."""
    names = {team.number: team.name for team in teams}
    is_played = any(isinstance(place, Sheet) for place in places)
    results = ("pawns", "points", "time", "") if is_played else ()
    table = _table(f"Round {places[0].round}", "table", "team a, deals first", "team b", *results)
    for place in places:
        table.add_row(str(place.table), *_teams(place, names), *_result(place))
    notes = [
        Text(f"Table {place.table}: {place.note}", style="dim")
        for place in places
        if isinstance(place, Sheet) and place.note
    ]
    return Group(table, *notes)


def standings_table(teams: Sequence[Team], sheets: Sequence[Sheet], *, title: str) -> Table:
    """The standings with everything that decides ties, in the order in which it does."""
    names = {team.number: team.name for team in teams}
    table = _table(title, "", "team", "wins", "for", "against", "time", "")
    for row in standings(list(names), sheets):
        table.add_row(str(row.place), _named(row.team, names), *figures(row))
    return table


def figures(row: Standing) -> list[str]:
    """Wins, points for and against, time, and what else is to be known: byes and own forfeits."""
    counts = ((row.byes, "bye"), (row.forfeits, "forfeit"))
    remarks = ", ".join(f"{n} {what}{'s' * (n > 1)}" for n, what in counts if n)
    numbers = (row.wins, row.points_for, row.points_against)
    return [*(f"{number:,}" for number in numbers), time_text(row.time), remarks]


def time_text(time: Time) -> str:
    """Decisions, or seconds with one decimal."""
    return f"{time:,}" if isinstance(time, int) else f"{time:,.1f}"


def outcome(sheet: Sheet) -> str:
    """How a game ended, if not by a win on the board."""
    if sheet.is_bye:
        return "bye"
    if sheet.forfeit:
        return f"forfeit {sheet.forfeit}"
    return "" if sheet.winner else "time-out"


def _table(title: str, *names: str) -> Table:
    """A table with these columns: teams have the room, numbers stand right, remarks come last."""
    table = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        title=Text(title),
        title_justify="left",
        title_style="bold",
    )
    for k, name in enumerate(names, 1):
        if name.startswith("team"):
            table.add_column(name, ratio=1, overflow="fold")
        else:
            table.add_column(name, justify="left" if k == len(names) else "right", no_wrap=True)
    return table


def _teams(place: Pair, names: dict[int, str]) -> list[Text]:
    winner = place.winner if isinstance(place, Sheet) else None
    sides = zip(SIDES, place.teams, strict=False)  # a bye has no team b
    named = [_named(team, names, is_bold=winner == side) for side, team in sides]
    return [*named, Text("bye")] if place.is_bye else named


def _named(number: int, names: dict[int, str], *, is_bold: bool = False) -> Text:
    # Text, and not markup: a name may hold brackets.
    return Text(f"{number} {names[number]}", style="bold" if is_bold else "")


def _result(place: Pair) -> list[str]:
    if not isinstance(place, Sheet):
        return []
    points_a, points_b = place.points
    return [
        f"{place.pawns_a} – {place.pawns_b}",
        f"{points_a} – {points_b}",
        time_text(place.time),
        outcome(place),
    ]
