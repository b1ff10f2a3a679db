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
    tables = -(-len(teams) // 2)
    seen: dict[str, str] = {}
    for entry in typed:
        sheet, number = entry.sheet, entry.sheet.round
        _check_place(entry, tables=tables, is_odd=bool(len(teams) % 2))
        once = {f"one sheet of round {number}, table {sheet.table}": "a second one"}
        if sheet.is_bye:
            once[f"one bye in round {number}"] = "a second one"
        once |= {f"team {team} once in round {number}": "it a second time" for team in sheet.teams}
        for expected, got in once.items():
            if expected in seen:
                raise TournamentError(
                    f"{entry}: expected {expected}, got {got} (before: {seen[expected]})"
                )
            seen[expected] = entry.line
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


def _check_place(entry: Typed, *, tables: int, is_odd: bool) -> None:
    """A sheet is of a table that there is, and only an odd number of teams leaves a bye."""
    sheet = entry.sheet
    if sheet.table > tables:
        raise TournamentError(
            f"{entry}: expected a table of 1 to {tables} in round {sheet.round}, got {sheet.table}"
        )
    if sheet.is_bye and not is_odd:
        raise TournamentError(
            f"{entry}: expected two teams, since their number is even, got a bye of team "
            f"{sheet.team_a}"
        )


def _listed(what: str, numbers: Sequence[int]) -> str:
    *most, last = map(str, numbers)
    return f"{what}s {', '.join(most)} and {last}" if most else f"{what} {last}"
