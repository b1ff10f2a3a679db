"""What a position of Pig is: the words, the record, the observation."""

from pydantic import Field

from spelkast.envs.engine.codecs import flag, nullable, number, seat
from spelkast.envs.engine.dtypes import OVER
from spelkast.envs.engine.fields import Fields, field
from spelkast.envs.engine.names import Names
from spelkast.envs.engine.options import Options
from spelkast.envs.engine.segments import Segment

ROLL, HOLD = 0, 1
MOVES = Names(["roll", "hold"], "roll or hold")
SIDES = 6
OUTCOMES = Names([f"!{pips}" for pips in range(1, SIDES + 1)], "the pips of a die, !1 to !6")


class PigOptions(Options):
    """The options of Pig."""

    goal: int = Field(default=30, ge=2, le=1000)
    """points that win"""
    max_decisions: int = Field(default=500, ge=1, le=5000)
    """decisions until the game is cut off (truncated)"""


MOST_POINTS = 2**15 - 1

FIELDS = Fields(
    "pig",
    PigOptions,
    field("is_rolling", flag(), "the die is due", key=None),
    field("mover", nullable(seat(2), OVER), "seat to move once no die is due", key="to_move"),
    field("points", number(0, MOST_POINTS), "banked, by seat", shape=(2,)),
    field("turn", number(0, MOST_POINTS), "points of this turn, not banked yet"),
    field("decisions", number(0, 5000), "decisions made so far"),
)

SEGMENTS = (
    Segment("I am to move", 1, key="to_move"),
    Segment("my points, the opponent's, those of this turn / goal", 3, key="points"),
    Segment("clock", 1, key="clock"),
)
