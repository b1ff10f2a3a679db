"""What pawns of Tokken may do: how far they may walk, and what may be done to them.

At the end the seven [R4.23 - R4.25]: which parts leave one that can be completed. The numbers of
steps that the four pawns of a colour may walk as a part, a byte of bits 1..7 for each, are one
number there: `part_ways`.
"""

from ..engine.dtypes import States
from ..engine.jit import kernel, outlined
from .board import CONNECT, HOLOGRAM, PAWNS, YARD
from .board import ILLEGAL as REFUSE
from .rules_moves import BACKWARD, BARRED, JUMPS, PUSHED, exchange, fate_on, walk, walk_back
from .rules_table import (
    BLOCK,
    field_at,
    has_won,
    is_guarded,
    is_on_ring,
    is_stuck,
    num_missing,
    played_color,
    wrapped,
)

LONGEST = 18
"""Steps of the joker, the longest walk."""

FAR = 1000
"""More steps than there are."""


@kernel
def steps_up_to(steps: int) -> int:
    """A set of numbers of steps: bits 1 to *steps*, at most LONGEST."""
    return (2 << min(max(steps, 0), LONGEST)) - 2  # 2**(n + 1) - 2: all bits up to n but bit 0


@kernel
def walkable(states: States, i: int, color: int, pawn: int) -> int:
    """[R4.12, R4.26, R4.28] The numbers of steps that a pawn may walk, as a set of bits 1..18."""
    state = states[i]
    fields = int(state["fields"])
    progress = int(state["progress"][color, pawn])
    if progress == YARD or is_stuck(states, i, color, pawn):
        return 0
    # progress:  0 .. fields - 2 on the ring, the last of them the door; fields + 1 .. + 4 at home
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
    # [R4.9] Nobody passes a protected pawn, or lands on it.
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


@outlined
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
def may_be_swapped(states: States, i: int, color: int, pawn: int) -> bool:
    """[R4.16] Whether a pawn stands on the ring, and not on its own start."""
    return 0 < int(states[i]["progress"][color, pawn]) < int(states[i]["fields"])


@kernel
def swap_is_barred(states: States, i: int, color: int, pawn: int, other: int, target: int) -> bool:
    """Whether a swap brings a pawn to a dot that bars it (`dot_on_swap`, `dot_blocked` illegal)."""
    refuses = int(states[i]["dot_on_swap"]) and int(states[i]["dot_blocked"]) == REFUSE
    return bool(refuses) and swap_ends_barred(states, i, color, pawn, other, target)


@outlined
def swap_ends_barred(
    states: States, i: int, color: int, pawn: int, other: int, target: int
) -> bool:
    """The same where the options know such dots."""
    state = states[i]
    mine = field_at(states, i, color, int(state["progress"][color, pawn]))
    theirs = field_at(states, i, other, int(state["progress"][other, target]))
    exchange(states, i, color, pawn, other, target)
    own_fate = fate_on(states, i, color, theirs, 0)
    other_fate = fate_on(states, i, other, mine, 0)
    fields = int(state["fields"])
    jump = int(state["jumps"][theirs & BLOCK])
    hits_other = own_fate == JUMPS and (theirs + jump) % fields == mine
    exchange(states, i, color, pawn, other, target)
    return own_fate == BARRED or (other_fate == BARRED and not hits_other)


# The seven [R4.23 - R4.25] ----------------------------------------------------------------------

BYTE = 8
FULL = 255


@outlined
def part_ways(states: States, i: int, color: int, left: int) -> int:
    """The parts of at most *left* steps that the pawns of a colour which had none may walk."""
    ways = 0
    for pawn in range(PAWNS):
        if not int(states[i]["moved"][color, pawn]):
            ways |= (walkable(states, i, color, pawn) & steps_up_to(left)) << BYTE * pawn
    return ways


@kernel
def ways_in(ways: int, pawn: int) -> int:
    """What *pawn* may walk, of `part_ways`."""
    return ways >> BYTE * pawn & FULL


@kernel
def ways_of_others(ways: int, pawn: int) -> int:
    """What at least one pawn besides *pawn* may walk, of `part_ways`."""
    # Without the own byte, the four are laid over one another: 3|2|1|0 -> 3+1|2+0 -> all.
    rest = ways & ~(FULL << BYTE * pawn)
    rest |= rest >> 2 * BYTE
    return (rest | rest >> BYTE) & FULL


@kernel
def make_part(states: States, i: int, color: int, pawn: int, steps: int) -> int:
    """Walk a part, to be taken back by `undo_part`; returns what `walk` does."""
    states[i]["moved"][color, pawn] = 1
    return walk(states, i, color, pawn, steps)


@kernel
def undo_part(
    states: States, i: int, color: int, pawn: int, progress: int, steps: int, hits: int
) -> None:
    """Take back a part of *steps* from *progress* that made *hits*."""
    walk_back(states, i, color, pawn, progress, steps, hits)
    states[i]["moved"][color, pawn] = 0


@kernel
def leaves_others_alone(states: States, i: int, color: int, pawn: int, steps: int) -> bool:
    """Whether a walk ends on a field of the ring that is not a black dot and holds no own pawn.

    Then the other pawns of the colour can walk all that they could before.
    """
    state = states[i]
    progress = int(state["progress"][color, pawn]) + steps
    if progress > int(state["fields"]) - 2:
        return False
    field = field_at(states, i, color, progress)
    is_own = (int(state["ring"][field]) + PAWNS - 1) // PAWNS == color + 1
    return int(state["jumps"][field & BLOCK]) == 0 and not is_own


@kernel
def part_leads_on(
    states: States, i: int, seat: int, color: int, pawn: int, steps: int, left: int, parts: int
) -> bool:
    """[R4.25] Whether a part of *steps* wins or leaves a seven that can be completed.

    *left* steps are left before it, and *parts* more parts may follow it.
    """
    progress = int(states[i]["progress"][color, pawn])
    hits = make_part(states, i, color, pawn, steps)
    wins = int(states[i]["progress"][color, pawn]) > int(states[i]["fields"]) and has_won(
        states, i, seat
    )
    completes = wins or finishes(states, i, seat, left - steps, parts)
    undo_part(states, i, color, pawn, progress, steps, hits)
    return completes


@outlined
def finishes(states: States, i: int, seat: int, left: int, parts: int) -> bool:
    """Whether at most *parts* more parts use all of *left* steps, or win."""
    # First what needs no trying: one pawn that walks all steps, or the last one that comes home.
    if parts == 0:
        return False
    color = played_color(states, i, seat)
    is_last = num_missing(states, i, color) == 1
    ways = part_ways(states, i, color, left)
    for pawn in range(PAWNS):
        own = ways_in(ways, pawn)
        if own >> left & 1 or (is_last and goes_home(states, i, color, pawn, own, left)):
            return True
    if parts == 1:
        return False
    for pawn in range(PAWNS):
        own, others = ways_in(ways, pawn), ways_of_others(ways, pawn)
        for steps in range(1, left):
            if not own >> steps & 1:
                continue
            # Another pawn walks the rest, which it can unless this part changes its way; else try.
            if others >> left - steps & 1 and leaves_others_alone(states, i, color, pawn, steps):
                return True
            progress = int(states[i]["progress"][color, pawn])
            hits = make_part(states, i, color, pawn, steps)
            completes = finishes(states, i, seat, left - steps, parts - 1)
            undo_part(states, i, color, pawn, progress, steps, hits)
            if completes:
                return True
    return False


@kernel
def goes_home(states: States, i: int, color: int, pawn: int, ways: int, left: int) -> bool:
    """Whether a pawn outside comes home by fewer than *left* of the steps in *ways*."""
    # Home begins one step beyond the door: is a way of more than *to_door* steps left? Those are
    # the bits from to_door + 1 on, and what is shifted down to bit 0 is the door itself.
    to_door = int(states[i]["fields"]) - 2 - int(states[i]["progress"][color, pawn])
    return 0 <= to_door < left and (ways & steps_up_to(left - 1)) >> to_door > 1
