"""What a position of Pig is: the words, the record, the observation."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from spelkast.envs.engine.spec import Options, Segment

ROLL, HOLD = 0, 1
MOVES = ("roll", "hold")
SIDES = 6
OUTCOMES = tuple(f"!{pips}" for pips in range(1, SIDES + 1))


class PigOptions(Options):
    """The options of Pig."""

    goal: int = Field(default=30, ge=2, le=1000)
    """points that win"""
    max_decisions: int = Field(default=500, ge=1, le=5000)
    """the game is cut off (truncated) after so many decisions"""


STATE = np.dtype(
    [
        ("goal", np.int16),
        ("max_decisions", np.int16),
        ("mover", np.int16),  # seat to move once no die is due; OVER at the end
        ("is_rolling", np.int16),  # 0 or 1: the die is due
        ("points", np.int16, (2,)),  # banked, by seat
        ("turn", np.int16),  # points of this turn, not banked yet
        ("decisions", np.int16),
    ],
    align=True,
)

SEGMENTS = (
    Segment(name="I am to move", size=1),
    Segment(name="my points, the opponent's, those of this turn / goal", size=3),
    Segment(name="clock", size=1),
)
