"""A position of Tokken as text, for a terminal of 80 columns; plain, without colours.

Boards of four segments are drawn as a square, as in the rules [R2.5]; others one segment a line.
"""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from typing import Any

from .board import HOLOGRAM, PAWNS, SEGMENT
from .notation import SEGMENT_NAMES
from .view import PHASE_WORDS, View, look

COLUMNS = 80
DOOR = HOLOGRAM - 1
CORNERS = ((0, 0), (0, SEGMENT), (SEGMENT, SEGMENT), (SEGMENT, 0))
"""Row and column of the first field of each segment of a square board."""

WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""The direction in which the fields of each segment follow."""


def text(position: Mapping[str, Any], *, viewer: int | None, last_move: str | None = None) -> str:
    """Write the table as *viewer* sees it; None sees all cards."""
    view = look(position, viewer=viewer, last_move=last_move)
    is_square = view.options.ring == len(CORNERS) * SEGMENT
    lines = [
        _ends(f"TOKKEN · {view.deal_words()}", view.clock_words()),
        f"{PHASE_WORDS[view.phase].upper()} · {view.headline()}",
        "",
        *(_square(view) if is_square else _lines(view)),
        "",
        *(_player(view, seat) for seat in view.seats),
        *wrap(f"Discard: {view.discard or '-'}", COLUMNS, subsequent_indent=" " * 9),
        view.last_move_words(),
    ]
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def _ends(left: str, right: str) -> str:
    return left + right.rjust(COLUMNS - len(left))


def _player(view: View, seat: int) -> str:
    """Write a seat's mark, name, cards and what else there is to say of it."""
    mark = ">" if seat == view.to_move else " "
    you = " (you)" if seat == view.viewer else ""
    yard = sum(place == "Y" for place in view.pieces[seat])
    cards = " ".join(view.hands[seat]) or "-"
    if view.extras[seat]:
        cards += f"  extra {' '.join(view.extras[seat])}"
    name = f"{mark} {seat} {view.name(seat)}{you}"
    return f"{name:<17}start {view.start(seat)}  yard {yard}  {view.seat_words(seat)}  [{cards}]"


def _mark(view: View, segment: int, offset: int) -> str:
    """One field: the seat whose pawn stands there, or what kind of field it is."""
    name = f"{SEGMENT_NAMES[segment]}{offset}"
    pawn = view.pawns.get(name)
    if pawn is not None:
        return str(pawn[0])
    starts = [view.start(seat) for seat in range(view.options.players)]
    if name in starts:
        return "S"
    if offset in view.options.black_dots:
        return "*"
    if offset == HOLOGRAM:
        return "#"
    following = f"{SEGMENT_NAMES[(segment + 1) % (view.options.ring // SEGMENT)]}0"
    return "o" if offset == DOOR and following in starts else "."


def _lane(view: View, seat: int) -> list[str]:
    """The home lane of a seat, H1 to H4: its number where a pawn is home."""
    return [str(seat) if f"H{h}" in view.pieces[seat] else "-" for h in range(1, PAWNS + 1)]


def _square(view: View) -> list[str]:
    grid = [[" "] * (SEGMENT + 1) for _ in range(SEGMENT + 1)]
    for segment, (row, column) in enumerate(CORNERS):
        down, right = WAYS[segment]
        for offset in range(SEGMENT):
            grid[row + offset * down][column + offset * right] = _mark(view, segment, offset)
    for seat in range(view.options.players):
        corner = SEGMENT_NAMES.index(view.start(seat)[0])
        segment = corner - 1  # the lane begins beside the door, at the end of the segment before
        row, column = CORNERS[segment]
        down, right = WAYS[segment]
        inward = WAYS[corner]
        for h, mark in enumerate(_lane(view, seat), 1):
            grid[row + DOOR * down + h * inward[0]][column + DOOR * right + h * inward[1]] = mark
    names = {0: "a", SEGMENT: "d"}
    ends = {0: "b", SEGMENT: "c"}
    return [
        f"   {names.get(k, ' ')} {' '.join(row)} {ends.get(k, '')}" for k, row in enumerate(grid)
    ]


def _lines(view: View) -> list[str]:
    numbers = "    " + " ".join(f"{offset:>2}" for offset in range(SEGMENT))
    rows = [
        f"  {SEGMENT_NAMES[segment]} "
        + " ".join(f"{_mark(view, segment, offset):>2}" for offset in range(SEGMENT))
        for segment in range(view.options.ring // SEGMENT)
    ]
    homes = [
        f"  {view.name(seat)} home {' '.join(_lane(view, seat))}"
        for seat in range(view.options.players)
    ]
    return [numbers, *rows, "", *homes]
