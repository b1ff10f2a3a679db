"""Turns and rounds: the die, who comes next, who is done, how a move and a round end [R3, R4.2]."""

from ..engine.dtypes import OVER, States
from ..engine.jit import kernel, outlined
from .board import (
    DIE,
    EARTH,
    FINISHED,
    LAST_PIECE,
    MOVE,
    NOTHING,
    NUM_PIECES,
    OFF,
    REMOVAL_ORDER,
    RING,
    ROUTE_LENGTH,
    SEATS,
    SHIP,
    SQUARE,
    TEAM,
)
from .board_file import NUM_COLORS
from .rules_landing import free_pieces, pieces_on_board, roll_moves, stack_at
from .rules_scoring import count_at, is_match_won, score_round, seat_at, sides_playing

NEWS = 1
"""Report of a step that changed points or wins; the standings of a round that ended follow it."""
STANDINGS_SHIFT = 2
ROUND_ENDED = 2


# Turns [R4.2] ------------------------------------------------------------------------------------


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


@kernel
def roll(states: States, i: int) -> None:
    """[R4.2, R4.3] The die is due: three tries with no piece on the board, else one."""
    wait_for_die(states, i)
    state = states[i]
    on_board = pieces_on_board(states, i, int(state["seat"]))
    state["tries"] = 1 if on_board else 3
    state["due"] = DIE


@kernel
def begin_turn(states: States, i: int, seat: int) -> None:
    """The turn passes to *seat*."""
    state = states[i]
    state["seat"] = seat
    state["fresh"] = 0
    state["sixes"] = 0
    roll(states, i)


@outlined
def next_turn(states: States, i: int) -> None:
    """The next seat clockwise that is playing and has a free piece."""
    state = states[i]
    num_seats = int(state["num_seats"])
    seat = (int(state["seat"]) + 1) % num_seats
    while int(state["status"][seat]) != 0 or free_pieces(states, i, seat) == 0:
        seat = (seat + 1) % num_seats
    begin_turn(states, i, seat)


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


# Rounds [R3.1, R8] -------------------------------------------------------------------------------


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


@outlined
def cut_off(states: States, i: int) -> int:
    """[R8.9] The cap is reached: the running round is scored as it stands."""
    order = score_round(states, i)
    finish(states, i)
    return NEWS | ROUND_ENDED | order << STANDINGS_SHIFT


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
    # The next round has begun by now: the report alone says how this one ended.
    return NEWS | ROUND_ENDED | order << STANDINGS_SHIFT


# The end of a move [R4.32] -----------------------------------------------------------------------


@kernel
def end_duty(states: States, i: int, owner: int) -> None:
    """[R9.2] Who left the round has no Moon any more: pieces on it are fresh no longer."""
    state = states[i]
    seat = int(state["seat"])
    square = int(SQUARE[int(state["color"][owner]), 0])
    place = (square - int(SQUARE[int(state["color"][seat]), 0])) % RING
    if place < ROUTE_LENGTH:
        state["fresh"] &= ~stack_at(states, i, seat, place)


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


@kernel
def pause(states: States, i: int, phase: int, lead: int) -> int:
    """A further decision within the move, unless the cap is reached."""
    state = states[i]
    state["phase"] = phase
    state["lead"] = lead
    if int(state["decisions"]) >= int(state["max_decisions"]):
        return cut_off(states, i)
    return 0
