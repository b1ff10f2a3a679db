"""A position of Oduludo as text, for a terminal of 80 columns; plain, without colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .layout import layout
from .view import View, look

CELL = 5
COLUMNS = 80
LEGEND = (
    "M Moon  S Sun  L Lightning  * Star  o circle  u UFO parking  U with its UFO  .",
    "GQ3+: stack of Green led by the Queen, 3 pieces, with captives; 1 2 3 Soldiers",
)


def text(position: Mapping[str, Any], *, viewer: int | None, last_move: str | None = None) -> str:
    """Write the board and what everybody has; nothing is hidden, so all see the same."""
    view = look(position, last_move=last_move)
    lines = [
        _ends(f"ODULUDO · {view.phase_words()} · {view.headline()}", view.clock_words()),
        "",
        *(_cross(view) if layout().is_cross else _ring(view)),
        "",
        *(line for seat in range(view.num_seats) for line in _seat(view, seat)),
        view.last_move_words(),
    ]
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def _ends(left: str, right: str) -> str:
    return left + right.rjust(COLUMNS - len(left))


def _mark(view: View, square: int) -> str:
    """A ring square: the stacks on it, else its kind."""
    return "/".join(view.stack_mark(stack) for stack in view.on_square(square)) or view.kind(square)


def _cross(view: View) -> list[str]:
    """The cross with its four arms; Earth is in the middle."""
    places = layout()
    size = int(places.side)
    cells = [[""] * size for _ in range(size)]
    for square, point in enumerate(places.ring):
        cells[int(point.y)][int(point.x)] = _mark(view, square)
    for color, path in enumerate(places.paths):
        for k, point in enumerate(path):
            empty = f"{view.letter(color).lower()}{k + 1}"
            cells[int(point.y)][int(point.x)] = view.path_mark(color, k + 1) or empty
    middle = int(places.earth.y)
    cells[middle][middle] = "EARTH"
    return ["".join(cell.center(CELL) for cell in row) for row in cells] + ["", *LEGEND]


def _ring(view: View) -> list[str]:
    """The squares of a ring that is no cross, one after another."""
    marks = [f"r{square} {_mark(view, square)}" for square in range(len(layout().ring))]
    per_line = 8
    rows = [marks[k : k + per_line] for k in range(0, len(marks), per_line)]
    return ["".join(mark.ljust(COLUMNS // per_line) for mark in row) for row in rows] + [
        "",
        *LEGEND,
    ]


def _seat(view: View, seat: int) -> list[str]:
    """A player's standing and where the pieces are."""
    pieces = "  ".join(f"{name} {place}" for name, place in view.pieces[seat].items())
    return [_ends(view.seat_words(seat), view.score_words(seat)), f"  {pieces}"]
