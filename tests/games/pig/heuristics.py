"""The baseline of Pig [R1, R2]: it holds at 20."""

from spelkast.agents.agent import FromRecords
from spelkast.envs.engine.dtypes import Actions, Mask, States, Streams
from spelkast.envs.engine.jit import kernel

from .board import HOLD, ROLL

ENOUGH = 20


@kernel
def holder(states: States, masks: Mask, seats: Actions, streams: Streams, out: Actions) -> None:
    """Roll until the turn is worth 20 points, or wins."""
    for row in range(out.size):
        state = states[row]
        turn, banked = int(state["turn"]), int(state["points"][int(seats[row])])
        is_enough = turn >= ENOUGH or banked + turn >= int(state["goal"])
        out[row] = HOLD if is_enough and masks[row, HOLD] else ROLL


BASELINES: dict[str, FromRecords] = {"holder": FromRecords(holder)}
