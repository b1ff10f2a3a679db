"""The physical board: what `board.json` holds, which an owner of the game can correct.

Everything about squares, scores and colours comes from that one file.
"""

from pathlib import Path
from typing import Annotated, Any, Self, TypeAlias

from pydantic import Field, StrictInt, model_validator

from ..engine.dtypes import Json
from ..engine.errors import expect
from ..engine.facts import Facts

BOARD_FILE = Path(__file__).with_name("board.json")
PIECES = ("K", "Q", "S1", "S2", "S3")
FACES = ("earth", "sunA", "sunB", "plus3", "lightning", "moon")
SEAT_COUNTS = (2, 3, 4)
NUM_COLORS = 4
LONGEST_ROLL = 12
MOST_POINTS = 10**6

Points: TypeAlias = Annotated[StrictInt, Field(ge=0, le=MOST_POINTS)]
Penalty: TypeAlias = Annotated[StrictInt, Field(ge=-MOST_POINTS, le=0)]
ByColor: TypeAlias = tuple[StrictInt, StrictInt, StrictInt, StrictInt]
"""A square for each colour, in the order of `colors`."""

Squares: TypeAlias = tuple[StrictInt, ...]


class Scoring(Facts):
    """The numbers of a round's points [R8.4]."""

    place: dict[int, tuple[Points, ...]]
    """points by place, by number of seats"""
    team: tuple[Points, Points]
    piece_on_earth: Points
    winner_per_captive: Points
    eliminated_piece_in_ship: Penalty
    eliminated_piece_on_board: Penalty

    @model_validator(mode="after")
    def _check(self) -> Self:
        expect(set(self.place) == set(SEAT_COUNTS), f"place for {SEAT_COUNTS} seats", self.place)
        for n, points in (*self.place.items(), (2, self.team)):
            falls = len(points) == n and list(points) == sorted(points, reverse=True)
            expect(falls, f"{n} numbers, none above the one before", points)
        for n, points in self.place.items():
            expect(points[0] > 0, f"points above 0 for the first of {n}", points)
        return self


class BoardData(Facts):
    """The facts of the box [R2, R8.4]; squares are numbered clockwise."""

    about: str = ""
    colors: str
    """a letter each, clockwise"""
    color_names: tuple[str, str, str, str]
    default_colors: dict[int, str]
    """by number of seats"""
    pieces: tuple[str, ...]
    removal_order: tuple[str, ...]
    """pieces in the order in which last_piece removes them"""
    faces: tuple[str, ...] = Field(alias="oduludo_die")
    ring_size: StrictInt = Field(ge=16, le=1000)
    path_length: StrictInt = Field(ge=1, le=100)
    globes: StrictInt = Field(ge=1, le=100)
    moon: ByColor
    entry: ByColor
    ufo: ByColor
    suns: Squares
    lightnings: Squares
    stars: Squares
    circles: Squares
    safe: Squares
    scoring: Scoring
    scoring_origin: dict[str, list[str]] = Field(default={})
    """which numbers stand in the rules' text and which are reconstructed"""

    @property
    def route_length(self) -> int:
        """L: how many ring squares a route has, the same for every colour [R2.3]."""
        return self._route_lengths()[0]

    def _route_lengths(self) -> list[int]:
        ends = zip(self.moon, self.entry, strict=True)
        return [(entry - moon) % self.ring_size + 1 for moon, entry in ends]

    @model_validator(mode="before")
    @classmethod
    def _in_order_of_colors(cls, table: Any) -> Any:
        """What the file lists by colour, as tuples."""
        if not isinstance(table, dict) or not isinstance(colors := table.get("colors"), str):
            return table
        are_all = len(set(colors)) == len(colors) == NUM_COLORS
        expect(are_all, f"colors as {NUM_COLORS} different letters, clockwise", colors)
        in_order: Json = {}
        for key in {"color_names", "moon", "entry", "ufo"} & set(table):
            by_color = table[key]
            fits = isinstance(by_color, dict) and set(by_color) == set(colors)
            expect(fits, f"{key} for each of the colours {colors}", by_color)
            in_order[key] = [by_color[color] for color in colors]
        return {**table, **in_order}

    @model_validator(mode="after")
    def _check(self) -> Self:
        expect(self.pieces == PIECES, f"pieces {PIECES}", self.pieces)
        for key, found, names in (
            ("removal_order", self.removal_order, PIECES),
            ("oduludo_die", self.faces, FACES),
        ):
            expect(sorted(found) == sorted(names), f"{key} as an order of {names}", found)
        for n in SEAT_COUNTS:
            letters = self.default_colors.get(n)
            wanted = f"default_colors of {n} as {n} letters of {self.colors}, in that order"
            expect(is_choice(letters, n, self.colors), wanted, letters)
        self._check_squares()
        self._check_routes()
        return self

    def _check_squares(self) -> None:
        owner: dict[int, str] = {}
        for kind in ("moon", "entry", "ufo", "suns", "lightnings", "stars", "circles", "safe"):
            squares = getattr(self, kind)
            known = len(set(squares)) == len(squares) and set(squares) <= set(range(self.ring_size))
            expect(known, f"{kind} as different ring squares 0..{self.ring_size - 1}", squares)
            if kind in {"entry", "safe"}:  # what a square is besides its kind
                continue
            for square in squares:
                other = owner.setdefault(square, kind)
                expect(other == kind, f"one kind of square at {square}", f"{other} and {kind}")

    def _check_routes(self) -> None:
        for color, entry in zip(self.colors, self.entry, strict=True):
            expect(entry in self.suns, f"the entry of {color} to be a Sun", entry)
        lengths = self._route_lengths()
        # A die must not carry a piece around the whole ring.
        is_long = len(set(lengths)) == 1 and lengths[0] > LONGEST_ROLL
        wanted = f"routes from Moon to entry of one length above {LONGEST_ROLL}"
        expect(is_long, wanted, dict(zip(self.colors, lengths, strict=True)))
        end = self.path_length + self.globes
        expect(end >= 6, "path_length + globes of at least 6", end)


def is_choice(letters: Any, count: int, colors: str) -> bool:
    """Whether *letters* names *count* of the *colors*, in their order."""
    return (
        isinstance(letters, str)
        and len(letters) == count
        and "".join(color for color in colors if color in letters) == letters
    )
