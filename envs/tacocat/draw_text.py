"""A position of Tacocat as text, for a terminal of 80 columns; plain, without colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .board import GOALS, TRACK
from .notation import KINDS
from .view import BACK, GOAL_NAMES, PHASE_WORDS, TRACK_LETTERS, View, count_cards, look

COLUMNS = 80
CELL = 7
TACOCAT = "=^.^="


def text(position: Mapping[str, Any], *, viewer: int | None, last_move: str | None = None) -> str:
    """Write the table as *viewer* sees it, sitting at the lower edge; None sees all cards."""
    view = look(position, viewer=viewer, last_move=last_move)
    lines = [
        _ends(f"TACOCAT · round {view.round} · draw pile {view.draw_pile}", view.clock_words()),
        f"{PHASE_WORDS[view.phase].upper()} · {view.headline()}",
        "",
        *_player(view, view.far),
        "",
        *_track(view),
        "",
        *_middle(view),
        *_player(view, view.near)[::-1],
        view.last_move_words(),
    ]
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def _ends(left: str, right: str) -> str:
    return left + right.rjust(COLUMNS - len(left))


def _player(view: View, seat: int) -> list[str]:
    """Write a player's name with hand, and below it the discards of this round."""
    hand = view.hands[seat]
    who = f"{view.name(seat)} ({view.seat_words(seat)})"
    replaced, *rest = (f"{kind}: {_ranks(view.discard[kind][seat])}" for kind in KINDS)
    return [
        _ends(who, f"won {view.wins[seat]}"),
        f"  hand: {_cards(hand)} {count_cards(hand)}",
        f"  {replaced}",
        f"  {' | '.join(rest)}",
    ]


def _ranks(cards: Sequence[int]) -> str:
    return " ".join(map(str, cards)) or "-"


def _cards(cards: Sequence[int]) -> str:
    return "".join("[░]" if card == BACK else f"[{card}]" for card in cards)


def _track(view: View) -> list[str]:
    """Write the nine places, the near seat's goal on the left; `▒` is a tile."""
    cells = [_place(view, space) for space in view.track]
    rows = ["".join(f"│{cell[row]:^{CELL}}" for cell in cells) + "│" for row in range(3)]
    line = "─" * CELL
    return [
        "┌" + "┬".join([line] * TRACK) + "┐",
        *rows,
        "└" + "┴".join([line] * TRACK) + "┘",
    ]


def _place(view: View, space: int) -> tuple[str, str, str]:
    """Write one place in three rows: letter, hand size with arrows, Tacocat."""
    token = TACOCAT if space == view.tacocat else ""
    if space in GOALS:
        return GOAL_NAMES[GOALS.index(space)], "goal", token
    if space in view.covered:
        return "▒" * CELL, "▒" * CELL, "▒" * CELL
    seats = view.points_to(space)
    left = "<" if view.near in seats else " "
    right = ">" if view.far in seats else " "
    return TRACK_LETTERS[space - 1], f"{left} {view.options.hand_sizes[space - 1]} {right}", token


def _middle(view: View) -> list[str]:
    """Write what waits in the middle: an attack, duel cards, cards set aside."""
    if view.attack:
        current, rest = view.attack[0], _cards(view.attack[1:])
        return [f"  {view.attack_words()}:  >[{current}]< {rest}", ""]
    lines = [
        f"  {view.name(seat)}: {view.aside_words(seat)}:  {_cards(view.aside[seat])}"
        for seat in (view.far, view.near)
        if view.aside[seat]
    ]
    return [*lines, ""] if lines else []
