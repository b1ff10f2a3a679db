"""The baseline `strong` of Tacocat [R12.5]: guess the opponent's hand, play it out perfectly."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....envs.engine.dtypes import Actions, Counts, Floats, Mask, Streams
from ....envs.engine.jit import kernel
from ....envs.engine.streams import take_one
from ....envs.tacocat.board import (
    ATTACK,
    ATTACK_CARDS,
    DEFENCE,
    DEFEND,
    NUM_ACTIONS,
    RANKS,
    SACRIFICE,
    SINGLE,
)
from ...agent import WithScratch
from ...parameters import Values, Weights
from .endgame import (
    CARDS_OF,
    MOST_CARDS,
    PACKED_ATTACK,
    WITHOUT,
    Hands,
    Memo,
    Packed,
    hand_number,
    memo,
    value,
)
from .simple import (
    ATTACK_SIZE,
    BELIEFS,
    HIGH_BELIEF,
    LOST,
    LOW_BELIEF,
    MIDDLE_BELIEF,
    OPEN_ATTACK,
    OWN,
    PARAMETERS,
    PHASE,
    SEVEN,
    TEXT_ORDER,
    THREE,
    UNSEEN,
    cards_in,
    copies,
    lowest_own,
    opponent_cards,
    opponent_floor,
    solid_action,
)

SAMPLES = 24

Totals: TypeAlias = NDArray[np.int64]
"""What each action is worth, added up over the guessed hands, `[A]`."""


@kernel
def is_searched(observation: Floats, mask: Mask) -> bool:
    """Whether `strong` looks ahead here: few cards, an attack or defence, and a choice."""
    if observation[PHASE + ATTACK] == 0 and observation[PHASE + DEFEND] == 0:
        return False
    legal = 0
    for action in range(SINGLE, NUM_ACTIONS):
        legal += mask[action]
    return cards_in(observation, OWN) <= MOST_CARDS and legal > 1


@kernel
def belief(rank: int, weights: Values) -> int:
    """How likely an unseen card of *rank* is in the opponent's hand."""
    low, middle = int(weights[LOW_BELIEF]), int(weights[MIDDLE_BELIEF])
    high = int(weights[HIGH_BELIEF])
    if low == middle == high:
        return 1  # and all are drawn as if nothing was believed
    return low if rank < THREE else middle if rank <= SEVEN else high


@kernel
def draw_hands(
    observation: Floats,
    streams: Streams,
    k: int,
    counts: Counts,
    pool: Counts,
    hands: Hands,
    weights: Values,
) -> None:
    """Fill *hands* with hands that the opponent may hold, each drawn from the unseen cards."""
    floor = opponent_floor(observation)
    size = opponent_cards(observation)
    for j in range(hands.size):
        left = 0
        for rank in range(RANKS):
            counts[rank] = 0
            unseen = copies(observation, UNSEEN + rank) if rank >= floor else 0
            pool[rank] = unseen * belief(rank, weights)
            left += pool[rank]
        for _ in range(size):
            rank = take_one(pool, left, streams, k)
            counts[rank] += 1
            weight = belief(rank, weights)
            pool[rank] -= weight - 1
            left -= weight
        hands[j] = hand_number(counts)


@kernel
def write_totals(
    observation: Floats,
    mask: Mask,
    hands: Hands,
    counts: Counts,
    totals: Totals,
    cards_of: Packed,
    without: Hands,
    known: Memo,
) -> None:
    """Write, for each legal action, the sum over *hands* of what the round is worth to me.

    *counts* `[12]` is scratch.
    """
    size = opponent_cards(observation)
    enough = -int(size > 0)  # -1; a literal would have numba compile `value` once more
    is_attack = observation[PHASE + ATTACK] > 0
    later = 0
    for rank in range(RANKS):
        for _ in range(copies(observation, OPEN_ATTACK + rank)):
            later = later << 4 | (rank + 1)
    later >>= 4  # without the card that is answered now, which is the highest: in the lowest bits
    for action in range(SINGLE, NUM_ACTIONS):
        if not mask[action]:
            continue
        for rank in range(RANKS):
            counts[rank] = copies(observation, OWN + rank) - ATTACK_CARDS[action, rank]
        kept = size - int(ATTACK_SIZE[action])
        attack = int(PACKED_ATTACK[action]) if is_attack else later
        lost = not is_attack and (observation[LOST] > 0 or action == SACRIFICE)
        if not is_attack:
            counts[lowest_own(observation) if action == SACRIFICE else action - DEFENCE] -= 1
        mine = hand_number(counts)
        # [R4.12] Who answers the last card, and has not lost the trick, attacks next.
        leads = is_attack or (later == 0 and not lost and size > 1)
        total = 0
        for theirs in hands:
            first, second = (mine, theirs) if leads else (theirs, mine)
            total += value(first, second, kept, attack, lost, enough, cards_of, without, known)
        totals[action] = total if leads else -total


@kernel
def best_action(mask: Mask, totals: Totals, favourite: int) -> int:
    """The legal action with the highest total; of equals the favourite, else the first by text."""
    best = favourite
    for action in range(SINGLE, NUM_ACTIONS):
        if mask[action]:
            lead = totals[action] - totals[best]
            is_earlier = best != favourite and TEXT_ORDER[action] < TEXT_ORDER[best]
            if lead > 0 or (lead == 0 and is_earlier):
                best = action
    return best


@kernel
def strong_rows(
    observations: Floats,
    masks: Mask,
    streams: Streams,
    out: Actions,
    counts: Counts,
    pool: Counts,
    totals: Totals,
    hands: Hands,
    cards_of: Packed,
    without: Hands,
    known: Memo,
    weights: Values,
) -> None:
    """Choose for every row by search, where `strong` searches.

    Scratch: *counts* `[12]`, *pool* `[12]`, *totals* `[150]` and *hands*, as many as are guessed.
    """
    for row in range(out.size):
        observation, mask = observations[row], masks[row]
        out[row] = solid_action(observation, mask, pool, weights)
        if is_searched(observation, mask):
            draw_hands(observation, streams, row, counts, pool, hands, weights)
            write_totals(observation, mask, hands, counts, totals, cards_of, without, known)
            out[row] = best_action(mask, totals, out[row])


def strong_room(_num_actions: int) -> tuple[Counts, Counts, Totals, Hands, Packed, Hands, Memo]:
    """Scratch, and what is known of all hands."""
    counts, pool = np.zeros((2, RANKS), np.int64)
    totals, hands = np.zeros(NUM_ACTIONS, np.int64), np.zeros(SAMPLES, np.int64)
    return counts, pool, totals, hands, CARDS_OF, WITHOUT, memo()


strong = WithScratch(strong_rows, strong_room, Weights.of((*PARAMETERS, *BELIEFS)))
"""Choose for every row like a player who counts cards and thinks the round through."""
