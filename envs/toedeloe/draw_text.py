"""A position of ToedeLoe as text, for a terminal of 80 columns; plain, without colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .board import EMPTY, LAST_PENALTY
from .board_file import SIDE
from .view import PHASE_WORDS, SIDE_NAMES, Square, View, look

COLUMNS = 80
CELL = 6
MARKS = " ○●▲◆"
LEGEND = "○ white  ● grey  ▲ red  ◆ ToedeLoe   [ ] frame  * bonus  > < moving"


def text(position: Mapping[str, Any], *, viewer: int | None, last_move: str | None = None) -> str:
    """Write the board as *viewer* sees it, his own side below; None sits on white's side."""
    view = look(position, viewer=viewer, last_move=last_move)
    lines = [
        _ends("TOEDELOE", view.turn_words()),
        f"{PHASE_WORDS[view.phase].upper()} · {view.headline()}",
        "",
        *_side(view, 1 - view.near),
        "",
        *_board(view),
        "",
        *_side(view, view.near),
        "",
        _hand(view),
        view.last_move_words(),
        LEGEND,
    ]
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def _ends(left: str, right: str) -> str:
    return left + right.rjust(COLUMNS - len(left))


def _side(view: View, side: int) -> list[str]:
    """Write a side's supplies, penalty track and count."""
    parts = view.parts[side]
    track = "".join("●" if n == view.penalty[side] else "·" for n in range(LAST_PENALTY + 1))
    return [
        _ends(f"{view.side_title(side)}: {parts['net']} points", f"passes 0{track}9"),
        f"  to place: {view.pawns[side]} pawns, {view.red[side]} red, "
        f"{view.toedeloe[side]} ToedeLoe | draw pile {view.piles[side]}",
        f"  frames {parts['frame']}, rows {parts['rows']}, bonus {parts['bonus']}, "
        f"longest {parts['longest']}, not placed -{parts['unplaced']}, "
        f"passes -{parts['penalty']}",
    ]


def _board(view: View) -> list[str]:
    cells = [[" " * CELL] * SIDE for _ in range(SIDE)]
    for square in view.squares:
        cells[square.row][square.column] = _cell(square)
    lines = ["  " + "".join(row) for row in cells]
    middle = SIDE // 2
    zones = SIDE_NAMES if view.near == 0 else SIDE_NAMES[::-1]
    lines.insert(
        middle, f"--{zones[1].lower()}'s zone above, {zones[0].lower()}'s below".ljust(76, "-")
    )
    return lines


def _cell(square: Square) -> str:
    """A square in six columns: what stands there, its label, how it is special."""
    left, right = ("[", "]") if square.in_frame else (" ", "*" if square.is_bonus else " ")
    if square.is_moving:
        left, right = ">", "<"
    mark = MARKS[square.piece] if square.piece != EMPTY else ""
    return left + f"{mark}{square.label}".center(CELL - 2) + right


def _hand(view: View) -> str:
    cards = "  ".join(
        f"[{card.rank if card.is_joker else card.sign + card.rank}]"
        + (f" {card.note}" if card.note else "")
        for card in view.cards
    )
    return f"{view.owner_words()}: {cards}" if cards else "No hand on the table"
