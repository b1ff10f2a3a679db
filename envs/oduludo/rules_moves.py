"""Moves and what they lead to: walks, jumps, rests, the ODULUDO die [R4.7 - R4.25]."""

from ..engine.dtypes import States
from ..engine.jit import kernel, outlined
from .board import (
    BACKWARD,
    CAPTURE,
    EARTH,
    FACE_EARTH,
    FACE_LIGHTNING,
    FACE_MOON,
    FACE_PLUS3,
    IS_CIRCLE,
    IS_STAR,
    LANDING_KIND,
    LEAD,
    NEXT_SUN,
    ODULUDO,
    ON_EARTH,
    PARKING,
    PARKING_OF,
    PREVIOUS_LIGHTNING,
    ROUTE_LENGTH,
    SIZE,
    SQUARE,
    SUN,
    SUN_BACKWARD,
)
from .rules_captures import pass_captives
from .rules_landing import (
    IMPOSSIBLE,
    bounced,
    enemies_at,
    is_foreign_moon,
    land,
    land_back,
    may_go_back,
    move_pieces,
    owes_early_king,
    rest_ok,
    stack_at,
)
from .rules_turns import end_move, pause

# Coming to rest [R4.23] --------------------------------------------------------------------------


@outlined
def come_to_rest(states: States, i: int, seat: int, stack: int, progress: int) -> int:
    """[R4.23] Stand and stack, Star, foreign Moon, enemies, circle; else the move ends."""
    state = states[i]
    state["legal"] = 0
    state["fresh"] &= ~stack
    move_pieces(states, i, seat, stack, progress)
    stack = stack_at(states, i, seat, progress)
    lead = int(LEAD[stack])
    pass_captives(states, i, seat, stack, lead)
    if progress >= ROUTE_LENGTH:
        return end_move(states, i)
    square = int(SQUARE[int(state["color"][seat]), progress])
    if IS_STAR[square]:
        state["star"] = 1
    if is_foreign_moon(states, i, seat, square):
        state["fresh"] |= stack
    if enemies_at(states, i, seat, square):
        return pause(states, i, CAPTURE, lead)
    if IS_CIRCLE[square]:
        return pause(states, i, ODULUDO, lead)
    return end_move(states, i)


@outlined
def reach_earth(states: States, i: int, seat: int, stack: int) -> int:
    """The stack is home, and its captives stay with it for good [R4.6]."""
    move_pieces(states, i, seat, stack, EARTH)
    states[i]["fresh"] &= ~stack
    pass_captives(states, i, seat, stack, ON_EARTH)
    return end_move(states, i)


@outlined
def arrive(states: States, i: int, seat: int, stack: int, landing: int, target: int) -> int:
    """A landing at progress *landing* ends at *target*: rest, Earth (by UFO perhaps), or stay."""
    state = states[i]
    if target == IMPOSSIBLE:
        return end_move(states, i)
    if target != EARTH:
        return come_to_rest(states, i, seat, stack, target)
    color = int(state["color"][seat])
    if LANDING_KIND[color, landing] == PARKING:  # [R4.20]
        state["ufo"][PARKING_OF[SQUARE[color, landing]]] = 0
    return reach_earth(states, i, seat, stack)


# Walks and jumps [R4.7, R4.8, R4.18] -------------------------------------------------------------


@outlined
def land_or_choose(states: States, i: int, seat: int, stack: int, progress: int) -> int:
    """[R4.14, R4.18] Land at *progress*, or ask which way to jump from a Sun; stay if neither."""
    state = states[i]
    size = int(SIZE[stack])
    early = owes_early_king(states, i, seat, stack)
    target = land(states, i, seat, size, early, progress)
    if may_go_back(states, i, stack):
        back = land_back(states, i, seat, size, progress)
        if back != IMPOSSIBLE:
            if target != IMPOSSIBLE:
                state["at"] = SQUARE[int(state["color"][seat]), progress]
                return pause(states, i, SUN, int(LEAD[stack]))
            return come_to_rest(states, i, seat, stack, back)
    return arrive(states, i, seat, stack, progress, target)


@kernel
def walk(states: States, i: int, seat: int, action: int) -> int:
    """[R4.7, R4.8] A stack walks forward or, with its Queen, backward."""
    state = states[i]
    die = int(state["die"])
    state["legal"] = 0
    if action == BACKWARD:
        place = int(state["place"][seat, 1])
        target = place - die
    else:
        place = int(state["place"][seat, action])
        target = bounced(place + die)
    return land_or_choose(states, i, seat, stack_at(states, i, seat, place), target)


@kernel
def moving_stack(states: States, i: int, seat: int) -> int:
    """The stack whose lead is `lead`."""
    state = states[i]
    return stack_at(states, i, seat, int(state["place"][seat, int(state["lead"])]))


@kernel
def jump(states: States, i: int, seat: int, action: int) -> int:
    """[R4.18] The chosen result of a landing on the Sun `at`."""
    state = states[i]
    stack = moving_stack(states, i, seat)
    color = int(state["color"][seat])
    progress = 0
    while int(SQUARE[color, progress]) != int(state["at"]):
        progress += 1
    state["at"] = -1
    size = int(SIZE[stack])
    if action == SUN_BACKWARD:
        return come_to_rest(states, i, seat, stack, land_back(states, i, seat, size, progress))
    early = owes_early_king(states, i, seat, stack)
    target = land(states, i, seat, size, early, progress)
    return arrive(states, i, seat, stack, progress, target)


# The ODULUDO die [R4.24, R4.25] ------------------------------------------------------------------


@outlined
def apply_face(states: States, i: int, face: int) -> int:
    """What the face does to the stack on the circle; it stays where that is impossible."""
    state = states[i]
    seat = int(state["seat"])
    color = int(state["color"][seat])
    stack = moving_stack(states, i, seat)
    size = int(SIZE[stack])
    early = owes_early_king(states, i, seat, stack)
    progress = int(state["place"][seat, int(state["lead"])])
    if face == FACE_EARTH:
        return end_move(states, i) if early else reach_earth(states, i, seat, stack)
    if face == FACE_PLUS3:
        return land_or_choose(states, i, seat, stack, bounced(progress + 3))
    if face == FACE_MOON:
        blocked = enemies_at(states, i, seat, int(SQUARE[color, 0])) != 0
        return end_move(states, i) if blocked else come_to_rest(states, i, seat, stack, 0)
    if face == FACE_LIGHTNING:
        target = int(PREVIOUS_LIGHTNING[color, progress])
        if rest_ok(states, i, seat, size, target):
            return come_to_rest(states, i, seat, stack, target)
        return end_move(states, i)
    sun = int(NEXT_SUN[color, progress])
    target = land(states, i, seat, size, early, sun)
    return arrive(states, i, seat, stack, sun, target)
