"""The baselines of ToedeLoe [R12.3, R12.4]: they try every ending of every action, one card deep.

Nothing is hidden in this game, so they read records. An *ending* is the board at the moment a card
action is complete; it is judged by the lead of the own side's worth, counted in tenths of a point
so that it is a whole number.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....envs.engine.dtypes import Actions, Mask, States, Streams
from ....envs.engine.jit import kernel
from ....envs.toedeloe.board import (
    ALL_BITS,
    EMPTY,
    FIRST_SQUARE,
    FIRST_STEP,
    FRAMES_BITS,
    GREY,
    NEXT_SQUARE,
    NONE,
    NUM_ACTIONS,
    OFFER,
    PASS,
    PLAY,
    RED,
    SIDES,
    STAY,
    TOEDELOE,
    WHITE,
)
from ....envs.toedeloe.board_file import SQUARES
from ....envs.toedeloe.rules import put, take
from ....envs.toedeloe.rules_cards import (
    can_go,
    is_special,
    lowest_slot,
    mask_targets,
    may_enter,
    own_square,
    places_red_or_green,
)
from ....envs.toedeloe.rules_score import count_on, plus
from ...agent import WithScratch

POINT = 10
"""Worths are counted in tenths of a point."""

IN_FRAME_TOO = 2 * POINT
"""What the hoarder adds for a pawn in a frame, which scores 1: 3 in all."""

PLACED, SPARED = POINT, -7
"""What each pawn on the board adds: 1 point, or -0.7 while the hoarder saves pawns."""

Notes: TypeAlias = NDArray[np.int64]
"""By square the lead once the pawn there is gone, UNKNOWN until it is needed, `[120]`. Then FRAMED,
what a pawn in a frame is worth beyond its score, and EACH, what every pawn on the board adds."""

FRAMED, EACH = SQUARES, SQUARES + 1

HORIZON = 216
"""Turns for which the hoarder saves pawns, whatever the limit: six times through both decks."""

UNKNOWN = -(10**9)
"""A value that has not been found out; lower than any."""


# The worth of a board --------------------------------------------------------------------------


@kernel
def worth(states: States, i: int, side: int, notes: Notes) -> int:
    """What a side's pawns are worth, less what still waits to be placed."""
    state = states[i]
    left = int(state["red"][side]) + int(state["toedeloe"][side])
    points = POINT * (plus(states, i, side) - left)
    points += int(notes[FRAMED]) * count_on(states, i, side, FRAMES_BITS)
    return points + int(notes[EACH]) * count_on(states, i, side, ALL_BITS)


@kernel
def lead(states: States, i: int, side: int, notes: Notes) -> int:
    """Own worth less the other side's."""
    return worth(states, i, side, notes) - worth(states, i, 1 - side, notes)


@kernel
def without_pawn(states: States, i: int, side: int, square: int, notes: Notes) -> int:
    """The lead once the pawn on *square* is thrown off, remembered in *notes*."""
    if notes[square] == UNKNOWN:
        piece = int(states[i]["board"][square])
        take(states, i, square)
        notes[square] = lead(states, i, side, notes)
        put(states, i, square, piece)
    return int(notes[square])


@kernel
def after_number(states: States, i: int, side: int, square: int, notes: Notes) -> int:
    """The lead with an own pawn on an empty square."""
    put(states, i, square, WHITE + side)
    value = lead(states, i, side, notes)
    take(states, i, square)
    return value


@kernel
def after_three(
    states: States, i: int, side: int, square: int, direction: int, notes: Notes
) -> int:
    """The lead after a pawn went three squares and threw off who stood there [R4.16]."""
    # Made and taken back on the record itself: a kernel can make no copy.
    board = states[i]["board"]
    first = int(NEXT_SQUARE[square, direction])
    second = int(NEXT_SQUARE[first, direction])
    third = int(NEXT_SQUARE[second, direction])
    piece = int(board[square])
    on_first, on_second, on_third = int(board[first]), int(board[second]), int(board[third])
    take(states, i, square)
    if on_first != EMPTY:
        take(states, i, first)
    if on_second != EMPTY:
        take(states, i, second)
    if on_third != EMPTY:
        take(states, i, third)
    put(states, i, third, piece)
    value = lead(states, i, side, notes)
    take(states, i, third)
    put(states, i, square, piece)
    if on_first != EMPTY:
        put(states, i, first, on_first)
    if on_second != EMPTY:
        put(states, i, second, on_second)
    if on_third != EMPTY:
        put(states, i, third, on_third)
    return value


@kernel
def after_step(
    states: States, i: int, side: int, there: int, base: int, shift: int, notes: Notes
) -> int:
    """The lead after a red or green piece has entered *there*.

    Where it came from does not matter. *shift* is what placing it was worth, *base* the lead
    before that.
    """
    piece = int(states[i]["board"][there])
    if piece == EMPTY:
        return base + shift
    if piece == RED:  # goes to the other side, no matter who placed it [R4.14]
        return base + shift + POINT
    return without_pawn(states, i, side, there, notes) + shift


# The best ending of a choice -------------------------------------------------------------------


@kernel
def best_target(states: States, i: int, side: int, square: int, base: int, notes: Notes) -> int:
    """The best ending once *square* is chosen for the card that is being resolved."""
    state = states[i]
    piece = int(state["board"][square])
    best = UNKNOWN
    if WHITE <= piece <= GREY:
        for direction in range(4):
            if can_go(states, i, side, square, direction):
                value = after_three(states, i, side, square, direction, notes)
                best = max(best, value)
        return best
    shift = 0
    is_green = piece == TOEDELOE
    if piece == EMPTY:
        if not places_red_or_green(states, i):
            return after_number(states, i, side, square, notes)
        is_green = int(state["red"][side]) == 0
        shift = POINT  # one less that is not on the board
        best = base + shift
    for direction in range(4):
        there = int(NEXT_SQUARE[square, direction])
        if may_enter(states, i, side, is_green, there):
            value = after_step(states, i, side, there, base, shift, notes)
            best = max(best, value)
    return best


@kernel
def best_card(
    states: States, i: int, side: int, slots: int, base: int, notes: Notes, targets: Mask
) -> int:
    """The best ending of playing *slots*: one card, or a combination."""
    state = states[i]
    before = int(state["action"])
    state["action"] = slots
    for action in range(NUM_ACTIONS):
        targets[action] = 0
    mask_targets(states, i, side, targets)
    best = UNKNOWN
    for action in range(FIRST_SQUARE, FIRST_STEP):
        if targets[action]:
            square = own_square(side, action - FIRST_SQUARE)
            value = best_target(states, i, side, square, base, notes)
            best = max(best, value)
    state["action"] = before
    return best


@kernel
def best_step(states: States, i: int, side: int, action: int, base: int, notes: Notes) -> int:
    """The ending of a step, or of staying."""
    if action == STAY:
        return base
    # [R6.2] Side 1 sees the board turned by half: its directions are two of four further on.
    state = states[i]
    square = int(state["square"])
    direction = (action - FIRST_STEP + 2 * side) % 4
    if int(state["board"][square]) <= GREY:
        return after_three(states, i, side, square, direction, notes)
    there = int(NEXT_SQUARE[square, direction])
    return after_step(states, i, side, there, base, 0, notes)


@kernel
def value_of(
    states: States, i: int, side: int, action: int, base: int, notes: Notes, targets: Mask
) -> int:
    """The best lead that can be reached by *action* [R12.3]."""
    if action == PASS:
        return base
    if action >= FIRST_STEP:
        return best_step(states, i, side, action, base, notes)
    if action >= FIRST_SQUARE:
        square = own_square(side, action - FIRST_SQUARE)
        return best_target(states, i, side, square, base, notes)
    slots = action + 1
    if is_special(states, i, slots):
        # The first action, and a point for each further card.
        first = lowest_slot(slots)
        value = best_card(states, i, side, first, base, notes, targets)
        return value + POINT * (number_of_cards(slots) - 1)
    return best_card(states, i, side, slots, base, notes, targets)


@kernel
def number_of_cards(slots: int) -> int:
    """How many cards *slots* are."""
    return (slots & 1) + (slots >> 1 & 1) + (slots >> 2 & 1)


@kernel
def rank_of(phase: int, action: int) -> int:
    """Which of equally good actions comes first, the highest rank: [R12.3]."""
    if phase == OFFER and action == PASS:
        return 1
    return number_of_cards(action + 1) if phase == PLAY else 0


@kernel
def choose_rows(
    states: States,
    masks: Mask,
    seats: Actions,
    streams: Streams,
    out: Actions,
    is_hoarder: bool,
    notes: Notes,
    targets: Mask,
) -> None:
    """Choose for every row. Scratch: *notes* `[122]`, *targets* `[133]`."""
    for row in range(out.size):
        state = states[row]
        side = seats[row] % SIDES
        notes[:] = UNKNOWN
        notes[FRAMED], notes[EACH] = 0, PLACED
        if is_hoarder:
            notes[FRAMED] = IN_FRAME_TOO
            # More pawns than 0.4 for each turn that is left [R12.4].
            turns_left = HORIZON - int(state["turn_no"])
            if 10 * int(state["pawns"][side]) <= 4 * turns_left:
                notes[EACH] = SPARED
        base = lead(states, row, side, notes)
        phase = int(state["phase"])
        best, best_rank, chosen = UNKNOWN - 1, 0, NONE
        for action in range(NUM_ACTIONS):
            if masks[row, action]:
                value = value_of(states, row, side, action, base, notes, targets)
                rank = rank_of(phase, action)
                if value > best or (value == best and rank > best_rank):
                    best, best_rank, chosen = value, rank, action
        out[row] = chosen


def _player(*, is_hoarder: bool) -> WithScratch:
    def room(num_actions: int) -> tuple[bool, Notes, Mask]:
        return is_hoarder, np.zeros(SQUARES + 2, np.int64), np.zeros(num_actions, np.int8)

    return WithScratch(choose_rows, room)


scorer = _player(is_hoarder=False)
"""Choose for every row like a player who takes the points in sight."""

hoarder = _player(is_hoarder=True)
"""Choose for every row like a player who fills frames and saves pawns till the end."""
