"""What everybody knows of a match of Oduludo."""

from ..engine.dtypes import OVER, Json, States
from .board import SEATS
from .rules_scoring import seat_at, standings
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
