"""Whether score sheets make whole rounds: every table once, every team once in a round."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...envs.engine.errors import TournamentError
from .sheets import Pair, Sheet
from .typed import Typed


@dataclass(frozen=True, kw_only=True, slots=True)
class Missing:
    """What is not there of a round."""

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
    sheets = [entry.place for entry in typed if isinstance(entry.place, Sheet)]
    last = last_begun(sheets)
    for number in range(1, last + 1):
        missing = lacks(number, sheets, teams)
        if missing and number == last:
            return missing
        if missing:
            raise TournamentError(
                f"{typed[0].path}: expected whole rounds before round {number + 1} begins, "
                f"got {missing}"
            )
    return None


def last_begun(places: Sequence[Pair]) -> int:
    """The last round of which more is known than who meets whom, and so who has the bye; else 0."""
    return max((p.round for p in places if isinstance(p, Sheet) and not p.is_bye), default=0)


def lacks(number: int, places: Sequence[Pair], teams: Sequence[int]) -> Missing | None:
    """What the round of this number lacks; None if it is whole."""
    there = [place for place in places if place.round == number]
    tables = set(range(1, -(-len(teams) // 2) + 1)) - {place.table for place in there}
    seated = {team for place in there for team in place.teams}
    waiting = [team for team in teams if team not in seated]
    return Missing(round=number, tables=sorted(tables), teams=waiting) if tables else None


def _check_place(entry: Typed, *, tables: int, is_odd: bool) -> None:
    """A sheet is of a table that there is, and only an odd number of teams leaves a bye."""
    place = entry.place
    if place.table > tables:
        raise TournamentError(
            f"{entry}: expected a table of 1 to {tables} in round {place.round}, got {place.table}"
        )
    if place.is_bye and not is_odd:
        raise TournamentError(
            f"{entry}: expected two teams, since their number is even, got a bye of team "
            f"{place.team_a}"
        )


def _check_once(entry: Typed, seen: dict[str, str]) -> None:
    """A table, a team and the bye are on one sheet of a round; *seen* says on which line."""
    place, number = entry.place, entry.place.round
    once = {f"one sheet of round {number}, table {place.table}": "a second one"}
    if place.is_bye:
        once[f"one bye in round {number}"] = "a second one"
    once |= {f"team {team} once in round {number}": "it a second time" for team in place.teams}
    for expected, got in once.items():
        if expected in seen:
            raise TournamentError(
                f"{entry}: expected {expected}, got {got} (before: {seen[expected]})"
            )
        seen[expected] = entry.line


def _listed(what: str, numbers: Sequence[int]) -> str:
    *most, last = map(str, numbers)
    return f"{what}s {', '.join(most)} and {last}" if most else f"{what} {last}"
