"""The rows of a file of score sheets, by the names of their columns: CSV, JSON or JSON lines."""

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeAlias

from ...envs.engine.errors import TournamentError
from .sheets import FIELDS

COLUMNS = (*FIELDS, "note")
DELIMITERS = ",;\t"

Values: TypeAlias = Mapping[str, Any]


def rows_of(text: str, path: Path) -> Iterator[tuple[str, Values]]:
    """The rows in the *text* of a file, each with its place there: "line 3", or "sheet 3"."""
    return _json_rows(text, path) if is_json(text) else _csv_rows(text, path)


def is_json(text: str) -> bool:
    """Whether sheets are JSON; all else is CSV."""
    return text.lstrip()[:1] in {"[", "{"}


def columns_of(text: str) -> tuple[list[str], str]:
    """The names of the columns of CSV with sheets, in their order, and what stands between them."""
    lines = text.split("\n")
    start, delimiter = _header(lines)
    first = next(csv.reader(lines[start:], delimiter=delimiter, skipinitialspace=True))
    return _names(first), delimiter


def _header(lines: Sequence[str]) -> tuple[int, str]:
    """Which line has the names of the columns, and what stands between them: the commonest sign.

    It is the first but empty ones, and what Excel writes; after the last if there is none.
    """
    for k, line in enumerate(lines):
        if line.strip(" ,;\t") and not line.lower().startswith("sep="):
            return k, max(DELIMITERS, key=line.count)
    return len(lines), ","


def _names(cells: Sequence[str]) -> list[str]:
    return [re.sub(r"[\s-]+", "_", cell.strip().lower()) for cell in cells]


# CSV -------------------------------------------------------------------------------------------


def _csv_rows(text: str, path: Path) -> Iterator[tuple[str, Values]]:
    lines = text.split("\n")
    start, delimiter = _header(lines)
    if start == len(lines):
        raise TournamentError(f"expected score sheets in {path}, got an empty file")
    kept = (f"{line}\n" for line in lines[start:])
    reader = csv.reader(kept, delimiter=delimiter, skipinitialspace=True, strict=True)
    names: list[str] = []
    first = start + 1  # of the lines of a row, which a note may have several of
    try:
        for cells in reader:
            line = f"line {first}"
            if not names:
                names = _names(cells)
                _check_names([name for name in names if name], f"{path}, {line}")
            elif any(cell.strip() for cell in cells):
                _check_quotes(names, cells, delimiter, where=f"{path}, {line}")
                yield line, _by_name(names, cells, f"{path}, {line}")
            first = start + reader.line_num + 1
    except csv.Error as error:
        expected = f"{path}, line {first}: expected cells whose quotes are closed"
        raise TournamentError(f"{expected}, got: {error}") from None


def _check_quotes(
    names: Sequence[str], cells: Sequence[str], delimiter: str, *, where: str
) -> None:
    """A note may have several lines; one with two numbers for cells is a row that it swallowed."""
    for name, cell in zip_longest(names, cells, fillvalue=""):
        lines = cell.split("\n")
        numbers = [
            [p for p in line.split(delimiter) if p.strip(' "').isdecimal()] for line in lines
        ]
        if len(lines) > 1 and (name != "note" or max(map(len, numbers)) > 1):
            expected = f"a quote that is closed before the next row, got {len(lines)} lines in"
            raise TournamentError(f"{where}: expected {expected} {name}: {cell!r:.60}")


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


# JSON ------------------------------------------------------------------------------------------


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
        for k, line in enumerate(text.split("\n"), 1):
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
