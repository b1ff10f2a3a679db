"""Where the squares of the board lie in a picture: on a cross if they fit one, else on a circle.

A unit is the side of a square; the origin is the upper left corner of the board.
"""

from functools import cache
from math import cos, pi, sin
from typing import NamedTuple

from .board import BOARD, RING
from .board_file import NUM_COLORS


class Point(NamedTuple):
    """The middle of a square, in units."""

    x: float
    y: float


class Layout(NamedTuple):
    """The places of a board."""

    is_cross: bool
    side: float
    """of the whole board, a square"""
    ring: tuple[Point, ...]
    paths: tuple[tuple[Point, ...], ...]
    """by colour, then p1, p2, ..."""
    earth: Point
    ships: tuple[Point, ...]
    """by colour"""


@cache
def layout() -> Layout:
    """The places of the board of `board.json`."""
    arm = (RING // NUM_COLORS - 1) // 2
    entries = tuple((color * RING // NUM_COLORS - 1) % RING for color in range(NUM_COLORS))
    fits = (
        NUM_COLORS * (2 * arm + 1) == RING
        and BOARD.path_length == arm - 1
        and entries == BOARD.entry
    )
    return _cross(arm) if fits else _circle()


def _turned(point: Point, quarters: int, side: float) -> Point:
    """A point turned clockwise around the middle of the board."""
    for _ in range(quarters):
        point = Point(side - point.y, point.x)
    return point


def _cross(arm: int) -> Layout:
    """Arms of three columns: down the right column of the top arm, along the right arm, ..."""
    side = 2 * arm + 3
    middle = side / 2
    galaxy = [
        *(Point(arm + 2.5, k + 0.5) for k in range(arm)),
        *(Point(arm + 3.5 + k, arm + 0.5) for k in range(arm)),
        Point(side - 0.5, middle),
    ]
    path = [Point(middle, 1.5 + k) for k in range(arm - 1)]
    ship = Point(side - arm / 2, arm / 2)
    quarters = range(NUM_COLORS)
    return Layout(
        is_cross=True,
        side=side,
        ring=tuple(_turned(point, k, side) for k in quarters for point in galaxy),
        paths=tuple(tuple(_turned(point, k, side) for point in path) for k in quarters),
        earth=Point(middle, middle),
        ships=tuple(_turned(ship, k, side) for k in quarters),
    )


def _circle() -> Layout:
    """The ring as a circle, square 0 at the top, the paths as spokes."""
    radius = max(1.1 * RING / (2 * pi), BOARD.path_length + 3)
    side = 2 * radius + 3
    middle = side / 2

    def at(square: int, distance: float) -> Point:
        angle = 2 * pi * square / RING
        return Point(middle + distance * sin(angle), middle - distance * cos(angle))

    ship = Point(side - 1.6, 1.6)
    return Layout(
        is_cross=False,
        side=side,
        ring=tuple(at(square, radius) for square in range(RING)),
        paths=tuple(
            tuple(at(entry, radius - k) for k in range(1, BOARD.path_length + 1))
            for entry in BOARD.entry
        ),
        earth=Point(middle, middle),
        ships=tuple(_turned(ship, k, side) for k in range(NUM_COLORS)),
    )
