"""Reading score sheets that people have typed in: CSV from a spreadsheet, JSON or JSON lines.

CSV has a line of column names first, in any order, with `,`, `;` or a tab between the cells. Cells
that follow from the others may stay empty: the result of a bye or of a forfeit. A line without any
result is a table whose sheet has not come in yet.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...envs.engine.errors import TournamentError
from .sheets import FIELDS, PAWNS, Forfeit, Pair, Sheet, Side, Time, forfeited
from .teams import Team
from .text import read_text

RESULT = ("pawns_a", "pawns_b", "winner", "time", "forfeit")
"""The columns that are empty while a game is being played."""
COLUMNS = (*FIELDS, "note")
DELIMITERS = ",;\t"
WHOLE = re.compile(r"-?\d{1,9}(?:[.,]0+)?", re.ASCII)
NUMBER = re.compile(r"-?\d{1,9}(?:[.,]\d{1,9})?", re.ASCII)
MOST_LETTERS = 200

Values = Mapping[str, Any]


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
    text = read_text(path)
    start = text.lstrip()[:1]
    rows = _json_rows(text, path) if start in {"[", "{"} else _csv_rows(text, path)
    clerk = _Clerk(teams, forfeit_time)
    typed = []
    for where, values in rows:
        sheet = clerk.sheet(values, where)
        if sheet is not None:
            typed.append(Typed(sheet, where.removeprefix(f"{path}, "), path))
    return typed


def delimiter_of(path: Path) -> str:
    """What stands between the cells of a CSV file: the commonest in its first line; else ","."""
    lines = [line for line in read_text(path).splitlines() if line.strip(" ,;\t")]
    if not lines or lines[0].lstrip()[:1] in {"[", "{"}:
        return ","
    header = lines[1] if lines[0].lower().startswith("sep=") and len(lines) > 1 else lines[0]
    return _delimiter(header)


def _delimiter(header: str) -> str:
    return max(DELIMITERS, key=header.count)


# Rows ------------------------------------------------------------------------------------------


def _csv_rows(text: str, path: Path) -> Iterator[tuple[str, Values]]:
    lines = text.splitlines()
    skipped = 0
    while skipped < len(lines) and not lines[skipped].strip(" ,;\t"):
        skipped += 1
    if skipped < len(lines) and lines[skipped].lower().startswith("sep="):  # what Excel writes
        skipped += 1
    if skipped >= len(lines):
        raise TournamentError(f"expected score sheets in {path}, got an empty file")
    header = lines[skipped]
    reader = csv.reader(lines[skipped:], delimiter=_delimiter(header), skipinitialspace=True)
    try:
        names = _names(next(reader), f"{path}, line {skipped + 1}")
        for cells in reader:
            where = f"{path}, line {skipped + reader.line_num}"
            if any(cell.strip() for cell in cells):
                yield where, _by_name(names, cells, where)
    except csv.Error as error:
        where = f"{path}, line {skipped + reader.line_num}"
        raise TournamentError(f"{where}: expected cells, got: {error}") from None


def _names(cells: Sequence[str], where: str) -> list[str]:
    """The names of the columns, as we write them; those without a name are empty."""
    names = [re.sub(r"[\s-]+", "_", cell.strip().lower()) for cell in cells]
    _check_names([name for name in names if name], where)
    return names


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


def _by_name(names: Sequence[str], cells: Sequence[str], where: str) -> Values:
    values: dict[str, Any] = dict.fromkeys(names, "")
    for k, cell in enumerate(cells):
        if k < len(names) and names[k]:
            values[names[k]] = cell.strip()
        elif cell.strip():
            raise TournamentError(
                f"{where}: expected at most {len([n for n in names if n])} cells, as many as the "
                f"columns have names, got {cell.strip()!r:.40} beyond them"
            )
    return values


def _json_rows(text: str, path: Path) -> Iterator[tuple[str, Values]]:
    for where, row in _json_values(text, path):
        if not isinstance(row, dict):
            raise TournamentError(f"{where}: expected a score sheet as an object, got {row!r:.60}")
        _check_names(list(row), where)
        yield where, row


def _json_values(text: str, path: Path) -> Iterator[tuple[str, Any]]:
    """A list of sheets, an object that holds it as "sheets", or a sheet in every line."""
    try:
        whole = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        if text.lstrip().startswith("["):
            raise TournamentError(
                f"{path}: expected a list of score sheets as JSON, {_got(error)}"
            ) from None
        for k, line in enumerate(text.splitlines(), 1):
            if line.strip():
                yield f"{path}, line {k}", _json_line(line, f"{path}, line {k}")
        return
    rows = whole
    if isinstance(whole, dict):
        rows = whole.get("sheets", [whole])
    if not isinstance(rows, list):
        raise TournamentError(f"{path}: expected a list of score sheets, got {rows!r:.60}")
    for k, row in enumerate(rows, 1):
        yield f"{path}, sheet {k}", row


def _json_line(line: str, where: str) -> Any:
    try:
        return json.loads(line, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        got = f"broken JSON ({error.msg})" if isinstance(error, json.JSONDecodeError) else error
        raise TournamentError(f"{where}: expected a score sheet as JSON, got: {got}") from None


def _got(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"got broken JSON ({error.msg}, line {error.lineno}, column {error.colno})"
    return f"got: {error}"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key that stands there twice")
    return found


# One sheet -------------------------------------------------------------------------------------


class _Clerk:
    """Makes sheets of what was typed."""

    def __init__(self, teams: Sequence[Team], forfeit_time: Time) -> None:
        self.numbers = {team.number for team in teams}
        names = [team.name.casefold() for team in teams]
        self.by_name = {
            name: team.number
            for name, team in zip(names, teams, strict=True)
            if names.count(name) == 1
        }
        self.forfeit_time = forfeit_time

    def sheet(self, values: Values, where: str) -> Sheet | None:
        """The sheet; None if nothing is known of the game yet."""
        number = _whole(values, "round", where)
        table = _whole(values, "table", where)
        where = f"{where} (round {number}, table {table})"
        for name, value in (("round", number), ("table", table)):
            if value < 1:
                raise TournamentError(f"{where}: expected {name} as a number from 1, got {value}")
        pair = Pair(
            round=number,
            table=table,
            team_a=self._team(values, "team_a", where),
            team_b=None if _is_empty(values["team_b"]) else self._team(values, "team_b", where),
        )
        if pair.team_a == pair.team_b:
            raise TournamentError(f"{where}: expected two teams, got team {pair.team_a} twice")
        if pair.team_b is not None and all(_is_empty(values[name]) for name in RESULT):
            return None
        note = _note(values, where)
        forfeit = _forfeit(values, pair, where)
        if forfeit is not None:
            expected = forfeited(pair, forfeit, time=self.forfeit_time, note=note)
            _check_forfeit(values, expected, where)
            return expected
        return _played(values, pair, where, note=note)

    def _team(self, values: Values, name: str, where: str) -> int:
        text = " ".join(str(values[name]).split())
        if isinstance(values[name], bool | float | list | dict) or _is_empty(values[name]):
            text = repr(values[name])
        elif WHOLE.fullmatch(text) and int(text.partition(".")[0]) in self.numbers:
            return int(text.partition(".")[0])
        elif text.casefold() in self.by_name:
            return self.by_name[text.casefold()]
        known = sorted(self.numbers)
        listed = f"1 to {len(known)}" if known == list(range(1, len(known) + 1)) else known
        raise TournamentError(
            f"{where}: expected {name} as the number of a team ({listed}), got {text:.60}"
        )


def _played(values: Values, pair: Pair, where: str, *, note: str) -> Sheet:
    """The sheet of a game that was played, if pawns and winner agree [R13.2]."""
    pawns = []
    for name in ("pawns_a", "pawns_b"):
        count = _whole(values, name, where)
        if not 0 <= count <= PAWNS:
            raise TournamentError(f"{where}: expected {name} as 0 to {PAWNS} pawns, got {count}")
        pawns.append(count)
    winner = _winner(values, where)
    full = [side for side, count in zip("ab", pawns, strict=True) if count == PAWNS]
    if len(full) > 1:
        raise TournamentError(
            f"{where}: expected {PAWNS} pawns of one team at most, got {PAWNS} of both"
        )
    if winner is not None and winner not in full:
        count = pawns["ab".index(winner)]
        raise TournamentError(
            f"{where}: expected {PAWNS} pawns of the winner {winner}, got {count}"
        )
    if winner is None and full:
        raise TournamentError(
            f"{where}: expected {full[0]} as the winner with its {PAWNS} pawns, got no winner"
        )
    return Sheet(
        round=pair.round,
        table=pair.table,
        team_a=pair.team_a,
        team_b=pair.team_b,
        pawns_a=pawns[0],
        pawns_b=pawns[1],
        winner=winner,
        time=_time(values, where),
        note=note,
    )


def _winner(values: Values, where: str) -> Side | None:
    text = _word(values["winner"])
    if text in {"", "-"}:
        return None
    if text == "a":
        return "a"
    if text == "b":
        return "b"
    raise TournamentError(
        f"{where}: expected the winner as a, b or nothing (time was up), "
        f"got {values['winner']!r:.40}"
    )


def _forfeit(values: Values, pair: Pair, where: str) -> Forfeit | None:
    text = _word(values["forfeit"])
    if pair.team_b is None:
        if text in {"", "-", "b"}:
            return "b"
        raise TournamentError(
            f"{where}: expected forfeit b or nothing for a bye (no team b), "
            f"got {values['forfeit']!r:.40}"
        )
    known: dict[str, Forfeit | None] = {"": None, "-": None, "a": "a", "b": "b", "both": "both"}
    if text not in known:
        raise TournamentError(
            f"{where}: expected forfeit as a, b, both (who was absent) or nothing, "
            f"got {values['forfeit']!r:.40}"
        )
    return known[text]


def _check_forfeit(values: Values, expected: Sheet, where: str) -> None:
    """What was typed of a forfeit may be nothing, or what the rules give [R13.3]."""
    what = "a bye" if expected.is_bye else f"forfeit {expected.forfeit}"
    for name in ("pawns_a", "pawns_b", "time"):
        if _is_empty(values[name]):
            continue
        got = _time(values, where) if name == "time" else _whole(values, name, where)
        if got != getattr(expected, name):
            raise TournamentError(
                f"{where}: expected {name} {getattr(expected, name)} or nothing for {what}, "
                f"got {got}"
            )
    winner = _winner(values, where)
    if winner is not None and winner != expected.winner:
        raise TournamentError(
            f"{where}: expected {expected.winner or 'nobody'} as the winner of {what}, got {winner}"
        )


# Cells -----------------------------------------------------------------------------------------


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.strip() in {"", "-"})


def _word(value: Any) -> str:
    """A cell as a word in small letters; what is no text is no word that anybody expects."""
    if value is None:
        return ""
    return value.strip().lower() if isinstance(value, str) else repr(value)


def _whole(values: Values, name: str, where: str) -> int:
    value = values[name]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = str(value).strip()
    if isinstance(value, bool) or not isinstance(value, int | str) or not WHOLE.fullmatch(text):
        raise TournamentError(f"{where}: expected {name} as a whole number, got {value!r:.40}")
    return int(re.split("[.,]", text)[0])


def _time(values: Values, where: str) -> Time:
    """A time from 0; the decimal sign of a spreadsheet may be a comma."""
    value = values["time"]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    text = str(value).strip()
    if not (is_number and math.isfinite(value)) and not (
        isinstance(value, str) and NUMBER.fullmatch(text)
    ):
        raise TournamentError(f"{where}: expected time as a number, got {value!r:.40}")
    number = value if is_number else float(text.replace(",", "."))
    if number < 0:
        raise TournamentError(f"{where}: expected time as a number from 0, got {value}")
    return int(number) if number == int(number) else float(number)


def _note(values: Values, where: str) -> str:
    note = values.get("note")
    if note is not None and not isinstance(note, str):
        raise TournamentError(f"{where}: expected note as text, got {note!r:.40}")
    return " ".join((note or "").split())[:MOST_LETTERS]
