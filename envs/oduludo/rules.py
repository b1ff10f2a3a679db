"""The rules of Oduludo as verbs on one record: turns, rests, captures, rounds.

Source: the Dutch rules text and its exact specification; `[R4.9]` is paragraph 9 of section 4 of
the specification, told in our own words in this folder's README. Where a stack may go stands in
`rules_landing`, points and rewards in `rules_scoring`.
"""

from __future__ import annotations

from ..engine.dtypes import CHANCE, OVER, Mask, States, Streams, Weights
from ..engine.jit import kernel, outlined
from .board import (
    ABDUCT,
    BACKWARD,
    CAPTURE,
    CARRIERS,
    COUNT_BITS,
    DECLINE,
    DIE,
    EARTH,
    FACE,
    FACE_EARTH,
    FACE_LIGHTNING,
    FACE_MOON,
    FACE_PLUS3,
    FINISHED,
    FIRST_FACE,
    FIRST_PIP,
    FIRST_SEAT,
    HELD,
    IS_CIRCLE,
    IS_STAR,
    LANDING_KIND,
    LAST_PIECE,
    LEAD,
    MOVE,
    NEXT_SUN,
    NOTHING,
    NUM_ACTIONS,
    NUM_OUTCOMES,
    NUM_PIECES,
    ODULUDO,
    OFF,
    ON_EARTH,
    PARKING,
    PARKING_OF,
    PREVIOUS_LIGHTNING,
    REMOVAL_ORDER,
    RING,
    ROLL_FACE,
    ROUTE_LENGTH,
    SEATS,
    SEND,
    SHIP,
    SIZE,
    SQUARE,
    START,
    SUN,
    SUN_BACKWARD,
    SUN_FORWARD,
    TEAM,
)
from .data import NUM_COLORS
from .rules_landing import (
    IMPOSSIBLE,
    are_enemies,
    bounced,
    enemies_at,
    entering_piece,
    free_pieces,
    is_foreign_moon,
    land,
    land_back,
    may_go_back,
    move_pieces,
    owes_early_king,
    pieces_on_board,
    rest_ok,
    roll_moves,
    stack_at,
)
from .rules_scoring import (
    PER_PIECE_IN_SHIP,
    PER_PIECE_ON_BOARD,
    count_at,
    is_match_won,
    score_round,
    seat_at,
    sides_playing,
)

NEWS = 1
"""Report of a step that changed points or wins; the standings of a round that ended follow it."""
STANDINGS_SHIFT = 2
ROUND_ENDED = 2


@kernel
def to_move(states: States, i: int) -> int:
    """The seat that decides, CHANCE while a die is due, or OVER."""
    state = states[i]
    return CHANCE if int(state["due"]) != NOTHING else int(state["seat"])


# Set-up [R3] -----------------------------------------------------------------------------------


@kernel
def reset(states: States, i: int) -> None:
    """[R3.2] A new game: the first round, and chance says who begins."""
    state = states[i]
    state["decisions"] = 0
    for seat in range(SEATS):
        state["wins"][seat] = 0
        state["points"][seat] = 0
    set_up_round(states, i)
    state["seat"] = 0
    state["fresh"] = 0
    state["sixes"] = 0
    state["tries"] = 0
    wait_for_die(states, i)
    state["due"] = START


@outlined
def set_up_round(states: States, i: int) -> None:
    """[R3.1] All pieces that are played with in their ships, a UFO on every parking."""
    state = states[i]
    num_seats = int(state["num_seats"])
    is_match = int(state["mode"]) == LAST_PIECE
    for square in range(RING):
        state["occupied"][square] = 0
    for seat in range(SEATS):
        state["status"][seat] = 0
        for p in range(NUM_PIECES):
            state["place"][seat, p] = SHIP if seat < num_seats else OFF
            state["held"][seat, p] = 0
        removed = int(state["wins"][seat]) if is_match else 0
        for k in range(removed):
            state["place"][seat, REMOVAL_ORDER[k]] = OFF
    for color in range(NUM_COLORS):
        state["ufo"][color] = 1 if int(state["seat_of"][color]) >= 0 else 0


# Chance [R3.3] ---------------------------------------------------------------------------------


@kernel
def chance_weights(states: States, i: int, weights: Weights) -> None:
    """[R3.3] Equal weights: the seats at the start, six pips, six faces."""
    state = states[i]
    due = int(state["due"])
    first = FIRST_SEAT if due == START else (FIRST_PIP if due == DIE else FIRST_FACE)
    stop = first + (int(state["num_seats"]) if due == START else 6)
    for outcome in range(NUM_OUTCOMES):
        weights[outcome] = 1 if (first <= outcome) & (outcome < stop) else 0


@kernel
def step_chance(states: States, i: int, outcome: int) -> int:
    """Apply one outcome; returns a report like `step`, for a face can end a round."""
    due = int(states[i]["due"])
    if due == DIE:
        roll_die(states, i, outcome - FIRST_PIP + 1)
        return 0
    states[i]["due"] = NOTHING
    if due == START:
        begin_turn(states, i, outcome - FIRST_SEAT)
        return 0
    return apply_face(states, i, outcome)


@kernel
def roll_die(states: States, i: int, die: int) -> None:
    """[R4.2] A roll: a decision if a move is legal, else the next try or the next turn."""
    state = states[i]
    seat = int(state["seat"])
    limit = int(state["six_limit"])
    if die == 6 and limit > 0:
        state["sixes"] += 1
        if int(state["sixes"]) == limit:
            next_turn(states, i)
            return
    moves = roll_moves(states, i, seat, die)
    if moves:
        state["die"] = die
        state["tries"] = 0
        state["legal"] = moves
        state["due"] = NOTHING
        return
    state["tries"] -= 1
    if int(state["tries"]) == 0:
        next_turn(states, i)


# Turns [R4.2] ----------------------------------------------------------------------------------


@kernel
def begin_turn(states: States, i: int, seat: int) -> None:
    """The turn passes to *seat*."""
    state = states[i]
    state["seat"] = seat
    state["fresh"] = 0
    state["sixes"] = 0
    roll(states, i)


@kernel
def roll(states: States, i: int) -> None:
    """[R4.2, R4.3] The die is due: three tries with no piece on the board, else one."""
    wait_for_die(states, i)
    state = states[i]
    on_board = pieces_on_board(states, i, int(state["seat"]))
    state["tries"] = 1 if on_board else 3
    state["due"] = DIE


@kernel
def wait_for_die(states: States, i: int) -> None:
    """Clear all that belongs to one roll."""
    state = states[i]
    state["phase"] = MOVE
    state["due"] = NOTHING
    state["die"] = 0
    state["star"] = 0
    state["lead"] = -1
    state["at"] = -1
    state["legal"] = 0


@outlined
def next_turn(states: States, i: int) -> None:
    """The next seat clockwise that is playing and has a free piece."""
    state = states[i]
    num_seats = int(state["num_seats"])
    seat = (int(state["seat"]) + 1) % num_seats
    while int(state["status"][seat]) != 0 or free_pieces(states, i, seat) == 0:
        seat = (seat + 1) % num_seats
    begin_turn(states, i, seat)


# Legal actions [R6] ----------------------------------------------------------------------------


@kernel
def legal_mask(states: States, i: int, mask: Mask) -> None:
    """Write the legal actions of the seat to move."""
    moves = 0
    if to_move(states, i) >= 0:
        state = states[i]
        phase = int(state["phase"])
        if phase == MOVE:
            moves = int(state["legal"])
        elif phase == CAPTURE:
            moves = 1 << SEND | 1 << ABDUCT
        elif phase == ODULUDO:
            moves = 1 << ROLL_FACE | 1 << DECLINE
        else:
            moves = 1 << SUN_FORWARD | 1 << SUN_BACKWARD
    for action in range(NUM_ACTIONS):
        mask[action] = moves >> action & 1


# Moves [R4] ------------------------------------------------------------------------------------


@kernel
def step(states: States, i: int, action: int) -> int:
    """Play a legal action; returns 0, or a report of points and of a round that ended."""
    state = states[i]
    seat = int(state["seat"])
    state["decisions"] += 1
    if action <= BACKWARD:
        return walk(states, i, seat, action)
    if action < SEND:
        piece = entering_piece(states, i, seat, action)
        return come_to_rest(states, i, seat, 1 << piece, 0)
    if action <= ABDUCT:
        return capture(states, i, seat, action)
    stack = moving_stack(states, i, seat)
    if action == ROLL_FACE:
        state["due"] = FACE
        return 0
    if action == DECLINE:
        return end_move(states, i)
    return jump(states, i, seat, stack, action)


@kernel
def moving_stack(states: States, i: int, seat: int) -> int:
    """The stack whose lead is `lead`."""
    state = states[i]
    return stack_at(states, i, seat, int(state["place"][seat, int(state["lead"])]))


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


@kernel
def reach_earth(states: States, i: int, seat: int, stack: int) -> int:
    """The stack is home, and its captives stay with it for good [R4.6]."""
    move_pieces(states, i, seat, stack, EARTH)
    states[i]["fresh"] &= ~stack
    pass_captives(states, i, seat, stack, ON_EARTH)
    return end_move(states, i)


@kernel
def jump(states: States, i: int, seat: int, stack: int, action: int) -> int:
    """[R4.18] The chosen result of a landing on the Sun `at`."""
    state = states[i]
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


@kernel
def pass_captives(states: States, i: int, holder: int, stack: int, lead: int) -> None:
    """The captives that the pieces of *stack* carried belong to *lead* (or ON_EARTH) now."""
    state = states[i]
    first = 1 + CARRIERS * holder
    for seat in range(int(state["num_seats"])):
        for p in range(NUM_PIECES):
            carrier = int(state["held"][seat, p]) - first
            if carrier >= 0 and carrier < NUM_PIECES and stack >> carrier & 1:
                state["held"][seat, p] = first + lead


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


@kernel
def pause(states: States, i: int, phase: int, lead: int) -> int:
    """A further decision within the move, unless the cap is reached."""
    state = states[i]
    state["phase"] = phase
    state["lead"] = lead
    if int(state["decisions"]) >= int(state["max_decisions"]):
        return cut_off(states, i)
    return 0


# The ODULUDO die [R4.24, R4.25] ----------------------------------------------------------------


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


# Capture [R4.26 - R4.31] -----------------------------------------------------------------------


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


@kernel
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


@kernel
def release_captives(states: States, i: int, holder: int, stack: int) -> None:
    """[R4.28] Captives of *stack* go to their owner's ship if he is playing, else off."""
    state = states[i]
    first = 1 + CARRIERS * holder
    for seat in range(int(state["num_seats"])):
        place = SHIP if int(state["status"][seat]) == 0 else OFF
        for p in range(NUM_PIECES):
            carrier = int(state["held"][seat, p]) - first
            if carrier >= 0 and carrier < NUM_PIECES and stack >> carrier & 1:
                state["held"][seat, p] = 0
                state["place"][seat, p] = place


@kernel
def take_captives(states: States, i: int, holder: int, stack: int, held: int) -> None:
    """[R4.29] Captives of *stack* are handed over; *held* says who has them now."""
    state = states[i]
    first = 1 + CARRIERS * holder
    for seat in range(int(state["num_seats"])):
        for p in range(NUM_PIECES):
            carrier = int(state["held"][seat, p]) - first
            if carrier >= 0 and carrier < NUM_PIECES and stack >> carrier & 1:
                state["held"][seat, p] = held


@kernel
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


@kernel
def end_duty(states: States, i: int, owner: int) -> None:
    """[R9.2] Who left the round has no Moon any more: pieces on it are fresh no longer."""
    state = states[i]
    seat = int(state["seat"])
    square = int(SQUARE[int(state["color"][owner]), 0])
    place = (square - int(SQUARE[int(state["color"][seat]), 0])) % RING
    if place < ROUTE_LENGTH:
        state["fresh"] &= ~stack_at(states, i, seat, place)


# The end of a move and of a round [R4.32, R8] --------------------------------------------------


@outlined
def update_statuses(states: States, i: int) -> None:
    """[R4.32] Who is playing and has no free piece has finished, or is out with nothing home."""
    state = states[i]
    num_seats = int(state["num_seats"])
    team = int(state["mode"]) == TEAM
    for seat in range(num_seats // 2 if team else num_seats):
        if int(state["status"][seat]) != 0:
            continue
        free = free_pieces(states, i, seat)
        home = count_at(states, i, seat, EARTH)
        if team:
            free |= free_pieces(states, i, seat + 2)
            home += count_at(states, i, seat + 2, EARTH)
        if free:
            continue
        place = 1
        for other in range(num_seats):
            status = int(state["status"][other])
            place += 1 if (status > 0 if home else status < 0) else 0
        if team:
            place = 1
            state["status"][seat + 2] = place if home else -place
            end_duty(states, i, seat + 2)
        state["status"][seat] = place if home else -place
        end_duty(states, i, seat)


@outlined
def end_move(states: States, i: int) -> int:
    """[R4.2] Statuses, the end of the round, the cap; then an extra roll or the next turn."""
    state = states[i]
    update_statuses(states, i)
    if sides_playing(states, i) <= 1:
        return end_round(states, i)
    if int(state["decisions"]) >= int(state["max_decisions"]):
        return cut_off(states, i)
    seat = int(state["seat"])
    extra = int(state["die"]) == 6 or int(state["star"]) == 1
    if extra and int(state["status"][seat]) == 0 and free_pieces(states, i, seat) != 0:
        roll(states, i)
    else:
        next_turn(states, i)
    return 0


@outlined
def end_round(states: States, i: int) -> int:
    """[R8.1 - R8.6] Score the round; the game is over, or the loser begins the next round."""
    state = states[i]
    order = score_round(states, i)
    if is_match_won(states, i) or int(state["decisions"]) >= int(state["max_decisions"]):
        finish(states, i)
    else:
        set_up_round(states, i)
        begin_turn(states, i, seat_at(order, int(state["num_seats"]) - 1))
    return NEWS | ROUND_ENDED | order << STANDINGS_SHIFT


@kernel
def cut_off(states: States, i: int) -> int:
    """[R8.9] The cap is reached: the running round is scored as it stands."""
    order = score_round(states, i)
    finish(states, i)
    return NEWS | ROUND_ENDED | order << STANDINGS_SHIFT


@kernel
def finish(states: States, i: int) -> None:
    """[R9.3] The game is over; pieces, statuses and UFOs stay as they were."""
    wait_for_die(states, i)
    state = states[i]
    state["phase"] = FINISHED
    state["seat"] = OVER
    state["fresh"] = 0
    state["sixes"] = 0
    state["tries"] = 0


@kernel
def determinize(states: States, i: int, seat: int, streams: Streams, k: int) -> None:
    """[R5.1] Nothing is hidden, so nothing is re-drawn."""
