"""What a seat sees of Tacocat, and the full-information vector [R7].

"Me" is the seat that looks; the board runs from my goal, so both seats see the same game. The
layout is `board.SEGMENTS`; counts are copies by rank divided by 6.
"""

from __future__ import annotations

import numpy as np

from ..engine.dtypes import Floats, States, Weights
from ..engine.jit import kernel
from .board import (
    BOTH,
    DECK_SIZE,
    FINISHED,
    MAX_COPIES,
    MAX_HAND,
    OBSERVATION_SIZE,
    RANKS,
    REPLACE,
    SPACES,
    TRACK,
    WINS_NEEDED,
)
from .rules import (
    first_replacer,
    highest,
    is_simultaneous,
    replace_limit,
    rounds_won,
    to_move,
    total,
)

# Offsets of the segments A..H of [R7.1].
PHASE, FLAGS, OWN, OPEN_ATTACK, FACE_UP, UNSEEN, NUMBERS, TRACK_AT = 0, 4, 10, 34, 58, 130, 142, 150
COVERED_AT = TRACK_AT + TRACK
SIZES_AT = COVERED_AT + SPACES
ARROWS_AT = SIZES_AT + SPACES

COPIES = np.float32(MAX_COPIES)


@kernel
def write_counts(counts: Weights, out: Floats, at: int) -> None:
    """Twelve copies, divided by 6, from `out[at]`."""
    for rank in range(RANKS):
        out[at + rank] = np.float32(counts[rank]) / COPIES


@kernel
def observe(states: States, i: int, seat: int, out: Floats) -> None:
    """Write the 180 numbers that *seat* sees."""
    for at in range(FACE_UP):
        out[at] = 0.0
    write_cards(states, i, seat, out)
    write_turn(states, i, seat, out)
    write_numbers(states, i, seat, out)
    write_track(states, i, seat, out)


@kernel
def write_turn(states: States, i: int, seat: int, out: Floats) -> None:
    """Segments A and B: the phase, whose turn it is, and the rules that hold now."""
    state = states[i]
    phase = int(state["phase"])
    is_mine = to_move(states, i) == seat
    if phase != FINISHED:
        out[PHASE + phase] = 1.0
    out[FLAGS] = is_mine
    if phase == REPLACE:
        simultaneous = is_simultaneous(states, i)
        out[FLAGS + 1] = simultaneous
        out[FLAGS + 2] = not simultaneous and first_replacer(states, i) == seat
        if is_mine:
            rest = replace_limit(states, i, seat) - total(state["aside"][seat])
            out[FLAGS + 3] = rest / MAX_HAND
    out[FLAGS + 4] = int(state["trick_lost"])
    out[FLAGS + 5] = int(state["arrow_breaks_ties"])


@kernel
def write_cards(states: States, i: int, seat: int, out: Floats) -> None:
    """Segments C to F: my cards, the attack, what lies face up, what I have not seen."""
    state = states[i]
    write_counts(state["hands"][seat], out, OWN)
    write_counts(state["aside"][seat], out, OWN + RANKS)
    write_counts(state["attack"], out, OPEN_ATTACK)
    current = highest(state["attack"])
    if current >= 0:
        out[OPEN_ATTACK + RANKS + current] = 1.0
    at = FACE_UP
    for k in range(2):
        owner = seat if k == 0 else 1 - seat
        write_counts(state["replaced"][owner], out, at)
        write_counts(state["played"][owner], out, at + RANKS)
        write_counts(state["sacrificed"][owner], out, at + 2 * RANKS)
        at += 3 * RANKS
    for rank in range(RANKS):
        # What I have not seen is in the pile or with the opponent.
        unseen = int(state["pile"][rank]) + int(state["hands"][1 - seat, rank])
        unseen += int(state["aside"][1 - seat, rank])
        out[UNSEEN + rank] = np.float32(unseen) / COPIES


@kernel
def write_numbers(states: States, i: int, seat: int, out: Floats) -> None:
    """Segment G: hand sizes, pile, floors [R5.4], rounds won, the clock [R7.3]."""
    state = states[i]
    other = 1 - seat
    hidden = total(state["aside"][other])
    out[NUMBERS] = (total(state["hands"][seat]) + total(state["aside"][seat])) / MAX_HAND
    out[NUMBERS + 1] = (total(state["hands"][other]) + hidden) / MAX_HAND
    out[NUMBERS + 2] = total(state["pile"]) / DECK_SIZE
    out[NUMBERS + 3] = (highest(state["sacrificed"][seat]) + 1) / RANKS
    out[NUMBERS + 4] = (highest(state["sacrificed"][other]) + 1) / RANKS
    out[NUMBERS + 5] = rounds_won(states, i, seat) / WINS_NEEDED
    out[NUMBERS + 6] = rounds_won(states, i, other) / WINS_NEEDED
    clock = int(state["decisions"])
    if int(state["phase"]) == REPLACE:
        clock -= hidden
    out[NUMBERS + 7] = min(1.0, clock / int(state["max_decisions"]))


@kernel
def write_track(states: States, i: int, seat: int, out: Floats) -> None:
    """Segment H: Tacocat, tiles, hand sizes and arrows, from my goal [R2.4]."""
    state = states[i]
    for place in range(TRACK):
        out[TRACK_AT + place] = 0.0
    tacocat = int(state["tacocat"])
    out[TRACK_AT + (tacocat if seat == 0 else TRACK - 1 - tacocat)] = 1.0
    for k in range(SPACES):
        space = k + 1 if seat == 0 else SPACES - k
        out[COVERED_AT + k] = int(state["covered"][space])
        out[SIZES_AT + k] = int(state["hand_sizes"][space]) / MAX_HAND
        arrow = int(state["arrows"][space])
        if arrow == BOTH:
            out[ARROWS_AT + k] = 0.0
        else:
            out[ARROWS_AT + k] = 1.0 if arrow == seat else -1.0


@kernel
def full_state(states: States, i: int, out: Floats) -> None:
    """Write the 218 numbers of [R7.4]: seat 0's view, then what he does not know."""
    observe(states, i, 0, out)
    state = states[i]
    mover = to_move(states, i)
    out[OBSERVATION_SIZE] = mover == 0
    out[OBSERVATION_SIZE + 1] = mover == 1
    at = OBSERVATION_SIZE + 2
    write_counts(state["hands"][1], out, at)
    write_counts(state["aside"][1], out, at + RANKS)
    write_counts(state["pile"], out, at + 2 * RANKS)
