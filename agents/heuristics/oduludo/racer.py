"""The baseline `racer` of Oduludo [R12.2]: the most steps, and a capture where there is one."""

import numpy as np

from ....envs.engine.dtypes import Actions, Mask, States, Streams
from ....envs.engine.jit import kernel
from ....envs.oduludo.board import (
    BACKWARD,
    CAPTURE,
    COUNT_BITS,
    DECLINE,
    ENTER_KING,
    ENTER_QUEEN,
    ENTER_SOLDIER,
    KING,
    MOVE,
    MOVES,
    NUM_ACTIONS,
    ODULUDO,
    SEND,
    SQUARE,
    SUN_FORWARD,
)
from ....envs.oduludo.fields import FIELDS
from ....envs.oduludo.rules import step
from ....envs.oduludo.rules_landing import count_packed, enemies_at
from ....envs.oduludo.rules_scoring import progress_sum
from ...agent import WithScratch

TEXT_ORDER = np.argsort(np.argsort(np.array(MOVES))).astype(np.int64)
"""Place of each action among all, sorted by notation."""

FOR_CAPTURE, PER_VICTIM, FOR_KING = 100, 20, 500
FOR_ENTERING, FOR_ENTERING_KING, FOR_BACKWARD = 12, 7, -10


@kernel
def racer_action(states: States, row: int, mask: Mask, seat: int, scratch: States) -> int:
    """Send, decline, jump forward; else the move that gains most; of equals the first by text."""
    phase = int(states[row]["phase"])
    if phase == CAPTURE:
        return SEND
    if phase == ODULUDO:
        return DECLINE
    if phase != MOVE:
        return SUN_FORWARD
    before = progress_sum(states, row, seat)
    best, best_gain = -1, 0
    for action in range(NUM_ACTIONS):
        if mask[action]:
            scratch[0] = states[row]
            step(scratch, 0, action)
            gain = progress_sum(scratch, 0, seat) - before + bonus(scratch, seat, action)
            if (
                best < 0
                or gain > best_gain
                or (gain == best_gain and TEXT_ORDER[action] < TEXT_ORDER[best])
            ):
                best, best_gain = action, gain
    return best


@kernel
def bonus(scratch: States, seat: int, action: int) -> int:
    """What a move is worth beyond its steps, by the position it leads to."""
    state = scratch[0]
    worth = 0
    if int(state["phase"]) == CAPTURE:
        place = int(state["place"][seat, int(state["lead"])])
        square = int(SQUARE[int(state["color"][seat]), place])
        victims = enemies_at(scratch, 0, seat, square)
        worth += FOR_CAPTURE + PER_VICTIM * count_packed(victims)
        if has_king(scratch, victims, square):
            worth += FOR_KING
    elif action == BACKWARD:
        worth += FOR_BACKWARD
    if action in (ENTER_QUEEN, ENTER_SOLDIER):
        worth += FOR_ENTERING
    elif action == ENTER_KING:
        worth += FOR_ENTERING_KING
    return worth


@kernel
def has_king(scratch: States, victims: int, square: int) -> bool:
    """Whether one of the seats in the packed *victims* has its King on *square*."""
    state = scratch[0]
    # COUNT_BITS bits for each seat: how many pieces it has there.
    for seat in range(int(state["num_seats"])):
        if victims >> COUNT_BITS * seat & (1 << COUNT_BITS) - 1:
            place = int(state["place"][seat, KING])
            if place < SQUARE.shape[1] and int(SQUARE[int(state["color"][seat]), place]) == square:
                return True
    return False


@kernel
def racer_rows(
    states: States,
    masks: Mask,
    seats: Actions,
    streams: Streams,
    out: Actions,
    scratch: States,
) -> None:
    """Choose for every row; *scratch* is one record."""
    for row in range(out.size):
        out[row] = racer_action(states, row, masks[row], int(seats[row]), scratch)


racer = WithScratch(racer_rows, lambda _: (np.zeros(1, FIELDS.record),))
"""Choose for every row like somebody in a hurry."""
