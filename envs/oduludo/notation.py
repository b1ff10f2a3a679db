"""Oduludo in text: moves and outcomes by table, and what everybody knows of the match."""

from ..engine.dtypes import OVER, Json, States
from ..engine.spec import table_notation
from .board import MOVES, OUTCOMES, SEATS
from .rules_scoring import seat_at, standings
from .rules_turns import ROUND_ENDED, STANDINGS_SHIFT

action_to_move, move_to_action = table_notation(
    MOVES, "a move of Oduludo such as mK, mS1, mQ-, dS, send, abduct, oduludo, decline or sun+"
)
outcome_to_text, text_to_outcome = table_notation(
    OUTCOMES, "an outcome of Oduludo: !seat0 to !seat3, !1 to !6, or a face such as !plus3"
)


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
