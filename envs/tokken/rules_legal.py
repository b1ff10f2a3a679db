"""The legal plays of Tokken [R4], card by card."""

from ..engine.dtypes import Mask, States
from ..engine.jit import kernel, outlined
from .board import (
    BACK,
    ENTER,
    ENTRY_CARDS,
    FIVE,
    FOUR,
    JACK,
    MOST_PARTS,
    PART,
    PAWNS,
    PUSH,
    SEVEN,
    SEVEN_STEPS,
    WALK,
    WALK_CARDS,
    WALK_STEPS,
    YARD,
)
from .rules_table import is_guarded, is_on_ring, played_color, seat_after, slot_in, slots_of
from .rules_ways import (
    leaves_others_alone,
    may_be_pushed,
    may_be_swapped,
    may_go_back,
    part_leads_on,
    part_ways,
    swap_is_barred,
    walkable,
    ways_in,
    ways_of_others,
)


@outlined
def mask_ranks(states: States, i: int, seat: int, held: int, mask: Mask) -> int:
    """The legal plays that *seat* would have with cards of the ranks *held*; adds to the mask."""
    color = played_color(states, i, seat)
    plays = mask_entries(states, i, color, held, mask)
    plays += mask_walks(states, i, color, held, mask)
    if held >> SEVEN & 1:
        plays += mask_parts(states, i, seat, SEVEN_STEPS, MOST_PARTS - 1, mask)
    if held >> FIVE & 1:
        plays += mask_pushes(states, i, seat, mask)
    if held >> JACK & 1:
        plays += mask_swaps(states, i, seat, color, mask)
    return plays


@kernel
def mask_entries(states: States, i: int, color: int, held: int, mask: Mask) -> int:
    """[R4.11] Enter with A, K or X."""
    if is_guarded(states, i, color):
        return 0
    waiting = 0
    for pawn in range(PAWNS):
        waiting += int(states[i]["progress"][color, pawn]) == YARD
    if waiting == 0:
        return 0
    plays = 0
    for card in range(ENTRY_CARDS.size):
        has = held >> int(ENTRY_CARDS[card]) & 1
        mask[ENTER + card] = has
        plays += has
    return plays


@kernel
def mask_walks(states: States, i: int, color: int, held: int, mask: Mask) -> int:
    """[R4.12 - R4.14] Forward with ten kinds of cards, and four back."""
    plays = 0
    slots = slots_of(states, i, color)
    for pawn in range(PAWNS):
        if int(states[i]["progress"][color, pawn]) == YARD:
            continue
        slot = slot_in(slots, pawn)
        ways = walkable(states, i, color, pawn)
        for card in range(WALK_CARDS.size):
            # Two sets at once, the ranks held and the steps open: legal where both bits are set.
            can = (held >> int(WALK_CARDS[card])) & (ways >> int(WALK_STEPS[card])) & 1
            mask[WALK + PAWNS * card + slot] = can
            plays += can
        if held >> FOUR & 1 and may_go_back(states, i, color, pawn):
            mask[BACK + slot] = 1
            plays += 1
    return plays


@outlined
def mask_parts(states: States, i: int, seat: int, left: int, parts: int, mask: Mask) -> int:
    """[R4.23 - R4.25] Parts of a seven with *left* steps; *parts* more may follow."""
    plays = 0
    color = played_color(states, i, seat)
    slots = slots_of(states, i, color)
    ways = part_ways(states, i, color, left)
    for pawn in range(PAWNS):
        own, others = ways_in(ways, pawn), ways_of_others(ways, pawn)
        if parts == 0:
            others = 0
        first = PART + SEVEN_STEPS * slot_in(slots, pawn) - 1
        for steps in range(1, left + 1):
            if not own >> steps & 1:
                continue
            # Mostly another pawn can walk the rest at once, which is cheaper to see than to try.
            if (
                steps == left
                or (
                    others >> left - steps & 1
                    and leaves_others_alone(states, i, color, pawn, steps)
                )
                or part_leads_on(states, i, seat, color, pawn, steps, left, parts)
            ):
                mask[first + steps] = 1
                plays += 1
    return plays


@kernel
def mask_pushes(states: States, i: int, seat: int, mask: Mask) -> int:
    """[R4.15] A 5 with a pawn of another side."""
    plays = 0
    players = int(states[i]["players"])
    sides = int(states[i]["sides"])
    for offset in range(1, players):
        if offset == sides:  # the partner
            continue
        other = seat_after(states, i, seat, offset)
        slots = slots_of(states, i, other)
        for pawn in range(PAWNS):
            if may_be_pushed(states, i, other, pawn):
                mask[PUSH + PAWNS * (offset - 1) + slot_in(slots, pawn)] = 1
                plays += 1
    return plays


@kernel
def mask_swaps(states: States, i: int, seat: int, color: int, mask: Mask) -> int:
    """[R4.16] An own ring pawn against any pawn of another colour on the ring."""
    plays = 0
    players = int(states[i]["players"])
    own_slots = slots_of(states, i, color)
    for offset in range(1, players):
        other = seat_after(states, i, seat, offset)
        if other == color:
            continue
        slots = slots_of(states, i, other)
        for target in range(PAWNS):
            if may_be_swapped(states, i, other, target):
                at = PUSH + PAWNS * (offset - 1) + slot_in(slots, target)
                plays += mask_swaps_with(states, i, color, own_slots, other, target, mask, at)
    return plays


@kernel
def mask_swaps_with(
    states: States, i: int, color: int, slots: int, other: int, target: int, mask: Mask, at: int
) -> int:
    """The swaps of own pawns, in *slots*, with one target; *at* is its action of a 5."""
    plays = 0
    targets = PAWNS * (int(states[i]["players"]) - 1)
    for pawn in range(PAWNS):
        if is_on_ring(states, i, color, pawn) and not swap_is_barred(
            states, i, color, pawn, other, target
        ):
            mask[at + targets * (1 + slot_in(slots, pawn))] = 1
            plays += 1
    return plays
