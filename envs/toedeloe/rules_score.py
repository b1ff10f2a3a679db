"""The count of ToedeLoe and what it pays [R8.3 - R8.5]."""

from __future__ import annotations

from ..engine.dtypes import OVER, Floats, States
from ..engine.jit import kernel
from .board import (
    FRAME_SQUARES,
    IN_FRAME,
    IN_ROW,
    IS_BONUS,
    LANE,
    LANES,
    LINE_WORDS,
    POINTS,
    SIDES,
    SQUARES,
    WHITE,
)

FRAME_SIZE = 6
MARGIN = 30.0
"""Points of a lead that pays 1 by `reward = "margin"`."""

LANE_BITS = (1 << LANE) - 1
ROW_WORDS = LINE_WORDS // 2
TOP_LANE = LANE * (LANES - 1)


# The longest row [R8.3] ------------------------------------------------------------------------


@kernel
def longest_run(states: States, i: int, side: int) -> int:
    """The length of the longest straight run of own pawns on the lines [R2.7].

    All lines at once: how often can every run lose a pawn at one end, before none is left?
    """
    lines = states[i]["lines"]
    a, b, c = int(lines[side, 0]), int(lines[side, 1]), int(lines[side, 2])
    d, e, f = int(lines[side, 3]), int(lines[side, 4]), int(lines[side, 5])
    length = 0
    while a | b | c | d | e | f != 0:
        a &= a >> 1
        b &= b >> 1
        c &= c >> 1
        d &= d >> 1
        e &= e >> 1
        f &= f >> 1
        length += 1
    return length


@kernel
def count_bits(word: int) -> int:
    """How many bits of *word* are set."""
    count = 0
    while word != 0:
        word &= word - 1
        count += 1
    return count


@kernel
def largest_group(states: States, i: int, side: int) -> int:
    """The size of the largest group of own pawns that are neighbours of one another [R2.4].

    A group grows from one pawn over the grid rows until it grows no more; then the next.
    """
    lines = states[i]["lines"]
    a, b, c = int(lines[side, 0]), int(lines[side, 1]), int(lines[side, 2])
    largest = 0
    while a | b | c != 0:
        # One pawn of the first word that has any.
        x = a & -a
        y = b & -b if a == 0 else 0
        z = c & -c if a | b == 0 else 0
        grown = True
        while grown:
            # To the left and right, up and down, and over the edges of the words.
            p = (x | x << 1 | x >> 1 | x << LANE | x >> LANE | y << TOP_LANE) & a
            q = (y | y << 1 | y >> 1 | y << LANE | y >> LANE | x >> TOP_LANE | z << TOP_LANE) & b
            r = (z | z << 1 | z >> 1 | z << LANE | z >> LANE | y >> TOP_LANE) & c
            grown = p != x or q != y or r != z
            x, y, z = p, q, r
        largest = max(largest, count_bits(x) + count_bits(y) + count_bits(z))
        a ^= x
        b ^= y
        c ^= z
    return largest


@kernel
def longest(states: States, i: int, side: int) -> int:
    """The length that scores: of a run or, by the option `longest`, of a group."""
    if int(states[i]["longest_is_group"]):
        return largest_group(states, i, side)
    return longest_run(states, i, side)


# Parts of the score ----------------------------------------------------------------------------


@kernel
def full_frames(states: States, i: int, side: int) -> int:
    """How many frames hold six own pawns."""
    board = states[i]["board"]
    full = 0
    for frame in range(2):
        held = 0
        for k in range(FRAME_SIZE):
            held += 1 if board[FRAME_SQUARES[frame, k]] == WHITE + side else 0
        full += 1 if held == FRAME_SIZE else 0
    return full


@kernel
def frame_points(states: States, i: int, side: int) -> int:
    """1 for each own pawn in a frame, and 6 more for a frame of six."""
    board = states[i]["board"]
    points = FRAME_SIZE * full_frames(states, i, side)
    for square in range(SQUARES):
        points += int(IN_FRAME[square]) if board[square] == WHITE + side else 0
    return points


@kernel
def row_points(states: States, i: int, side: int) -> int:
    """1 for each own pawn on the row squares."""
    board = states[i]["board"]
    points = 0
    for square in range(SQUARES):
        points += int(IN_ROW[square]) if board[square] == WHITE + side else 0
    return points


@kernel
def bonus_points(states: States, i: int, side: int) -> int:
    """2 for each own pawn on the bonus squares."""
    board = states[i]["board"]
    points = 0
    for square in range(SQUARES):
        points += 2 * int(IS_BONUS[square]) if board[square] == WHITE + side else 0
    return points


@kernel
def unplaced(states: States, i: int, side: int) -> int:
    """Own pawns, red pawns and the ToedeLoe that do not stand on the board."""
    state = states[i]
    return int(state["pawns"][side]) + int(state["red"][side]) + int(state["toedeloe"][side])


@kernel
def square_points(states: States, i: int, side: int) -> int:
    """Frames (but for full ones), rows and bonus squares together."""
    board = states[i]["board"]
    own = WHITE + side
    points = 0
    for square in range(SQUARES):
        points += POINTS[square] * (board[square] == own)
    return int(points)


@kernel
def net(states: States, i: int, side: int) -> int:
    """Plus points less minus points [R8.3]."""
    points = square_points(states, i, side) + FRAME_SIZE * full_frames(states, i, side)
    points += longest(states, i, side)
    return points - unplaced(states, i, side) - int(states[i]["penalty"][side])


@kernel
def returns(states: States, i: int, out: Floats) -> None:
    """[R8.5] Who leads wins, or is paid by the lead; zeros before the end."""
    state = states[i]
    for seat in range(int(state["players"])):
        out[seat] = 0.0
    if int(state["mover"]) != OVER:
        return
    lead = net(states, i, 0) - net(states, i, 1)
    if int(state["reward_is_margin"]):
        reward = min(1.0, max(-1.0, lead / MARGIN))
    else:
        reward = float((lead > 0) - (lead < 0))
    for seat in range(int(state["players"])):
        out[seat] = reward if seat % SIDES == 0 else -reward
