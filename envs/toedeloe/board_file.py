"""The physical board of ToedeLoe, read from `board.json` and checked.

The board is *reconstructed* [R10.1]: an owner of the game can correct that one file. What the rules
say of every board [R2.1 - R2.6] is checked here; neighbours and lines follow from the grid.
"""

from collections import Counter
from functools import cached_property
from typing import Annotated, Self, TypeAlias

from pydantic import Field, StrictInt, model_validator

from ..engine.errors import expect
from ..engine.facts import Facts

SIDE = 12
"""The grid has so many rows and columns."""

SQUARES = 120
ZONES = "wg"
SUITS = "CDHS"
RED_SUITS = "DH"
EVEN_ROW, ODD_ROW = "E", "O"
ROWS = tuple(zone + row for zone in ZONES for row in (EVEN_ROW, ODD_ROW))
LABELS = (
    *(f"{suit}{n}" for suit in SUITS for n in range(1, 13)),
    *(f"{EVEN_ROW if n % 2 == 0 else ODD_ROW}{n}" for n in range(1, 13)),
)
"""What is printed in each zone [R2.2]."""

Column: TypeAlias = Annotated[StrictInt, Field(ge=0, lt=SIDE)]
BY_ROW = Field(min_length=SIDE, max_length=SIDE)


class BoardFile(Facts):
    """Where the squares lie, what they are called and which are special."""

    about: str = ""
    first_column: Annotated[tuple[Column, ...], BY_ROW]
    grid: Annotated[tuple[str, ...], BY_ROW]
    """the names of the squares in each row"""
    frame_lines: tuple[str, str] = Field(alias="frames")
    row_lines: dict[str, str] = Field(alias="rows")
    bonus_line: str = Field(alias="bonus")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name by square; squares are counted row by row."""
        return tuple(" ".join(self.grid).split())

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Row and column of the grid, by square."""
        lines = enumerate(zip(self.grid, self.first_column, strict=True))
        return tuple(
            (row, first + k) for row, (line, first) in lines for k in range(len(line.split()))
        )

    @cached_property
    def frames(self) -> tuple[tuple[int, ...], ...]:
        """The squares of white's frame and of grey's."""
        return tuple(map(self._squares, self.frame_lines))

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The squares of the four rows."""
        return tuple(square for row in ROWS for square in self._squares(self.row_lines[row]))

    @cached_property
    def bonus(self) -> tuple[int, ...]:
        """The bonus squares."""
        return self._squares(self.bonus_line)

    def _squares(self, line: str) -> tuple[int, ...]:
        return tuple(map(self.names.index, line.split()))

    @model_validator(mode="after")
    def _check(self) -> Self:
        for row, (line, first) in enumerate(zip(self.grid, self.first_column, strict=True)):
            fits = first + len(line.split()) <= SIDE
            expect(fits, f"at most {SIDE} columns in row {row}", repr(line))
        expect(len(self.names) == SQUARES, f"{SQUARES} squares", len(self.names))
        self._check_names()
        for zone, line in zip(ZONES, self.frame_lines, strict=True):
            self._check_line(line, 6, f"frame of zone {zone}", start=zone)
        frames = self.frames
        expect(_turned(frames[0]) == {*frames[1]}, "frames opposite one another", self.frame_lines)
        expect({*self.row_lines} == {*ROWS}, f"rows {', '.join(ROWS)}", list(self.row_lines))
        for name in ROWS:
            self._check_line(self.row_lines[name], 6, f"row {name}", start=name)
        self._check_line(self.bonus_line, 8, "bonus")
        is_fair = _turned(self.bonus) == {*self.bonus}
        expect(is_fair, "point-symmetric bonus squares", repr(self.bonus_line))
        return self

    def _check_names(self) -> None:
        """[R2.2, R2.3] Each zone has every label once; the zones are turned by 180 degrees."""
        names, places, half = self.names, self.places, SQUARES // 2
        for square, (row, column) in enumerate(places):
            opposite = SQUARES - 1 - square
            is_there = places[opposite] == (SIDE - 1 - row, SIDE - 1 - column)
            grid = f"a point-symmetric grid, with a square opposite {names[square]}"
            expect(is_there, grid, names[opposite])
        for zone, here in (("g", names[:half]), ("w", names[half:])):
            found, wanted = Counter(here), Counter(zone + label for label in LABELS)
            different = sorted((found - wanted) + (wanted - found))
            expect(not different, f"every label once in the half of zone {zone}", different)
        for square in range(half):
            wanted_name, name = "w" + names[square][1:], names[SQUARES - 1 - square]
            expect(name == wanted_name, f"{wanted_name} opposite {names[square]}", name)

    def _check_line(self, line: str, count: int, what: str, *, start: str = "") -> None:
        """That *line* names *count* squares, whose names begin with *start*."""
        names = line.split()
        known = len({*names}) == len(names) == count and {*names} <= {*self.names}
        expect(known, f"{count} different squares as {what}", repr(line))
        is_there = all(name.startswith(start) for name in names)
        expect(is_there, f"squares {start}.. as {what}", repr(line))


def _turned(squares: tuple[int, ...]) -> set[int]:
    """The squares opposite to *squares*."""
    return {SQUARES - 1 - square for square in squares}
