"""A tournament that people play at tables: sheets come in as a file, the next round goes out."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...envs.engine.dtypes import Json
from ...envs.engine.errors import TournamentError, expect
from .check import Missing, check_sheets
from .pairing import draw, next_pairs
from .sheets import FIELDS, Pair, Sheet, Time, bye
from .standings import standings
from .teams import Team
from .typed import COLUMNS, delimiter_of, read_sheets


@dataclass(frozen=True, kw_only=True)
class Books:
    """How a tournament stands."""

    teams: list[Team]
    rounds: int
    sheets: list[Sheet]
    """by round and table"""
    missing: Missing | None
    """what the last round that has begun lacks"""
    delimiter: str
    """between the cells of the file that the sheets came from"""

    @property
    def numbers(self) -> list[int]:
        """The numbers of the teams."""
        return [team.number for team in self.teams]

    @property
    def last_round(self) -> int:
        """The last round that has begun; 0 before the first."""
        return max((sheet.round for sheet in self.sheets), default=0)

    @property
    def last_sheets(self) -> list[Sheet]:
        """The sheets of that round that have come in."""
        return [sheet for sheet in self.sheets if sheet.round == self.last_round]

    @property
    def is_over(self) -> bool:
        """Whether the standings are final [R13.6]."""
        return self.missing is None and self.last_round == self.rounds

    def next_round(self, *, seed: int, drawn: Sequence[int] | None) -> list[Pair]:
        """The tables of the next round; none after the last one.

        The first round is drawn with *seed* unless *drawn* says how the draw went.
        """
        missing = self.missing
        expect(missing is None, "the sheets of whole rounds", missing, error=TournamentError)
        is_in_time, after = drawn is None or not self.sheets, f"one after round {self.last_round}"
        expect(is_in_time, "a draw before the first round only", after, error=TournamentError)
        if self.is_over:
            return []
        lots = draw(self.numbers, seed) if drawn is None else drawn
        return next_pairs(self.numbers, self.sheets, drawn=lots)

    def to_json(self) -> Json:
        """How the tournament stands, as plain JSON."""
        return {
            "rounds": self.rounds,
            "round": self.last_round,
            "teams": [{"number": team.number, "name": team.name} for team in self.teams],
            "missing_tables": self.missing.tables if self.missing else [],
            "sheets": [sheet.to_json() for sheet in self.sheets],
            "standings": [row.to_json() for row in standings(self.numbers, self.sheets)],
        }


def open_books(
    teams: Sequence[Team], path: Path | None, *, rounds: int, forfeit_time: Time
) -> Books:
    """The sheets in a file (none before the first round), if they are as they must be."""
    typed = [] if path is None else read_sheets(path, teams, forfeit_time=forfeit_time)
    missing = check_sheets(typed, [team.number for team in teams])
    for entry in typed:
        if entry.sheet.round > rounds:
            raise TournamentError(
                f"{entry}: expected a round of 1 to {rounds}, got {entry.sheet.round}"
            )
    return Books(
        teams=list(teams),
        rounds=rounds,
        sheets=sorted((e.sheet for e in typed), key=lambda sheet: (sheet.round, sheet.table)),
        missing=missing,
        delimiter="," if path is None else delimiter_of(path),
    )


def lines_to_fill_in(
    sheets: Sequence[Sheet], pairs: Sequence[Pair], *, forfeit_time: Time, delimiter: str = ","
) -> str:
    """All sheets and the tables of the next round as CSV, whose results are to be typed in."""
    text = io.StringIO()
    has_notes = any(sheet.note for sheet in sheets)
    names = COLUMNS if has_notes else FIELDS
    writer = csv.DictWriter(
        text, names, restval="", delimiter=delimiter, lineterminator="\n", extrasaction="raise"
    )
    writer.writeheader()
    for sheet in sheets:
        writer.writerow(sheet.to_json())
    for pair in pairs:
        is_bye = pair.team_b is None  # whose result is known
        values = bye(pair, time=forfeit_time).to_json() if is_bye else pair.to_json()
        writer.writerow({"round": pair.round, **values})
    return text.getvalue()
