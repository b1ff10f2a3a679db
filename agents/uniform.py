"""The agent `random`: every legal action is equally likely."""

from ..envs.engine.dtypes import Actions, Floats, Mask, Streams
from ..envs.engine.jit import kernel
from ..envs.engine.streams import next_below
from .agent import KernelAgent


@kernel
def choose_uniformly(  # noqa: PLR0917  a kernel is called without keywords
    observations: Floats, masks: Mask, streams: Streams, out: Actions
) -> None:
    """Draw a legal action for each row with the row's stream."""
    for row in range(masks.shape[0]):
        count = 0
        for action in range(masks.shape[1]):
            count += masks[row, action] != 0
        skip = next_below(streams, row, count)
        action = 0
        while masks[row, action] == 0 or skip > 0:
            skip -= masks[row, action] != 0
            action += 1
        out[row] = action


def random_agent() -> KernelAgent:
    """Make the agent that plays at random."""
    return KernelAgent("random", choose_uniformly)
