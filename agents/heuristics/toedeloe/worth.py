"""What a board is worth to the baselines of ToedeLoe [R12.3, R12.4], and what that depends on.

Worths are counted in tenths of a point, leads in hundredths, so that they are whole numbers.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....envs.engine.dtypes import States
from ....envs.engine.jit import kernel
from ....envs.toedeloe.board import (
    ALL_BITS,
    FRAME_BITS,
    FRAMES_BITS,
    LINE_WORDS,
    ROW_WORDS,
    SIDES,
)
from ....envs.toedeloe.board_file import SQUARES
from ....envs.toedeloe.rules_score import (
    bonus_points,
    count_bits,
    count_on,
    full_frames,
    longest,
    row_points,
)
from ...parameters import Parameter, Values

POINT = 10
"""Worths are counted in tenths of a point."""

(
    FRAME,
    OPEN_FRAME,
    NEARLY_FULL,
    FULL,
    ROW,
    BONUS,
    RUN,
    NEIGHBOURS,
    EARLY,
    LATE,
    CLOCK,
    HORIZON,
    RED_WAITS,
    GREEN_WAITS,
    LOW_SUPPLY,
    LOW,
    THEIRS,
    FURTHER,
    TAKING,
    OFFERED,
) = range(20)

PARAMETERS = (
    Parameter("frame", 30, -20, 150, "an own pawn in a frame, in tenths of a point"),
    Parameter("open_frame", 0, -50, 100, "and more if no pawn of the other side is in it"),
    Parameter("nearly_full", 0, -50, 150, "and more for each beyond three in such a frame"),
    Parameter("full", 60, 0, 300, "a frame with six own pawns"),
    Parameter("row", 10, -20, 60, "an own pawn on a square of the rows"),
    Parameter("bonus", 20, -20, 100, "an own pawn on a bonus square"),
    Parameter("run", 10, -10, 60, "each pawn of the longest row"),
    Parameter("neighbours", 0, -20, 30, "two own pawns side by side"),
    Parameter("early", -7, -50, 30, "every own pawn on the board while pawns are saved"),
    Parameter("late", 10, -30, 60, "every own pawn on the board later"),
    Parameter("clock", 4, 0, 30, "pawns in supply per 10 turns left above which it is late"),
    Parameter("horizon", 216, 60, 400, "the turn up to which turns are counted as left"),
    Parameter("red_waits", 10, -30, 60, "what a waiting red pawn takes away"),
    Parameter("green_waits", 10, -30, 60, "what a ToedeLoe in stock takes away"),
    Parameter("low_supply", 0, -30, 60, "what each pawn takes away that the supply is short of"),
    Parameter("low", 5, 0, 20, "pawns of which a supply is short if it has fewer"),
    Parameter("theirs", 10, 0, 30, "weight of the other side's worth, in tenths"),
    Parameter("further", 10, -20, 60, "each further card of a special"),
    Parameter("taking", 0, -30, 60, "what an offered card must bring to be taken"),
    Parameter("offered", 0, 0, 20, "weight of what the other side can do with the rest, in tenths"),
)

SCORER = {"frame": 10, "early": 10}

Notes: TypeAlias = NDArray[np.int64]
"""By square the lead once the pawn there is gone, UNKNOWN until it is needed, `[120]`; then EACH,
what every pawn on the board adds, and from SHARE on what each side adds to the lead."""

EACH, SHARE = SQUARES, SQUARES + 1
NUM_NOTES = SHARE + SIDES

UNKNOWN = -(10**9)
"""A value that has not been found out; lower than any."""


@kernel
def worth(states: States, i: int, side: int, weights: Values, each: int) -> int:
    """What a side's pawns are worth, less what still waits to be placed."""
    state = states[i]
    placed = count_on(states, i, side, ALL_BITS)
    points = each * placed
    points += int(weights[FRAME]) * count_on(states, i, side, FRAMES_BITS)
    points += int(weights[FULL]) * full_frames(states, i, side)
    points += int(weights[ROW]) * row_points(states, i, side)
    points += int(weights[BONUS]) * bonus_points(states, i, side) // 2
    points += int(weights[RUN]) * longest(states, i, side)
    points -= int(weights[RED_WAITS]) * int(state["red"][side])
    points -= int(weights[GREEN_WAITS]) * int(state["toedeloe"][side])
    if weights[OPEN_FRAME] != 0 or weights[NEARLY_FULL] != 0:
        points += open_frames(states, i, side, weights)
    if weights[NEIGHBOURS] != 0:
        points += int(weights[NEIGHBOURS]) * neighbours(states, i, side)
    if weights[LOW_SUPPLY] != 0:
        short = int(weights[LOW]) + placed - int(state["max_pawns"])
        points -= int(weights[LOW_SUPPLY]) * max(0, short)
    return points


@kernel
def open_frames(states: States, i: int, side: int, weights: Values) -> int:
    """What own pawns add in frames that the other side cannot keep from being filled."""
    lines = states[i]["lines"]
    points = 0
    for frame in range(2):
        own, theirs = 0, 0
        for k in range(ROW_WORDS):
            own += count_bits(int(lines[side, k]) & int(FRAME_BITS[frame, k]))
            theirs |= int(lines[1 - side, k]) & int(FRAME_BITS[frame, k])
        if theirs == 0:
            points += int(weights[OPEN_FRAME]) * own + int(weights[NEARLY_FULL]) * max(0, own - 3)
    return points


@kernel
def neighbours(states: States, i: int, side: int) -> int:
    """How many pairs of own pawns stand side by side."""
    lines = states[i]["lines"]
    pairs = 0
    for k in range(LINE_WORDS):
        line = int(lines[side, k])
        pairs += count_bits(line & line >> 1)
    return pairs


@kernel
def lead(states: States, i: int, side: int, weights: Values, notes: Notes) -> int:
    """Own worth less the other side's, in hundredths of a point."""
    each = int(notes[EACH])
    own = worth(states, i, side, weights, each)
    return 10 * own - int(weights[THEIRS]) * worth(states, i, 1 - side, weights, each)


@kernel
def lead_by(states: States, i: int, side: int, changed: int, weights: Values, notes: Notes) -> int:
    """The same, where nothing but pawns of the side *changed*, outside the frames, differ."""
    share = 10 if changed == side else -int(weights[THEIRS])
    return share * worth(states, i, changed, weights, int(notes[EACH])) + int(
        notes[SHARE + 1 - changed]
    )


@kernel
def open_notes(states: States, i: int, side: int, weights: Values, notes: Notes) -> int:
    """Forget the squares and note the rest for a choice of *side*; returns its lead."""
    state = states[i]
    notes[:] = UNKNOWN
    turns_left = int(weights[HORIZON]) - int(state["turn_no"])
    is_late = 10 * int(state["pawns"][side]) > int(weights[CLOCK]) * turns_left
    each = int(weights[LATE] if is_late else weights[EARLY])
    notes[EACH] = each
    notes[SHARE + side] = 10 * worth(states, i, side, weights, each)
    notes[SHARE + 1 - side] = -int(weights[THEIRS]) * worth(states, i, 1 - side, weights, each)
    return int(notes[SHARE] + notes[SHARE + 1])
