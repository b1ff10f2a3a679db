"""Compiled loops of training: whose turn it is, and the policy's probabilities over legal actions.

`N` rows of games, `B` rows of a minibatch, `A` actions.
"""

# ruff: noqa: FBT001, PLR0917
# (compiled code: every array is an argument, and a call inside a kernel has no keywords)

import math
from typing import Any

from numpy.typing import NDArray

from ..envs.engine.dtypes import Actions, Floats, Mask, Streams
from ..envs.engine.jit import kernel
from ..envs.engine.streams import next_unit

FORCED = -1
"""In the place of an opponent: the row has one legal action, so there is no need to ask."""


@kernel
def find_pending(
    rows: Actions,
    seats: Actions,
    masks: Mask,
    cast: Actions,
    learner: int,
    skip_forced: bool,
    pending: Actions,
    asked: Actions,
    actions: Actions,
) -> int:
    """Find the rows of *rows* that do not wait for their *learner*; returns how many.

    Writes the row, the opponent to ask (`cast[row, seat]` or FORCED) and the forced action.
    """
    count = 0
    for row in rows:
        seat = seats[row]
        is_learner = cast[row, seat] == learner
        if is_learner and not skip_forced:
            continue
        only = -1  # the only legal action; -1 before one is found, -2 once there are two
        for a in range(masks.shape[1]):
            if masks[row, a]:
                if only >= 0:
                    only = -2
                    break
                only = a
        if only < 0 and is_learner:
            continue
        pending[count] = row
        asked[count] = FORCED if only >= 0 else cast[row, seat]
        actions[count] = only
        count += 1
    return count


@kernel
def draw_units(streams: Streams, rows: Actions, units: NDArray[Any]) -> None:
    """Fill `units[j]` with numbers in [0, 1) from the stream of `rows[j]`."""
    for j in range(rows.size):
        for k in range(units.shape[1]):
            units[j, k] = next_unit(streams, rows[j])


@kernel
def judge_actions(
    logits: Floats,
    masks: Mask,
    actions: NDArray[Any],
    log_probs: Floats,
    entropies: Floats,
    log_totals: Floats,
) -> None:
    """Log-probability of `actions[b]` and entropy, of the softmax over the legal logits.

    `log_totals[b]` is the logarithm of the sum of its legal exponentials, for the way back.
    """
    # With the distance d = logit - top and the weight w = exp(d) of each legal action, its
    # probability is w / total, and the entropy is log(total) - moment / total, where moment is the
    # sum of w * d. One pass is enough: when a higher logit turns up, all distances fall alike, so
    # all weights shrink by one factor and both sums are rescaled.
    for b in range(logits.shape[0]):
        top = logits[b, actions[b]]
        total = 0.0
        moment = 0.0
        for a in range(logits.shape[1]):
            if masks[b, a]:
                distance = logits[b, a] - top
                if distance > 0.0:
                    shrink = math.exp(-distance)
                    moment = shrink * (moment - distance * total)
                    total *= shrink
                    top = logits[b, a]
                    distance = 0.0
                weight = math.exp(distance)
                total += weight
                moment += weight * distance
        log_total = math.log(total)
        log_probs[b] = logits[b, actions[b]] - top - log_total
        entropies[b] = log_total - moment / total
        log_totals[b] = top + log_total


@kernel
def judge_actions_backward(
    logits: Floats,
    masks: Mask,
    actions: NDArray[Any],
    entropies: Floats,
    log_totals: Floats,
    log_prob_slopes: Floats,
    entropy_slopes: Floats,
    slopes: Floats,
) -> None:
    """The slope of a loss in every logit, from its slopes in log-probability and entropy.

    *slopes* `[B, A]` is written whole; it is zero at illegal actions.
    """
    # In the logit of action a, with probability p: the log-probability of the action taken has the
    # slope 1 - p if it is a, else -p; the entropy H has the slope -p * (log(p) + H).
    for b in range(logits.shape[0]):
        for a in range(logits.shape[1]):
            slope = 0.0
            if masks[b, a]:
                log_prob = logits[b, a] - log_totals[b]
                factor = log_prob_slopes[b] + (log_prob + entropies[b]) * entropy_slopes[b]
                slope = -math.exp(log_prob) * factor
            slopes[b, a] = slope
        slopes[b, actions[b]] += log_prob_slopes[b]
