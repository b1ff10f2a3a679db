"""The baseline of Slag: it takes a trick as cheaply as it can [R3]."""

from spelkast.agents.agent import FromRecords
from spelkast.envs.engine.dtypes import Actions, Mask, States, Streams
from spelkast.envs.engine.jit import kernel

from .board import NONE, RANKS, beats


@kernel
def taker(states: States, masks: Mask, seats: Actions, streams: Streams, out: Actions) -> None:
    """Lead the strongest card; follow with the weakest that wins, or else with the weakest."""
    for row in range(out.size):
        best, up, most = int(states[row]["best"]), int(states[row]["up"]), -1000
        for card in range(masks.shape[1]):
            power = card % RANKS + RANKS * (card // RANKS == up // RANKS)
            wins = beats(card, int(states[row]["table"][best]), up)
            value = power if best == NONE else 100 - power if wins else -power
            if masks[row, card] and value > most:
                out[row], most = card, value


BASELINES: dict[str, FromRecords] = {"taker": FromRecords(taker)}
