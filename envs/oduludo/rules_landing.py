"""Stacks, where they may go, and which moves a roll allows [R4.4 - R4.22].

Source: the Dutch rules text and its exact specification; `[R4.9]` is paragraph 9 of section 4 of
the specification, in our own words in this folder's README. A *stack* is a set of pieces of one
seat that stand on one square: bit 0 for the King, bit 1 for the Queen, then the Soldiers.
"""

from ..engine.dtypes import States
from ..engine.jit import kernel, outlined
from .board import (
    BACKWARD,
    COUNT_BITS,
    EARTH,
    ENEMIES,
    ENTER_KING,
    ENTER_SOLDIER,
    GLOBE,
    IS_SAFE,
    LANDING_KIND,
    LAST,
    LEAD,
    LIGHTNING,
    MOON_OF,
    NEXT_SUN,
    NUM_PIECES,
    OTHER_SUN,
    PARKING,
    PARKING_OF,
    PREVIOUS_LIGHTNING,
    PREVIOUS_SUN,
    QUEEN,
    ROUTE_LENGTH,
    SHIP,
    SIZE,
    SOLDIER,
    SQUARE,
    TEAM,
    TOP_SUN,
)

IMPOSSIBLE = -1
COUNT_MASK = (1 << COUNT_BITS) - 1


# Questions about a position --------------------------------------------------------------------


@kernel
def stack_at(states: States, i: int, seat: int, place: int) -> int:
    """The set of pieces of *seat* whose place is *place*."""
    # Bits are added without a branch here and below: who stands where is anybody's guess, and a
    # processor that guesses wrong loses more than the addition costs.
    pieces = states[i]["place"]
    stack = 0
    for p in range(NUM_PIECES):
        stack |= (1 if int(pieces[seat, p]) == place else 0) << p
    return stack


@kernel
def free_pieces(states: States, i: int, seat: int) -> int:
    """[R2.4] The set of pieces of *seat* in the ship, on the ring or on the path."""
    pieces = states[i]["place"]
    free = 0
    for p in range(NUM_PIECES):
        place = int(pieces[seat, p])
        free |= (1 if (place < EARTH) | (place == SHIP) else 0) << p
    return free


@kernel
def pieces_on_board(states: States, i: int, seat: int) -> int:
    """The set of pieces of *seat* on the ring or the path."""
    pieces = states[i]["place"]
    on_board = 0
    for p in range(NUM_PIECES):
        on_board |= (1 if int(pieces[seat, p]) < EARTH else 0) << p
    return on_board


@kernel
def are_enemies(states: States, i: int, seat: int, other: int) -> bool:
    """[R1.2] Whether *other* is not of the side of *seat*."""
    if int(states[i]["mode"]) == TEAM:
        return (seat + other) % 2 == 1
    return seat != other


@kernel
def enemies_at(states: States, i: int, seat: int, square: int) -> int:
    """The enemy pieces on a ring square, packed by seat; 0 if there are none."""
    state = states[i]
    team = 1 if int(state["mode"]) == TEAM else 0
    # `occupied` counts the pieces of each seat side by side; the mask keeps all enemies' at once.
    return int(state["occupied"][square]) & int(ENEMIES[team, seat])


@kernel
def count_packed(packed: int) -> int:
    """How many pieces a number of `occupied` stands for."""
    # Seats 3|2|1|0 and, one place further down, .|3|2|1 add up to .|3+2|..|1+0.
    pairs = packed + (packed >> COUNT_BITS)
    return (pairs & COUNT_MASK) + (pairs >> 2 * COUNT_BITS & COUNT_MASK)


@kernel
def owes_early_king(states: States, i: int, seat: int, stack: int) -> bool:
    """[R4.12] A stack with the King that may not reach Earth: other pieces are still free."""
    return stack & 1 == 1 and free_pieces(states, i, seat) & ~stack != 0


@kernel
def may_go_back(states: States, i: int, stack: int) -> bool:
    """[R4.8] Whether the stack holds the Queen, and may go backward with it."""
    if stack >> QUEEN & 1 == 0:
        return False
    return stack == 1 << QUEEN or int(states[i]["queen_carries_stack"]) == 1


# Taking pieces up and putting them down --------------------------------------------------------


@outlined
def move_pieces(states: States, i: int, seat: int, stack: int, place: int) -> None:
    """Put the pieces of *stack* on *place*, wherever each of them was."""
    state = states[i]
    color = int(state["color"][seat])
    one = 1 << COUNT_BITS * seat  # one piece of *seat*, as `occupied` counts
    for p in range(NUM_PIECES):
        if stack >> p & 1:
            before = int(state["place"][seat, p])
            if before < ROUTE_LENGTH:
                state["occupied"][SQUARE[color, before]] -= one
            state["place"][seat, p] = place
            if place < ROUTE_LENGTH:
                state["occupied"][SQUARE[color, place]] += one


# Landing [R4.13 - R4.22] -----------------------------------------------------------------------


@kernel
def rest_ok(states: States, i: int, seat: int, size: int, progress: int) -> bool:
    """[R4.13] Whether a stack of *size* pieces may come to rest at *progress*."""
    state = states[i]
    if progress >= ROUTE_LENGTH:
        return True
    square = int(SQUARE[int(state["color"][seat]), progress])
    enemies = enemies_at(states, i, seat, square)
    if enemies == 0:
        return True
    if IS_SAFE[square]:
        return False
    return int(state["size_protects"]) == 0 or size >= count_packed(enemies)


@kernel
def rest_or_impossible(states: States, i: int, seat: int, size: int, progress: int) -> int:
    """*progress* if a stack may rest there."""
    return progress if rest_ok(states, i, seat, size, progress) else IMPOSSIBLE


@outlined
def land(states: States, i: int, seat: int, size: int, early: bool, progress: int) -> int:
    """[R4.14] Where a landing at *progress* ends, going forward at a Sun: a progress or EARTH."""
    state = states[i]
    color = int(state["color"][seat])
    kind = int(LANDING_KIND[color, progress])
    if kind == GLOBE:  # [R4.15]
        return IMPOSSIBLE if early else EARTH
    if kind == TOP_SUN:  # [R4.16]
        if not early:
            return EARTH
    elif kind == OTHER_SUN:  # [R4.17]
        target = int(NEXT_SUN[color, progress])
        if LANDING_KIND[color, target] == TOP_SUN and not early:
            return EARTH
        if rest_ok(states, i, seat, size, target):
            return target
    elif kind == LIGHTNING:  # [R4.19]
        target = int(PREVIOUS_LIGHTNING[color, progress])
        if rest_ok(states, i, seat, size, target):
            return target
    elif kind == PARKING and flies(states, i, color, progress, early):  # [R4.20]
        return EARTH
    return rest_or_impossible(states, i, seat, size, progress)  # [R4.21]


@kernel
def flies(states: States, i: int, color: int, progress: int, early: bool) -> bool:
    """[R4.20] Whether a UFO waits on the parking at *progress* and takes the stack."""
    owner = int(PARKING_OF[SQUARE[color, progress]])
    return not early and int(states[i]["ufo"][owner]) == 1


@kernel
def land_back(states: States, i: int, seat: int, size: int, progress: int) -> int:
    """[R4.18] Where the backward jump from the Sun at *progress* ends."""
    color = int(states[i]["color"][seat])
    kind = int(LANDING_KIND[color, progress])
    if kind != TOP_SUN and kind != OTHER_SUN:
        return IMPOSSIBLE
    target = int(PREVIOUS_SUN[color, progress])
    return IMPOSSIBLE if target < 0 else rest_or_impossible(states, i, seat, size, target)


@kernel
def bounced(progress: int) -> int:
    """[R4.7] A move beyond the last globe turns back."""
    return progress if progress <= LAST else 2 * LAST - progress


# The moves of a roll [R4.7 - R4.11] ------------------------------------------------------------


@kernel
def can_land(states: States, i: int, seat: int, stack: int, early: bool, progress: int) -> bool:
    """Whether a stack can land at *progress* at all, one way or the other."""
    size = int(SIZE[stack])
    if land(states, i, seat, size, early, progress) != IMPOSSIBLE:
        return True
    return (
        may_go_back(states, i, stack) and land_back(states, i, seat, size, progress) != IMPOSSIBLE
    )


@kernel
def stack_moves(states: States, i: int, seat: int, stack: int, die: int) -> int:
    """The set of legal actions (bit a for action a) of one stack on the board."""
    place = int(states[i]["place"][seat, LEAD[stack]])
    early = owes_early_king(states, i, seat, stack)
    moves = 0
    if can_land(states, i, seat, stack, early, bounced(place + die)):
        moves |= 1 << LEAD[stack]
    if (
        place >= die
        and may_go_back(states, i, stack)
        and can_land(states, i, seat, stack, early, place - die)
    ):
        moves |= 1 << BACKWARD
    return moves


@kernel
def enter_moves(states: States, i: int, seat: int) -> int:
    """[R4.9] The set of actions that bring a piece from the ship to the Moon, on a 1 or a 6."""
    state = states[i]
    if enemies_at(states, i, seat, int(SQUARE[int(state["color"][seat]), 0])):
        return 0
    # One action for the King, one for the Queen, and one for all Soldiers: the lowest enters.
    ship = stack_at(states, i, seat, SHIP)
    kinds = (ship & 3) | (4 if ship >> SOLDIER else 0)
    return kinds << ENTER_KING


@kernel
def owes_move(states: States, i: int, seat: int, stack: int) -> bool:
    """[R4.11] Whether the stack stands on the Moon of an enemy who plays, and is not fresh."""
    state = states[i]
    if int(state["fresh"]) & stack:
        return False
    place = int(state["place"][seat, LEAD[stack]])
    if place >= ROUTE_LENGTH:
        return False
    return is_foreign_moon(states, i, seat, int(SQUARE[int(state["color"][seat]), place]))


@kernel
def is_foreign_moon(states: States, i: int, seat: int, square: int) -> bool:
    """[R4.11] Whether *square* is the Moon of an enemy of *seat* who is playing."""
    state = states[i]
    color = int(MOON_OF[square])
    if color < 0:
        return False
    owner = int(state["seat_of"][color])
    return owner >= 0 and are_enemies(states, i, seat, owner) and int(state["status"][owner]) == 0


@outlined
def roll_moves(states: States, i: int, seat: int, die: int) -> int:
    """The set of legal actions of *seat* with the roll *die*; 0 if there is none."""
    state = states[i]
    rest = pieces_on_board(states, i, seat)
    moves = 0
    duties = 0  # [R4.11] moves off an enemy's Moon; if there are any, no others are legal
    while rest:  # the stack of the first piece that is left, until none is
        stack = stack_at(states, i, seat, int(state["place"][seat, LEAD[rest]]))
        rest &= ~stack
        own = stack_moves(states, i, seat, stack, die)
        moves |= own
        if owes_move(states, i, seat, stack):
            duties |= own
    if duties:
        return duties
    if die == 1 or die == 6:
        moves |= enter_moves(states, i, seat)
    return moves


@kernel
def lowest_soldier(states: States, i: int, seat: int) -> int:
    """[R4.9] The Soldier with the lowest number in the ship."""
    ship = stack_at(states, i, seat, SHIP)
    return int(LEAD[ship & ~3])  # without King and Queen


@kernel
def entering_piece(states: States, i: int, seat: int, action: int) -> int:
    """The piece that `dK`, `dQ` or `dS` brings to the Moon."""
    if action == ENTER_SOLDIER:
        return lowest_soldier(states, i, seat)
    return action - ENTER_KING
