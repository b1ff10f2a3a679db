"""Standings, points and rewards [R8]."""

from ..engine.dtypes import OVER, Floats, States
from ..engine.jit import kernel, outlined
from .board import (
    CARRIERS,
    EARTH,
    LAST,
    LAST_PIECE,
    NUM_PIECES,
    PLACE_POINTS,
    SCORING,
    SEATS,
    TEAM,
    TEAM_POINTS,
)

PIECE_ON_EARTH = SCORING.piece_on_earth
PER_CAPTIVE = SCORING.winner_per_captive
PER_PIECE_IN_SHIP = SCORING.eliminated_piece_in_ship
PER_PIECE_ON_BOARD = SCORING.eliminated_piece_on_board
LEAST = NUM_PIECES * min(PER_PIECE_IN_SHIP, PER_PIECE_ON_BOARD)

SEAT_BITS = 3
"""A ranking is packed into a number: the best seat in the lowest bits."""
SEAT_MASK = (1 << SEAT_BITS) - 1
FINISHED_FIRST, OUT_LAST = -(1 << 20), 1 << 20


# Standings [R8.2] ------------------------------------------------------------------------------


@kernel
def progress_sum(states: States, i: int, seat: int) -> int:
    """[R8.2] How far the pieces of *seat* have come: progress + 1, Earth as the last path."""
    pieces = states[i]["place"]
    total = 0
    for p in range(NUM_PIECES):
        place = int(pieces[seat, p])
        total += place + 1 if place < EARTH else (LAST + 1 if place == EARTH else 0)
    return total


@kernel
def standing(states: States, i: int, seat: int) -> int:
    """A number that is lower for a better place in the standings; all are different."""
    state = states[i]
    team = int(state["mode"]) == TEAM
    status = int(state["status"][seat])
    if status > 0:
        key = FINISHED_FIRST + status
    elif status < 0:
        key = OUT_LAST + status  # the last one to go out is the best of them
    else:
        key = -progress_sum(states, i, seat)
        if team:
            key -= progress_sum(states, i, (seat + 2) % SEATS)
    # Equal ones stand by seat, partners together (0, 2, 1, 3); below SEATS it never beats the key.
    tie = seat % 2 * 2 + seat // 2 if team else seat
    return key * SEATS + tie


@kernel
def standings(states: States, i: int) -> int:
    """The seats from first to last, packed."""
    num_seats = int(states[i]["num_seats"])
    packed = 0
    for seat in range(num_seats):
        own = standing(states, i, seat)
        better = 0
        for other in range(num_seats):
            better += 1 if standing(states, i, other) < own else 0
        # As many seats stand before it as are better, for no two are equal: no sorting is needed.
        packed |= seat << SEAT_BITS * better
    return packed


@kernel
def seat_at(packed: int, place: int) -> int:
    """The seat at a place (from 0) of a packed ranking."""
    return packed >> SEAT_BITS * place & SEAT_MASK


# Points [R8.4] ---------------------------------------------------------------------------------


@kernel
def captives_of(states: States, i: int, holder: int) -> int:
    """How many captives *holder* has, on the board and on Earth."""
    state = states[i]
    captives = 0
    for seat in range(int(state["num_seats"])):
        for p in range(NUM_PIECES):
            held = int(state["held"][seat, p])
            captives += 1 if held > 0 and (held - 1) // CARRIERS == holder else 0
    return captives


@kernel
def count_at(states: States, i: int, seat: int, place: int) -> int:
    """How many pieces of *seat* are on *place*."""
    pieces = states[i]["place"]
    count = 0
    for p in range(NUM_PIECES):
        count += 1 if int(pieces[seat, p]) == place else 0
    return count


@outlined
def score_round(states: States, i: int) -> int:
    """[R8.4, R8.5] Add the points and the win of the round as it stands; returns the standings."""
    state = states[i]
    num_seats = int(state["num_seats"])
    team = int(state["mode"]) == TEAM
    order = standings(states, i)
    for place in range(num_seats):
        seat = seat_at(order, place)
        is_first = place < 2 if team else place == 0
        if is_first:
            state["wins"][seat] += 1
        if int(state["status"][seat]) < 0:
            continue
        points = int(TEAM_POINTS[place // 2]) if team else int(PLACE_POINTS[num_seats, place])
        points += PIECE_ON_EARTH * count_at(states, i, seat, EARTH)
        if is_first:
            points += PER_CAPTIVE * captives_of(states, i, seat)
        state["points"][seat] += points
    return order


# The end [R8.6 - R8.9] -------------------------------------------------------------------------


@kernel
def sides_playing(states: States, i: int) -> int:
    """How many seats (team: pairs) are still playing."""
    state = states[i]
    sides = 2 if int(state["mode"]) == TEAM else int(state["num_seats"])
    playing = 0
    for seat in range(sides):  # partners have one status
        playing += 1 if int(state["status"][seat]) == 0 else 0
    return playing


@kernel
def is_match_won(states: States, i: int) -> bool:
    """[R8.6] Whether the round that ended was the last one."""
    state = states[i]
    if int(state["mode"]) != LAST_PIECE:
        return True
    most = 0
    for seat in range(int(state["num_seats"])):
        most = max(most, int(state["wins"][seat]))
    return most >= int(state["target_wins"])


@kernel
def is_truncated(states: States, i: int) -> bool:
    """[R8.9] Over, but more than one side is playing, or nobody has won the match."""
    if int(states[i]["seat"]) != OVER:
        return False
    return sides_playing(states, i) > 1 or not is_match_won(states, i)


@kernel
def final_rank(states: States, i: int, seat: int) -> int:
    """[R8.7] The place of *seat* in the final ranking, from 0."""
    state = states[i]
    num_seats = int(state["num_seats"])
    is_match = int(state["mode"]) == LAST_PIECE
    rank = 0
    for other in range(num_seats):
        better = 0
        if is_match:
            better = int(state["points"][other]) - int(state["points"][seat])
            if better == 0:
                better = int(state["wins"][other]) - int(state["wins"][seat])
        if better == 0:
            better = standing(states, i, seat) - standing(states, i, other)
        rank += 1 if better > 0 else 0
    return rank


@kernel
def scores(states: States, i: int, out: Floats) -> None:
    """[R8.10] The points of each seat."""
    for seat in range(int(states[i]["num_seats"])):
        out[seat] = int(states[i]["points"][seat])


@kernel
def returns(states: States, i: int, out: Floats) -> None:
    """[R8.8] The final rewards, by place or by points; zeros before the end."""
    state = states[i]
    num_seats = int(state["num_seats"])
    team = int(state["mode"]) == TEAM
    is_over = int(state["seat"]) == OVER
    for seat in range(num_seats):
        if not is_over:
            out[seat] = 0.0
        elif team:
            out[seat] = 1.0 if final_rank(states, i, seat) < 2 else -1.0
        elif int(state["by_score"]):
            out[seat] = score_reward(states, i, seat)
        else:
            out[seat] = 1.0 - 2.0 * final_rank(states, i, seat) / (num_seats - 1)


@kernel
def most_points(num_seats: int, is_team: bool) -> int:
    """The most that a round may bring a seat: its place, its pieces home and all enemies held."""
    place = int(TEAM_POINTS[0]) if is_team else int(PLACE_POINTS[num_seats, 0])
    return place + NUM_PIECES * (PIECE_ON_EARTH + (num_seats - 1) * PER_CAPTIVE)


@kernel
def score_reward(states: States, i: int, seat: int) -> float:
    """[R8.8] Points above the mean, as a part of the most that the rounds played could bring."""
    state = states[i]
    num_seats = int(state["num_seats"])
    total = 0
    rounds = 0
    for other in range(num_seats):
        total += int(state["points"][other])
        rounds += int(state["wins"][other])
    span = rounds * (most_points(num_seats, False) - LEAST) * (num_seats - 1)
    return (num_seats * int(state["points"][seat]) - total) / span
