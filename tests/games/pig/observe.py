"""What a seat sees of Pig: everything, from its own side."""

from spelkast.envs.engine.dtypes import Floats, States
from spelkast.envs.engine.jit import kernel
from spelkast.envs.engine.segments import starts

from .board import SEGMENTS
from .rules import to_move

TO_MOVE, POINTS, CLOCK = starts(SEGMENTS, "to_move", "points", "clock")


@kernel
def observe(states: States, i: int, seat: int, out: Floats) -> None:
    """Write the five numbers of `board.SEGMENTS`."""
    state = states[i]
    goal = int(state["goal"])
    out[TO_MOVE] = to_move(states, i) == seat
    out[POINTS] = min(1.0, int(state["points"][seat]) / goal)
    out[POINTS + 1] = min(1.0, int(state["points"][1 - seat]) / goal)
    out[POINTS + 2] = min(1.0, int(state["turn"]) / goal)
    out[CLOCK] = min(1.0, int(state["decisions"]) / int(state["max_decisions"]))
