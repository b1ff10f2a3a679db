"""Choosing among legal actions: compiled, because most of a network's outputs are illegal.

`B` rows of `A` logits; only the legal ones are looked at. One stream of random numbers per row.
"""

# ruff: noqa: PLR0917
# (compiled code: every array is an argument, and a call inside a kernel has no keywords)

from __future__ import annotations

import math

from ..envs.engine.dtypes import Actions, Floats, Mask, Streams
from ..envs.engine.jit import kernel
from ..envs.engine.streams import next_unit


@kernel
def sample_legal(
    logits: Floats, masks: Mask, streams: Streams, actions: Actions, log_probs: Floats
) -> int:
    """Draw a legal action per row by the softmax over the legal logits.

    Writes `actions[b]` and `log_probs[b]`; returns a row without a legal action, or -1.
    """
    num_actions = logits.shape[1]
    for b in range(logits.shape[0]):
        top = -math.inf
        for a in range(num_actions):
            if masks[b, a] and logits[b, a] > top:
                top = logits[b, a]
        if top == -math.inf:
            return b
        total = 0.0
        for a in range(num_actions):
            if masks[b, a]:
                total += math.exp(logits[b, a] - top)
        rest = next_unit(streams, b) * total
        chosen = -1
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

    Returns a row without a legal action, or -1.
    """
    for b in range(logits.shape[0]):
        chosen = -1
        for a in range(logits.shape[1]):
            if masks[b, a] and (chosen < 0 or logits[b, a] > logits[b, chosen]):
                chosen = a
        if chosen < 0:
            return b
        actions[b] = chosen
    return -1
