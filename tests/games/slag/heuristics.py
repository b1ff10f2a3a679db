"""The baseline of Slag: it takes a trick as cheaply as it can [R3]."""

from spelkast.agents.agent import FromRecords
from spelkast.envs.engine.dtypes import Actions, Mask, States, Streams
from spelkast.envs.engine.jit import kernel

from .board import NONE, strength


@kernel
def taker(states: States, masks: Mask, seats: Actions, streams: Streams, out: Actions) -> None:
    """Lead the strongest card; follow with the weakest that wins, or else with the weakest."""
    for row in range(out.size):
        led, up, most = int(states[row]["led"]), int(states[row]["up"]), -1000
        best = strength(int(states[row]["table"][int(states[row]["best"])]), led, up)
        for card in range(masks.shape[1]):
            power = strength(card, led, up)
            value = power if led == NONE else 100 - power if power > best else -power
            if masks[row, card] and value > most:
                out[row], most = card, value


BASELINES: dict[str, FromRecords] = {"taker": FromRecords(taker)}
