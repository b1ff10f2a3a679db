"""Reading score sheets that people have typed in: CSV from a spreadsheet, JSON or JSON lines.

CSV has a line of column names first, in any order, with `,`, `;` or a tab between the cells. Cells
that follow from the others may stay empty: the result of a bye or of a forfeit. A line without any
result is a table whose sheet has not come in yet.
"""

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar

from ...envs.engine.errors import TournamentError, expect
from ...envs.engine.textfiles import read_text
from .sheets import FIELDS, PAWNS, SIDES, WALKOVERS, Forfeit, Pair, Sheet, Time, forfeited
from .teams import Team, listed

RESULT = ("pawns_a", "pawns_b", "winner", "time", "forfeit")
"""The columns that are empty while a game is being played."""
COLUMNS = (*FIELDS, "note")
DELIMITERS = ",;\t"
WHOLE = re.compile(r"(-?\d{1,9})(?:[.,]0+)?", re.ASCII)
NUMBER = re.compile(r"-?\d{1,9}(?:[.,]\d{1,9})?", re.ASCII)
MOST_LETTERS = 200
MOST_TIME = 10**12
"""More than the cap of any game, and little enough to be summed."""
WINNER = "the winner as a, b or nothing (time was up)"

Values = Mapping[str, Any]
Word = TypeVar("Word", bound=str)


@dataclass(frozen=True, slots=True)
class Typed:
    """A sheet and where it was found."""

    sheet: Sheet
    line: str
    """where in the file: "line 3", or "sheet 3" of a list"""
    path: Path

    def __str__(self) -> str:
        return f"{self.path}, {self.line} (round {self.sheet.round}, table {self.sheet.table})"


def read_sheets(path: Path, teams: Sequence[Team], *, forfeit_time: Time) -> list[Typed]:
    """The sheets of a file, each by itself as it must be; whole rounds are `check.check_sheets`.

    Raises `TournamentError` that names the line, the round and the table.
    """
    text = read_text(path, TournamentError)
    rows = _json_rows(text, path) if text.lstrip()[:1] in {"[", "{"} else _csv_rows(text, path)
    clerk = _Clerk(teams, forfeit_time)
    typed = []
    for line, values in rows:
        where = f"{path}, {line}"
        try:
            number, table = (_from_one(values, name) for name in ("round", "table"))
            where = f"{where} (round {number}, table {table})"
            sheet = clerk.sheet(values, number, table)
        except ValueError as error:
            raise TournamentError(f"{where}: {error}") from None
        if sheet is not None:
            typed.append(Typed(sheet, line, path))
    return typed


def delimiter_of(path: Path) -> str:
    """What stands between the cells of a CSV file: the commonest in its first line; else ","."""
    return _header(read_text(path, TournamentError).splitlines())[1]


def _header(lines: Sequence[str]) -> tuple[int, str]:
    """Which line has the names of the columns, and what stands between them.

    It is the first but empty ones, and what Excel writes; after the last if there is none.
    """
    for k, line in enumerate(lines):
        if line.strip(" ,;\t") and not line.lower().startswith("sep="):
            return k, "," if line.lstrip()[:1] in {"[", "{"} else max(DELIMITERS, key=line.count)
    return len(lines), ","


# Rows ------------------------------------------------------------------------------------------


def _csv_rows(text: str, path: Path) -> Iterator[tuple[str, Values]]:
    lines = text.splitlines()
    start, delimiter = _header(lines)
    if start == len(lines):
        raise TournamentError(f"expected score sheets in {path}, got an empty file")
    reader = csv.reader(lines[start:], delimiter=delimiter, skipinitialspace=True)
    names: list[str] = []
    try:
        for cells in reader:
            line = f"line {start + reader.line_num}"
            if not names:
                names = [re.sub(r"[\s-]+", "_", cell.strip().lower()) for cell in cells]
                _check_names([name for name in names if name], f"{path}, {line}")
            elif any(cell.strip() for cell in cells):
                yield line, _by_name(names, cells, f"{path}, {line}")
    except csv.Error as error:
        where = f"{path}, line {start + reader.line_num}"
        raise TournamentError(f"{where}: expected cells, got: {error}") from None


def _by_name(names: Sequence[str], cells: Sequence[str], where: str) -> Values:
    """The cells of a line by the names of their columns; what is missing at its end is empty."""
    values = [(name, cell.strip()) for name, cell in zip_longest(names, cells, fillvalue="")]
    beyond = [cell for name, cell in values if cell and not name]
    if beyond:
        raise TournamentError(
            f"{where}: expected at most {len([n for n in names if n])} cells, as many as the "
            f"columns have names, got {beyond[0]!r:.40} beyond them"
        )
    return {name: cell for name, cell in values if name}


def _json_rows(text: str, path: Path) -> Iterator[tuple[str, Values]]:
    """A list of sheets, an object that holds it as "sheets", or a sheet in every line."""
    for line, row in _json_values(text, path):
        where = f"{path}, {line}"
        if not isinstance(row, dict):
            raise TournamentError(f"{where}: expected a score sheet as an object, got {row!r:.60}")
        _check_names(list(row), where)
        yield line, row


def _json_values(text: str, path: Path) -> Iterator[tuple[str, Any]]:
    try:
        rows = _parsed(text, str(path), "a list of score sheets")
    except TournamentError:
        if text.lstrip().startswith("["):
            raise
        for k, line in enumerate(text.splitlines(), 1):
            if line.strip():
                yield f"line {k}", _parsed(line, f"{path}, line {k}", "a score sheet")
        return
    if isinstance(rows, dict):
        rows = rows.get("sheets", [rows])
    if not isinstance(rows, list):
        raise TournamentError(f"{path}: expected a list of score sheets, got {rows!r:.60}")
    for k, row in enumerate(rows, 1):
        yield f"sheet {k}", row


def _parsed(text: str, where: str, what: str) -> Any:
    """JSON whose objects have no key twice."""
    try:
        return json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        got = f": {error}"
        if isinstance(error, json.JSONDecodeError):
            line = f"line {error.lineno}, " if "\n" in text else ""
            got = f" broken JSON ({error.msg}, {line}column {error.colno})"
        raise TournamentError(f"{where}: expected {what} as JSON, got{got}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key that stands there twice")
    return found


def _check_names(names: Sequence[str], where: str) -> None:
    unknown = [name for name in names if name not in COLUMNS]
    missing = [name for name in FIELDS if name not in names]
    twice = [name for name in names if names.count(name) > 1]
    if missing:
        raise TournamentError(
            f"{where}: expected the columns {', '.join(FIELDS)}, got none called "
            f"{' or '.join(missing)}" + (f", but {unknown[0]!r:.40}" if unknown else "")
        )
    if unknown:
        raise TournamentError(
            f"{where}: expected the columns {', '.join(COLUMNS)}, got {unknown[0]!r:.40}"
        )
    if twice:
        raise TournamentError(f"{where}: expected each column once, got {twice[0]} twice")


# One sheet -------------------------------------------------------------------------------------
#
# What is raised here does not say where it was found; `read_sheets` does.


class _Clerk:
    """Turns what was typed into sheets."""

    def __init__(self, teams: Sequence[Team], forfeit_time: Time) -> None:
        self.numbers = [team.number for team in teams]
        names = [team.name.casefold() for team in teams]
        known = [(name, team.number) for name, team in zip(names, teams, strict=True)]
        self.known = {name: number for name, number in known if names.count(name) == 1}
        self.known |= {str(number): number for number in self.numbers}
        self.forfeit_time = forfeit_time

    def sheet(self, values: Values, number: int, table: int) -> Sheet | None:
        """The sheet of a round and table; None if nothing is known of the game yet."""
        team_a = self._team(values, "team_a")
        team_b = None if _is_empty(values["team_b"]) else self._team(values, "team_b")
        pair = Pair(round=number, table=table, team_a=team_a, team_b=team_b)
        expect(team_a != team_b, "two teams", f"team {team_a} twice")
        if not pair.is_bye and all(_is_empty(values[name]) for name in RESULT):
            return None
        note = _note(values)
        forfeit = _forfeit(values, pair)
        if forfeit is None:
            return _played(values, pair, note)
        expected = forfeited(pair, forfeit, time=self.forfeit_time, note=note)
        _check_forfeit(values, expected)
        return expected

    def _team(self, values: Values, name: str) -> int:
        text = " ".join(str(values[name]).split())
        match = WHOLE.fullmatch(text)
        key = str(int(match[1])) if match else text.casefold()
        is_team = key in self.known and not _is_empty(values[name])
        expected = f"{name} as the number of a team ({listed(self.numbers)})"
        expect(is_team, expected, f"{text or repr(text):.60}")
        return self.known[key]


def _played(values: Values, pair: Pair, note: str) -> Sheet:
    """The sheet of a game that was played, if pawns and winner agree [R13.2]."""
    pawns = {side: _whole(values, f"pawns_{side}") for side in SIDES}
    for side, count in pawns.items():
        expect(0 <= count <= PAWNS, f"pawns_{side} as 0 to {PAWNS} pawns", count)
    winner = _word(values, "winner", SIDES, expected=WINNER)
    full = [side for side, count in pawns.items() if count == PAWNS]
    expect(len(full) < 2, f"{PAWNS} pawns of one team at most", f"{PAWNS} of both")
    if winner is not None:
        expect(winner in full, f"{PAWNS} pawns of the winner {winner}", pawns[winner])
    else:
        expect(not full, f"{''.join(full)} as the winner with its {PAWNS} pawns", "no winner")
    return Sheet(
        **asdict(pair),
        pawns_a=pawns["a"],
        pawns_b=pawns["b"],
        winner=winner,
        time=_time(values),
        note=note,
    )


def _forfeit(values: Values, pair: Pair) -> Forfeit | None:
    if pair.is_bye:
        _word(values, "forfeit", ("b",), expected="forfeit b or nothing for a bye (no team b)")
        return "b"
    expected = "forfeit as a, b, both (who was absent) or nothing"
    return _word(values, "forfeit", tuple(WALKOVERS), expected=expected)


def _check_forfeit(values: Values, expected: Sheet) -> None:
    """What was typed of a forfeit may be nothing, or what the rules give [R13.3]."""
    what = "a bye" if expected.is_bye else f"forfeit {expected.forfeit}"
    for name in ("pawns_a", "pawns_b", "time"):
        if _is_empty(values[name]):
            continue
        got = _time(values) if name == "time" else _whole(values, name)
        right = getattr(expected, name)
        expect(got == right, f"{name} {right} or nothing for {what}", got)
    winner = _word(values, "winner", SIDES, expected=WINNER)
    is_right = winner in {None, expected.winner}
    expect(is_right, f"{expected.winner or 'nobody'} as the winner of {what}", winner)


# Cells -----------------------------------------------------------------------------------------


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.strip() in {"", "-"})


def _word(values: Values, name: str, known: Sequence[Word], *, expected: str) -> Word | None:
    """A cell that is one of the *known* words, in letters of any size, or empty."""
    value = values[name]
    if _is_empty(value):
        return None
    for word in known:
        if isinstance(value, str) and value.strip().lower() == word:
            return word
    raise ValueError(f"expected {expected}, got {value!r:.40}")


def _whole(values: Values, name: str) -> int:
    # What is neither a number nor text looks like none: str(True) is "True".
    match = WHOLE.fullmatch(str(values[name]).strip())
    if match is None:
        raise ValueError(f"expected {name} as a whole number, got {values[name]!r:.40}")
    return int(match[1])


def _from_one(values: Values, name: str) -> int:
    number = _whole(values, name)
    expect(number > 0, f"{name} as a number from 1", number)
    return number


def _time(values: Values) -> Time:
    """A time from 0; the decimal sign of a spreadsheet may be a comma."""
    time = values["time"]
    if isinstance(time, str) and NUMBER.fullmatch(time.strip()):
        time = float(time.strip().replace(",", "."))
    is_number = isinstance(time, int | float) and not isinstance(time, bool)
    is_finite = is_number and abs(time) < MOST_TIME  # NaN is not below it either
    expect(is_finite, "time as a number", f"{values['time']!r:.40}")
    expect(time >= 0, "time as a number from 0", values["time"])
    return int(time) if time == int(time) else float(time)


def _note(values: Values) -> str:
    note = values.get("note")
    expect(note is None or isinstance(note, str), "note as text", f"{note!r:.40}")
    return " ".join((note or "").split())[:MOST_LETTERS]
