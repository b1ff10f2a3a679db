"""The numbers that `kees` weighs with [R12.3 - R12.5], and the book that its loop reads."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....envs.engine.jit import kernel
from ....envs.tokken.board import ACE, FOUR, JACK, JOKER, KING, MOST_FIELDS, RANKS, SEVEN
from ...parameters import Parameter, Values

(
    HOME,
    DEPTH,
    GAP,
    ALL_HOME,
    RING,
    LAP,
    NEAR_START,
    ON_START,
    BEHIND,
    APPROACH_BEST,
    APPROACH_GOOD,
    APPROACH_FAIR,
    APPROACH_FAR,
    FOR_JOKER,
    FOR_KING,
    FOR_ACE,
    FOR_JACK,
    FOR_SEVEN,
    FOR_FOUR,
    FOR_OTHERS,
    WORTH_PLAYING,
    NEED,
    FOR_PARTNER,
    STUCK,
    SPARE_ENTRY,
    FOLLOW_UP,
    THEIRS,
    PARTNER,
    REACH_BEST,
    REACH_FAIR,
    REACH_GOOD,
    REACH_FAR,
    REACH_ANY,
    FOUR_AHEAD,
    ON_A_START,
    MOST_DANGER,
) = range(36)

IN_TENTHS, IN_HUNDREDTHS = range(HOME, STUCK), range(STUCK, REACH_BEST)
"""Worths, and shares; dangers, which follow, are whole hundredths."""

PARAMETERS = (
    Parameter("home", 850, 400, 1400, "a pawn at home, in tenths"),
    Parameter("depth", 20, -50, 100, "and more for each slot that it is deeper"),
    Parameter("gap", 40, -50, 200, "what each gap behind the first pawn at home takes away"),
    Parameter("all_home", 200, 0, 1000, "four pawns at home"),
    Parameter("ring", 200, 0, 600, "a pawn on the ring"),
    Parameter("lap", 250, 0, 800, "and more for a whole lap, by its part"),
    Parameter("near_start", 80, -50, 250, "a pawn at most three steps from its start"),
    Parameter("on_start", 30, -50, 200, "a pawn on its start"),
    Parameter("behind", 20, -30, 100, "and more for each enemy within 13 fields behind it"),
    Parameter("approach_best", 80, -30, 300, "a pawn 1, 2, 3 or 6 steps from home"),
    Parameter("approach_good", 60, -30, 300, "a pawn 8, 9, 10 or 12 steps from home"),
    Parameter("approach_fair", 40, -30, 300, "a pawn 4, 5, 7 or 13 steps from home"),
    Parameter("approach_far", 20, -30, 300, "a pawn 18 steps from home"),
    Parameter("for_joker", 100, -50, 400, "what a joker is worth to keep"),
    Parameter("for_king", 60, -50, 300, "what a king is worth to keep"),
    Parameter("for_ace", 50, -50, 300, "what an ace is worth to keep"),
    Parameter("for_jack", 40, -50, 300, "what a jack is worth to keep"),
    Parameter("for_seven", 40, -50, 300, "what a seven is worth to keep"),
    Parameter("for_four", 30, -50, 300, "what a four is worth to keep"),
    Parameter("for_others", 0, -50, 200, "what another card is worth to keep"),
    Parameter("worth_playing", 30, -150, 300, "the least gain for which a card is not kept"),
    Parameter("need", 500, 0, 1500, "what an entry card is worth if it is needed"),
    Parameter("for_partner", 150, 0, 600, "what a card adds that brings the partner home"),
    Parameter("stuck", 40, 0, 100, "share of its worth of a pawn in the hologram, in hundredths"),
    Parameter("spare_entry", 50, 0, 150, "share of an entry card's worth with no pawn to enter"),
    Parameter("follow_up", 40, 0, 120, "weight of the gain of another card"),
    Parameter("theirs", 100, 0, 250, "weight of the other sides"),
    Parameter("partner", 100, 0, 200, "weight of the partner's pawns"),
    Parameter("reach_best", 10, -10, 50, "danger from a pawn 1, 2, 3 or 6 fields behind"),
    Parameter("reach_fair", 5, -10, 50, "danger from a pawn 4 or 5 fields behind"),
    Parameter("reach_good", 8, -10, 50, "danger from a pawn 7 to 10, 12 or 13 fields behind"),
    Parameter("reach_far", 4, -10, 50, "danger from a pawn 18 fields behind"),
    Parameter("reach_any", 3, -5, 30, "and more from a pawn at most 12 fields behind"),
    Parameter("four_ahead", 8, -10, 50, "danger from a pawn 4 fields ahead"),
    Parameter("on_a_start", 35, 0, 100, "danger on the start of an enemy with a pawn to enter"),
    Parameter("most_danger", 60, 20, 100, "the most that all dangers take, in hundredths"),
)

Book: TypeAlias = NDArray[np.float64]
"""The values of the parameters as they count, then the tables APPROACH, REACH and COST."""

LONGEST, KING_STEPS = 18, 13

APPROACH = len(PARAMETERS)
"""Worth of standing so many steps from home."""

REACH = APPROACH + LONGEST + 1
"""Danger, in hundredths, from a pawn so many fields behind."""

COST = REACH + MOST_FIELDS + 1
"""What a card is worth to keep, by rank [R12.4]."""

BOOK_SIZE = COST + RANKS


def _classes(size: int, classes: dict[int, tuple[int, ...]], otherwise: int) -> Values:
    """By number of steps, or rank: which parameter says what it is worth."""
    table = np.full(size, otherwise, np.int64)
    for parameter, steps in classes.items():
        table[list(steps)] = parameter
    return table


NOTHING = -1
APPROACH_BY = _classes(
    LONGEST + 1,
    {
        APPROACH_BEST: (1, 2, 3, 6),
        APPROACH_GOOD: (8, 9, 10, 12),
        APPROACH_FAIR: (4, 5, 7, 13),
        APPROACH_FAR: (18,),
    },
    NOTHING,
)
REACH_BY = _classes(
    MOST_FIELDS + 1,
    {
        REACH_BEST: (1, 2, 3, 6),
        REACH_FAIR: (4, 5),
        REACH_GOOD: (7, 8, 9, 10, 12, 13),
        REACH_FAR: (18,),
    },
    NOTHING,
)
COST_BY = _classes(
    RANKS,
    {
        FOR_JOKER: (JOKER,),
        FOR_KING: (KING,),
        FOR_ACE: (ACE,),
        FOR_JACK: (JACK,),
        FOR_SEVEN: (SEVEN,),
        FOR_FOUR: (FOUR,),
    },
    FOR_OTHERS,
)
UNIT = np.ones(len(PARAMETERS))
UNIT[IN_TENTHS.start : IN_TENTHS.stop] = 10
UNIT[IN_HUNDREDTHS.start : IN_HUNDREDTHS.stop] = 100


@kernel
def write_book(weights: Values, book: Book) -> None:
    """Write the values as they count, and the tables that they make."""
    for k in range(weights.size):
        book[k] = weights[k] / UNIT[k]
    for steps in range(LONGEST + 1):
        by = int(APPROACH_BY[steps])
        book[APPROACH + steps] = 0.0 if by == NOTHING else book[by]
    for fields in range(MOST_FIELDS + 1):
        by = int(REACH_BY[fields])
        book[REACH + fields] = 0.0 if by == NOTHING else book[by]
        if 1 <= fields < KING_STEPS:
            book[REACH + fields] += book[REACH_ANY]
    for rank in range(RANKS):
        book[COST + rank] = book[COST_BY[rank]]
