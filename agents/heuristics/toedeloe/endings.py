"""The baselines of ToedeLoe [R12.3, R12.4]: they try every ending of every action, one card deep.

Nothing is hidden in this game, so they read records. An *ending* is the board at the moment a card
action is complete; it is judged by the lead of the own side's worth (see `worth`).
"""

import numpy as np

from ....envs.engine.dtypes import Actions, Mask, States, Streams
from ....envs.engine.jit import kernel, outlined
from ....envs.toedeloe.board import (
    EMPTY,
    FIRST_SQUARE,
    FIRST_STEP,
    GREY,
    HAND,
    IN_FRAME,
    NEXT_SQUARE,
    NONE,
    NUM_ACTIONS,
    OFFER,
    PASS,
    PLAY,
    RED,
    SIDES,
    STAY,
    TOEDELOE,
    WHITE,
)
from ....envs.toedeloe.rules import put, take
from ....envs.toedeloe.rules_cards import (
    can_go,
    is_special,
    lowest_slot,
    mask_targets,
    may_enter,
    own_square,
    places_red_or_green,
)
from ...agent import WithScratch
from ...parameters import Values, Weights
from .worth import (
    FURTHER,
    GREEN_WAITS,
    NUM_NOTES,
    OFFERED,
    PARAMETERS,
    RED_WAITS,
    SCORER,
    TAKING,
    THEIRS,
    UNKNOWN,
    Notes,
    lead,
    lead_by,
    open_notes,
)


@kernel
def without_pawn(
    states: States, i: int, side: int, square: int, weights: Values, notes: Notes
) -> int:
    """The lead once the pawn on *square* is thrown off, remembered in *notes*."""
    if notes[square] == UNKNOWN:
        piece = int(states[i]["board"][square])
        take(states, i, square)
        # In a frame nobody is thrown off.
        notes[square] = lead_by(states, i, side, piece - WHITE, weights, notes)
        put(states, i, square, piece)
    return int(notes[square])


@kernel
def after_number(
    states: States, i: int, side: int, square: int, weights: Values, notes: Notes
) -> int:
    """The lead with an own pawn on an empty square."""
    put(states, i, square, WHITE + side)
    if IN_FRAME[square]:
        value = lead(states, i, side, weights, notes)
    else:
        value = lead_by(states, i, side, side, weights, notes)
    take(states, i, square)
    return value


@kernel
def after_three(
    states: States, i: int, side: int, square: int, direction: int, weights: Values, notes: Notes
) -> int:
    """The lead after a pawn went three squares and threw off who stood there [R4.16]."""
    # Made and taken back on the record itself: a kernel can make no copy.
    board = states[i]["board"]
    first = int(NEXT_SQUARE[square, direction])
    second = int(NEXT_SQUARE[first, direction])
    third = int(NEXT_SQUARE[second, direction])
    piece = int(board[square])
    on_first, on_second, on_third = int(board[first]), int(board[second]), int(board[third])
    take(states, i, square)
    if on_first != EMPTY:
        take(states, i, first)
    if on_second != EMPTY:
        take(states, i, second)
    if on_third != EMPTY:
        take(states, i, third)
    put(states, i, third, piece)
    value = lead(states, i, side, weights, notes)
    take(states, i, third)
    put(states, i, square, piece)
    if on_first != EMPTY:
        put(states, i, first, on_first)
    if on_second != EMPTY:
        put(states, i, second, on_second)
    if on_third != EMPTY:
        put(states, i, third, on_third)
    return value


@kernel
def after_step(
    states: States,
    i: int,
    side: int,
    there: int,
    base: int,
    shift: int,
    weights: Values,
    notes: Notes,
) -> int:
    """The lead after a red or green piece has entered *there*.

    Where it came from does not matter. *shift* is what placing it was worth, *base* the lead
    before that.
    """
    piece = int(states[i]["board"][there])
    if piece == EMPTY:
        return base + shift
    if piece == RED:  # goes to the other side, no matter who placed it [R4.14]
        return base + shift + int(weights[THEIRS] * weights[RED_WAITS])
    return without_pawn(states, i, side, there, weights, notes) + shift


# The best ending of a choice -------------------------------------------------------------------


@kernel
def best_target(
    states: States, i: int, side: int, square: int, base: int, weights: Values, notes: Notes
) -> int:
    """The best ending once *square* is chosen for the card that is being resolved."""
    state = states[i]
    piece = int(state["board"][square])
    best = UNKNOWN
    if WHITE <= piece <= GREY:
        for direction in range(4):
            if can_go(states, i, side, square, direction):
                value = after_three(states, i, side, square, direction, weights, notes)
                best = max(best, value)
        return best
    shift = 0
    is_green = piece == TOEDELOE
    if piece == EMPTY:
        if not places_red_or_green(states, i):
            return after_number(states, i, side, square, weights, notes)
        is_green = int(state["red"][side]) == 0
        shift = 10 * int(weights[GREEN_WAITS] if is_green else weights[RED_WAITS])
        best = base + shift
    for direction in range(4):
        there = int(NEXT_SQUARE[square, direction])
        if may_enter(states, i, side, is_green, there):
            value = after_step(states, i, side, there, base, shift, weights, notes)
            best = max(best, value)
    return best


@outlined
def best_card(
    states: States,
    i: int,
    side: int,
    slots: int,
    base: int,
    weights: Values,
    notes: Notes,
    targets: Mask,
) -> int:
    """The best ending of playing *slots*: one card, or a combination."""
    state = states[i]
    before = int(state["action"])
    state["action"] = slots
    for action in range(NUM_ACTIONS):
        targets[action] = 0
    mask_targets(states, i, side, targets)
    best = UNKNOWN
    for action in range(FIRST_SQUARE, FIRST_STEP):
        if targets[action]:
            square = own_square(side, action - FIRST_SQUARE)
            value = best_target(states, i, side, square, base, weights, notes)
            best = max(best, value)
    state["action"] = before
    return best


@kernel
def best_step(
    states: States, i: int, side: int, action: int, base: int, weights: Values, notes: Notes
) -> int:
    """The ending of a step, or of staying."""
    if action == STAY:
        return base
    # [R6.2] Side 1 sees the board turned by half: its directions are two of four further on.
    state = states[i]
    square = int(state["square"])
    direction = (action - FIRST_STEP + 2 * side) % 4
    if int(state["board"][square]) <= GREY:
        return after_three(states, i, side, square, direction, weights, notes)
    there = int(NEXT_SQUARE[square, direction])
    return after_step(states, i, side, there, base, 0, weights, notes)


@kernel
def value_of(
    states: States,
    i: int,
    side: int,
    action: int,
    base: int,
    weights: Values,
    notes: Notes,
    targets: Mask,
) -> int:
    """The best lead that can be reached by *action* [R12.3]."""
    if action == PASS:
        return base + 10 * int(weights[TAKING])
    if action >= FIRST_STEP:
        return best_step(states, i, side, action, base, weights, notes)
    if action >= FIRST_SQUARE:
        square = own_square(side, action - FIRST_SQUARE)
        return best_target(states, i, side, square, base, weights, notes)
    slots = action + 1
    if is_special(states, i, slots):
        # The first action, and a point for each further card.
        first = lowest_slot(slots)
        value = best_card(states, i, side, first, base, weights, notes, targets)
        return value + 10 * int(weights[FURTHER]) * (number_of_cards(slots) - 1)
    return best_card(states, i, side, slots, base, weights, notes, targets)


@kernel
def number_of_cards(slots: int) -> int:
    """How many cards *slots* are."""
    return (slots & 1) + (slots >> 1 & 1) + (slots >> 2 & 1)


@kernel
def rank_of(phase: int, action: int) -> int:
    """Which of equally good actions comes first, the highest rank: [R12.3]."""
    if phase == OFFER and action == PASS:
        return 1
    return number_of_cards(action + 1) if phase == PLAY else 0


@kernel
def write_gains(
    states: States, i: int, side: int, weights: Values, notes: Notes, gains: Values, targets: Mask
) -> None:
    """What each card of the hand alone would bring the other side, 0 if nothing, `[3]`."""
    other = 1 - side
    base = open_notes(states, i, other, weights, notes)
    for slot in range(HAND):
        ending = best_card(states, i, other, 1 << slot, base, weights, notes, targets)
        gains[slot] = max(0, ending - base)


@kernel
def left_to_them(declared: int, gains: Values) -> int:
    """The most that the other side gains from one of the cards that are not *declared*."""
    most = 0
    for slot in range(HAND):
        if not declared >> slot & 1:
            most = max(most, int(gains[slot]))
    return most


@kernel
def choose_rows(
    states: States,
    masks: Mask,
    seats: Actions,
    streams: Streams,
    out: Actions,
    notes: Notes,
    gains: Values,
    targets: Mask,
    weights: Values,
) -> None:
    """Choose for every row. Scratch: *notes* `[121]`, *gains* `[3]`, *targets* `[133]`."""
    for row in range(out.size):
        side = seats[row] % SIDES
        phase = int(states[row]["phase"])
        weighs_offer = phase == PLAY and weights[OFFERED] != 0
        if weighs_offer:
            write_gains(states, row, side, weights, notes, gains, targets)
        base = open_notes(states, row, side, weights, notes)
        best, best_rank, chosen = UNKNOWN - 1, 0, NONE
        for action in range(NUM_ACTIONS):
            if masks[row, action]:
                value = value_of(states, row, side, action, base, weights, notes, targets)
                if weighs_offer:
                    value -= int(weights[OFFERED]) * left_to_them(action + 1, gains) // 10
                rank = rank_of(phase, action)
                if value > best or (value == best and rank > best_rank):
                    best, best_rank, chosen = value, rank, action
        out[row] = chosen


def _room(num_actions: int) -> tuple[Notes, Values, Mask]:
    notes, gains = np.zeros(NUM_NOTES, np.int64), np.zeros(HAND, np.int64)
    return notes, gains, np.zeros(num_actions, np.int8)


scorer = WithScratch(choose_rows, _room, Weights.of(PARAMETERS, **SCORER))
"""Choose for every row like a player who takes the points in sight."""

hoarder = WithScratch(choose_rows, _room, Weights.of(PARAMETERS))
"""Choose for every row like a player who fills frames and saves pawns till the end."""
