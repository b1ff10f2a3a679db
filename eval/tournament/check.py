"""Whether score sheets make whole rounds: every table once, every team once in a round."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...envs.engine.errors import TournamentError
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
        _check_place(entry, tables=tables, is_odd=bool(len(teams) % 2))
        _check_once(entry, seen)
    last = max((entry.sheet.round for entry in typed), default=0)
    for number in range(1, last + 1):
        there = [entry.sheet for entry in typed if entry.sheet.round == number]
        seated = {team for sheet in there for team in sheet.teams}
        missing = Missing(
            round=number,
            tables=sorted(set(range(1, tables + 1)) - {sheet.table for sheet in there}),
            teams=[team for team in teams if team not in seated],
        )
        if missing.tables and number == last:
            return missing
        if missing.tables:
            raise TournamentError(
                f"expected whole rounds before round {number + 1} begins, got {missing}"
            )
    return None


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


def _check_once(entry: Typed, seen: dict[str, str]) -> None:
    """A table, a team and the bye are on one sheet of a round; *seen* says on which line."""
    sheet, number = entry.sheet, entry.sheet.round
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


def _listed(what: str, numbers: Sequence[int]) -> str:
    *most, last = map(str, numbers)
    return f"{what}s {', '.join(most)} and {last}" if most else f"{what} {last}"
