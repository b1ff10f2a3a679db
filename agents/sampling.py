"""Choosing among legal actions: compiled, because most of a network's outputs are illegal.

`B` rows of `A` logits; only the legal ones are looked at. One stream of random numbers per row.
"""

# ruff: noqa: PLR0917
# (compiled code: every array is an argument, and a call inside a kernel has no keywords)

import math

import numpy as np

from ..envs.engine.dtypes import Actions, Floats, Mask, Streams
from ..envs.engine.errors import DivergedError, NoLegalActionError, SpelkastError
from ..envs.engine.jit import kernel
from ..envs.engine.streams import next_unit


@kernel
def highest_legal(logits: Floats, masks: Mask, b: int) -> int:
    """The legal action of row *b* with the highest logit, the first of equals.

    -1 if nothing is legal, or if a legal logit is not finite.
    """
    chosen = -1
    for a in range(logits.shape[1]):
        if masks[b, a]:
            if not math.isfinite(logits[b, a]):
                return -1
            if chosen < 0 or logits[b, a] > logits[b, chosen]:
                chosen = a
    return chosen


@kernel
def sample_legal(
    logits: Floats, masks: Mask, streams: Streams, actions: Actions, log_probs: Floats
) -> int:
    """Draw a legal action per row by the softmax over the legal logits.

    Writes `actions[b]` and `log_probs[b]`; returns a row without a choice (`complaint`), or -1.
    """
    num_actions = logits.shape[1]
    for b in range(logits.shape[0]):
        highest = highest_legal(logits, masks, b)
        if highest < 0:
            return b
        top = np.float64(logits[b, highest])  # in double precision, and so all that follows
        total = 0.0
        for a in range(num_actions):
            if masks[b, a]:
                total += math.exp(logits[b, a] - top)
        rest = next_unit(streams, b) * total
        chosen = -1  # the last legal action, should rounding leave a rest after it
        for a in range(num_actions):
            if masks[b, a]:
                rest -= math.exp(logits[b, a] - top)
                chosen = a
                if rest < 0.0:
                    break
        actions[b] = chosen
        log_probs[b] = logits[b, chosen] - top - math.log(total)
    return -1


@kernel
def best_legal(logits: Floats, masks: Mask, actions: Actions) -> int:
    """Write the legal action with the highest logit (the first of equals) into `actions[b]`.

    Returns a row without a choice (`complaint`), or -1.
    """
    for b in range(logits.shape[0]):
        actions[b] = highest_legal(logits, masks, b)
        if actions[b] < 0:
            return b
    return -1


def complaint(row: int, masks: Mask, name: str) -> SpelkastError:
    """Why *row* has no choice: nothing is legal there, or the network's output is not finite."""
    if not masks[row].any():
        return NoLegalActionError(
            f"expected a legal action, got an all-zero mask in row {row} for {name}"
        )
    return DivergedError(
        f"expected finite outputs from the network of {name}, got NaN or infinity in row {row}: "
        "its training has diverged"
    )
