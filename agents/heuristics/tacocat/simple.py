"""The baselines `novice` and `solid` of Tacocat [R12.3, R12.4].

Each reads one observation and its mask, nothing else. Ranks are 1..12 in the rules and 0..11 here;
an action's number minus the first number of its kind is its rank.
"""

from math import comb

import numpy as np

from ....envs.engine.dtypes import Actions, Counts, Floats, Mask, Streams
from ....envs.engine.jit import kernel
from ....envs.engine.segments import starts
from ....envs.tacocat.board import (
    ATTACK,
    ATTACK_CARDS,
    DECK_SIZE,
    DEFENCE,
    DONE,
    DUEL,
    DUEL_CARD,
    MAX_COPIES,
    MAX_HAND,
    MOVES,
    RANKS,
    REPLACE,
    SACRIFICE,
    SEGMENTS,
    SET_ASIDE,
    SINGLE,
)
from ...agent import WithScratch
from ...parameters import Parameter, Values, Weights

PHASE, OWN, DOWN, OPEN_ATTACK, UNSEEN, LOST = starts(
    SEGMENTS, "phase", "own", "down", "attack", "unseen", "lost"
)
OWN_CARDS, THEIR_CARDS, THEIR_FLOOR = starts(SEGMENTS, "numbers", "their_cards", "their_floor")
"""Where the segments begin that the baselines read."""

THREE, FOUR, SEVEN = 2, 3, 6
"""Ranks 3, 4 and 7, as indices."""

MILLION = 1_000_000

BINOMIAL = np.array(
    [[comb(n, k) for k in range(MAX_HAND + 1)] for n in range(DECK_SIZE + 1)], np.int64
)
"""Ways to draw k of n cards."""

TEXT_ORDER = np.argsort(np.argsort(np.array(MOVES))).astype(np.int64)
"""Place of each action among all, sorted by notation."""

ATTACK_SIZE = ATTACK_CARDS.sum(axis=1).astype(np.int64)
ATTACK_SUM = (ATTACK_CARDS * np.arange(1, RANKS + 1)).sum(axis=1).astype(np.int64)
ATTACK_TOP = np.array([max(cards.nonzero()[0], default=0) for cards in ATTACK_CARDS], np.int64)
"""Number of cards, sum of their ranks and highest card (as an index), by action."""


# What `solid` and `strong` weigh with ----------------------------------------------------------

(
    FIRST_SMALL,
    LAST_SMALL,
    FIRST_MIDDLE,
    LAST_MIDDLE,
    FIRST_LARGE,
    LAST_LARGE,
    KEPT,
    LOWS,
    SHOWN,
    PER_CARD,
    PER_RANK,
    LOW_BELIEF,
    MIDDLE_BELIEF,
    HIGH_BELIEF,
) = range(14)

PARAMETERS = (
    Parameter("first_small", 3, 1, 7, "the lowest rank replaced in a hand of up to 5 cards"),
    Parameter("last_small", 7, 3, 12, "the highest rank replaced in it"),
    Parameter("first_middle", 3, 1, 7, "the lowest rank replaced in a hand of 6 or 7 cards"),
    Parameter("last_middle", 7, 3, 12, "the highest rank replaced in it"),
    Parameter("first_large", 3, 1, 7, "the lowest rank replaced in a larger hand"),
    Parameter("last_large", 7, 3, 12, "the highest rank replaced in it"),
    Parameter("kept", 3, 0, 7, "the highest rank of which a lone lowest card is kept"),
    Parameter("lows", MAX_HAND, 1, MAX_HAND, "cards below those ranks that are kept"),
    Parameter("shown", 50, 0, 99, "place of the card shown in a duel, in hundredths of the hand"),
    Parameter("per_card", 0, -100, 300, "thousandths added to an attack's odds for each card"),
    Parameter("per_rank", 0, -30, 60, "thousandths taken off them for each rank of each card"),
)
"""Of `solid`. Small, middle and large hands are those of the spaces of the board."""

BELIEFS = (
    Parameter("low_belief", 10, 1, 40, "how likely an unseen 1 or 2 is in the opponent's hand"),
    Parameter("middle_belief", 10, 1, 40, "the same of 3 to 7, which are often replaced"),
    Parameter("high_belief", 10, 1, 40, "the same of 8 and more"),
)
"""What `strong` weighs with besides."""

SMALL, MIDDLE = 5, 7
"""The largest hands that are small, and neither small nor large."""

MOST_ODDS = 1 << 22


# Reading an observation [R7.1] -----------------------------------------------------------------


@kernel
def copies(observation: Floats, at: int) -> int:
    """How many copies a number of the observation stands for."""
    return int(observation[at] * MAX_COPIES + 0.5)


@kernel
def cards_in(observation: Floats, start: int) -> int:
    """How many cards there are in the segment of copies by rank that begins at *start*."""
    cards = 0
    for rank in range(RANKS):
        cards += copies(observation, start + rank)
    return cards


@kernel
def phase_of(observation: Floats) -> int:
    """The phase in which I am to move."""
    phase = REPLACE
    while observation[PHASE + phase] == 0:
        phase += 1
    return phase


@kernel
def lowest_own(observation: Floats) -> int:
    """My lowest rank in hand."""
    rank = 0
    while observation[OWN + rank] == 0:
        rank += 1
    return rank


@kernel
def own_cards(observation: Floats) -> int:
    """How many cards I hold."""
    return int(observation[OWN_CARDS] * MAX_HAND + 0.5)


@kernel
def opponent_cards(observation: Floats) -> int:
    """How many cards the opponent holds: m of [R12.1]."""
    return int(observation[THEIR_CARDS] * MAX_HAND + 0.5)


@kernel
def opponent_floor(observation: Floats) -> int:
    """The lowest rank, as an index, that the opponent may hold [R5.4]."""
    return max(int(observation[THEIR_FLOOR] * RANKS + 0.5) - 1, 0)


@kernel
def first_legal(mask: Mask, start: int, stop: int) -> int:
    """The first legal action of *start*..*stop*-1; -1 if there is none."""
    for action in range(start, stop):
        if mask[action]:
            return action
    return -1


@kernel
def last_legal(mask: Mask, start: int, stop: int) -> int:
    """The last legal action of *start*..*stop*-1; -1 if there is none."""
    for action in range(stop - 1, start - 1, -1):
        if mask[action]:
            return action
    return -1


# novice [R12.3] --------------------------------------------------------------------------------


@kernel
def novice_action(observation: Floats, mask: Mask) -> int:
    """Replace the middle, show the highest, attack with the highest, defend with the lowest."""
    phase = phase_of(observation)
    if phase == REPLACE:
        action = first_legal(mask, SET_ASIDE + FOUR, SET_ASIDE + SEVEN + 1)
        return action if action >= 0 else DONE
    if phase == DUEL:
        return last_legal(mask, DUEL_CARD, DUEL_CARD + RANKS)
    if phase == ATTACK:
        return last_legal(mask, SINGLE, SINGLE + RANKS)
    return first_legal(mask, DEFENCE, SACRIFICE + 1)


@kernel
def novice(observations: Floats, masks: Mask, streams: Streams, out: Actions) -> None:
    """Choose for every row like a beginner."""
    for row in range(out.size):
        out[row] = novice_action(observations[row], masks[row])


# solid [R12.4] ---------------------------------------------------------------------------------


@kernel
def solid_action(observation: Floats, mask: Mask, good: Counts, weights: Values) -> int:
    """Play the odds in attack and spare good cards in defence; *good* is scratch `[12]`."""
    phase = phase_of(observation)
    if phase == REPLACE:
        return solid_replace(observation, mask, weights)
    if phase == DUEL:
        return solid_duel(observation, weights)
    if phase == ATTACK:
        return solid_attack(observation, mask, good, weights)
    return solid_defend(observation, mask)


@kernel
def solid_replace(observation: Floats, mask: Mask, weights: Values) -> int:
    """Replace 3 to 7, but keep a single 3 that is the lowest of all own cards."""
    cards = own_cards(observation)
    for rank in range(RANKS):
        cards += copies(observation, DOWN + rank)
    group = FIRST_SMALL if cards <= SMALL else FIRST_MIDDLE if cards <= MIDDLE else FIRST_LARGE
    first, last = int(weights[group]) - 1, int(weights[group + 1]) - 1
    if weights[LOWS] < MAX_HAND:
        lows = 0
        for rank in range(first):
            lows += copies(observation, OWN + rank)
        if lows > weights[LOWS]:
            action = last_legal(mask, SET_ASIDE, SET_ASIDE + first)
            if action >= 0:
                return action
    lowest = 0
    while lowest < weights[KEPT] and observation[OWN + lowest] + observation[DOWN + lowest] == 0:
        lowest += 1
    if first <= lowest < weights[KEPT] and copies(observation, OWN + lowest) == 1:
        first = lowest + 1
    action = first_legal(mask, SET_ASIDE + first, SET_ASIDE + last + 1)
    return action if action >= 0 else DONE


@kernel
def solid_duel(observation: Floats, weights: Values) -> int:
    """Show the middle card, the higher of two."""
    place = own_cards(observation) * int(weights[SHOWN]) // 100
    rank = -1
    before = 0
    while before <= place:
        rank += 1
        before += copies(observation, OWN + rank)
    return DUEL_CARD + rank


@kernel
def solid_attack(observation: Floats, mask: Mask, good: Counts, weights: Values) -> int:
    """Keep the lowest card; then: likeliest to win, most cards, lowest cards, last by text."""
    floor = opponent_floor(observation)
    pool = 0
    for rank in range(RANKS - 1, -1, -1):
        if rank >= floor:
            pool += copies(observation, UNSEEN + rank)
        good[rank] = pool
    hand = opponent_cards(observation)
    lowest = lowest_own(observation)
    lowest_copies = copies(observation, OWN + lowest)
    best = -1
    best_key = -1
    for action in range(SINGLE, DEFENCE):
        if mask[action]:
            size = int(ATTACK_SIZE[action])
            # What decides first stands in the highest bits, so one number orders by all of it.
            key = int(lowest_copies > ATTACK_CARDS[action, lowest])
            key = key << 22 | weighed_odds(action, good, hand, weights)
            key = key << 4 | size
            key = key << 8 | (255 - int(ATTACK_SUM[action]))
            key = key << 8 | int(TEXT_ORDER[action])
            if key > best_key:
                best = action
                best_key = key
    return best


@kernel
def weighed_odds(action: int, good: Counts, hand: int, weights: Values) -> int:
    """The odds of an attack, helped by its cards and hindered by their ranks."""
    odds = odds_in_millionths(action, good, hand)
    if weights[PER_CARD] == 0 and weights[PER_RANK] == 0:
        return odds
    odds += 1000 * int(weights[PER_CARD]) * int(ATTACK_SIZE[action])
    odds -= 1000 * int(weights[PER_RANK]) * int(ATTACK_SUM[action])
    return max(0, min(odds, MOST_ODDS - 1))


@kernel
def odds_in_millionths(action: int, good: Counts, hand: int) -> int:
    """The highest chance that the opponent lacks i cards >= the attack's i-th highest.

    They hold *hand* of the unseen cards; `good[r]` of these are >= r. Rounded half to even.
    """
    pool = int(good[0])
    size = int(ATTACK_SIZE[action])
    rank = int(ATTACK_TOP[action])
    step = 0 if int(ATTACK_CARDS[action, rank]) == size else 1  # a set stays on its rank
    most = 0
    for number in range(1, size + 1):
        if step == 1 or number == size:  # of a set only the last card counts
            better = int(good[rank])
            ways = 0
            for hits in range(min(number, hand + 1)):
                ways += int(BINOMIAL[better, hits]) * int(BINOMIAL[pool - better, hand - hits])
            most = max(most, ways)
        rank -= step
    total = int(BINOMIAL[pool, hand])
    quotient = most * MILLION // total
    rest = 2 * (most * MILLION - quotient * total)
    if rest > total or (rest == total and quotient % 2 == 1):
        quotient += 1
    return quotient


@kernel
def solid_defend(observation: Floats, mask: Mask) -> int:
    """Answer with the lowest card that does, unless that is to lose the trick anyway."""
    answer = first_legal(mask, DEFENCE, DEFENCE + RANKS)
    if answer < 0:
        return SACRIFICE
    lowest = lowest_own(observation)
    uses_lowest = answer - DEFENCE == lowest
    is_lost = observation[LOST] > 0
    if not is_lost and not can_answer_all(observation):
        return SACRIFICE if uses_lowest else answer
    if uses_lowest and cards_in(observation, OPEN_ATTACK) == 1:
        second = first_legal(mask, answer + 1, DEFENCE + RANKS)
        if second >= 0:
            return second
    return answer


@kernel
def can_answer_all(observation: Floats) -> bool:
    """Whether each open attack card has a card of mine of its own that is as high."""
    spare = 0
    for rank in range(RANKS - 1, -1, -1):
        spare += copies(observation, OWN + rank) - copies(observation, OPEN_ATTACK + rank)
        if spare < 0:
            return False
    return True


@kernel
def solid_rows(
    observations: Floats, masks: Mask, streams: Streams, out: Actions, good: Counts, weights: Values
) -> None:
    """Choose for every row; *good* is scratch `[12]`."""
    for row in range(out.size):
        out[row] = solid_action(observations[row], masks[row], good, weights)


solid = WithScratch(solid_rows, lambda _: (np.zeros(RANKS, np.int64),), Weights.of(PARAMETERS))
"""Choose for every row like a sound player."""
