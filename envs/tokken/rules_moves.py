"""How pawns of Tokken move on the table, whom they hit, and where a black dot takes them."""

from ..engine.dtypes import States
from ..engine.jit import kernel, outlined
from .board import BACK, FLY, KING, PART, PAWNS, PUSH, STAY, WALK, WALK_CARDS, WALK_STEPS, YARD
from .rules_table import BLOCK, field_at, is_guarded, pawn_in_slot, wrapped

STAYS, JUMPS, BARRED = range(3)
"""What becomes of a pawn that has landed on a black dot [R4.19]."""

BACKWARD, PUSHED = 4, 5


# Up and down -------------------------------------------------------------------------------------


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
        # The seat is in the bits above, the pawn (of four) in the lowest two.
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


# Landing and walking -----------------------------------------------------------------------------


@kernel
def fate_on(states: States, i: int, color: int, field: int, is_five: int) -> int:
    """[R4.19] What becomes of a pawn that lands on *field*: STAYS, JUMPS or BARRED."""
    distance = int(states[i]["jumps"][field & BLOCK])
    return fate_on_dot(states, i, color, field, is_five, distance) if distance else STAYS


@outlined
def fate_on_dot(states: States, i: int, color: int, field: int, is_five: int, distance: int) -> int:
    """What becomes of a pawn on a black dot, *distance* fields before the next one."""
    state = states[i]
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


@outlined
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
        # Both in one number, which a search hands back to `walk_back`: nothing to allocate.
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


@outlined
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


# Cards on the table ------------------------------------------------------------------------------


@kernel
def move_pawn(states: States, i: int, seat: int, color: int, action: int) -> None:
    """What a card does on the table, but for a seven."""
    state = states[i]
    if action < WALK:
        pawn = 0
        while int(state["progress"][color, pawn]) != YARD:
            pawn += 1
        hit(states, i, int(state["starts"][color]))
        put(states, i, color, pawn, 0)
    elif action < BACK:
        card = (action - WALK) // PAWNS
        pawn = pawn_in_slot(states, i, color, (action - WALK) % PAWNS)
        if int(WALK_CARDS[card]) == KING:
            sweep(states, i, color, pawn, int(WALK_STEPS[card]))
        walk(states, i, color, pawn, int(WALK_STEPS[card]))
    elif action < PART:
        pawn = pawn_in_slot(states, i, color, action - BACK)
        progress = int(state["progress"][color, pawn])
        take(states, i, color, pawn)
        land(states, i, color, pawn, wrapped(progress - BACKWARD, int(state["fields"])), 0)
    else:
        target_pawn(states, i, seat, color, action - PUSH)


@kernel
def sweep(states: States, i: int, color: int, pawn: int, steps: int) -> None:
    """[R4.13] Hit every pawn on the ring fields that a king's walk is about to pass."""
    progress = int(states[i]["progress"][color, pawn])
    for passed in range(progress + 1, min(progress + steps, int(states[i]["fields"]) - 2) + 1):
        hit(states, i, field_at(states, i, color, passed))


@kernel
def target_pawn(states: States, i: int, seat: int, color: int, number: int) -> None:
    """[R4.15, R4.16] A 5 with, or a swap with, another seat's pawn; *number* counts from PUSH."""
    state = states[i]
    players = int(state["players"])
    targets = PAWNS * (players - 1)
    # A table of targets: row 0 for the 5, then one for each own pawn that a jack may swap.
    row = number // targets
    other = (seat + 1 + number % targets // PAWNS) % players
    target = pawn_in_slot(states, i, other, number % PAWNS)
    progress = int(state["progress"][other, target])
    if row == 0:
        fields = int(state["fields"])
        take(states, i, other, target)
        land(states, i, other, target, (progress + PUSHED) % fields, 1)
        return
    pawn = pawn_in_slot(states, i, color, row - 1)
    mine = field_at(states, i, color, int(state["progress"][color, pawn]))
    exchange(states, i, color, pawn, other, target)
    if int(state["dot_on_swap"]):
        carry_on(states, i, color, pawn)
        if int(state["ring"][mine]) == 1 + PAWNS * other + target:
            carry_on(states, i, other, target)


@kernel
def exchange(states: States, i: int, color: int, pawn: int, other: int, target: int) -> None:
    """Let two pawns on the ring exchange places; nothing is hit."""
    state = states[i]
    fields = int(state["fields"])
    mine = field_at(states, i, color, int(state["progress"][color, pawn]))
    theirs = field_at(states, i, other, int(state["progress"][other, target]))
    put(states, i, color, pawn, wrapped(theirs - int(state["starts"][color]), fields))
    put(states, i, other, target, wrapped(mine - int(state["starts"][other]), fields))


@outlined
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
