"""Pawns on the table: where they stand, what protects them, how they move and whom they hit.

Kernels on row *i*; a pawn is named by its colour (a seat) and number. `[R4.9]` is paragraph 9 of
section 4 of the rules. Distances on the ring are taken forward, modulo its length.
"""

from __future__ import annotations

from ..engine.dtypes import States
from ..engine.jit import kernel
from .board import CONNECT, FLY, HOLOGRAM, PAWNS, SEGMENT, STAY, YARD
from .board import ILLEGAL as REFUSE

LONGEST = 18
"""Steps of the joker, the longest walk."""

FAR = 1000
"""More steps than there are."""

BLOCK = SEGMENT - 1
"""Mask of a field's offset in its segment."""

STAYS, JUMPS, BARRED = range(3)
"""What becomes of a pawn that has landed on a black dot [R4.19]."""

BACKWARD, PUSHED = 4, 5


# Questions -------------------------------------------------------------------------------------


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
def is_guarded(states: States, i: int, seat: int) -> bool:
    """[R4.9] Whether a pawn of *seat* stands on its own start, protected."""
    state = states[i]
    return (int(state["ring"][state["starts"][seat]]) + PAWNS - 1) >> 2 == seat + 1


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
def partner_of(states: States, i: int, seat: int) -> int:
    """The partner of *seat*; *seat* itself if there are no teams [R1.6]."""
    sides = int(states[i]["sides"])
    return seat if sides == int(states[i]["players"]) else seat_after(states, i, seat, sides)


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
    pawn = 0
    while slot_of(states, i, color, pawn) != slot:
        pawn += 1
    return pawn


@kernel
def is_on_ring(states: States, i: int, color: int, pawn: int) -> bool:
    """Whether a pawn stands on the ring."""
    progress = int(states[i]["progress"][color, pawn])
    return 0 <= progress < int(states[i]["fields"])


@kernel
def is_stuck(states: States, i: int, color: int, pawn: int) -> bool:
    """[R4.10] Whether a pawn stands on a hologram."""
    if not is_on_ring(states, i, color, pawn):
        return False
    return field_at(states, i, color, int(states[i]["progress"][color, pawn])) & BLOCK == HOLOGRAM


# What is possible ------------------------------------------------------------------------------


@kernel
def steps_up_to(steps: int) -> int:
    """A set of numbers of steps: bits 1 to *steps*, at most LONGEST."""
    return (2 << min(max(steps, 0), LONGEST)) - 2


@kernel
def walkable(states: States, i: int, color: int, pawn: int) -> int:
    """[R4.12, R4.26, R4.28] The numbers of steps that a pawn may walk, as a set of bits 1..18."""
    state = states[i]
    fields = int(state["fields"])
    progress = int(state["progress"][color, pawn])
    if progress == YARD or is_stuck(states, i, color, pawn):
        return 0
    flat = max(fields - 2 - progress, 0)  # steps to the door
    slot = max(progress - fields, 0)
    shallowest = PAWNS + 1  # of the slots taken that lie deeper
    for other in range(PAWNS):
        taken = int(state["progress"][color, other]) - fields
        shallowest = taken if slot < taken < shallowest else shallowest
    deep = flat + shallowest - 1 - slot
    if int(state["home_entry"]) == CONNECT:
        ways = steps_up_to(flat) | (1 << min(deep, LONGEST + 1))
    else:
        ways = steps_up_to(deep)
    ways &= steps_up_to(min(steps_to_guard(states, i, color, progress) - 1, LONGEST))
    if int(state["dot_blocked"]) == REFUSE:
        ways &= ~barred_walks(states, i, color, progress)
    return ways


@kernel
def steps_to_guard(states: States, i: int, color: int, progress: int) -> int:
    """How far ahead, before the door, the first protected pawn is; FAR if there is none."""
    state = states[i]
    fields = int(state["fields"])
    start = int(state["starts"][color])
    nearest = FAR
    for seat in range(int(state["players"])):
        ahead = wrapped(int(state["starts"][seat]) - start, fields) - progress
        if 0 < ahead < nearest and is_guarded(states, i, seat):
            nearest = ahead
    return nearest


@kernel
def barred_walks(states: States, i: int, color: int, progress: int) -> int:
    """Steps that end on a dot from which a protected pawn bars the way (`dot_blocked` illegal)."""
    state = states[i]
    fields = int(state["fields"])
    barred = 0
    if progress < fields:
        for steps in range(1, min(LONGEST, fields - 2 - progress) + 1):
            field = field_at(states, i, color, progress + steps)
            if fate_on(states, i, color, field, 0) == BARRED:
                barred |= 1 << steps
    return barred


@kernel
def fate_on(states: States, i: int, color: int, field: int, is_five: int) -> int:
    """[R4.19] What becomes of a pawn that lands on *field*: STAYS, JUMPS or BARRED."""
    state = states[i]
    distance = int(state["jumps"][field & BLOCK])
    if distance == 0:
        return STAYS
    fields = int(state["fields"])
    if not is_five and wrapped(int(state["starts"][color]) - field, fields) <= distance:
        return STAYS
    blocked = int(state["dot_blocked"])
    if blocked == FLY:
        return JUMPS
    for seat in range(int(state["players"])):
        ahead = wrapped(int(state["starts"][seat]) - field, fields)
        if ahead <= distance and is_guarded(states, i, seat):
            return STAYS if blocked == STAY else BARRED
    return JUMPS


@kernel
def may_go_back(states: States, i: int, color: int, pawn: int) -> bool:
    """[R4.14] Whether a pawn may go four fields back."""
    state = states[i]
    if not is_on_ring(states, i, color, pawn):
        return False
    fields = int(state["fields"])
    field = field_at(states, i, color, int(state["progress"][color, pawn]))
    for seat in range(int(state["players"])):
        behind = wrapped(field - int(state["starts"][seat]), fields)
        if 0 < behind <= BACKWARD and is_guarded(states, i, seat):
            return False
    target = wrapped(field - BACKWARD, fields)
    return fate_on(states, i, color, target, 0) != BARRED


@kernel
def may_be_pushed(states: States, i: int, color: int, pawn: int) -> bool:
    """[R4.15] Whether a 5 may move this pawn of an opponent."""
    state = states[i]
    progress = int(state["progress"][color, pawn])
    fields = int(state["fields"])
    if not 0 <= progress < fields or (progress == 0 and not int(state["five_on_start"])):
        return False
    field = field_at(states, i, color, progress)
    if field & BLOCK == HOLOGRAM:
        return False
    for seat in range(int(state["players"])):
        ahead = wrapped(int(state["starts"][seat]) - field, fields)
        if 0 < ahead <= PUSHED and is_guarded(states, i, seat):
            return False
    target = field + PUSHED
    target -= fields if target >= fields else 0
    return fate_on(states, i, color, target, 1) != BARRED


@kernel
def may_swap(states: States, i: int, color: int, pawn: int, other: int, target: int) -> bool:
    """[R4.16] Whether pawn *target* of colour *other* may be swapped with an own ring pawn."""
    state = states[i]
    if not is_on_ring(states, i, other, target) or int(state["progress"][other, target]) == 0:
        return False
    if not int(state["dot_on_swap"]) or int(state["dot_blocked"]) != REFUSE:
        return True
    mine = field_at(states, i, color, int(state["progress"][color, pawn]))
    theirs = field_at(states, i, other, int(state["progress"][other, target]))
    exchange(states, i, color, pawn, other, target)
    own_fate = fate_on(states, i, color, theirs, 0)
    other_fate = fate_on(states, i, other, mine, 0)
    fields = int(state["fields"])
    jump = int(state["jumps"][theirs & BLOCK])
    hits_other = own_fate == JUMPS and (theirs + jump) % fields == mine
    exchange(states, i, color, pawn, other, target)
    return own_fate != BARRED and (other_fate != BARRED or hits_other)


# Moves -----------------------------------------------------------------------------------------


@kernel
def put(states: States, i: int, color: int, pawn: int, progress: int) -> None:
    """Set a pawn that has been taken up down at *progress*."""
    state = states[i]
    state["progress"][color, pawn] = progress
    if 0 <= progress < int(state["fields"]):
        state["ring"][field_at(states, i, color, progress)] = 1 + PAWNS * color + pawn


@kernel
def take(states: States, i: int, color: int, pawn: int) -> None:
    """Take a pawn up; its `progress` stays until it is put down."""
    state = states[i]
    progress = int(state["progress"][color, pawn])
    if 0 <= progress < int(state["fields"]):
        state["ring"][field_at(states, i, color, progress)] = 0


@kernel
def hit(states: States, i: int, field: int) -> int:
    """[R4.17] Send the pawn on *field* to its yard; returns 1 + 4 seat + pawn, 0 for none."""
    state = states[i]
    found = int(state["ring"][field])
    if found:
        state["ring"][field] = 0
        state["progress"][(found - 1) >> 2, (found - 1) & 3] = YARD
    return found


@kernel
def unhit(states: States, i: int, field: int, found: int) -> None:
    """Put back what `hit` took from *field*."""
    if found:
        state = states[i]
        color = (found - 1) >> 2
        distance = wrapped(field - int(state["starts"][color]), int(state["fields"]))
        state["progress"][color, (found - 1) & 3] = distance
        state["ring"][field] = found


@kernel
def land(states: States, i: int, color: int, pawn: int, progress: int, is_five: int) -> int:
    """[R4.17, R4.18] Put a pawn down on the ring: it hits, and goes on from a black dot.

    Returns the pawn hit on the first field, and 256 times the one hit on the second.
    """
    state = states[i]
    fields = int(state["fields"])
    field = field_at(states, i, color, progress)
    hits = hit(states, i, field)
    if fate_on(states, i, color, field, is_five) == JUMPS:
        progress += int(state["jumps"][field & BLOCK])
        progress -= fields if progress >= fields else 0
        hits |= hit(states, i, field_at(states, i, color, progress)) << 8
    put(states, i, color, pawn, progress)
    return hits


@kernel
def walk(states: States, i: int, color: int, pawn: int, steps: int) -> int:
    """[R4.12] Walk a legal number of steps; returns what `land` does."""
    fields = int(states[i]["fields"])
    progress = int(states[i]["progress"][color, pawn])
    take(states, i, color, pawn)
    if progress + steps <= fields - 2:
        return land(states, i, color, pawn, progress + steps, 0)
    # Of the way from door to lane no step is counted for hologram and start.
    put(states, i, color, pawn, progress + steps + (2 if progress < fields else 0))
    return 0


@kernel
def walk_back(
    states: States, i: int, color: int, pawn: int, progress: int, steps: int, hits: int
) -> None:
    """Undo a walk of *steps* from *progress* that made *hits*."""
    take(states, i, color, pawn)
    if hits:
        state = states[i]
        field = field_at(states, i, color, progress + steps)
        unhit(states, i, field, hits & 255)
        field += int(state["jumps"][field & BLOCK])
        fields = int(state["fields"])
        unhit(states, i, field - fields if field >= fields else field, hits >> 8)
    put(states, i, color, pawn, progress)


@kernel
def sweep(states: States, i: int, color: int, pawn: int, steps: int) -> None:
    """[R4.13] Hit every pawn on the ring fields that a king's walk is about to pass."""
    progress = int(states[i]["progress"][color, pawn])
    for passed in range(progress + 1, min(progress + steps, int(states[i]["fields"]) - 2) + 1):
        hit(states, i, field_at(states, i, color, passed))


@kernel
def exchange(states: States, i: int, color: int, pawn: int, other: int, target: int) -> None:
    """Let two pawns on the ring exchange places; nothing is hit."""
    state = states[i]
    fields = int(state["fields"])
    mine = field_at(states, i, color, int(state["progress"][color, pawn]))
    theirs = field_at(states, i, other, int(state["progress"][other, target]))
    put(states, i, color, pawn, wrapped(theirs - int(state["starts"][color]), fields))
    put(states, i, other, target, wrapped(mine - int(state["starts"][other]), fields))


@kernel
def carry_on(states: States, i: int, color: int, pawn: int) -> None:
    """[R4.16] With `dot_on_swap`: a pawn that a swap brought to a black dot goes on."""
    state = states[i]
    progress = int(state["progress"][color, pawn])
    field = field_at(states, i, color, progress)
    if fate_on(states, i, color, field, 0) == JUMPS:
        fields = int(state["fields"])
        take(states, i, color, pawn)
        progress += int(state["jumps"][field & BLOCK])
        progress -= fields if progress >= fields else 0
        hit(states, i, field_at(states, i, color, progress))
        put(states, i, color, pawn, progress)


# The seven [R4.23 - R4.25] ---------------------------------------------------------------------


@kernel
def part_leads_on(
    states: States, i: int, seat: int, color: int, pawn: int, steps: int, left: int, parts: int
) -> bool:
    """[R4.25] Whether a part of *steps* wins or leaves a seven that can be completed.

    *left* steps are left before it, and *parts* more parts may follow it.
    """
    if steps == left:
        return True
    state = states[i]
    progress = int(state["progress"][color, pawn])
    hits = walk(states, i, color, pawn, steps)
    state["moved"][color, pawn] = 1
    if int(state["progress"][color, pawn]) > int(state["fields"]) and has_won(states, i, seat):
        completes = True
    else:
        completes = finishes(states, i, seat, left - steps, parts)
    state["moved"][color, pawn] = 0
    walk_back(states, i, color, pawn, progress, steps, hits)
    return completes


@kernel
def finishes(states: States, i: int, seat: int, left: int, parts: int) -> bool:
    """Whether at most *parts* more parts use all of *left* steps, or win."""
    if parts == 0:
        return False
    color = played_color(states, i, seat)
    is_last = num_missing(states, i, color) == 1
    for pawn in range(PAWNS):
        if not int(states[i]["moved"][color, pawn]):
            ways = walkable(states, i, color, pawn)
            if ways >> left & 1 or (is_last and goes_home(states, i, color, pawn, ways, left)):
                return True
    if parts == 1:
        return False
    for pawn in range(PAWNS):
        if int(states[i]["moved"][color, pawn]):
            continue
        ways = walkable(states, i, color, pawn)
        for steps in range(1, left):
            if ways >> steps & 1:
                progress = int(states[i]["progress"][color, pawn])
                hits = walk(states, i, color, pawn, steps)
                states[i]["moved"][color, pawn] = 1
                completes = finishes(states, i, seat, left - steps, parts - 1)
                states[i]["moved"][color, pawn] = 0
                walk_back(states, i, color, pawn, progress, steps, hits)
                if completes:
                    return True
    return False


@kernel
def num_missing(states: States, i: int, color: int) -> int:
    """How many pawns of the side of a colour are not home yet."""
    partner = partner_of(states, i, color)
    missing = PAWNS - num_home(states, i, color)
    return missing if partner == color else missing + PAWNS - num_home(states, i, partner)


@kernel
def goes_home(states: States, i: int, color: int, pawn: int, ways: int, left: int) -> bool:
    """Whether a pawn outside comes home by fewer than *left* of the steps in *ways*."""
    to_door = int(states[i]["fields"]) - 2 - int(states[i]["progress"][color, pawn])
    return 0 <= to_door < left and (ways & steps_up_to(left - 1)) >> to_door > 1
