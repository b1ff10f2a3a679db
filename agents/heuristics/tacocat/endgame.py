"""Perfect play of the end of a Tacocat round with both hands open.

With both hands open the rest of a round depends on nothing but the two hands, so its worth is a
fact: it is remembered for good, in a table with one place for every pair of hands of equal size.
A hand is a number: its place among all hands of its size in the order of their highest cards
(colexicographic), after all smaller hands. Packed cards are 4 bits each, rank 1..12, 0 is none.
"""

from functools import cache
from math import comb
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....envs.engine.dtypes import Counts
from ....envs.engine.jit import kernel
from ....envs.tacocat.board import ATTACK_CARDS, RANKS

MOST_CARDS = 6
"""The largest hand that has a number."""

Hands: TypeAlias = NDArray[np.int64]
Packed: TypeAlias = NDArray[np.int64]
Memo: TypeAlias = NDArray[np.int8]

# Numbers of hands ------------------------------------------------------------------------------

SIZES = range(MOST_CARDS + 1)
NUM_HANDS = np.array([comb(RANKS - 1 + size, size) for size in SIZES], np.int64)
"""How many hands there are, by size."""

FIRST_HAND = np.concatenate([[0], NUM_HANDS.cumsum()])[:-1]
"""The number of the first hand, by size."""

PLACE = np.array([[comb(n, k) for k in range(MOST_CARDS + 1)] for n in range(18)], np.int64)
"""Binomials: the i-th lowest card, of rank index r, adds PLACE[r + i - 1, i] to the number."""

FIRST_PAIR = np.concatenate([[0, 0], (NUM_HANDS[1:MOST_CARDS] ** 2).cumsum()])[:MOST_CARDS]
"""Where the pairs of hands of a size begin in the memo."""

NUM_PAIRS = int((NUM_HANDS[1:MOST_CARDS] ** 2).sum())
"""A trick costs each seat a card, so hands of six are never met again."""

PACKED_ATTACK = np.array(
    [
        sum(card << 4 * i for i, card in enumerate(np.repeat(np.arange(12, 0, -1), cards[::-1])))
        for cards in ATTACK_CARDS.tolist()
    ],
    np.int64,
)
"""The cards that an attack lays down, packed, the highest in the lowest bits, by action."""


def hand_tables() -> tuple[Packed, Hands]:
    """By number: the cards of a hand, packed, the lowest first, and the hand without its j-th.

    The hands of size s with highest rank r are the smaller hands up to rank r with r on top.
    """
    count = int(NUM_HANDS.sum())
    cards = np.zeros(count, np.int64)
    drop = np.zeros((count, MOST_CARDS), np.int64)
    for size in SIZES[1:]:
        for rank in range(RANKS):
            below = np.arange(comb(rank + size - 1, size - 1)) + FIRST_HAND[size - 1]
            here = slice(FIRST_HAND[size] + comb(rank + size - 1, size), None)
            here = slice(here.start, here.start + len(below))
            cards[here] = cards[below] | (rank + 1) << 4 * (size - 1)
            drop[here, size - 1] = below
            if size > 1:
                top = FIRST_HAND[size - 1] + comb(rank + size - 2, size - 1)
                smaller = drop[below, : size - 1] - FIRST_HAND[size - 2]
                drop[here, : size - 1] = smaller + top
    return cards, drop


CARDS_OF, WITHOUT = hand_tables()


@cache
def memo() -> Memo:
    """The worth of a pair of hands to the attacker, plus 2; 0 is not known yet.

    Threads may share it: every thread that fills a place writes the same number.
    """
    return np.zeros(NUM_PAIRS, np.int8)


@kernel
def hand_number(counts: Counts) -> int:
    """The number of a hand of at most six cards, given as copies by rank."""
    size = 0
    place = 0
    for rank in range(RANKS):
        for _ in range(int(counts[rank])):
            size += 1
            place += int(PLACE[rank + size - 1, size])
    return int(FIRST_HAND[size]) + place


# Perfect play with open hands ------------------------------------------------------------------


@kernel
def card_at(hand: int, place: int) -> int:
    """The rank at a place of a packed hand, the lowest card at 0; 0 beyond the highest."""
    return hand >> 4 * place & 15


@kernel
def place_from(hand: int, place: int, rank: int) -> int:
    """The first place, from *place* on, whose card is of *rank* or higher, or the end."""
    while 0 < card_at(hand, place) < rank:
        place += 1
    return place


@kernel
def pair_number(attacker: int, defender: int, size: int) -> int:
    """Where the memo keeps two hands of *size* cards: a square of all by all for each size."""
    row, column = attacker - int(FIRST_HAND[size]), defender - int(FIRST_HAND[size])
    return int(FIRST_PAIR[size]) + row * int(NUM_HANDS[size]) + column


@kernel
def value(
    attacker: int,
    defender: int,
    size: int,
    attack: int,
    is_lost: bool,
    enough: int,
    cards_of: Packed,
    without: Hands,
    known: Memo,
) -> int:
    """What the rest of the round is worth to the attacker, who holds *size* cards: 1, 0 or -1.

    *attack* are the open cards still to be answered, packed; 0 means that some are to be laid. A
    defence that brings the attacker down to *enough* is not improved upon; with -1 the worth is
    exact. *is_lost* and *enough* matter in defence only.
    """
    # One function for both sides: kernels that call one another in a ring cannot be cached.
    if attack == 0:
        if size == 1:  # [R4.13] the last trick: the lower card wins the round
            mine, theirs = cards_of[attacker], cards_of[defender]
            return int(mine < theirs) - int(mine > theirs)
        at = pair_number(attacker, defender, size)
        if known[at] != 0:
            return int(known[at]) - 2
        # False and -1, but not as literals, for which numba would compile all this once more.
        trick_lost = attack != 0
        best = int(trick_lost) - 1
        for j in range(size - 1, -1, -1):
            start = card_at(int(cards_of[attacker]), j)
            if j > 0 and card_at(int(cards_of[attacker]), j - 1) == start:
                continue  # start from the first of equal cards
            # [R4.9] Card by card: a single and sets (7, 77, 777), then runs of three and more.
            for rise in range(2):
                card, rest, laid, number, place = start, attacker, 0, 0, j
                while number < size - 1 and best < 1:
                    place = place_from(int(cards_of[rest]), place, card)
                    if card_at(int(cards_of[rest]), place) != card:
                        break
                    rest = int(without[rest, place])
                    laid = laid << 4 | card
                    number += 1
                    card += rise
                    if rise == 0 or number >= 3:
                        kept = size - number
                        worth = value(
                            rest, defender, kept, laid, trick_lost, best, cards_of, without, known
                        )
                        best = max(best, worth)
        known[at] = best + 2
        return best
    # [R4.11] Sacrifice the lowest card, or answer the highest open card with any that reaches it.
    hand, later, needed = int(cards_of[defender]), attack >> 4, attack & 15
    lost = attack != 0  # True, but no literal, as above
    place, worst = 0, 1
    while worst > enough and card_at(hand, place) != 0:
        rest = int(without[defender, place])
        if later != 0 or lost or size == 1:
            worth = value(attacker, rest, size, later, lost, enough, cards_of, without, known)
        else:  # [R4.12] the defender becomes the attacker
            worth = -value(rest, attacker, size, later, lost, enough, cards_of, without, known)
        worst = min(worst, worth)
        place, lost = place_from(hand, place, needed), is_lost
        needed = card_at(hand, place) + 1  # of equal cards one will do
    return worst
