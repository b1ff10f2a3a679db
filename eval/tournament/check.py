"""Whether score sheets make whole rounds: every table once, every team once in a round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...envs.engine.errors import TournamentError
from .sheets import Sheet
from .typed import Typed


@dataclass(frozen=True, kw_only=True, slots=True)
class Missing:
    """What is not there of a round that has begun."""

    round: int
    tables: list[int]
    teams: list[int]

    def __str__(self) -> str:
        tables = _listed("table", self.tables)
        return f"round {self.round}: {tables} missing ({_listed('team', self.teams)})"


def check_sheets(typed: Sequence[Typed], teams: Sequence[int]) -> Missing | None:
    """Raise `TournamentError` if sheets contradict one another; returns what the last round lacks.

    None if there are whole rounds only. A round may only begin when the one before is whole.
    """
    seats: dict[tuple[int, int], str] = {}
    places: dict[tuple[int, int], str] = {}
    tables = -(-len(teams) // 2)
    for entry in typed:
        _check_place(entry, seats, tables=tables, is_odd=bool(len(teams) % 2))
        for team in entry.sheet.teams:
            key = entry.sheet.round, team
            if key in places:
                raise TournamentError(
                    f"{entry}: expected team {team} once in round {key[0]}, "
                    f"got it a second time (before: {places[key]})"
                )
            places[key] = entry.line
    sheets = [entry.sheet for entry in typed]
    last = max((sheet.round for sheet in sheets), default=0)
    for number in range(1, last + 1):
        missing = missing_of_round(sheets, teams, number)
        if missing is not None:
            if number == last:
                return missing
            raise TournamentError(
                f"expected whole rounds before round {number + 1} begins, got {missing}"
            )
    return None


def missing_of_round(sheets: Sequence[Sheet], teams: Sequence[int], number: int) -> Missing | None:
    """The tables of a round without a sheet, and the teams that should sit there."""
    there = [sheet for sheet in sheets if sheet.round == number]
    tables = set(range(1, -(-len(teams) // 2) + 1)) - {sheet.table for sheet in there}
    if not tables:
        return None
    seated = {team for sheet in there for team in sheet.teams}
    return Missing(
        round=number, tables=sorted(tables), teams=[team for team in teams if team not in seated]
    )


def _check_place(
    entry: Typed, seats: dict[tuple[int, int], str], *, tables: int, is_odd: bool
) -> None:
    """One sheet per round and table, at a table that there is; one bye, if the number is odd."""
    sheet = entry.sheet
    key = sheet.round, sheet.table
    if key in seats:
        raise TournamentError(
            f"{entry}: expected one sheet of round {key[0]}, table {key[1]}, "
            f"got a second one (before: {seats[key]})"
        )
    seats[key] = entry.line
    if sheet.table > tables:
        raise TournamentError(
            f"{entry}: expected a table of 1 to {tables} in round {sheet.round}, got {sheet.table}"
        )
    if not sheet.is_bye:
        return
    if not is_odd:
        raise TournamentError(
            f"{entry}: expected two teams, since their number is even, got a bye of team "
            f"{sheet.team_a}"
        )
    if (bye := (sheet.round, 0)) in seats:
        raise TournamentError(
            f"{entry}: expected one bye in round {sheet.round}, got a second one "
            f"(before: {seats[bye]})"
        )
    seats[bye] = entry.line


def _listed(what: str, numbers: Sequence[int]) -> str:
    *most, last = map(str, numbers)
    return f"{what}s {', '.join(most)} and {last}" if most else f"{what} {last}"
