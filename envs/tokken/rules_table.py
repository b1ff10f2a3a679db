"""The table of Tokken: where pawns stand, what protects them, who plays and who has won.

Kernels on row *i*; a pawn is named by its colour (a seat) and number. `[R4.9]` is paragraph 9 of
section 4 of the rules. Distances on the ring are taken forward, modulo its length.
"""

from ..engine.dtypes import States
from ..engine.jit import kernel
from .board import HOLOGRAM, PAWNS, SEGMENT

BLOCK = SEGMENT - 1
"""Mask of a field's offset in its segment."""

SLOT_BITS = 4


# Fields and seats --------------------------------------------------------------------------------


@kernel
def wrapped(distance: int, fields: int) -> int:
    """A difference of two fields as a distance forward, 0..fields-1."""
    return distance + fields if distance < 0 else distance


@kernel
def seat_after(states: States, i: int, seat: int, offset: int) -> int:
    """The seat *offset* (less than the number of seats) places clockwise from *seat*."""
    # A remainder by a number that is no constant costs more than the rest of most callers.
    players = int(states[i]["players"])
    other = seat + offset
    return other - players if other >= players else other


@kernel
def field_at(states: States, i: int, color: int, progress: int) -> int:
    """The field of the ring at *progress* 0..L-1 of a colour."""
    field = int(states[i]["starts"][color]) + progress
    fields = int(states[i]["fields"])
    return field - fields if field >= fields else field


@kernel
def is_on_ring(states: States, i: int, color: int, pawn: int) -> bool:
    """Whether a pawn stands on the ring."""
    progress = int(states[i]["progress"][color, pawn])
    return 0 <= progress < int(states[i]["fields"])


@kernel
def is_stuck(states: States, i: int, color: int, pawn: int) -> bool:
    """[R4.10] Whether a pawn stands on a hologram."""
    # Every start is the beginning of a segment, so `progress` has the same offset as the field.
    progress = int(states[i]["progress"][color, pawn])
    return is_on_ring(states, i, color, pawn) and progress & BLOCK == HOLOGRAM


@kernel
def is_guarded(states: States, i: int, seat: int) -> bool:
    """[R4.9] Whether a pawn of *seat* stands on its own start, protected."""
    # The ring holds 1 + 4 * seat + pawn, 0 for nobody; rounded up to fours that is seat + 1.
    state = states[i]
    return (int(state["ring"][state["starts"][seat]]) + PAWNS - 1) >> 2 == seat + 1


@kernel
def partner_of(states: States, i: int, seat: int) -> int:
    """The partner of *seat*; *seat* itself if there are no teams [R1.6]."""
    sides = int(states[i]["sides"])
    return seat if sides == int(states[i]["players"]) else seat_after(states, i, seat, sides)


# Places among the pawns of a colour [R6.1] -------------------------------------------------------


@kernel
def slots_of(states: States, i: int, color: int) -> int:
    """The places of all pawns of a colour, the most advanced first, for `slot_in` to read."""
    # A place for each pawn, SLOT_BITS apart: 3|2|1|0. It is the number of pawns ahead.
    row = states[i]["progress"][color]
    slots = 0
    for pawn in range(1, PAWNS):
        for other in range(pawn):
            # Of each two the one behind is one place further down; without a branch to guess.
            is_behind = int(row[other]) >= int(row[pawn])
            slots += 1 << SLOT_BITS * (pawn if is_behind else other)
    return slots


@kernel
def slot_in(slots: int, pawn: int) -> int:
    """The place of *pawn* in what `slots_of` returns."""
    return slots >> SLOT_BITS * pawn & PAWNS - 1


@kernel
def slot_of(states: States, i: int, color: int, pawn: int) -> int:
    """[R6.1] The place of a pawn among those of its colour, the most advanced first."""
    row = states[i]["progress"][color]
    progress = int(row[pawn])
    slot = 0
    for other in range(PAWNS):
        ahead = int(row[other]) > progress or (int(row[other]) == progress and other < pawn)
        slot += 1 if ahead else 0
    return slot


@kernel
def pawn_in_slot(states: States, i: int, color: int, slot: int) -> int:
    """The pawn of a colour that is in *slot*."""
    slots = slots_of(states, i, color)
    pawn = 0
    while slot_in(slots, pawn) != slot:
        pawn += 1
    return pawn


# Home --------------------------------------------------------------------------------------------


@kernel
def num_home(states: States, i: int, color: int) -> int:
    """How many pawns of a colour are home."""
    state = states[i]
    fields = int(state["fields"])
    home = 0
    for pawn in range(PAWNS):
        home += int(state["progress"][color, pawn]) > fields
    return home


@kernel
def played_color(states: States, i: int, seat: int) -> int:
    """[R4.8] The colour that *seat* plays: its partner's once all its own pawns are home."""
    return partner_of(states, i, seat) if num_home(states, i, seat) == PAWNS else seat


@kernel
def has_won(states: States, i: int, seat: int) -> bool:
    """[R8.1] Whether all pawns of the side of *seat* are home."""
    return (
        num_home(states, i, seat) == PAWNS
        and num_home(states, i, partner_of(states, i, seat)) == PAWNS
    )


@kernel
def pawns_home(states: States, i: int, seat: int) -> int:
    """How many pawns the side of *seat* has at home."""
    partner = partner_of(states, i, seat)
    own = num_home(states, i, seat)
    return own if partner == seat else own + num_home(states, i, partner)


@kernel
def num_missing(states: States, i: int, color: int) -> int:
    """How many pawns of the side of a colour are not home yet."""
    pawns = PAWNS * int(states[i]["players"]) // int(states[i]["sides"])
    return pawns - pawns_home(states, i, color)
