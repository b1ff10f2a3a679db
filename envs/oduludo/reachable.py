"""What is public in Oduludo, and which positions the rules can reach [R9.4], one by one."""

from typing import Any

from ..engine.dtypes import OVER, Json, States
from ..engine.errors import expect
from .board import (
    CAPTURE,
    CARRIERS,
    COUNT_BITS,
    EARTH,
    FINISHED,
    IS_CIRCLE,
    KING,
    LAST_PIECE,
    LEAD,
    MOVE,
    NUM_PIECES,
    ODULUDO,
    OFF,
    ON_EARTH,
    PHASES,
    REMOVAL_ORDER,
    RING,
    ROUTE_LENGTH,
    SEATS,
    SIZE,
    SQUARE,
    SUN,
    TEAM,
)
from .board_file import PIECES
from .rules_landing import (
    IMPOSSIBLE,
    are_enemies,
    enemies_at,
    free_pieces,
    is_foreign_moon,
    land,
    land_back,
    may_go_back,
    owes_early_king,
    roll_moves,
    stack_at,
)
from .rules_scoring import LEAST, is_match_won, most_points, seat_at, sides_playing, standings
from .rules_turns import ROUND_ENDED, STANDINGS_SHIFT


def infos(states: States, i: int) -> Json:
    """What everybody knows about the match [R8.10]."""
    state = states[i]
    num_seats = int(state["num_seats"])
    public: Json = {
        "scores": state["points"][:num_seats].tolist(),
        "wins": state["wins"][:num_seats].tolist(),
    }
    if int(state["seat"]) == OVER:
        public["standings"] = _seats(int(standings(states, i)), num_seats)
    return public


def report(code: int) -> Json:
    """The standings of the round that a step ended [R8.10]."""
    if not code & ROUND_ENDED:
        return {}
    order = code >> STANDINGS_SHIFT
    # Seats beyond those that play are 0 in a packed ranking, and only seat 0 itself is 0 once.
    seats = _seats(order, SEATS)
    while seats.count(0) > 1:
        seats.pop()
    return {"standings": seats}


def _seats(order: int, num_seats: int) -> list[int]:
    return [int(seat_at(order, place)) for place in range(num_seats)]


def check_reachable(states: States, position: Json) -> None:
    """Expect that row 0 keeps every invariant.

    The legal moves follow from the roll, so they are not in the *position* but found here.
    """
    state = states[0]
    if int(state["phase"]) == MOVE and not state["star"]:
        state["legal"] = roll_moves(states, 0, int(state["seat"]), int(state["die"]))
    _check_clock(states)
    _check_statuses(states)
    _check_captives(states)
    _check_wins(states)
    _check_points(state)
    _check_kings(state)
    _check_squares(states)
    if int(state["phase"]) == FINISHED:
        quiet = ("star", "fresh", "sixes")
        expect(not any(state[key] for key in quiet), "no star, fresh or sixes when over", "some")
        expect(state["lead"] < 0 and state["at"] < 0, "mover and at null when over", "others")
        return
    _check_turn(states)
    _check_phase(states)


def _check_clock(states: States) -> None:
    """[R8.1, R8.9] A game goes on while two sides play, until the cap; and only so long."""
    state = states[0]
    decisions, cap = int(state["decisions"]), int(state["max_decisions"])
    sides = sides_playing(states, 0)
    if int(state["phase"]) != FINISHED:
        expect(sides > 1, "more than one side playing before the end", sides)
        expect(decisions < cap, f"fewer than {cap} decisions before the end", decisions)
    elif sides > 1 or not is_match_won(states, 0):
        expect(decisions >= cap, f"{cap} decisions in a game cut off", decisions)


def _check_statuses(states: States) -> None:
    """[R4.32] Who plays has a free piece, who does not has none; places run 1, 2, ..."""
    state = states[0]
    num_seats, team = int(state["num_seats"]), int(state["mode"]) == TEAM
    statuses = [int(status) for status in state["status"][:num_seats]]
    if team:
        expect(statuses[:2] == statuses[2:], "one status for both partners", statuses)
    sides = statuses[:2] if team else statuses
    for sign in (1, -1):
        places = sorted(sign * status for status in sides if sign * status > 0)
        expect(places == list(range(1, len(places) + 1)), "places 1, 2, ... in status", places)
    free = [int(free_pieces(states, 0, seat)) for seat in range(num_seats)]
    if team:
        free = [free[0] | free[2], free[1] | free[3]] * 2
    for seat, status in enumerate(statuses):
        wanted = f"free pieces of seat {seat} just while it is playing"
        got = "free pieces" if free[seat] else "none"
        expect((status == 0) == (free[seat] != 0), wanted, got)


def _check_captives(states: States) -> None:
    """[R4.6] A captor is an enemy, and its stack is named by its lead."""
    state = states[0]
    for seat in range(int(state["num_seats"])):
        for p in range(NUM_PIECES):
            held = int(state["held"][seat, p])
            if held == 0:
                continue
            holder, lead = divmod(held - 1, CARRIERS)
            expect(are_enemies(states, 0, seat, holder), f"an enemy to hold {PIECES[p]}", holder)
            if lead != ON_EARTH:
                place = int(state["place"][holder, lead])
                leads = place < EARTH and LEAD[stack_at(states, 0, holder, place)] == lead
                wanted = f"a stack of seat {holder} on the board led by {PIECES[lead]} as captor"
                expect(leads, wanted, "none")


def _check_wins(states: States) -> None:
    """[R1.4, R8.5] Rounds won, and the pieces that last_piece removes for them."""
    state = states[0]
    num_seats, is_over = int(state["num_seats"]), int(state["phase"]) == FINISHED
    wins = [int(won) for won in state["wins"][:num_seats]]
    before = list(wins)
    if is_over:
        winners = 2 if int(state["mode"]) == TEAM else 1
        order = standings(states, 0)
        for place in range(winners):
            before[seat_at(order, place)] -= 1
    is_match = int(state["mode"]) == LAST_PIECE
    most = int(state["target_wins"]) - 1 if is_match else 0
    wanted = f"0 to {most} rounds won before this one, which the first in the standings wins"
    expect(all(0 <= won <= most for won in before), wanted, wins)
    for seat in range(num_seats):
        removed = [int(p) for p in REMOVAL_ORDER[: before[seat]]]
        are_off = all(int(state["place"][seat, p]) == OFF for p in removed)
        names = ", ".join(PIECES[p] for p in removed)
        expect(are_off, f"the pieces {names} of seat {seat} off", "others")


def _check_points(state: Any) -> None:
    """[R8.4, R8.5] No round brings more, or costs more, than its points and pieces."""
    num_seats, is_team = int(state["num_seats"]), int(state["mode"]) == TEAM
    rounds = int(state["wins"].sum()) // (2 if is_team else 1)
    most = most_points(num_seats, is_team) * rounds
    for seat in range(num_seats):
        is_out = int(state["phase"]) != FINISHED and int(state["status"][seat]) < 0
        least, points = LEAST * (rounds + is_out), int(state["points"][seat])
        expect(least <= points <= most, f"points of seat {seat} in {least}..{most}", points)


def _check_kings(state: Any) -> None:
    """[R4.12] Outside teams, a King on Earth has ended the round for its owner."""
    if int(state["mode"]) == TEAM:
        return
    for seat in range(int(state["num_seats"])):
        is_early = int(state["place"][seat, KING]) == EARTH and int(state["status"][seat]) <= 0
        wanted = f"the King of seat {seat} on Earth only once it has finished"
        expect(not is_early, wanted, "a King on Earth")


def _check_squares(states: States) -> None:
    """[R9.3] Enemies share a square only where a capture is due, or was when the cap came."""
    state = states[0]
    phase = int(state["phase"])
    if phase == FINISHED:
        return
    allowed = -1
    seat, lead = int(state["seat"]), int(state["lead"])
    if phase == CAPTURE and lead >= 0:
        place = int(state["place"][seat, lead])
        allowed = int(SQUARE[int(state["color"][seat]), place]) if place < ROUTE_LENGTH else -1
    for square in range(RING):
        for other in range(int(state["num_seats"])):
            here = int(state["occupied"][square]) >> COUNT_BITS * other & (1 << COUNT_BITS) - 1
            clash = here and square != allowed and enemies_at(states, 0, other, square)
            expect(not clash, f"pieces of one side on square {square}", "enemies")


def _check_turn(states: States) -> None:
    state = states[0]
    seat, sixes, limit = int(state["seat"]), int(state["sixes"]), int(state["six_limit"])
    expect(int(state["status"][seat]) == 0, f"seat {seat}, to move, to be playing", "not so")
    expect(free_pieces(states, 0, seat), f"a free piece of seat {seat}, to move", "none")
    expect(sixes == 0 or sixes < limit, f"sixes 0 or below the limit {limit}", sixes)
    for p in range(NUM_PIECES):
        if int(state["fresh"]) >> p & 1:
            square = _square(state, seat, p)
            expect(
                square >= 0 and is_foreign_moon(states, 0, seat, square),
                f"the fresh {PIECES[p]} on the Moon of an enemy who plays",
                "it elsewhere",
            )


def _square(state: Any, seat: int, piece: int) -> int:
    """The ring square of a piece; -1 if it is not on the ring."""
    place = int(state["place"][seat, piece])
    return int(SQUARE[int(state["color"][seat]), place]) if place < ROUTE_LENGTH else -1


def _check_phase(states: States) -> None:
    state = states[0]
    phase, seat, lead = (int(state[key]) for key in ("phase", "seat", "lead"))
    expect((phase == SUN) == (state["at"] >= 0), "`at` in phase 'sun' only", state["at"])
    if phase == MOVE:
        expect(lead < 0, "no mover in phase 'move'", "one")
        expect(not state["star"], "no star in phase 'move'", "one")
        expect(state["legal"], f"a legal move of seat {seat} with this roll", "none")
        return
    place = int(state["place"][seat, lead]) if lead >= 0 else OFF
    stack = int(stack_at(states, 0, seat, place))
    expect(
        place < EARTH and LEAD[stack] == lead,
        f"a mover that leads a stack on the board in phase {PHASES[phase]!r}",
        PIECES[lead] if lead >= 0 else None,
    )
    square = _square(state, seat, lead)
    if phase == SUN:
        _check_sun(states, seat, stack)
        return
    enemies = square >= 0 and enemies_at(states, 0, seat, square) != 0
    expect(enemies == (phase == CAPTURE), "enemies on the mover's square to be captured", enemies)
    on_circle = square >= 0 and IS_CIRCLE[square]
    expect(phase != ODULUDO or on_circle, "the mover on a circle", "it elsewhere")


def _check_sun(states: States, seat: int, stack: int) -> None:
    """[R4.18] Both ways from the Sun `at` are open."""
    state = states[0]
    at, size = int(state["at"]), int(SIZE[stack])
    route = SQUARE[int(state["color"][seat]), :ROUTE_LENGTH].tolist()
    expect(may_go_back(states, 0, stack), "a stack that may go backward in phase 'sun'", "another")
    expect(at in route, "`at` on the route", f"r{at}")
    progress = route.index(at)
    early = owes_early_king(states, 0, seat, stack)
    back = land_back(states, 0, seat, size, progress)
    ahead = land(states, 0, seat, size, early, progress)
    wanted = "a Sun from which both ways are open as `at`"
    expect(IMPOSSIBLE not in (back, ahead), wanted, f"r{at}")
