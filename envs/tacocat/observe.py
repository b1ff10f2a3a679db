"""What a seat sees of Tacocat, what it cannot know, and the full-information vector [R5, R7].

"Me" is the seat that looks; the board runs from my goal, so both seats see the same game. The
layout is `board.SEGMENTS`; counts are copies by rank divided by 6.
"""

import numpy as np

from ..engine.dtypes import OVER, Floats, States, Streams
from ..engine.jit import kernel
from ..engine.segments import starts
from ..engine.streams import next_below, take_one
from .board import (
    ASIDE,
    BOTH,
    DECK_SIZE,
    FIELDS,
    HAND,
    OBSERVATION_SIZE,
    PLACES,
    RANKS,
    REPLACE,
    REPLACED,
    SACRIFICED,
    SEGMENTS,
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

PHASE, FLAGS, OWN, OPEN_ATTACK, ANSWER_NOW, FACE_UP, THEIRS, UNSEEN, NUMBERS = starts(
    SEGMENTS, "phase", "flags", "own", "attack", "answer", "face_up", "theirs", "unseen", "numbers"
)
TRACK_AT, COVERED_AT, SIZES_AT, ARROWS_AT = starts(SEGMENTS, "track", "covered", "sizes", "arrows")

ONE = np.float32(1)
# A product in single precision costs a tenth of a quotient in double; the last bit may differ.
SIXTH, NINTH = (np.float32(1 / FIELDS.high(name)) for name in ("cards", "hand_sizes"))
PER_DECK, PER_RANK, PER_WIN = (np.float32(1 / most) for most in (DECK_SIZE, RANKS, WINS_NEEDED))


@kernel
def observe(states: States, i: int, seat: int, out: Floats) -> None:
    """Write the 180 numbers that *seat* sees."""
    write_turn(states, i, seat, out)
    write_cards(states, i, seat, out)
    write_numbers(states, i, seat, out)
    write_track(states, i, seat, out)


@kernel
def write_turn(states: States, i: int, seat: int, out: Floats) -> None:
    """Segments A and B: the phase, whose turn it is, and the rules that hold now."""
    state = states[i]
    phase = int(state["phase"])
    for k in range(PHASE, FLAGS):
        out[k] = np.float32(phase == k)
    out[FLAGS] = np.float32(int(state["mover"]) == seat)
    for k in range(FLAGS + 1, FLAGS + 4):
        out[k] = 0.0
    if phase == REPLACE:
        write_replacing(states, i, seat, out)
    out[FLAGS + 4] = np.float32(state["trick_lost"])
    out[FLAGS + 5] = np.float32(state["arrow_breaks_ties"])


@kernel
def write_replacing(states: States, i: int, seat: int, out: Floats) -> None:
    """The rest of segment B in phase replace [R4.2 - R4.5]."""
    simultaneous = is_simultaneous(states, i)
    out[FLAGS + 1] = np.float32(simultaneous)
    out[FLAGS + 2] = np.float32(not simultaneous and first_replacer(states, i) == seat)
    if int(states[i]["mover"]) == seat:
        aside = total(states[i]["cards"][seat], ASIDE)
        out[FLAGS + 3] = np.float32(replace_limit(states, i, seat) - aside) * NINTH


@kernel
def write_cards(states: States, i: int, seat: int, out: Floats) -> None:
    """Segments C to F: my cards, the attack, what lies face up, what I have not seen."""
    state = states[i]
    mine = state["cards"][seat]
    theirs = state["cards"][1 - seat]
    # The compiler takes a long loop in steps of eight numbers but a short one one by one. So all
    # places of a seat are written at once, where some of them belong; what they write beside it
    # is written over.
    for k in range(len(PLACES) * RANKS):
        out[THEIRS - REPLACED + k] = np.float32(theirs[k]) * SIXTH
    for k in range(len(PLACES) * RANKS):
        out[OWN - HAND + k] = np.float32(mine[k]) * SIXTH
    for k in range(len(PLACES) * RANKS):
        out[FACE_UP - REPLACED + k] = np.float32(mine[k]) * SIXTH
    for rank in range(RANKS):
        out[OPEN_ATTACK + rank] = np.float32(state["attack"][rank]) * SIXTH
    for rank in range(RANKS):
        out[ANSWER_NOW + rank] = 0.0
    pile = state["pile"]
    for rank in range(RANKS):
        # What I have not seen is in the pile or with the opponent.
        unseen = pile[rank] + theirs[HAND + rank] + theirs[ASIDE + rank]
        out[UNSEEN + rank] = np.float32(np.int16(unseen)) * SIXTH
    current = highest(state["attack"], 0)
    if current >= 0:
        out[ANSWER_NOW + current] = 1.0


@kernel
def write_numbers(states: States, i: int, seat: int, out: Floats) -> None:
    """Segment G: hand sizes, pile, floors [R5.4], rounds won, the clock [R7.3]."""
    state = states[i]
    mine = state["cards"][seat]
    theirs = state["cards"][1 - seat]
    own, other = 0, 0
    for k in range(HAND, REPLACED):  # hand and aside
        own += int(mine[k])
        other += int(theirs[k])
    out[NUMBERS] = np.float32(own) * NINTH
    out[NUMBERS + 1] = np.float32(other) * NINTH
    out[NUMBERS + 2] = np.float32(total(state["pile"], 0)) * PER_DECK
    out[NUMBERS + 3] = np.float32(highest(mine, SACRIFICED) + 1) * PER_RANK
    out[NUMBERS + 4] = np.float32(highest(theirs, SACRIFICED) + 1) * PER_RANK
    out[NUMBERS + 5] = np.float32(rounds_won(states, i, seat)) * PER_WIN
    out[NUMBERS + 6] = np.float32(rounds_won(states, i, 1 - seat)) * PER_WIN
    clock = int(state["decisions"])
    if int(state["phase"]) == REPLACE:
        clock -= total(theirs, ASIDE)
    out[NUMBERS + 7] = min(ONE, np.float32(clock) / np.float32(state["max_decisions"]))


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
        arrow = int(state["arrows"][space])
        out[COVERED_AT + k] = np.float32(state["covered"][space])
        out[SIZES_AT + k] = np.float32(state["hand_sizes"][space]) * NINTH
        out[ARROWS_AT + k] = np.float32(0 if arrow == BOTH else 1 if arrow == seat else -1)


@kernel
def full_state(states: States, i: int, out: Floats) -> None:
    """Write the 218 numbers of [R7.4]: seat 0's view, then what that seat does not know."""
    observe(states, i, 0, out)
    state = states[i]
    mover = to_move(states, i)
    out[OBSERVATION_SIZE] = mover == 0
    out[OBSERVATION_SIZE + 1] = mover == 1
    at = OBSERVATION_SIZE + 2
    for rank in range(RANKS):
        out[at + rank] = np.float32(state["cards"][1, HAND + rank]) * SIXTH
        out[at + RANKS + rank] = np.float32(state["cards"][1, ASIDE + rank]) * SIXTH
        out[at + 2 * RANKS + rank] = np.float32(state["pile"][rank]) * SIXTH


# What a seat cannot know [R5] --------------------------------------------------------------------


@kernel
def determinize(states: States, i: int, seat: int, streams: Streams, k: int) -> None:
    """Re-draw the opponent's hand, its face-down cards and, while cards are chosen, their number.

    Cards below the opponent's floor stay in the pile [R5.4]. The number of cards set aside is
    drawn evenly from what the rules allow; the clock follows it [R5.3].
    """
    state = states[i]
    if int(state["mover"]) == OVER:
        return
    other = 1 - seat
    aside = total(state["cards"][other], ASIDE)
    cards = total(state["cards"][other], HAND) + aside
    floor = highest(state["cards"][other], SACRIFICED)
    for rank in range(RANKS):
        state["pile"][rank] += (
            state["cards"][other, HAND + rank] + state["cards"][other, ASIDE + rank]
        )
        state["cards"][other, HAND + rank] = 0
        state["cards"][other, ASIDE + rank] = 0
    draw_from_pile(states, i, other, cards, max(floor, 0), streams, k)
    if int(state["phase"]) == REPLACE:
        state["decisions"] -= aside
        aside = redraw_number_aside(states, i, other, streams, k)
    for _ in range(aside):
        hide_one(states, i, other, streams, k)


@kernel
def draw_from_pile(
    states: States, i: int, seat: int, cards: int, floor: int, streams: Streams, k: int
) -> None:
    """Draw *cards* cards of rank >= *floor* from the pile into the hand of *seat*."""
    pile = states[i]["pile"][floor:]
    left = 0
    for count in pile:
        left += int(count)
    for drawn in range(cards):
        rank = floor + take_one(pile, left - drawn, streams, k)
        states[i]["cards"][seat, HAND + rank] += 1


@kernel
def redraw_number_aside(states: States, i: int, seat: int, streams: Streams, k: int) -> int:
    """How many cards *seat* may have set aside by now, for all that the other seat knows."""
    state = states[i]
    is_hidden = int(state["mover"]) == seat or (seat == 0 and is_simultaneous(states, i))
    if not is_hidden:
        return 0
    most = min(
        replace_limit(states, i, seat), int(state["max_decisions"]) - 1 - int(state["decisions"])
    )
    number = next_below(streams, k, most + 1)
    state["decisions"] += number
    return number


@kernel
def hide_one(states: States, i: int, seat: int, streams: Streams, k: int) -> None:
    """Turn a random card of the hand of *seat* face down."""
    cards = states[i]["cards"][seat]
    rank = take_one(cards[HAND : HAND + RANKS], total(cards, HAND), streams, k)
    cards[ASIDE + rank] += 1
