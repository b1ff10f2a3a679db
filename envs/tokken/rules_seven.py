"""The seven of Tokken [R4.23 - R4.25]: which parts leave a seven that can be completed.

The numbers of steps that the four pawns of a colour may walk as a part, a byte of bits 1..7 for
each, are one number here: `part_ways`.
"""

from ..engine.dtypes import States
from ..engine.jit import kernel, outlined
from .board import PAWNS
from .rules_moves import walk, walk_back
from .rules_table import BLOCK, field_at, has_won, num_missing, played_color
from .rules_ways import steps_up_to, walkable

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
