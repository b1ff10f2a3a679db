"""The physical board: reads and checks `board.json`, which an owner of the game can correct.

Everything about squares, scores and colours comes from that one file; a mistake in it is told as
`BoardError`, with what was expected and what stands there.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..engine.errors import SpelkastError

BOARD_FILE = Path(__file__).with_name("board.json")
PIECES = ("K", "Q", "S1", "S2", "S3")
FACES = ("earth", "sunA", "sunB", "plus3", "lightning", "moon")
SEAT_COUNTS = (2, 3, 4)
NUM_COLORS = 4
SMALLEST_RING, LARGEST_RING = 16, 1000
MOST_POINTS = 10**6


class BoardError(SpelkastError):
    """`board.json` describes no board that the game can be played on."""


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """The numbers of a round's points [R8.4]."""

    place: dict[int, tuple[int, ...]]
    team: tuple[int, ...]
    piece_on_earth: int
    winner_per_captive: int
    eliminated_piece_in_ship: int
    eliminated_piece_on_board: int


@dataclass(frozen=True, kw_only=True)
class BoardData:
    """The facts of the box [R2, R8.4]; squares by colour are in the order of `colors`."""

    colors: str
    color_names: tuple[str, ...]
    default_colors: dict[int, str]
    removal_order: tuple[int, ...]
    """pieces, by number, in the order in which last_piece removes them"""
    faces: tuple[str, ...]
    ring_size: int
    path_length: int
    globes: int
    moon: tuple[int, ...]
    entry: tuple[int, ...]
    ufo: tuple[int, ...]
    suns: tuple[int, ...]
    lightnings: tuple[int, ...]
    stars: tuple[int, ...]
    circles: tuple[int, ...]
    safe: tuple[int, ...]
    scoring: Scoring

    @property
    def route_length(self) -> int:
        """L: how many ring squares a route has, the same for every colour [R2.3]."""
        return (self.entry[0] - self.moon[0]) % self.ring_size + 1


def read_board(path: Path = BOARD_FILE) -> BoardData:
    """The board that *path* describes; raises `BoardError`."""
    try:
        table = json.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BoardError(f"expected the board as JSON in {path.name}, got: {error}") from None
    if not isinstance(table, dict):
        raise BoardError(f"expected a JSON object in {path.name}, got {table!r}")
    return board_of(table)


def board_of(table: dict[str, Any]) -> BoardData:
    """The board of a JSON object, checked; raises `BoardError`."""
    colors = _get(table, "colors")
    _expect(
        isinstance(colors, str) and len(set(colors)) == len(colors) == NUM_COLORS,
        f"colors as {NUM_COLORS} different letters, clockwise",
        colors,
    )
    names = _by_color(table, "color_names", colors)
    _expect(all(isinstance(name, str) for name in names), "color_names as texts", names)
    _expect(tuple(_list(table, "pieces")) == PIECES, f"pieces {list(PIECES)}", table["pieces"])
    removal = _list(table, "removal_order")
    _expect(_same(removal, PIECES), f"removal_order as an order of {list(PIECES)}", removal)
    faces = _list(table, "oduludo_die")
    _expect(_same(faces, FACES), f"oduludo_die as an order of {list(FACES)}", faces)
    ring = _whole(table, "ring_size", low=SMALLEST_RING, high=LARGEST_RING)
    board = BoardData(
        colors=colors,
        color_names=names,
        default_colors=_default_colors(table, colors),
        removal_order=tuple(PIECES.index(piece) for piece in removal),
        faces=tuple(faces),
        ring_size=ring,
        path_length=_whole(table, "path_length", low=1, high=100),
        globes=_whole(table, "globes", low=1, high=100),
        moon=_squares_by_color(table, "moon", colors, ring=ring),
        entry=_squares_by_color(table, "entry", colors, ring=ring),
        ufo=_squares_by_color(table, "ufo", colors, ring=ring),
        suns=_squares(table, "suns", ring),
        lightnings=_squares(table, "lightnings", ring),
        stars=_squares(table, "stars", ring),
        circles=_squares(table, "circles", ring),
        safe=_squares(table, "safe", ring),
        scoring=_scoring(_get(table, "scoring")),
    )
    _check_squares(board)
    return board


def _check_squares(board: BoardData) -> None:
    kinds = {
        "moon": board.moon,
        "ufo": board.ufo,
        "suns": board.suns,
        "lightnings": board.lightnings,
        "stars": board.stars,
        "circles": board.circles,
    }
    owner: dict[int, str] = {}
    for kind, squares in kinds.items():
        for square in squares:
            _expect(
                square not in owner,
                f"one kind of square at {square}",
                f"{owner.get(square)} and {kind}",
            )
            owner[square] = kind
    for color, entry in zip(board.colors, board.entry, strict=True):
        _expect(entry in board.suns, f"the entry of {color} to be a Sun", entry)
    _expect(len(set(board.entry)) == NUM_COLORS, "an entry of its own per colour", board.entry)
    lengths = [
        (entry - moon) % board.ring_size + 1
        for moon, entry in zip(board.moon, board.entry, strict=True)
    ]
    # A die must not carry a piece around the whole ring.
    _expect(
        len(set(lengths)) == 1 and lengths[0] > 12,
        "routes from Moon to entry of one length above 12",
        dict(zip(board.colors, lengths, strict=True)),
    )
    _expect(board.path_length + board.globes >= 6, "path_length + globes of at least 6", "less")


def _scoring(table: Any) -> Scoring:
    _expect(isinstance(table, dict), "scoring as an object", table)
    place = _get(table, "place")
    _expect(isinstance(place, dict), "place as lists by the number of seats", place)
    scoring = Scoring(
        place={n: _points(place, str(n), n) for n in SEAT_COUNTS},
        team=_points(table, "team", 2),
        piece_on_earth=_whole(table, "piece_on_earth", low=0, high=MOST_POINTS),
        winner_per_captive=_whole(table, "winner_per_captive", low=0, high=MOST_POINTS),
        eliminated_piece_in_ship=_whole(
            table, "eliminated_piece_in_ship", low=-MOST_POINTS, high=0
        ),
        eliminated_piece_on_board=_whole(
            table, "eliminated_piece_on_board", low=-MOST_POINTS, high=0
        ),
    )
    for n, points in scoring.place.items():
        _expect(points[0] > 0, f"points above 0 for the first of {n}", points)
    return scoring


def _points(table: Any, key: str, count: int) -> tuple[int, ...]:
    points = _list(table, key)
    _expect(
        len(points) == count
        and all(type(p) is int and 0 <= p <= MOST_POINTS for p in points)
        and points == sorted(points, reverse=True),
        f"{key} as {count} whole numbers of at least 0, none above the one before",
        points,
    )
    return tuple(points)


def _default_colors(table: Any, colors: str) -> dict[int, str]:
    defaults = _get(table, "default_colors")
    _expect(isinstance(defaults, dict), "default_colors as an object", defaults)
    found = {n: _get(defaults, str(n)) for n in SEAT_COUNTS}
    for n, letters in found.items():
        _expect(
            is_choice(letters, n, colors),
            f"default_colors of {n} as {n} letters of {colors}, in that order",
            letters,
        )
    return found


def is_choice(letters: Any, count: int, colors: str) -> bool:
    """Whether *letters* names *count* of the *colors*, in their order."""
    return (
        isinstance(letters, str)
        and len(letters) == count
        and "".join(color for color in colors if color in letters) == letters
    )


def _by_color(table: Any, key: str, colors: str) -> tuple[Any, ...]:
    by_color = _get(table, key)
    _expect(
        isinstance(by_color, dict) and set(by_color) == set(colors),
        f"{key} for each of the colours {colors}",
        by_color,
    )
    return tuple(by_color[color] for color in colors)


def _squares_by_color(table: Any, key: str, colors: str, *, ring: int) -> tuple[int, ...]:
    return _checked_squares(list(_by_color(table, key, colors)), key, ring)


def _squares(table: Any, key: str, ring: int) -> tuple[int, ...]:
    return _checked_squares(_list(table, key), key, ring)


def _checked_squares(squares: list[Any], key: str, ring: int) -> tuple[int, ...]:
    _expect(
        all(type(s) is int and 0 <= s < ring for s in squares)
        and len(set(squares)) == len(squares),
        f"{key} as different ring squares 0..{ring - 1}",
        squares,
    )
    return tuple(squares)


def _whole(table: Any, key: str, *, low: int, high: int) -> int:
    value = _get(table, key)
    _expect(
        type(value) is int and low <= value <= high,
        f"{key} as a whole number {low}..{high}",
        value,
    )
    return int(value)


def _list(table: Any, key: str) -> list[Any]:
    value = _get(table, key)
    _expect(isinstance(value, list), f"{key} as a list", value)
    return list(value)


def _get(table: Any, key: str) -> Any:
    _expect(key in table, f"the key {key!r}", "none")
    return table[key]


def _same(values: list[Any], names: tuple[str, ...]) -> bool:
    return sorted(map(str, values)) == sorted(names)


def _expect(holds: object, expected: str, got: object) -> None:
    if not holds:
        raise BoardError(f"expected {expected}, got {got!r}, in {BOARD_FILE.name}")
