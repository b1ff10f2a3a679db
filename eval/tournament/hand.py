"""A tournament that people play at tables: sheets come in as a file, the next round goes out."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...envs.engine.dtypes import Json
from ...envs.engine.errors import TournamentError, expect
from ...envs.engine.textfiles import read_text
from .check import Missing, check_sheets, lacks, last_begun
from .pairing import draw, next_pairs
from .rows import COLUMNS, columns_of, is_json
from .sheets import FIELDS, Pair, Sheet, Time, bye
from .standings import standings
from .teams import Team
from .typed import Typed, parse_sheets


@dataclass(frozen=True, kw_only=True)
class Books:
    """How a tournament stands."""

    teams: list[Team]
    rounds: int
    places: list[Pair]
    """by round and table: sheets, and who meets in games without a result"""
    missing: Missing | None
    """what the last round that has begun lacks"""
    doubts: list[str]
    """what was read but may have been meant otherwise, and where"""
    path: Path | None
    """the file"""
    text: str
    """what is in it"""

    @property
    def numbers(self) -> list[int]:
        """The numbers of the teams."""
        return [team.number for team in self.teams]

    @property
    def last_round(self) -> int:
        """The last round that has begun; 0 before the first."""
        return last_begun(self.places)

    @property
    def sheets(self) -> list[Sheet]:
        """The sheets of the rounds that have begun."""
        last = self.last_round
        return [p for p in self.places if isinstance(p, Sheet) and p.round <= last]

    @property
    def paired(self) -> list[Pair]:
        """Who meets in the next round, if that is in the file already."""
        number = self.last_round + 1
        return [place.pair for place in self.places if place.round == number]

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

        A round that is paired in the file stays as it is, whatever the rules of pairing say: so
        people sit in the room. The first round is drawn with *seed* unless *drawn* says how.
        """
        missing = self.missing
        wanted = f"the sheets of whole rounds in {self.path}"
        expect(missing is None, wanted, missing, error=TournamentError)
        is_in_time = drawn is None or not (self.sheets or self.paired)
        after = f"one after round {self.last_round or 1}"
        expect(is_in_time, "a draw before the first round only", after, error=TournamentError)
        if self.is_over:
            return []
        if self.paired:
            missing = lacks(self.last_round + 1, self.paired, self.numbers)
            wanted = f"a whole round that is paired in {self.path}"
            expect(missing is None, wanted, missing, error=TournamentError)
            return self.paired
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
    text, typed = "", list[Typed]()
    if path is not None:
        text = read_text(path, TournamentError)
        typed = parse_sheets(text, path, teams, forfeit_time=forfeit_time)
    missing = check_sheets(typed, [team.number for team in teams])
    for entry in typed:
        if entry.place.round > rounds:
            raise TournamentError(
                f"{entry}: expected a round of 1 to {rounds}, got {entry.place.round}"
            )
    return Books(
        teams=list(teams),
        rounds=rounds,
        places=sorted((e.place for e in typed), key=lambda place: (place.round, place.table)),
        missing=missing,
        doubts=[f"{entry}: {entry.doubt}" for entry in typed if entry.doubt],
        path=path,
        text=text,
    )


def lines_to_fill_in(books: Books, pairs: Sequence[Pair], *, forfeit_time: Time) -> str:
    """All that is in the file, and below it the tables of *pairs* as lines to fill in.

    What people have typed stays as it is; JSON becomes CSV. Pairs that are there are not repeated.
    """
    new = [] if books.paired else list(pairs)
    is_csv = books.path is not None and not is_json(books.text)
    if is_csv and not new:
        return books.text
    text, columns, delimiter, places = io.StringIO(), list(COLUMNS), ",", [*books.places, *new]
    if is_csv:
        text.write(books.text if books.text.endswith("\n") else f"{books.text}\n")
        (columns, delimiter), places = columns_of(books.text), new
    elif not any(isinstance(place, Sheet) and place.note for place in places):
        columns = list(FIELDS)
    writer = csv.DictWriter(text, columns, delimiter=delimiter, lineterminator="\n")
    if not is_csv:
        writer.writeheader()
    for place in places:
        is_new_bye = place.is_bye and not isinstance(place, Sheet)  # its result is known
        values = (bye(place, time=forfeit_time) if is_new_bye else place).to_json()
        writer.writerow({"round": place.round, **values})
    return text.getvalue()
