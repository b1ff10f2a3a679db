"""The physical board of ToedeLoe, read from `board.json` and checked.

The board is *reconstructed* [R10.1]: whoever owns the game corrects that one file. What the rules
say of every board [R2.1 - R2.6] is checked here; neighbours and lines follow from the grid.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..engine.errors import SpelkastError

SIDE = 12
"""The grid has so many rows and columns."""

SQUARES = 120
ZONES = "wg"
SUITS = "CDHS"
RED_SUITS = "DH"
EVEN_ROW, ODD_ROW = "E", "O"
NUMBERS = range(1, 13)


class BoardError(SpelkastError):
    """The file of the board does not hold a board of ToedeLoe."""


@dataclass(frozen=True, kw_only=True)
class BoardFile:
    """Where the squares lie, what they are called and which are special."""

    names: tuple[str, ...]
    """by square, row by row"""
    places: tuple[tuple[int, int], ...]
    """row and column of the grid, by square"""
    frames: tuple[tuple[int, ...], ...]
    """the squares of white's frame and of grey's"""
    rows: tuple[int, ...]
    """the squares of the four rows"""
    bonus: tuple[int, ...]


def load_board(path: Path) -> BoardFile:
    """Read and check a board; raises `BoardError` that says what is wrong with it."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BoardError(f"expected a board as JSON in {path}, got {error}") from None
    try:
        return _read(content)
    except BoardError as error:
        raise BoardError(f"{error}, in {path}") from None


def _read(content: Any) -> BoardFile:
    keys = {"first_column", "grid", "frames", "rows", "bonus"}
    _expect(isinstance(content, dict) and keys <= set(content), f"the keys {sorted(keys)}", content)
    names, places = _squares(content["grid"], content["first_column"])
    _check_names(names)
    number = {name: square for square, name in enumerate(names)}
    frames = _frames(content["frames"], number)
    turned = {SQUARES - 1 - square for square in frames[0]}
    _expect(turned == set(frames[1]), "frames opposite one another", content["frames"])
    rows = _rows(content["rows"], number)
    bonus = _special(content["bonus"], number, 8, what="bonus")
    return BoardFile(names=names, places=places, frames=frames, rows=rows, bonus=bonus)


def _squares(grid: Any, first: Any) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
    _expect(
        isinstance(grid, list) and len(grid) == SIDE and all(isinstance(row, str) for row in grid),
        f"grid as {SIDE} lines of names",
        grid,
    )
    _expect(
        isinstance(first, list)
        and len(first) == SIDE
        and all(type(column) is int and 0 <= column < SIDE for column in first),
        f"first_column as {SIDE} columns 0..{SIDE - 1}",
        first,
    )
    names: list[str] = []
    places: list[tuple[int, int]] = []
    for row, (line, column) in enumerate(zip(grid, first, strict=True)):
        here = line.split()
        _expect(column + len(here) <= SIDE, f"at most {SIDE} columns in row {row}", line)
        names += here
        places += [(row, column + k) for k in range(len(here))]
    _expect(len(names) == SQUARES, f"{SQUARES} squares", len(names))
    for square, (row, column) in enumerate(places):
        opposite = (SIDE - 1 - row, SIDE - 1 - column)
        _expect(
            places[SQUARES - 1 - square] == opposite,
            f"a point-symmetric grid, with a square opposite {names[square]}",
            f"{names[SQUARES - 1 - square]}",
        )
    return tuple(names), tuple(places)


def _check_names(names: tuple[str, ...]) -> None:
    """[R2.2, R2.3] Each zone has every label once; the zones are turned by 180 degrees."""
    wanted = {f"{suit}{n}" for suit in SUITS for n in NUMBERS}
    wanted |= {f"{EVEN_ROW}{n}" for n in NUMBERS if n % 2 == 0}
    wanted |= {f"{ODD_ROW}{n}" for n in NUMBERS if n % 2 == 1}
    half = SQUARES // 2
    for zone, labels in (("g", names[:half]), ("w", names[half:])):
        found = Counter(labels)
        expected = {f"{zone}{label}" for label in wanted}
        different = sorted(set(found) ^ expected) or [k for k, n in found.items() if n > 1]
        _expect(not different, f"every label once in the half of zone {zone}", different)
    for square in range(half):
        opposite = "w" + names[square][1:]
        _expect(
            names[SQUARES - 1 - square] == opposite,
            f"{opposite} opposite {names[square]}",
            names[SQUARES - 1 - square],
        )


def _frames(frames: Any, number: dict[str, int]) -> tuple[tuple[int, ...], ...]:
    _expect(isinstance(frames, list) and len(frames) == len(ZONES), "frames as two lines", frames)
    return tuple(
        _special(line, number, 6, what=f"frame of zone {zone}", zone=zone)
        for zone, line in zip(ZONES, frames, strict=True)
    )


def _rows(rows: Any, number: dict[str, int]) -> tuple[int, ...]:
    wanted = [zone + row for zone in ZONES for row in (EVEN_ROW, ODD_ROW)]
    _expect(isinstance(rows, dict) and set(rows) == set(wanted), f"rows {wanted}", rows)
    found: list[int] = []
    for name in wanted:
        squares = _special(rows[name], number, 6, what=f"row {name}", symmetric=False)
        _expect(
            all(label.startswith(name) for label in rows[name].split()),
            f"squares {name}.. in row {name}",
            rows[name],
        )
        found += squares
    return tuple(found)


def _special(
    line: Any,
    number: dict[str, int],
    count: int,
    *,
    what: str,
    zone: str = "",
    symmetric: bool = True,
) -> tuple[int, ...]:
    names = line.split() if isinstance(line, str) else []
    known = len(set(names)) == count and set(names) <= set(number)
    _expect(known, f"{count} different squares as {what}", line)
    _expect(all(name.startswith(zone) for name in names), f"squares of zone {zone}", line)
    squares = tuple(number[name] for name in names)
    if symmetric and not zone:
        turned = {SQUARES - 1 - square for square in squares}
        _expect(turned == set(squares), f"point-symmetric {what} squares", line)
    return squares


def _expect(holds: object, expected: str, got: object) -> None:
    if not holds:
        raise BoardError(f"expected {expected}, got {got!r}")
