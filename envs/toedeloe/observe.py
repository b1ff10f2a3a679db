"""What a seat sees of ToedeLoe, segment by segment [R7].

"Me" is the side of the seat that looks; squares are turned by 180 degrees for side 1, so both
sides see the same game. Nothing is hidden, so the full state is the view of seat 0.
"""

import numpy as np

from ..engine.dtypes import OVER, Floats, States
from ..engine.jit import kernel
from ..engine.segments import starts
from .board import (
    DECK,
    FINISHED,
    HAND,
    NONE,
    RANK_OF,
    RED,
    SEGMENTS,
    SIDES,
    SUIT_OF,
    TOEDELOE,
    WHITE,
)
from .board_file import SQUARES
from .fields import FIELDS
from .rules_score import longest, net

MARKED, PHASE, MOVER, FLAGS, CARDS, PILES, NUMBERS, ROWS, CLOCK = starts(
    SEGMENTS, "moving", "phase", "mover", "flags", "hand", "piles", "supplies", "rows", "clock"
)
SLOT_SIZE = 20
FIRST_RANK, USED, ACTIVE = 5, 18, 19

# A product in single precision costs a tenth of a quotient in double; the last bit may differ.
PER_SUPPLY, PER_RED, PER_PENALTY = (
    np.float32(1 / FIELDS.high(name)) for name in ("pawns", "red", "penalty")
)
PER_ROW, PER_LEAD = np.float32(1 / 12), np.float32(1 / 60)
ONE = np.float32(1.0)


@kernel
def observe(states: States, i: int, seat: int, out: Floats) -> None:
    """Write the numbers that *seat* sees, as `SEGMENTS` lists them."""
    side = seat % SIDES
    write_board(states, i, side, out)
    write_turn(states, i, seat, out)
    write_hand(states, i, out)
    write_piles(states, i, side, out)
    write_numbers(states, i, side, out)


@kernel
def write_board(states: States, i: int, side: int, out: Floats) -> None:
    """Segments A and B: the pieces and the square of the moving piece."""
    board = states[i]["board"]
    # One loop per side, by index: that is what is vectorised.
    if side == 0:
        for square in range(SQUARES):
            piece = board[square]
            out[square] = np.float32(piece == WHITE)
            out[SQUARES + square] = np.float32(piece == WHITE + 1)
            out[2 * SQUARES + square] = np.float32(piece == RED)
            out[3 * SQUARES + square] = np.float32(piece == TOEDELOE)
    else:
        for square in range(SQUARES):
            piece = board[SQUARES - 1 - square]
            out[square] = np.float32(piece == WHITE + 1)
            out[SQUARES + square] = np.float32(piece == WHITE)
            out[2 * SQUARES + square] = np.float32(piece == RED)
            out[3 * SQUARES + square] = np.float32(piece == TOEDELOE)
    for k in range(MARKED, PHASE):
        out[k] = 0.0
    marked = int(states[i]["square"])
    if marked != NONE:
        out[MARKED + (marked if side == 0 else SQUARES - 1 - marked)] = 1.0


@kernel
def write_turn(states: States, i: int, seat: int, out: Floats) -> None:
    """Segments C, D and E: the phase, whose turn it is, and what may still come of it."""
    state = states[i]
    mover = int(state["mover"])
    for k in range(PHASE, CARDS):
        out[k] = 0.0
    if mover == OVER:
        return
    phase = int(state["phase"])
    if phase < FINISHED:
        out[PHASE + phase] = 1.0
    out[MOVER + (mover - seat) % int(state["players"])] = 1.0
    out[FLAGS] = np.float32(mover != int(state["turn"]))
    out[FLAGS + 1] = np.float32(state["placed"])
    queue = int(state["queue"])
    out[FLAGS + 2] = np.float32((queue & 1) + (queue >> 1 & 1) + (queue >> 2)) * np.float32(0.5)


@kernel
def write_hand(states: States, i: int, out: Floats) -> None:
    """Segment F: the open cards, which are used and which are being resolved or queued."""
    state = states[i]
    for k in range(CARDS, PILES):
        out[k] = 0.0
    used = int(state["used"])
    active = int(state["action"]) | int(state["queue"])
    for slot in range(HAND):
        card = int(state["table"][slot])
        if card == NONE:
            continue
        at = CARDS + SLOT_SIZE * slot
        rank = int(RANK_OF[card])
        out[at + int(SUIT_OF[card])] = 1.0
        if rank > 0:
            out[at + FIRST_RANK + rank - 1] = 1.0
        out[at + USED] = np.float32(used >> slot & 1)
        out[at + ACTIVE] = np.float32(active >> slot & 1)


@kernel
def write_piles(states: States, i: int, side: int, out: Floats) -> None:
    """Segment G: the cards left in my draw pile and in the opponent's."""
    mine = states[i]["pile"][side]
    theirs = states[i]["pile"][1 - side]
    for card in range(DECK):
        out[PILES + card] = np.float32(mine[card])
    for card in range(DECK):
        out[PILES + DECK + card] = np.float32(theirs[card])


@kernel
def write_numbers(states: States, i: int, side: int, out: Floats) -> None:
    """Segments H, I and J: supplies, penalties, longest rows, lead and clock."""
    state = states[i]
    for k in range(2):
        who = side if k == 0 else 1 - side
        out[NUMBERS + k] = np.float32(state["pawns"][who]) * PER_SUPPLY
        out[NUMBERS + 2 + k] = np.float32(state["red"][who]) * PER_RED
        out[NUMBERS + 4 + k] = np.float32(state["toedeloe"][who])
        out[NUMBERS + 6 + k] = np.float32(state["penalty"][who]) * PER_PENALTY
        out[ROWS + k] = min(ONE, np.float32(longest(states, i, who)) * PER_ROW)
    lead = np.float32(net(states, i, side) - net(states, i, 1 - side)) * PER_LEAD
    out[ROWS + 2] = max(-ONE, min(ONE, lead))
    out[CLOCK] = min(1.0, int(state["turn_no"]) / int(state["max_turns"]))
