"""The baseline `kees` of Tokken: one ply with a positional value, sevens searched [R12.3 - R12.5].

Scratch records: NOW is the table as it is, AFTER the table after a play, NEXT the one after its
follow-up, SEVENTH the last table of the best sequence of a seven.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....envs.engine.dtypes import Actions, Mask, States, Streams
from ....envs.engine.jit import kernel, outlined
from ....envs.tokken.board import (
    ACE,
    EXCHANGE,
    FOLD,
    GIVE,
    JOKER,
    KEEP,
    KING,
    MOST_PARTS,
    PART,
    PAWNS,
    PUSH,
    RANKS,
    SEVEN,
    SEVEN_STEPS,
    SPLIT,
    STEPS_BY_RANK,
    YARD,
)
from ....envs.tokken.fields import FIELDS
from ....envs.tokken.rules import num_parts
from ....envs.tokken.rules_cards import card_of, play_card, ranks_held, spend
from ....envs.tokken.rules_legal import mask_ranks
from ....envs.tokken.rules_table import (
    has_won,
    is_on_ring,
    is_stuck,
    partner_of,
    pawn_in_slot,
    played_color,
)
from ....envs.tokken.rules_ways import make_part, undo_part, walkable
from ...agent import WithScratch
from ...parameters import Values, Weights
from .numbers import (
    BOOK_SIZE,
    COST,
    FOLLOW_UP,
    FOR_PARTNER,
    NEED,
    PARAMETERS,
    WORTH_PLAYING,
    Book,
    write_book,
)
from .value import ALIKE, play_cost, shallowest_home, steps_home, value_for

NOW, AFTER, NEXT, SEVENTH = range(4)
NONE = -1.0e9
"""The value of what cannot be played."""

WIN = 1000.0

TRIED, LEFT, COLOR, PAWN, PROGRESS, STEPS, HITS = range(7)
"""What the search of a seven keeps for each part."""

Stack: TypeAlias = NDArray[np.int64]
"""The parts of a seven made so far, one a row; what a row holds is named above."""

NUM_PARTS = PAWNS * SEVEN_STEPS
ENTRY_ORDER = np.array([KING, ACE, JOKER], np.int64)


@kernel
def kees_rows(
    states: States,
    masks: Mask,
    seats: Actions,
    streams: Streams,
    out: Actions,
    scratch: States,
    trials: Mask,
    stack: Stack,
    book: Book,
    weights: Values,
) -> None:
    """Choose for every row in the room of `kees_room`."""
    write_book(weights, book)
    for row in range(states.size):
        scratch[NOW] = states[row]
        seat = int(seats[row])
        phase = int(scratch[NOW]["phase"])
        if phase == EXCHANGE:
            out[row] = choose_gift(scratch, seat, trials, stack, book)
        elif phase == SPLIT:
            left = int(scratch[NOW]["left"])
            parts = MOST_PARTS - num_parts(scratch, NOW)
            out[row] = PART + best_sequence(scratch, seat, left, parts, stack, book)
        elif masks[row, FOLD]:
            out[row] = FOLD
        else:
            out[row] = choose_play(scratch, seat, masks[row], trials[0], stack, book)


def kees_room(num_actions: int) -> tuple[States, Mask, Stack, Book]:
    """Four records, two masks, the parts of a seven, and the book."""
    stack = np.zeros((MOST_PARTS, 7), np.int64)
    trials = np.zeros((2, num_actions), np.int8)
    return np.zeros(4, FIELDS.record), trials, stack, np.zeros(BOOK_SIZE)


kees = WithScratch(kees_rows, kees_room, Weights.of(PARAMETERS))
"""Choose for every row like somebody who weighs the table a play ahead."""


# A play [R12.4] --------------------------------------------------------------------------------


@kernel
def choose_play(
    scratch: States, seat: int, mask: Mask, trials: Mask, stack: Stack, book: Book
) -> int:
    """The play with the highest value, or `keep` if it is under 3."""
    now = value_for(scratch, NOW, seat, book)
    best, chosen = NONE, KEEP
    for action in range(KEEP + 1, mask.size):
        if not mask[action]:
            continue
        if PART <= action < PUSH:
            continue
        value = play_value(scratch, seat, action, now, trials, book)
        if value > best + ALIKE:
            best, chosen = value, action
    if ranks_held(scratch, NOW, seat) >> SEVEN & 1 and any_legal(mask, PART, PUSH):
        first = PART + best_sequence(scratch, seat, SEVEN_STEPS, MOST_PARTS, stack, book)
        value = seven_value(scratch, seat, now, trials, book)
        is_better = value > best + ALIKE or (value > best - ALIKE and first < chosen)
        if is_better:
            best, chosen = value, first
    return KEEP if mask[KEEP] and best < book[WORTH_PLAYING] else chosen


@kernel
def any_legal(mask: Mask, start: int, stop: int) -> bool:
    """Whether one of the actions *start*..*stop*-1 is legal."""
    for action in range(start, stop):  # noqa: SIM110  any() is not compiled
        if mask[action]:
            return True
    return False


@outlined
def play_value(
    scratch: States, seat: int, action: int, now: float, trials: Mask, book: Book
) -> float:
    """The value of a play other than a seven on the table NOW, which is worth *now*."""
    rank = card_of(scratch, NOW, action)
    scratch[AFTER] = scratch[NOW]
    play_card(scratch, AFTER, seat, action)
    after = value_for(scratch, AFTER, seat, book)
    gain = after - now - play_cost(scratch, NOW, seat, rank, book)
    if has_won(scratch, AFTER, seat):
        return gain + WIN
    return gain + follow_up(scratch, AFTER, seat, after, trials, book)


@outlined
def seven_value(scratch: States, seat: int, now: float, trials: Mask, book: Book) -> float:
    """The value of the best sequence of a seven, whose last table is SEVENTH; see `play_value`."""
    after = value_for(scratch, SEVENTH, seat, book)
    gain = after - now - play_cost(scratch, NOW, seat, SEVEN, book)
    if has_won(scratch, SEVENTH, seat):
        return gain + WIN
    scratch[AFTER] = scratch[SEVENTH]
    spend(scratch, AFTER, seat, SEVEN)
    clear_moved(scratch, AFTER)
    return gain + follow_up(scratch, AFTER, seat, after, trials, book)


@kernel
def clear_moved(scratch: States, i: int) -> None:
    """Forget which pawns had their part."""
    for seat in range(int(scratch[i]["players"])):
        for pawn in range(PAWNS):
            scratch[i]["moved"][seat, pawn] = 0


@outlined
def follow_up(scratch: States, i: int, seat: int, before: float, trials: Mask, book: Book) -> float:
    """0.4 times the best gain of another card, without sevens, on the table *i*; 0 at least.

    *before* is what that table is worth.
    """
    held = ranks_held(scratch, i, seat) & ~(1 << SEVEN)
    for action in range(trials.size):
        trials[action] = 0
    if held == 0 or mask_ranks(scratch, i, seat, held, trials) == 0:
        return 0.0
    best = 0.0
    for action in range(KEEP + 1, trials.size):
        if trials[action]:
            rank = card_of(scratch, i, action)
            scratch[NEXT] = scratch[i]
            play_card(scratch, NEXT, seat, action)
            after = value_for(scratch, NEXT, seat, book)
            best = max(best, after - before - play_cost(scratch, i, seat, rank, book))
    return float(book[FOLLOW_UP] * best)


# A seven [R12.3] -------------------------------------------------------------------------------


@outlined
def best_sequence(
    scratch: States, seat: int, left: int, parts: int, stack: Stack, book: Book
) -> int:
    """The first part (7 slot + steps - 1) of the sequence with the best last table.

    Every order of at most *parts* parts is tried, the lowest slot and the fewest steps first; the
    last table of the best is left in SEVENTH.
    """
    best, first = NONE, 0
    depth = 0
    stack[0, TRIED] = 0
    stack[0, LEFT] = left
    stack[0, COLOR] = played_color(scratch, NOW, seat)
    while depth >= 0:
        part = int(stack[depth, TRIED])
        if part == NUM_PARTS:
            depth -= 1
            if depth >= 0:
                take_back(scratch, stack, depth)
            continue
        stack[depth, TRIED] = part + 1
        if not try_part(scratch, stack, depth, part):
            continue
        rest = int(stack[depth, LEFT]) - int(stack[depth, STEPS])
        if rest == 0 or has_won(scratch, NOW, seat):
            value = value_for(scratch, NOW, seat, book)
            if value > best + ALIKE:
                best, first = value, int(stack[0, TRIED]) - 1
                scratch[SEVENTH] = scratch[NOW]
            take_back(scratch, stack, depth)
        elif depth + 1 < parts:
            depth += 1
            stack[depth, TRIED] = 0
            stack[depth, LEFT] = rest
            stack[depth, COLOR] = played_color(scratch, NOW, seat)
        else:
            take_back(scratch, stack, depth)
    return first


@kernel
def try_part(scratch: States, stack: Stack, depth: int, part: int) -> bool:
    """Make a part on the table NOW if the pawn can walk it; what undoes it goes on the stack."""
    steps = part % SEVEN_STEPS + 1
    if steps > int(stack[depth, LEFT]):
        return False
    color = int(stack[depth, COLOR])
    pawn = pawn_in_slot(scratch, NOW, color, part // SEVEN_STEPS)
    if int(scratch[NOW]["moved"][color, pawn]):
        return False
    if not walkable(scratch, NOW, color, pawn) >> steps & 1:
        return False
    stack[depth, PAWN] = pawn
    stack[depth, PROGRESS] = int(scratch[NOW]["progress"][color, pawn])
    stack[depth, STEPS] = steps
    stack[depth, HITS] = make_part(scratch, NOW, color, pawn, steps)
    return True


@kernel
def take_back(scratch: States, stack: Stack, depth: int) -> None:
    """Take the part of this depth back."""
    color, pawn = int(stack[depth, COLOR]), int(stack[depth, PAWN])
    progress, steps = int(stack[depth, PROGRESS]), int(stack[depth, STEPS])
    undo_part(scratch, NOW, color, pawn, progress, steps, int(stack[depth, HITS]))


# The exchange [R12.5] --------------------------------------------------------------------------


@kernel
def needs_entry(scratch: States, seat: int) -> bool:
    """Whether *seat* has pawns in the yard and none on the ring."""
    waits = 0
    for pawn in range(PAWNS):
        if is_on_ring(scratch, NOW, seat, pawn):
            return False
        waits += int(scratch[NOW]["progress"][seat, pawn]) == YARD
    return waits > 0


@kernel
def first_entry(scratch: States, seat: int) -> int:
    """The first of K, A, X that *seat* holds; -1 if none."""
    held = ranks_held(scratch, NOW, seat)
    for rank in ENTRY_ORDER:
        if held >> rank & 1:
            return int(rank)
    return -1


@kernel
def num_entries(scratch: States, seat: int) -> int:
    """How many cards of K, A, X *seat* holds."""
    state = scratch[NOW]
    cards = 0
    for rank in ENTRY_ORDER:
        cards += int(state["hands"][seat, rank]) + int(state["extras"][seat, rank])
    return cards


@kernel
def choose_gift(scratch: States, seat: int, trials: Mask, stack: Stack, book: Book) -> int:
    """An entry card for a partner who needs it, else the card that is easiest to spare."""
    partner = partner_of(scratch, NOW, seat)
    i_need = needs_entry(scratch, seat)
    entries = num_entries(scratch, seat)
    if entries > 0 and needs_entry(scratch, partner) and (entries > 1 or not i_need):
        return GIVE + first_entry(scratch, seat)
    held = ranks_held(scratch, NOW, seat)
    now = value_for(scratch, NOW, seat, book)
    lowest, chosen = -NONE, 0
    for rank in range(RANKS):
        if not held >> rank & 1:
            continue
        worth = best_value_of(scratch, seat, rank, now, trials, stack, book) + 2 * book[COST + rank]
        if i_need and rank in (ACE, KING, JOKER):
            worth += book[NEED]
        if brings_home(scratch, played_color(scratch, NOW, partner), rank):
            worth -= book[FOR_PARTNER]
        if worth < lowest - ALIKE:
            lowest, chosen = worth, rank
    return GIVE + chosen


@kernel
def best_value_of(
    scratch: States, seat: int, rank: int, now: float, trials: Mask, stack: Stack, book: Book
) -> float:
    """The best play value of a card now, or -cost if it cannot be played; see `play_value`."""
    own = trials[1]
    for action in range(own.size):
        own[action] = 0
    if mask_ranks(scratch, NOW, seat, 1 << rank, own) == 0:
        return -float(book[COST + rank])
    if rank == SEVEN:
        best_sequence(scratch, seat, SEVEN_STEPS, MOST_PARTS, stack, book)
        return seven_value(scratch, seat, now, trials[0], book)
    best = NONE
    for action in range(KEEP + 1, own.size):
        if own[action]:
            best = max(best, play_value(scratch, seat, action, now, trials[0], book))
    return best


@kernel
def brings_home(scratch: States, color: int, rank: int) -> bool:
    """Whether a card walks exactly the steps home of a ring pawn that is not stuck."""
    steps = int(STEPS_BY_RANK[rank])
    if steps == 0:
        return False
    lap = int(scratch[NOW]["fields"]) - 2
    shallowest = shallowest_home(scratch, NOW, color)
    for pawn in range(PAWNS):
        if is_on_ring(scratch, NOW, color, pawn) and not is_stuck(scratch, NOW, color, pawn):
            progress = int(scratch[NOW]["progress"][color, pawn])
            if steps_home(lap, progress, shallowest) == steps:
                return True
    return False
