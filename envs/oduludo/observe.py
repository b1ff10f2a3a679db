"""What a seat sees of Oduludo, and the full-information vector [R7].

Nothing is hidden [R5.1]. *Side* k is the colour k steps clockwise from the viewer's; *place* i is
the ring square at progress i of the viewer's route. The layout is `board.SEGMENTS`.
"""

import numpy as np

from ..engine.dtypes import Floats, States
from ..engine.jit import kernel
from ..engine.segments import starts
from .board import (
    BOARD,
    CARRIERS,
    EARTH,
    FINISHED,
    HELD,
    KING,
    LAST,
    LAST_PIECE,
    NUM_PIECES,
    OBSERVATION_SIZE,
    OFF,
    ON_EARTH,
    OWN_SIZE,
    PLACES,
    QUEEN,
    RING,
    ROUTE_LENGTH,
    SEGMENTS,
    SHIP,
    SQUARE,
    SUN,
    SUN_NUMBER,
    TEAM,
)
from .board_file import NUM_COLORS

PHASE, TO_MOVE, DIE_AT, STAR, SIXES, OWN, CARGO, MOVER, FRESH = starts(
    SEGMENTS, "phase", "to_move", "die", "star", "sixes", "own", "cargo", "mover", "fresh"
)
AT, STACKS, KINGS, QUEENS, OTHERS, CAPTIVES, SEATS_AT, RULES, CLOCK = starts(
    SEGMENTS, "at", "stacks", "kings", "queens", "others", "captives", "seats", "rules", "clock"
)

FIFTH = np.float32(1 / NUM_PIECES)
PER_STEP = np.float32(1 / (LAST + 1))
HALF_POINTS = 500

MOON = np.array(BOARD.moon, np.int64)

OWN_SLOT = np.full(OFF + 1, -1, np.int64)
"""Where a place stands in the 60 numbers of an own piece; -1 for a piece that is off."""
OWN_SLOT[:ROUTE_LENGTH] = np.arange(ROUTE_LENGTH)
OWN_SLOT[ROUTE_LENGTH:EARTH] = np.arange(RING, PLACES)
OWN_SLOT[SHIP], OWN_SLOT[EARTH], OWN_SLOT[HELD] = PLACES, PLACES + 1, PLACES + 2

PAIR = np.full((NUM_COLORS, NUM_COLORS), -1, np.int64)
"""By side of the holder and of the owner: which of the 12 pairs."""
for _h in range(NUM_COLORS):
    for _k, _o in enumerate(o for o in range(NUM_COLORS) if o != _h):
        PAIR[_h, _o] = _h * (NUM_COLORS - 1) + _k


@kernel
def observe(states: States, i: int, seat: int, out: Floats) -> None:
    """Write the 696 numbers that *seat* sees."""
    for k in range(OBSERVATION_SIZE):
        out[k] = 0.0
    state = states[i]
    color = int(state["color"][seat])
    write_turn(states, i, color, out)
    write_own(states, i, seat, out)
    for side in range(1, NUM_COLORS):
        other = int(state["seat_of"][(color + side) % NUM_COLORS])
        if other >= 0:
            write_other(states, i, color, side, other, out)
    write_captives(states, i, color, out)
    write_seats(states, i, color, out)
    out[RULES] = np.float32(int(state["mode"]) == LAST_PIECE)
    out[RULES + 1] = np.float32(int(state["mode"]) == TEAM)
    out[RULES + 2] = np.float32(state["queen_carries_stack"])
    out[RULES + 3] = np.float32(state["size_protects"])
    out[CLOCK] = min(1.0, int(state["decisions"]) / int(state["max_decisions"]))


@kernel
def write_turn(states: States, i: int, color: int, out: Floats) -> None:
    """Phase, whose turn it is, die, Star, sixes, the moving stack, fresh pieces, the Sun."""
    state = states[i]
    phase = int(state["phase"])
    if phase == FINISHED:
        return
    out[PHASE + phase] = 1.0
    out[TO_MOVE + (int(state["color"][int(state["seat"])]) - color) % NUM_COLORS] = 1.0
    die = int(state["die"])
    if die > 0:
        out[DIE_AT + die - 1] = 1.0
    out[STAR] = np.float32(state["star"])
    limit = int(state["six_limit"])
    if limit > 0:
        out[SIXES] = (int(state["sixes"]) + 1) / limit
    lead = int(state["lead"])
    if lead >= 0:
        out[MOVER + lead] = 1.0
    fresh = int(state["fresh"])
    if fresh:
        for p in range(NUM_PIECES):
            out[FRESH + p] = np.float32(fresh >> p & 1)
    if phase == SUN:
        number = int(SUN_NUMBER[color, int(state["at"])])
        if number >= 0:
            out[AT + number] = 1.0


@kernel
def carrier_square(states: States, i: int, held: int) -> int:
    """The ring square of the stack that carries a captive; -1 if it is not on the ring."""
    state = states[i]
    holder = (held - 1) // CARRIERS
    lead = (held - 1) % CARRIERS
    if lead == ON_EARTH:
        return -1
    place = int(state["place"][holder, lead])
    return int(SQUARE[int(state["color"][holder]), place]) if place < ROUTE_LENGTH else -1


@kernel
def write_own(states: States, i: int, seat: int, out: Floats) -> None:
    """The viewer's own pieces, and where a captor has taken them."""
    state = states[i]
    for p in range(NUM_PIECES):
        place = int(state["place"][seat, p])
        slot = int(OWN_SLOT[place])
        if slot >= 0:
            out[OWN + OWN_SIZE * p + slot] = 1.0
        if place == HELD:
            square = carrier_square(states, i, int(state["held"][seat, p]))
            if square >= 0:
                at = (square - int(MOON[int(state["color"][seat])])) % RING
                out[OWN + OWN_SIZE * p + at] = 1.0


@kernel
def write_other(states: States, i: int, color: int, side: int, other: int, out: Floats) -> None:
    """Another seat's pieces: in the viewer's frame if on the ring, and along their own route."""
    state = states[i]
    turn = int(MOON[int(state["color"][other])]) - int(MOON[color])
    stacks = STACKS + PLACES * (side - 1)
    base = OTHERS + 3 * NUM_PIECES * (side - 1)
    for p in range(NUM_PIECES):
        place = int(state["place"][other, p])
        at = base + 3 * p
        if place < EARTH:
            out[at + 2] = np.float32(place + 1) * PER_STEP
            if place < ROUTE_LENGTH:
                here = (place + turn) % RING
                if p == KING:
                    out[KINGS + here] = 1.0
                elif p == QUEEN:
                    out[QUEENS + here] = 1.0
            else:
                here = RING + place - ROUTE_LENGTH
            out[stacks + here] += FIFTH
        elif place == SHIP:
            out[at] = -1.0
        elif place == EARTH:
            out[at] = 1.0
        elif place == HELD:
            out[at + 1] = 1.0
            square = carrier_square(states, i, int(state["held"][other, p]))
            if square >= 0:
                progress = (square - int(MOON[int(state["color"][other])])) % RING
                if progress < ROUTE_LENGTH:
                    out[at + 2] = np.float32(progress + 1) * PER_STEP


@kernel
def write_captives(states: States, i: int, color: int, out: Floats) -> None:
    """Captives by holder and owner, and those that the viewer's own stacks carry."""
    state = states[i]
    for seat in range(int(state["num_seats"])):
        for p in range(NUM_PIECES):
            held = int(state["held"][seat, p]) - 1
            if held >= 0:
                holder = held // CARRIERS
                by = (int(state["color"][holder]) - color) % NUM_COLORS
                of = (int(state["color"][seat]) - color) % NUM_COLORS
                out[CAPTIVES + PAIR[by, of]] += FIFTH
                lead = held % CARRIERS
                if by == 0 and lead != ON_EARTH:
                    out[CARGO + lead] = min(np.float32(1.0), out[CARGO + lead] + FIFTH)


@kernel
def write_seats(states: States, i: int, color: int, out: Floats) -> None:
    """For each side: playing, UFO, rounds won, points, place."""
    state = states[i]
    for side in range(NUM_COLORS):
        other = (color + side) % NUM_COLORS
        seat = int(state["seat_of"][other])
        if seat >= 0:
            at = SEATS_AT + 5 * side
            status = int(state["status"][seat])
            points = int(state["points"][seat])
            out[at] = np.float32(status == 0)
            out[at + 1] = np.float32(state["ufo"][other])
            if int(state["wins"][seat]):
                out[at + 2] = min(1.0, int(state["wins"][seat]) / int(state["target_wins"]))
            if points:
                out[at + 3] = points / (abs(points) + HALF_POINTS)
            if status > 0:
                out[at + 4] = 1.0 - (status - 1) / 4
            elif status < 0:
                out[at + 4] = -1.0 + (-status - 1) / 4
