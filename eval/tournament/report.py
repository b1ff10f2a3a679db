"""Rounds and standings as tables for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from .sheets import Pair, Sheet, Time
from .standings import Standing
from .teams import Team


def round_table(
    number: int, places: Sequence[Pair | Sheet], teams: Sequence[Team]
) -> RenderableType:
    """Who met at which table and how it ended; for pairs, who will meet."""
    names = {team.number: team.name for team in teams}
    is_played = any(isinstance(place, Sheet) for place in places)
    table = _table(f"Round {number}")
    table.add_column("table", justify="right", no_wrap=True)
    table.add_column("team a, deals first", ratio=1, overflow="fold")
    table.add_column("team b", ratio=1, overflow="fold")
    if is_played:
        for name in ("pawns", "points", "time"):
            table.add_column(name, justify="right", no_wrap=True)
        table.add_column("", no_wrap=True)
    for place in places:
        row = [Text(str(place.table)), *_teams(place, names)]
        table.add_row(*row, *(_result(place) if isinstance(place, Sheet) else []))
    notes = [_note(place) for place in places if isinstance(place, Sheet) and place.note]
    return Group(table, *notes)


def standings_table(
    rows: Sequence[Standing], teams: Sequence[Team], *, title: str
) -> RenderableType:
    """The standings with everything that decides ties, in the order in which it does."""
    names = {team.number: team.name for team in teams}
    table = _table(title)
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("team", ratio=1, overflow="fold")
    for name in ("wins", "for", "against", "time"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for row in rows:
        table.add_row(
            str(row.place),
            _named(row.team, names),
            *(f"{value:,}" for value in (row.wins, row.points_for, row.points_against)),
            time_text(row.time),
            remarks(row),
        )
    return table


def _table(title: str) -> Table:
    return Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        title=Text(title),
        title_justify="left",
        title_style="bold",
    )


def time_text(time: Time) -> str:
    """Decisions, or seconds with one decimal."""
    return f"{time:,}" if isinstance(time, int) else f"{time:,.1f}"


def remarks(row: Standing) -> str:
    """What else is to be known of a team: byes and forfeits of its own."""
    counts = ((row.byes, "bye"), (row.forfeits, "forfeit"))
    return ", ".join(f"{n} {what}{'s' * (n > 1)}" for n, what in counts if n)


def outcome(sheet: Sheet) -> str:
    """How a game ended, if not by a win on the board."""
    if sheet.is_bye:
        return "bye"
    if sheet.forfeit:
        return {"a": "forfeit a", "b": "forfeit b", "both": "forfeit both"}[sheet.forfeit]
    return "" if sheet.winner else "time-out"


def _teams(place: Pair | Sheet, names: dict[int, str]) -> list[Text]:
    winner = place.winner if isinstance(place, Sheet) else None
    team_a = _named(place.team_a, names, is_bold=winner == "a")
    if place.team_b is None:
        return [team_a, Text("bye")]
    return [team_a, _named(place.team_b, names, is_bold=winner == "b")]


def _named(number: int, names: dict[int, str], *, is_bold: bool = False) -> Text:
    # Text, and not markup: a name may hold brackets.
    return Text(f"{number} {names[number]}", style="bold" if is_bold else "")


def _result(sheet: Sheet) -> list[Text]:
    points_a, points_b = sheet.points
    return [
        Text(f"{sheet.pawns_a} – {sheet.pawns_b}"),
        Text(f"{points_a} – {points_b}"),
        Text(time_text(sheet.time)),
        Text(outcome(sheet)),
    ]


def _note(sheet: Sheet) -> Text:
    return Text(f"Table {sheet.table}: {sheet.note}", style="dim")
