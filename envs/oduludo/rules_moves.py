"""Captures and captives, moves and what they lead to, the ODULUDO die [R4.7 - R4.31]."""

from ..engine.dtypes import States
from ..engine.jit import kernel, outlined
from .board import (
    BACKWARD,
    CAPTURE,
    CARRIERS,
    COUNT_BITS,
    EARTH,
    FACE_EARTH,
    FACE_LIGHTNING,
    FACE_MOON,
    FACE_PLUS3,
    HELD,
    IS_CIRCLE,
    IS_STAR,
    LANDING_KIND,
    LEAD,
    NEXT_SUN,
    NUM_PIECES,
    ODULUDO,
    OFF,
    ON_EARTH,
    PARKING,
    PARKING_OF,
    PREVIOUS_LIGHTNING,
    RING,
    ROUTE_LENGTH,
    SEATS,
    SEND,
    SHIP,
    SIZE,
    SQUARE,
    SUN,
    SUN_BACKWARD,
    TEAM,
)
from .rules_landing import (
    IMPOSSIBLE,
    are_enemies,
    bounced,
    enemies_at,
    free_pieces,
    is_foreign_moon,
    land,
    land_back,
    may_go_back,
    move_pieces,
    owes_early_king,
    pieces_on_board,
    rest_ok,
    stack_at,
)
from .rules_scoring import PER_PIECE_IN_SHIP, PER_PIECE_ON_BOARD, count_at, sides_playing
from .rules_turns import NEWS, end_duty, end_move, end_round, pause, update_statuses

# Captives [R4.6, R4.28, R4.29] -------------------------------------------------------------------


@kernel
def is_carried(states: States, i: int, seat: int, p: int, holder: int, stack: int) -> bool:
    """Whether piece *p* of *seat* is a captive of a piece in *stack*, a set of *holder*'s."""
    # `held` is 1 + CARRIERS * captor + its lead, so with *holder* as captor the lead is left.
    carrier = int(states[i]["held"][seat, p]) - 1 - CARRIERS * holder
    return carrier >= 0 and carrier < NUM_PIECES and stack >> carrier & 1 == 1


@outlined
def pass_captives(states: States, i: int, holder: int, stack: int, lead: int) -> None:
    """The captives that the pieces of *stack* carried belong to *lead* (or ON_EARTH) now."""
    take_captives(states, i, holder, stack, 1 + CARRIERS * holder + lead)


@outlined
def release_captives(states: States, i: int, holder: int, stack: int) -> None:
    """[R4.28] Captives of *stack* go to their owner's ship if the owner plays, else off."""
    state = states[i]
    for seat in range(int(state["num_seats"])):
        place = SHIP if int(state["status"][seat]) == 0 else OFF
        for p in range(NUM_PIECES):
            if is_carried(states, i, seat, p, holder, stack):
                state["held"][seat, p] = 0
                state["place"][seat, p] = place


@kernel
def take_captives(states: States, i: int, holder: int, stack: int, held: int) -> None:
    """[R4.29] Captives of *stack* are handed over; *held* says who has them now."""
    state = states[i]
    for seat in range(int(state["num_seats"])):
        for p in range(NUM_PIECES):
            if is_carried(states, i, seat, p, holder, stack):
                state["held"][seat, p] = held


# Captures ----------------------------------------------------------------------------------------


@outlined
def capture(states: States, i: int, seat: int, action: int) -> int:
    """Send the enemies on the square home or abduct them, after a rescue of those they held."""
    state = states[i]
    color = int(state["color"][seat])
    progress = int(state["place"][seat, int(state["lead"])])
    square = int(SQUARE[color, progress])
    enemies = enemies_at(states, i, seat, square)
    lead = rescue(states, i, seat, progress, enemies)
    news = 0
    kings_sent = 0
    for victim in range(int(state["num_seats"])):
        # *enemies* counts the pieces of each seat side by side; this is the victim's number.
        if enemies >> COUNT_BITS * victim & (1 << COUNT_BITS) - 1:
            place = (square - int(SQUARE[int(state["color"][victim]), 0])) % RING
            stack = stack_at(states, i, victim, place)
            if action == SEND:
                release_captives(states, i, victim, stack)
                move_pieces(states, i, victim, stack, SHIP)
                kings_sent |= (stack & 1) << victim
            else:
                first = 1 + CARRIERS * seat
                take_captives(states, i, victim, stack, first + lead)
                move_pieces(states, i, victim, stack, HELD)
                for p in range(NUM_PIECES):
                    if stack >> p & 1:
                        state["held"][victim, p] = first + lead
    if kings_sent:
        eliminate(states, i, kings_sent)
        news = NEWS
    update_statuses(states, i)
    if sides_playing(states, i) <= 1:
        return end_round(states, i)
    if IS_CIRCLE[square]:
        return news | pause(states, i, ODULUDO, lead)
    return news | end_move(states, i)


@outlined
def rescue(states: States, i: int, seat: int, progress: int, enemies: int) -> int:
    """[R4.27] Captives of the own side that the victims carried are free; returns the lead."""
    state = states[i]
    square = int(SQUARE[int(state["color"][seat]), progress])
    for own in range(int(state["num_seats"])):
        if are_enemies(states, i, seat, own):
            continue
        for p in range(NUM_PIECES):
            held = int(state["held"][own, p]) - 1
            if held < 0 or held % CARRIERS == ON_EARTH:
                continue
            holder = held // CARRIERS
            carrier_place = int(state["place"][holder, held % CARRIERS])
            if (
                enemies >> COUNT_BITS * holder & (1 << COUNT_BITS) - 1
                and carrier_place < ROUTE_LENGTH
                and int(SQUARE[int(state["color"][holder]), carrier_place]) == square
            ):
                state["held"][own, p] = 0
                place = (square - int(SQUARE[int(state["color"][own]), 0])) % RING
                move_pieces(states, i, own, 1 << p, place)
                join(states, i, own, place)
    return int(LEAD[stack_at(states, i, seat, progress)])


@kernel
def join(states: States, i: int, seat: int, progress: int) -> None:
    """A freed piece has joined what stands at *progress*: captives and freshness are shared."""
    state = states[i]
    stack = stack_at(states, i, seat, progress)
    pass_captives(states, i, seat, stack, int(LEAD[stack]))
    if seat == int(state["seat"]) and int(state["fresh"]) & stack:
        state["fresh"] |= stack


@outlined
def eliminate(states: States, i: int, kings_sent: int) -> None:
    """[R4.30, R4.31] The owners of the Kings sent home (team: the pair) are out, with a penalty."""
    state = states[i]
    num_seats = int(state["num_seats"])
    team = int(state["mode"]) == TEAM
    order = -1
    for seat in range(num_seats):
        order -= 1 if int(state["status"][seat]) < 0 else 0
    leaving = kings_sent
    if team:
        # Partners sit two seats apart: each bit also falls on its partner's.
        leaving |= (kings_sent << 2 | kings_sent >> 2) & (1 << SEATS) - 1
        order = -1
    for seat in range(num_seats):
        if leaving >> seat & 1:
            points = PER_PIECE_IN_SHIP * count_at(states, i, seat, SHIP)
            points += PER_PIECE_ON_BOARD * int(SIZE[pieces_on_board(states, i, seat)])
            state["points"][seat] += points
            state["status"][seat] = order
    for seat in range(num_seats):
        if leaving >> seat & 1:
            release_captives(states, i, seat, pieces_on_board(states, i, seat))
            move_pieces(states, i, seat, free_pieces(states, i, seat), OFF)
            end_duty(states, i, seat)


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
